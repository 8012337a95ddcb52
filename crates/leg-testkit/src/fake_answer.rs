//! [`Answer`]: what a [`FakeTool`](crate::FakeTool) says when it neither fails nor panics.

use leg_core::{
    Artifact, ArtifactArgument, Coord, Digest, Domain, EvidenceDraft, Kind, ToolContext, ToolError,
    ToolOutput, Variable,
};
use serde_json::{Value, json};

/// What a fake tool says.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// The arguments as a table.
    Echo,
    /// The values in the arguments, or these.
    Series(Vec<f64>),
    /// The mean of the artifact named `data`.
    Mean,
    /// The sum of the artifacts named `a` and `b`.
    Sum,
    /// A figure of the artifact named `data`.
    Draw,
    /// A file of so many bytes: the same in every call, or another one.
    Blob {
        /// How many.
        bytes: usize,
        /// Whether each call gives another one.
        fresh: bool,
    },
}

impl Answer {
    /// The output for these arguments.
    pub(crate) fn output(&self, arguments: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        Ok(match self {
            Answer::Echo => {
                let n = arguments.as_object().map_or(0, serde_json::Map::len);
                let table = Artifact::document(Kind::Table, "arguments", arguments.clone());
                ToolOutput::of(table).with_evidence([EvidenceDraft::new("n", n, "1", "number of arguments")])
            }
            Answer::Series(values) => {
                let given = arguments.get("values").and_then(Value::as_array);
                let offset = arguments.get("offset").and_then(Value::as_f64).unwrap_or(0.0);
                let values = given.map_or_else(
                    || values.clone(),
                    |given| given.iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect(),
                );
                series_output(values.into_iter().map(|value| value + offset).collect(), "degC")
            }
            Answer::Mean => {
                let data = input(arguments, "data", context)?;
                let values = &data.primary().ok_or_else(|| no_array("data"))?.values;
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                let scalar = array(Kind::Scalar, "mean", data.units(), &[], vec![mean]);
                ToolOutput::of(scalar).with_evidence([
                    EvidenceDraft::new("mean", mean, data.units(), "mean over time")
                        .n(values.len())
                        .pointer("/values/0"),
                    EvidenceDraft::new("n", values.len(), "1", "number of values"),
                ])
            }
            Answer::Sum => {
                let (a, b) = (input(arguments, "a", context)?, input(arguments, "b", context)?);
                let left = &a.primary().ok_or_else(|| no_array("a"))?.values;
                let right = &b.primary().ok_or_else(|| no_array("b"))?.values;
                if left.len() != right.len() {
                    return Err(ToolError::invalid(format!(
                        "`a` has {} values and `b` has {}; give two series of one length",
                        left.len(),
                        right.len()
                    )));
                }
                series_output(left.iter().zip(right).map(|(a, b)| a + b).collect(), a.units())
            }
            Answer::Blob { bytes, fresh } => {
                let seed = if *fresh { context.call_id() } else { Digest::of(Domain::Object, b"blob") };
                let payload: Vec<u8> = seed.as_bytes().iter().copied().cycle().take(*bytes).collect();
                ToolOutput::of(Artifact::file("blob.bin", "application/octet-stream", payload))
            }
            Answer::Draw => {
                let data = input(arguments, "data", context)?;
                let points = data.primary().map_or(0, |variable| variable.values.len());
                let figure = Artifact::document(Kind::Figure, data.name.as_str(), json!({"points": points}));
                ToolOutput::of(figure).with_evidence([EvidenceDraft::new(
                    "points",
                    points,
                    "1",
                    "points drawn",
                )])
            }
        })
    }
}

fn input(arguments: &Value, name: &str, context: &ToolContext) -> Result<Artifact, ToolError> {
    let value = arguments.get(name).cloned().unwrap_or_default();
    let argument: ArtifactArgument = serde_json::from_value(value).map_err(|_| {
        ToolError::invalid(format!("`{name}` is not an artifact; give {{\"$artifact\": \"b3:…\"}}"))
    })?;
    argument.read(context)
}

fn no_array(name: &str) -> ToolError {
    ToolError::invalid(format!("`{name}` has no values; give a series"))
}

fn array(kind: Kind, name: &str, units: &str, dims: &[&str], values: Vec<f64>) -> Artifact {
    let variable = Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: dims.iter().map(|&dim| dim.to_owned()).collect(),
        shape: if dims.is_empty() { Vec::new() } else { vec![values.len()] },
        values,
    };
    Artifact::array(kind, name, variable)
}

/// A series of months from January 2015, with the evidence of a series.
fn series_output(values: Vec<f64>, units: &str) -> ToolOutput {
    let months: Vec<String> = (0..values.len())
        .map(|at| format!("{:04}-{:02}-01T00:00:00Z", 2015 + at / 12, at % 12 + 1))
        .collect();
    let quantity = |name: &str, at: usize, method: &str| {
        values.get(at).zip(months.get(at)).map(|(value, month)| {
            EvidenceDraft::new(name, *value, units, method)
                .when(month.as_str())
                .pointer(format!("/values/{at}"))
        })
    };
    let largest = (0..values.len()).reduce(|best, at| if values[at] > values[best] { at } else { best });
    let evidence: Vec<EvidenceDraft> = [
        quantity("first", 0, "first value"),
        quantity("last", values.len().wrapping_sub(1), "last value"),
        quantity("max", largest.unwrap_or(0), "largest value"),
        Some(EvidenceDraft::new("n", values.len(), "1", "number of values")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let artifact = array(Kind::Series, "temperature", units, &["time"], values);
    ToolOutput::of(artifact.with_coord("time", Coord::texts(months))).with_evidence(evidence)
}
