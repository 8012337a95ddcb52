//! Zarr stores written by hand: what they hold, and what happens when they are damaged.
#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may fail loudly, and its numbers are exact"
)]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ocean_data::Selection;
use ocean_data::dataset::{Dataset, OpenError, ReadError};
use ocean_data::field::{WalkControl, WalkError};
use serde_json::{Value, json};

fn put(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn put_json(folder: &Path, name: &str, value: &Value) {
    put(folder, name, value.to_string().as_bytes());
}

fn little(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn v3_array(shape: &[usize], chunks: &[usize], names: &[&str], attributes: &Value) -> Value {
    json!({"zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "float64",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "fill_value": -5.0,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "attributes": attributes, "dimension_names": names, "storage_transformers": []})
}

/// `sst(lat, lon)` of 2 by 4 in chunks of 2 by 2; -9 is missing, by a base64 `_FillValue`.
fn v3(folder: &Path) {
    let group = json!({"zarr_format": 3, "node_type": "group", "attributes": {"title": "by hand"}});
    put_json(folder, "zarr.json", &group);
    put_json(folder, "lat/zarr.json", &v3_array(&[2], &[2], &["lat"], &json!({"units": "degrees_north"})));
    put(folder, "lat/c/0", &little(&[-1.0, 1.0]));
    put_json(folder, "lon/zarr.json", &v3_array(&[4], &[4], &["lon"], &json!({"units": "degrees_east"})));
    put(folder, "lon/c/0", &little(&[10.0, 11.0, 12.0, 13.0]));
    // -9 as eight little-endian bytes is 00 00 00 00 00 00 22 c0.
    let attributes = json!({"units": "degC", "_FillValue": "AAAAAAAAIsA="});
    put_json(folder, "sst/zarr.json", &v3_array(&[2, 4], &[2, 2], &["lat", "lon"], &attributes));
    put(folder, "sst/c/0/0", &little(&[1.0, 2.0, 3.0, -9.0]));
    put(folder, "sst/c/0/1", &little(&[5.0, 6.0, 7.0, 8.0]));
}

fn open(folder: &Path) -> Result<Arc<Dataset>, OpenError> {
    Dataset::open(&folder.display().to_string())
}

fn read(folder: &Path) -> Result<Vec<f64>, WalkError> {
    let field = open(folder).unwrap().select(&Selection::of("temperature")).unwrap();
    field.read(1 << 20).map(|values| values.into_iter().collect())
}

#[test]
fn v3_chunks_and_base64_fill_values_are_read() {
    let folder = tempfile::tempdir().unwrap();
    v3(folder.path());
    let values = read(folder.path()).unwrap();
    assert_eq!(&values[..5], [1.0, 2.0, 5.0, 6.0, 3.0]);
    assert!(values[5].is_nan());
    let description = open(folder.path()).unwrap().inspect();
    assert_eq!((description.format.as_str(), description.title.as_deref()), ("Zarr v3", Some("by hand")));
    assert_eq!(description.variables[0].chunks, Some(vec![2, 2]));
}

#[test]
fn an_absent_chunk_holds_the_fill_value() {
    let folder = tempfile::tempdir().unwrap();
    v3(folder.path());
    fs::remove_file(folder.path().join("sst/c/0/1")).unwrap();
    assert_eq!(read(folder.path()).unwrap()[2], -5.0);
}

#[test]
fn v2_dimensions_and_fill_values_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let array = |shape: &[usize], fill: Value| {
        json!({"zarr_format": 2, "shape": shape, "chunks": shape, "dtype": "<f8", "fill_value": fill, "order": "C",
               "filters": null, "compressor": null})
    };
    put_json(folder.path(), ".zgroup", &json!({"zarr_format": 2}));
    put_json(folder.path(), "lat/.zarray", &array(&[2], Value::Null));
    put_json(folder.path(), "lat/.zattrs", &json!({"units": "degrees_north", "_ARRAY_DIMENSIONS": ["lat"]}));
    put(folder.path(), "lat/0", &little(&[1.0, -1.0]));
    put_json(folder.path(), "sst/.zarray", &array(&[2], json!(-999.0)));
    put_json(folder.path(), "sst/.zattrs", &json!({"units": "degC", "_ARRAY_DIMENSIONS": ["lat"]}));
    put(folder.path(), "sst/0", &little(&[3.0, -999.0]));
    let values = read(folder.path()).unwrap();
    // Southernmost first.
    assert!(values[0].is_nan());
    assert_eq!(values[1], 3.0);
}

#[test]
fn every_stored_chunk_is_hashed_as_it_lies_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    v3(folder.path());
    let tree = |folder: &Path| {
        let field = open(folder).unwrap().select(&Selection::of("sst")).unwrap();
        field.walk(&WalkControl::default(), |_| (), |()| ()).unwrap()
    };
    let before = tree(folder.path());
    assert_eq!((before.chunks, before.bytes, before.raw), (2, 64, true));
    assert_eq!(before, tree(folder.path()));
    put(folder.path(), "sst/c/0/1", &little(&[5.0, 6.0, 7.0, 8.5]));
    assert_ne!(before.digest, tree(folder.path()).digest);
}

#[test]
fn damage_is_named_and_never_panics() {
    let folder = tempfile::tempdir().unwrap();
    v3(folder.path());
    put(folder.path(), "sst/c/0/1", &little(&[5.0, 6.0])[..13]);
    let error = read(folder.path()).unwrap_err();
    assert!(matches!(error, WalkError::Read(ReadError::Damaged { .. })), "{error}");
    assert!(error.to_string().contains("sst"), "{error}");

    let mut array = v3_array(&[2, 4], &[2, 2], &["lat", "lon"], &json!({"units": "degC"}));
    array["codecs"] = json!([{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "snappy"}]);
    put_json(folder.path(), "sst/zarr.json", &array);
    let error = open(folder.path()).unwrap_err();
    assert!(matches!(error, OpenError::Unsupported { .. }), "{error}");
    assert!(error.to_string().contains("snappy"), "{error}");

    put(folder.path(), "sst/zarr.json", b"{\"zarr_format\": 3, \"node_ty");
    let error = open(folder.path()).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. } | OpenError::Unsupported { .. }), "{error}");
}
