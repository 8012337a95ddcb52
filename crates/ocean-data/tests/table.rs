//! Tables as datasets.
#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may fail loudly, and its numbers are exact"
)]

use std::fs;
use std::sync::Arc;

use ocean_data::dataset::{Dataset, OpenError};
use ocean_data::field::{Selection, WalkControl};
use proptest::prelude::*;
use serde_json::json;

fn open(name: &str, text: &[u8]) -> Result<Arc<Dataset>, OpenError> {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(name);
    fs::write(&path, text).unwrap();
    Dataset::open(&path.display().to_string())
}

#[test]
fn a_series_is_selected_by_time() {
    let text = "date,sst [degC],site\n1982-01-01,20.5,A\n1982-01-02,,A\n1982-01-03,21.25,A\n";
    let dataset = open("sst.csv", text.as_bytes()).unwrap();
    let names: Vec<&str> = dataset.variables().iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["sst"]);
    let selection = json!({"variable": "temperature", "time": ["1982-01-02", "1982-01-03"]});
    let field = dataset.select(&Selection::from_json(&selection).unwrap()).unwrap();
    assert_eq!((field.dims(), field.units()), (vec!["time"], "degC"));
    let values: Vec<f64> = field.read(1 << 20).unwrap().into_iter().collect();
    assert!(values[0].is_nan());
    assert_eq!(values[1], 21.25);
    let tree = field.walk(&WalkControl::default(), |_| (), |()| ()).unwrap();
    assert_eq!((tree.bytes, tree.raw), (text.len() as u64, true));
}

#[test]
fn stations_and_levels_lie_over_their_rows() {
    let text = "station\tyear\tmonth\tpressure_dbar\tsalinity_psu\n\
        3\t1993\t9\t8.4\t36.1\n3\t1993\t9\t48.3\t36.2\n4\t1993\t10\t5.0\t\n";
    let dataset = open("casts.tsv", text.as_bytes()).unwrap();
    let salinity = dataset.resolve_variable("salinity_psu").unwrap();
    assert_eq!(salinity.dimensions[0].name, "obs");
    assert_eq!(salinity.units.as_deref(), Some("psu"));
    let field = dataset.select(&Selection::of("pressure_dbar")).unwrap();
    assert_eq!(field.read(1 << 20).unwrap().into_iter().collect::<Vec<_>>(), [8.4, 48.3, 5.0]);
    assert_eq!(field.times().unwrap().iso()[2], "1993-10-01T00:00:00Z");
}

#[test]
fn what_is_no_table_is_refused_with_its_line() {
    let error = open("x.csv", b"a,b\n1,2\n3,4,5\n").unwrap_err();
    assert!(matches!(error, OpenError::NotADataset { .. }), "{error}");
    assert!(error.to_string().contains("line 3"), "{error}");
}

proptest! {
    #[test]
    fn any_bytes_open_or_are_refused(bytes in proptest::collection::vec(any::<u8>(), 8..100)) {
        for name in ["x.csv", "x.nc", "x.json"] {
            let _ = open(name, &bytes);
        }
    }
}
