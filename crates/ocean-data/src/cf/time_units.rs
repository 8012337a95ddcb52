//! CF time units: `<unit> since <reference>`, and numbers to dates and back.
//!
//! # Source
//! CF conventions 1.11, section 4.4; the reference-time grammar of UDUNITS-2 as far as files use it.

use super::calendar::{Calendar, CalendarError};
use super::date_time::DateTime;

/// A parsed unit of a time coordinate, with its calendar.
///
/// # Examples
/// ```
/// use ocean_data::cf::{Calendar, TimeUnits};
///
/// let units = TimeUnits::parse("days since 1800-01-01", Calendar::Standard)?;
/// assert_eq!(units.decode(76701.0)?.to_string(), "2010-01-01T00:00:00");
/// # Ok::<(), ocean_data::cf::TimeUnitsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeUnits {
    calendar: Calendar,
    /// Length of one unit.
    nanoseconds: i128,
    /// The reference, in nanoseconds of the calendar.
    reference: i128,
}

/// Time units that cannot be read, or a number that is no time.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeUnitsError {
    /// There is no `since`.
    #[error("time units `{text}` have no reference; write them as `days since 1970-01-01`")]
    NoReference {
        /// The units attribute.
        text: String,
    },
    /// The part before `since` is not a unit of time.
    #[error("`{unit}` is not a unit of time; use seconds, minutes, hours or days")]
    UnknownUnit {
        /// What was found.
        unit: String,
    },
    /// Months or years, which are not a fixed time in this calendar.
    #[error(
        "`{unit}` have no fixed length in the {calendar} calendar; rewrite the time coordinate in days, or declare \
         the 360_day calendar if the data have it"
    )]
    VariableLength {
        /// `months` or `years`.
        unit: String,
        /// The calendar.
        calendar: Calendar,
    },
    /// The reference date or time of day cannot be read.
    #[error("reference time `{text}` cannot be read; write it as `1970-01-01 00:00:00`")]
    Reference {
        /// What followed `since`.
        text: String,
    },
    /// The calendar refused.
    #[error(transparent)]
    Calendar(#[from] CalendarError),
    /// The number is missing or infinite.
    #[error("a time value is {value}; the time coordinate needs a finite number at every step")]
    NotFinite {
        /// The number.
        value: f64,
    },
}

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

impl TimeUnits {
    /// Reads `<unit> since <reference>`.
    ///
    /// The reference may have a `T` or blank before the time of day, an hour alone, fractional seconds, a
    /// `Z` or `UTC`, or an offset (`+05:30`, `-3`). Months and years are accepted only where the calendar
    /// fixes their length.
    ///
    /// # Errors
    /// See [`TimeUnitsError`].
    pub fn parse(text: &str, calendar: Calendar) -> Result<Self, TimeUnitsError> {
        let lower = text.trim().to_ascii_lowercase();
        let (unit, reference) = lower
            .split_once(" since ")
            .ok_or_else(|| TimeUnitsError::NoReference { text: text.to_owned() })?;
        let nanoseconds = unit_length(unit.trim(), calendar)?;
        let reference = parse_reference(reference.trim(), calendar)?;
        Ok(Self { calendar, nanoseconds, reference })
    }

    /// Units of whole days since a date: what a writer of time coordinates uses.
    ///
    /// # Errors
    /// [`TimeUnitsError::Calendar`] if the calendar lacks the date.
    pub fn days_since(date: &DateTime, calendar: Calendar) -> Result<Self, TimeUnitsError> {
        Ok(Self { calendar, nanoseconds: DAY, reference: calendar.nanoseconds(date)? })
    }

    /// The calendar.
    pub fn calendar(&self) -> Calendar {
        self.calendar
    }

    /// The date and time of a coordinate value.
    ///
    /// Kept to the microsecond; a value that is as near to a whole second as its own rounding is taken as
    /// that second.
    ///
    /// # Errors
    /// [`TimeUnitsError::NotFinite`], or a date out of range.
    pub fn decode(&self, value: f64) -> Result<DateTime, TimeUnitsError> {
        Ok(self.calendar.instant(self.to_nanoseconds(value)?)?)
    }

    /// Nanoseconds from 1970-01-01 of the calendar to a coordinate value, rounded as [`TimeUnits::decode`].
    ///
    /// # Errors
    /// As [`TimeUnits::decode`].
    pub fn to_nanoseconds(&self, value: f64) -> Result<i128, TimeUnitsError> {
        if !value.is_finite() || value.abs() > 1e18 {
            return Err(TimeUnitsError::NotFinite { value });
        }
        let whole = value.floor();
        #[expect(clippy::cast_possible_truncation, reason = "the magnitude was checked above")]
        let (whole_units, fraction) = {
            let fraction = (value - whole) * self.nanoseconds as f64;
            (whole as i128, fraction.round() as i128)
        };
        let exact = whole_units * self.nanoseconds + fraction;
        Ok(self.reference + snap(exact, value, self.nanoseconds))
    }

