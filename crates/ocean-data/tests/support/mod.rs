//! A store in memory whose values are given by functions of the stored indices.

use std::sync::Arc;

use leg_core::digest::{Digest, Domain};
use ndarray::{ArrayD, IxDyn};
use ocean_data::cf::{Attribute, Attributes};
use ocean_data::dataset::{
    ChunkBytes, Dataset, ElementType, ReadError, Store, StoredBlock, StoredVariable, Window,
};
use serde_json::{Value, json};

#[derive(Debug, Default)]
struct Memory {
    variables: Vec<StoredVariable>,
    data: Vec<ArrayD<f64>>,
    attributes: Attributes,
}

impl Store for Memory {
    fn format(&self) -> &'static str {
        "memory"
    }

    fn variables(&self) -> &[StoredVariable] {
        &self.variables
    }

    fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    fn read(&self, index: usize, window: &Window) -> Result<StoredBlock, ReadError> {
        let values = self.data[index]
            .slice_each_axis(|axis| {
                let at = axis.axis.index();
                ndarray::Slice::from(window.start[at]..window.start[at] + window.shape[at])
            })
            .to_owned();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let digest = Digest::of(Domain::Chunk, &bytes);
        Ok(StoredBlock { values, chunks: vec![ChunkBytes { digest, bytes: bytes.len() as u64, raw: false }] })
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        Ok(json!("memory"))
    }
}

/// Builds a store.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    store: Memory,
}

impl Builder {
    /// Adds a variable; an attribute that reads as a number is one.
    pub(crate) fn add(
        mut self,
        name: &str,
        dims: &[(&str, usize)],
        chunks: &[usize],
        attributes: &[(&str, &str)],
        value: impl Fn(&[usize]) -> f64,
    ) -> Self {
        let shape: Vec<usize> = dims.iter().map(|d| d.1).collect();
        let values = ArrayD::from_shape_fn(IxDyn(&shape), |at| value(ndarray::Dimension::slice(&at)));
        self.store.data.push(values);
        let attribute = |&(key, text): &(&str, &str)| {
            let number = text.parse().map(|n: f64| Attribute::Numbers(vec![n]));
            (key.to_owned(), number.unwrap_or_else(|_| Attribute::Text(text.to_owned())))
        };
        self.store.variables.push(StoredVariable {
            name: name.to_owned(),
            dimensions: dims.iter().map(|&(name, length)| (name.to_owned(), length)).collect(),
            element: ElementType::Number("float64"),
            attributes: attributes.iter().map(attribute).collect(),
            chunk_shape: chunks.to_vec(),
            is_chunked: true,
            fill_value: None,
            is_packed_in_single: false,
        });
        self
    }

    /// Adds a coordinate over a dimension of its own.
    pub(crate) fn axis(self, name: &str, attributes: &[(&str, &str)], values: &[f64]) -> Self {
        self.add(name, &[(name, values.len())], &[values.len()], attributes, |at| values[at[0]])
    }

    /// Opens it.
    pub(crate) fn open(self) -> Arc<Dataset> {
        let port: Arc<dyn Store> = Arc::new(self.store);
        Dataset::from_store("memory:", port).unwrap_or_else(|error| panic!("{error}"))
    }
}
