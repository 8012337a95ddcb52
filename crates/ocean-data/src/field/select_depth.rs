//! How deep: the levels of a choice of depth.

use std::sync::Arc;

use super::depth::Depth;
use super::field::SpaceAxis;
use super::pick::{nearest_index, one_level, scalar_coordinate, sorted_axis, space_coordinate};
use super::region::EDGE;
use super::select::SelectError;
use super::select_horizontal::Horizontal;
use super::select_terrain::{resolve_terrain, wanted_depth};
use super::selection::Selection;
use super::terrain::TerrainLevels;
use crate::cf::Axis;
use crate::dataset::{Dataset, Variable, plain};

/// A level whose centre is deeper than this, in metres, is the surface only when it begins above [`SURFACE_EDGE`].
const DEEPEST_SURFACE: f64 = 25.0;
/// See [`DEEPEST_SURFACE`].
const SURFACE_EDGE: f64 = 10.0;

/// The levels of a choice of depth.
#[derive(Default)]
pub(crate) struct DepthChoice {
    pub(crate) axis: Option<SpaceAxis>,
    /// Whether the deepest wet cell is wanted; `axis` then lists all levels.
    pub(crate) bottom: bool,
    /// The limits that layers are clipped to.
    pub(crate) range: Option<[f64; 2]>,
    /// What is made of terrain-following levels; `axis` then lists the stored levels and the depths presented.
    pub(crate) terrain: Option<Arc<TerrainLevels>>,
    /// Whether the depth of the level varies from place to place.
    pub(crate) varies: bool,
}

/// Resolves the depth.
pub(crate) fn resolve_depth(
    dataset: &Dataset,
    variable: &Variable,
    selection: &Selection,
    horizontal: &Horizontal,
    notes: &mut Vec<String>,
) -> Result<DepthChoice, SelectError> {
    let choice = |axis| DepthChoice { axis, ..DepthChoice::default() };
    let wanted = match wanted_depth(selection) {
        Some(Depth::MixedLayer) => return Err(SelectError::MixedLayer),
        other => other,
    };
    if let Some(terrain) = variable.terrain.and_then(|at| dataset.grid().terrains.get(at)) {
        let (rows, columns) = horizontal.indices();
        let cells = (rows.as_slice(), columns.as_slice(), horizontal.mask.as_ref());
        return resolve_terrain(dataset, variable, terrain, wanted, cells, notes);
    }
    let scalar = scalar_coordinate(dataset, variable, Axis::Depth);
    let Some(coordinate) = space_coordinate(dataset, variable, Axis::Depth).or(scalar) else {
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
    if scalar.is_some() && matches!(wanted, None | Some(Depth::Column)) {
        notes.push(format!("the data are at {} m (`{}`)", plain(all.values[0]), coordinate.name));
        return Ok(choice(Some(one_level(&all, 0))));
    }
    match wanted {
        None | Some(Depth::Column) => Ok(choice(Some(all))),
        Some(Depth::MixedLayer) => Err(SelectError::MixedLayer),
        Some(Depth::Surface) => {
            let at = nearest_index(&all.values, f64::abs).unwrap_or(0);
            // A level that neither lies near the surface nor reaches to it is another place.
            if all.values[at] > DEEPEST_SURFACE && all.bounds[at][0] > SURFACE_EDGE {
                return Err(SelectError::DepthOutside { wanted: "\"surface\"".to_owned(), top, bottom });
            }
            notes.push(format!("the surface is the level at {} m", plain(all.values[at])));
            Ok(choice(Some(one_level(&all, at))))
        }
        Some(Depth::Bottom) if scalar.is_some() => {
            Err(SelectError::NoDepthAxis { variable: variable.name.clone() })
        }
        Some(Depth::Bottom) => {
            notes.push("the bottom is the deepest cell of each column that ever has a value".to_owned());
            Ok(DepthChoice { axis: Some(all), bottom: true, ..DepthChoice::default() })
        }
        Some(Depth::At(metres)) => {
            let outside = || SelectError::DepthOutside { wanted: format!("{metres} m"), top, bottom };
            let at = level(metres)
                .filter(|_| metres >= top - EDGE && metres <= bottom + EDGE)
                .ok_or_else(outside)?;
            notes.push(format!("the level nearest {metres} m is at {} m", plain(all.values[at])));
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
                    near.iter().flatten().map(|&at| format!("{} m", plain(all.values[at]))).collect();
                levels.dedup();
                return Err(SelectError::NoLevels { range: [from, to], levels });
            }
            if to > bottom + EDGE {
                notes.push(format!("the data end at {bottom} m, above {to} m; the range was clipped"));
            }
            let axis = if scalar.is_some() { one_level(&inside, 0) } else { inside };
            Ok(DepthChoice { axis: Some(axis), range: Some([from, to]), ..DepthChoice::default() })
        }
    }
}
