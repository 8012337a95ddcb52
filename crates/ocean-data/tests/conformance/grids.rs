//! Grids without axes, terrain-following levels and staggered velocities against numpy.

use ocean_data::field::reduce::{AreaMeanOptions, PointMethod, PointOptions, area_mean_series, point_series};
use ocean_data::field::{Selection, WalkControl, collocate};
use serde_json::{Value, json};

use super::{LIMIT, folder, open};

/// Area-weighted means with the file's cell corners (or corners half-way between centres, for POP), repeated cells
/// left out, computed with numpy in double precision.
#[test]
fn curvilinear_means_are_those_of_numpy() {
    let Some(folder) = folder() else { return };
    let nino34 = json!({"name": "nino34"});
    let arctic = json!({"lon": [-180, 180], "lat": [66.5, 90]});
    let atlantic = json!({"lon": [-80, 0], "lat": [0, 60]});
    let everywhere = json!({"lon": [-180, 180], "lat": [-90, 90]});
    for (file, variable, expected) in [
        (
            "nemo_tos_201501.nc",
            "tos",
            [
                (18.440_431_452_0, 65_183),
                (27.100_044_845_2, 1450),
                (19.270_211_272_4, 5281),
                (-1.099_972_526_0, 5107),
            ],
        ),
        (
            "iris_orca2_votemper.nc",
            "votemper",
            [
                (17.823_986_844_3, 16_396),
                (26.425_283_032_5, 425),
                (19.869_114_325_5, 1320),
                (-0.777_918_451_9, 1258),
            ],
        ),
        (
            "cmip6_tos_cesm2_200001.nc",
            "tos",
            [
                (19.045_093_718_6, 86_096),
                (28.027_608_638_7, 1710),
                (20.825_934_530_8, 9046),
                (-1.228_396_629_6, 7374),
            ],
        ),
        (
            "pop_surface_rotated.nc",
            "t",
            [
                (18.152_342_550_8, 86_354),
                (25.600_252_016_6, 1628),
                (18.580_670_685_4, 8996),
                (-0.545_484_651_2, 7445),
            ],
        ),
    ] {
        let dataset = open(&folder, file);
        for ((mean, cells), region) in expected.iter().zip([&everywhere, &nino34, &atlantic, &arctic]) {
            let selection = Selection::from_json(&json!({"variable": variable, "region": region})).unwrap();
            let field = dataset.select(&selection).unwrap_or_else(|error| panic!("{file}: {error}"));
            let got = area_mean_series(&field, AreaMeanOptions::default(), &WalkControl::default()).unwrap();
            assert_eq!(got.valid, [*cells], "{file} {region}");
            assert!((got.mean[0] - mean).abs() < 1e-8, "{file} {region}: {} instead of {mean}", got.mean[0]);
        }
    }
}

#[test]
fn the_nearest_curvilinear_cell_is_that_of_numpy() {
    let Some(folder) = folder() else { return };
    for (file, variable, place, cell, value, kilometres) in [
        ("nemo_tos_201501.nc", "tos", [-30.0, 60.0], [-29.868_387_f64, 59.713_924], 6.708_811, 32.648),
        ("iris_orca2_votemper.nc", "votemper", [0.0, 88.0], [-1.507_927, 87.604_721], -1.707_416, 44.417),
        ("cmip6_tos_cesm2_200001.nc", "tos", [200.0, 0.0], [200.187_506, -0.133_566], 27.994_137, 25.599),
        ("pop_surface_rotated.nc", "t", [0.0, 88.0], [3.818_099, 88.202_728], -1.802_359, 26.559),
    ] {
        let dataset = open(&folder, file);
        let field = dataset.select(&Selection::of(variable)).unwrap();
        let options = PointOptions {
            lon: place[0],
            lat: place[1],
            method: PointMethod::Nearest,
            wet_only: false,
            max_distance_km: Some(100.0),
        };
        let series = point_series(&field, &options, &WalkControl::default()).unwrap();
        assert!(
            (series.lon.rem_euclid(360.0) - cell[0].rem_euclid(360.0)).abs() < 1e-5,
            "{file} {}",
            series.lon
        );
        assert!((series.lat - cell[1]).abs() < 1e-5, "{file} {}", series.lat);
        assert!((series.values[[0, 0]] - value).abs() < 1e-5, "{file} {}", series.values[[0, 0]]);
        assert!((series.distance_km - kilometres).abs() < 1e-2, "{file} {}", series.distance_km);
        let region = json!({"variable": variable, "region": {"point": place}});
        let point = dataset.select(&Selection::from_json(&region).unwrap()).unwrap();
        let there = point.read(LIMIT).unwrap();
        assert_eq!(there[[0, 0, 0, 0]].to_bits(), series.values[[0, 0]].to_bits(), "{file}");
    }
}

