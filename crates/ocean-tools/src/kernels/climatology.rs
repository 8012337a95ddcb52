//! Climatology: mean and spread of a series for each month, season or day of the year.
//!
//! # Source
//! WMO-No. 1203 (2017), "WMO Guidelines on the Calculation of Climate Normals": mean over the years of a stated
//! period, with the number of years. Seasons are the meteorological ones; December counts to the next year's DJF.

use libm::sqrt;
use ocean_data::cf::{Calendar, DateTime};

use super::time_axis::TimeAxis;

/// How the year is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cycle {
    /// Twelve months.
    Monthly,
    /// DJF, MAM, JJA, SON.
    Seasonal,
    /// Each day of the year, by month and day.
    ///
    /// 29 February is a day of its own with the few years that have it. A baseline without one gets the mean of
    /// 28 February and 1 March there.
    Daily,
}

/// The season names, in the order of [`Cycle::Seasonal`]'s bins.
const SEASONS: [&str; 4] = ["DJF", "MAM", "JJA", "SON"];
/// Bin of 29 February in the daily cycle of a calendar with leap years.
const LEAP_DAY: usize = 59;

impl Cycle {
    /// How many bins the cycle has.
    pub fn bins(self, calendar: Calendar) -> usize {
        match self {
            Self::Monthly => 12,
            Self::Seasonal => 4,
            Self::Daily => days(calendar).len(),
        }
    }

    /// The bin of each instant.
    pub fn bin_of(self, axis: &TimeAxis) -> Vec<usize> {
        let starts = day_starts(axis.calendar());
        axis.times()
            .iter()
            .map(|time| {
                let month = usize::from(time.month.saturating_sub(1)) % 12;
                match self {
                    Self::Monthly => month,
                    Self::Seasonal => (month + 1) % 12 / 3,
                    Self::Daily => starts[month] + usize::from(time.day.saturating_sub(1)),
                }
            })
            .collect()
    }

    /// The bins' names: `01` to `12`, `DJF` to `SON`, `01-01` to `12-31`.
    pub fn labels(self, calendar: Calendar) -> Vec<String> {
        match self {
            Self::Monthly => (1..=12).map(|month| format!("{month:02}")).collect(),
            Self::Seasonal => SEASONS.map(str::to_owned).to_vec(),
            Self::Daily => days(calendar).iter().map(|(month, day)| format!("{month:02}-{day:02}")).collect(),
        }
    }

    /// The year that an instant counts to: the calendar year, but December of DJF counts to the next.
    fn year_of(self, time: &DateTime) -> i32 {
        time.year + i32::from(self == Self::Seasonal && time.month == 12)
    }
}

/// Mean, spread and counts for each bin of a cycle.
#[derive(Debug, Clone, PartialEq)]
pub struct Climatology {
    /// Mean of the values in the bin; missing for an empty bin.
    pub mean: Vec<f64>,
    /// Standard deviation with `n − 1`; missing for fewer than two values.
    pub std: Vec<f64>,
    /// How many values.
    pub n: Vec<usize>,
    /// From how many years.
    pub years: Vec<usize>,
}

impl Climatology {
    /// Computes it over the values for which `in_baseline` is true. Missing values do not count.
    ///
    /// # Units
    /// Those of `values`.
    ///
    /// ```
    /// use ocean_data::cf::Calendar;
    /// use ocean_tools::kernels::climatology::{Climatology, Cycle};
    /// use ocean_tools::kernels::time_axis::TimeAxis;
    ///
    /// let axis = TimeAxis::parse(Calendar::Standard, &["2001-01-01", "2001-02-01", "2002-01-01"])?;
    /// let climatology = Climatology::of(Cycle::Monthly, &axis, &[1.0, 5.0, 3.0], &[true; 3]);
    /// assert_eq!((climatology.mean[0], climatology.mean[1], climatology.years[0]), (2.0, 5.0, 2));
    /// # Ok::<(), ocean_tools::kernels::time_axis::TimeAxisError>(())
    /// ```
    pub fn of(cycle: Cycle, axis: &TimeAxis, values: &[f64], in_baseline: &[bool]) -> Self {
        let size = cycle.bins(axis.calendar());
        let bins = cycle.bin_of(axis);
        let used = || {
            let rows = bins.iter().zip(values).zip(in_baseline).zip(axis.times());
            rows.filter(|(((bin, value), inside), _)| **inside && !value.is_nan() && **bin < size)
                .map(|(((bin, value), _), time)| (*bin, *value, cycle.year_of(time)))
        };
        let (mut sum, mut n, mut years) = (vec![0.0; size], vec![0_usize; size], vec![0_usize; size]);
        let mut last_year = vec![None; size];
        for (bin, value, year) in used() {
            sum[bin] += value;
            n[bin] += 1;
            // Times rise, and so do the years of one bin.
            if last_year[bin] != Some(year) {
                years[bin] += 1;
                last_year[bin] = Some(year);
            }
        }
        let mean: Vec<f64> =
            sum.iter().zip(&n).map(|(sum, &n)| if n == 0 { f64::NAN } else { sum / n as f64 }).collect();
        let mut squares = vec![0.0; size];
        for (bin, value, _) in used() {
            squares[bin] += (value - mean[bin]) * (value - mean[bin]);
        }
        let std = squares
            .iter()
            .zip(&n)
            .map(|(squares, &n)| if n < 2 { f64::NAN } else { sqrt(squares / (n - 1) as f64) })
            .collect();
        let mut climatology = Self { mean, std, n, years };
        if cycle == Cycle::Daily && size == 366 {
            climatology.fill_leap_day();
        }
        climatology
    }

