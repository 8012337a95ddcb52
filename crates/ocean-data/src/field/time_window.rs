//! When: windows of partial dates, and seasons.

use std::fmt;
use std::str::FromStr;

use serde_json::{Value, json};

use super::selection::SelectionError;
use crate::cf::{Calendar, CalendarError, DateTime};

/// Two partial dates, both inclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeWindow {
    /// First.
    pub from: PartialDate,
    /// Last; it covers its whole period.
    pub to: PartialDate,
}

/// A date to the year, month, day, or second: it stands for its whole period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartialDate {
    year: i32,
    month: Option<u8>,
    day: Option<u8>,
    /// Seconds of the day.
    seconds: Option<u32>,
}

/// A text that is no date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a date; write 2015, 2015-03, 2015-03-31 or 2015-03-31T12:00:00Z")]
pub struct ParseDateError {
    text: String,
}

impl PartialDate {
    /// The first nanosecond of the period, and the first one after it, in nanoseconds of the calendar.
    ///
    /// A day that the calendar lacks (31 March in `360_day`) is taken as the last of its month.
    ///
    /// # Errors
    /// [`CalendarError`] for a date that no clamping saves.
    pub fn period(&self, calendar: Calendar) -> Result<[i128; 2], CalendarError> {
        const SECOND: i128 = 1_000_000_000;
        let midnight = |year, month, day| calendar.nanoseconds(&DateTime::midnight(year, month, day));
        let next_month = |year: i32, month: u8| {
            if month == 12 { midnight(year.saturating_add(1), 1, 1) } else { midnight(year, month + 1, 1) }
        };
        let Some(month) = self.month else {
            return Ok([midnight(self.year, 1, 1)?, midnight(self.year.saturating_add(1), 1, 1)?]);
        };
        let Some(day) = self.day else {
            return Ok([midnight(self.year, month, 1)?, next_month(self.year, month)?]);
        };
        let day = day.min(calendar.days_in_month(self.year, month).max(1));
        let start = midnight(self.year, month, day)?;
        Ok(match self.seconds {
            None => [start, start + 86_400 * SECOND],
            Some(seconds) => {
                let at = start + i128::from(seconds) * SECOND;
                [at, at + SECOND]
            }
        })
    }
}

impl FromStr for PartialDate {
    type Err = ParseDateError;

    fn from_str(text: &str) -> Result<Self, ParseDateError> {
        parse(text.trim()).ok_or_else(|| ParseDateError { text: text.chars().take(60).collect() })
    }
}

fn parse(text: &str) -> Option<PartialDate> {
    let (date, clock) = match text.split_once(['T', 't', ' ']) {
        Some((date, clock)) => (date, Some(clock)),
        None => (text, None),
    };
    let (sign, digits) = date.strip_prefix('-').map_or((1, date), |digits| (-1, digits));
    let mut parts = digits.split('-');
    let number = |part: &str, width: std::ops::RangeInclusive<usize>| -> Option<i32> {
        let valid = width.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        if valid { part.parse().ok() } else { None }
    };
    let year = sign * number(parts.next()?, 4..=6)?;
    let mut field = |max: i32| -> Option<Option<u8>> {
        let Some(part) = parts.next() else { return Some(None) };
        let value = number(part, 1..=2).filter(|value| (1..=max).contains(value))?;
        Some(u8::try_from(value).ok())
    };
    let (month, day) = (field(12)?, field(31)?);
    if parts.next().is_some() || (clock.is_some() && day.is_none()) {
        return None;
    }
    let seconds = match clock {
        None => None,
        Some(clock) => Some(parse_clock(clock.strip_suffix(['Z', 'z']).unwrap_or(clock))?),
    };
    Some(PartialDate { year, month, day, seconds })
}

fn parse_clock(text: &str) -> Option<u32> {
    let mut parts = text.split(':');
    let mut field = |max: u32| -> Option<u32> {
        match parts.next() {
            None => Some(0),
            Some(part) => part.split('.').next()?.parse().ok().filter(|value| *value <= max),
        }
    };
    let (hour, minute, second) = (field(23)?, field(59)?, field(59)?);
    parts.next().is_none().then_some(hour * 3600 + minute * 60 + second)
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.year < 0 { "-" } else { "" };
        write!(f, "{sign}{:04}", self.year.unsigned_abs())?;
        if let Some(month) = self.month {
            write!(f, "-{month:02}")?;
        }
        if let Some(day) = self.day {
            write!(f, "-{day:02}")?;
        }
        if let Some(seconds) = self.seconds {
            write!(f, "T{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        }
        Ok(())
    }
}

impl TimeWindow {
    /// The first nanosecond of the window and the first one after it.
    ///
    /// # Errors
    /// [`CalendarError`] for a date the calendar lacks.
    pub fn period(&self, calendar: Calendar) -> Result<[i128; 2], CalendarError> {
        Ok([self.from.period(calendar)?[0], self.to.period(calendar)?[1]])
    }

    /// Reads the JSON form; `pointer` is where it stands, for messages.
    ///
    /// # Errors
    /// [`SelectionError`], with the right shape.
    pub fn from_json(value: &Value, pointer: &str) -> Result<Self, SelectionError> {
        let form = r#"two dates, both inclusive: ["2015-01-01", "2015-12-31"]"#;
        let wrong = || SelectionError::shape(pointer, value, form);
        let items = value.as_array().ok_or_else(wrong)?;
        let [from, to] = items.as_slice() else { return Err(wrong()) };
        let date = |item: &Value, at: usize| -> Result<PartialDate, SelectionError> {
            let text = match item {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                _ => String::new(),
            };
            text.parse().map_err(|_| {
                SelectionError::shape(
                    &format!("{pointer}/{at}"),
                    item,
                    "a date such as \"2015\", \"2015-03\" or \"2015-03-31\"",
                )
            })
        };
        let window = Self { from: date(from, 0)?, to: date(to, 1)? };
        // Compared in a calendar that has every date.
        match window.period(Calendar::AllLeap) {
            Ok([start, end]) if start < end => Ok(window),
            _ => Err(SelectionError::shape(pointer, value, "the earlier date first")),
        }
    }

    /// The canonical JSON form.
    pub fn to_json(&self) -> Value {
        json!([self.from.to_string(), self.to.to_string()])
    }

    /// The JSON Schema of the form.
    pub fn json_schema() -> Value {
        json!({"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"},
               "description": "two ISO dates, both inclusive; a partial date covers its whole period"})
    }
}

