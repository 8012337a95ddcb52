//! `export_table`: a result as a CSV or JSON file.

use std::fmt::Write as _;

use leg_core::{
    Artifact, EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec,
    Variable,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;

/// Writes a result as a file whose numbers come back bit for bit.
pub(crate) struct ExportTable;

/// Arguments of `export_table`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"unit": "any"}))]
    artifact: ArtifactArgument,
    /// The format of the file.
    #[serde(default)]
    format: Format,
}

/// The format of the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    /// A header line with names and units, then a line for each place; a missing value is empty.
    #[default]
    Csv,
    /// The document with values, shape, dims, units and coords; a missing value is null.
    Json,
}

impl Computation for ExportTable {
    const NAME: &'static str = "export_table";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("synthesis", "Write a result as CSV or JSON.", Port::of(Kind::File))
            .description(
                "Numbers are written in the shortest form that reads back as the same double. CSV has the coordinates \
                 first and every array on the same dimensions as the main one, units in brackets; a document of named \
                 numbers becomes name and value.",
            )
            .evidence(&["rows"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        export(arguments, context)
    }
}

fn export(arguments: &Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let artifact = arguments.artifact.read(context)?;
    let (text, media_type, extension, rows) = match arguments.format {
        Format::Csv => {
            let (text, rows) = csv(&artifact)?;
            (text, "text/csv", "csv", rows)
        }
        Format::Json => {
            let text = serde_json::to_string_pretty(&artifact.to_json())
                .map_err(|error| ToolError::new(ToolErrorKind::Internal, error.to_string()))?;
            let rows = artifact.primary().map_or(1, |variable| variable.values.len());
            (text, "application/json", "json", rows)
        }
    };
    let file = Artifact::file(format!("{}.{extension}", artifact.name), media_type, text.into_bytes())
        .with_attribute("data", arguments.artifact.digest().to_string());
    let evidence = EvidenceDraft::new("rows", rows as u64, "1", "number of rows, or of values in JSON");
    Ok(ToolOutput::of(file).with_evidence([evidence]))
}

/// The table and its number of rows without the header.
fn csv(artifact: &Artifact) -> Result<(String, usize), ToolError> {
    if let Some(main) = artifact.primary() {
        return Ok(arrays(artifact, main));
    }
    let columns = artifact.content.get("columns").and_then(Value::as_array);
    let rows = artifact.content.get("rows").and_then(Value::as_array);
    if let (Some(columns), Some(rows)) = (columns, rows) {
        let lines = std::iter::once(columns.iter().map(cell).collect())
            .chain(rows.iter().map(|row| row.as_array().into_iter().flatten().map(cell).collect()));
        return Ok((join(lines), rows.len()));
    }
    let members = artifact.content.as_object().filter(|_| artifact.kind != Kind::Field).ok_or_else(|| {
        ToolError::invalid(format!(
            "`{}` is a {} and has no rows; export a series, a map, a climatology, a statistic or a table",
            artifact.name, artifact.kind
        ))
    })?;
    let lines = std::iter::once(vec!["name".to_owned(), "value".to_owned()])
        .chain(members.iter().map(|(name, value)| vec![quoted(name), cell(value)]));
    Ok((join(lines), members.len()))
}

fn arrays(artifact: &Artifact, main: &Variable) -> (String, usize) {
    let columns: Vec<&Variable> =
        artifact.variables.iter().filter(|variable| variable.dims == main.dims).collect();
    let period = artifact.coords.get("period").filter(|_| main.dims == ["time"]);
    let mut header: Vec<String> = main
        .dims
        .iter()
        .map(|name| {
            let units = artifact.coords.get(name).and_then(|coord| coord.units.as_deref());
            heading(name, units.unwrap_or(""))
        })
        .collect();
    header.extend(period.map(|_| "period".to_owned()));
    header.extend(columns.iter().map(|variable| heading(&variable.name, &variable.units)));
    let rows = main.values.len();
    let lines = (0..rows).map(|row| {
        let mut cells = Vec::with_capacity(header.len());
        let mut rest = row;
        let mut places = vec![0; main.shape.len()];
        for (place, length) in places.iter_mut().zip(&main.shape).rev() {
            *place = rest % length.max(&1);
            rest /= length.max(&1);
        }
        for (name, place) in main.dims.iter().zip(&places) {
            let coord = artifact.coords.get(name).and_then(|coord| coord.values.get(*place));
            cells.push(coord.map_or_else(|| place.to_string(), cell));
        }
        cells.extend(period.map(|coord| coord.values.get(row).map_or_else(String::new, cell)));
        cells.extend(
            columns
                .iter()
                .map(|variable| variable.values.get(row).map_or_else(String::new, |v| cell(&json!(v)))),
        );
        cells
    });
    (join(std::iter::once(header.clone()).chain(lines)), rows)
}

fn heading(name: &str, units: &str) -> String {
    if units.is_empty() || units == "1" { quoted(name) } else { quoted(&format!("{name} [{units}]")) }
}

/// A value as a cell: a number in its shortest exact form, nothing for null.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => quoted(text),
        other => quoted(&other.to_string()),
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn join(lines: impl Iterator<Item = Vec<String>>) -> String {
    lines.fold(String::new(), |mut text, cells| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", cells.join(","));
        text
    })
}

#[cfg(test)]
mod tests {
    use leg_core::Coord;

    use super::*;

    #[test]
    fn numbers_come_back_bit_for_bit() {
        let values = vec![0.1 + 0.2, 1e-300, f64::NAN, -123_456_789.123_456_78];
        let variable = Variable {
            name: "x".into(),
            standard_name: None,
            units: "m s-1".into(),
            dims: vec!["lat".into(), "lon".into()],
            shape: vec![2, 2],
            values: values.clone(),
        };
        let map = Artifact::array(Kind::Map, "x", variable)
            .with_coord("lat", Coord::numbers(&[-0.5, 0.5], "degrees_north", "latitude"))
            .with_coord("lon", Coord::numbers(&[10.0, 11.0], "degrees_east", "longitude"));
        let (text, rows) = csv(&map).unwrap();
        assert_eq!(rows, 4);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "lat [degrees_north],lon [degrees_east],x [m s-1]");
        assert!(lines[2].starts_with("-0.5,11.0,") && lines[3] == "0.5,10.0,");
        for (line, value) in lines[1..].iter().zip(values).filter(|(_, value)| !value.is_nan()) {
            let back: f64 = line.rsplit(',').next().unwrap().parse().unwrap();
            assert_eq!(back.to_bits(), value.to_bits());
        }
    }

    #[test]
    fn tables_and_named_numbers_are_written_and_a_lazy_field_is_not() {
        let table = Artifact::document(
            Kind::Table,
            "t",
            json!({"columns": ["a", "b"], "rows": [[1, "x, \"y\""], [null, 2]]}),
        );
        assert_eq!(csv(&table).unwrap().0, "a,b\n1,\"x, \"\"y\"\"\"\n,2\n");
        let statistic = Artifact::document(Kind::Statistic, "s", json!({"n": 3, "slope": 0.5}));
        assert_eq!(csv(&statistic).unwrap().0, "name,value\nn,3\nslope,0.5\n");
        let field = Artifact::document(Kind::Field, "f", json!({"recipe": {}}));
        assert!(csv(&field).unwrap_err().message.contains("has no rows"));
    }
}
