//! Resampling of a series to days, weeks, months, seasons or years of its calendar.
//!
//! Bins follow each other without gaps from the one that holds the first value to the one that holds the last, and
//! are named by their start. The coverage of a bin is the number of its values over the number that the native step
//! lets expect; a bin below the wanted coverage is missing.

use ocean_data::cf::DateTime;

use super::theil_sen::median;
use super::time_axis::{TimeAxis, TimeAxisError, TimeStep, month_number, month_start};

/// The most bins that are made.
const MAX_BINS: usize = 2_000_000;
const DAY_NANOS: i128 = 86_400_000_000_000;

/// The step asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frequency {
    /// Days from midnight.
    Day,
    /// Seven days, from the midnight of the first day of the series.
    Week,
    /// Calendar months.
    Month,
    /// DJF, MAM, JJA, SON; DJF starts in December.
    Season,
    /// Calendar years.
    Year,
}

/// What becomes of the values of a bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// Arithmetic mean, each value with equal weight.
    Mean,
    /// Sum.
    Sum,
    /// Smallest.
    Min,
    /// Largest.
    Max,
    /// Median; the mean of the two middle ones for an even number.
    Median,
}

/// A series on the new step.
#[derive(Debug, Clone, PartialEq)]
pub struct Resampled {
    /// Starts of the bins.
    pub axis: TimeAxis,
    /// Reduced values; missing where the bin is empty or its coverage is too low.
    pub values: Vec<f64>,
    /// How many values the bin holds.
    pub count: Vec<usize>,
    /// How many the native step lets expect.
    pub expected: Vec<f64>,
    /// For a minimum or a maximum: the index in the original series.
    pub at: Vec<Option<usize>>,
}

/// A series cannot be resampled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResampleError {
    /// The series is coarser than the step asked for.
    #[error(
        "the series has a step of {native}, coarser than the {asked} asked for; ask for a coarser frequency"
    )]
    Finer {
        /// Native step, ISO 8601.
        native: String,
        /// Such as `day`.
        asked: &'static str,
    },
    /// More bins than can be held.
    #[error("the series spans more than {MAX_BINS} bins; choose a coarser frequency or a shorter window")]
    TooManyBins,
    /// The start of a bin is no date of the calendar.
    #[error(transparent)]
    Time(#[from] TimeAxisError),
}

impl Frequency {
    /// Months in a bin, for the steps that are made of months.
    const fn months(self) -> Option<i64> {
        match self {
            Self::Day | Self::Week => None,
            Self::Month => Some(1),
            Self::Season => Some(3),
            Self::Year => Some(12),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Season => "season",
            Self::Year => "year",
        }
    }

    /// The step of the result.
    pub fn step(self) -> TimeStep {
        match self {
            Self::Day => TimeStep::Seconds(86_400),
            Self::Week => TimeStep::Seconds(7 * 86_400),
            Self::Month => TimeStep::Months(1),
            Self::Season => TimeStep::Months(3),
            Self::Year => TimeStep::Months(12),
        }
    }
}

/// Resamples `values` on `axis`. `min_coverage` is a fraction from 0 to 1; with 0 one value is enough.
///
/// # Units
/// Those of `values`.
///
/// # Errors
/// [`ResampleError`].
///
/// ```
/// use ocean_data::cf::Calendar;
/// use ocean_tools::kernels::resample::{Frequency, Reduction, resample};
/// use ocean_tools::kernels::time_axis::TimeAxis;
///
/// let axis = TimeAxis::parse(Calendar::Standard, &["2015-01-30", "2015-01-31", "2015-02-01"])?;
/// let monthly = resample(&axis, &[1.0, 3.0, 7.0], Frequency::Month, Reduction::Mean, 0.0)?;
/// assert_eq!((monthly.values, monthly.count), (vec![2.0, 7.0], vec![2, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn resample(
    axis: &TimeAxis,
    values: &[f64],
    frequency: Frequency,
    reduction: Reduction,
    min_coverage: f64,
) -> Result<Resampled, ResampleError> {
    refuse_finer(axis.step(), frequency)?;
    let (starts, bins) = bins(axis, frequency)?;
    let mut members: Vec<Vec<(usize, f64)>> = vec![Vec::new(); starts.len()];
    for (index, (bin, value)) in bins.iter().zip(values).enumerate() {
        if let (Some(own), false) = (members.get_mut(*bin), value.is_nan()) {
            own.push((index, *value));
        }
    }
    let expected: Vec<f64> = starts.iter().map(|start| expected(axis, start, frequency)).collect();
    let mut result = Resampled {
        axis: TimeAxis::new(axis.calendar(), starts)?.with_step(frequency.step()),
        values: Vec::with_capacity(members.len()),
        count: members.iter().map(Vec::len).collect(),
        expected,
        at: Vec::with_capacity(members.len()),
    };
    for (own, wanted) in members.iter().zip(&result.expected) {
        let covered = own.len() as f64 + 1e-9 >= min_coverage * wanted;
        let (value, at) = if covered { reduce(own, reduction) } else { (f64::NAN, None) };
        result.values.push(value);
        result.at.push(at);
    }
    Ok(result)
}

