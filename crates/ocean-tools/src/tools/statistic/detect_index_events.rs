//! `detect_index_events`: warm and cold episodes of an index.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::findings::Findings;
use super::joined::even;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::index_events::{Phase, episodes};
use crate::kernels::running_mean::centred;
use crate::kernels::steps;
use crate::series::Series;

/// Finds runs of an index beyond a threshold.
pub(crate) struct DetectIndexEvents;

/// Arguments of `detect_index_events`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// An index of anomalies.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// Warm at or above it, cold at or below its negative, in the units of the series.
    #[serde(default = "half")]
    #[schemars(range(min = 0.0))]
    threshold: f64,
    /// Steps that an event lasts at least.
    #[serde(default = "five")]
    #[schemars(range(min = 1))]
    min_steps: usize,
    /// Steps of the centred running mean taken first; 1 for none.
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 1001))]
    running_mean: usize,
}

fn half() -> f64 {
    0.5
}

fn five() -> usize {
    5
}

fn three() -> usize {
    3
}

impl Computation for DetectIndexEvents {
    const NAME: &'static str = "detect_index_events";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Warm and cold events of an index series.", Port::of(Kind::Events))
            .description(
                "Runs of at least min_steps in which the centred running mean is at or beyond the threshold (for Nino \
                 3.4 the rule of NOAA's Climate Prediction Center: 3 months, 0.5 degC, 5 months). A missing value ends \
                 an event. The peak is the largest magnitude of the running mean.",
            )
            .evidence(&["n_warm", "n_cold", "warmest", "coldest", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        if arguments.running_mean.is_multiple_of(2) {
            return Err(ToolError::invalid("running_mean must be odd, such as 3"));
        }
        let values = even(&series.axis, &series.values)?;
        let numbers = steps::numbers(&series.axis).unwrap_or_default();
        let smooth = centred(&values, arguments.running_mean);
        if smooth.iter().all(|value| value.is_nan()) {
            // No event is found where none can be, which is not a finding of none.
            return Err(ToolError::no_data(format!(
                "no {} steps of the series follow each other without a gap, so there is no running mean; choose a longer \
                 window or a smaller running_mean",
                arguments.running_mean
            )));
        }
        let found = episodes(&smooth, arguments.threshold, arguments.min_steps);
        // Both ends have values, so that each is an instant of the series.
        let label = |number: usize| {
            let at = numbers.binary_search(&i64::try_from(number).unwrap_or(i64::MAX)).unwrap_or(0);
            series.axis.label(at)
        };
        let listed: Vec<_> = found
            .iter()
            .map(|event| {
                json!({
                    "kind": event.phase.as_str(), "start": label(event.start), "end": label(event.end),
                    "steps": event.duration(), "peak": label(event.peak), "peak_value": event.peak_value,
                })
            })
            .collect();
        let count = |phase: Phase| found.iter().filter(|event| event.phase == phase).count();
        let peaks = |phase: Phase| {
            found.iter().filter(move |event| event.phase == phase).map(|event| event.peak_value)
        };
        let text = format!(
            "running mean of {} steps beyond {} for at least {}",
            arguments.running_mean, arguments.threshold, arguments.min_steps
        );
        Ok(Findings::by(text)
            .over(&series)
            .count("n_warm", count(Phase::Warm), "warm events")
            .count("n_cold", count(Phase::Cold), "cold events")
            .number("warmest", peaks(Phase::Warm).fold(f64::NAN, f64::max), &series.units, "largest peak")
            .number("coldest", peaks(Phase::Cold).fold(f64::NAN, f64::min), &series.units, "lowest peak")
            .count("n", values.iter().filter(|value| !value.is_nan()).count(), "number of values")
            .fact("events", listed)
            .document(Kind::Events, format!("{}_events", series.name)))
    }
}
