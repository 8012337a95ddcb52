//! Curvilinear grids: rows and columns with positions.

use std::f64::consts::PI;

use ocean_data::field::metrics::{EARTH_RADIUS, box_area, cell_metrics, distance};
use ocean_data::field::reduce::{
    AreaMeanOptions, PointMethod, PointOptions, TimeStatistic, Weighting, area_mean_series, point_series,
    time_reduce_map,
};
use ocean_data::field::{GridError, Horizontal, SelectError, WalkControl};
use serde_json::json;

use crate::select;
use crate::support::Builder;

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
    // The field is the latitude plus the time, which is linear inside of a cell.
    let between = point_series(&field, &linear, &WalkControl::default()).unwrap();
    assert!((between.values[[1, 0]] - (1.0 + lat + 0.05)).abs() < 1e-3, "{}", between.values[[1, 0]]);
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
