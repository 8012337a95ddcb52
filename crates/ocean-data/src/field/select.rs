//! From a selection to the indices of a field.

use std::sync::{Arc, OnceLock};

use ndarray::Array2;

use super::depth::Depth;
use super::field::{Field, SpaceAxis, TimeAxis};
use super::named_regions::nearest_regions;
use super::region::{EDGE, LonLatBox, Region, polygon_contains};
use super::selection::Selection;
use crate::cf::{Axis, CalendarError, Conversion, Quantity};
use crate::dataset::{Coordinate, Dataset, TimeCoordinate, Variable, VariableError};

/// A selection that a dataset cannot answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// No such variable, or several.
    #[error(transparent)]
    Variable(#[from] VariableError),
    /// The region is nowhere in the data.
    #[error("region {region} has no cell in the data, which cover {coverage}; choose a region inside")]
    RegionOutside {
        /// What was asked for.
        region: String,
        /// What there is.
        coverage: String,
    },
    /// No region of the name.
    #[error("there is no region named `{name}`; the nearest are {}; or give a box {{\"lon\": [w, e], \"lat\": [s, n]}}", nearest.join(", "))]
    UnknownRegion {
        /// The name.
        name: String,
        /// Names there are.
        nearest: Vec<String>,
    },
    /// The window is wholly outside the data.
    #[error("the time window {window} is outside the data, which cover {coverage}; choose a window inside")]
    TimeOutside {
        /// What was asked for.
        window: String,
        /// What there is.
        coverage: String,
    },
    /// The window is inside, but no time falls into it.
    #[error("no time of the data falls into {wanted}; the data cover {coverage} with a step of about {step}")]
    NoTimes {
        /// What was asked for.
        wanted: String,
        /// What there is.
        coverage: String,
        /// Time between neighbours.
        step: String,
    },
    /// A time was asked for and the variable has none.
    #[error("`{variable}` has no time axis{reason}; leave out time, season and months")]
    NoTimeAxis {
        /// The variable.
        variable: String,
        /// Why, with a leading `: `, or nothing.
        reason: String,
    },
    /// A depth was asked for outside the levels.
    #[error(
        "depth {wanted} is outside the levels of the data, which reach from {top} to {bottom} m; choose a depth inside"
    )]
    DepthOutside {
        /// What was asked for.
        wanted: String,
        /// Shallowest edge.
        top: f64,
        /// Deepest edge.
        bottom: f64,
    },
    /// No level lies in the range.
    #[error("no level lies between {} and {} m; the nearest are {}", range[0], range[1], levels.join(", "))]
    NoLevels {
        /// The range.
        range: [f64; 2],
        /// Levels there are.
        levels: Vec<String>,
    },
    /// A depth was asked for and the variable has none.
    #[error("`{variable}` has no depth axis; leave out depth or say \"surface\"")]
    NoDepthAxis {
        /// The variable.
        variable: String,
    },
    /// The mixed layer has to be computed first.
    #[error(
        "\"mixed_layer\" cannot be selected directly; compute the mixed layer depth first and average over {{\"range\": [0, depth]}}"
    )]
    MixedLayer,
    /// The region is a line.
    #[error("a path cannot be selected as a field; use a tool for sections, or give a box around it")]
    Path,
    /// Latitudes and longitudes are two-dimensional.
    #[error(
        "`{variable}` is on a curvilinear grid (two-dimensional latitudes and longitudes), which cannot be selected yet; regrid it to a latitude-longitude grid first"
    )]
    Curvilinear {
        /// The variable.
        variable: String,
    },
    /// A region was asked for and the variable has no map.
    #[error("`{variable}` has no latitude and longitude axes; leave out region")]
    NoHorizontalAxes {
        /// The variable.
        variable: String,
    },
    /// A coordinate of the variable cannot be decoded.
    #[error("`{variable}` cannot be selected because its coordinate `{coordinate}` cannot be used: {problem}")]
    UnusableCoordinate {
        /// The variable.
        variable: String,
        /// The coordinate.
        coordinate: String,
        /// Why, and what to do.
        problem: String,
    },
    /// A dimension that is none of time, depth, latitude, longitude.
    #[error(
        "`{variable}` has the dimension `{dimension}` of length {length}, which is none of time, depth, lat, lon; choose a variable without it"
    )]
    ExtraDimension {
        /// The variable.
        variable: String,
        /// The dimension.
        dimension: String,
        /// Its length.
        length: usize,
    },
    /// A date that the calendar lacks.
    #[error(transparent)]
    Calendar(#[from] CalendarError),
}