fn refuse_finer(native: TimeStep, frequency: Frequency) -> Result<(), ResampleError> {
    let finer = match (native, frequency.months()) {
        (TimeStep::Months(_), None) => true,
        (TimeStep::Months(own), Some(asked)) => i64::from(own) > asked,
        (TimeStep::Seconds(own), None) => own > if frequency == Frequency::Day { 86_400 } else { 7 * 86_400 },
        (TimeStep::Seconds(own), Some(asked)) => own > 31 * 86_400 * asked.unsigned_abs(),
        (TimeStep::Unknown, _) => false,
    };
    if finer {
        return Err(ResampleError::Finer {
            native: native.to_iso().unwrap_or_default(),
            asked: frequency.name(),
        });
    }
    Ok(())
}

/// Starts of all bins, and the bin of each instant.
fn bins(axis: &TimeAxis, frequency: Frequency) -> Result<(Vec<DateTime>, Vec<usize>), ResampleError> {
    let key: Vec<i128> = match frequency.months() {
        // Seasons are counted from December.
        Some(3) => {
            axis.times().iter().map(|time| i128::from((month_number(time) + 1).div_euclid(3))).collect()
        }
        Some(months) => {
            axis.times().iter().map(|time| i128::from(month_number(time).div_euclid(months))).collect()
        }
        None => {
            let days = axis.nanoseconds().iter().map(|nanos| nanos.div_euclid(DAY_NANOS));
            let first = days.clone().next().unwrap_or(0);
            let width = if frequency == Frequency::Week { 7 } else { 1 };
            days.map(|day| first + (day - first).div_euclid(width) * width).collect()
        }
    };
    let width = if frequency == Frequency::Week { 7 } else { 1 };
    let (Some(&first), Some(&last)) = (key.first(), key.last()) else { return Ok((Vec::new(), Vec::new())) };
    let count = usize::try_from((last - first) / width + 1).unwrap_or(usize::MAX);
    if count > MAX_BINS {
        return Err(ResampleError::TooManyBins);
    }
    let start = |bin: i128| {
        let number = i64::try_from(bin).unwrap_or(0);
        match frequency.months() {
            Some(3) => month_start(number * 3 - 1),
            Some(months) => month_start(number * months),
            None => axis.calendar().instant(bin * DAY_NANOS).unwrap_or(DateTime::midnight(1970, 1, 1)),
        }
    };
    let starts = (0..count).map(|n| start(first + i128::try_from(n).unwrap_or(0) * width)).collect();
    let own = key.iter().map(|bin| usize::try_from((bin - first) / width).unwrap_or(usize::MAX)).collect();
    Ok((starts, own))
}

/// How many values a full bin has, from the native step.
fn expected(axis: &TimeAxis, start: &DateTime, frequency: Frequency) -> f64 {
    match (axis.step(), frequency.months()) {
        (TimeStep::Months(own), Some(months)) => months as f64 / f64::from(own),
        (TimeStep::Seconds(own), months) => {
            let days = months.map_or(if frequency == Frequency::Week { 7 } else { 1 }, |months| {
                let end = month_start(month_number(start) + months);
                let day = |time: &DateTime| {
                    axis.calendar().day_number(time.year, time.month, time.day).unwrap_or(0)
                };
                day(&end) - day(start)
            });
            days as f64 * 86_400.0 / own as f64
        }
        _ => 1.0,
    }
}

fn reduce(members: &[(usize, f64)], reduction: Reduction) -> (f64, Option<usize>) {
    if members.is_empty() {
        return (f64::NAN, None);
    }
    let sum: f64 = members.iter().map(|(_, value)| value).sum();
    let extreme = |better: fn(f64, f64) -> bool| {
        let best = members.iter().copied().reduce(|best, own| if better(own.1, best.1) { own } else { best });
        best.map_or((f64::NAN, None), |(index, value)| (value, Some(index)))
    };
    match reduction {
        Reduction::Mean => (sum / members.len() as f64, None),
        Reduction::Sum => (sum, None),
        Reduction::Min => extreme(|own, best| own < best),
        Reduction::Max => extreme(|own, best| own > best),
        Reduction::Median => {
            let values: Vec<f64> = members.iter().map(|(_, value)| *value).collect();
            (median(&values), None)
        }
    }
}

#[cfg(test)]
mod tests {
    use ocean_data::cf::Calendar;
    use proptest::prelude::*;

    use super::*;

    fn daily(calendar: Calendar, start: &str, n: usize) -> TimeAxis {
        let first = TimeAxis::parse(calendar, &[start]).unwrap().nanoseconds()[0];
        let times = (0..n).map(|i| calendar.instant(first + i as i128 * DAY_NANOS).unwrap()).collect();
        TimeAxis::new(calendar, times).unwrap()
    }