    /// The coordinate value of an instant: the inverse of [`TimeUnits::decode`].
    ///
    /// # Errors
    /// If the calendar lacks the date.
    pub fn encode(&self, time: &DateTime) -> Result<f64, TimeUnitsError> {
        let nanos = self.calendar.nanoseconds(time)? - self.reference;
        let whole = nanos.div_euclid(self.nanoseconds);
        let rest = nanos.rem_euclid(self.nanoseconds);
        Ok(whole as f64 + rest as f64 / self.nanoseconds as f64)
    }
}

/// Rounds to the microsecond, and to the second when the value's own precision says no more.
fn snap(exact: i128, value: f64, unit: i128) -> i128 {
    let step = value.abs().max(f64::MIN_POSITIVE) * f64::EPSILON * unit as f64;
    #[expect(clippy::cast_possible_truncation, reason = "a float cast saturates")]
    let tolerance = (step as i128 + 1).clamp(1_000, SECOND / 2 - 1);
    let nearest_second = (exact + SECOND / 2).div_euclid(SECOND) * SECOND;
    if (exact - nearest_second).abs() <= tolerance {
        nearest_second
    } else {
        (exact + 500).div_euclid(1_000) * 1_000
    }
}

fn unit_length(unit: &str, calendar: Calendar) -> Result<i128, TimeUnitsError> {
    let variable = || TimeUnitsError::VariableLength { unit: unit.to_owned(), calendar };
    Ok(match unit {
        "nanosecond" | "nanoseconds" | "ns" => 1,
        "microsecond" | "microseconds" | "us" | "microsec" | "microsecs" => 1_000,
        "millisecond" | "milliseconds" | "ms" | "msec" | "msecs" | "millisec" | "millisecs" => 1_000_000,
        "second" | "seconds" | "s" | "sec" | "secs" => SECOND,
        "minute" | "minutes" | "min" | "mins" => 60 * SECOND,
        "hour" | "hours" | "h" | "hr" | "hrs" => 3_600 * SECOND,
        "day" | "days" | "d" => DAY,
        "week" | "weeks" => 7 * DAY,
        "month" | "months" => match calendar {
            Calendar::Day360 => 30 * DAY,
            _ => return Err(variable()),
        },
        "year" | "years" | "yr" | "yrs" | "common_year" | "common_years" => match calendar {
            Calendar::Day360 => 360 * DAY,
            Calendar::NoLeap => 365 * DAY,
            Calendar::AllLeap => 366 * DAY,
            _ => return Err(variable()),
        },
        _ => return Err(TimeUnitsError::UnknownUnit { unit: unit.to_owned() }),
    })
}

fn parse_reference(text: &str, calendar: Calendar) -> Result<i128, TimeUnitsError> {
    let wrong = || TimeUnitsError::Reference { text: text.to_owned() };
    let split = text.find(['t', ' ']).map(|at| text.split_at(at));
    let (date, rest) = split.unwrap_or((text, ""));
    let (negative, digits) = date.strip_prefix('-').map_or((false, date), |digits| (true, digits));
    let mut parts = digits.split('-');
    let year: i32 = parts.next().and_then(|p| p.parse().ok()).ok_or_else(wrong)?;
    let mut next = || match parts.next() {
        None => Ok(1_u8),
        Some(part) => part.parse().map_err(|_| wrong()),
    };
    let (month, day) = (next()?, next()?);
    if parts.next().is_some() {
        return Err(wrong());
    }
    let year = if negative { -year } else { year };
    let midnight = calendar.nanoseconds(&DateTime::midnight(year, month, day))?;
    let rest = rest.trim_start_matches(['t', ' ']).trim();
    Ok(midnight + parse_clock(rest).ok_or_else(wrong)?)
}

/// Nanoseconds of a time of day with an optional zone; the empty text is midnight.
fn parse_clock(text: &str) -> Option<i128> {
    let text = ["utc", "gmt", "z"].iter().find_map(|zone| text.strip_suffix(zone)).unwrap_or(text).trim();
    let zone_at = text.char_indices().find(|&(at, c)| (c == '+' || c == '-') && at > 0).map(|(at, _)| at);
    let (clock, zone) = match zone_at {
        Some(at) => (text.get(..at)?.trim(), Some(text.get(at..)?)),
        None => (text, None),
    };
    // A blank before a bare zone: `00:00:00 5:30` is not used by files, so only signed zones count.
    let offset = zone.map_or(Some(0), parse_zone)?;
    if clock.is_empty() {
        return Some(-offset);
    }
    let mut parts = clock.split(':');
    let hour: i128 = parts.next()?.parse().ok()?;
    let minute: i128 = parts.next().map_or(Some(0), |p| p.parse().ok())?;
    let second: i128 = parts.next().map_or(Some(0), parse_seconds)?;
    let valid = (0..=24).contains(&hour) && (0..60).contains(&minute) && parts.next().is_none();
    valid.then_some(hour * 3_600 * SECOND + minute * 60 * SECOND + second - offset)
}

