//! [`Together`]: several series at the times at which all have a value.

use leg_core::ToolError;

use super::joined::Joined;
use super::preparation::Preparation;
use crate::series::Series;

/// Series prepared alike, without missing values.
#[derive(Debug)]
pub(crate) struct Together {
    pub(crate) joined: Joined,
    pub(crate) preparation: Preparation,
    /// Rows of the joined axis at which all have a value.
    pub(crate) rows: Vec<usize>,
    /// The values of each series at these.
    pub(crate) values: Vec<Vec<f64>>,
}

impl Together {
    /// Joins and prepares series.
    ///
    /// # Errors
    /// Series of different steps or calendars; fewer common values than unknowns.
    pub(crate) fn of(series: &[Series], deseasonalise: bool, detrend: bool) -> Result<Self, ToolError> {
        let least = series.len() + 2;
        let joined = Joined::of(&series.iter().collect::<Vec<_>>(), least)?;
        let preparation = Preparation::of(&joined.axis, deseasonalise, detrend, None)?;
        let prepared: Vec<Vec<f64>> = joined.values.iter().map(|values| preparation.apply(values)).collect();
        let rows: Vec<usize> =
            (0..joined.axis.len()).filter(|row| prepared.iter().all(|own| !own[*row].is_nan())).collect();
        if rows.len() < least {
            return Err(ToolError::no_data(format!(
                "all series have a value at {} times and {least} are needed; choose series that overlap",
                rows.len()
            )));
        }
        let values = prepared.iter().map(|own| rows.iter().map(|row| own[*row]).collect()).collect();
        Ok(Self { joined, preparation, rows, values })
    }

    /// Values at the rows, on every step, missing in gaps; as they are where the step is unknown.
    pub(crate) fn spread(&self, values: &[f64]) -> Vec<f64> {
        let mut all = vec![f64::NAN; self.joined.axis.len()];
        for (row, value) in self.rows.iter().zip(values) {
            all[*row] = *value;
        }
        self.joined.even(&all).unwrap_or_else(|_| values.to_vec())
    }
}
