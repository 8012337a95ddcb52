//! What a dataset holds, for people and JSON.

use leg_core::digest::Digest;
use serde::Serialize;

use super::coordinate::{Coordinate, plain};
use super::dataset::Dataset;
use super::variable::Variable;
use crate::cf::Axis;

/// A dataset described.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Description {
    /// The address.
    pub uri: String,
    /// The storage format.
    pub format: String,
    /// `title` of the file.
    pub title: Option<String>,
    /// Identity of what it describes.
    pub identity: Digest,
    /// Data variables.
    pub variables: Vec<VariableDescription>,
    /// Coordinates.
    pub axes: Vec<AxisDescription>,
    /// Where metadata contradict each other, and what was made of it.
    pub warnings: Vec<String>,
}

/// A data variable described.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariableDescription {
    /// Name.
    pub name: String,
    /// `standard_name`.
    pub standard_name: Option<String>,
    /// `long_name`.
    pub long_name: Option<String>,
    /// `units`.
    pub units: Option<String>,
    /// Dimensions as stored.
    pub dims: Vec<String>,
    /// Lengths.
    pub shape: Vec<usize>,
    /// Shape of stored chunks; absent when the file is not chunked.
    pub chunks: Option<Vec<usize>>,
    /// Element type as stored.
    pub stored_type: String,
    /// What it was taken for.
    pub taken_for: Option<String>,
    /// By what.
    pub because_of: Option<String>,
    /// Whether it is on a grid with two-dimensional coordinates.
    pub curvilinear: bool,
    /// Whether a field can be selected from it.
    pub selectable: bool,
    /// `cell_methods`: what a value is of its cell.
    pub cell_methods: Option<String>,
    /// Its horizontal grid: `rectilinear`, `curvilinear`, `unstructured` or `none`.
    pub grid: String,
    /// What else was found, and why: where positions and depths are from, coordinates of one value, packing; or why no
    /// field can be selected.
    pub details: Vec<String>,
}

/// A coordinate described.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AxisDescription {
    /// Name of the variable.
    pub name: String,
    /// `time`, `depth`, `lat` or `lon`.
    pub axis: String,
    /// What it was recognised by.
    pub because_of: String,
    /// Units as the file has them.
    pub units: Option<String>,
    /// Number of values.
    pub length: usize,
    /// First value in the order of fields.
    pub from: String,
    /// Last value.
    pub to: String,
    /// Usual distance of neighbours, in degrees, metres or days.
    pub step: Option<f64>,
    /// Whether neighbours are equally far apart.
    pub regular: bool,
    /// Calendar of a time axis.
    pub calendar: Option<String>,
    /// Whether the file has cell bounds.
    pub has_bounds: bool,
}

/// Describes a dataset.
pub(crate) fn describe(dataset: &Dataset) -> Description {
    let store = dataset.store();
    let title = store.attributes().get("title").and_then(|attribute| attribute.as_text()).map(str::to_owned);
    let mut axes: Vec<AxisDescription> = dataset.times().iter().map(time_axis).collect();
    axes.extend(dataset.coordinates().iter().map(space_axis));
    Description {
        uri: dataset.uri().to_owned(),
        format: store.format().to_owned(),
        title,
        identity: dataset.identity(),
        variables: dataset.variables().iter().map(|variable| variable_of(dataset, variable)).collect(),
        axes,
        warnings: dataset.warnings().to_vec(),
    }
}

fn variable_of(dataset: &Dataset, variable: &Variable) -> VariableDescription {
    let stored = &dataset.store().variables()[variable.index];
    let places = variable.places();
    let refused: Vec<String> = (variable.dimensions.iter().enumerate())
        .filter(|(at, d)| d.axis.is_none() && d.length != 1 && !places.contains(&Some(*at)))
        .map(|(_, d)| match dataset.grid().problems.get(&d.name) {
            Some(problem) => format!("cannot be selected: `{}` cannot be used: {problem}", d.name),
            None => format!("cannot be selected: `{}` is none of time, depth, latitude, longitude", d.name),
        })
        .collect();
    let selectable = refused.is_empty();
    let mut details = refused;
    details.extend(details_of(dataset, variable));
    let on_axes = [Axis::Latitude, Axis::Longitude].iter().all(|axis| variable.dimension(*axis).is_some());
    let grid = match variable.mesh {
        Some(link) if link.y.is_none() => "unstructured",
        Some(_) => "curvilinear",
        None if on_axes => "rectilinear",
        None => "none",
    };
    VariableDescription {
        name: variable.name.clone(),
        standard_name: variable.standard_name.clone(),
        long_name: variable.long_name.clone(),
        units: variable.units.clone(),
        dims: variable.dimensions.iter().map(|d| d.name.clone()).collect(),
        shape: stored.shape(),
        chunks: stored.is_chunked.then(|| stored.chunk_shape.clone()),
        stored_type: variable.stored_type.clone(),
        taken_for: variable.quantity.map(|quantity| quantity.word().to_owned()),
        because_of: variable.quantity_reason.map(str::to_owned),
        curvilinear: variable.is_curvilinear,
        selectable,
        cell_methods: variable.cell_methods.clone(),
        grid: grid.to_owned(),
        details,
    }
}