    fn fill_leap_day(&mut self) {
        if self.n.get(LEAP_DAY).copied() == Some(0) {
            for values in [&mut self.mean, &mut self.std] {
                values[LEAP_DAY] = f64::midpoint(values[LEAP_DAY - 1], values[LEAP_DAY + 1]);
            }
        }
    }
}

/// The days that a year of the calendar can have.
fn days(calendar: Calendar) -> Vec<(u8, u8)> {
    (1..=12_u8).flat_map(|month| (1..=longest(calendar, month)).map(move |day| (month, day))).collect()
}

/// Bin of the first day of each month.
fn day_starts(calendar: Calendar) -> [usize; 12] {
    let mut starts = [0; 12];
    let mut next = 0;
    for (month, start) in (1..).zip(starts.iter_mut()) {
        *start = next;
        next += usize::from(longest(calendar, month));
    }
    starts
}

/// Days of a month in the longest year: 2000 is a leap year wherever there are any.
fn longest(calendar: Calendar, month: u8) -> u8 {
    calendar.days_in_month(2000, month)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn monthly(n: i64) -> TimeAxis {
        let times = (0..n).map(|i| super::super::time_axis::month_start(2000 * 12 + i)).collect();
        TimeAxis::new(Calendar::Standard, times).unwrap()
    }

    #[test]
    fn closed_form_of_a_cycle_with_a_yearly_step() {
        let axis = monthly(36);
        let values: Vec<f64> =
            axis.times().iter().map(|t| f64::from(t.month) * 10.0 + f64::from(t.year - 2000)).collect();
        let climatology = Climatology::of(Cycle::Monthly, &axis, &values, &[true; 36]);
        for month in 0..12 {
            assert!((climatology.mean[month] - ((month + 1) as f64 * 10.0 + 1.0)).abs() < 1e-12);
            assert!((climatology.std[month] - 1.0).abs() < 1e-12);
            assert_eq!((climatology.n[month], climatology.years[month]), (3, 3));
        }
    }

    #[test]
    fn december_counts_to_the_next_winter() {
        let axis = monthly(24);
        let bins = Cycle::Seasonal.bin_of(&axis);
        assert_eq!(&bins[..12], &[0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0]);
        let climatology = Climatology::of(Cycle::Seasonal, &axis, &[1.0; 24], &[true; 24]);
        // Winters 2000 (JF), 2001 (DJF) and 2002 (D).
        assert_eq!((climatology.n[0], climatology.years[0], climatology.years[1]), (6, 3, 2));
    }

    #[test]
    fn days_keep_their_bin_in_leap_years_and_other_calendars() {
        let axis =
            TimeAxis::parse(Calendar::Standard, &["2015-02-28", "2015-03-01", "2016-02-29", "2016-03-01"])
                .unwrap();
        assert_eq!(Cycle::Daily.bin_of(&axis), [58, 60, 59, 60]);
        assert_eq!(Cycle::Daily.bins(Calendar::NoLeap), 365);
        assert_eq!(Cycle::Daily.bins(Calendar::Day360), 360);
        assert_eq!(Cycle::Daily.labels(Calendar::Standard)[59], "02-29");
        let thirty = TimeAxis::parse(Calendar::Day360, &["2015-02-30", "2015-12-30"]).unwrap();
        assert_eq!(Cycle::Daily.bin_of(&thirty), [59, 359]);
    }

    #[test]
    fn a_baseline_without_a_leap_day_has_one_between_its_neighbours() {
        let axis = TimeAxis::parse(Calendar::Standard, &["2015-02-28", "2015-03-01", "2016-02-29"]).unwrap();
        let climatology = Climatology::of(Cycle::Daily, &axis, &[1.0, 3.0, 99.0], &[true, true, false]);
        assert!((climatology.mean[59] - 2.0).abs() < 1e-12);
        assert_eq!(climatology.n[59], 0);
    }

    #[test]
    fn an_empty_bin_is_missing() {
        let axis = monthly(2);
        let climatology = Climatology::of(Cycle::Monthly, &axis, &[1.0, f64::NAN], &[true; 2]);
        assert!(climatology.mean[1].is_nan() && climatology.std[0].is_nan());
        assert_eq!((climatology.n[1], climatology.years[1]), (0, 0));
    }

    proptest! {
        #[test]
        fn the_counted_mean_of_the_bins_is_the_mean(values in proptest::collection::vec(-9.0_f64..9.0, 1..80)) {
            let axis = monthly(i64::try_from(values.len()).unwrap());
            let climatology = Climatology::of(Cycle::Monthly, &axis, &values, &vec![true; values.len()]);
            let sum: f64 =
                climatology.mean.iter().zip(&climatology.n).filter(|(_, n)| **n > 0).map(|(m, n)| m * *n as f64).sum();
            prop_assert!((sum - values.iter().sum::<f64>()).abs() < 1e-9);
        }
    }
}
