//! Grids without axes: curvilinear, unstructured, staggered, terrain-following; in stores in memory.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_cmp,
    reason = "a test may fail loudly, and its numbers are exact by construction"
)]

mod support;

use std::f64::consts::PI;

use ocean_data::field::metrics::{EARTH_RADIUS, box_area, cell_metrics, distance};
use ocean_data::field::reduce::{
    AreaMeanOptions, PointMethod, PointOptions, PointSeriesError, TimeStatistic, Weighting, area_mean_series,
    point_series, time_reduce_map,
};
use ocean_data::field::{
    GridError, Horizontal, SelectError, Selection, Stagger, StaggerError, WalkControl, WalkError, collocate,
    require_collocated, stagger_of, walk_together,
};
use serde_json::{Value, json};
use support::Builder;

fn select(
    dataset: &std::sync::Arc<ocean_data::Dataset>,
    value: &Value,
) -> Result<ocean_data::Field, SelectError> {
    dataset.select(&Selection::from_json(value).unwrap())
}

/// A one-degree grid of 40 by 60 cells turned by 30 degrees about the vertical axis at 0 N, 180 E.
fn turned(y: usize, x: usize) -> [f64; 2] {
    let (a, b) = ((x as f64 - 29.5) * PI / 180.0, (y as f64 - 19.5) * PI / 180.0);
    let (px, py, pz) = (b.cos() * a.cos(), b.cos() * a.sin(), b.sin());
    let (c, s) = ((PI / 6.0).cos(), (PI / 6.0).sin());
    let (qy, qz) = (c * py - s * pz, s * py + c * pz);
    let lon = (-qy).atan2(-px) * 180.0 / PI;
    [lon, qz.atan2(px.hypot(qy)) * 180.0 / PI]
}

fn curvilinear() -> Builder {
    let plane = [("eta", 40), ("xi", 60)];
    Builder::default()
        .axis("time", &[("units", "days since 2000-01-01")], &[0.0, 1.0])
        .add("lat2d", &plane, &[40, 60], &[("units", "degrees_north")], |at| turned(at[0], at[1])[1])
        .add("lon2d", &plane, &[40, 60], &[("units", "degrees_east")], |at| turned(at[0], at[1])[0])
        .add(
            "temp",
            &[("time", 2), ("eta", 40), ("xi", 60)],
            &[1, 16, 16],
            &[("units", "degC"), ("coordinates", "lat2d lon2d"), ("_FillValue", "-999")],
            |at| {
                if (at[1], at[2]) == (3, 3) { -999.0 } else { at[0] as f64 + turned(at[1], at[2])[1] }
            },
        )
}

#[test]
fn a_curvilinear_field_has_rows_and_columns_with_positions() {
    let dataset = curvilinear().open();
    let field = select(&dataset, &json!({"variable": "temp"})).unwrap();
    assert_eq!(field.dims(), ["time", "y", "x"]);
    assert_eq!(field.shape(), [2, 40, 60]);
    assert!(field.lats().is_none() && field.lons().is_none() && field.mask().is_none());
    let Horizontal::Curvilinear { lat, lon, area, .. } = field.horizontal() else { panic!("curvilinear") };
    assert_eq!([lon[[5, 7]], lat[[5, 7]]], turned(5, 7));
    let values = field.read(1 << 30).unwrap();
    assert_eq!(values[[1, 0, 5, 7]], 1.0 + turned(5, 7)[1]);
    assert!(values[[0, 0, 3, 3]].is_nan());
    // The same cells as on the unturned grid, whose areas have a closed form.
    let exact = box_area([-0.5 + 0.0, 0.5], [0.0, 1.0]);
    let middle = area[[19, 29]];
    assert!((middle / exact - 1.0).abs() < 1e-3, "{middle} {exact}");
    let total: f64 = area.iter().sum();
    let whole = box_area([-20.0, 20.0], [0.0, 60.0]);
    assert!((total / whole - 1.0).abs() < 2e-3, "{}", total / whole);
    let error = field.require_rectilinear().unwrap_err();
    assert!(error.to_string().contains("regrid"), "{error}");
    assert!(matches!(error, GridError::NotRectilinear { .. }));
    let metrics = cell_metrics(&field).unwrap();
    assert!((metrics.dx[[19, 29]] / (EARTH_RADIUS * PI / 180.0) - 1.0).abs() < 1e-3);
    assert!((metrics.dy[[10, 10]] / (EARTH_RADIUS * PI / 180.0) - 1.0).abs() < 1e-3);
}

