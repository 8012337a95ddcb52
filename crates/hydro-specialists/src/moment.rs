//! [`Moment`]: a date or a time of day as plans write it; [`Window`]: from one to another, both included.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use jiff::{Span, Timestamp, ToSpan as _};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

/// A year, a month, a day or a minute. A partial date stands for its whole period.
///
/// ```
/// use hydro_specialists::Moment;
///
/// let month: Moment = "2020-02".parse().unwrap();
/// assert_eq!(month.first().to_string(), "2020-02-01T00:00:00");
/// assert_eq!(month.last().to_string(), "2020-02-29T23:59:00");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    first: DateTime,
    last: DateTime,
}

/// A text is not a moment, or two moments are no window.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MomentError {
    /// It cannot be read.
    #[error("`{text}` is not a date or a time; write `2022-09-28` or `2022-09-28T18:00:00Z`")]
    Unreadable {
        /// The text.
        text: String,
    },
    /// The end is before the begin.
    #[error("the window ends at {end}, before it begins at {begin}; exchange them")]
    Reversed {
        /// The begin.
        begin: DateTime,
        /// The end.
        end: DateTime,
    },
}

impl Moment {
    /// The first minute of the period.
    pub const fn first(&self) -> DateTime {
        self.first
    }

    /// The last minute of the period.
    pub const fn last(&self) -> DateTime {
        self.last
    }

    /// A whole day.
    pub fn of_day(day: Date) -> Self {
        Self { first: day.at(0, 0, 0, 0), last: day.at(23, 59, 0, 0) }
    }

    /// A whole month.
    pub fn of_month(year: i16, month: i8) -> Option<Self> {
        let first = Date::new(year, month, 1).ok()?;
        Some(Self { first: first.at(0, 0, 0, 0), last: first.last_of_month().at(23, 59, 0, 0) })
    }

    /// One minute; seconds are dropped, as the service has none.
    fn of_minute(time: DateTime) -> Self {
        let minute = time.date().at(time.hour(), time.minute(), 0, 0);
        Self { first: minute, last: minute }
    }
}

impl FromStr for Moment {
    type Err = MomentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let fail = || MomentError::Unreadable { text: text.chars().take(40).collect() };
        let number =
            |part: &str| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<i16>().ok())?;
        let year = |part: &str| (part.len() == 4).then(|| number(part))?;
        let month = |part: &str| (part.len() == 2).then(|| part.parse::<i8>().ok())?;
        let parts: Vec<&str> = text.split('-').collect();
        match parts.as_slice() {
            // `20220928` and `20220928 18:00` are the service's own spellings.
            [one] if one.len() >= 8 && one.bytes().take(8).all(|b| b.is_ascii_digit()) => {
                let (day, rest) = one.split_at(8);
                let dashed = format!("{}-{}-{}{rest}", &day[..4], &day[4..6], &day[6..]);
                dashed.parse().map_err(|_: MomentError| fail())
            }
            [only] => {
                let year = year(only).ok_or_else(fail)?;
                let (first, last) = (Date::new(year, 1, 1), Date::new(year, 12, 31));
                let (Ok(first), Ok(last)) = (first, last) else { return Err(fail()) };
                Ok(Self { first: first.at(0, 0, 0, 0), last: last.at(23, 59, 0, 0) })
            }
            [y, m] => {
                let (year, month) = year(y).zip(month(m)).ok_or_else(fail)?;
                Self::of_month(year, month).ok_or_else(fail)
            }
            _ if text.len() == 10 => text.parse::<Date>().map(Self::of_day).map_err(|_| fail()),
            // With `Z` or an offset it is an instant; without one it is taken as UTC.
            _ => text
                .parse::<Timestamp>()
                .map(|at| Offset::UTC.to_datetime(at))
                .or_else(|_| text.parse::<DateTime>())
                .map(Self::of_minute)
                .map_err(|_| fail()),
        }
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Moment {
    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]{4}(-?[0-9]{2}){0,2}([T ].*)?$" })
    }
}

/// From one minute to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The first minute.
    pub begin: DateTime,
    /// The last minute.
    pub end: DateTime,
}

impl Window {
    /// From the first minute of `begin` to the last of `end`.
    ///
    /// # Errors
    /// [`MomentError::Reversed`].
    pub fn new(begin: Moment, end: Moment) -> Result<Self, MomentError> {
        let window = Self { begin: begin.first, end: end.last };
        if window.begin > window.end {
            return Err(MomentError::Reversed { begin: window.begin, end: window.end });
        }
        Ok(window)
    }

