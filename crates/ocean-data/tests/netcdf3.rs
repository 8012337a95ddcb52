//! A classic NetCDF file written by hand: what it holds, and what happens when it is cut or spoilt.

#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may fail loudly, and its numbers are exact by construction"
)]

mod classic;

use std::path::PathBuf;

use ocean_data::Selection;
use ocean_data::dataset::{Dataset, OpenError};
use proptest::prelude::*;

use classic::classic;

fn write(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.nc");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn values(bytes: &[u8]) -> Result<Vec<f64>, String> {
    let (_folder, path) = write(bytes);
    let dataset = Dataset::open(&path.display().to_string()).map_err(|error| error.to_string())?;
    let field = dataset.select(&Selection::of("temperature")).map_err(|error| error.to_string())?;
    let values = field.read(1 << 20).map_err(|error| error.to_string())?;
    Ok(values.into_iter().collect())
}

#[test]
fn packed_records_are_decoded() {
    let got = values(&classic()).unwrap();
    assert_eq!(got.len(), 18);
    assert_eq!(&got[..4], [0.0, 0.5, 1.0, 1.5]);
    assert!(got[4].is_nan());
    assert_eq!(got[17], 205.0 / 2.0);
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let whole = classic();
    let mut truncated = 0;
    for length in 0..whole.len() {
        let (_folder, path) = write(&whole[..length]);
        match Dataset::open(&path.display().to_string()) {
            Err(OpenError::Truncated { .. }) => truncated += 1,
            Err(_) => {}
            Ok(_) => panic!("opened {length} of {} bytes", whole.len()),
        }
    }
    assert!(truncated > whole.len() / 4, "{truncated}");
    let (_folder, path) = write(&whole[..whole.len() - 10]);
    let message = Dataset::open(&path.display().to_string()).unwrap_err().to_string();
    assert!(message.contains("cut short") && message.contains("x.nc"), "{message}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_spoilt_file_never_panics(changes in proptest::collection::vec((0_usize..500, any::<u8>()), 1..6)) {
        let mut bytes = classic();
        for (at, byte) in changes {
            let length = bytes.len();
            bytes[at % length] = byte;
        }
        let _ = values(&bytes);
    }
}
