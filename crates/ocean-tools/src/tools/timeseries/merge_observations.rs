//! `merge_observations`: several series of one place as one.

use std::collections::BTreeMap;

use leg_core::{EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::cf::DateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::time_axis::{TimeAxis, TimeStep, month_number};
use crate::series::{Series, along_time};
use crate::{Datasets, evidence};

/// Joins series in time.
pub(crate) struct MergeObservations;

/// Arguments of `merge_observations`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Series of one quantity in one unit, the most trusted first.
    #[schemars(length(min = 2, max = 50))]
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    series: Vec<ArtifactArgument>,
    /// What stands where several have a value.
    #[serde(default)]
    method: Method,
    /// Move each series by its mean difference from those before it, where they overlap.
    #[serde(default = "yes")]
    remove_bias: bool,
    /// Fewest common values from which a bias is taken.
    #[serde(default = "five")]
    #[schemars(range(min = 1))]
    min_overlap: usize,
}

fn yes() -> bool {
    true
}

fn five() -> usize {
    5
}

/// What stands where several have a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// The value of the first that has one.
    #[default]
    Priority,
    /// The mean of all.
    Mean,
}

impl Computation for MergeObservations {
    const NAME: &'static str = "merge_observations";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("timeseries", "Several series of one quantity as one.", Port::of(Kind::Series))
            .description(
                "All times that any series has: months by month, others by instant. The first series is the reference; \
                 each further one is moved by its mean difference from what is merged already, over the times that both \
                 have, so that a step of instrument or datum is no signal. source: number of the series behind each \
                 value, from 1 (the first of them for a mean); n_sources: how many. A series without enough overlap is \
                 taken as it is, and that is told.",
            )
            .evidence(&[&evidence::SERIES[..], &["n_series", "largest_bias", "n_overlapping"]].concat())
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = arguments
            .series
            .iter()
            .map(|own| Series::read(own, context))
            .collect::<Result<Vec<Series>, ToolError>>()?;
        compute(arguments, &series)
    }
}

fn check(arguments: &Arguments, series: &[Series]) -> Result<(), ToolError> {
    let Some((first, others)) = series.split_first() else {
        return Err(ToolError::invalid("give at least two series"));
    };
    for other in others {
        if other.units != first.units {
            return Err(ToolError::invalid(format!(
                "`{}` is in `{}` and `{}` in `{}`; bring all to one unit with `convert_units`",
                first.name, first.units, other.name, other.units
            )));
        }
        if other.axis.calendar() != first.axis.calendar() {
            return Err(ToolError::invalid(format!(
                "`{}` and `{}` have different calendars and share no times",
                first.name, other.name
            )));
        }
        if months(first).is_some() != months(other).is_some() {
            return Err(ToolError::invalid(format!(
                "`{}` has steps of months and `{}` has not, or the other way round; bring both to one step with \
                 `resample_timeseries`",
                first.name, other.name
            )));
        }
        let datums = [datum(first), datum(other)];
        if let ([Some(a), Some(b)], false) = (datums, arguments.remove_bias)
            && a != b
        {
            return Err(ToolError::invalid(format!(
                "`{}` is above {a} and `{}` above {b}; set remove_bias, or bring both to one datum",
                first.name, other.name
            )));
        }
    }
    Ok(())
}

fn months(series: &Series) -> Option<u32> {
    if let TimeStep::Months(months) = series.axis.step() { Some(months) } else { None }
}

fn datum(series: &Series) -> Option<&str> {
    series.attributes.get("datum").and_then(Value::as_str)
}

/// What the series have at one time.
struct Moment {
    time: DateTime,
    values: Vec<f64>,
}

