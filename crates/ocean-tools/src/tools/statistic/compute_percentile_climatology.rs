//! `compute_percentile_climatology`: a seasonal threshold from a moving window.

use leg_core::{Artifact, Coord, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use ocean_data::cf::Calendar;
use schemars::JsonSchema;
use serde::Deserialize;

use super::findings::Findings;
use crate::Datasets;
use crate::argument::{ArtifactArgument, WindowArgument};
use crate::baseline::Baseline;
use crate::computation::Computation;
use crate::kernels::climatology::Cycle;
use crate::kernels::percentile_climatology::{DAYS, daily};
use crate::kernels::time_axis::TimeStep;
use crate::series::Series;

/// Finds what is high, or low, for each day of the year.
pub(crate) struct ComputePercentileClimatology;

/// Arguments of `compute_percentile_climatology`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A daily series in a calendar with leap years.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// The percentile.
    #[serde(default = "ninety")]
    #[schemars(range(min = 0.0, max = 100.0))]
    percentile: f64,
    /// Two dates inside the record, both inclusive; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// Days on either side of each day.
    #[serde(default = "five")]
    #[schemars(range(max = 60))]
    window_half_width: usize,
    /// Days of the running mean afterwards, odd; 1 for none.
    #[serde(default = "thirty_one")]
    #[schemars(range(min = 1, max = 183))]
    smooth_width: usize,
}

fn ninety() -> f64 {
    90.0
}

fn five() -> usize {
    5
}

fn thirty_one() -> usize {
    31
}

impl Computation for ComputePercentileClimatology {
    const NAME: &'static str = "compute_percentile_climatology";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Climatology).unit("=timeseries");
        ToolSpec::new("statistic", "Percentile and mean of each day of the year from a moving window.", port)
            .description(
                "Hobday et al. (2016): for each of 366 days, numbered as in a leap year, the percentile (linear between \
                 order statistics) and the mean of the baseline's values within window_half_width days (those of its first and last days \
                 reach out of the baseline where the record does); 29 February is \
                 the mean of its neighbours; then a running mean of smooth_width days round the year.",
            )
            .evidence(&["threshold_mean", "climatology_mean", "threshold_max", "threshold_min", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    if series.axis.step() != TimeStep::Seconds(86_400) {
        return Err(ToolError::invalid(
            "the series is not daily; resample it with `resample_timeseries`, freq D",
        ));
    }
    if Cycle::Daily.bins(series.axis.calendar()) != DAYS {
        return Err(ToolError::invalid(format!(
            "the calendar {} has no leap years; use `compute_climatology` for its days",
            series.axis.calendar()
        )));
    }
    if arguments.smooth_width.is_multiple_of(2) {
        return Err(ToolError::invalid("smooth_width must be odd, such as 31"));
    }
    let baseline = Baseline::resolve(arguments.baseline.as_ref().map(|window| &window.0), &series.axis)?;
    let days = Cycle::Daily.bin_of(&series.axis);
    let found = daily(
        &series.values,
        &days,
        &baseline.inside,
        arguments.percentile / 100.0,
        arguments.window_half_width,
        arguments.smooth_width,
    );
    let n = series
        .values
        .iter()
        .zip(&baseline.inside)
        .filter(|(value, inside)| **inside && !value.is_nan())
        .count();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let extreme = |pick: fn(f64, f64) -> f64| found.percentile.iter().copied().fold(f64::NAN, pick);
    let (threshold, average) = (mean(&found.percentile), mean(&found.mean));
    let text = format!(
        "percentile {} of {} days about each day, running mean of {} days",
        arguments.percentile,
        2 * arguments.window_half_width + 1,
        arguments.smooth_width
    );
    let findings = Findings::by(text)
        .over(series)
        .relative_to(Some(&baseline.label))
        .from(n)
        .number("threshold_mean", threshold, &series.units, "mean of the percentile over the days")
        .number("climatology_mean", average, &series.units, "mean of the mean over the days")
        .number("threshold_max", extreme(f64::max), &series.units, "largest percentile")
        .number("threshold_min", extreme(f64::min), &series.units, "smallest percentile")
        .count("n", n, "values of the baseline")
        .notes(baseline.note.clone());
    let array = |name: &str, units: &str, values: Vec<f64>| Variable {
        name: name.to_owned(),
        standard_name: series.standard_name.clone().filter(|_| units != "1"),
        units: units.to_owned(),
        dims: vec!["day".to_owned()],
        shape: vec![DAYS],
        values,
    };
    let counts = found.n.iter().map(|n| *n as f64).collect();
    let artifact = Artifact::array(
        Kind::Climatology,
        format!("{}_percentile_climatology", series.name),
        array("threshold", &series.units, found.percentile),
    )
    .with_variable(array("mean", &series.units, found.mean))
    .with_variable(array("count", "1", counts))
    .with_coord("day", Coord::texts(Cycle::Daily.labels(Calendar::Standard)))
    .with_attribute("baseline", baseline.label)
    .with_attribute("percentile", arguments.percentile);
    Ok(findings.onto(artifact))
}