/// Resolves a selection.
pub(crate) fn resolve(dataset: &Arc<Dataset>, selection: &Selection) -> Result<Field, SelectError> {
    let variable = dataset.resolve_variable(&selection.variable)?;
    let mut notes = Vec::new();
    if variable.is_curvilinear && variable.dimension(Axis::Latitude).is_none() {
        return Err(SelectError::Curvilinear { variable: variable.name.clone() });
    }
    check_dimensions(dataset, variable)?;
    substitution_note(variable, selection, &mut notes);
    let time = resolve_time(dataset, variable, selection, &mut notes)?;
    let horizontal = resolve_horizontal(dataset, variable, selection, &mut notes)?;
    let depth = resolve_depth(dataset, variable, selection, &mut notes)?;
    Ok(Field {
        dataset: Arc::clone(dataset),
        variable: Arc::new(variable.clone()),
        selection: selection.clone(),
        time,
        depth: depth.axis,
        lat: horizontal.lat,
        lon: horizontal.lon,
        mask: horizontal.mask.map(Arc::new),
        bottom: depth.bottom.then(|| Arc::new(OnceLock::new())),
        depth_range: depth.range,
        units: variable.units.clone(),
        conversion: Conversion::IDENTITY,
        notes,
    })
}

fn check_dimensions(dataset: &Dataset, variable: &Variable) -> Result<(), SelectError> {
    for dimension in variable.dimensions.iter().filter(|d| d.axis.is_none() && d.length != 1) {
        let problem = dataset.grid().problems.get(&dimension.name);
        if let Some(problem) = problem {
            return Err(SelectError::UnusableCoordinate {
                variable: variable.name.clone(),
                coordinate: dimension.name.clone(),
                problem: problem.clone(),
            });
        }
        return Err(SelectError::ExtraDimension {
            variable: variable.name.clone(),
            dimension: dimension.name.clone(),
            length: dimension.length,
        });
    }
    Ok(())
}

fn substitution_note(variable: &Variable, selection: &Selection, notes: &mut Vec<String>) {
    let asked = Quantity::from_word(&selection.variable);
    if let (Some(asked), Some(found)) = (asked, variable.quantity) {
        if asked != found {
            notes.push(format!(
                "`{}` is not in the data; `{}` ({}) stands in for it",
                asked.word(),
                variable.name,
                found.word()
            ));
        }
    }
}

fn time_coordinate<'a>(dataset: &'a Dataset, variable: &Variable) -> Option<&'a TimeCoordinate> {
    let (_, dimension) = variable.dimension(Axis::Time)?;
    dataset.times().get(dimension.coordinate?)
}

fn space_coordinate<'a>(dataset: &'a Dataset, variable: &Variable, axis: Axis) -> Option<&'a Coordinate> {
    let (_, dimension) = variable.dimension(axis)?;
    dataset.coordinates().get(dimension.coordinate?)
}

fn resolve_time(
    dataset: &Dataset,
    variable: &Variable,
    selection: &Selection,
    notes: &mut Vec<String>,
) -> Result<Option<TimeAxis>, SelectError> {
    let months = selection.selected_months();
    let Some(time) = time_coordinate(dataset, variable) else {
        if selection.time.is_some() || months.is_some() {
            return Err(SelectError::NoTimeAxis { variable: variable.name.clone(), reason: String::new() });
        }
        return Ok(None);
    };
    let mut order: Vec<usize> = (0..time.dates.len()).collect();
    order.sort_by_key(|&at| time.nanoseconds[at]);
    let (Some(&first), Some(&last)) = (order.first(), order.last()) else {
        let reason = ": it has no time steps".to_owned();
        return Err(SelectError::NoTimeAxis { variable: variable.name.clone(), reason });
    };
    let coverage = format!("{} to {}", time.dates[first].date(), time.dates[last].date());
    let mut wanted = Vec::new();
    if let Some(window) = &selection.time {
        let text = format!("{} to {}", window.from, window.to);
        let [start, end] = window.period(time.calendar)?;
        let [earliest, latest] = extent_of(time, first, last, order.len());
        if end <= earliest || start >= latest {
            return Err(SelectError::TimeOutside { window: text, coverage });
        }
        order.retain(|&at| (start..end).contains(&time.nanoseconds[at]));
        // What period a lone time stands for is not known.
        if time.dates.len() > 1 && (start < earliest || end > latest) {
            notes.push(format!(
                "the time window {text} is partly outside the data, which cover {coverage}; it was clipped"
            ));
        }
        wanted.push(text);
    }
    if let Some(months) = &months {
        order.retain(|&at| months.contains(&time.dates[at].month));
        wanted.push(match &selection.season {
            Some(season) => season.code().to_owned(),
            None => format!("months {months:?}"),
        });
    }
    if order.is_empty() {
        let step = step_of(time, last, first);
        return Err(SelectError::NoTimes { wanted: wanted.join(" and "), coverage, step });
    }
    Ok(Some(TimeAxis {
        calendar: time.calendar,
        dates: order.iter().map(|&at| time.dates[at]).collect(),
        nanoseconds: order.iter().map(|&at| time.nanoseconds[at]).collect(),
        bounds: time.bounds.as_ref().map(|bounds| order.iter().map(|&at| bounds[at]).collect()),
        indices: order,
    }))
}