#[test]
fn a_box_on_a_curvilinear_grid_is_a_mask_over_a_hull() {
    let dataset = curvilinear().open();
    for region in [
        json!({"lon": [170, -175], "lat": [-5, 6]}),
        json!({"polygon": [[170, -5], [185, -5], [-175, 6], [170, 6]]}),
    ] {
        let field = select(&dataset, &json!({"variable": "temp", "region": region})).unwrap();
        let mask = field.mask().unwrap();
        let values = field.read(1 << 30).unwrap();
        let mut cells = 0;
        let mut sums = [0.0, 0.0];
        for ((y, x), &inside) in mask.indexed_iter() {
            let [lon, lat] = field.cell_centre(y, x).unwrap();
            let expected = (170.0..=185.0).contains(&lon.rem_euclid(360.0)) && (-5.0..=6.0).contains(&lat);
            assert_eq!(inside, expected, "{lon} {lat}");
            assert_eq!(values[[0, 0, y, x]].is_finite(), inside);
            if inside {
                cells += 1;
                let Horizontal::Curvilinear { area, .. } = field.horizontal() else { panic!() };
                sums[0] += area[[y, x]] * lat;
                sums[1] += area[[y, x]];
            }
        }
        assert!(cells > 100, "{cells}");
        let mean = area_mean_series(&field, AreaMeanOptions::default(), &WalkControl::default()).unwrap();
        assert_eq!(mean.valid, [cells, cells]);
        assert!((mean.mean[0] - sums[0] / sums[1]).abs() < 1e-12);
        assert!((mean.mean[1] - mean.mean[0] - 1.0).abs() < 1e-12);
        // About 15 by 11 square degrees.
        let exact = box_area([-5.0, 6.0], [170.0, 185.0]);
        assert!((sums[1] / exact - 1.0).abs() < 0.05, "{}", sums[1] / exact);
    }
    let far = select(&dataset, &json!({"variable": "temp", "region": {"lon": [0, 10], "lat": [0, 10]}}));
    assert!(matches!(far, Err(SelectError::RegionOutside { .. })));
}

#[test]
fn points_and_maps_work_on_a_curvilinear_grid() {
    let dataset = curvilinear().open();
    let field = select(&dataset, &json!({"variable": "temp"})).unwrap();
    let [lon, lat] = turned(12, 34);
    let options = PointOptions {
        lon: lon + 360.05,
        lat: lat + 0.05,
        method: PointMethod::Nearest,
        wet_only: false,
        max_distance_km: None,
    };
    let series = point_series(&field, &options, &WalkControl::default()).unwrap();
    assert_eq!(series.values[[1, 0]], 1.0 + lat);
    assert!((series.distance_km - distance(lon + 0.05, lat + 0.05, lon, lat) / 1000.0).abs() < 1e-6);
    let linear = PointOptions { method: PointMethod::Linear, ..options };
    let refused = point_series(&field, &linear, &WalkControl::default());
    assert!(matches!(refused, Err(PointSeriesError::Grid(GridError::NotRectilinear { .. }))));
    // A dry cell, and the nearest wet one.
    let [lon, lat] = turned(3, 3);
    let dry = PointOptions { lon, lat, wet_only: true, ..options };
    let series = point_series(&field, &dry, &WalkControl::default()).unwrap();
    assert!(series.distance_km > 90.0 && series.values[[0, 0]].is_finite());
    let map = time_reduce_map(&field, TimeStatistic::Mean, &WalkControl::default()).unwrap();
    assert_eq!(map.values.dim(), (40, 60));
    assert_eq!(map.values[[20, 20]], 0.5 + turned(20, 20)[1]);
    // As a region a place is one cell, with axes of one value.
    let [lon, lat] = turned(12, 34);
    let at = select(&dataset, &json!({"variable": "temp", "region": {"point": [lon, lat]}})).unwrap();
    assert_eq!(at.dims(), ["time"]);
    assert!((at.lats().unwrap().values[0] - lat).abs() < 1e-12);
    assert_eq!(at.read(1 << 20).unwrap()[[1, 0, 0, 0]], 1.0 + lat);
    let nowhere = select(&dataset, &json!({"variable": "temp", "region": {"point": [0.0, 0.0]}}));
    assert!(matches!(nowhere, Err(SelectError::RegionOutside { .. })));
}

