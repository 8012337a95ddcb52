//! `resample_timeseries`: a series on a coarser calendar step.

use std::collections::BTreeMap;

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::evidence;
use crate::kernels::resample::{Frequency, Reduction, Resampled, resample};
use crate::series::{Series, along_time};

/// Bins a series by calendar and reduces each bin.
pub(crate) struct ResampleTimeseries;

/// Arguments of `resample_timeseries`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// D days, W seven days from the first, MS months, QS-DEC seasons from December, YS years.
    freq: Freq,
    /// What becomes of the values of a bin.
    #[serde(default)]
    method: Method,
    /// Fraction of the expected values below which a bin is missing; 0 keeps every bin that has a value.
    #[serde(default = "three_quarters")]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_coverage: f64,
}

fn three_quarters() -> f64 {
    0.75
}

/// The step asked for, in the words of pandas.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
enum Freq {
    /// Days.
    D,
    /// Seven days from the first day of the series.
    W,
    /// Months.
    #[serde(rename = "MS")]
    Month,
    /// Seasons from December.
    #[serde(rename = "QS-DEC")]
    Season,
    /// Years.
    #[serde(rename = "YS")]
    Year,
}

/// What becomes of the values of a bin.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// Arithmetic mean.
    #[default]
    Mean,
    /// Sum.
    Sum,
    /// Smallest.
    Min,
    /// Largest.
    Max,
    /// Median.
    Median,
}

impl Method {
    fn parts(self) -> (Reduction, &'static str) {
        match self {
            Self::Mean => (Reduction::Mean, "mean"),
            Self::Sum => (Reduction::Sum, "sum"),
            Self::Min => (Reduction::Min, "minimum"),
            Self::Max => (Reduction::Max, "maximum"),
            Self::Median => (Reduction::Median, "median"),
        }
    }
}

impl Freq {
    fn parts(self) -> (Frequency, &'static str) {
        match self {
            Self::D => (Frequency::Day, "daily"),
            Self::W => (Frequency::Week, "weekly"),
            Self::Month => (Frequency::Month, "monthly"),
            Self::Season => (Frequency::Season, "seasonal"),
            Self::Year => (Frequency::Year, "yearly"),
        }
    }
}

impl Computation for ResampleTimeseries {
    const NAME: &'static str = "resample_timeseries";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("=timeseries");
        ToolSpec::new("timeseries", "Change the time step of a series.", port)
            .description(
                "Bins by the calendar of the series and reduces each bin; every value counts alike. A bin with fewer \
                 than min_coverage of the values that the native step lets expect is missing; the number of values \
                 and the expected number are returned. Bins are named by their start; QS-DEC puts December with the \
                 following January and February.",
            )
            .evidence(&evidence::SERIES)
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        let (frequency, adjective) = arguments.freq.parts();
        let (reduction, noun) = arguments.method.parts();
        let result = resample(&series.axis, &series.values, frequency, reduction, arguments.min_coverage)
            .map_err(|error| ToolError::invalid(error.to_string()))?;
        Ok(output(&series, result, &format!("{adjective} {noun}"), arguments.min_coverage))
    }
}

fn output(series: &Series, result: Resampled, method: &str, min_coverage: f64) -> ToolOutput {
    let dropped =
        result.values.iter().zip(&result.count).filter(|(value, n)| value.is_nan() && **n > 0).count();
    let mut attributes: BTreeMap<_, _> = series.attributes.clone();
    attributes.insert("method".to_owned(), json!(method));
    attributes.insert("min_coverage".to_owned(), json!(min_coverage));
    let count = result.count.iter().map(|&n| n as f64).collect();
    let resampled = Series {
        name: series.name.clone(),
        standard_name: series.standard_name.clone(),
        units: series.units.clone(),
        axis: result.axis,
        values: result.values,
        attributes,
    };
    let artifact = resampled
        .to_artifact()
        .with_variable(along_time("count", "1", count, None))
        .with_variable(along_time("expected", "1", result.expected, None));
    let drafts = evidence::of_series(
        &resampled.axis,
        &resampled.values,
        &resampled.units,
        &format!("{method} series"),
        None,
    );
    let note = (dropped > 0).then(|| {
        format!(
            "{dropped} bins hold fewer than {min_coverage} of the values they should have and are missing"
        )
    });
    ToolOutput::of(artifact).with_evidence(drafts).with_notes(note)
}
