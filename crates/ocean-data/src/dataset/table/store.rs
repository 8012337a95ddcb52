//! A table as a store: each column a variable over time, or over the rows.

use std::fmt;
use std::path::Path;

use leg_core::digest::{Digest, Domain};
use ndarray::{ArrayD, IxDyn};
use serde_json::Value;

use super::column::ColumnValues;
use super::table::Table;
use crate::cf::{Attribute, Attributes};
use crate::dataset::open::{OpenError, file_fingerprint};
use crate::dataset::store::{ChunkBytes, ElementType, ReadError, Store, StoredBlock, StoredVariable, Window};
use crate::dataset::zarr::Fingerprint;

/// Larger tables are refused; they are held in memory.
const MAX_BYTES: u64 = 1 << 30;
/// Units of the times of tables.
const TIME_UNITS: &str = "seconds since 1970-01-01 00:00:00";

/// An open table.
///
/// Rows whose times rise are the dimension `time`; others, such as the levels of stations, the dimension `obs`.
pub(crate) struct TableStore {
    address: String,
    variables: Vec<StoredVariable>,
    values: Vec<Vec<f64>>,
    attributes: Attributes,
    /// All of the file: every column is read from it.
    file: ChunkBytes,
    fingerprint: Fingerprint,
}

impl fmt::Debug for TableStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableStore").field("address", &self.address).finish_non_exhaustive()
    }
}

impl TableStore {
    /// Whether a path has the ending of a table.
    pub(crate) fn is_table(path: &Path) -> bool {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        ending.is_some_and(|ending| ending == "csv" || ending == "tsv")
    }

    /// Reads a table.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let io = |source| OpenError::io(path, source);
        let address = path.display().to_string();
        let length = std::fs::metadata(path).map_err(io)?.len();
        if length > MAX_BYTES {
            let detail =
                format!("a table of {length} bytes; write tables of more than {MAX_BYTES} as NetCDF");
            return Err(OpenError::NotADataset { path: address, detail });
        }
        let text = std::fs::read(path).map_err(io)?;
        let path = path.to_owned();
        Self::parse(&text, &address, Box::new(move || file_fingerprint(&path)))
    }

    /// Reads the text of a table.
    pub(crate) fn parse(text: &[u8], address: &str, fingerprint: Fingerprint) -> Result<Self, OpenError> {
        let table = Table::parse(text).map_err(|error| OpenError::NotADataset {
            path: address.to_owned(),
            detail: format!("as a table, {error}"),
        })?;
        let file =
            ChunkBytes { digest: Digest::of(Domain::Chunk, text), bytes: text.len() as u64, raw: true };
        Ok(Self::of(table, address, file, fingerprint))
    }

    fn of(table: Table, address: &str, file: ChunkBytes, fingerprint: Fingerprint) -> Self {
        let dimension = if table.is_series() { "time" } else { "obs" };
        let rows = table.rows;
        let variable = |name: &str, element: ElementType, attributes: Attributes| StoredVariable {
            name: name.to_owned(),
            dimensions: vec![(dimension.to_owned(), rows)],
            element,
            attributes,
            chunk_shape: vec![rows],
            is_chunked: false,
            fill_value: None,
            is_packed_in_single: false,
        };
        let text = |text: &str| Attribute::Text(text.to_owned());
        let (mut variables, mut values) = (Vec::new(), Vec::new());
        if let Some(times) = &table.times {
            let attributes = [("units", TIME_UNITS), ("standard_name", "time"), ("calendar", "standard")];
            let attributes = attributes.map(|(key, value)| (key.to_owned(), text(value)));
            variables.push(variable("time", ElementType::Number("float64"), attributes.into()));
            values.push(times.iter().map(|time| time.map_or(f64::NAN, |n| n as f64 / 1e9)).collect());
        }
        for column in table.columns {
            let mut attributes = Attributes::new();
            if let Some(units) = &column.units {
                attributes.insert("units".to_owned(), text(units));
            }
            if table.times.is_some() && dimension == "obs" {
                attributes.insert("coordinates".to_owned(), text("time"));
            }
            let (element, numbers) = match column.values {
                ColumnValues::Numbers(numbers) => (ElementType::Number("float64"), numbers),
                ColumnValues::Texts(_) => (ElementType::Other("text".to_owned()), Vec::new()),
            };
            variables.push(variable(&column.name, element, attributes));
            values.push(numbers);
        }
        let (address, attributes) = (address.to_owned(), Attributes::new());
        Self { address, variables, values, attributes, file, fingerprint }
    }
}

impl Store for TableStore {
    fn format(&self) -> &'static str {
        "CSV"
    }

    fn variables(&self) -> &[StoredVariable] {
        &self.variables
    }

    fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    fn read(&self, index: usize, window: &Window) -> Result<StoredBlock, ReadError> {
        let variable = &self.variables[index];
        if !variable.element.is_numeric() {
            let element = variable.element.to_string();
            return Err(ReadError::NotNumeric { variable: variable.name.clone(), element });
        }
        let (start, length) = (window.start[0], window.shape[0]);
        let values = self.values[index].get(start..start + length).unwrap_or_default().to_vec();
        let values =
            ArrayD::from_shape_vec(IxDyn(&[length]), values).map_err(|error| ReadError::Damaged {
                path: self.address.clone(),
                variable: variable.name.clone(),
                detail: error.to_string(),
            })?;
        Ok(StoredBlock { values, chunks: vec![self.file] })
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        (self.fingerprint)()
    }
}