#[test]
fn the_overlap_of_a_global_grid_counts_once() {
    // Twelve columns of 30 degrees and two that repeat, skewed a little so that they are no axes.
    let place = |y: usize, x: usize| {
        let column = x % 12;
        [30.0 * column as f64 + 0.5 * y as f64, -60.0 + 30.0 * y as f64 + column as f64 * 0.1]
    };
    let plane = [("j", 5), ("i", 14)];
    let dataset = Builder::default()
        .add("nav_lat", &plane, &[5, 14], &[("units", "degrees_north")], |at| place(at[0], at[1])[1])
        .add("nav_lon", &plane, &[5, 14], &[("units", "degrees_east")], |at| place(at[0], at[1])[0])
        .add("sst", &plane, &[5, 14], &[("units", "degC"), ("coordinates", "nav_lat nav_lon")], |at| {
            if at[1] % 12 == 1 { 100.0 } else { 0.0 }
        })
        .open();
    let field = select(&dataset, &json!({"variable": "sst"})).unwrap();
    let options = AreaMeanOptions { weighting: Weighting::Equal, ..AreaMeanOptions::default() };
    let mean = area_mean_series(&field, options, &WalkControl::default()).unwrap();
    assert_eq!(mean.valid, [60]);
    assert!((mean.mean[0] - 100.0 / 12.0).abs() < 1e-12);
    assert!(field.notes().iter().any(|note| note.contains("repeat")), "{:?}", field.notes());
    // A box over the seam reads the columns on both sides of it.
    let seam = json!({"variable": "sst", "region": {"lon": [-40, 40], "lat": [-90, 90]}});
    let field = select(&dataset, &seam).unwrap();
    let mean = area_mean_series(&field, options, &WalkControl::default()).unwrap();
    assert_eq!(mean.valid, [15]);
}

#[test]
fn two_dimensional_coordinates_of_a_plain_grid_become_axes() {
    let plane = [("y", 4), ("x", 6)];
    let dataset = Builder::default()
        .add("nav_lat", &plane, &[4, 6], &[("units", "degrees_north")], |at| 10.0 - at[0] as f64)
        .add("nav_lon", &plane, &[4, 6], &[("units", "degrees_east")], |at| {
            178.0 + at[1] as f64 - if at[1] > 2 { 360.0 } else { 0.0 }
        })
        .add("sst", &plane, &[4, 6], &[("units", "degC")], |at| (10 * at[0] + at[1]) as f64)
        .open();
    let field =
        select(&dataset, &json!({"variable": "sst", "region": {"lon": [179, -179], "lat": [8, 9]}})).unwrap();
    assert_eq!(field.dims(), ["lat", "lon"]);
    assert_eq!(field.lats().unwrap().values, [8.0, 9.0]);
    assert_eq!(field.lons().unwrap().values, [179.0, 180.0, 181.0]);
    let values = field.read(1 << 20).unwrap();
    assert_eq!(values.iter().copied().collect::<Vec<_>>(), [21.0, 22.0, 23.0, 11.0, 12.0, 13.0]);
}

