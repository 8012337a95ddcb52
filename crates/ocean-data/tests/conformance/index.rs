//! Every file of the folder against what its index says about it.

use std::collections::BTreeMap;

use ocean_data::dataset::{Dataset, OpenError, StoredVariable};
use serde_json::Value;

use super::folder;

/// A name without its group.
fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The entries of the index.
fn entries(folder: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("data/INDEX.toml")).unwrap();
    let table: toml::Table = toml::from_str(&text).unwrap();
    let document = serde_json::to_value(table).unwrap();
    document["data"].as_array().unwrap().clone()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_file_opens_or_is_refused_as_its_index_says() {
    let Some(folder) = folder() else { return };
    let entries = entries(&folder);
    assert!(entries.len() >= 70, "{}", entries.len());
    for entry in &entries {
        let file = entry["file"].as_str().unwrap();
        let path = folder.join("data").join(file).display().to_string();
        let format = entry["format"].as_str().unwrap();
        let opened = Dataset::open(&path);
        if format == "JSON" {
            // Truth and check values: JSON, but no references to chunks.
            let error = opened.unwrap_err();
            assert!(matches!(error, OpenError::NotADataset { .. }), "{file}: {error}");
            continue;
        }
        let dataset = opened.unwrap_or_else(|error| panic!("{file}: {error}"));
        let wanted = match format {
            "NETCDF3_CLASSIC" => "NetCDF-3 classic",
            "NETCDF3_64BIT_OFFSET" => "NetCDF-3 64-bit offset",
            "NETCDF3_64BIT_DATA" => "NetCDF-3 CDF-5",
            "NETCDF4" => "NetCDF-4",
            "NETCDF4_CLASSIC" => "NetCDF-4 classic model",
            "ZARR v2" => "Zarr v2",
            "ZARR v3" => "Zarr v3",
            other => other,
        };
        let store = dataset.store();
        assert_eq!(store.format(), wanted, "{file}");
        let stored: BTreeMap<&str, &StoredVariable> =
            store.variables().iter().map(|variable| (variable.name.as_str(), variable)).collect();
        if format == "CSV" {
            check_table(file, entry, &stored);
        } else {
            check_arrays(file, entry, &stored);
        }
        check_calendars(file, entry, &dataset);
        // It describes itself, whatever it holds.
        assert!(!serde_json::to_string(&dataset.inspect()).unwrap().is_empty());
    }
}

fn check_table(file: &str, entry: &Value, stored: &BTreeMap<&str, &StoredVariable>) {
    let rows = usize::try_from(entry["dims"]["rows"].as_u64().unwrap()).unwrap();
    assert!(stored.values().all(|variable| variable.shape() == [rows]), "{file}");
    // A unit in the heading becomes an attribute; times of day join their date.
    let names: Vec<&str> = stored.keys().copied().collect();
    let columns = texts(&entry["variables"]);
    let found = columns.iter().filter(|column| {
        names.iter().any(|name| column.as_str() == *name || column.starts_with(&format!("{name}_")))
    });
    let times =
        columns.iter().filter(|column| ["date", "datetime", "time"].contains(&column.as_str())).count();
    assert!(found.count() + times >= columns.len(), "{file}: {columns:?} and {names:?}");
}

fn check_arrays(file: &str, entry: &Value, stored: &BTreeMap<&str, &StoredVariable>) {
    let dims: BTreeMap<String, usize> = entry["dims"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, length)| (name.clone(), usize::try_from(length.as_u64().unwrap()).unwrap()))
        .collect();
    for variable in stored.values() {
        for (name, length) in &variable.dimensions {
            // The Zarr entries list shapes, not dimensions.
            assert_eq!(dims.get(base_name(name)).unwrap_or(length), length, "{file} {name}");
        }
    }
    for text in texts(&entry["variables"]) {
        let (name, rest) = text.split_once(':').unwrap_or((&text, ""));
        let variable = stored.get(name).unwrap_or_else(|| panic!("{file} has no {name}"));
        if rest.is_empty() {
            continue;
        }
        let (kind, shape) = rest.split_once(['(', '[']).unwrap();
        let kind = match kind {
            ">f4" | "<f4" => "float32",
            other => other,
        };
        if kind.starts_with('|') {
            assert!(!variable.element.is_numeric(), "{file} {name}");
        } else {
            assert_eq!(variable.element.to_string(), kind, "{file} {name}");
        }
        let (shape, chunks) = shape.split_once([')', ']']).unwrap();
        let parts: Vec<&str> = shape.split([',', ' ']).filter(|part| !part.is_empty()).collect();
        if rest.contains('(') {
            let own: Vec<&str> = variable.dimensions.iter().map(|d| base_name(&d.0)).collect();
            assert_eq!(own, parts, "{file} {name}");
            continue;
        }
        let numbers = |parts: &[&str]| parts.iter().map(|n| n.parse().unwrap()).collect::<Vec<usize>>();
        assert_eq!(variable.shape(), numbers(&parts), "{file} {name}");
        let chunks = chunks.trim().trim_start_matches("chunks[").split(']').next().unwrap();
        let chunks: Vec<&str> = chunks.split([',', ' ']).filter(|part| !part.is_empty()).collect();
        assert_eq!(variable.chunk_shape, numbers(&chunks), "{file} {name}");
    }
}

/// Files whose oddity is their calendar say so.
fn check_calendars(file: &str, entry: &Value, dataset: &Dataset) {
    let quirks = texts(&entry["quirks"]).join("; ");
    for name in ["360_day", "noleap", "all_leap", "julian", "proleptic_gregorian"] {
        if quirks.split([' ', ',', '/', ';']).any(|word| word == name) {
            let found: Vec<&str> = dataset.times().iter().map(|time| time.calendar.name()).collect();
            assert!(found.contains(&name), "{file} has the calendars {found:?} and not {name}");
        }
    }
}