fn compute(arguments: &Arguments, series: &[Series]) -> Result<ToolOutput, ToolError> {
    check(arguments, series)?;
    let mut moments: BTreeMap<i128, Moment> = BTreeMap::new();
    for (at, own) in series.iter().enumerate() {
        let by_month = months(own).is_some();
        for ((time, nanos), value) in own.axis.times().iter().zip(own.axis.nanoseconds()).zip(&own.values) {
            let key = if by_month { i128::from(month_number(time)) } else { *nanos };
            let moment = moments
                .entry(key)
                .or_insert_with(|| Moment { time: *time, values: vec![f64::NAN; series.len()] });
            moment.values[at] = *value;
        }
    }
    let mut moments: Vec<Moment> = moments.into_values().collect();
    let mut notes = Vec::new();
    let mut biases = vec![0.0];
    let mut overlaps = vec![0];
    for (at, own) in series.iter().enumerate().skip(1) {
        let differences: Vec<f64> = moments
            .iter()
            .map(|moment| moment.values[at] - merged(arguments.method, &moment.values[..at]).0)
            .filter(|difference| !difference.is_nan())
            .collect();
        let n = differences.len();
        let bias = differences.iter().sum::<f64>() / n as f64;
        let known = arguments.remove_bias && n >= arguments.min_overlap;
        if arguments.remove_bias && !known {
            notes.push(format!(
                "`{}` has {n} values at times of those before it, so its bias is not known and it was taken as it is",
                own.name
            ));
        }
        let bias = if known { bias } else { 0.0 };
        for moment in &mut moments {
            moment.values[at] -= bias;
        }
        biases.push(bias);
        overlaps.push(n);
    }
    output(arguments, series, &moments, &biases, &overlaps, notes)
}

/// The merged value, the first series behind it, and how many there are.
fn merged(method: Method, values: &[f64]) -> (f64, f64, f64) {
    let present: Vec<(usize, f64)> =
        values.iter().copied().enumerate().filter(|own| !own.1.is_nan()).collect();
    let Some((first, value)) = present.first().copied() else { return (f64::NAN, f64::NAN, 0.0) };
    let n = present.len() as f64;
    let source = first as f64 + 1.0;
    match method {
        Method::Priority => (value, source, n),
        Method::Mean => (present.iter().map(|own| own.1).sum::<f64>() / n, source, n),
    }
}

fn output(
    arguments: &Arguments,
    series: &[Series],
    moments: &[Moment],
    biases: &[f64],
    overlaps: &[usize],
    notes: Vec<String>,
) -> Result<ToolOutput, ToolError> {
    let first = &series[0];
    let times = moments.iter().map(|moment| moment.time).collect();
    let axis = TimeAxis::new(first.axis.calendar(), times)
        .map_err(|error| ToolError::invalid(format!("{error}; the series do not interleave")))?;
    let step =
        series.iter().map(|own| own.axis.step()).reduce(|a, b| if a == b { a } else { TimeStep::Unknown });
    let found: Vec<(f64, f64, f64)> =
        moments.iter().map(|moment| merged(arguments.method, &moment.values)).collect();
    let how = if arguments.method == Method::Priority {
        "first series that has a value"
    } else {
        "mean of the series"
    };
    let bias = if arguments.remove_bias { ", biases over the overlaps taken out" } else { "" };
    let method = format!("{how} of {}{bias}", series.len());
    let mut own = first.clone();
    own.name = format!("{}_merged", first.name);
    own.axis = axis.with_step(step.unwrap_or(TimeStep::Unknown));
    own.values = found.iter().map(|own| own.0).collect();
    own.attributes.insert("method".to_owned(), json!(method));
    let listed: Vec<Value> = series
        .iter()
        .zip(biases.iter().zip(overlaps))
        .enumerate()
        .map(|(at, (series, (bias, overlap)))| {
            json!({"source": at + 1, "name": series.name, "bias": bias, "n_overlap": overlap,
                   "window": series.axis.window()})
        })
        .collect();
    own.attributes.insert("sources".to_owned(), json!(listed));
    let mut drafts = evidence::of_series(&own.axis, &own.values, &own.units, &method, None);
    let largest =
        biases.iter().copied().fold(0.0, |best: f64, own| if own.abs() > best.abs() { own } else { best });
    drafts.push(EvidenceDraft::new("n_series", series.len() as u64, "1", "series merged"));
    drafts.push(EvidenceDraft::new(
        "largest_bias",
        largest,
        &own.units,
        "bias of the series that was moved furthest: its mean less that of those before it",
    ));
    let both = found.iter().filter(|own| own.2 > 1.0).count();
    drafts.push(EvidenceDraft::new("n_overlapping", both as u64, "1", "times that several series have"));
    let artifact = own
        .to_artifact()
        .with_variable(along_time("source", "1", found.iter().map(|own| own.1).collect(), None))
        .with_variable(along_time("n_sources", "1", found.iter().map(|own| own.2).collect(), None));
    Ok(ToolOutput::of(artifact).with_evidence(drafts).with_notes(notes))
}
