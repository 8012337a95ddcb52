//! A date and time of day, in whichever calendar goes with it.

use std::fmt;

use super::calendar::Calendar;

/// A date and time of day; its [`Calendar`] is kept beside it.
///
/// Ordered by its fields, which is the order of time within one calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime {
    /// Astronomical year.
    pub year: i32,
    /// Month, 1 to 12.
    pub month: u8,
    /// Day of the month, from 1.
    pub day: u8,
    /// Hour, 0 to 23.
    pub hour: u8,
    /// Minute, 0 to 59.
    pub minute: u8,
    /// Second, 0 to 59.
    pub second: u8,
    /// Nanosecond, 0 to 999 999 999.
    pub nanosecond: u32,
}

impl DateTime {
    /// Midnight of a date.
    pub fn midnight(year: i32, month: u8, day: u8) -> Self {
        Self { year, month, day, hour: 0, minute: 0, second: 0, nanosecond: 0 }
    }

    /// The text that JSON documents carry: `2015-11-01T00:00:00Z`, without the `Z` in a calendar that is
    /// not civil.
    pub fn to_iso(&self, calendar: Calendar) -> String {
        if calendar.is_civil() { format!("{self}Z") } else { self.to_string() }
    }

    /// The month as `2015-11`.
    pub fn year_month(&self) -> String {
        format!("{}-{:02}", Year(self.year), self.month)
    }

    /// The day as `2015-11-01`.
    pub fn date(&self) -> String {
        format!("{}-{:02}-{:02}", Year(self.year), self.month, self.day)
    }
}

/// `2015-11-01T06:00:00`, with a fraction only where there is one.
impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T{:02}:{:02}:{:02}", self.date(), self.hour, self.minute, self.second)?;
        if self.nanosecond == 0 {
            return Ok(());
        }
        let digits = format!("{:09}", self.nanosecond);
        write!(f, ".{}", digits.trim_end_matches('0'))
    }
}

/// A year in at least four digits, its sign in front.
struct Year(i32);

impl fmt::Display for Year {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{:04}", self.0.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_iso_and_keeps_the_z_for_civil_calendars() {
        let mut time = DateTime { hour: 6, ..DateTime::midnight(2015, 11, 1) };
        assert_eq!(time.to_iso(Calendar::Standard), "2015-11-01T06:00:00Z");
        assert_eq!(time.to_iso(Calendar::Day360), "2015-11-01T06:00:00");
        time.nanosecond = 250_000_000;
        time.year = -44;
        assert_eq!(time.to_string(), "-0044-11-01T06:00:00.25");
    }
}
