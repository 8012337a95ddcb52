//! Which parts are joined along time and which stand beside each other.

use std::sync::Arc;

use super::concat::Concatenated;
use super::side_by_side::SideBySide;
use crate::dataset::grid::Grid;
use crate::dataset::open::OpenError;
use crate::dataset::store::Store;

/// An open part with its address.
pub(crate) struct Part {
    pub(crate) address: String,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) grid: Grid,
}

/// One store out of several: parts with the same variables follow each other in time; parts with others stand beside
/// them.
pub(crate) fn join(stores: Vec<(String, Arc<dyn Store>)>) -> Result<Arc<dyn Store>, OpenError> {
    let mut groups: Vec<(Vec<String>, Vec<Part>)> = Vec::new();
    for (address, store) in stores {
        let grid = Grid::read(store.as_ref())?;
        let mut names: Vec<String> = grid
            .variables
            .iter()
            .filter(|variable| !variable.dimensions.is_empty())
            .map(|variable| variable.name.clone())
            .collect();
        names.sort();
        let part = Part { address, store, grid };
        match groups.iter_mut().find(|group| group.0 == names) {
            Some(group) => group.1.push(part),
            None => groups.push((names, vec![part])),
        }
    }
    let mut joined = Vec::new();
    for (_, mut parts) in groups {
        joined.push(match parts.len() {
            1 => parts.remove(0),
            _ => concatenate(parts)?,
        });
    }
    if joined.len() == 1 {
        return Ok(joined.remove(0).store);
    }
    Ok(Arc::new(SideBySide::new(joined)?))
}

fn concatenate(parts: Vec<Part>) -> Result<Part, OpenError> {
    let address = parts[0].address.clone();
    let store: Arc<dyn Store> = Arc::new(Concatenated::new(parts)?);
    let grid = Grid::read(store.as_ref())?;
    Ok(Part { address, store, grid })
}