/// The time that a record stands for: from 3/4 of a step before its first time, which may be in the middle of its
/// period, to 1 1/2 steps after the last, which may be at its start. A lone time stands for its day.
fn extent_of(time: &TimeCoordinate, first: usize, last: usize, count: usize) -> [i128; 2] {
    let (start, end) = (time.nanoseconds[first], time.nanoseconds[last]);
    let day = 86_400_000_000_000;
    let step = if count > 1 { (end - start) / (count as i128 - 1) } else { day };
    [start - step * 3 / 4, end + step * 3 / 2]
}

fn step_of(time: &TimeCoordinate, last: usize, first: usize) -> String {
    let count = time.dates.len();
    if count < 2 {
        return "one time".to_owned();
    }
    let seconds = (time.nanoseconds[last] - time.nanoseconds[first]) as f64 / 1e9 / (count as f64 - 1.0);
    if seconds >= 86_400.0 {
        format!("{:.1} days", seconds / 86_400.0)
    } else {
        format!("{:.1} hours", seconds / 3600.0)
    }
}

struct Horizontal {
    lat: Option<SpaceAxis>,
    lon: Option<SpaceAxis>,
    mask: Option<Array2<bool>>,
}

fn resolve_horizontal(
    dataset: &Dataset,
    variable: &Variable,
    selection: &Selection,
    notes: &mut Vec<String>,
) -> Result<Horizontal, SelectError> {
    let lat = space_coordinate(dataset, variable, Axis::Latitude);
    let lon = space_coordinate(dataset, variable, Axis::Longitude);
    let Some(region) = &selection.region else {
        let lat = lat.map(|lat| sorted_axis(lat, |_| true));
        let lon = lon.map(|lon| whole_circle(lon, notes));
        return Ok(Horizontal { lat, lon, mask: None });
    };
    let (Some(lat), Some(lon)) = (lat, lon) else {
        return Err(SelectError::NoHorizontalAxes { variable: variable.name.clone() });
    };
    let outside =
        || SelectError::RegionOutside { region: region.to_json().to_string(), coverage: coverage(lat, lon) };
    if let Region::Path(_) = region {
        return Err(SelectError::Path);
    }
    if let Region::Point([x, y]) = region {
        let (lat, lon) = nearest_cell(lat, lon, *x, *y).ok_or_else(outside)?;
        notes.push(format!("the cell nearest {x}, {y} is at {}, {}", lon.values[0], lat.values[0]));
        return Ok(Horizontal { lat: Some(lat), lon: Some(lon), mask: None });
    }
    let bounds = region.bounding_box().ok_or_else(|| match region {
        Region::Name(name) => {
            SelectError::UnknownRegion { name: name.clone(), nearest: nearest_regions(name) }
        }
        _ => outside(),
    })?;
    let rows = sorted_axis(lat, |value| bounds.contains_lat(value));
    let columns = eastward_axis(lon, &bounds, notes);
    if rows.values.is_empty() || columns.values.is_empty() {
        return Err(outside());
    }
    let mask = match region {
        Region::Polygon(corners) => {
            let mask = Array2::from_shape_fn((rows.values.len(), columns.values.len()), |(y, x)| {
                polygon_contains(corners, columns.values[x], rows.values[y])
            });
            if !mask.iter().any(|&inside| inside) {
                return Err(outside());
            }
            Some(mask)
        }
        _ => None,
    };
    if beyond(lat, lon, &bounds) {
        notes.push(format!(
            "the region {} reaches beyond the data, which cover {}; it was clipped",
            region.to_json(),
            coverage(lat, lon)
        ));
    }
    Ok(Horizontal { lat: Some(rows), lon: Some(columns), mask })
}

