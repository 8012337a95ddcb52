//! Where and when the demo ocean has values.

use crate::cf::{Calendar, CalendarError, DateTime};

pub(crate) const LON: Axis = Axis { first: 107.25, step: 0.5, count: 28 };
pub(crate) const LAT: Axis = Axis { first: 8.25, step: 0.5, count: 30 };
/// Metres below the surface.
pub(crate) const DEPTHS: [f64; 12] =
    [0.5, 10.0, 25.0, 50.0, 75.0, 100.0, 150.0, 200.0, 300.0, 500.0, 1000.0, 1500.0];
/// Days since 2014-01-01, to 2018-12-26.
pub(crate) const TIME: Axis = Axis { first: 0.0, step: 7.0, count: 261 };
pub(crate) const FIRST_YEAR: i32 = 2014;
pub(crate) const LAST_YEAR: i32 = 2018;
pub(crate) const TIME_UNITS: &str = "days since 2014-01-01 00:00:00";
pub(crate) const CALENDAR: Calendar = Calendar::Standard;

/// Equal steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    pub(crate) first: f64,
    pub(crate) step: f64,
    pub(crate) count: usize,
}

impl Axis {
    pub(crate) fn at(&self, place: usize) -> f64 {
        self.first + self.step * place as f64
    }

    pub(crate) fn values(&self) -> Vec<f64> {
        (0..self.count).map(|place| self.at(place)).collect()
    }
}

/// A moment in the two ways that signals ask for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// Days since 2014-01-01.
    pub(crate) day: f64,
    /// The calendar year.
    pub(crate) year: i32,
    /// The share of the calendar year that has passed.
    pub(crate) share_of_year: f64,
}

impl Moment {
    pub(crate) fn new(day: f64) -> Self {
        let (mut year, mut rest) = (FIRST_YEAR, day);
        loop {
            let length = f64::from(CALENDAR.days_in_year(year));
            if rest < length {
                return Self { day, year, share_of_year: rest / length };
            }
            rest -= length;
            year += 1;
        }
    }

    /// Writes the date.
    pub(crate) fn date(day: f64) -> Result<String, CalendarError> {
        #[expect(clippy::cast_possible_truncation, reason = "days of a few years")]
        let number = CALENDAR.day_number(FIRST_YEAR, 1, 1)? + day as i64;
        let (year, month, day) = CALENDAR.date_of_day(number)?;
        Ok(DateTime::midnight(year, month, day).date())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_know_their_year() {
        let cases = [
            (0.0, 2014, 0.0),
            (365.0, 2015, 0.0),
            (730.0, 2016, 0.0),
            (1096.0, 2017, 0.0),
            (730.0 + 183.0, 2016, 0.5),
        ];
        for (day, year, share) in cases {
            let moment = Moment::new(day);
            assert_eq!((moment.year, moment.share_of_year), (year, share), "day {day}");
        }
        assert_eq!(Moment::date(730.0 + 59.0).unwrap(), "2016-02-29");
        assert_eq!(Moment::date(TIME.at(TIME.count - 1)).unwrap(), "2018-12-26");
    }
}
