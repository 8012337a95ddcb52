//! A store in memory: results of tools, tables and tests, seen as datasets.

use leg_core::digest::{Digest, Domain, Hasher};
use ndarray::{ArrayD, Slice};
use serde_json::{Value, json};

use super::store::{ChunkBytes, ElementType, ReadError, Store, StoredBlock, StoredVariable, Window};
use crate::cf::{Attribute, Attributes};

/// Elements of a piece that a walk reads at once.
const PIECE: usize = 512 * 1024;

/// An array for a [`MemoryStore`].
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryVariable {
    /// Name.
    pub name: String,
    /// Names of the dimensions, slowest first.
    pub dims: Vec<String>,
    /// Values; NaN is missing.
    pub values: ArrayD<f64>,
    /// CF attributes: `units`, `standard_name`, `calendar`, `bounds` …
    pub attributes: Attributes,
}

impl MemoryVariable {
    /// An array without attributes.
    pub fn new(name: &str, dims: &[&str], values: ArrayD<f64>) -> Self {
        Self {
            name: name.to_owned(),
            dims: dims.iter().map(|&dim| dim.to_owned()).collect(),
            values,
            attributes: Attributes::new(),
        }
    }

    /// Adds a text attribute.
    #[must_use]
    pub fn with(mut self, key: &str, text: &str) -> Self {
        self.attributes.insert(key.to_owned(), Attribute::Text(text.to_owned()));
        self
    }
}

/// Two arrays that do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// An array has another number of dimensions than names for them.
    #[error("`{name}` has {found} dimensions and {named} names for them; name each dimension once")]
    Dimensions {
        /// The array.
        name: String,
        /// Its dimensions.
        found: usize,
        /// The names given.
        named: usize,
    },
    /// A dimension has two lengths.
    #[error("dimension `{dimension}` of `{name}` has length {found} and elsewhere {expected}")]
    Length {
        /// The array.
        name: String,
        /// The dimension.
        dimension: String,
        /// Its length here.
        found: usize,
        /// Its length elsewhere.
        expected: usize,
    },
    /// Two arrays have one name.
    #[error("there are two arrays `{name}`; give each a name of its own")]
    Duplicate {
        /// The name.
        name: String,
    },
}

/// Arrays in memory behind the port that files have, so that what a tool computed is read like a dataset.
///
/// ```
/// use std::sync::Arc;
///
/// use ndarray::arr1;
/// use ocean_data::Dataset;
/// use ocean_data::dataset::{MemoryStore, MemoryVariable};
///
/// let depth = MemoryVariable::new("depth", &["depth"], arr1(&[5.0, 15.0]).into_dyn())
///     .with("units", "m")
///     .with("positive", "down");
/// let speed = MemoryVariable::new("speed", &["depth"], arr1(&[0.3, 0.1]).into_dyn()).with("units", "m s-1");
/// let store = MemoryStore::new("memory", vec![depth, speed])?;
/// let dataset = Dataset::from_store("memory:speed", Arc::new(store))?;
/// assert_eq!(dataset.variables()[0].name, "speed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MemoryStore {
    format: String,
    stored: Vec<StoredVariable>,
    arrays: Vec<ArrayD<f64>>,
    attributes: Attributes,
}

impl MemoryStore {
    /// A store of these arrays; `format` is what descriptions call it.
    ///
    /// # Errors
    /// [`MemoryError`] when dimensions do not fit together.
    pub fn new(format: &str, variables: Vec<MemoryVariable>) -> Result<Self, MemoryError> {
        let mut stored: Vec<StoredVariable> = Vec::with_capacity(variables.len());
        let mut arrays = Vec::with_capacity(variables.len());
        for variable in variables {
            let shape = variable.values.shape().to_vec();
            check(&variable, &stored)?;
            stored.push(StoredVariable {
                dimensions: variable.dims.into_iter().zip(shape.iter().copied()).collect(),
                name: variable.name,
                element: ElementType::Number("float64"),
                attributes: variable.attributes,
                chunk_shape: pieces(&shape),
                is_chunked: true,
                fill_value: None,
                is_packed_in_single: false,
            });
            arrays.push(variable.values);
        }
        Ok(Self { format: format.to_owned(), stored, arrays, attributes: Attributes::new() })
    }
}

