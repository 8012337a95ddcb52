//! CF calendars: the day arithmetic behind time coordinates.
//!
//! Years are astronomical (1 BC is year 0) in every calendar. Day numbers count from 1970-01-01 *of the same
//! calendar* and are not comparable between calendars.
//!
//! # Source
//! CF conventions 1.11, section 4.4.1; E. G. Richards, "Mapping Time" (1998), for the Gregorian and Julian
//! day counts.

use std::fmt;

use super::date_time::DateTime;

/// A calendar of the CF conventions.
///
/// # Examples
/// ```
/// use ocean_data::cf::Calendar;
///
/// let calendar = Calendar::parse("noleap")?;
/// assert_eq!(calendar.days_in_month(2000, 2), 28);
/// # Ok::<(), ocean_data::cf::CalendarError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Calendar {
    /// `standard` or `gregorian`: Julian until 1582-10-04, Gregorian from 1582-10-15.
    Standard,
    /// Gregorian rules for all times.
    ProlepticGregorian,
    /// `noleap` or `365_day`.
    NoLeap,
    /// `all_leap` or `366_day`.
    AllLeap,
    /// Twelve months of 30 days.
    Day360,
    /// Julian rules for all times.
    Julian,
}

/// A calendar name or a date that a calendar does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CalendarError {
    /// The name is none of CF's.
    #[error(
        "calendar `{name}` is not known; use one of: standard, gregorian, proleptic_gregorian, noleap, 365_day, \
         all_leap, 366_day, 360_day, julian"
    )]
    UnknownCalendar {
        /// What was found.
        name: String,
    },
    /// The calendar has no such day.
    #[error(
        "{year:04}-{month:02}-{day:02} is not a date of the {calendar} calendar; check year, month and day"
    )]
    NoSuchDate {
        /// The calendar.
        calendar: Calendar,
        /// Year.
        year: i32,
        /// Month, 1 to 12.
        month: u8,
        /// Day of the month.
        day: u8,
    },
    /// A number of days that is outside what can be represented (about ±2 million years).
    #[error(
        "a time {days} days from 1970 is outside the range of dates; check the time units and the fill value"
    )]
    OutOfRange {
        /// The day number.
        days: i64,
    },
}

