//! A store whose variables have units that their file does not say.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::loaded::Loaded;
use super::prefetch::Prefetch;
use super::store::{ReadError, Store, StoredBlock, StoredVariable, Window};
use crate::cf::{Attribute, Attributes};

/// A store with added units.
#[derive(Debug)]
pub(crate) struct Configured {
    inner: Arc<dyn Store>,
    variables: Vec<StoredVariable>,
}

impl Configured {
    /// Adds units where a variable has none.
    pub(crate) fn new(inner: Arc<dyn Store>, units: &BTreeMap<String, String>) -> Self {
        let mut variables = inner.variables().to_vec();
        for variable in &mut variables {
            let said = variable.attributes.get("units").and_then(Attribute::as_text).unwrap_or("");
            if let Some(units) = units.get(&variable.name).filter(|_| said.is_empty()) {
                variable.attributes.insert("units".to_owned(), Attribute::Text(units.clone()));
            }
        }
        Self { inner, variables }
    }
}

impl Store for Configured {
    fn format(&self) -> &str {
        self.inner.format()
    }

    fn variables(&self) -> &[StoredVariable] {
        &self.variables
    }

    fn attributes(&self) -> &Attributes {
        self.inner.attributes()
    }

    fn read(&self, index: usize, window: &Window) -> Result<StoredBlock, ReadError> {
        self.inner.read(index, window)
    }

    fn load(&self, index: usize, window: &Window) -> Result<Loaded, ReadError> {
        self.inner.load(index, window)
    }

    fn prefetch(&self, index: usize, windows: &[Window]) -> Prefetch {
        self.inner.prefetch(index, windows)
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        self.inner.fingerprint()
    }
}