/// Where positions, depths and numbers of a variable are from.
fn details_of(dataset: &Dataset, variable: &Variable) -> Vec<String> {
    let stored = dataset.store().variables();
    let mut out = Vec::new();
    if let Some(mesh) = variable.mesh.and_then(|link| dataset.grid().meshes.get(link.mesh)) {
        out.push(format!("positions are in `{}` and `{}`", stored[mesh.lat].name, stored[mesh.lon].name));
    }
    if let Some(terrain) = variable.terrain.and_then(|at| dataset.grid().terrains.get(at)) {
        let surface =
            terrain.eta.map_or("a still surface".to_owned(), |eta| format!("`{}`", stored[eta].name));
        out.push(format!(
            "levels of `{}` follow the terrain: depths by their formula from `{}` and {surface}",
            terrain.name, stored[terrain.depth].name
        ));
    }
    for &(axis, at) in &variable.scalars {
        let value = match axis {
            Axis::Time => dataset.times().get(at).and_then(|time| {
                let date = time.dates.first()?.to_iso(time.calendar);
                Some(format!("`{}` is {date}", time.name))
            }),
            _ => dataset.coordinates().get(at).and_then(|coordinate| {
                Some(format!("`{}` is {}", coordinate.name, plain(*coordinate.values.first()?)))
            }),
        };
        out.extend(value.map(|value| format!("one {} for all: {value}", axis.name())));
    }
    if let Some(methods) = &variable.cell_methods {
        out.push(format!("cell methods: {methods}"));
    }
    let missing: Vec<String> = variable.packing.missing().iter().map(|&value| plain(value)).collect();
    if variable.packing.is_packed() {
        out.push(format!("packed as {}; missing is {}", variable.stored_type, missing.join(", ")));
    }
    out
}

fn space_axis(coordinate: &Coordinate) -> AxisDescription {
    let mut values = coordinate.values.clone();
    values.sort_by(f64::total_cmp);
    let (step, regular) = step_of(&values);
    let text = |value: Option<&f64>| value.map(|&value| plain(value)).unwrap_or_default();
    AxisDescription {
        name: coordinate.name.clone(),
        axis: coordinate.axis.name().to_owned(),
        because_of: coordinate.evidence.words().to_owned(),
        units: coordinate.units.clone(),
        length: values.len(),
        from: text(values.first()),
        to: text(values.last()),
        step,
        regular,
        calendar: None,
        has_bounds: coordinate.has_bounds,
    }
}

fn time_axis(time: &super::coordinate::TimeCoordinate) -> AxisDescription {
    let mut nanoseconds = time.nanoseconds.clone();
    nanoseconds.sort_unstable();
    let days: Vec<f64> = nanoseconds.iter().map(|&n| n as f64 / 86_400e9).collect();
    let (step, regular) = step_of(&days);
    let text = |nanos: Option<&i128>| {
        nanos
            .and_then(|&n| time.calendar.instant(n).ok())
            .map(|t| t.to_iso(time.calendar))
            .unwrap_or_default()
    };
    AxisDescription {
        name: time.name.clone(),
        axis: Axis::Time.name().to_owned(),
        because_of: time.evidence.words().to_owned(),
        units: Some(time.units.clone()),
        length: nanoseconds.len(),
        from: text(nanoseconds.first()),
        to: text(nanoseconds.last()),
        step,
        regular,
        calendar: Some(time.calendar.name().to_owned()),
        has_bounds: time.bounds.is_some(),
    }
}

/// The median distance of neighbours, and whether all are within a thousandth of it.
fn step_of(sorted: &[f64]) -> (Option<f64>, bool) {
    let mut steps: Vec<f64> = sorted.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if steps.is_empty() {
        return (None, true);
    }
    steps.sort_by(f64::total_cmp);
    let median = steps[steps.len() / 2];
    (Some(median), steps.iter().all(|step| (step - median).abs() <= 1e-3 * median.abs()))
}