    /// The window in parts of at most `days` days, without overlap.
    pub(crate) fn parts(self, days: i64) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut begin = self.begin;
        while let Ok(next) = begin.checked_add(days.days()) {
            if next > self.end {
                break;
            }
            let end = next.checked_sub(1.minute()).unwrap_or(next);
            parts.push(Self { begin, end });
            begin = next;
        }
        parts.push(Self { begin, end: self.end });
        parts
    }

    /// The times in the window that are whole multiples of `step` minutes from midnight, of which `step` is a part.
    pub(crate) fn grid(self, step: i64) -> Vec<DateTime> {
        let minutes = i64::from(self.begin.hour()) * 60 + i64::from(self.begin.minute());
        let wait: Span = ((step - minutes % step) % step).minutes();
        let start = self.begin.checked_add(wait).unwrap_or(DateTime::MAX);
        let mut grid = Vec::new();
        let mut at = start;
        while at <= self.end {
            grid.push(at);
            let Ok(next) = at.checked_add(step.minutes()) else { break };
            at = next;
        }
        grid
    }

    /// How many days the window has, the begun ones included.
    pub(crate) fn days(self) -> i64 {
        let hours = self.begin.duration_until(self.end).as_hours();
        hours / 24 + 1
    }
}

impl fmt::Display for Window {
    /// An interval of ISO 8601.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.begin, self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        text.parse().unwrap()
    }

    #[test]
    fn all_spellings_are_read() {
        for (text, first, last) in [
            ("2021", "2021-01-01T00:00:00", "2021-12-31T23:59:00"),
            ("2021-02", "2021-02-01T00:00:00", "2021-02-28T23:59:00"),
            ("2021-02-03", "2021-02-03T00:00:00", "2021-02-03T23:59:00"),
            ("20210203", "2021-02-03T00:00:00", "2021-02-03T23:59:00"),
            ("20210203 04:06", "2021-02-03T04:06:00", "2021-02-03T04:06:00"),
            ("2021-02-03T04:06:59Z", "2021-02-03T04:06:00", "2021-02-03T04:06:00"),
            ("2021-02-03T04:06", "2021-02-03T04:06:00", "2021-02-03T04:06:00"),
            ("2021-02-03T04:06:00-05:00", "2021-02-03T09:06:00", "2021-02-03T09:06:00"),
        ] {
            assert_eq!(moment(text).first().to_string(), first, "{text}");
            assert_eq!(moment(text).last().to_string(), last, "{text}");
        }
        for bad in [
            "",
            "yesterday",
            "2021-13",
            "2021-02-30",
            "21-02-03",
            "2021-2-3",
            "2021-02-03T25:00",
            "20211340",
            "２０２１",
        ] {
            assert!(bad.parse::<Moment>().is_err(), "{bad}");
        }
    }

    #[test]
    fn parts_cover_the_window_once() {
        let window = Window::new(moment("2021-01-15"), moment("2021-03-20")).unwrap();
        let parts = window.parts(31);
        assert_eq!(parts.len(), 3);
        assert_eq!((parts[0].begin, parts[2].end), (window.begin, window.end));
        for pair in parts.windows(2) {
            assert_eq!(pair[0].end.checked_add(1.minute()).unwrap(), pair[1].begin);
        }
        let short = Window::new(moment("2021-01-15T00:00"), moment("2021-01-15T00:00")).unwrap();
        assert_eq!(short.parts(31), [short]);
    }

    #[test]
    fn the_grid_keeps_to_the_clock() {
        let window = Window::new(moment("2021-01-01T00:02"), moment("2021-01-01T00:18")).unwrap();
        let grid: Vec<String> = window.grid(6).iter().map(ToString::to_string).collect();
        assert_eq!(grid, ["2021-01-01T00:06:00", "2021-01-01T00:12:00", "2021-01-01T00:18:00"]);
        let day = Window::new(moment("2021-01-01"), moment("2021-01-01")).unwrap();
        assert_eq!((day.grid(6).len(), day.grid(60).len()), (240, 24));
    }

    #[test]
    fn a_reversed_window_is_refused() {
        let error = Window::new(moment("2021-02"), moment("2021-01")).unwrap_err();
        assert!(matches!(error, MomentError::Reversed { .. }), "{error}");
    }
}
