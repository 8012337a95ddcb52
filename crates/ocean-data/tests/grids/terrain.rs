//! Levels that follow the terrain, and partial cells.

use ocean_data::field::WalkControl;
use ocean_data::field::reduce::{AreaMeanOptions, Weighting, area_mean_series};
use serde_json::{Value, json};

use crate::select;
use crate::support::Builder;

/// Three columns of sigma levels over floors of 30, 90 and -5 m (land), with a surface that rises by a metre.
fn terrain(formula: &str, terms: &str, up: bool) -> Builder {
    let s = |k: usize| {
        let from_floor = -0.9 + 0.2 * k as f64;
        if up { from_floor } else { -1.0 - from_floor }
    };
    let floors = [30.0, 90.0, -5.0];
    let plane = [("lat", 1), ("lon", 3)];
    Builder::default()
        .axis("time", &[("units", "days since 2000-01-01")], &[0.0, 1.0])
        .axis("lat", &[("units", "degrees_north")], &[10.0])
        .axis("lon", &[("units", "degrees_east")], &[100.0, 101.0, 102.0])
        .add(
            "sigma",
            &[("sigma", 5)],
            &[5],
            &[("standard_name", formula), ("formula_terms", terms)],
            move |at| s(at[0]),
        )
        .add("C", &[("sigma", 5)], &[5], &[], move |at| -s(at[0]).powi(2))
        .add("hc", &[], &[], &[("units", "m")], |_| 10.0)
        .add("floor", &plane, &[1, 3], &[("units", "m")], move |at| floors[at[1]])
        .add("eta", &[("time", 2), ("lat", 1), ("lon", 3)], &[1, 1, 3], &[("units", "m")], |at| at[0] as f64)
        .add(
            "temp",
            &[("time", 2), ("sigma", 5), ("lat", 1), ("lon", 3)],
            &[1, 5, 1, 3],
            &[("units", "degC")],
            // The temperature of a level is its sigma times ten, so that depths can be told from values.
            move |at| if at[3] == 2 { f64::NAN } else { 10.0 * s(at[1]) },
        )
}

const SIGMA: &str = "sigma: sigma eta: eta depth: floor";

#[test]
fn terrain_following_levels_are_put_at_depths() {
    for up in [true, false] {
        let dataset = terrain("ocean_sigma_coordinate", SIGMA, up).open();
        let read = |depth: Value| {
            let field = select(&dataset, &json!({"variable": "temp", "depth": depth})).unwrap();
            let values = field.read(1 << 20).unwrap();
            (field, values)
        };
        let (field, surface) = read(json!("surface"));
        assert_eq!(field.dims(), ["time", "lat", "lon"]);
        assert!(field.depths().is_none());
        assert!((surface[[0, 0, 0, 0]] + 1.0).abs() < 1e-12, "{up}");
        let (_, bottom) = read(json!("bottom"));
        assert!((bottom[[1, 0, 0, 1]] + 9.0).abs() < 1e-12);
        // At 20 m below the datum: sigma = (-20 - eta) / (depth + eta).
        let (field, at) = read(json!({"at": 20}));
        assert_eq!(field.depths().unwrap().values, [20.0]);
        for (t, eta) in [(0, 0.0), (1, 1.0)] {
            for (x, floor) in [(0, 30.0), (1, 90.0)] {
                let expected = 10.0 * (-20.0 - eta) / (floor + eta);
                assert!((at[[t, 0, 0, x]] - expected).abs() < 1e-9, "{up} {t} {x}: {}", at[[t, 0, 0, x]]);
            }
            assert!(at[[t, 0, 0, 2]].is_nan());
        }
        let (_, deep) = read(json!({"at": 50}));
        assert!(deep[[0, 0, 0, 0]].is_nan() && deep[[0, 0, 0, 1]].is_finite());
        let outside = select(&dataset, &json!({"variable": "temp", "depth": {"at": 91}})).unwrap_err();
        assert!(outside.to_string().contains("90"), "{outside}");
    }
}

