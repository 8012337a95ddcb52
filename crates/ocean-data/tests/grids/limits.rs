//! Depths of one value, valid ranges and bounds that contradict themselves.

use ocean_data::field::SelectError;
use serde_json::{Value, json};

use crate::select;
use crate::support::Builder;

/// A map at one depth and one time, which are coordinates of one value.
fn at_one_depth(depth: f64) -> Builder {
    let plane = [("lat", 2), ("lon", 3)];
    Builder::default()
        .axis("lat", &[("units", "degrees_north")], &[10.0, 11.0])
        .axis("lon", &[("units", "degrees_east")], &[100.0, 101.0, 102.0])
        .add(
            "deptht",
            &[],
            &[],
            &[("standard_name", "depth"), ("units", "m"), ("positive", "down")],
            move |_| depth,
        )
        .add("when", &[], &[], &[("standard_name", "time"), ("units", "days since 2001-01-01")], |_| 45.0)
        .add(
            "temp",
            &plane,
            &[2, 3],
            &[("units", "degC"), ("coordinates", "deptht when"), ("cell_methods", "when: mean")],
            |at| at[1] as f64,
        )
}

#[test]
fn a_depth_of_one_value_is_the_depth_of_the_field() {
    let dataset = at_one_depth(500.0).open();
    let of = |extra: Value| {
        let mut selection = json!({"variable": "temp"});
        selection.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        select(&dataset, &selection)
    };
    let field = of(json!({})).unwrap();
    assert_eq!(field.dims(), ["lat", "lon"]);
    assert_eq!(field.depths().unwrap().values, [500.0]);
    assert!(field.notes().iter().any(|note| note.contains("2001-02-15")), "{:?}", field.notes());
    assert_eq!(field.read(1 << 20).unwrap()[[0, 0, 1, 2]], 2.0);
    assert!(of(json!({"depth": {"at": 500}})).is_ok() && of(json!({"depth": {"range": [400, 600]}})).is_ok());
    for depth in [json!("surface"), json!({"at": 10}), json!({"range": [0, 100]}), json!("bottom")] {
        assert!(of(json!({"depth": depth})).is_err(), "{depth}");
    }
    assert!(of(json!({"time": ["2001-02", "2001-03"]})).is_ok());
    assert!(matches!(of(json!({"time": ["2002", "2003"]})), Err(SelectError::TimeOutside { .. })));
    assert!(matches!(of(json!({"season": "JJA"})), Err(SelectError::NoTimes { .. })));
    let shallow = at_one_depth(0.5).open();
    assert!(select(&shallow, &json!({"variable": "temp", "depth": "surface"})).is_ok());
    let described = dataset.inspect();
    let details = described.variables[0].details.join("; ");
    for part in ["500", "2001-02-15", "when: mean"] {
        assert!(details.contains(part), "{details}");
    }
    assert_eq!(described.variables[0].grid, "rectilinear");
}

#[test]
fn levels_that_begin_at_depth_have_no_surface() {
    let dataset = Builder::default()
        .axis("depth", &[("units", "m"), ("positive", "down")], &[100.0, 200.0])
        .add("temp", &[("depth", 2)], &[2], &[("units", "degC")], |at| at[0] as f64)
        .open();
    let error = select(&dataset, &json!({"variable": "temp", "depth": "surface"})).unwrap_err();
    assert!(error.to_string().contains("50"), "{error}");
}

#[test]
fn limits_that_contradict_themselves_are_told() {
    for (attributes, part) in [
        (vec![("valid_min", "10"), ("valid_max", "-10")], "is empty"),
        (
            vec![
                ("valid_min", "-10.5"),
                ("valid_max", "40.5"),
                ("_FillValue", "-999"),
                ("scale_factor", "0.01"),
            ],
            "unpacked",
        ),
        (vec![("valid_min", "-1000"), ("valid_max", "40"), ("_FillValue", "-999")], "inside"),
        (
            vec![
                ("standard_name", "mole_concentration_of_dissolved_molecular_oxygen_in_sea_water"),
                ("units", "degC"),
            ],
            "oxygen",
        ),
    ] {
        let mut all = vec![("units", "degC")];
        if attributes[0].0 == "standard_name" {
            all.clear();
        }
        all.extend(attributes);
        let dataset = Builder::default()
            .axis("lat", &[("units", "degrees_north")], &[10.0, 11.0])
            .add("x", &[("lat", 2)], &[2], &all, |_| 0.0)
            .open();
        assert!(
            dataset.warnings().iter().any(|warning| warning.contains(part)),
            "{part}: {:?}",
            dataset.warnings()
        );
    }
}

#[test]
fn bounds_that_do_not_hold_their_values_are_not_used() {
    let dataset = Builder::default()
        .axis("lat", &[("units", "degrees_north"), ("bounds", "lat_bnds")], &[10.0, 11.0, 12.0])
        .add("lat_bnds", &[("lat", 3), ("nv", 2)], &[3, 2], &[], |at| 40.0 + (at[0] + at[1]) as f64)
        .add("x", &[("lat", 3)], &[3], &[("units", "1")], |_| 0.0)
        .open();
    assert_eq!(dataset.coordinates()[0].bounds[0], [9.5, 10.5]);
    assert!(dataset.warnings().iter().any(|warning| warning.contains("lat")), "{:?}", dataset.warnings());
}
