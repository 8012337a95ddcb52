//! Dates, periods and clock times: in a sentence, and in what evidence says of its time.

use super::month_number;

/// A point of time as exact as it is said: a year, a month, a day, a time of day, or a part of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Date {
    pub year: Option<i32>,
    pub month: Option<u8>,
    pub day: Option<u8>,
    /// Hour, and minute when it is said.
    pub clock: Option<(u8, Option<u8>)>,
}

impl Date {
    /// Whether the other date, which is at least as exact, lies in this one.
    pub(crate) fn holds(self, other: Self) -> bool {
        fn part<T: PartialEq + Copy>(said: Option<T>, known: Option<T>) -> bool {
            said.is_none() || said == known
        }
        let clock = match (self.clock, other.clock) {
            // Midnight is how a date without a time is often written.
            (None, _) | (Some((0, Some(0) | None)), None) => true,
            (Some((hour, minute)), Some((known, known_minute))) => {
                hour == known && part(minute, known_minute.or(Some(0)))
            }
            (Some(_), None) => false,
        };
        part(self.year, other.year) && part(self.month, other.month) && part(self.day, other.day) && clock
    }

    const fn year(year: i32) -> Self {
        Self { year: Some(year), month: None, day: None, clock: None }
    }
}

/// A stretch of time that evidence knows; an instant begins and ends at the same date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Period {
    pub from: Date,
    pub to: Date,
}

impl Period {
    /// Reads `2015`, `2015-11`, `2015-11-03T12:00:00Z`, `month 8`, and two of them with a slash between.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (from, to) = text.split_once('/').unwrap_or((text, text));
        Some(Self { from: one(from.trim())?, to: one(to.trim())? })
    }

    pub(crate) fn is_instant(&self) -> bool {
        self.from == self.to
    }

    /// How long it is, in days: a partial date covers its whole period.
    pub(crate) fn days(&self) -> Option<f64> {
        let from = ordinal(self.from, false)?;
        let to = ordinal(self.to, true)?;
        (to >= from).then(|| f64::from(to - from) + 1.0)
    }

    /// Days between its two ends, when both are days or exacter.
    pub(crate) fn days_between(&self) -> Option<f64> {
        let exact = self.from.day.is_some() && self.to.day.is_some();
        let clock = |date: Date| {
            date.clock.map_or(0.0, |(hour, minute)| {
                f64::from(hour) / 24.0 + f64::from(minute.unwrap_or(0)) / 1440.0
            })
        };
        let days = ordinal(self.to, true)? - ordinal(self.from, false)?;
        exact.then(|| f64::from(days) + clock(self.to) - clock(self.from)).filter(|days| *days >= 0.0)
    }
}

fn one(text: &str) -> Option<Date> {
    if let Some(month) = text.strip_prefix("month ") {
        let month = month.parse().ok().filter(|month| (1..=12).contains(month))?;
        return Some(Date { month: Some(month), ..Date::default() });
    }
    if text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse().ok().map(Date::year);
    }
    let (date, length) = numeric(text).or_else(|| named(text))?;
    // Zones and seconds may follow, other words may not.
    let rest = text.get(length..)?;
    rest.chars().all(|c| !c.is_alphabetic() || matches!(c, 'U' | 'T' | 'C' | 'Z')).then_some(date)
}

/// Days since 0001-01-01, of the first or the last day that a date covers.
fn ordinal(date: Date, last: bool) -> Option<i32> {
    let year = date.year?;
    let month = date.month.unwrap_or(if last { 12 } else { 1 });
    let day = date.day.unwrap_or(if last { days_in(year, month) } else { 1 });
    let before = (1..month).map(|month| i32::from(days_in(year, month))).sum::<i32>();
    let y = year - 1;
    Some(365 * y + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400) + before + i32::from(day) - 1)
}

