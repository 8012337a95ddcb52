//! Stores with different variables on one grid as one.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::group::Part;
use super::same::difference;
use crate::cf::Attributes;
use crate::dataset::open::OpenError;
use crate::dataset::prefetch::Prefetch;
use crate::dataset::store::{ReadError, Store, StoredBlock, StoredVariable, Window};

/// Stores beside each other. Coordinates that several have are those of the first.
#[derive(Debug)]
pub(crate) struct SideBySide {
    format: String,
    stores: Vec<Arc<dyn Store>>,
    variables: Vec<StoredVariable>,
    /// Store and index in it of each variable.
    places: Vec<(usize, usize)>,
    attributes: Attributes,
}

impl SideBySide {
    /// Puts stores together; coordinates of one name must agree, data variables must have names of their own.
    pub(crate) fn new(parts: Vec<Part>) -> Result<Self, OpenError> {
        let mut variables: Vec<StoredVariable> = Vec::new();
        let mut places: Vec<(usize, usize)> = Vec::new();
        let mut lengths: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (at, part) in parts.iter().enumerate() {
            let refuse = |before: usize, detail: String| OpenError::NotJoinable {
                path: part.address.clone(),
                other: parts[before].address.clone(),
                detail,
            };
            for (index, variable) in part.store.variables().iter().enumerate() {
                for (name, length) in &variable.dimensions {
                    let known = lengths.entry(name.clone()).or_insert((*length, at));
                    if known.0 != *length {
                        let detail = format!("dimension `{name}` is {length} long and not {}", known.0);
                        return Err(refuse(known.1, detail));
                    }
                }
                let Some(seen) = variables.iter().position(|known| known.name == variable.name) else {
                    variables.push(variable.clone());
                    places.push((at, index));
                    continue;
                };
                let (store, place) = places[seen];
                if part
                    .grid
                    .variables
                    .iter()
                    .any(|data| data.name == variable.name && !data.dimensions.is_empty())
                {
                    return Err(refuse(store, format!("both have the variable `{}`", variable.name)));
                }
                let first = parts[store].store.as_ref();
                if let Some(detail) = difference(first, place, part.store.as_ref(), index)? {
                    return Err(refuse(store, detail));
                }
            }
        }
        let format = format!("{} in {} stores", parts[0].store.format(), parts.len());
        let attributes = parts[0].store.attributes().clone();
        let stores = parts.into_iter().map(|part| part.store).collect();
        Ok(Self { format, stores, variables, places, attributes })
    }
}

impl Store for SideBySide {
    fn format(&self) -> &str {
        &self.format
    }

    fn variables(&self) -> &[StoredVariable] {
        &self.variables
    }

    fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    fn read(&self, index: usize, window: &Window) -> Result<StoredBlock, ReadError> {
        let (store, place) = self.places[index];
        self.stores[store].read(place, window)
    }

    fn prefetch(&self, index: usize, windows: &[Window]) -> Prefetch {
        let (store, place) = self.places[index];
        self.stores[store].prefetch(place, windows)
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        let parts = self.stores.iter().map(|store| store.fingerprint()).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({ "stores": parts }))
    }
}
