//! References to the chunks of a NetCDF file, made from its own index.

use std::path::Path;

use base64::Engine as _;
use hdf5_reader::messages::filter_pipeline::FilterDescription;
use serde_json::{Map, Value, json};

use crate::cf::Attribute;
use crate::dataset::netcdf::NetcdfStore;
use crate::dataset::open::OpenError;
use crate::dataset::store::{Store as _, StoredVariable, Window};

/// Attributes that belong to the file format.
const FORMAT_ATTRIBUTES: [&str; 6] = [
    "_FillValue",
    "_NCProperties",
    "_Netcdf4Dimid",
    "_Netcdf4Coordinates",
    "DIMENSION_LIST",
    "REFERENCE_LIST",
];

/// Kerchunk references (version 1) to all arrays of numbers in a local NetCDF file, which will be found at `url`.
///
/// Arrays that lie in headers are put into the references. Text is left out.
///
/// # Errors
/// [`OpenError`] when the file cannot be opened; [`OpenError::Unsupported`] for filters that Zarr v2 has not, and for
/// chunks that leave some of their filters out.
pub fn kerchunk_references(path: &Path, url: &str) -> Result<Value, OpenError> {
    let store = NetcdfStore::open_file(path, true)?;
    references_of(&store, &path.display().to_string(), url)
}

/// The references to an open file; `address` is its name in errors.
pub(crate) fn references_of(store: &NetcdfStore, address: &str, url: &str) -> Result<Value, OpenError> {
    let mut references = Map::new();
    references.insert(".zgroup".to_owned(), json!("{\"zarr_format\":2}"));
    references.insert(".zattrs".to_owned(), json!(attributes(store.attributes()).to_string()));
    for (index, variable) in store.variables().iter().enumerate() {
        if variable.element.is_numeric() && !variable.is_empty() {
            add(store, index, variable, url, &mut references).map_err(|detail| OpenError::Unsupported {
                path: address.to_owned(),
                detail: format!("`{}`: {detail}", variable.name),
            })?;
        }
    }
    for variable in store.variables() {
        for (at, _) in variable.name.match_indices('/') {
            references.insert(format!("{}/.zgroup", &variable.name[..at]), json!("{\"zarr_format\":2}"));
        }
    }
    Ok(json!({ "version": 1, "refs": references }))
}

fn add(
    store: &NetcdfStore,
    index: usize,
    variable: &StoredVariable,
    url: &str,
    out: &mut Map<String, Value>,
) -> Result<(), String> {
    let name = &variable.name;
    let (chunks, dtype, fill, filters) = if let Some((pieces, base)) = store.layout(index) {
        let (shape, places) = pieces.chunks();
        for (place, stored) in places {
            if stored.filter_mask != 0 {
                return Err("some of its chunks leave filters out".to_owned());
            }
            let key = place.iter().map(u64::to_string).collect::<Vec<_>>().join(".");
            let key = if key.is_empty() { "0".to_owned() } else { key };
            let address = base.saturating_add(stored.address);
            out.insert(format!("{name}/{key}"), json!([url, address, stored.size]));
        }
        let filters = pieces.filters.iter().map(filter).collect::<Result<Vec<_>, _>>()?;
        (shape, pieces.format.zarr_v2(), pieces.fill, filters)
    } else {
        let block = store.read(index, &Window::all(variable)).map_err(|error| error.to_string())?;
        let bytes: Vec<u8> = block.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let text = base64::engine::general_purpose::STANDARD.encode(bytes);
        let key = vec!["0"; variable.dimensions.len().max(1)].join(".");
        out.insert(format!("{name}/{key}"), json!(format!("base64:{text}")));
        (variable.shape(), "<f8".to_owned(), None, Vec::new())
    };
    // In Zarr v2 the fill value is that of missing numbers too: only one that NetCDF has for them is named.
    let named = variable.attributes.get("_FillValue").and_then(Attribute::as_number);
    let fill = named.or_else(|| fill.filter(|fill| Some(*fill) == variable.fill_value));
    let array = json!({
        "zarr_format": 2, "shape": variable.shape(), "chunks": chunks, "dtype": dtype, "order": "C",
        "fill_value": fill.map_or(Value::Null, |fill| fill_value(fill, &dtype)), "compressor": null,
        "filters": if filters.is_empty() { Value::Null } else { json!(filters) },
    });
    out.insert(format!("{name}/.zarray"), json!(array.to_string()));
    let mut own = attributes(&variable.attributes);
    own["_ARRAY_DIMENSIONS"] = variable.dimensions.iter().map(|dimension| dimension.0.as_str()).collect();
    out.insert(format!("{name}/.zattrs"), json!(own.to_string()));
    Ok(())
}

fn attributes(attributes: &crate::cf::Attributes) -> Value {
    let json = |(name, attribute): (&String, &Attribute)| {
        let value = match attribute {
            Attribute::Numbers(numbers) if numbers.len() == 1 => number(numbers[0]),
            Attribute::Numbers(numbers) => numbers.iter().copied().map(number).collect(),
            other => other.to_json(),
        };
        (name.clone(), value)
    };
    let kept = attributes.iter().filter(|(name, _)| !FORMAT_ATTRIBUTES.contains(&name.as_str()));
    Value::Object(kept.map(json).collect())
}

/// A fill value in the type of its array.
fn fill_value(fill: f64, dtype: &str) -> Value {
    if dtype.contains('f') {
        return number(fill);
    }
    #[expect(clippy::cast_possible_truncation, reason = "the fill value of an array of integers is one")]
    let whole = fill as i64;
    json!(whole)
}

/// A number as JSON, and as text where JSON has none.
fn number(number: f64) -> Value {
    serde_json::Number::from_f64(number).map_or_else(|| json!(number.to_string()), Value::Number)
}

/// An HDF5 filter in the words of Zarr v2.
fn filter(filter: &FilterDescription) -> Result<Value, String> {
    let setting = |at: usize| filter.client_data.get(at).copied().unwrap_or(0);
    match filter.id {
        1 => Ok(json!({ "id": "zlib", "level": setting(0).min(9) })),
        2 => Ok(json!({ "id": "shuffle", "elementsize": setting(0) })),
        3 => Ok(json!({ "id": "fletcher32" })),
        32_015 => Ok(json!({ "id": "zstd", "level": setting(0).min(22) })),
        other => Err(format!("it has the filter {other}")),
    }
}
