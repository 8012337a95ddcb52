//! [`Joined`]: several series at the times that all have.

use leg_core::ToolError;

use crate::kernels::steps;
use crate::kernels::time_axis::TimeAxis;
use crate::series::Series;

/// Series on one axis.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) axis: TimeAxis,
    /// The values of each series.
    pub(crate) values: Vec<Vec<f64>>,
}

impl Joined {
    /// Joins on time: by calendar month for monthly series, otherwise by instant.
    ///
    /// # Errors
    /// Series of different calendars or steps, or with fewer than `least` times in common.
    pub(crate) fn of(series: &[&Series], least: usize) -> Result<Self, ToolError> {
        let Some(first) = series.first() else {
            return Err(ToolError::invalid("give at least one series"));
        };
        let mut rows: Vec<Vec<usize>> = vec![(0..first.axis.len()).collect()];
        let mut axis = first.axis.clone();
        for other in series.iter().skip(1) {
            if other.axis.calendar() != axis.calendar() || other.axis.step() != axis.step() {
                return Err(ToolError::invalid(format!(
                    "`{}` and `{}` have different steps or calendars; bring both to one step with \
                     `resample_timeseries`",
                    first.name, other.name
                )));
            }
            let pairs = steps::join(&axis, &other.axis);
            if pairs.len() < least {
                return Err(ToolError::no_data(format!(
                    "`{}` ({}) and `{}` ({}) have {} times in common and {least} are needed; choose series that overlap",
                    first.name,
                    axis.window(),
                    other.name,
                    other.axis.window(),
                    pairs.len()
                )));
            }
            let keep: Vec<usize> = pairs.iter().map(|pair| pair.0).collect();
            for row in &mut rows {
                *row = keep.iter().map(|&at| row[at]).collect();
            }
            rows.push(pairs.iter().map(|pair| pair.1).collect());
            axis = at(&axis, &keep)?;
        }
        let values = series
            .iter()
            .zip(&rows)
            .map(|(series, rows)| rows.iter().map(|&at| series.values[at]).collect())
            .collect();
        Ok(Self { axis, values })
    }

    /// Values of this axis on every step, missing in gaps.
    ///
    /// # Errors
    /// When the step is unknown.
    pub(crate) fn even(&self, values: &[f64]) -> Result<Vec<f64>, ToolError> {
        even(&self.axis, values)
    }
}

/// An axis at some of its positions, with its step.
pub(crate) fn at(axis: &TimeAxis, keep: &[usize]) -> Result<TimeAxis, ToolError> {
    let times = keep.iter().filter_map(|&at| axis.times().get(at).copied()).collect();
    let cut = TimeAxis::new(axis.calendar(), times).map_err(|error| ToolError::invalid(error.to_string()))?;
    Ok(cut.with_step(axis.step()))
}

/// Values on every step of an axis, missing in gaps.
///
/// # Errors
/// When the step is unknown.
pub(crate) fn even(axis: &TimeAxis, values: &[f64]) -> Result<Vec<f64>, ToolError> {
    steps::even(axis, values).ok_or_else(|| {
        ToolError::invalid("the series has no even step; bring it to one with `resample_timeseries`")
    })
}
