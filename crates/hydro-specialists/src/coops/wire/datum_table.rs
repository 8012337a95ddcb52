//! [`DatumTable`]: the datums of a station, metres or feet above its own zero.

use serde::Deserialize;

use crate::lenient;

/// The datums of a station.
#[derive(Debug, Deserialize)]
pub(crate) struct DatumTable {
    #[serde(default)]
    datums: Option<Vec<Entry>>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(default, deserialize_with = "lenient::text")]
    name: String,
    #[serde(default, deserialize_with = "lenient::number")]
    value: Option<f64>,
}

impl DatumTable {
    /// The names of the datums that have a value.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.datums.iter().flatten().filter(|entry| entry.value.is_some()).map(|entry| entry.name.as_str())
    }
}