fn parse_seconds(text: &str) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole: i128 = whole.parse().ok()?;
    let digits: String = fraction.chars().chain(std::iter::repeat('0')).take(9).collect();
    let fraction: i128 = digits.parse().ok()?;
    (0..=60).contains(&whole).then_some(whole * SECOND + fraction)
}

/// `+05:30`, `+0530`, `-3`.
fn parse_zone(text: &str) -> Option<i128> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits = text.trim_start_matches(['+', '-']).trim();
    let (hours, minutes): (i128, i128) = match digits.split_once(':') {
        Some((hours, minutes)) => (hours.parse().ok()?, minutes.parse().ok()?),
        None if digits.len() == 4 => (digits.get(..2)?.parse().ok()?, digits.get(2..)?.parse().ok()?),
        None => (digits.parse().ok()?, 0),
    };
    (hours <= 24 && (0..60).contains(&minutes)).then_some(sign * (hours * 60 + minutes) * 60 * SECOND)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decode(units: &str, calendar: Calendar, value: f64) -> String {
        TimeUnits::parse(units, calendar).unwrap().decode(value).unwrap().to_string()
    }

    #[test]
    fn reads_the_reference_forms_that_files_have() {
        for (units, expected) in [
            ("days since 1970-01-01", "1970-01-02T00:00:00"),
            ("days since 1970-1-1", "1970-01-02T00:00:00"),
            ("Days Since 1970-01-01 00:00:0.0", "1970-01-02T00:00:00"),
            ("days since 1970-01-01T00:00:00Z", "1970-01-02T00:00:00"),
            ("days since 1970-01-01 00:00:00 UTC", "1970-01-02T00:00:00"),
            ("days since 1970-01-01 12", "1970-01-02T12:00:00"),
            ("days since 1970-01-01 12:30", "1970-01-02T12:30:00"),
            ("days since 1970-01-01 00:00:00.25", "1970-01-02T00:00:00.25"),
            ("days since 1970-01-01 06:00:00 +05:30", "1970-01-02T00:30:00"),
            ("days since 1970-01-01 06:00:00 -3", "1970-01-02T09:00:00"),
            ("days since 1970-01-01T06:00:00+0530", "1970-01-02T00:30:00"),
            ("hours since 1970", "1970-01-01T01:00:00"),
            ("days since 0000-01-01", "0000-01-02T00:00:00"),
        ] {
            assert_eq!(decode(units, Calendar::ProlepticGregorian, 1.0), expected, "{units}");
        }
    }

    #[test]
    fn refuses_what_is_not_a_time_unit() {
        let parse = |units| TimeUnits::parse(units, Calendar::Standard);
        assert!(matches!(parse("days"), Err(TimeUnitsError::NoReference { .. })));
        assert!(matches!(parse("metres since 1970-01-01"), Err(TimeUnitsError::UnknownUnit { .. })));
        assert!(matches!(parse("months since 1970-01-01"), Err(TimeUnitsError::VariableLength { .. })));
        assert!(matches!(parse("days since yesterday"), Err(TimeUnitsError::Reference { .. })));
        assert!(matches!(parse("days since 1970-02-30"), Err(TimeUnitsError::Calendar(_))));
        assert!(matches!(parse("days since 1970-01-01 25:70"), Err(TimeUnitsError::Reference { .. })));
        let units = parse("days since 1970-01-01").unwrap();
        assert!(matches!(units.decode(f64::NAN), Err(TimeUnitsError::NotFinite { .. })));
        assert!(units.decode(9.96921e36).is_err());
        assert!(units.decode(1e12).is_err());
    }

    #[test]
    fn months_are_fixed_in_360_day() {
        assert_eq!(decode("months since 2000-01-01", Calendar::Day360, 13.5), "2001-02-16T00:00:00");
        assert_eq!(decode("years since 2000-01-01", Calendar::NoLeap, 2.0), "2002-01-01T00:00:00");
    }

    #[test]
    fn a_third_of_a_day_is_eight_hours() {
        let days = 78_000.0 + 1.0 / 3.0;
        let text = decode("days since 1800-01-01", Calendar::Standard, days);
        assert!(text.ends_with("T08:00:00"), "{text}");
    }

    proptest! {
        #[test]
        fn whole_seconds_round_trip(seconds in -60_000_000_000_i64..60_000_000_000, which in 0_usize..6,
                                    unit in 0_usize..4) {
            let calendar = [Calendar::Standard, Calendar::ProlepticGregorian, Calendar::NoLeap, Calendar::AllLeap,
                            Calendar::Day360, Calendar::Julian][which];
            let name = ["seconds", "minutes", "hours", "days"][unit];
            let units = TimeUnits::parse(&format!("{name} since 1850-01-01"), calendar).unwrap();
            let time = calendar.instant(i128::from(seconds) * 1_000_000_000).unwrap();
            prop_assert_eq!(units.decode(units.encode(&time).unwrap()).unwrap(), time);
        }

        #[test]
        fn never_panics_on_text(text in "\\PC{0,40}") {
            let _ = TimeUnits::parse(&text, Calendar::Standard);
            let _ = TimeUnits::parse(&format!("days since {text}"), Calendar::Day360);
        }
    }
}
