//! Data variables and the coordinates of their dimensions.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::{Grid, is_own_dimension};
use super::mesh::mesh_of;
use super::store::StoredVariable;
use super::variable::{Dimension, Variable};
use crate::cf::{Attribute, Axis, Packing, Quantity, base_name};

/// Where a coordinate variable went: axis and position in the list of that axis.
pub(crate) type Found = BTreeMap<usize, (Axis, usize)>;

/// What is known about a data variable.
pub(crate) fn data_variable(stored: &[StoredVariable], found: &Found, grid: &Grid, index: usize) -> Variable {
    let variable = &stored[index];
    let text = |key: &str| {
        variable.attributes.get(key).and_then(Attribute::as_text).filter(|t| !t.is_empty()).map(str::to_owned)
    };
    let standard_name =
        text("standard_name").map(|name| name.split_whitespace().next().unwrap_or("").to_owned());
    let quantity = Quantity::of_variable(&variable.name, standard_name.as_deref());
    let mut used = BTreeSet::new();
    let meshes = &grid.meshes;
    let mesh = mesh_of(stored, meshes, variable);
    let mut dimensions: Vec<Dimension> = (variable.dimensions.iter())
        .map(|(name, length)| {
            let over_nodes = meshes.iter().any(|mesh| mesh.dimensions == [name.as_str()]);
            let hit = coordinate_of(stored, found, variable, name)
                .filter(|hit| !(over_nodes && matches!(hit.0, Axis::Latitude | Axis::Longitude)))
                .filter(|hit| used.insert(hit.0));
            Dimension {
                name: name.clone(),
                length: *length,
                axis: hit.map(|hit| hit.0),
                coordinate: hit.map(|hit| hit.1),
            }
        })
        .collect();
    let follows = |name: &str| grid.terrains.iter().position(|terrain| terrain.dimension == name);
    let mut terrain = None;
    for dimension in &mut dimensions {
        if let Some(found) = follows(&dimension.name).filter(|_| terrain.is_none()) {
            // Depths vary from column to column, so that there is no coordinate.
            (dimension.axis, dimension.coordinate) = (Some(Axis::Depth), None);
            terrain = Some(found);
        }
    }
    let has = |dimensions: &[Dimension], axis| dimensions.iter().any(|d| d.axis == Some(axis));
    let on_axes = has(&dimensions, Axis::Latitude) && has(&dimensions, Axis::Longitude);
    // Axes of an index or a nominal position do not hold against positions that the variable names.
    let mesh = mesh.filter(|(link, named)| {
        // A dimension with a time of its own is a track or a list of casts.
        let free = |at: usize| !matches!(dimensions[at].axis, Some(Axis::Time | Axis::Depth));
        (*named || !on_axes) && free(link.x) && link.y.is_none_or(free)
    });
    let mesh = mesh.map(|found| found.0);
    let mut is_curvilinear = false;
    let mut link = None;
    if let Some(found) = mesh {
        let places = [found.y.unwrap_or(found.x), found.x];
        if let (Some(axes), Some(_)) = (&meshes[found.mesh].axes, found.y) {
            if !on_axes {
                let (lat, lon) = (places[axes.lat_dimension], places[1 - axes.lat_dimension]);
                (dimensions[lat].axis, dimensions[lat].coordinate) = (Some(Axis::Latitude), Some(axes.lat));
                (dimensions[lon].axis, dimensions[lon].coordinate) = (Some(Axis::Longitude), Some(axes.lon));
            }
        } else {
            is_curvilinear = found.y.is_some();
            link = Some(found);
            for dimension in &mut dimensions {
                if matches!(dimension.axis, Some(Axis::Latitude | Axis::Longitude)) {
                    (dimension.axis, dimension.coordinate) = (None, None);
                }
            }
        }
    }
    let named = text("coordinates").unwrap_or_default();
    let is_scalar = |at: usize| {
        let coordinate = &stored[at];
        let own = |name: &str| variable.dimensions.iter().any(|dimension| dimension.0 == name);
        coordinate.len() == 1
            && !coordinate.dimensions.iter().any(|dimension| own(&dimension.0))
            && named.split_whitespace().any(|name| name == base_name(&coordinate.name))
    };
    let scalars = found
        .iter()
        .filter(|(at, (axis, _))| is_scalar(**at) && !dimensions.iter().any(|d| d.axis == Some(*axis)))
        .map(|(_, hit)| *hit)
        .collect();
    Variable {
        name: variable.name.clone(),
        long_name: text("long_name"),
        units: text("units"),
        quantity: quantity.map(|q| q.0),
        quantity_reason: quantity.map(|q| q.1),
        stored_type: variable.element.to_string(),
        dimensions,
        is_curvilinear,
        mesh: link,
        cell_methods: text("cell_methods"),
        scalars,
        terrain,
        index,
        packing: Packing::from_attributes(&variable.attributes, variable.fill_value),
        standard_name,
    }
}

/// The coordinate of a dimension: the variable of its name in the nearest group; otherwise a 1-D variable over it.
fn coordinate_of(
    stored: &[StoredVariable],
    found: &Found,
    variable: &StoredVariable,
    dimension: &str,
) -> Option<(Axis, usize)> {
    let mut prefix = variable.name.rsplit_once('/').map_or("", |split| split.0);
    loop {
        let wanted = if prefix.is_empty() { dimension.to_owned() } else { format!("{prefix}/{dimension}") };
        let hit =
            stored.iter().position(|s| s.name == wanted && is_own_dimension(s)).and_then(|i| found.get(&i));
        if let Some(&hit) = hit {
            return Some(hit);
        }
        if prefix.is_empty() {
            break;
        }
        prefix = prefix.rsplit_once('/').map_or("", |split| split.0);
    }
    let named = variable.attributes.get("coordinates").and_then(Attribute::as_text).unwrap_or("");
    let over = |index: usize| {
        let candidate = &stored[index];
        candidate.dimensions.len() == 1 && candidate.dimensions[0].0 == dimension
    };
    let mut candidates: Vec<usize> = found.keys().copied().filter(|&index| over(index)).collect();
    candidates.sort_by_key(|&index| !named.split_whitespace().any(|n| n == base_name(&stored[index].name)));
    candidates.first().and_then(|index| found.get(index)).copied()
}
