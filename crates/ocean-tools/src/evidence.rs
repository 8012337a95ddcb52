//! Evidence that every series, and every map, gives.

use leg_core::EvidenceDraft;
use ndarray::Array2;
use serde_json::json;

use crate::kernels::series_stats::{At, SeriesStats};
use crate::kernels::time_axis::TimeAxis;

/// Names of the evidence of a series, for specifications.
pub(crate) const SERIES: [&str; 8] = ["first", "last", "mean", "min", "max", "std", "n", "n_missing"];

/// First, last, mean, extremes, spread and counts of a series.
///
/// `method` says how the series was made; values point into `/values`.
pub(crate) fn of_series(
    axis: &TimeAxis,
    values: &[f64],
    units: &str,
    method: &str,
    baseline: Option<&str>,
) -> Vec<EvidenceDraft> {
    let stats = SeriesStats::of(values);
    let window = axis.window();
    let draft = |name: &str, value: f64, unit: &str, how: &str| {
        let draft = EvidenceDraft::new(name, value, unit, &format!("{how} of the {method}"));
        match baseline {
            Some(baseline) => draft.baseline(baseline),
            None => draft,
        }
    };
    let at = |name: &str, found: Option<At>, how: &str| match found {
        Some(At { index, value }) => {
            draft(name, value, units, how).when(axis.label(index)).pointer(format!("/values/{index}"))
        }
        None => draft(name, f64::NAN, units, how),
    };
    let whole = |draft: EvidenceDraft| {
        let draft = draft.n(stats.n);
        if window.is_empty() { draft } else { draft.when(window.clone()) }
    };
    let count = |name: &str, count: usize, how: &str| {
        let draft = EvidenceDraft::new(name, count as u64, "1", &format!("{how} of the {method}"));
        if window.is_empty() { draft } else { draft.when(window.clone()) }
    };
    vec![
        at("first", stats.first, "first value"),
        at("last", stats.last, "last value"),
        whole(draft("mean", stats.mean, units, "mean over time")),
        at("min", stats.min, "smallest value"),
        at("max", stats.max, "largest value"),
        whole(draft("std", stats.std, units, "standard deviation (n - 1)")),
        count("n", stats.n, "number of values"),
        count("n_missing", stats.n_missing, "number of missing values"),
    ]
}

/// Names of the evidence of a map, for specifications.
pub(crate) const MAP: [&str; 4] = ["min", "max", "mean", "n"];

/// A map and its grid, as far as evidence needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MapView<'a> {
    /// Latitudes of the rows.
    pub(crate) lat: &'a [f64],
    /// Longitudes of the columns.
    pub(crate) lon: &'a [f64],
    /// Row-major values.
    pub(crate) values: &'a [f64],
    /// Weights of the cells, as many.
    pub(crate) weights: &'a [f64],
}

/// Extremes with their places, area mean and count of a map.
pub(crate) fn of_map(map: MapView<'_>, units: &str, method: &str, when: Option<&str>) -> Vec<EvidenceDraft> {
    let present = || map.values.iter().zip(map.weights).enumerate().filter(|(_, (value, _))| !value.is_nan());
    let n = present().count();
    let (sum, weight) = present()
        .fold((0.0, 0.0), |(sum, total), (_, (value, weight))| (sum + value * weight, total + weight));
    let mean = if weight > 0.0 { sum / weight } else { f64::NAN };
    let dated = |draft: EvidenceDraft| match when {
        Some(when) => draft.when(when),
        None => draft,
    };
    let extreme = |name: &str, how: &str, better: fn(f64, f64) -> bool| {
        let best = present()
            .map(|(at, (value, _))| (at, *value))
            .reduce(|best, own| if better(own.1, best.1) { own } else { best });
        let method = format!("{how} of the {method}");
        let Some((at, value)) = best else { return EvidenceDraft::new(name, f64::NAN, units, &method) };
        let columns = map.lon.len().max(1);
        let draft = EvidenceDraft::new(name, value, units, &method).pointer(format!("/values/{at}"));
        match (map.lon.get(at % columns), map.lat.get(at / columns)) {
            (Some(lon), Some(lat)) => draft.place(json!({"lon": lon, "lat": lat})),
            _ => draft,
        }
    };
    vec![
        dated(extreme("min", "smallest value", |own, best| own < best)),
        dated(extreme("max", "largest value", |own, best| own > best)),
        dated(EvidenceDraft::new("mean", mean, units, &format!("area-weighted mean of the {method}")).n(n)),
        dated(EvidenceDraft::new(
            "n",
            n as u64,
            "1",
            &format!("number of cells with a value of the {method}"),
        )),
    ]
}

