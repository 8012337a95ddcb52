//! `compute_anomaly`: departures of a series from a climatology.

use std::collections::BTreeMap;

use leg_core::{Artifact, Kind, Port, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::compute_climatology::Period;
use crate::Datasets;
use crate::argument::{ArtifactArgument, WindowArgument};
use crate::baseline::Baseline;
use crate::computation::Computation;
use crate::evidence;
use crate::kernels::anomaly::anomaly;
use crate::kernels::climatology::Climatology;
use crate::kernels::time_axis::TimeStep;
use crate::series::Series;

/// Takes the annual cycle out of a series.
pub(crate) struct ComputeAnomaly;

/// Arguments of `compute_anomaly`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// What `compute_climatology` returned; if absent, one is computed from the series itself.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "climatology", "unit": "=timeseries"}))]
    climatology: Option<ArtifactArgument>,
    /// For a climatology computed here: two dates inside the record, both inclusive.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// For a climatology computed here: how the year is cut; daily for a daily series, else monthly.
    #[serde(default)]
    period: Option<Period>,
    /// Divide by the standard deviation of the month, season or day.
    #[serde(default)]
    standardise: bool,
}

/// The cycle that is taken out.
struct Cycle {
    period: Period,
    mean: Vec<f64>,
    std: Vec<f64>,
    baseline: String,
    note: Option<String>,
}

impl Computation for ComputeAnomaly {
    const NAME: &'static str = "compute_anomaly";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("any");
        ToolSpec::new("climatology", "Departure of a series from a climatology.", port)
            .description(
                "Value less the mean of its month, season or day of the year, in the units of the series; or that \
                 over the standard deviation, without units. Differences of temperatures keep the spelling of the \
                 data: 1 degC of an anomaly is 1 K.",
            )
            .evidence(&evidence::SERIES)
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        let cycle = cycle(arguments, &series, context)?;
        let bins = cycle.period.cycle().bin_of(&series.axis);
        let spread = arguments.standardise.then_some(cycle.std.as_slice());
        let values = anomaly(&series.values, &bins, &cycle.mean, spread);
        Ok(output(&series, &cycle, values, arguments.standardise))
    }
}

fn cycle(arguments: &Arguments, series: &Series, context: &ToolContext) -> Result<Cycle, ToolError> {
    let Some(reference) = &arguments.climatology else {
        return own_cycle(arguments, series);
    };
    if arguments.baseline.is_some() || arguments.period.is_some() {
        return Err(ToolError::invalid(
            "baseline and period are those of the climatology; leave them out, or leave out climatology",
        ));
    }
    given_cycle(
        &reference.read_kind(context, Kind::Climatology, "make one with `compute_climatology`")?,
        series,
    )
}

fn own_cycle(arguments: &Arguments, series: &Series) -> Result<Cycle, ToolError> {
    let daily = matches!(series.axis.step(), TimeStep::Seconds(seconds) if seconds <= 86_400);
    let period = arguments.period.unwrap_or(if daily { Period::Daily } else { Period::Monthly });
    period.fits(&series.axis)?;
    let baseline = Baseline::resolve(arguments.baseline.as_ref().map(|window| &window.0), &series.axis)?;
    let climatology = Climatology::of(period.cycle(), &series.axis, &series.values, &baseline.inside);
    Ok(Cycle {
        period,
        mean: climatology.mean,
        std: climatology.std,
        baseline: baseline.label,
        note: baseline.note,
    })
}

fn given_cycle(artifact: &Artifact, series: &Series) -> Result<Cycle, ToolError> {
    let damaged = || {
        let message = format!("climatology `{}` is damaged; compute it again", artifact.name);
        ToolError::new(ToolErrorKind::BadData, message)
    };
    let text = |key: &str| artifact.attributes.get(key).and_then(Value::as_str);
    let period = text("period").and_then(Period::from_name).ok_or_else(damaged)?;
    period.fits(&series.axis)?;
    let mean = artifact.primary().ok_or_else(damaged)?;
    if mean.units != series.units {
        return Err(ToolError::invalid(format!(
            "the climatology is in `{}` and the series in `{}`; compute both from one variable",
            mean.units, series.units
        )));
    }
    let bins = period.cycle().bins(series.axis.calendar());
    if mean.values.len() != bins {
        return Err(ToolError::invalid(format!(
            "the climatology has {} bins and the calendar of the series, {}, has {bins}; compute both from one series",
            mean.values.len(),
            series.axis.calendar()
        )));
    }
    let std = artifact.variable("std").map(|variable| variable.values.clone()).unwrap_or_default();
    Ok(Cycle {
        period,
        mean: mean.values.clone(),
        std,
        baseline: text("baseline").unwrap_or_default().to_owned(),
        note: None,
    })
}

fn output(series: &Series, cycle: &Cycle, values: Vec<f64>, standardise: bool) -> ToolOutput {
    let mut attributes: BTreeMap<_, _> = series.attributes.clone();
    let method = format!(
        "{}anomaly from the {} climatology",
        if standardise { "standardised " } else { "" },
        cycle.period.as_str()
    );
    attributes.insert("method".to_owned(), json!(method));
    attributes.insert("baseline".to_owned(), json!(cycle.baseline));
    attributes.insert("standardised".to_owned(), json!(standardise));
    let units = if standardise { "1".to_owned() } else { series.units.clone() };
    let name = if series.name.ends_with("_anomaly") {
        series.name.clone()
    } else {
        format!("{}_anomaly", series.name)
    };
    let anomalies =
        Series { name, standard_name: None, units, axis: series.axis.clone(), values, attributes };
    let drafts = evidence::of_series(
        &anomalies.axis,
        &anomalies.values,
        &anomalies.units,
        &method,
        Some(&cycle.baseline),
    );
    let lost = anomalies
        .values
        .iter()
        .zip(&series.values)
        .filter(|(after, before)| after.is_nan() && !before.is_nan());
    let lost = lost.count();
    let lost = (lost > 0)
        .then(|| format!("{lost} values have no mean or spread in the climatology and are missing"));
    ToolOutput::of(anomalies.to_artifact())
        .with_evidence(drafts)
        .with_notes(cycle.note.clone().into_iter().chain(lost))
}
