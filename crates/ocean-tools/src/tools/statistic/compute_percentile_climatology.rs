//! `compute_percentile_climatology`: a seasonal threshold from a moving window.

use leg_core::{Artifact, Coord, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use ndarray::Array4;
use ocean_data::Field;
use ocean_data::cf::Calendar;
use schemars::JsonSchema;
use serde::Deserialize;

use super::findings::Findings;
use crate::argument::{ArtifactArgument, FieldArgument, WindowArgument};
use crate::baseline::Baseline;
use crate::computation::Computation;
use crate::derived::from_series_parts;
use crate::frame::Frame;
use crate::kernels::climatology::Cycle;
use crate::kernels::percentile_climatology::{DAYS, Window};
use crate::kernels::time_axis::{TimeAxis, TimeStep};
use crate::series::{Series, axis_of, units_of};
use crate::{Datasets, reading};

/// Finds what is high, or low, for each day of the year.
pub(crate) struct ComputePercentileClimatology;

/// Arguments of `compute_percentile_climatology`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A daily series in a calendar with leap years. Give it, or `data`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: Option<ArtifactArgument>,
    /// A daily field in such a calendar, of which each cell has a threshold.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: Option<FieldArgument>,
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
        let port = Port::of(Kind::Climatology).unit("any");
        ToolSpec::new("statistic", "Percentile and mean of each day of the year from a moving window.", port)
            .description(
                "Hobday et al. (2016): for each of 366 days, numbered as in a leap year, the percentile (linear between \
                 order statistics) and the mean of the baseline's values within window_half_width days (those of its first and last days \
                 reach out of the baseline where the record does); 29 February is \
                 the mean of its neighbours; then a running mean of smooth_width days round the year. Of a series, or of every cell of a field.",
            )
            .evidence(&["threshold_mean", "climatology_mean", "threshold_max", "threshold_min", "n"])
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        match (&arguments.timeseries, &arguments.data) {
            (Some(series), None) => of_series(arguments, &Series::read(series, context)?),
            (None, Some(field)) => of_field(arguments, &field.open(datasets, context)?, context),
            _ => Err(ToolError::invalid(
                "give either `timeseries` or `data`: a daily series, or a daily field",
            )),
        }
    }
}

/// The window over a daily axis, and the baseline it takes values from.
fn window(arguments: &Arguments, axis: &TimeAxis) -> Result<(Window, Baseline), ToolError> {
    if axis.step() != TimeStep::Seconds(86_400) {
        return Err(ToolError::invalid(
            "the record is not daily; resample a series with `resample_timeseries`, freq D",
        ));
    }
    if Cycle::Daily.bins(axis.calendar()) != DAYS {
        return Err(ToolError::invalid(format!(
            "the calendar {} has no leap years; use `compute_climatology` for its days",
            axis.calendar()
        )));
    }
    if arguments.smooth_width.is_multiple_of(2) {
        return Err(ToolError::invalid("smooth_width must be odd, such as 31"));
    }
    let baseline = Baseline::resolve(arguments.baseline.as_ref().map(|window| &window.0), axis)?;
    let window = Window::new(
        &Cycle::Daily.bin_of(axis),
        &baseline.inside,
        arguments.percentile / 100.0,
        arguments.window_half_width,
        arguments.smooth_width,
    );
    Ok((window, baseline))
}

impl Arguments {
    fn method(&self) -> String {
        format!(
            "percentile {} of {} days about each day, running mean of {} days",
            self.percentile,
            2 * self.window_half_width + 1,
            self.smooth_width
        )
    }
}

/// The arrays of each cell, days first.
fn of_field(arguments: &Arguments, field: &Field, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let axis = axis_of(field)?;
    let (window, baseline) = window(arguments, &axis)?;
    let derived = from_series_parts(&[field], context, DAYS, 2, |_, inputs, out| {
        let values = &inputs[0];
        // A cell on land has no days.
        if values.iter().all(|value| value.is_nan()) {
            return;
        }
        let found = window.daily(values);
        out[..DAYS].copy_from_slice(&found.percentile);
        out[DAYS..].copy_from_slice(&found.mean);
    })?;
    let frame = Frame::of(field)?.without_time();
    let (dims, shape) = frame.dims_and_shape();
    let mut parts = derived.parts.into_iter().map(|part| part.into_raw_vec_and_offset().0);
    let (thresholds, means) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let units = units_of(field);
    let array = |name: &str, values: Vec<f64>| Variable {
        name: name.to_owned(),
        standard_name: field.standard_name().map(str::to_owned),
        units: units.clone(),
        dims: std::iter::once("day".to_owned()).chain(dims.clone()).collect(),
        shape: std::iter::once(DAYS).chain(shape.clone()).collect(),
        values,
    };
    let (threshold, mean) = (array("threshold", thresholds), array("mean", means));
    let sums = |of: &Variable| {
        let present = of.values.iter().filter(|value| !value.is_nan());
        present.fold((0.0, 0_usize), |(sum, n), value| (sum + value, n + 1))
    };
    let average = |of: &Variable| {
        let (sum, n) = sums(of);
        sum / n as f64
    };
    let extreme = |pick: fn(f64, f64) -> f64| threshold.values.iter().copied().fold(f64::NAN, pick);
    let findings = Findings::by(arguments.method())
        .relative_to(Some(&baseline.label))
        .during(axis.window())
        .number(
            "threshold_mean",
            average(&threshold),
            &units,
            "plain mean of the percentile over days and cells",
        )
        .number("climatology_mean", average(&mean), &units, "plain mean of the mean over days and cells")
        .number("threshold_max", extreme(f64::max), &units, "largest percentile of a cell")
        .number("threshold_min", extreme(f64::min), &units, "smallest percentile of a cell")
        .count("n", sums(&threshold).1, "days and cells with a percentile")
        .notes(baseline.note)
        .notes(reading::notes(field));
    let findings = derived
        .chunks
        .iter()
        .fold(findings, |findings, chunks| findings.source(reading::source(field, chunks)));
    let name = format!("{}_percentile_climatology", field.name());
    let coords =
        frame.artifact(&name, frame.variable(&name, &units, &Array4::zeros(frame.full_shape()))).coords;
    let mut artifact = Artifact::array(Kind::Climatology, name, threshold)
        .with_variable(mean)
        .with_coord("day", Coord::texts(Cycle::Daily.labels(Calendar::Standard)))
        .with_attribute("baseline", baseline.label)
        .with_attribute("percentile", arguments.percentile);
    artifact.coords.extend(coords);
    artifact.attributes.extend(frame.facts);
    Ok(findings.onto(artifact))
}

fn of_series(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    let (window, baseline) = window(arguments, &series.axis)?;
    let found = window.daily(&series.values);
    let n = series
        .values
        .iter()
        .zip(&baseline.inside)
        .filter(|(value, inside)| **inside && !value.is_nan())
        .count();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let extreme = |pick: fn(f64, f64) -> f64| found.percentile.iter().copied().fold(f64::NAN, pick);
    let (threshold, average) = (mean(&found.percentile), mean(&found.mean));
    let findings = Findings::by(arguments.method())
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