#[test]
fn areas_of_the_file_are_used_when_they_fit() {
    let plane = [("eta", 40), ("xi", 60)];
    for (units, factor, believed) in
        [("km2", 1e-6, true), ("m2", 1.0, true), ("m2", 1e-6, false), ("cm^2", 1e4, true)]
    {
        let dataset = curvilinear()
            .add("areacello", &plane, &[40, 60], &[("units", units)], |at| {
                1.1 * 1.236e10 * factor * (1.0 + at[0] as f64 * 1e-4)
            })
            .open();
        let field = select(&dataset, &json!({"variable": "temp"})).unwrap();
        let Horizontal::Curvilinear { area, area_source, .. } = field.horizontal() else { panic!() };
        assert_eq!(area_source.contains("areacello"), believed, "{units} {factor}: {area_source}");
        assert!((area[[10, 10]] / 1.2e10 - 1.0).abs() < 0.2, "{units}");
        let warned = field.notes().iter().any(|note| note.contains("areacello") && note.contains("not used"));
        assert_eq!(warned, !believed, "{:?}", field.notes());
    }
    // ROMS has reciprocals of the widths.
    let dataset = curvilinear()
        .add("pm", &plane, &[40, 60], &[("units", "meter-1")], |_| 1.0 / 110_000.0)
        .add("pn", &plane, &[40, 60], &[("units", "meter-1")], |_| 1.0 / 112_000.0)
        .open();
    let field = select(&dataset, &json!({"variable": "temp"})).unwrap();
    let metrics = cell_metrics(&field).unwrap();
    assert!((metrics.area[[3, 4]] / (110_000.0 * 112_000.0) - 1.0).abs() < 1e-12);
    assert!((metrics.dx[[3, 4]] - 110_000.0).abs() < 1e-6 && (metrics.dy[[3, 4]] - 112_000.0).abs() < 1e-6);
}

/// Nodes on a 11 x 11 lattice of degrees around 0 E, 0 N, joined to 200 triangles.
fn unstructured(with_faces: bool) -> Builder {
    let lon = |node: usize| (node % 11) as f64 - 5.0;
    let lat = |node: usize| (node / 11) as f64 - 5.0;
    let mut builder = Builder::default()
        .add(
            "node_lat",
            &[("nNodes", 121)],
            &[121],
            &[("standard_name", "latitude"), ("units", "degrees_north")],
            move |at| lat(at[0]),
        )
        .add(
            "node_lon",
            &[("nNodes", 121)],
            &[121],
            &[("standard_name", "longitude"), ("units", "degrees_east")],
            move |at| lon(at[0]),
        )
        .add(
            "zeta",
            &[("nNodes", 121)],
            &[121],
            &[("units", "m"), ("standard_name", "sea_surface_height_above_geoid"), ("mesh", "mesh")],
            move |at| lat(at[0]) + 10.0,
        );
    if with_faces {
        builder = builder
            .add(
                "mesh",
                &[],
                &[],
                &[
                    ("cf_role", "mesh_topology"),
                    ("topology_dimension", "2"),
                    ("node_coordinates", "node_lon node_lat"),
                    ("face_node_connectivity", "faces"),
                ],
                |_| 0.0,
            )
            .add(
                "faces",
                &[("nFaces", 200), ("three", 3)],
                &[200, 3],
                &[("start_index", "1"), ("cf_role", "face_node_connectivity")],
                |at| {
                    let (square, upper) = (at[0] / 2, at[0] % 2 == 1);
                    let corner = (square / 10) * 11 + square % 10;
                    let ring = if upper {
                        [corner + 1, corner + 12, corner + 11]
                    } else {
                        [corner, corner + 1, corner + 11]
                    };
                    (ring[at[1]] + 1) as f64
                },
            );
    }
    builder
}

#[test]
fn an_unstructured_mesh_has_nodes_with_shares_of_their_faces() {
    let dataset = unstructured(true).open();
    let field = select(&dataset, &json!({"variable": "zeta"})).unwrap();
    assert_eq!(field.dims(), ["node"]);
    let Horizontal::Unstructured { area: Some(area), .. } = field.horizontal() else { panic!("areas") };
    let total: f64 = area.iter().sum();
    let exact = box_area([-5.0, 5.0], [-5.0, 5.0]);
    assert!((total / exact - 1.0).abs() < 1e-3, "{}", total / exact);
    let mean = area_mean_series(&field, AreaMeanOptions::default(), &WalkControl::default()).unwrap();
    assert!((mean.mean[0] - 10.0).abs() < 1e-3, "{}", mean.mean[0]);
    let part =
        select(&dataset, &json!({"variable": "zeta", "region": {"lon": [-2, 2], "lat": [1, 3]}})).unwrap();
    assert_eq!(part.shape(), [15]);
    let values = part.read(1 << 20).unwrap();
    assert_eq!(values[[0, 0, 0, 0]], 11.0);
    assert_eq!(values[[0, 0, 0, 14]], 13.0);
    let at = select(&dataset, &json!({"variable": "zeta", "region": {"point": [2.1, 3.2]}})).unwrap();
    assert_eq!(at.read(1 << 20).unwrap()[[0, 0, 0, 0]], 13.0);
}

