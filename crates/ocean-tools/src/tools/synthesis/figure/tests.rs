//! Every kind of artifact is drawn from its dimensions, coordinates, units and attributes.

use leg_core::{Artifact, Coord, Kind, ToolErrorKind, Variable};
use serde_json::json;

use super::*;

fn array(name: &str, units: &str, dims: &[(&str, usize)], value: impl Fn(usize) -> f64) -> Variable {
    let count = dims.iter().map(|(_, length)| length).product();
    Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: dims.iter().map(|(dim, _)| (*dim).to_owned()).collect(),
        shape: dims.iter().map(|(_, length)| *length).collect(),
        values: (0..count).map(value).collect(),
    }
}

fn wave(at: usize) -> f64 {
    20.0 + 4.0 * libm::sin(at as f64 / 5.0)
}

fn steps(from: f64, step: f64, count: usize) -> Vec<f64> {
    (0..count).map(|place| from + step * place as f64).collect()
}

fn lon(count: usize) -> Coord {
    Coord::numbers(&steps(105.0, 0.5, count), "degrees_east", "longitude")
}

fn lat(count: usize) -> Coord {
    Coord::numbers(&steps(5.0, 0.5, count), "degrees_north", "latitude")
}

fn depth() -> Coord {
    Coord::numbers(&[1.0, 10.0, 50.0, 100.0, 200.0], "m", "depth")
}

fn months(count: usize) -> Coord {
    let text = |place: usize| format!("{}-{:02}-01T00:00:00Z", 2015 + place / 12, place % 12 + 1);
    Coord { standard_name: Some("time".to_owned()), ..Coord::texts((0..count).map(text)) }
}

fn look() -> Look {
    Look { title: "A title".to_owned(), ..Look::default() }
}

fn draw(artifact: &Artifact) -> String {
    svg(artifact, &look()).unwrap().1
}

fn has(svg: &str, texts: &[&str]) {
    for text in texts {
        assert!(
            svg.contains(text),
            "`{text}` is not in: {}",
            svg.chars().filter(|c| *c != '\n').take(3000).collect::<String>()
        );
    }
    assert!(!svg.contains("NaN"), "a coordinate is not a number");
}

fn map() -> Artifact {
    let map = |name: &str, units: &str| array(name, units, &[("lat", 20), ("lon", 30)], wave);
    Artifact::array(Kind::Map, "temperature", map("temperature", "degC"))
        .with_variable(map("u", "m s-1"))
        .with_variable(map("v", "m s-1"))
        .with_variable(array("p_value", "1", &[("lat", 20), ("lon", 30)], |at| {
            if at % 2 == 0 { 0.01 } else { 0.5 }
        }))
        .with_coord("lat", lat(20))
        .with_coord("lon", lon(30))
        .with_attribute("method", "time mean")
}

#[test]
fn a_map_has_arrows_dots_and_marks() {
    let mut look = look();
    look.options.boxes =
        vec![serde_json::from_value(json!({"lon": [108, 112], "lat": [7, 9], "label": "basin"})).unwrap()];
    look.options.contours = Some(vec![20.0]);
    look.options.bands = Some(8);
    let (kind, svg) = svg(&map(), &look).unwrap();
    assert_eq!(kind, ChartKind::Map);
    has(
        &svg,
        &[
            "A title",
            "temperature (°C)",
            "m s⁻¹</text>",
            ">basin</text>",
            "110°E",
            "10°N",
            "time mean",
            ">20</text>",
        ],
    );
    assert!(svg.matches("r=\"0.9\"").count() > 100, "significant cells are dotted");
}

#[test]
fn maps_of_other_grids_are_drawn() {
    let cells = [("y", 12), ("x", 10)];
    let curvilinear = Artifact::array(Kind::Map, "salinity", array("salinity", "1e-3", &cells, wave))
        .with_variable(array("lon", "degrees_east", &cells, |at| 110.0 + (at % 10) as f64 * 0.3))
        .with_variable(array("lat", "degrees_north", &cells, |at| 10.0 + (at / 10) as f64 * 0.3));
    has(&draw(&curvilinear), &["salinity (1e-3)", "111°E"]);
    let corners = [0.0, 1.0, 2.0, 0.0, 2.0, 3.0];
    let mesh = Artifact::array(Kind::Map, "water_level", array("water_level", "m", &[("node", 4)], wave))
        .with_variable(array("triangles", "1", &[("element", 2), ("corner", 3)], |at| corners[at]))
        .with_coord("lon", Coord::numbers(&[-82.0, -81.0, -81.0, -82.0], "degrees_east", "longitude"))
        .with_coord("lat", Coord::numbers(&[26.0, 26.0, 27.0, 27.0], "degrees_north", "latitude"));
    has(&draw(&mesh), &["water level (m)", "°N</text>", "<image"]);
    let gauges = Artifact::array(Kind::Map, "peak", array("peak", "m", &[("station", 3)], wave))
        .with_coord("lon", Coord::numbers(&[-82.0, -81.0, -81.5], "degrees_east", "longitude"))
        .with_coord("lat", Coord::numbers(&[26.0, 26.0, 27.0], "degrees_north", "latitude"));
    assert_eq!(draw(&gauges).matches("r=\"5.5\"").count(), 3);
}