    #[test]
    fn a_year_is_as_long_as_its_calendar_says() {
        for (calendar, start, lengths) in [
            (Calendar::Standard, "2015-01-01", [365.0, 366.0]),
            (Calendar::NoLeap, "2015-01-01", [365.0, 365.0]),
            (Calendar::Day360, "2015-01-01", [360.0, 360.0]),
            (Calendar::AllLeap, "2015-01-01", [366.0, 366.0]),
        ] {
            let axis = daily(calendar, start, 732);
            let yearly = resample(&axis, &[1.0; 732], Frequency::Year, Reduction::Sum, 0.0).unwrap();
            assert_eq!(&yearly.expected[..2], &lengths, "{calendar}");
            assert_eq!(&yearly.values[..1], &lengths[..1], "{calendar}");
        }
    }

    #[test]
    fn a_bin_with_too_few_values_is_missing_and_says_how_many() {
        let axis = daily(Calendar::Standard, "2015-01-25", 20);
        let values = [1.0; 20];
        let strict = resample(&axis, &values, Frequency::Month, Reduction::Mean, 0.4).unwrap();
        assert!(strict.values[0].is_nan());
        assert!((strict.values[1] - 1.0).abs() < 1e-15);
        assert_eq!((strict.count[0], strict.expected[0]), (7, 31.0));
        let lenient = resample(&axis, &values, Frequency::Month, Reduction::Mean, 0.0).unwrap();
        assert!(lenient.values.iter().all(|value| !value.is_nan()));
    }

    #[test]
    fn winter_starts_in_december_and_empty_bins_stay() {
        let axis = TimeAxis::parse(Calendar::Standard, &["2014-12-15", "2015-02-15", "2015-09-15"]).unwrap();
        let axis = axis.with_step(TimeStep::Months(1));
        let seasonal = resample(&axis, &[1.0, 3.0, 9.0], Frequency::Season, Reduction::Mean, 0.0).unwrap();
        let starts: Vec<String> = seasonal.axis.times().iter().map(DateTime::date).collect();
        assert_eq!(starts, ["2014-12-01", "2015-03-01", "2015-06-01", "2015-09-01"]);
        assert_eq!(seasonal.count, [2, 0, 0, 1]);
        assert!(seasonal.values[1].is_nan());
        assert_eq!(seasonal.axis.label(0), "2014-12/2015-02");
    }

    #[test]
    fn weeks_start_on_the_first_day_of_the_series() {
        let axis = daily(Calendar::Standard, "2015-01-30T06:00:00", 15);
        let weekly = resample(&axis, &[1.0; 15], Frequency::Week, Reduction::Sum, 1.0).unwrap();
        assert_eq!(weekly.axis.label(1), "2015-02-06");
        assert_eq!(weekly.count, [7, 7, 1]);
        assert!(weekly.values[2].is_nan());
    }

    #[test]
    fn refuses_to_invent_values() {
        let axis = TimeAxis::parse(Calendar::Standard, &["2014-12-01", "2015-01-01"]).unwrap();
        let result = resample(&axis, &[1.0, 2.0], Frequency::Day, Reduction::Mean, 0.0);
        assert!(matches!(result, Err(ResampleError::Finer { .. })));
    }

    #[test]
    fn extremes_know_where_they_are() {
        let axis = daily(Calendar::Standard, "2015-01-01", 4);
        let result =
            resample(&axis, &[1.0, f64::NAN, 5.0, 5.0], Frequency::Month, Reduction::Max, 0.0).unwrap();
        assert_eq!((result.values[0], result.at[0], result.count[0]), (5.0, Some(2), 3));
        let median =
            resample(&axis, &[1.0, 9.0, 3.0, 2.0], Frequency::Month, Reduction::Median, 0.0).unwrap();
        assert!((median.values[0] - 2.5).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn sums_are_kept_and_counts_add_up(
            values in proptest::collection::vec(-5.0_f64..5.0, 1..400), which in 0_usize..5, calendar in 0_usize..3,
        ) {
            let calendar = [Calendar::Standard, Calendar::NoLeap, Calendar::Day360][calendar];
            let frequency =
                [Frequency::Day, Frequency::Week, Frequency::Month, Frequency::Season, Frequency::Year][which];
            let axis = daily(calendar, "1999-11-17", values.len());
            let result = resample(&axis, &values, frequency, Reduction::Sum, 0.0).unwrap();
            prop_assert_eq!(result.count.iter().sum::<usize>(), values.len());
            let sum: f64 = result.values.iter().sum();
            prop_assert!((sum - values.iter().sum::<f64>()).abs() < 1e-9);
            prop_assert!(result.count.iter().zip(&result.expected).all(|(n, full)| *n as f64 <= *full + 1e-9));
        }
    }
}