#[test]
fn a_mean_over_area_without_areas_is_refused() {
    let dataset = unstructured(false).open();
    let field = select(&dataset, &json!({"variable": "zeta"})).unwrap();
    let refused = area_mean_series(&field, AreaMeanOptions::default(), &WalkControl::default());
    let Err(WalkError::Grid(error)) = refused else { panic!("refused") };
    assert!(error.to_string().contains("area"), "{error}");
    let options = AreaMeanOptions { weighting: Weighting::Equal, ..AreaMeanOptions::default() };
    let mean = area_mean_series(&field, options, &WalkControl::default()).unwrap();
    assert!((mean.mean[0] - 10.0).abs() < 1e-12);
}

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

/// Velocities on the faces of a turned grid: a flow of 1 m s-1 to the east everywhere. `after` tells whether the faces
/// of index `i` lie after the centre, as those of NEMO, or before it.
fn staggered(after: bool) -> Builder {
    let shift = if after { 0.5 } else { -0.5 };
    let at = |y: f64, x: f64| {
        let (a, b) = ((x - 9.5) * PI / 180.0, (y - 9.5) * PI / 180.0);
        let (px, py, pz) = (b.cos() * a.cos(), b.cos() * a.sin(), b.sin());
        let (c, s) = ((PI / 6.0).cos(), (PI / 6.0).sin());
        let (qy, qz) = (c * py - s * pz, s * py + c * pz);
        [qy.atan2(px) * 180.0 / PI, qz.atan2(px.hypot(qy)) * 180.0 / PI]
    };
    // The flow along columns and rows at a place, from the direction of the grid there.
    let along = move |y: f64, x: f64, rows: bool| {
        let (from, to) =
            if rows { (at(y - 0.01, x), at(y + 0.01, x)) } else { (at(y, x - 0.01), at(y, x + 0.01)) };
        let east = (to[0] - from[0]) * (at(y, x)[1] * PI / 180.0).cos();
        east / east.hypot(to[1] - from[1])
    };
    let plane = [("y", 20), ("x", 20)];
    let north = [("units", "degrees_north")];
    let east = [("units", "degrees_east")];
    Builder::default()
        .add("nav_lat_u", &plane, &[20, 20], &north, move |i| at(i[0] as f64, i[1] as f64 + shift)[1])
        .add("nav_lon_u", &plane, &[20, 20], &east, move |i| at(i[0] as f64, i[1] as f64 + shift)[0])
        .add("nav_lat_v", &plane, &[20, 20], &north, move |i| at(i[0] as f64 + shift, i[1] as f64)[1])
        .add("nav_lon_v", &plane, &[20, 20], &east, move |i| at(i[0] as f64 + shift, i[1] as f64)[0])
        .add(
            "vozocrtx",
            &plane,
            &[20, 20],
            &[
                ("units", "m s-1"),
                ("coordinates", "nav_lat_u nav_lon_u"),
                ("standard_name", "sea_water_x_velocity"),
            ],
            move |i| if i == [12, 12] { f64::NAN } else { along(i[0] as f64, i[1] as f64 + shift, false) },
        )
        .add(
            "vomecrty",
            &plane,
            &[20, 20],
            &[
                ("units", "m s-1"),
                ("coordinates", "nav_lat_v nav_lon_v"),
                ("standard_name", "sea_water_y_velocity"),
            ],
            move |i| along(i[0] as f64 + shift, i[1] as f64, true),
        )
}

