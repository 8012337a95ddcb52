//! Data variables and the coordinates of their dimensions.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::{is_horizontal, is_own_dimension};
use super::store::StoredVariable;
use super::variable::{Dimension, Variable};
use crate::cf::{Attribute, Axis, Packing, Quantity, base_name};

/// Where a coordinate variable went: axis and position in the list of that axis.
pub(crate) type Found = BTreeMap<usize, (Axis, usize)>;

/// What is known about a data variable.
pub(crate) fn data_variable(stored: &[StoredVariable], found: &Found, index: usize) -> Variable {
    let variable = &stored[index];
    let text = |key: &str| {
        variable.attributes.get(key).and_then(Attribute::as_text).filter(|t| !t.is_empty()).map(str::to_owned)
    };
    let standard_name =
        text("standard_name").map(|name| name.split_whitespace().next().unwrap_or("").to_owned());
    let quantity = Quantity::of_variable(&variable.name, standard_name.as_deref());
    let mut used = BTreeSet::new();
    let dimensions = (variable.dimensions.iter())
        .map(|(name, length)| {
            let hit = coordinate_of(stored, found, variable, name).filter(|hit| used.insert(hit.0));
            Dimension {
                name: name.clone(),
                length: *length,
                axis: hit.map(|hit| hit.0),
                coordinate: hit.map(|hit| hit.1),
            }
        })
        .collect();
    Variable {
        name: variable.name.clone(),
        long_name: text("long_name"),
        units: text("units"),
        quantity: quantity.map(|q| q.0),
        quantity_reason: quantity.map(|q| q.1),
        stored_type: variable.element.to_string(),
        dimensions,
        is_curvilinear: is_curvilinear(stored, variable),
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

/// Whether a 2-D latitude and longitude lie over two dimensions of the variable.
fn is_curvilinear(stored: &[StoredVariable], variable: &StoredVariable) -> bool {
    let over = |candidate: &StoredVariable| {
        candidate.dimensions.len() == 2
            && candidate.dimensions.iter().all(|d| variable.dimensions.iter().any(|own| own.0 == d.0))
    };
    stored
        .iter()
        .any(|candidate| over(candidate) && is_horizontal(candidate) && candidate.name != variable.name)
}