/// An array on any of the axes and these, as far as evidence needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GridView<'a> {
    /// Times, when it has any.
    pub(crate) time: Option<&'a TimeAxis>,
    /// Levels in metres; empty when it has none.
    pub(crate) depth: &'a [f64],
    /// Thickness of the levels; one 1 when it has none.
    pub(crate) thickness: &'a [f64],
    /// Latitudes; empty when it has none.
    pub(crate) lat: &'a [f64],
    /// Longitudes; empty when it has none.
    pub(crate) lon: &'a [f64],
    /// Lengths of `(time, depth, lat, lon)`.
    pub(crate) shape: [usize; 4],
    /// Areas `(lat, lon)`.
    pub(crate) weights: &'a Array2<f64>,
    /// Row-major values.
    pub(crate) values: &'a [f64],
}

/// Extremes with place and time, mean weighted by area and thickness, and count of an array.
pub(crate) fn of_grid(grid: GridView<'_>, units: &str, method: &str) -> Vec<EvidenceDraft> {
    let [_, levels, rows, columns] = grid.shape;
    let split = |at: usize| {
        let (rest, x) = (at / columns, at % columns);
        let (rest, y) = (rest / rows, rest % rows);
        (rest / levels, rest % levels, y, x)
    };
    let present = || grid.values.iter().copied().enumerate().filter(|(_, value)| !value.is_nan());
    let (n, sum, weight) = present().fold((0_usize, 0.0, 0.0), |(n, sum, total), (at, value)| {
        let (_, z, y, x) = split(at);
        let weight = grid.weights[[y, x]] * grid.thickness[z.min(grid.thickness.len() - 1)];
        (n + 1, sum + value * weight, total + weight)
    });
    let mean = if weight > 0.0 { sum / weight } else { f64::NAN };
    let window = grid.time.map(TimeAxis::window).filter(|window| !window.is_empty());
    let whole = |draft: EvidenceDraft| match &window {
        Some(window) => draft.when(window.clone()),
        None => draft,
    };
    let extreme = |name: &str, how: &str, better: fn(f64, f64) -> bool| {
        let best = present().reduce(|best, own| if better(own.1, best.1) { own } else { best });
        let method = format!("{how} of the {method}");
        let Some((at, value)) = best else { return EvidenceDraft::new(name, f64::NAN, units, &method) };
        let (t, z, y, x) = split(at);
        let draft = EvidenceDraft::new(name, value, units, &method).pointer(format!("/values/{at}"));
        let draft = match grid.time {
            Some(time) => draft.when(time.label(t)),
            None => draft,
        };
        let place: serde_json::Map<String, serde_json::Value> =
            [("lon", grid.lon.get(x)), ("lat", grid.lat.get(y)), ("depth", grid.depth.get(z))]
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), json!(value?))))
                .collect();
        if place.is_empty() { draft } else { draft.place(place) }
    };
    vec![
        extreme("min", "smallest value", |own, best| own < best),
        extreme("max", "largest value", |own, best| own > best),
        whole(EvidenceDraft::new("mean", mean, units, &format!("volume-weighted mean of the {method}")).n(n)),
        whole(EvidenceDraft::new("n", n as u64, "1", &format!("number of values of the {method}"))),
    ]
}

#[cfg(test)]
mod tests {
    use ocean_data::cf::Calendar;
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_series_says_when_its_extremes_are() {
        let axis = TimeAxis::parse(Calendar::Standard, &["2015-10-01", "2015-11-01", "2015-12-01"]).unwrap();
        let drafts = of_series(&axis, &[1.0, 3.0, f64::NAN], "degC", "index", Some("1991/2020"));
        let names: Vec<&str> = drafts.iter().map(|draft| draft.name.as_str()).collect();
        assert_eq!(names, SERIES);
        let max = &drafts[4];
        assert_eq!((max.when.as_deref(), max.pointer.as_str()), (Some("2015-11"), "/values/1"));
        assert_eq!(max.baseline.as_deref(), Some("1991/2020"));
        assert_eq!(drafts[2].when.as_deref(), Some("2015-10/2015-12"));
        assert_eq!((&drafts[6].value, &drafts[7].value), (&json!(2), &json!(1)));
    }

    #[test]
    fn nothing_is_null_not_zero() {
        let axis = TimeAxis::parse(Calendar::Standard, &["2015-10-01"]).unwrap();
        let drafts = of_series(&axis, &[f64::NAN], "degC", "index", None);
        assert!(drafts[..6].iter().all(|draft| draft.value == Value::Null && draft.pointer.is_empty()));
        let view = MapView { lat: &[0.0], lon: &[0.0], values: &[f64::NAN], weights: &[1.0] };
        let drafts = of_map(view, "degC", "mean", None);
        assert!(drafts[..3].iter().all(|draft| draft.value == Value::Null));
        assert_eq!(drafts[3].value, json!(0));
    }

    #[test]
    fn a_map_says_where() {
        let view = MapView {
            lat: &[-10.0, 10.0],
            lon: &[100.0, 110.0],
            values: &[1.0, f64::NAN, 4.0, 2.0],
            weights: &[1.0, 1.0, 2.0, 1.0],
        };
        let drafts = of_map(view, "degC", "mean", Some("2015"));
        assert_eq!(drafts[1].place, Some(json!({"lon": 100.0, "lat": 10.0})));
        assert_eq!(drafts[2].value, json!(2.75));
    }
}
