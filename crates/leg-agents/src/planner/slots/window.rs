//! [`Window`]: a span of time with ends as precise as they were given.

use leg_core::evidence::month_name;
use serde_json::{Value, json};

/// Two ISO dates, each a year, a month or a day; a partial date covers its whole period.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::planner) struct Window {
    /// The first date.
    pub(in crate::planner) start: String,
    /// The last date.
    pub(in crate::planner) end: String,
}

impl Window {
    /// A window whose ends are in order. `None` for ends that are no dates, or that are swapped.
    pub(in crate::planner) fn new(start: &str, end: &str) -> Option<Self> {
        let window = Self { start: iso(start)?, end: iso(end)? };
        (window.first_day() <= window.last_day()).then_some(window)
    }

    /// Whole years.
    pub(in crate::planner) fn years(first: i32, last: i32) -> Self {
        Self { start: format!("{first:04}"), end: format!("{last:04}") }
    }

    /// Reads one ISO date or two.
    pub(in crate::planner) fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => match text.split_once('/') {
                Some((start, end)) => Self::new(start, end),
                None => Self::new(text, text),
            },
            Value::Array(ends) => match ends.as_slice() {
                [one] => Self::new(one.as_str()?, one.as_str()?),
                [start, end] => Self::new(start.as_str()?, end.as_str()?),
                _ => None,
            },
            _ => None,
        }
    }

    /// Two ISO dates.
    pub(in crate::planner) fn to_json(&self) -> Value {
        json!([self.start, self.end])
    }

    /// The first day, `2015-01-01`.
    pub(in crate::planner) fn first_day(&self) -> String {
        match self.start.len() {
            4 => format!("{}-01-01", self.start),
            7 => format!("{}-01", self.start),
            _ => self.start.clone(),
        }
    }

    /// The last day, `2015-12-31`.
    pub(in crate::planner) fn last_day(&self) -> String {
        match self.end.len() {
            4 => format!("{}-12-31", self.end),
            7 => format!("{}-{:02}", self.end, days_in(&self.end)),
            _ => self.end.clone(),
        }
    }

    /// The first and the last year.
    pub(in crate::planner) fn year_span(&self) -> (i32, i32) {
        let year = |text: &str| text.get(..4).and_then(|year| year.parse().ok()).unwrap_or_default();
        (year(&self.start), year(&self.end))
    }

    /// The year, if the window is just one whole year.
    pub(in crate::planner) fn single_year(&self) -> Option<i32> {
        (self.start.len() == 4 && self.start == self.end).then(|| self.year_span().0)
    }

    /// Whether another window lies inside.
    pub(in crate::planner) fn contains(&self, other: &Self) -> bool {
        self.first_day() <= other.first_day() && other.last_day() <= self.last_day()
    }

    /// Whether the two have a day in common.
    pub(in crate::planner) fn meets(&self, other: &Self) -> bool {
        self.first_day() <= other.last_day() && other.first_day() <= self.last_day()
    }

    /// The smallest window around both.
    pub(in crate::planner) fn hull(&self, other: &Self) -> Self {
        let first = if self.first_day() <= other.first_day() { self } else { other };
        let last = if self.last_day() >= other.last_day() { self } else { other };
        Self { start: first.start.clone(), end: last.end.clone() }
    }

    /// The whole calendar years inside, if there are any.
    pub(in crate::planner) fn whole_years(&self) -> Option<Self> {
        let (mut first, mut last) = self.year_span();
        // Monthly records give the middle or the first day of their months.
        if self.first_day().get(5..7) != Some("01") {
            first += 1;
        }
        if self.last_day().get(5..7) != Some("12") {
            last -= 1;
        }
        (first <= last).then(|| Self::years(first, last))
    }

    /// Roughly how many days it has.
    pub(in crate::planner) fn days(&self) -> i32 {
        let count = |day: &str| {
            let mut parts = day.split('-').map(|part| part.parse::<i32>().unwrap_or_default());
            let (year, month, day) = (parts.next(), parts.next(), parts.next());
            year.unwrap_or_default() * 365 + month.unwrap_or(1) * 30 + day.unwrap_or(1)
        };
        count(&self.last_day()) - count(&self.first_day()) + 1
    }

    /// The window in words, such as `2015 to 2017` or `March 2015`.
    pub(in crate::planner) fn words(&self) -> String {
        if self.start == self.end {
            date_words(&self.start)
        } else {
            format!("{} to {}", date_words(&self.start), date_words(&self.end))
        }
    }
}

/// A date in words.
fn date_words(date: &str) -> String {
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let name = month.and_then(|month| month.parse().ok()).and_then(month_name);
    match (name, day) {
        (Some(name), Some(day)) => format!("{} {name} {year}", day.trim_start_matches('0')),
        (Some(name), None) => format!("{name} {year}"),
        _ => year.to_owned(),
    }
}

/// A year, month or day in its full spelling; a time of day is cut off.
fn iso(text: &str) -> Option<String> {
    let date = text.trim().split(['T', 't', ' ']).next().unwrap_or_default();
    let parts: Vec<&str> = date.split(['-', '/']).collect();
    let number = |part: &str| part.parse::<u32>().ok();
    match parts.as_slice() {
        [year] if year.len() == 4 => number(year).map(|year| format!("{year:04}")),
        [year, month] if year.len() == 4 => month_of(number(year)?, number(month)?),
        [year, month, day] if year.len() == 4 => {
            let month = month_of(number(year)?, number(month)?)?;
            let day = number(day)?;
            (1..=31).contains(&day).then(|| format!("{month}-{day:02}"))
        }
        _ => None,
    }
}

fn month_of(year: u32, month: u32) -> Option<String> {
    (1..=12).contains(&month).then(|| format!("{year:04}-{month:02}"))
}

/// Days in a month, `2015-02`.
fn days_in(month: &str) -> u32 {
    let year: u32 = month.get(..4).and_then(|year| year.parse().ok()).unwrap_or_default();
    match month.get(5..7) {
        Some("02") if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        Some("02") => 28,
        Some("04" | "06" | "09" | "11") => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_dates_cover_their_period() {
        let window = Window::new("2016", "2016-02").unwrap();
        assert_eq!((window.first_day(), window.last_day()), ("2016-01-01".into(), "2016-02-29".into()));
        assert!(Window::new("2017", "2016").is_none());
        assert!(Window::new("2016-13", "2017").is_none());
        assert!(Window::new("20x6", "2017").is_none());
    }

    #[test]
    fn whole_years_of_a_record() {
        let whole = |a, b| Window::new(a, b).unwrap().whole_years().map(|w| w.words());
        assert_eq!(whole("2010-01-16", "2020-12-16").as_deref(), Some("2010 to 2020"));
        assert_eq!(whole("2010-03-01", "2012-11-30").as_deref(), Some("2011"));
        assert_eq!(whole("2010-03-01", "2010-11-30"), None);
    }
}