#[test]
fn a_series_has_its_band_its_episodes_and_its_references() {
    let line = |name: &str, shift: f64| array(name, "degC", &[("time", 24)], move |at| wave(at) + shift);
    let artifact = Artifact::array(Kind::Series, "temperature", line("temperature", 0.0))
        .with_variable(line("low", -1.0))
        .with_variable(line("high", 1.0))
        .with_variable(line("threshold", 3.0))
        .with_variable(array("count", "1", &[("time", 24)], |_| 3.0))
        .with_coord("time", months(24))
        .with_attribute("episodes", json!([{"start": "2015-03", "end": "2015-07", "kind": "heatwave"}]));
    let svg = draw(&artifact);
    has(
        &svg,
        &["temperature (°C)", ">heatwave</text>", ">threshold</text>", "stroke-dasharray=\"6 4\"", "2016"],
    );
    assert!(!svg.contains(">count</text>") && svg.contains("fill-opacity=\"0.18\""));
}

#[test]
fn other_calendars_have_their_own_ticks() {
    let mut time = months(24);
    time.values = (0..24)
        .map(|place| json!(format!("{}-{:02}-30T00:00:00", 2015 + place / 12, place % 12 + 1)))
        .collect();
    time.calendar = Some("360_day".to_owned());
    let artifact = Artifact::array(Kind::Series, "t", array("t", "degC", &[("time", 24)], wave))
        .with_coord("time", time);
    has(&draw(&artifact), &["2015-07", "2016-01"]);
}

#[test]
fn climatologies_follow_their_bins() {
    let cycle = |dim: &str, count: usize| {
        let names = (1..=count).map(|place| place.to_string());
        Artifact::array(Kind::Climatology, "temperature", array("mean", "degC", &[(dim, count)], wave))
            .with_variable(array("std", "degC", &[(dim, count)], |_| 0.5))
            .with_coord(dim, Coord::texts(names))
    };
    has(&draw(&cycle("month", 12)), &["Jan", "Jul", "mean ± standard deviation"]);
    has(&draw(&cycle("day_of_year", 366)), &["day of year"]);
    let seasons = cycle("season", 4).with_coord("season", Coord::texts(["DJF", "MAM", "JJA", "SON"]));
    has(&draw(&seasons), &[">DJF</text>", "fill=\"#0072b2\""]);
    let maps = Artifact::array(
        Kind::Climatology,
        "temperature",
        array("mean", "degC", &[("month", 12), ("lat", 6), ("lon", 8)], wave),
    )
    .with_coord("month", Coord::texts((1..=12).map(|month: u32| month.to_string())))
    .with_coord("lat", lat(6))
    .with_coord("lon", lon(8));
    let look = Look { options: Options { at: Some(6), ..Options::default() }, ..look() };
    has(&svg(&maps, &look).unwrap().1, &["month 7", "106.0°E"]);
}

#[test]
fn profiles_have_a_panel_for_each_unit() {
    let curve = |name: &str, units: &str| array(name, units, &[("depth", 5)], wave);
    let artifact = Artifact::array(Kind::Profile, "temperature", curve("temperature", "degC"))
        .with_variable(curve("salinity", "g kg-1"))
        .with_variable(array("std", "degC", &[("depth", 5)], |_| 1.0))
        .with_coord("depth", depth())
        .with_attribute("mixed_layer_depth", 35.0);
    has(&draw(&artifact), &["temperature (°C)", "salinity (g kg⁻¹)", "depth (m)", ">mixed layer</text>"]);
    let casts =
        Artifact::array(Kind::Profile, "temperature", array("t", "degC", &[("lat", 3), ("depth", 5)], wave))
            .with_coord("depth", depth())
            .with_coord("lat", lat(3));
    has(&draw(&casts), &[">5°N</text>", ">6°N</text>"]);
}