/// Depths by `z = zeta + (zeta + h) (hc s + h C) / (hc + h)` and values with `numpy.interp`.
#[test]
fn roms_levels_are_at_the_depths_of_their_formula() {
    let Some(folder) = folder() else { return };
    let dataset = open(&folder, "roms_his_0001.nc");
    let select = |depth: Value| {
        let selection = json!({"variable": "temp", "depth": depth});
        dataset.select(&Selection::from_json(&selection).unwrap()).unwrap_or_else(|error| panic!("{error}"))
    };
    let at = select(json!({"at": 30})).read(LIMIT).unwrap();
    assert!((at[[0, 0, 0, 0]] - 18.556_319_477_372).abs() < 1e-9, "{}", at[[0, 0, 0, 0]]);
    assert!((at[[1, 0, 4, 7]] - 18.552_348_199_936).abs() < 1e-9, "{}", at[[1, 0, 4, 7]]);
    let surface = select(json!("surface")).read(LIMIT).unwrap();
    let bottom = select(json!("bottom")).read(LIMIT).unwrap();
    assert!((surface[[0, 0, 0, 0]] - 20.0).abs() < 1e-12 && (bottom[[0, 0, 0, 0]] - 15.0).abs() < 1e-12);
    let field = select(json!({"range": [0, 50]}));
    let thickness = field.cell_thickness();
    let values = field.read(LIMIT).unwrap();
    let held: f64 = (0..values.dim().1).map(|z| values[[0, z, 4, 7]] * thickness.at(z, 4, 7)).sum();
    // Edges of the upper level: zeta and zeta - (zeta + h) / 3, with zeta = 1/130 m and h = 100 m.
    let edge = (100.0 + 1.0 / 130.0) / 3.0 - 1.0 / 130.0;
    assert!((held - (20.0 * edge + 17.5 * (50.0 - edge))).abs() < 1e-9, "{held}");
    // Depths of u lie between those of its neighbours.
    let u = json!({"variable": "u", "depth": {"at": 10}});
    let u = dataset.select(&Selection::from_json(&u).unwrap()).unwrap();
    assert_eq!(u.shape(), [2, 9, 13]);
    assert!(u.read(LIMIT).unwrap().iter().all(|value| value.is_finite()));
}

/// Interior centres of a ROMS grid: `u` between columns, `v` between rows.
#[test]
fn roms_velocities_meet_at_rho_points() {
    let Some(folder) = folder() else { return };
    let dataset = open(&folder, "roms_his_0001.nc");
    let of = |name: &str| {
        let selection = json!({"variable": name, "depth": "surface"});
        dataset.select(&Selection::from_json(&selection).unwrap()).unwrap_or_else(|error| panic!("{error}"))
    };
    let centred = collocate(&of("u"), &of("v"), LIMIT).unwrap();
    assert_eq!(centred.u.dim(), (2, 1, 7, 12));
    assert!((centred.lon[[0, 0]] + 95.785_714).abs() < 1e-4, "{}", centred.lon[[0, 0]]);
    assert!((centred.lat[[0, 0]] - 27.250_019).abs() < 1e-4, "{}", centred.lat[[0, 0]]);
}
