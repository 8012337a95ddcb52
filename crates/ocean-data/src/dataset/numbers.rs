//! Whole small variables in memory: coordinates and their bounds.

use super::store::{ReadError, Store, Window};
use crate::cf::{Attribute, Packing};

/// All numbers of a stored variable, decoded.
pub(crate) fn read_numbers(store: &dyn Store, index: usize) -> Result<Vec<f64>, ReadError> {
    let variable = &store.variables()[index];
    let packing = Packing::from_attributes(&variable.attributes, variable.fill_value);
    let block = store.read(index, &Window::all(variable))?;
    let mut values: Vec<f64> = block.values.into_iter().collect();
    packing.decode_all(values.iter_mut());
    Ok(values)
}

/// The bounds of a coordinate, when the file has them in the usual shape.
pub(crate) fn read_bounds(store: &dyn Store, index: usize) -> Result<Option<Vec<[f64; 2]>>, ReadError> {
    let variable = &store.variables()[index];
    let Some(name) = variable.attributes.get("bounds").and_then(Attribute::as_text) else { return Ok(None) };
    let prefix = variable.name.rsplit_once('/').map_or(String::new(), |split| format!("{}/", split.0));
    let wanted = format!("{prefix}{name}");
    let Some(at) = store.variables().iter().position(|candidate| candidate.name == wanted) else {
        return Ok(None);
    };
    let bounds = &store.variables()[at];
    let fits = bounds.len() == variable.len() * 2
        && bounds.dimensions.last().is_some_and(|dimension| dimension.1 == 2)
        && bounds.element.is_numeric();
    if !fits {
        return Ok(None);
    }
    let values = read_numbers(store, at)?;
    Ok(Some(values.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()))
}