/// A run of months by their initials: `DJF`, `JJA`, `MJJASO`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Season {
    code: String,
    first: u8,
}

/// A text that is no season.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a season; write DJF, MAM, JJA, SON or a run of two to eleven months by their initials such as MJJASO"
)]
pub struct ParseSeasonError {
    text: String,
}

impl Season {
    /// The code, in capitals.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Its months, 1 to 12, in the order of the season.
    pub fn months(&self) -> Vec<u8> {
        (self.first..).take(self.code.len()).map(|month| (month - 1) % 12 + 1).collect()
    }

    /// The year a date's season belongs to: that of its last month, so that the December of `DJF` counts to
    /// the following year.
    pub fn year_of(&self, date: &DateTime) -> i32 {
        let crosses = usize::from(self.first) + self.code.len() > 13;
        if crosses && date.month >= self.first { date.year + 1 } else { date.year }
    }

    /// Reads the JSON form; `pointer` is where it stands, for messages.
    ///
    /// # Errors
    /// [`SelectionError`], with the right shape.
    pub fn from_json(value: &Value, pointer: &str) -> Result<Self, SelectionError> {
        let form =
            "a season such as \"DJF\", \"MAM\", \"JJA\", \"SON\" or a run of initials such as \"MJJASO\"";
        let wrong = || SelectionError::shape(pointer, value, form);
        value.as_str().ok_or_else(wrong)?.parse().map_err(|_| wrong())
    }

    /// The JSON Schema of the form.
    pub fn json_schema() -> Value {
        json!({"type": "string", "pattern": "^[A-Za-z]{2,12}$",
               "description": "DJF, MAM, JJA, SON or a run of months by their initials such as MJJASO"})
    }
}

impl FromStr for Season {
    type Err = ParseSeasonError;

    fn from_str(text: &str) -> Result<Self, ParseSeasonError> {
        const INITIALS: &str = "JFMAMJJASONDJFMAMJJASOND";
        let code = text.trim().to_ascii_uppercase();
        let wrong = || ParseSeasonError { text: text.chars().take(40).collect() };
        if !(2..=12).contains(&code.len()) {
            return Err(wrong());
        }
        let at = INITIALS.find(&code).filter(|&at| at < 12).ok_or_else(wrong)?;
        Ok(Self { code, first: u8::try_from(at + 1).unwrap_or(1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> PartialDate {
        text.parse().unwrap()
    }

    fn iso(nanos: i128, calendar: Calendar) -> String {
        calendar.instant(nanos).unwrap().to_string()
    }

    #[test]
    fn a_partial_date_covers_its_period() {
        for (text, calendar, from, to) in [
            ("2015", Calendar::Standard, "2015-01-01T00:00:00", "2016-01-01T00:00:00"),
            ("2020-02", Calendar::Standard, "2020-02-01T00:00:00", "2020-03-01T00:00:00"),
            ("2020-12", Calendar::NoLeap, "2020-12-01T00:00:00", "2021-01-01T00:00:00"),
            ("2020-03-31", Calendar::Day360, "2020-03-30T00:00:00", "2020-04-01T00:00:00"),
            ("2020-03-31T12:00:00Z", Calendar::Standard, "2020-03-31T12:00:00", "2020-03-31T12:00:01"),
            ("2020-03-31 06", Calendar::Standard, "2020-03-31T06:00:00", "2020-03-31T06:00:01"),
        ] {
            let [start, end] = date(text).period(calendar).unwrap();
            assert_eq!((iso(start, calendar).as_str(), iso(end, calendar).as_str()), (from, to), "{text}");
        }
    }

    #[test]
    fn nonsense_is_no_date() {
        for text in [
            "",
            "15",
            "2015-",
            "2015-00",
            "2015-01-32",
            "2015-01-01-01",
            "yesterday",
            "2015-03T12",
            "2015-1-1T25",
        ] {
            assert!(text.parse::<PartialDate>().is_err(), "{text}");
        }
    }

    #[test]
    fn seasons_are_runs_of_months() {
        let months = |text: &str| text.parse::<Season>().unwrap().months();
        assert_eq!(months("DJF"), [12, 1, 2]);
        assert_eq!(months("jja"), [6, 7, 8]);
        assert_eq!(months("MJJASO"), [5, 6, 7, 8, 9, 10]);
        assert_eq!(months("NDJFM"), [11, 12, 1, 2, 3]);
        for text in ["J", "JJJ", "JAN", "DJFM1", ""] {
            assert!(text.parse::<Season>().is_err(), "{text}");
        }
    }

    #[test]
    fn december_counts_to_the_year_of_its_january() {
        let season: Season = "DJF".parse().unwrap();
        assert_eq!(season.year_of(&DateTime::midnight(2014, 12, 5)), 2015);
        assert_eq!(season.year_of(&DateTime::midnight(2015, 2, 5)), 2015);
        let summer: Season = "JJA".parse().unwrap();
        assert_eq!(summer.year_of(&DateTime::midnight(2015, 6, 5)), 2015);
    }
}
