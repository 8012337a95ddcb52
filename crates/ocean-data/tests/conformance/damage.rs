//! What happens when a real file is cut or spoilt.

use ocean_data::dataset::{Dataset, OpenError};
use ocean_data::field::Selection;

use super::folder;

#[test]
fn a_netcdf4_file_that_is_cut_or_spoilt_gives_an_error_and_no_panic() {
    let Some(folder) = folder() else { return };
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("cut.nc");
    let open = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Dataset::open(&path.display().to_string())
    };
    let whole = std::fs::read(folder.join("data/calendar_360day.nc")).unwrap();
    for length in [whole.len() / 2, whole.len() / 3, whole.len() - 1, 100, 20] {
        let error = open(&whole[..length]).unwrap_err();
        assert!(
            matches!(error, OpenError::Truncated { .. } | OpenError::Damaged { .. }),
            "{length}: {error}"
        );
    }
    // A fixed sequence of spoilt bytes (a linear congruential generator).
    let mut state = 12_345_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    for _ in 0..300 {
        let mut bytes = whole.clone();
        for _ in 0..4 {
            let at = next(bytes.len());
            bytes[at] = u8::try_from(next(256)).unwrap();
        }
        if let Ok(dataset) = open(&bytes) {
            for variable in dataset.variables() {
                if let Ok(field) = dataset.select(&Selection::of(variable.name.clone())) {
                    let _ = field.read(1 << 24);
                }
            }
        }
    }
}
