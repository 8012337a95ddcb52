//! Joins the results of a fan-out: as a list, one after the other, or as a table with a row for each item.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{Artifact, Evidence, Kind, Variable};

/// The items of an artifact that a fan-out can go over: a table's rows as objects, the members of a document that is
/// a list, the numbers of a one-dimensional array.
pub(crate) fn rows_of(artifact: &Artifact) -> Option<Vec<Value>> {
    let content = &artifact.content;
    if let Some(items) = content.as_array() {
        return Some(items.clone());
    }
    if let Some(rows) = content.get("rows").and_then(Value::as_array) {
        let columns: Vec<String> = columns_of(content);
        let named = |row: &Value| match row {
            Value::Array(cells) if cells.len() == columns.len() => {
                Value::Object(columns.iter().cloned().zip(cells.iter().cloned()).collect())
            }
            other => other.clone(),
        };
        return Some(rows.iter().map(named).collect());
    }
    let variable = artifact.primary().filter(|variable| variable.dims.len() == 1)?;
    let number = |value: &f64| if value.is_nan() { Value::Null } else { json!(value) };
    Some(variable.values.iter().map(number).collect())
}

/// Column names: texts, or objects with a `name`.
fn columns_of(content: &Value) -> Vec<String> {
    let columns = content.get("columns").and_then(Value::as_array);
    let name = |column: &Value| {
        let name = column.as_str().or_else(|| column.get("name").and_then(Value::as_str));
        name.unwrap_or_default().to_owned()
    };
    columns.into_iter().flatten().map(name).collect()
}

/// One table: the item's own members, then the evidence of its result.
pub(crate) fn table(name: &str, items: &[(Value, Vec<Evidence>)]) -> Artifact {
    let mut columns: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, units: &str| {
        if !columns.iter().any(|(known, _)| known == name) {
            columns.push((name.to_owned(), units.to_owned()));
        }
    };
    for (item, _) in items {
        match item {
            Value::Object(members) => members.keys().for_each(|key| add(key, "")),
            _ => add(name, ""),
        }
    }
    for evidence in items.iter().flat_map(|(_, evidence)| evidence) {
        add(&evidence.name, &evidence.unit);
    }
    let row = |(item, evidence): &(Value, Vec<Evidence>)| {
        let cell = |(column, _): &(String, String)| {
            let own = match item {
                Value::Object(members) => members.get(column),
                plain => (column == name).then_some(plain),
            };
            let found = || evidence.iter().find(|e| e.name == *column).map(|e| e.value.clone());
            own.cloned().or_else(found).unwrap_or(Value::Null)
        };
        Value::Array(columns.iter().map(cell).collect())
    };
    let rows: Vec<Value> = items.iter().map(row).collect();
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let units: Map<String, Value> = columns
        .iter()
        .filter(|(_, units)| !units.is_empty())
        .map(|(name, units)| (name.clone(), json!(units)))
        .collect();
    Artifact::document(Kind::Table, name, json!({"columns": names, "rows": rows, "units": units}))
}

/// Artifacts of one form, one after the other.
///
/// Lists are appended; tables of the same columns give one table; arrays are appended along their first dimension;
/// numbers become an array along `along`. `None` when the forms differ.
pub(crate) fn concat(along: &str, parts: &[Artifact]) -> Option<Artifact> {
    let first = parts.first()?;
    if parts.iter().any(|part| part.kind != first.kind) {
        return None;
    }
    if first.variables.is_empty() {
        return concat_documents(first, parts);
    }
    let mut joined = first.clone();
    let mut lengths: Vec<(String, usize)> = Vec::new();
    for (at, variable) in joined.variables.iter_mut().enumerate() {
        let all: Vec<&Variable> =
            parts.iter().map(|part| part.variables.get(at)).collect::<Option<Vec<_>>>()?;
        let fits = |other: &&Variable| {
            other.name == variable.name
                && other.units == variable.units
                && other.dims == variable.dims
                && other.shape.get(1..) == variable.shape.get(1..)
        };
        if !all.iter().all(fits) {
            return None;
        }
        variable.values = all.iter().flat_map(|other| other.values.iter().copied()).collect();
        if variable.dims.is_empty() {
            variable.dims = vec![along.to_owned()];
            variable.shape = vec![all.len()];
        } else if let Some(length) = variable.shape.first_mut() {
            *length = all.iter().filter_map(|other| other.shape.first()).sum();
        }
        lengths.extend(variable.dims.first().cloned().zip(variable.shape.first().copied()));
    }
    if first.variables.iter().all(|variable| variable.dims.is_empty()) {
        joined.kind = Kind::Series;
        // What was the coordinate of one number is no coordinate of all.
        joined.coords = BTreeMap::new();
    }
    for (dim, length) in lengths {
        let Some(coord) = joined.coords.get_mut(&dim) else { continue };
        let values: Vec<Value> = parts
            .iter()
            .filter_map(|part| part.coords.get(&dim))
            .flat_map(|coord| coord.values.iter().cloned())
            .collect();
        if values.len() != length {
            return None;
        }
        coord.values = values;
    }
    Some(joined)
}

