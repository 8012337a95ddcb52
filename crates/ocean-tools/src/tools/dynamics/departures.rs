//! [`Departures`]: what is left of a series without its mean, for eddies.

use leg_core::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::argument::WindowArgument;
use crate::baseline::Baseline;
use crate::kernels::anomaly::anomaly;
use crate::kernels::climatology::{Climatology, Cycle};
use crate::kernels::time_axis::TimeAxis;

/// The flow that is no eddy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum MeanFlow {
    /// The mean over all times, so that seasonal currents count as eddies.
    #[default]
    Record,
    /// The mean of each month of the year.
    Climatology,
}

/// A mean of fewer values is the flow itself: no eddy is seen, which is no eddy of zero.
pub(super) const LEAST: usize = 2;

/// How departures from a mean are taken.
#[derive(Debug)]
pub(super) struct Departures {
    baseline: Option<Baseline>,
    axis: TimeAxis,
    bins: Vec<usize>,
}

impl Departures {
    /// Departures from a mean, for the climatology over a baseline.
    ///
    /// # Errors
    /// A baseline beside the climatology or outside of the record.
    pub(super) fn of(
        mean: MeanFlow,
        baseline: Option<&WindowArgument>,
        axis: &TimeAxis,
    ) -> Result<Self, ToolError> {
        let baseline = match (mean, baseline) {
            (MeanFlow::Climatology, stated) => Some(Baseline::resolve(stated.map(|window| &window.0), axis)?),
            (MeanFlow::Record, None) => None,
            (MeanFlow::Record, Some(_)) => {
                return Err(ToolError::invalid(
                    "baseline belongs to mean `climatology`; leave it out, or narrow time",
                ));
            }
        };
        Ok(Self { baseline, axis: axis.clone(), bins: Cycle::Monthly.bin_of(axis) })
    }

    /// Those of a series.
    pub(super) fn apply(&self, series: &[f64]) -> Vec<f64> {
        if let Some(baseline) = &self.baseline {
            let climatology = Climatology::of(Cycle::Monthly, &self.axis, series, &baseline.inside);
            let known = climatology.mean.iter().zip(&climatology.n);
            let means: Vec<f64> = known.map(|(mean, n)| if *n < LEAST { f64::NAN } else { *mean }).collect();
            return anomaly(series, &self.bins, &means, None);
        }
        let mean = if series.iter().filter(|value| !value.is_nan()).count() < LEAST {
            f64::NAN
        } else {
            mean(series)
        };
        series.iter().map(|value| value - mean).collect()
    }

    /// What they are departures from.
    pub(super) fn text(&self) -> String {
        match &self.baseline {
            Some(baseline) => format!("the monthly climatology of {}", baseline.label),
            None => format!("the mean of {}", self.axis.window()),
        }
    }

    /// What a reader must know.
    pub(super) fn note(self) -> Option<String> {
        self.baseline.and_then(|baseline| baseline.note)
    }
}

/// The mean of the values that are there.
pub(super) fn mean(series: &[f64]) -> f64 {
    let present = series.iter().filter(|value| !value.is_nan());
    let (n, sum) = present.fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
    sum / n
}

/// Series with a value only at the times at which all have one.
pub(super) fn common(series: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let whole: Vec<bool> = (0..series.first().map_or(0, Vec::len))
        .map(|at| series.iter().all(|own| !own[at].is_nan()))
        .collect();
    let keep = |(value, whole): (&f64, &bool)| if *whole { *value } else { f64::NAN };
    series.iter().map(|own| own.iter().zip(&whole).map(keep).collect()).collect()
}

/// The mean product of two series of departures.
pub(super) fn covariance(one: &[f64], other: &[f64]) -> f64 {
    mean(&one.iter().zip(other).map(|(a, b)| a * b).collect::<Vec<_>>())
}