fn days_in(year: i32, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// A date at the start of a text, and how long it is: `2015-11-03T12:00:00Z`, `2022-271`, `November 2015`,
/// `the 3rd of November 2015`, `Nov. 3, 2015`, `28 September`, `9/28/2022`, `19:30 UTC`, `18Z`.
pub(crate) fn date_at(text: &str) -> Option<(Date, usize)> {
    clock(text).or_else(|| numeric(text)).or_else(|| slashed(text)).or_else(|| named(text))
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

fn numeric(text: &str) -> Option<(Date, usize)> {
    let (year, rest) = digits(text);
    let year: i32 = (year.len() == 4).then(|| year.parse().ok())??;
    let rest = rest.strip_prefix('-').or_else(|| rest.strip_prefix('/'))?;
    let (middle, rest) = digits(rest);
    let mut date = Date::year(year);
    if middle.len() == 3 {
        // The day of the year.
        let mut day: u16 = middle.parse().ok().filter(|day| (1..=366).contains(day))?;
        for month in 1..=12 {
            let length = u16::from(days_in(year, month));
            if day <= length {
                date.month = Some(month);
                date.day = u8::try_from(day).ok();
                return Some((date, text.len() - rest.len()));
            }
            day -= length;
        }
        return None;
    }
    date.month = (middle.len() == 2).then(|| middle.parse().ok())?.filter(|m| (1..=12).contains(m));
    date.month?;
    let mut end = text.len() - rest.len();
    if let Some(rest) = rest.strip_prefix('-').or_else(|| rest.strip_prefix('/')) {
        let (day, after) = digits(rest);
        date.day = (day.len() == 2).then(|| day.parse().ok())?.filter(|d| (1..=31).contains(d));
        date.day?;
        end = text.len() - after.len();
        if let Some(tail) = after.strip_prefix(['T', ' '])
            && let Some((time, length)) = clock(tail)
        {
            date.clock = time.clock;
            end = text.len() - tail.len() + length;
        }
    }
    let next = text.get(end..)?.chars().next();
    (!next.is_some_and(|c| c.is_ascii_digit())).then_some((date, end))
}

/// `9/28/2022`: the month first, unless it cannot be one.
fn slashed(text: &str) -> Option<(Date, usize)> {
    let (first, rest) = digits(text);
    let (second, rest) = digits(rest.strip_prefix('/')?);
    let (year, rest) = digits(rest.strip_prefix('/')?);
    let fits = (1..=2).contains(&first.len()) && (1..=2).contains(&second.len()) && year.len() == 4;
    let (first, second): (u8, u8) = fits.then(|| Some((first.parse().ok()?, second.parse().ok()?)))??;
    let (month, day) = if first <= 12 { (first, second) } else { (second, first) };
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(())?;
    let date = Date { year: year.parse().ok(), month: Some(month), day: Some(day), clock: None };
    Some((date, text.len() - rest.len()))
}

/// `19:30`, `19:30:00Z`, `7:30 pm`, `1930 UTC`, `18Z`.
fn clock(text: &str) -> Option<(Date, usize)> {
    let (first, rest) = digits(text);
    let zone = |rest: &str| {
        let trimmed = rest.trim_start_matches(' ');
        ["UTC", "GMT", "Z"].into_iter().find_map(|zone| {
            let after = trimmed.strip_prefix(zone)?;
            (!after.starts_with(char::is_alphanumeric)).then(|| rest.len() - after.len())
        })
    };
    let (mut hour, mut minute, mut end): (u8, Option<u8>, usize);
    if let Some(after) = rest.strip_prefix(':').filter(|_| (1..=2).contains(&first.len())) {
        let (minutes, after) = digits(after);
        if minutes.len() != 2 {
            return None;
        }
        (hour, minute) = (first.parse().ok()?, minutes.parse().ok());
        end = text.len() - after.len();
        if let Some(seconds) = after.strip_prefix(':') {
            let (_, after) = digits(seconds);
            let fraction = after.strip_prefix('.').map_or(after, |fraction| digits(fraction).1);
            end = text.len() - fraction.len();
        }
        let tail = text.get(end..)?;
        let half = tail.trim_start_matches(' ');
        for (name, add) in [("am", 0), ("pm", 12), ("a.m.", 0), ("p.m.", 12), ("AM", 0), ("PM", 12)] {
            if let Some(after) = half.strip_prefix(name)
                && !after.starts_with(char::is_alphanumeric)
            {
                hour = hour % 12 + add;
                end = text.len() - after.len();
            }
        }
        end += zone(text.get(end..)?).unwrap_or(0);
    } else {
        let length = zone(rest)?;
        match first.len() {
            4 => (hour, minute) = (first.get(..2)?.parse().ok()?, first.get(2..)?.parse().ok()),
            1 | 2 => (hour, minute) = (first.parse().ok()?, None),
            _ => return None,
        }
        end = first.len() + length;
    }
    minute = minute.filter(|minute| *minute < 60);
    (hour < 24).then_some((Date { clock: Some((hour, minute)), ..Date::default() }, end))
}

fn named(text: &str) -> Option<(Date, usize)> {
    let (number, rest) = digits(text);
    let mut day: Option<u8> = None;
    let mut rest = rest;
    if !number.is_empty() {
        day = number.parse().ok().filter(|day| (1..=31).contains(day));
        day?;
        rest = after_day(rest)?;
    }
    let word = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let name = rest.get(..word)?;
    let month = Some(month_number(name)?);
    // "may" is a verb, and a capital is needed to tell March from a march.
    if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let mut rest = rest.get(word..)?;
    if word == 3 || word == 4 {
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    let mut end = text.len() - rest.len();
    if day.is_none()
        && let Some(after) = rest.strip_prefix(' ')
    {
        // `November 3, 2015`, `November 3rd`
        let (number, after) = digits(after);
        if let Some(found) = number.parse().ok().filter(|day| number.len() <= 2 && (1..=31).contains(day)) {
            let after = ["st", "nd", "rd", "th"].iter().find_map(|s| after.strip_prefix(*s)).unwrap_or(after);
            // A number with a point or a unit is none of the date's.
            if !after.starts_with(['.', '–', '-'])
                || !after.get(1..).is_some_and(|t| t.starts_with(|c: char| c.is_ascii_digit()))
            {
                day = Some(found);
                rest = after;
                end = text.len() - rest.len();
            }
        }
    }
    let mut year = None;
    for mark in [", ", " of ", " "] {
        if let Some(after) = rest.strip_prefix(mark)
            && let (number, after) = digits(after)
            && number.len() == 4
            && !after.starts_with(|c: char| c.is_alphanumeric())
            && after.strip_prefix('.').is_none_or(|after| !after.starts_with(|c: char| c.is_ascii_digit()))
        {
            year = number.parse().ok();
            end = text.len() - after.len();
            break;
        }
    }
    let date = Date { year, month, day, clock: None };
    (!text.get(end..)?.starts_with(|c: char| c.is_alphabetic())).then_some((date, end))
}

/// What follows the day of `3rd of November`.
fn after_day(rest: &str) -> Option<&str> {
    let rest = ["st", "nd", "rd", "th"].iter().find_map(|suffix| rest.strip_prefix(*suffix)).unwrap_or(rest);
    let rest = rest.strip_prefix([' ', '-'])?;
    Some(rest.strip_prefix("of ").unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        let (date, length) = date_at(text)?;
        let part = |number: Option<i32>| number.map_or("-".to_owned(), |number| number.to_string());
        let clock = date
            .clock
            .map(|(hour, minute)| format!(" {hour}:{}", part(minute.map(i32::from))))
            .unwrap_or_default();
        let (month, day) = (part(date.month.map(i32::from)), part(date.day.map(i32::from)));
        Some(format!("{} {month} {day}{clock} |{}", part(date.year), text.get(length..).unwrap()))
    }

    #[test]
    fn dates_are_read_in_their_spellings() {
        for (text, expected) in [
            ("2015-11-03T12:30:00Z, x", "2015 11 3 12:30 |, x"),
            ("2015-11 x", "2015 11 - | x"),
            ("2022-271.", "2022 9 28 |."),
            ("November 2015", "2015 11 - |"),
            ("Nov. 3, 2015 x", "2015 11 3 | x"),
            ("3rd of November 2015", "2015 11 3 |"),
            ("28 September at", "- 9 28 | at"),
            ("September 28th, 2022", "2022 9 28 |"),
            ("September 2.5 m", "- 9 - | 2.5 m"),
            ("August", "- 8 - |"),
            ("9/28/2022", "2022 9 28 |"),
            ("28/9/2022", "2022 9 28 |"),
            ("19:30 UTC on", "- - - 19:30 | on"),
            ("7:30 pm", "- - - 19:30 |"),
            ("1930 UTC", "- - - 19:30 |"),
            ("18Z run", "- - - 18:- | run"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "2015",
            "may rise",
            "march",
            "Marchers",
            "5 m",
            "2015-13",
            "3 maybe",
            "1/2",
            "4:1",
            "32 May 2015",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn periods_know_their_length() {
        let days = |text: &str| Period::read(text).and_then(|period| period.days());
        assert_eq!(days("2010-01/2019-12"), Some(3652.0));
        assert_eq!(days("2020"), Some(366.0));
        assert_eq!(days("2022-09-28T19:30:00Z"), Some(1.0));
        assert_eq!(days("month 8"), None);
        assert_eq!(Period::read("season JJA"), None);
    }
}