#[test]
fn sections_and_hovmoller_diagrams_know_their_axes() {
    let section = Artifact::array(
        Kind::Section,
        "temperature",
        array("t", "degC", &[("distance", 9), ("depth", 5)], wave),
    )
    .with_variable(array("bottom_depth", "m", &[("distance", 9)], |at| 60.0 + 20.0 * at as f64))
    .with_coord("depth", depth())
    .with_coord("distance", Coord::numbers(&steps(0.0, 20_000.0, 9), "m", "distance"));
    has(&draw(&section), &["distance (km)", "depth (m)", "#9a9a98", "stroke-width=\"0.9\""]);
    let over = |other: &str, coord: Coord| {
        let dims = [("time", 24), (other, coord.values.len())];
        Artifact::array(Kind::Hovmoller, "sea_level_anomaly", array("sla", "m", &dims, |at| wave(at) - 20.0))
            .with_coord("time", months(24))
            .with_coord(other, coord)
    };
    has(&draw(&over("lon", lon(12))), &["sea level anomaly (m)", "106°E", "2015-07"]);
    has(&draw(&over("depth", depth())), &["depth (m)"]);
    has(&draw(&over("lat", lat(12))), &["6°N", "2016"]);
}

#[test]
fn histograms_have_one_or_two_quantities() {
    let one =
        Artifact::array(Kind::Histogram, "temperature", array("count", "1", &[("bin", 10)], |at| at as f64))
            .with_coord("bin", Coord::numbers(&steps(20.5, 1.0, 10), "degC", "sea_water_temperature"))
            .with_attribute("mean", 26.0);
    has(&draw(&one), &["sea water temperature (°C)", "number of values", ">mean</text>"]);
    let two = Artifact::array(
        Kind::Histogram,
        "joint",
        array("count", "1", &[("salinity", 6), ("temperature", 8)], |at| at as f64),
    )
    .with_coord("temperature_edges", Coord::numbers(&steps(0.0, 3.0, 9), "degC", ""))
    .with_coord("temperature", Coord::numbers(&steps(1.5, 3.0, 8), "degC", "temperature"))
    .with_coord("salinity", Coord::numbers(&steps(33.0, 0.5, 6), "g kg-1", "salinity"));
    has(&draw(&two), &["temperature (°C)", "salinity (g kg⁻¹)", ">count</text>"]);
}

#[test]
fn spectra_have_a_confidence_interval_and_peaks() {
    let power = |at: usize| 1.0 / (1.0 + at as f64);
    let artifact =
        Artifact::array(Kind::Spectrum, "sea_level", array("power", "m2 cpd-1", &[("frequency", 50)], power))
            .with_variable(array("red_noise", "m2 cpd-1", &[("frequency", 50)], |at| 2.0 * power(at)))
            .with_coord("frequency", Coord::numbers(&steps(0.0, 0.05, 50), "cpd", ""))
            .with_attribute("confidence", json!([0.5, 2.2]))
            .with_attribute("peaks", json!([{"frequency": 1.0, "name": "K1"}]));
    has(&draw(&artifact), &["frequency (cpd)", "m² cpd⁻¹", "95 %", ">K1</text>", ">red noise</text>"]);
}

#[test]
fn diagrams_are_of_water_masses_or_of_any_two_arrays() {
    let points = |name: &str, units: &str, from: f64| {
        array(name, units, &[("point", 40)], move |at| from + at as f64 / 40.0)
    };
    let artifact = Artifact::array(Kind::Diagram, "ts", points("temperature", "degC", 10.0))
        .with_variable(points("salinity", "g kg-1", 34.0))
        .with_variable(points("depth", "m", 5.0))
        .with_variable(array("sigma0", "kg m-3", &[("temperature_axis", 5), ("salinity_axis", 4)], |at| {
            24.0 + at as f64 / 10.0
        }))
        .with_coord("temperature_axis", Coord::numbers(&steps(9.5, 0.5, 5), "degC", ""))
        .with_coord("salinity_axis", Coord::numbers(&steps(33.8, 0.5, 4), "g kg-1", ""));
    has(&draw(&artifact), &["salinity (g kg⁻¹)", "temperature (°C)", "depth (m)", "stroke-opacity=\"0.8\""]);
    let pair = Artifact::array(Kind::Diagram, "pairs", points("observed", "m", 1.0))
        .with_variable(points("modelled", "m", 1.1))
        .with_attribute("slope", 1.0)
        .with_attribute("intercept", 0.1);
    has(&draw(&pair), &["observed (m)", "modelled (m)", "slope 1.000"]);
}