fn check(variable: &MemoryVariable, stored: &[StoredVariable]) -> Result<(), MemoryError> {
    let shape = variable.values.shape();
    let name = || variable.name.clone();
    if shape.len() != variable.dims.len() {
        return Err(MemoryError::Dimensions { name: name(), found: shape.len(), named: variable.dims.len() });
    }
    if stored.iter().any(|other| other.name == variable.name) {
        return Err(MemoryError::Duplicate { name: name() });
    }
    let known = stored.iter().flat_map(|other| &other.dimensions);
    for (dimension, expected) in known {
        let here = variable.dims.iter().zip(shape).find(|(own, _)| *own == dimension);
        if let Some((_, &found)) = here.filter(|(_, found)| *found != expected) {
            return Err(MemoryError::Length {
                name: name(),
                dimension: dimension.clone(),
                found,
                expected: *expected,
            });
        }
    }
    Ok(())
}

fn digest_of(values: &ArrayD<f64>) -> Digest {
    let mut hasher = Hasher::new(Domain::Chunk);
    for value in values {
        hasher.update(&value.to_le_bytes());
    }
    hasher.finish()
}

/// Whole slabs of the first dimensions, as many as fit into a piece.
fn pieces(shape: &[usize]) -> Vec<usize> {
    let mut chunk = vec![1; shape.len()];
    let mut size = 1_usize;
    for (length, &whole) in chunk.iter_mut().zip(shape).rev() {
        *length = whole.min((PIECE / size).max(1)).max(1);
        size *= *length;
        if *length < whole {
            break;
        }
    }
    chunk
}

impl Store for MemoryStore {
    fn format(&self) -> &str {
        &self.format
    }

    fn variables(&self) -> &[StoredVariable] {
        &self.stored
    }

    fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    fn read(&self, index: usize, window: &Window) -> Result<StoredBlock, ReadError> {
        let values = self.arrays[index]
            .slice_each_axis(|axis| {
                let at = axis.axis.index();
                Slice::from(window.start[at]..window.start[at] + window.shape[at])
            })
            .to_owned();
        let chunk = ChunkBytes { digest: digest_of(&values), bytes: values.len() as u64 * 8, raw: false };
        Ok(StoredBlock { values, chunks: vec![chunk] })
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        let arrays: Vec<Value> = self
            .stored
            .iter()
            .zip(&self.arrays)
            .map(|(stored, array)| json!({ "name": stored.name, "digest": digest_of(array) }))
            .collect();
        Ok(Value::Array(arrays))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ndarray::{Array, IxDyn};

    use super::*;
    use crate::Dataset;
    use crate::field::Selection;

    fn axis(name: &str, values: &[f64], units: &str) -> MemoryVariable {
        MemoryVariable::new(name, &[name], Array::from_vec(values.to_vec()).into_dyn()).with("units", units)
    }

    #[test]
    fn arrays_are_read_like_a_file() {
        let values = Array::from_shape_fn(IxDyn(&[3, 2, 4]), |at| (at[0] * 100 + at[1] * 10 + at[2]) as f64);
        let store = MemoryStore::new(
            "memory",
            vec![
                axis("time", &[0.0, 1.0, 2.0], "days since 2000-01-01"),
                axis("lat", &[10.0, -10.0], "degrees_north"),
                axis("lon", &[0.0, 90.0, 180.0, 270.0], "degrees_east"),
                MemoryVariable::new("t", &["time", "lat", "lon"], values).with("units", "degC"),
            ],
        )
        .unwrap();
        let dataset = Dataset::from_store("memory:t", Arc::new(store)).unwrap();
        let field = dataset.select(&Selection::of("t")).unwrap();
        assert_eq!(field.dims(), ["time", "lat", "lon"]);
        let read = field.read(1 << 20).unwrap();
        // Fields present latitudes from south to north.
        assert_eq!(read[[2, 0, 0, 3]].to_bits(), 213.0_f64.to_bits());
        assert_eq!(read[[1, 0, 1, 0]].to_bits(), 100.0_f64.to_bits());
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let two = axis("x", &[0.0, 1.0], "m");
        let wrong = MemoryVariable::new("v", &["x"], Array::zeros(IxDyn(&[3])));
        assert_eq!(
            MemoryStore::new("m", vec![two.clone(), wrong]).unwrap_err(),
            MemoryError::Length { name: "v".into(), dimension: "x".into(), found: 3, expected: 2 }
        );
        assert!(matches!(MemoryStore::new("m", vec![two.clone(), two]), Err(MemoryError::Duplicate { .. })));
        let bare = MemoryVariable::new("v", &[], Array::zeros(IxDyn(&[3])));
        assert!(matches!(MemoryStore::new("m", vec![bare]), Err(MemoryError::Dimensions { .. })));
    }

    #[test]
    fn pieces_are_whole_slabs() {
        assert_eq!(pieces(&[1000, 100, 100]), [52, 100, 100]);
        assert_eq!(pieces(&[4, 5]), [4, 5]);
        assert_eq!(pieces(&[3, 2_000_000]), [1, 512 * 1024]);
        assert!(pieces(&[]).is_empty());
    }
}