fn coverage(lat: &Coordinate, lon: &Coordinate) -> String {
    let ends = |values: &[f64]| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (low, high)
    };
    let ((s, n), (w, e)) = (ends(&lat.values), ends(&lon.values));
    format!("longitudes {w:.4} to {e:.4} and latitudes {s:.4} to {n:.4}")
}

/// Whether a box reaches more than a cell beyond the data.
fn beyond(lat: &Coordinate, lon: &Coordinate, bounds: &LonLatBox) -> bool {
    let edges = |coordinate: &Coordinate| {
        let flat = coordinate.bounds.iter().flatten().copied();
        let (low, high) = flat.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        (low, high)
    };
    let (south, north) = edges(lat);
    let (west, east) = edges(lon);
    let short_lat = bounds.south < south - EDGE || bounds.north > north + EDGE;
    let global = east - west >= 360.0 - 1e-3;
    let start = (bounds.west - west).rem_euclid(360.0);
    let short_lon = !global && start + bounds.width() > east - west + EDGE;
    short_lat || short_lon
}

fn axis_of(coordinate: &Coordinate, picks: &[(usize, f64)], squeezed: bool) -> SpaceAxis {
    let bound = |&(index, value): &(usize, f64)| {
        let shift = value - coordinate.values[index];
        let [a, b] = coordinate.bounds[index];
        if a <= b { [a + shift, b + shift] } else { [b + shift, a + shift] }
    };
    SpaceAxis {
        indices: picks.iter().map(|pick| pick.0).collect(),
        values: picks.iter().map(|pick| pick.1).collect(),
        bounds: picks.iter().map(bound).collect(),
        squeezed,
    }
}

/// The cells that pass, in rising order.
fn sorted_axis(coordinate: &Coordinate, keep: impl Fn(f64) -> bool) -> SpaceAxis {
    let mut picks: Vec<(usize, f64)> =
        coordinate.values.iter().copied().enumerate().filter(|pick| keep(pick.1)).collect();
    picks.sort_by(|a, b| a.1.total_cmp(&b.1));
    axis_of(coordinate, &picks, false)
}

/// All longitudes, rising; a column that repeats another after 360 degrees is left out.
fn whole_circle(lon: &Coordinate, notes: &mut Vec<String>) -> SpaceAxis {
    let mut picks: Vec<(usize, f64)> = lon.values.iter().copied().enumerate().collect();
    picks.sort_by(|a, b| a.1.total_cmp(&b.1));
    without_repeats(&mut picks, lon, notes);
    axis_of(lon, &picks, false)
}

/// The columns of a box from its western edge eastwards.
fn eastward_axis(lon: &Coordinate, bounds: &LonLatBox, notes: &mut Vec<String>) -> SpaceAxis {
    let mut picks: Vec<(usize, f64)> = (lon.values.iter().enumerate())
        .filter(|&(_, &value)| bounds.contains_lon(value))
        .map(|(index, &value)| {
            // Whole turns only, so that the stored digits stay.
            let wanted = bounds.west + bounds.eastward(value);
            (index, value + 360.0 * ((wanted - value) / 360.0).round())
        })
        .collect();
    picks.sort_by(|a, b| a.1.total_cmp(&b.1));
    without_repeats(&mut picks, lon, notes);
    axis_of(lon, &picks, false)
}

fn without_repeats(picks: &mut Vec<(usize, f64)>, lon: &Coordinate, notes: &mut Vec<String>) {
    let before = picks.len();
    let first = picks.first().map(|pick| pick.1);
    picks.dedup_by(|b, a| (b.1 - a.1).abs() < EDGE);
    picks.retain(|pick| first.is_none_or(|first| pick.1 - first < 360.0 - EDGE));
    if picks.len() < before {
        notes.push(format!(
            "{} columns of `{}` repeat others and are left out",
            before - picks.len(),
            lon.name
        ));
    }
}

/// The cell nearest a place, by latitude and by longitude; `None` beyond the outer cells.
fn nearest_cell(lat: &Coordinate, lon: &Coordinate, x: f64, y: f64) -> Option<(SpaceAxis, SpaceAxis)> {
    let distance_x = |value: f64| {
        let turn = (value - x).rem_euclid(360.0);
        turn.min(360.0 - turn)
    };
    let row = nearest_index(&lat.values, |value| (value - y).abs())?;
    let column = nearest_index(&lon.values, distance_x)?;
    let half = |pair: [f64; 2]| (pair[1] - pair[0]).abs() / 2.0;
    let outside = (lat.values[row] - y).abs() > half(lat.bounds[row]).max(EDGE) * 1.01
        || distance_x(lon.values[column]) > half(lon.bounds[column]).max(EDGE) * 1.01;
    if outside {
        return None;
    }
    let value = lon.values[column];
    let presented = value + 360.0 * ((x - value) / 360.0).round();
    Some((axis_of(lat, &[(row, lat.values[row])], true), axis_of(lon, &[(column, presented)], true)))
}

