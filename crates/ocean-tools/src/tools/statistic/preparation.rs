//! [`Preparation`]: the annual cycle and the trend, taken out before a statistic.

use leg_core::ToolError;
use ocean_data::field::TimeWindow;

use crate::baseline::Baseline;
use crate::kernels::anomaly::anomaly;
use crate::kernels::climatology::{Climatology, Cycle};
use crate::kernels::time_axis::{TimeAxis, TimeStep};
use crate::kernels::trend;

/// What is taken out of a series, or of each cell of a field.
#[derive(Debug)]
pub(crate) struct Preparation {
    cycle: Option<(Cycle, Vec<usize>, Baseline)>,
    axis: TimeAxis,
    detrend: bool,
}

impl Preparation {
    /// The mean annual cycle over the baseline, where the step is shorter than a year; and the linear trend.
    ///
    /// # Errors
    /// A baseline outside the record.
    pub(crate) fn of(
        axis: &TimeAxis,
        deseasonalise: bool,
        detrend: bool,
        baseline: Option<&TimeWindow>,
    ) -> Result<Self, ToolError> {
        let cycle = match axis.step() {
            TimeStep::Months(months) if months < 12 => Some(Cycle::Monthly),
            TimeStep::Seconds(seconds) if seconds > 7 * 86_400 && seconds < 330 * 86_400 => {
                Some(Cycle::Monthly)
            }
            TimeStep::Seconds(seconds) if seconds <= 7 * 86_400 => Some(Cycle::Daily),
            _ => None,
        };
        let cycle = match cycle.filter(|_| deseasonalise) {
            None => None,
            Some(cycle) => Some((cycle, cycle.bin_of(axis), Baseline::resolve(baseline, axis)?)),
        };
        Ok(Self { cycle, axis: axis.clone(), detrend })
    }

    /// The same with the year cut otherwise.
    pub(crate) fn by(mut self, cycle: Cycle) -> Self {
        if let Some((own, bins, _)) = &mut self.cycle {
            (*own, *bins) = (cycle, cycle.bin_of(&self.axis));
        }
        self
    }

    /// The values without them. The mean goes with the cycle, and with the trend.
    pub(crate) fn apply(&self, values: &[f64]) -> Vec<f64> {
        let values = match &self.cycle {
            None => values.to_vec(),
            Some((cycle, bins, baseline)) => {
                let means = Climatology::of(*cycle, &self.axis, values, &baseline.inside).mean;
                anomaly(values, bins, &means, None)
            }
        };
        if !self.detrend {
            return values;
        }
        let years = self.axis.years();
        match trend::linear(&years, &values, 0.95, trend::Autocorrelation::None) {
            Ok(line) => {
                years.iter().zip(&values).map(|(x, y)| y - (line.intercept + line.slope * x)).collect()
            }
            Err(_) => values,
        }
    }

    /// What was taken out, for the method: empty, or with a comma before it.
    pub(crate) fn text(&self) -> &'static str {
        match (self.cycle.is_some(), self.detrend) {
            (true, true) => ", annual cycle and linear trend taken out",
            (true, false) => ", annual cycle taken out",
            (false, true) => ", linear trend taken out",
            (false, false) => "",
        }
    }

    /// The years of the cycle.
    pub(crate) fn baseline(&self) -> Option<&str> {
        self.cycle.as_ref().map(|(_, _, baseline)| baseline.label.as_str())
    }

    /// What a reader must know.
    pub(crate) fn note(&self) -> Option<String> {
        self.cycle.as_ref().and_then(|(_, _, baseline)| baseline.note.clone())
    }
}