#[test]
fn modes_have_a_pattern_and_a_series() {
    let artifact = Artifact::array(
        Kind::Eof,
        "eof",
        array("pattern", "degC", &[("mode", 2), ("lat", 6), ("lon", 8)], |at| wave(at) - 20.0),
    )
    .with_variable(array("pc", "1", &[("mode", 2), ("time", 24)], |at| wave(at) - 20.0))
    .with_variable(array("explained_variance", "1", &[("mode", 2)], |at| 0.6 - 0.4 * at as f64))
    .with_coord("lat", lat(6))
    .with_coord("lon", lon(8))
    .with_coord("time", months(24));
    let svg = draw(&artifact);
    has(&svg, &["mode 1, 60.0 % of the variance", "mode 2, 20.0 % of the variance", "pc 1"]);
    assert_eq!(svg.matches("<g transform").count(), 4);
}

#[test]
fn events_are_shown_in_time_and_place() {
    let list = json!([
        {"start": "2015-03-01", "end": "2015-03-20", "max_intensity": 2.1, "lon": 112.0, "lat": 15.0},
        {"start": "2016-06-01", "end": "2016-07-20", "max_intensity": 3.4, "lon": 115.0, "lat": 18.0},
    ]);
    let artifact = Artifact::document(
        Kind::Events,
        "heatwaves",
        json!({"events": list, "units": {"max_intensity": "degC"}}),
    );
    let svg = draw(&artifact);
    has(&svg, &["max intensity (°C)", "113°E"]);
    assert_eq!(svg.matches("#e69f00").count(), 2);
    let arrays = Artifact::array(Kind::Events, "blooms", array("intensity", "mg m-3", &[("event", 2)], wave))
        .with_coord("start", Coord::texts(["2015-03-01", "2015-05"]));
    has(&draw(&arrays), &["intensity (mg m⁻³)"]);
}

#[test]
fn masks_and_statistics_are_drawn() {
    let mask = Artifact::array(
        Kind::Mask,
        "hot",
        array("mask", "1", &[("lat", 6), ("lon", 8)], |at| (at % 2) as f64),
    )
    .with_coord("lat", lat(6))
    .with_coord("lon", lon(8));
    has(&draw(&mask), &["hot", "106.0°E"]);
    let statistic = Artifact::document(
        Kind::Statistic,
        "scores",
        json!({"bias": {"value": -0.2, "unit": "degC"}, "rmse": {"value": 0.6, "unit": "degC"}, "n": 40}),
    );
    let svg = draw(&statistic);
    has(&svg, &[">bias</text>", ">rmse</text>", "°C"]);
    assert!(!svg.contains(">n</text>"));
}

#[test]
fn what_can_not_be_drawn_is_told() {
    let text = Artifact::document(Kind::Text, "note", json!("x"));
    assert!(svg(&text, &look()).unwrap_err().message.contains("draw one of: map"));
    let missing =
        Artifact::array(Kind::Map, "t", array("t", "degC", &[("lat", 6), ("lon", 8)], |_| f64::NAN))
            .with_coord("lat", lat(6))
            .with_coord("lon", lon(8));
    assert_eq!(svg(&missing, &look()).unwrap_err().kind, ToolErrorKind::NoData);
    for kind in CHARTS.iter().map(|chart| chart.kind) {
        // Nothing of what a chart needs: told, and no panic.
        let empty = Artifact::document(Kind::Map, "empty", json!({}));
        assert!(svg(&empty, &Look { kind: Some(kind), ..look() }).is_err(), "{kind:?}");
        // Something else than it needs: drawn or told.
        let _ = svg(&map(), &Look { kind: Some(kind), ..look() });
    }
    let look = Look { options: Options { variable: Some("w".to_owned()), ..Options::default() }, ..look() };
    assert!(svg(&map(), &look).unwrap_err().message.contains("choose one of: temperature, u, v"));
}

#[test]
fn every_kind_that_can_be_drawn_has_one_chart() {
    for kind in Kind::ALL {
        let charts = CHARTS.iter().filter(|chart| chart.usual.contains(&kind)).count();
        assert!(charts <= 1, "{kind} has {charts} charts");
    }
}
