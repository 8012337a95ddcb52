//! Numbers and times of every file against values computed by other software.

use ocean_data::cf::{Attribute, Calendar, Packing, TimeUnits};
use ocean_data::dataset::Window;
use serde_json::json;

use super::{assert_near, cases, folder, open};

#[test]
fn every_file_decodes_as_its_reference_reader() {
    let Some(folder) = folder() else { return };
    let cases = cases(&folder, "io_digest");
    assert!(cases.len() >= 41, "{}", cases.len());
    for case in cases {
        let file = case["input"]["file"].as_str().unwrap();
        let dataset = open(&folder, file);
        let store = dataset.store();
        for (name, expected) in case["expected"].as_object().unwrap() {
            let index = store.variables().iter().position(|v| &v.name == name);
            let index = index.unwrap_or_else(|| panic!("{file} has no {name}"));
            let stored = &store.variables()[index];
            let packing = Packing::from_attributes(&stored.attributes, stored.fill_value);
            let block = store.read(index, &Window::all(stored)).unwrap();
            let mut values: Vec<f64> = block.values.iter().copied().collect();
            packing.decode_all(values.iter_mut());
            let at = format!("{name} of {file}");
            assert_eq!(json!(stored.shape()), expected["shape"], "{at}");
            let valid: Vec<(usize, f64)> =
                values.iter().copied().enumerate().filter(|v| v.1.is_finite()).collect();
            assert_eq!(json!(valid.len()), expected["n_valid"], "{at}");
            if valid.is_empty() {
                continue;
            }
            let mean = valid.iter().map(|v| v.1).sum::<f64>() / valid.len() as f64;
            let min = valid.iter().map(|v| v.1).fold(f64::INFINITY, f64::min);
            let max = valid.iter().map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
            assert_near(&case, &format!("{name} mean"), mean, &expected["mean"]);
            assert_near(&case, &format!("{name} min"), min, &expected["min"]);
            assert_near(&case, &format!("{name} max"), max, &expected["max"]);
            for (key, found) in [("first_valid", valid.first()), ("last_valid", valid.last())] {
                let &(position, value) = found.unwrap();
                assert_eq!(json!(position), expected[key][0], "{at} {key}");
                assert_near(&case, &format!("{name} {key}"), value, &expected[key][1]);
            }
        }
    }
}

#[test]
fn times_decode_as_cftime_decodes_them() {
    let Some(folder) = folder() else { return };
    let cases = cases(&folder, "time_decode");
    assert!(cases.len() >= 37, "{}", cases.len());
    for case in cases {
        let id = &case["id"];
        let calendar = Calendar::parse(case["params"]["calendar"].as_str().unwrap()).unwrap();
        if let Some(items) = case["expected"]["items"].as_array() {
            for item in items {
                let units = TimeUnits::parse(item["units"].as_str().unwrap(), calendar).unwrap();
                let value = item["value"].as_f64().unwrap();
                let date = units.decode(value).unwrap();
                assert_eq!(json!(date.to_string()), item["date"], "{id} {item}");
                assert_eq!(json!(calendar.day_of_year(&date).unwrap()), item["dayofyr"], "{id} {item}");
                assert!((units.encode(&date).unwrap() - value).abs() < 1e-9, "{id} {item}");
            }
            continue;
        }
        let file = case["input"]["file"].as_str().unwrap();
        let dataset = open(&folder, file);
        let store = dataset.store();
        let name = case["input"]["variable"].as_str().unwrap();
        let index = store.variables().iter().position(|v| v.name == name).unwrap();
        let stored = &store.variables()[index];
        let text = stored.attributes.get("units").and_then(Attribute::as_text).unwrap();
        let units = TimeUnits::parse(text, calendar).unwrap();
        let block = store.read(index, &Window::all(stored)).unwrap();
        let packing = Packing::from_attributes(&stored.attributes, stored.fill_value);
        let values: Vec<f64> =
            block.values.iter().map(|&v| packing.decode(v)).filter(|v| v.is_finite()).collect();
        let n = values.len();
        assert_eq!(json!(n), case["expected"]["n"], "{id}");
        let text_of = |at: usize| {
            let date = units.decode(values[at]).unwrap();
            date.to_string().split('.').next().unwrap().to_owned()
        };
        let got = json!([text_of(0), text_of(n / 2), text_of(n - 1)]);
        assert_eq!(got, case["expected"]["first_mid_last"], "{id}");
    }
}