const NANOS_PER_DAY: i128 = 86_400_000_000_000;
const MONTH_LENGTHS: [u8; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/// Day numbers beyond this are refused (about 2 million years).
const MAX_DAYS: i64 = 750_000_000;
/// First Gregorian day of the mixed calendar, 1582-10-15, as days since 1970-01-01.
const GREGORIAN_START: i64 = -141_427;

impl Calendar {
    /// Reads a CF calendar name, ignoring case. An empty name is `standard`, as CF says.
    ///
    /// # Errors
    /// [`CalendarError::UnknownCalendar`].
    pub fn parse(name: &str) -> Result<Self, CalendarError> {
        match name.trim().to_ascii_lowercase().as_str() {
            "" | "standard" | "gregorian" => Ok(Self::Standard),
            "proleptic_gregorian" => Ok(Self::ProlepticGregorian),
            "noleap" | "365_day" | "no_leap" => Ok(Self::NoLeap),
            "all_leap" | "366_day" | "allleap" => Ok(Self::AllLeap),
            "360_day" | "360day" => Ok(Self::Day360),
            "julian" => Ok(Self::Julian),
            _ => Err(CalendarError::UnknownCalendar { name: name.to_owned() }),
        }
    }

    /// The CF name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::ProlepticGregorian => "proleptic_gregorian",
            Self::NoLeap => "noleap",
            Self::AllLeap => "all_leap",
            Self::Day360 => "360_day",
            Self::Julian => "julian",
        }
    }

    /// Whether dates of this calendar are dates of the civil calendar, so that ISO text may end in `Z`.
    pub fn is_civil(self) -> bool {
        matches!(self, Self::Standard | Self::ProlepticGregorian)
    }

    /// Whether `year` has 29 days in February (or 366 days).
    pub fn is_leap_year(self, year: i32) -> bool {
        let gregorian = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        match self {
            Self::Standard if year <= 1582 => year % 4 == 0,
            Self::Standard | Self::ProlepticGregorian => gregorian,
            Self::Julian => year % 4 == 0,
            Self::AllLeap => true,
            Self::NoLeap | Self::Day360 => false,
        }
    }

    /// Days of a month; 0 for a month that is not 1 to 12.
    pub fn days_in_month(self, year: i32, month: u8) -> u8 {
        let Some(&length) = usize::from(month).checked_sub(1).and_then(|i| MONTH_LENGTHS.get(i)) else {
            return 0;
        };
        if self == Self::Day360 {
            30
        } else if month == 2 && self.is_leap_year(year) {
            29
        } else {
            length
        }
    }

    /// Days of a year. 1582 of the mixed calendar has 355.
    pub fn days_in_year(self, year: i32) -> u16 {
        match self {
            Self::Day360 => 360,
            Self::Standard if year == 1582 => 355,
            _ if self.is_leap_year(year) => 366,
            _ => 365,
        }
    }

    /// Day of the year of a date, from 1.
    ///
    /// Counted over whole months, so that 31 October 1582 of the mixed calendar is day 304, as in cftime.
    ///
    /// # Errors
    /// [`CalendarError::NoSuchDate`].
    pub fn day_of_year(self, date: &DateTime) -> Result<u16, CalendarError> {
        self.day_number(date.year, date.month, date.day)?;
        let before: u16 = (1..date.month).map(|month| u16::from(self.days_in_month(date.year, month))).sum();
        Ok(before + u16::from(date.day))
    }

    /// Days from 1970-01-01 of this calendar to a date.
    ///
    /// # Errors
    /// [`CalendarError::NoSuchDate`].
    pub fn day_number(self, year: i32, month: u8, day: u8) -> Result<i64, CalendarError> {
        let missing = CalendarError::NoSuchDate { calendar: self, year, month, day };
        if day == 0 || day > self.days_in_month(year, month) {
            return Err(missing);
        }
        let (y, m, d) = (i64::from(year), i64::from(month), i64::from(day));
        let number = match self {
            Self::ProlepticGregorian => gregorian_days(y, m, d),
            Self::Julian => julian_days(y, m, d),
            Self::Standard => match (year, month, day) {
                (1582, 10, 5..=14) => return Err(missing),
                date if date >= (1582, 10, 15) => gregorian_days(y, m, d),
                _ => julian_days(y, m, d) - JULIAN_SHIFT,
            },
            Self::NoLeap => (y - 1970) * 365 + days_before_month(month, false) + d - 1,
            Self::AllLeap => (y - 1970) * 366 + days_before_month(month, true) + d - 1,
            Self::Day360 => (y - 1970) * 360 + (m - 1) * 30 + d - 1,
        };
        if number.abs() > MAX_DAYS {
            return Err(CalendarError::OutOfRange { days: number });
        }
        Ok(number)
    }

    /// The date that is `days` days after 1970-01-01.
    ///
    /// # Errors
    /// [`CalendarError::OutOfRange`] beyond about two million years.
    pub fn date_of_day(self, days: i64) -> Result<(i32, u8, u8), CalendarError> {
        if days.abs() > MAX_DAYS {
            return Err(CalendarError::OutOfRange { days });
        }
        let (year, month, day) = match self {
            Self::ProlepticGregorian => gregorian_date(days),
            Self::Julian => julian_date(days),
            Self::Standard if days >= GREGORIAN_START => gregorian_date(days),
            Self::Standard => julian_date(days + JULIAN_SHIFT),
            Self::NoLeap => fixed_year_date(days, 365),
            Self::AllLeap => fixed_year_date(days, 366),
            Self::Day360 => {
                let rest = days.rem_euclid(360);
                (1970 + days.div_euclid(360), rest / 30 + 1, rest % 30 + 1)
            }
        };
        let out_of_range = CalendarError::OutOfRange { days };
        let narrow = |n: i64| u8::try_from(n).map_err(|_| out_of_range.clone());
        Ok((i32::try_from(year).map_err(|_| out_of_range.clone())?, narrow(month)?, narrow(day)?))
    }

    /// Nanoseconds from 1970-01-01T00:00:00 of this calendar to an instant: a number that orders and
    /// subtracts exactly.
    ///
    /// # Errors
    /// [`CalendarError::NoSuchDate`].
    pub fn nanoseconds(self, time: &DateTime) -> Result<i128, CalendarError> {
        let day = i128::from(self.day_number(time.year, time.month, time.day)?);
        let seconds = i128::from(time.hour) * 3600 + i128::from(time.minute) * 60 + i128::from(time.second);
        Ok(day * NANOS_PER_DAY + seconds * 1_000_000_000 + i128::from(time.nanosecond))
    }

    /// The instant that is `nanoseconds` after 1970-01-01T00:00:00: the inverse of [`Calendar::nanoseconds`].
    ///
    /// # Errors
    /// [`CalendarError::OutOfRange`].
    pub fn instant(self, nanoseconds: i128) -> Result<DateTime, CalendarError> {
        let days = i64::try_from(nanoseconds.div_euclid(NANOS_PER_DAY))
            .map_err(|_| CalendarError::OutOfRange { days: i64::MAX })?;
        let (year, month, day) = self.date_of_day(days)?;
        let rest = nanoseconds.rem_euclid(NANOS_PER_DAY);
        let field = |value: i128| u8::try_from(value).unwrap_or(0);
        let seconds = rest / 1_000_000_000;
        Ok(DateTime {
            year,
            month,
            day,
            hour: field(seconds / 3600),
            minute: field(seconds / 60 % 60),
            second: field(seconds % 60),
            nanosecond: u32::try_from(rest % 1_000_000_000).unwrap_or(0),
        })
    }
}

