//! How deep, on levels that follow the terrain.

use std::sync::Arc;

use ndarray::Array2;

use super::columns::fixed_layers;
use super::depth::Depth;
use super::field::SpaceAxis;
use super::select::SelectError;
use super::select_depth::DepthChoice;
use super::selection::Selection;
use super::terrain::{Points, Target, TerrainLevels};
use crate::cf::OceanFormula;
use crate::dataset::{Dataset, Terrain, Variable};

/// Resolves a depth on terrain-following levels; `rows` and `columns` are the stored cells of the field.
pub(crate) fn resolve_terrain(
    dataset: &Dataset,
    variable: &Variable,
    terrain: &Terrain,
    wanted: Option<Depth>,
    cells: (&[usize], &[usize], Option<&Array2<bool>>),
    notes: &mut Vec<String>,
) -> Result<DepthChoice, SelectError> {
    let mut order: Vec<usize> = (0..terrain.levels.len()).collect();
    // Sigma levels lie above those of fixed height, which rise towards the surface.
    let height = |k: usize| {
        let level = &terrain.levels[k];
        if level.s.is_finite() { level.s } else { level.z - 2.0 }
    };
    order.sort_by(|&a, &b| height(b).total_cmp(&height(a)));
    let name = &terrain.name;
    let one = |k: usize| DepthChoice {
        axis: Some(SpaceAxis {
            indices: vec![k],
            values: vec![f64::NAN],
            bounds: vec![[f64::NAN; 2]],
            squeezed: true,
        }),
        varies: true,
        ..DepthChoice::default()
    };
    match (wanted, order.first(), order.last()) {
        (Some(Depth::Surface), Some(&top), _) => {
            notes.push(format!("the surface is the uppermost level of `{name}`, whose depth varies"));
            return Ok(one(top));
        }
        (Some(Depth::Bottom), _, Some(&lowest)) if terrain.formula != OceanFormula::SigmaZ => {
            notes.push(format!("the bottom is the lowest level of `{name}`, which follows the sea floor"));
            return Ok(one(lowest));
        }
        (Some(Depth::Bottom), _, _) => {
            return Err(SelectError::Terrain {
                variable: variable.name.clone(),
                coordinate: name.clone(),
                problem: "its lower levels have fixed heights, so that no one level is the bottom; select {\"range\": [top, bottom]}".to_owned(),
            });
        }
        _ => {}
    }
    let floor = floor_of(dataset, variable, terrain, (cells.0, cells.1))?;
    let inside = |at: [usize; 2]| cells.2.is_none_or(|mask| mask[at]);
    let deepest = floor
        .indexed_iter()
        .filter(|((y, x), depth)| depth.is_finite() && inside([*y, *x]))
        .fold(f64::NEG_INFINITY, |deepest, (_, &depth)| deepest.max(depth));
    let outside = |wanted: String| SelectError::DepthOutside { wanted, top: 0.0, bottom: deepest };
    let reference = match terrain.eta {
        Some(eta) => format!("with the surface of `{}`", dataset.store().variables()[eta].name),
        None => "with a still surface".to_owned(),
    };
    let (target, axis) = match wanted {
        Some(Depth::At(metres)) => {
            if metres > deepest {
                return Err(outside(format!("{metres} m")));
            }
            notes.push(format!(
                "`{name}` follows the terrain: values at {metres} m are interpolated linearly in each column, {reference}; \
                 there is none below the sea floor"
            ));
            let axis = SpaceAxis {
                indices: order.clone(),
                values: vec![metres],
                bounds: vec![[metres, metres]],
                squeezed: true,
            };
            (Target::At(metres), axis)
        }
        other => {
            let [from, to] = match other {
                Some(Depth::Range(range)) => range,
                _ => [0.0, deepest],
            };
            if from >= deepest || to <= from {
                return Err(outside(format!("{from} to {to} m")));
            }
            if to > deepest {
                notes.push(format!(
                    "the sea floor is nowhere below {deepest} m, above {to} m; the range was clipped"
                ));
            }
            let layers = fixed_layers(from, to.min(deepest));
            notes.push(format!(
                "`{name}` follows the terrain: each column is averaged onto {} layers of fixed depth from {from} to {} m, \
                 weighted by thickness, {reference}",
                layers.len(),
                to.min(deepest)
            ));
            let axis = SpaceAxis {
                indices: order.clone(),
                values: layers.iter().map(|layer| f64::midpoint(layer[0], layer[1])).collect(),
                bounds: layers.clone(),
                squeezed: false,
            };
            (Target::Layers(layers), axis)
        }
    };
    let levels = TerrainLevels { terrain: terrain.clone(), order, target, floor };
    Ok(DepthChoice { axis: Some(axis), terrain: Some(Arc::new(levels)), ..DepthChoice::default() })
}

/// The depth of the floor below the datum, in the cells of the field.
fn floor_of(
    dataset: &Dataset,
    variable: &Variable,
    terrain: &Terrain,
    (rows, columns): (&[usize], &[usize]),
) -> Result<Array2<f64>, SelectError> {
    let store = dataset.store();
    let refused = |problem: String| SelectError::Terrain {
        variable: variable.name.clone(),
        coordinate: terrain.name.clone(),
        problem,
    };
    let stored = &store.variables()[variable.index];
    let depth = &store.variables()[terrain.depth];
    let places = variable.places();
    let points = Points::of(depth, stored, places).ok_or_else(|| {
        refused(format!(
            "the depth of the sea floor `{}` is on other points; select \"surface\" or \"bottom\", or interpolate it to these",
            depth.name
        ))
    })?;
    let (values, _) =
        points.read(store, terrain.depth, None, rows, columns).map_err(|error| refused(error.to_string()))?;
    let floor = values.index_axis_move(ndarray::Axis(0), 0);
    if floor.iter().all(|depth| !depth.is_finite() || *depth <= 0.0) {
        return Err(refused(format!("`{}` has no depth below the datum here", depth.name)));
    }
    Ok(floor)
}

/// The depth that a selection asks for.
pub(crate) fn wanted_depth(selection: &Selection) -> Option<Depth> {
    let surface =
        crate::cf::Quantity::from_word(&selection.variable) == Some(crate::cf::Quantity::SurfaceTemperature);
    match selection.depth {
        None if surface => Some(Depth::Surface),
        other => other,
    }
}