/// The nearest value; of two as near, the larger, as pandas and xarray choose.
pub(crate) fn nearest_index(values: &[f64], distance: impl Fn(f64) -> f64) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (index, &value) in values.iter().enumerate() {
        let d = distance(value);
        let better = best.is_none_or(|(at, least)| d < least || (d <= least && value > values[at]));
        if better {
            best = Some((index, d));
        }
    }
    best.map(|found| found.0)
}

struct DepthChoice {
    axis: Option<SpaceAxis>,
    bottom: bool,
    range: Option<[f64; 2]>,
}

fn resolve_depth(
    dataset: &Dataset,
    variable: &Variable,
    selection: &Selection,
    notes: &mut Vec<String>,
) -> Result<DepthChoice, SelectError> {
    let choice = |axis| DepthChoice { axis, bottom: false, range: None };
    let asked_surface = Quantity::from_word(&selection.variable) == Some(Quantity::SurfaceTemperature);
    let wanted = match selection.depth {
        Some(Depth::MixedLayer) => return Err(SelectError::MixedLayer),
        None if asked_surface => Some(Depth::Surface),
        other => other,
    };
    let Some(coordinate) = space_coordinate(dataset, variable, Axis::Depth) else {
        return match wanted {
            None | Some(Depth::Column) => Ok(choice(None)),
            Some(Depth::Surface) => {
                notes.push(format!("`{}` has no depth axis; it is taken as a surface field", variable.name));
                Ok(choice(None))
            }
            Some(_) => Err(SelectError::NoDepthAxis { variable: variable.name.clone() }),
        };
    };
    let all = sorted_axis(coordinate, |_| true);
    let edges = all.bounds.iter().flatten().copied();
    let (top, bottom) = edges.fold((f64::INFINITY, f64::NEG_INFINITY), |(t, b), v| (t.min(v), b.max(v)));
    let level = |metres: f64| nearest_index(&all.values, |value| (value - metres).abs());
    match wanted {
        None | Some(Depth::Column) => Ok(choice(Some(all))),
        Some(Depth::MixedLayer) => Err(SelectError::MixedLayer),
        Some(Depth::Surface) => {
            let at = nearest_index(&all.values, f64::abs).unwrap_or(0);
            notes.push(format!("the surface is the level at {} m", all.values[at]));
            Ok(choice(Some(one_level(&all, at))))
        }
        Some(Depth::Bottom) => {
            notes.push("the bottom is the deepest cell of each column that ever has a value".to_owned());
            Ok(DepthChoice { axis: Some(all), bottom: true, range: None })
        }
        Some(Depth::At(metres)) => {
            let outside = || SelectError::DepthOutside { wanted: format!("{metres} m"), top, bottom };
            let at = level(metres)
                .filter(|_| metres >= top - EDGE && metres <= bottom + EDGE)
                .ok_or_else(outside)?;
            notes.push(format!("the level nearest {metres} m is at {} m", all.values[at]));
            Ok(choice(Some(one_level(&all, at))))
        }
        Some(Depth::Range([from, to])) => {
            if to < top || from > bottom {
                return Err(SelectError::DepthOutside { wanted: format!("{from} to {to} m"), top, bottom });
            }
            let inside = sorted_axis(coordinate, |value| value >= from - EDGE && value <= to + EDGE);
            if inside.values.is_empty() {
                let near = [level(from), level(to)];
                let mut levels: Vec<String> =
                    near.iter().flatten().map(|&at| format!("{} m", all.values[at])).collect();
                levels.dedup();
                return Err(SelectError::NoLevels { range: [from, to], levels });
            }
            if to > bottom + EDGE {
                notes.push(format!("the data end at {bottom} m, above {to} m; the range was clipped"));
            }
            Ok(DepthChoice { axis: Some(inside), bottom: false, range: Some([from, to]) })
        }
    }
}

fn one_level(all: &SpaceAxis, at: usize) -> SpaceAxis {
    SpaceAxis {
        indices: vec![all.indices[at]],
        values: vec![all.values[at]],
        bounds: vec![all.bounds[at]],
        squeezed: true,
    }
}
