//! Tables as artifacts.

use leg_core::{Artifact, Kind};
use serde_json::{Value, json};

/// A table: columns with their units (empty for texts), and rows.
pub(crate) fn table(name: &str, columns: &[(&str, &str)], rows: &[Vec<Value>]) -> Artifact {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let units: serde_json::Map<String, Value> = columns
        .iter()
        .filter(|(_, unit)| !unit.is_empty())
        .map(|(name, unit)| ((*name).to_owned(), json!(unit)))
        .collect();
    Artifact::document(Kind::Table, name, json!({ "columns": names, "rows": rows, "units": units }))
}
