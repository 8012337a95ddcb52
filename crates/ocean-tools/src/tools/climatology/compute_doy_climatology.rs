//! `compute_doy_climatology`: mean and percentiles of each day of the year, cell by cell.

use leg_core::{
    Artifact, Coord, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec,
    Variable,
};
use ndarray::Array4;
use ocean_data::cf::Calendar;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::argument::{FieldArgument, WindowArgument};
use crate::baseline::Baseline;
use crate::computation::Computation;
use crate::derived::from_series_parts;
use crate::frame::Frame;
use crate::kernels::climatology::Cycle;
use crate::kernels::percentile_climatology::{DAYS, LEAP_DAY, Window};
use crate::kernels::time_axis::{TimeAxis, TimeStep};
use crate::series::{axis_of, units_of};
use crate::{Datasets, reading};

/// Finds the usual range of each day of the year.
pub(crate) struct ComputeDoyClimatology;

/// Arguments of `compute_doy_climatology`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A daily field or series in a calendar with leap years.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["series", "hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// Two dates inside the record, both inclusive.
    baseline: WindowArgument,
    /// From 0 to 100.
    #[serde(default = "usual")]
    #[schemars(length(max = 10))]
    percentiles: Vec<f64>,
    /// Days on either side whose values count too.
    #[serde(default = "five")]
    #[schemars(range(max = 60))]
    window_half_width: usize,
    /// Odd width in days of the running mean round the year; 1 for none.
    #[serde(default = "month")]
    #[schemars(range(min = 1, max = 121))]
    smooth_days: usize,
    /// What stands on 29 February.
    #[serde(default)]
    leap: Leap,
}

fn usual() -> Vec<f64> {
    vec![10.0, 90.0]
}

fn five() -> usize {
    5
}

fn month() -> usize {
    31
}

/// What stands on 29 February.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Leap {
    /// The mean of its neighbours, before the running mean.
    #[default]
    Interpolate,
    /// Nothing.
    Skip,
}

impl Computation for ComputeDoyClimatology {
    const NAME: &'static str = "compute_doy_climatology";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Climatology).unit("=data");
        ToolSpec::new("climatology", "Mean and percentiles of each day of the year.", port)
            .description(
                "Hobday et al. (2016), for every cell: mean and percentiles (linear between order statistics) of the \
                 baseline's values within window_half_width days of each of 366 days, numbered as in a leap year; those of \
                 its first and last days reach out of the baseline where the record does; then a running mean of \
                 smooth_days round the year. Arrays mean and p10, p90 …, days first. For a single percentile as a \
                 threshold use compute_percentile_climatology.",
            )
            .evidence(&["min", "max", "mean", "n", "n_years"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let axis = axis_of(&field)?;
        let baseline = Baseline::stated(&arguments.baseline.0, &axis)?;
        let windows = windows(arguments, &axis, &baseline)?;
        let asked = arguments.percentiles.len();
        let found = from_series_parts(&[&field], context, DAYS, asked + 1, |_, inputs, out| {
            let values = &inputs[0];
            // A cell on land has no days.
            if values.iter().all(|value| value.is_nan()) {
                return;
            }
            for (at, window) in windows.iter().enumerate() {
                let own = window.daily(values);
                if at == 0 {
                    out[..DAYS].copy_from_slice(&own.mean);
                }
                if at < asked {
                    out[(at + 1) * DAYS..(at + 2) * DAYS].copy_from_slice(&own.percentile);
                }
            }
            if arguments.leap == Leap::Skip {
                for line in out.chunks_exact_mut(DAYS) {
                    line[LEAP_DAY] = f64::NAN;
                }
            }
        })?;
        let frame = Frame::of(&field)?.without_time();
        let units = units_of(&field);
        let (dims, shape) = frame.dims_and_shape();
        let array = |name: &str, values: &Array4<f64>| Variable {
            name: name.to_owned(),
            standard_name: field.standard_name().map(str::to_owned),
            units: units.clone(),
            dims: std::iter::once("day".to_owned()).chain(dims.clone()).collect(),
            shape: std::iter::once(DAYS).chain(shape.clone()).collect(),
            values: values.iter().copied().collect(),
        };
        let name = field.variable().identity_name();
        let mean = array("mean", &found.parts[0]);
        let drafts = evidence(&mean, &axis, &baseline);
        let coords =
            frame.artifact(name, frame.variable(name, &units, &Array4::zeros(frame.full_shape()))).coords;
        let mut artifact = Artifact::array(Kind::Climatology, name, mean)
            .with_coord("day", Coord::texts(Cycle::Daily.labels(Calendar::Standard)))
            .with_attribute("period", "daily")
            .with_attribute("baseline", baseline.label.clone())
            .with_attribute("calendar", axis.calendar().name());
        artifact.coords.extend(coords);
        artifact.attributes.extend(frame.facts.clone());
        for (percentile, values) in arguments.percentiles.iter().zip(found.parts.iter().skip(1)) {
            artifact = artifact.with_variable(array(&format!("p{percentile}"), values));
        }
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&field, &found.chunks[0])))
    }
}

/// A window for each percentile, and one for the mean when there is none.
fn windows(arguments: &Arguments, axis: &TimeAxis, baseline: &Baseline) -> Result<Vec<Window>, ToolError> {
    if axis.step() != TimeStep::Seconds(86_400) {
        return Err(ToolError::invalid(
            "the record is not daily; resample a series with `resample_timeseries`, freq D",
        ));
    }
    if Cycle::Daily.bins(axis.calendar()) != DAYS {
        return Err(ToolError::invalid(format!(
            "the calendar {} has no leap years; use `compute_field_climatology` for its days",
            axis.calendar()
        )));
    }
    if arguments.smooth_days.is_multiple_of(2) {
        return Err(ToolError::invalid("smooth_days must be odd, such as 31"));
    }
    if let Some(wrong) = arguments.percentiles.iter().find(|own| !(0.0..=100.0).contains(*own)) {
        return Err(ToolError::invalid(format!("percentile {wrong} is not from 0 to 100")));
    }
    let days = Cycle::Daily.bin_of(axis);
    let window = |percentile: f64| {
        let (half, smooth) = (arguments.window_half_width, arguments.smooth_days);
        Window::new(&days, &baseline.inside, percentile / 100.0, half, smooth)
    };
    if arguments.percentiles.is_empty() {
        return Ok(vec![window(50.0)]);
    }
    Ok(arguments.percentiles.iter().map(|own| window(*own)).collect())
}

fn evidence(mean: &Variable, axis: &TimeAxis, baseline: &Baseline) -> Vec<EvidenceDraft> {
    let present = || mean.values.iter().copied().filter(|value| !value.is_nan());
    let n = present().count();
    let draft = |name: &str, value: f64, how: &str| {
        EvidenceDraft::new(name, value, &mean.units, &format!("{how} of the mean of each day of the year"))
            .baseline(baseline.label.clone())
    };
    let years: std::collections::BTreeSet<i32> = axis
        .times()
        .iter()
        .zip(&baseline.inside)
        .filter(|(_, inside)| **inside)
        .map(|(time, _)| time.year)
        .collect();
    vec![
        draft("min", present().fold(f64::NAN, f64::min), "smallest value"),
        draft("max", present().fold(f64::NAN, f64::max), "largest value"),
        draft("mean", present().sum::<f64>() / n as f64, "plain mean over days and cells").n(n),
        EvidenceDraft::new("n", n as u64, "1", "number of days and cells with a mean"),
        EvidenceDraft::new("n_years", years.len() as u64, "1", "years of the baseline"),
    ]
}