impl fmt::Display for Calendar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Days by which 1970-01-01 (Julian) lies after 1970-01-01 (Gregorian), as day counts of `julian_days`.
const JULIAN_SHIFT: i64 = -13;

fn days_before_month(month: u8, leap: bool) -> i64 {
    let whole: i64 =
        MONTH_LENGTHS.iter().take(usize::from(month).saturating_sub(1)).map(|&n| i64::from(n)).sum();
    whole + i64::from(leap && month > 2)
}

fn fixed_year_date(days: i64, length: i64) -> (i64, i64, i64) {
    let year = 1970 + days.div_euclid(length);
    let mut rest = days.rem_euclid(length);
    for (index, &plain) in (1_i64..).zip(MONTH_LENGTHS.iter()) {
        let month_length = i64::from(plain) + i64::from(index == 2 && length == 366);
        if rest < month_length {
            return (year, index, rest + 1);
        }
        rest -= month_length;
    }
    (year, 12, 31)
}

/// Days of a date since 1970-01-01, months counted from March so that the leap day is the last.
fn gregorian_days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn gregorian_date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    civil(era * 400 + year_of_era, day_of_year)
}

/// Days of a Julian date since 1970-01-01 of the Julian calendar.
fn julian_days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year.div_euclid(4) * 1461 + year.rem_euclid(4) * 365 + day_of_year - 719_483
}

fn julian_date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_483;
    let cycle = days.div_euclid(1461);
    let day_of_cycle = days.rem_euclid(1461);
    let year_of_cycle = (day_of_cycle - day_of_cycle / 1460) / 365;
    civil(cycle * 4 + year_of_cycle, day_of_cycle - 365 * year_of_cycle)
}

/// Year, month and day of a day counted from 1 March.
fn civil(year: i64, day_of_year: i64) -> (i64, i64, i64) {
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Calendar; 6] = [
        Calendar::Standard,
        Calendar::ProlepticGregorian,
        Calendar::NoLeap,
        Calendar::AllLeap,
        Calendar::Day360,
        Calendar::Julian,
    ];

    #[test]
    fn every_calendar_starts_in_1970() {
        for calendar in ALL {
            assert_eq!(calendar.day_number(1970, 1, 1), Ok(0), "{calendar}");
            assert_eq!(calendar.date_of_day(0), Ok((1970, 1, 1)), "{calendar}");
        }
    }

    #[test]
    fn the_reform_skips_ten_days() {
        let before = Calendar::Standard.day_number(1582, 10, 4).unwrap();
        assert_eq!(Calendar::Standard.day_number(1582, 10, 15).unwrap(), before + 1);
        assert!(Calendar::Standard.day_number(1582, 10, 10).is_err());
        assert!(Calendar::ProlepticGregorian.day_number(1582, 10, 10).is_ok());
        assert_eq!(Calendar::Standard.days_in_year(1582), 355);
    }

    #[test]
    fn dates_a_calendar_lacks_are_refused() {
        assert!(Calendar::NoLeap.day_number(2000, 2, 29).is_err());
        assert!(Calendar::Day360.day_number(2000, 1, 31).is_err());
        assert!(Calendar::Day360.day_number(2000, 2, 30).is_ok());
        assert!(Calendar::ProlepticGregorian.day_number(1900, 2, 29).is_err());
        assert!(Calendar::Julian.day_number(1900, 2, 29).is_ok());
        assert!(Calendar::Standard.day_number(1500, 2, 29).is_ok());
        assert!(Calendar::Standard.day_number(2000, 13, 1).is_err());
        assert!(Calendar::Standard.date_of_day(i64::MAX).is_err());
    }

    proptest! {
        #[test]
        fn day_numbers_round_trip_and_follow_each_other(days in -1_000_000_i64..1_000_000, which in 0_usize..6) {
            let calendar = ALL[which];
            let (year, month, day) = calendar.date_of_day(days).unwrap();
            prop_assert_eq!(calendar.day_number(year, month, day).unwrap(), days);
            let next = calendar.date_of_day(days + 1).unwrap();
            prop_assert!(next > (year, month, day));
        }

        #[test]
        fn instants_round_trip(nanos in -3_000_000_000_000_000_000_000_i128..3_000_000_000_000_000_000_000, which in 0_usize..6) {
            let calendar = ALL[which];
            let time = calendar.instant(nanos).unwrap();
            prop_assert_eq!(calendar.nanoseconds(&time).unwrap(), nanos);
        }
    }
}