#[test]
fn layers_of_fixed_depth_keep_the_heat_of_terrain_following_levels() {
    let dataset = terrain("ocean_sigma_coordinate", SIGMA, true).open();
    let field = select(&dataset, &json!({"variable": "temp", "depth": {"range": [0, 60]}})).unwrap();
    assert_eq!(field.dims(), ["time", "depth", "lat", "lon"]);
    let thickness = field.cell_thickness();
    let values = field.read(1 << 20).unwrap();
    let integral = |x: usize| -> f64 {
        (0..values.dim().1)
            .map(|z| (values[[0, z, 0, x]], thickness.at(z, 0, x)))
            .filter(|(value, _)| value.is_finite())
            .map(|(value, thick)| value * thick)
            .sum()
    };
    // Levels of 6 m with -1, -3, -5, -7, -9 in the first column.
    assert!((integral(0) - 6.0 * -25.0).abs() < 1e-9, "{}", integral(0));
    // Levels of 18 m in the second, of which 60 m hold three and a third.
    assert!((integral(1) - (18.0 * -9.0 + 6.0 * -7.0)).abs() < 1e-9, "{}", integral(1));
    assert_eq!(thickness.cells.as_ref().unwrap().sum(), 90.0);
    let options = AreaMeanOptions { weighting: Weighting::Equal, ..AreaMeanOptions::default() };
    let mean = area_mean_series(&field, options, &WalkControl::default()).unwrap();
    assert!((mean.mean[0] - (-150.0 - 204.0) / 90.0).abs() < 1e-9, "{}", mean.mean[0]);
    let column = select(&dataset, &json!({"variable": "temp", "depth": "column"})).unwrap();
    let bounds = &column.depths().unwrap().bounds;
    assert_eq!((bounds[0][0], bounds[bounds.len() - 1][1]), (0.0, 90.0));
}

#[test]
fn formulas_without_their_terms_are_refused() {
    let terms = "s: sigma C: C eta: eta depth: floor depth_c: hc";
    let dataset = terrain("ocean_s_coordinate_g2", terms, true).open();
    let field = select(&dataset, &json!({"variable": "temp", "depth": {"at": 5}})).unwrap();
    let value = field.read(1 << 20).unwrap()[[0, 0, 0, 1]];
    // z of s = -0.1 is 90 (10 (-0.1) + 90 (-0.01)) / 100 = -1.71, of -0.3 is 90 (-3 - 8.1) / 100 = -9.99.
    let expected = -1.0 - 2.0 * (5.0 - 1.71) / (9.99 - 1.71);
    assert!((value - expected).abs() < 1e-9, "{value} {expected}");
    let lacking = "s: sigma C: C eta: eta depth: bathy depth_c: hc";
    let dataset = terrain("ocean_s_coordinate_g2", lacking, true).open();
    let error = select(&dataset, &json!({"variable": "temp", "depth": "surface"})).unwrap_err();
    assert!(error.to_string().contains("bathy"), "{error}");
}

#[test]
fn partial_cells_weigh_what_they_hold() {
    let space = [("depth", 3), ("lat", 1), ("lon", 2)];
    let dataset = Builder::default()
        .axis("depth", &[("units", "m"), ("positive", "down")], &[5.0, 15.0, 30.0])
        .axis("lat", &[("units", "degrees_north")], &[10.0])
        .axis("lon", &[("units", "degrees_east")], &[100.0, 101.0])
        .add("thkcello", &space, &[3, 1, 2], &[("units", "m")], |at| match (at[0], at[2]) {
            (0, _) => 10.0,
            (1, 0) => 4.0,
            (1, 1) => 12.5,
            (2, 1) => 2.5,
            _ => f64::NAN,
        })
        .add("temp", &space, &[3, 1, 2], &[("units", "degC")], |at| {
            if (at[0], at[2]) == (2, 0) { f64::NAN } else { [20.0, 10.0, 5.0][at[0]] }
        })
        .open();
    let field = select(&dataset, &json!({"variable": "temp"})).unwrap();
    let thickness = field.cell_thickness();
    assert_eq!([thickness.at(1, 0, 0), thickness.at(1, 0, 1), thickness.at(2, 0, 1)], [4.0, 12.5, 2.5]);
    let mean = area_mean_series(&field, AreaMeanOptions::default(), &WalkControl::default()).unwrap();
    let expected = (20.0 * 20.0 + 10.0 * 16.5 + 5.0 * 2.5) / 39.0;
    assert!((mean.mean[0] - expected).abs() < 1e-12, "{}", mean.mean[0]);
    let cut = select(&dataset, &json!({"variable": "temp", "depth": {"range": [0, 16]}})).unwrap();
    let thickness = cut.cell_thickness();
    assert_eq!([thickness.at(1, 0, 0), thickness.at(1, 0, 1)], [4.0, 6.0]);
    let volume = ocean_data::field::metrics::cell_volume(&cut).unwrap();
    let area = cut.cell_area().unwrap();
    assert!((volume[[1, 0, 1]] / (area[[0, 1]] * 6.0) - 1.0).abs() < 1e-12);
}