#[test]
fn staggered_components_meet_at_cell_centres() {
    for after in [true, false] {
        let dataset = staggered(after).open();
        let of = |name: &str| select(&dataset, &json!({"variable": name})).unwrap();
        let (u, v) = (of("vozocrtx"), of("vomecrty"));
        assert!(u.notes().iter().any(|note| note.contains("along the rows")), "{:?}", u.notes());
        let first = if after { -1 } else { 0 };
        assert_eq!(stagger_of(&u, &v).unwrap(), Stagger::Faces { first_column: first, first_row: first });
        assert!(matches!(require_collocated(&u, &v), Err(StaggerError::Staggered { .. })));
        let together = walk_together(&[&u, &v], &WalkControl::default(), |_| (), |()| ());
        assert!(matches!(together, Err(WalkError::Places { .. })));
        let centred = collocate(&u, &v, 1 << 30).unwrap();
        assert_eq!(centred.u.dim(), (1, 1, 19, 19));
        assert!(!centred.east_north);
        let turned = centred.to_east_north();
        assert!(turned.east_north);
        for ((_, _, y, x), &east) in turned.u.indexed_iter() {
            // One face beside two of the centres is dry.
            let tolerance = if (10..14).contains(&y) && (10..14).contains(&x) { 0.02 } else { 2e-3 };
            assert!((east - 1.0).abs() < tolerance, "{after} {y} {x}: {east}");
            assert!(turned.v[[0, 0, y, x]].abs() < 0.02, "{after} {y} {x}: {}", turned.v[[0, 0, y, x]]);
        }
    }
}

#[test]
fn cells_at_the_rim_of_a_region_have_both_faces() {
    let dataset = staggered(true).open();
    let region = json!({"lon": [-3, 3], "lat": [-3, 3]});
    let of =
        |name: &str, region: &Value| select(&dataset, &json!({"variable": name, "region": region})).unwrap();
    let part = collocate(&of("vozocrtx", &region), &of("vomecrty", &region), 1 << 30).unwrap();
    let all = json!({"lon": [-90, 90], "lat": [-90, 90]});
    let whole = collocate(&of("vozocrtx", &all), &of("vomecrty", &all), 1 << 30).unwrap();
    let mut found = 0;
    for ((_, _, y, x), &value) in part.u.indexed_iter() {
        let (lon, lat) = (part.lon[[y, x]], part.lat[[y, x]]);
        assert_eq!(value.is_finite(), lon.abs() <= 3.0 && lat.abs() <= 3.0);
        if value.is_finite() {
            let same = whole
                .lon
                .indexed_iter()
                .find(|(at, there)| (**there - lon).abs() < 1e-9 && (whole.lat[*at] - lat).abs() < 1e-9);
            let ((row, column), _) = same.unwrap();
            assert_eq!(value, whole.u[[0, 0, row, column]]);
            found += 1;
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn components_on_staggered_axes_are_collocated_too() {
    let faces = |name: &'static str, from: f64| -> (&'static str, Vec<f64>) {
        (name, (0..6).map(|i| from + f64::from(i)).collect())
    };
    let ((xt, lons), (xu, lons_u)) = (faces("xt", 10.0), faces("xu", 10.5));
    let ((yt, lats), (yv, lats_v)) = (faces("yt", 40.0), faces("yv", 40.5));
    let (north, east) = ([("units", "degrees_north")], [("units", "degrees_east")]);
    let dataset = Builder::default()
        .axis(xt, &east, &lons)
        .axis(xu, &east, &lons_u)
        .axis(yt, &north, &lats)
        .axis(yv, &north, &lats_v)
        .add("u", &[(yt, 6), (xu, 6)], &[6, 6], &[("units", "m s-1")], |at| at[1] as f64)
        .add("v", &[(yv, 6), (xt, 6)], &[6, 6], &[("units", "m s-1")], |at| 10.0 * at[0] as f64)
        .open();
    let of = |name: &str| select(&dataset, &json!({"variable": name})).unwrap();
    let centred = collocate(&of("u"), &of("v"), 1 << 20).unwrap();
    assert_eq!(centred.u.dim(), (1, 1, 5, 5));
    assert!((centred.lon[[0, 0]] - 11.0).abs() < 1e-9 && (centred.lat[[0, 0]] - 41.0).abs() < 1e-9);
    assert_eq!(centred.u[[0, 0, 2, 0]], 0.5);
    assert_eq!(centred.v[[0, 0, 1, 3]], 15.0);
    assert!(centred.east_north && centred.to_east_north().u == centred.u);
}

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
