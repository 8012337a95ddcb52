//! `decode_time`: CF times to dates and back.

use crate::Datasets;
use crate::computation::Computation;
use leg_core::{Artifact, EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::cf::{Calendar, TimeUnits};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Turns numbers with CF time units into dates.
pub(crate) struct DecodeTime;

/// Arguments of `decode_time`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Such as `days since 1850-01-01`.
    units: String,
    /// A CF calendar.
    #[serde(default = "standard")]
    calendar: String,
    /// The numbers.
    #[schemars(length(min = 1, max = 100_000))]
    values: Vec<f64>,
}

fn standard() -> String {
    "standard".to_owned()
}

impl Computation for DecodeTime {
    const NAME: &'static str = "decode_time";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "CF times as dates.", Port::of(Kind::Table))
            .description(
                "Each number as a date of its calendar (CF conventions 1.11, section 4.4), with the day of the year and the \
                 number that the date gives back. `standard` and `gregorian` are Julian before 1582-10-15.",
            )
            .evidence(&["first", "last", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        let wrong = |error: String| ToolError::invalid(error);
        let calendar = Calendar::parse(&arguments.calendar).map_err(|error| wrong(error.to_string()))?;
        let units = TimeUnits::parse(&arguments.units, calendar).map_err(|error| wrong(error.to_string()))?;
        let mut rows: Vec<Value> = Vec::with_capacity(arguments.values.len());
        for &value in &arguments.values {
            let date = units.decode(value).map_err(|error| wrong(error.to_string()))?;
            let day = calendar.day_of_year(&date).map_err(|error| wrong(error.to_string()))?;
            let back = units.encode(&date).map_err(|error| wrong(error.to_string()))?;
            rows.push(json!([value, date.to_iso(calendar), day, back]));
        }
        let date = |row: Option<&Value>| row.map_or(Value::Null, |row| row[1].clone());
        let drafts = vec![
            EvidenceDraft::new("first", date(rows.first()), "", "date of the first number"),
            EvidenceDraft::new("last", date(rows.last()), "", "date of the last number"),
            EvidenceDraft::new("n", rows.len() as u64, "1", "number of dates"),
        ];
        let columns = ["value", "date", "day_of_year", "back"];
        let content = json!({ "columns": columns, "rows": rows, "units": arguments.units, "calendar": calendar.name() });
        Ok(ToolOutput::of(Artifact::document(Kind::Table, "dates", content)).with_evidence(drafts))
    }
}
