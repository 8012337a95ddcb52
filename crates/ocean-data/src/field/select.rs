//! From a selection to the indices of a field.

use std::sync::{Arc, OnceLock};

use super::field::Field;
use super::select_depth::resolve_depth;
use super::select_horizontal::resolve_horizontal;
use super::select_time::resolve_time;
use super::selection::Selection;
use crate::cf::{CalendarError, Conversion, Quantity};
use crate::dataset::{Dataset, Variable, VariableError};

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
    /// The name means several regions.
    #[error("`{name}` could be any of: {}; give one of these names, or a box {{\"lon\": [w, e], \"lat\": [s, n]}}", candidates.join(", "))]
    AmbiguousRegion {
        /// The name.
        name: String,
        /// The regions it may mean.
        candidates: Vec<String>,
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
        "\"mixed_layer\" is no fixed depth: it takes temperature and salinity; compute the mixed layer depth with `identify_mixed_layer_depth` and give it to `compute_mixed_layer_mean`, or select {{\"range\": [0, depth]}}"
    )]
    MixedLayer,
    /// The levels follow the terrain and the choice has no meaning on them.
    #[error("`{variable}` is on the terrain-following levels `{coordinate}`: {problem}")]
    Terrain {
        /// The variable.
        variable: String,
        /// The vertical coordinate.
        coordinate: String,
        /// Why, and what to do.
        problem: String,
    },
    /// The region is a line.
    #[error("a path cannot be selected as a field; use a tool for sections, or give a box around it")]
    Path,
    /// A region was asked for and the variable has no map.
    #[error("`{variable}` has no latitude and longitude axes; leave out region")]
    NoHorizontalAxes {
        /// The variable.
        variable: String,
    },
    /// A coordinate of the variable cannot be decoded.
    #[error(
        "`{variable}` cannot be selected because its coordinate `{coordinate}` cannot be used: {problem}"
    )]
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
    check_dimensions(dataset, variable)?;
    substitution_note(variable, selection, &mut notes);
    if variable.packing.is_single() {
        notes.push(format!(
            "`{}` is unpacked in single precision, which is that of its packing attributes",
            variable.name
        ));
    }
    let time = resolve_time(dataset, variable, selection, &mut notes)?;
    let horizontal = resolve_horizontal(dataset, variable, selection, &mut notes)?;
    let depth = resolve_depth(dataset, variable, selection, &horizontal, &mut notes)?;
    direction_note(variable, &mut notes);
    Ok(Field {
        dataset: Arc::clone(dataset),
        variable: Arc::new(variable.clone()),
        selection: selection.clone(),
        time,
        depth: depth.axis,
        depth_varies: depth.varies,
        terrain: depth.terrain,
        lat: horizontal.lat,
        lon: horizontal.lon,
        mask: horizontal.mask.map(Arc::new),
        mesh: horizontal.mesh,
        places: variable.places(),
        bottom: depth.bottom.then(|| Arc::new(OnceLock::new())),
        depth_range: depth.range,
        units: variable.units.clone(),
        conversion: Conversion::IDENTITY,
        notes,
    })
}

fn check_dimensions(dataset: &Dataset, variable: &Variable) -> Result<(), SelectError> {
    let places = variable.places();
    let extra = |(at, d): &(usize, &crate::dataset::Dimension)| !places.contains(&Some(*at)) && d.length != 1;
    let Some((_, dimension)) = variable.dimensions.iter().enumerate().find(extra) else {
        return Ok(());
    };
    let variable = variable.name.clone();
    match dataset.grid().problems.get(&dimension.name) {
        Some(problem) => Err(SelectError::UnusableCoordinate {
            variable,
            coordinate: dimension.name.clone(),
            problem: problem.clone(),
        }),
        None => Err(SelectError::ExtraDimension {
            variable,
            dimension: dimension.name.clone(),
            length: dimension.length,
        }),
    }
}

/// A component of a velocity on a grid without axes may run along the grid.
fn direction_note(variable: &Variable, notes: &mut Vec<String>) {
    let component = matches!(
        variable.quantity,
        Some(Quantity::Eastward | Quantity::Northward | Quantity::EastwardWind | Quantity::NorthwardWind)
    );
    let name = variable.standard_name.as_deref().unwrap_or("");
    let is_true = name.contains("eastward") || name.contains("northward");
    let along_grid = name.contains("_x_") || name.contains("_y_") || (variable.is_curvilinear && !is_true);
    if component && along_grid {
        notes.push(format!(
            "`{}` runs along the rows or columns of its grid, which need not be east or north; turn both components before \
             they are compared with others",
            variable.name
        ));
    }
}

fn substitution_note(variable: &Variable, selection: &Selection, notes: &mut Vec<String>) {
    let asked = Quantity::from_word(&selection.variable);
    if let (Some(asked), Some(found)) = (asked, variable.quantity)
        && asked != found
    {
        notes.push(format!(
            "`{}` is not in the data; `{}` ({}) stands in for it",
            asked.word(),
            variable.name,
            found.word()
        ));
    }
}