fn concat_documents(first: &Artifact, parts: &[Artifact]) -> Option<Artifact> {
    let mut joined = first.clone();
    if first.content.is_array() {
        let all: Option<Vec<&Vec<Value>>> = parts.iter().map(|part| part.content.as_array()).collect();
        joined.content = Value::Array(all?.into_iter().flatten().cloned().collect());
        return Some(joined);
    }
    first.content.get("rows")?;
    let columns = first.content.get("columns");
    let mut rows = Vec::new();
    for part in parts {
        if part.content.get("columns") != columns {
            return None;
        }
        rows.extend(part.content.get("rows")?.as_array()?.iter().cloned());
    }
    *joined.content.get_mut("rows")? = Value::Array(rows);
    Some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Coord;

    fn series(values: &[f64], times: &[&str]) -> Artifact {
        let variable = Variable {
            name: "sst".into(),
            standard_name: None,
            units: "degC".into(),
            dims: vec!["time".into()],
            shape: vec![values.len()],
            values: values.to_vec(),
        };
        let coord = Coord {
            values: times.iter().map(|time| json!(time)).collect(),
            units: None,
            standard_name: None,
            calendar: None,
        };
        Artifact::array(Kind::Series, "sst", variable).with_coord("time", coord)
    }

    #[test]
    fn arrays_are_appended_with_their_coordinates() {
        let joined =
            concat("x", &[series(&[1.0], &["2015"]), series(&[2.0, 3.0], &["2016", "2017"])]).unwrap();
        assert_eq!(joined.variables[0].values, [1.0, 2.0, 3.0]);
        assert_eq!(joined.variables[0].shape, [3]);
        assert_eq!(joined.coords["time"].values, [json!("2015"), json!("2016"), json!("2017")]);
    }

    #[test]
    fn what_does_not_fit_is_not_joined() {
        let mut other = series(&[2.0], &["2016"]);
        other.variables[0].units = "K".into();
        assert_eq!(concat("x", &[series(&[1.0], &["2015"]), other]), None);
        let table = Artifact::document(Kind::Table, "t", json!({"columns": ["a"], "rows": [[1]]}));
        assert_eq!(concat("x", &[series(&[1.0], &["2015"]), table]), None);
    }

    #[test]
    fn numbers_become_a_series_and_tables_one_table() {
        let number = |value: f64| {
            let mut scalar = series(&[value], &["2015"]);
            scalar.kind = Kind::Scalar;
            scalar.variables[0].dims.clear();
            scalar.variables[0].shape.clear();
            scalar
        };
        let joined = concat("box", &[number(1.0), number(2.0)]).unwrap();
        assert_eq!(
            (joined.kind, joined.variables[0].dims.as_slice()),
            (Kind::Series, &["box".to_owned()][..])
        );
        let table = |n: u8| Artifact::document(Kind::Table, "t", json!({"columns": ["a"], "rows": [[n]]}));
        assert_eq!(concat("x", &[table(1), table(2)]).unwrap().content["rows"], json!([[1], [2]]));
    }

    #[test]
    fn rows_have_the_names_of_their_columns() {
        let table = Artifact::document(
            Kind::Table,
            "t",
            json!({"columns": ["id", {"name": "m"}], "rows": [["x", 1]]}),
        );
        assert_eq!(rows_of(&table).unwrap(), [json!({"id": "x", "m": 1})]);
        assert_eq!(rows_of(&series(&[1.0, f64::NAN], &["a", "b"])).unwrap(), [json!(1.0), Value::Null]);
        assert_eq!(rows_of(&Artifact::document(Kind::Text, "t", json!("x"))), None);
    }
}
