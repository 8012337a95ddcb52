//! Kerchunk references written by hand.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ocean_data::dataset::{Dataset, OpenError, ReadError};
use ocean_data::field::{Selection, WalkControl, WalkError};
use proptest::prelude::*;
use serde_json::{Value, json};

fn little(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// `sst(lat)` of 6 in chunks of 2: one inline, one a part of a file, one absent.
fn references(data: &str) -> serde_json::Map<String, Value> {
    let array = |shape: usize, chunk: usize| {
        json!({"zarr_format": 2, "shape": [shape], "chunks": [chunk], "dtype": "<f8", "fill_value": -999.0,
               "order": "C", "filters": null, "compressor": null})
    };
    let attributes = |units: &str| json!({"units": units, "_ARRAY_DIMENSIONS": ["lat"]}).to_string();
    let inline = |values: &[f64]| {
        use base64::Engine as _;
        format!("base64:{}", base64::engine::general_purpose::STANDARD.encode(little(values)))
    };
    let document = json!({
        ".zgroup": {"zarr_format": 2},
        "lat/.zarray": array(6, 6).to_string(),
        "lat/.zattrs": attributes("degrees_north"),
        "lat/0": inline(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        "sst/.zarray": array(6, 2).to_string(),
        "sst/.zattrs": attributes("degC"),
        "sst/0": inline(&[10.0, 20.0]),
        "sst/1": [data, 8, 16],
    });
    document.as_object().unwrap().clone()
}

fn write(folder: &Path, document: &Value) -> Result<Arc<Dataset>, OpenError> {
    let path = folder.join("refs.json");
    fs::write(&path, document.to_string()).unwrap();
    Dataset::open(&path.display().to_string())
}

fn values(dataset: &Arc<Dataset>) -> Result<Vec<f64>, WalkError> {
    let field = dataset.select(&Selection::of("sst")).unwrap();
    Ok(field.read(1 << 20)?.into_iter().collect())
}

#[test]
fn inline_chunks_parts_of_files_and_absent_chunks_are_read() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data.bin");
    fs::write(&data, little(&[0.0, 30.0, -999.0, 0.0])).unwrap();
    let absolute = data.display().to_string();
    let url = format!("file://{absolute}");
    for address in ["data.bin", absolute.as_str(), url.as_str()] {
        let old = json!(references(address));
        let new = json!({"version": 1, "refs": references(address)});
        let mut template = references("{{u}}.bin");
        template.remove("sst/1");
        let template = json!({"version": 1, "templates": {"u": address.trim_end_matches(".bin")}, "refs": template,
            "gen": [{"key": "sst/{{i}}", "url": "{{u}}.bin", "offset": "{{i * 8}}", "length": "16",
                     "dimensions": {"i": [1]}}]});
        for document in [old, new, template] {
            let dataset = write(home.path(), &document).unwrap();
            let got = values(&dataset).unwrap();
            assert_eq!(got[..3], [10.0, 20.0, 30.0], "{document}");
            assert!(got[3..].iter().all(|value| value.is_nan()), "{document}");
            assert_eq!(dataset.inspect().format, "Zarr v2 (kerchunk references)");
        }
    }
    let dataset = write(home.path(), &json!(references("data.bin"))).unwrap();
    let field = dataset.select(&Selection::of("sst")).unwrap();
    let tree = field.walk(&WalkControl::default(), |_| (), |()| ()).unwrap();
    assert_eq!((tree.chunks, tree.bytes, tree.raw), (3, 32, true));
    let before = dataset.fingerprint().unwrap();
    fs::write(&data, little(&[0.0, 31.0, -999.0, 0.0, 0.0])).unwrap();
    assert_ne!(before, dataset.fingerprint().unwrap());
}

#[test]
fn wrong_references_say_what_is_wrong() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("data.bin"), little(&[0.0, 30.0])).unwrap();
    let missing = write(home.path(), &json!(references("gone.bin"))).unwrap_err();
    assert!(matches!(missing, OpenError::NotFound { .. }), "{missing}");
    assert!(
        missing.to_string().contains("gone.bin") && missing.to_string().contains("refs.json"),
        "{missing}"
    );

    let short = write(home.path(), &json!(references("data.bin"))).unwrap();
    let error = values(&short).unwrap_err();
    assert!(matches!(error, WalkError::Read(ReadError::Fetch { .. })), "{error}");
    assert!(error.to_string().contains("16 bytes and 24"), "{error}");

    // Without the network the address is named, with it the host that is not allowed.
    for (address, host) in
        [("https://elsewhere.example/x.nc", "elsewhere.example"), ("s3://bucket/x.nc", "bucket")]
    {
        let error = write(home.path(), &json!(references(address))).unwrap_err();
        assert!(error.to_string().contains(host), "{error}");
    }
    let mut array = references("data.bin");
    array.insert("sst/1".to_owned(), json!(["data.bin", 1]));
    let error = write(home.path(), &json!(array)).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }) && error.to_string().contains("sst/1"), "{error}");
    let error = write(home.path(), &json!({"answer": 42})).unwrap_err();
    assert!(matches!(error, OpenError::NotADataset { .. }), "{error}");
    fs::write(home.path().join("refs.json"), "{\"version\": 1, \"refs\"").unwrap();
    let error = Dataset::open(&home.path().join("refs.json").display().to_string()).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_spoilt_reference_file_never_panics(changes in proptest::collection::vec((0_usize..2000, any::<u8>()), 1..5)) {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("data.bin"), little(&[0.0, 30.0, -999.0, 0.0])).unwrap();
        let mut bytes = json!(references("data.bin")).to_string().into_bytes();
        for (at, byte) in changes {
            let length = bytes.len();
            bytes[at % length] = byte;
        }
        let path = home.path().join("refs.json");
        fs::write(&path, bytes).unwrap();
        if let Ok(dataset) = Dataset::open(&path.display().to_string()) {
            for variable in dataset.variables() {
                if let Ok(field) = dataset.select(&Selection::of(variable.name.clone())) {
                    let _ = field.read(1 << 20);
                }
            }
        }
    }
}
