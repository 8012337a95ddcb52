//! Dates in plain words: ISO dates, dates with the English name of a month, months, years.

use std::sync::LazyLock;

use jiff::civil::Date;
use leg_core::evidence::month_number;
use regex::Regex;

use crate::Moment;

/// `1/15/2015`, as the services' country writes dates.
static AMERICAN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])/((?:19|20)\d\d)\b").ok());

/// `first week of January 2025`.
static WEEK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(first|second|third) (week|day) of ([a-z]{3,9}\.?,? (?:19|20)\d\d)\b").ok()
});

/// `at 00:00`, `at 6 pm`, `at midnight`, `00:00 UTC`.
static CLOCK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:(?:at|around|for)\s+(midnight|noon)|(?:at\s+)?([01]?\d|2[0-3]):([0-5]\d)|at\s+(1[0-2]|[1-9])\s*([ap])\.?m)\b").ok()
});

/// A text whose dates have no names: `New Year's Day 2015` is `January 1, 2015`.
pub(crate) fn plain(text: &str) -> String {
    const NAMED: [(&str, &str); 6] = [
        ("new year's day", "January 1"),
        ("new year’s day", "January 1"),
        ("new years day", "January 1"),
        ("new year's eve", "December 31"),
        ("christmas day", "December 25"),
        ("independence day", "July 4"),
    ];
    let mut own = text.to_owned();
    for (name, day) in NAMED {
        while let Some(at) = own.to_ascii_lowercase().find(name) {
            own.replace_range(at..at + name.len(), day);
        }
    }
    if let Some(regex) = AMERICAN.as_ref() {
        own = regex
            .replace_all(&own, |found: &regex::Captures<'_>| {
                format!("{}-{:0>2}-{:0>2}", &found[3], &found[1], &found[2])
            })
            .into_owned();
    }
    if let Some(regex) = WEEK.as_ref() {
        own = regex
            .replace_all(&own, |found: &regex::Captures<'_>| {
                let number = match found[1].to_ascii_lowercase().as_str() {
                    "first" => 0,
                    "second" => 1,
                    _ => 2,
                };
                if found[2].eq_ignore_ascii_case("day") {
                    format!("{} {}", number + 1, &found[3])
                } else {
                    format!("{}-{} {}", number * 7 + 1, number * 7 + 7, &found[3])
                }
            })
            .into_owned();
    }
    own
}

/// The time of day that a text names, when it names one.
pub(crate) fn clock(text: &str) -> Option<(i8, i8)> {
    let mut found = CLOCK.as_ref()?.captures_iter(text).map(|own| {
        if let Some(word) = own.get(1) {
            return Some((if word.as_str().eq_ignore_ascii_case("noon") { 12 } else { 0 }, 0));
        }
        if let (Some(hour), Some(minute)) = (own.get(2), own.get(3)) {
            return Some((hour.as_str().parse().ok()?, minute.as_str().parse().ok()?));
        }
        let hour: i8 = own.get(4)?.as_str().parse().ok()?;
        let noon = if own.get(5)?.as_str().eq_ignore_ascii_case("p") { 12 } else { 0 };
        Some((hour % 12 + noon, 0))
    });
    let first = found.next()??;
    // Two times are a window.
    if found.next().is_some() { None } else { Some(first) }
}

/// From the earliest begin to the latest end.
pub(crate) fn span(moments: &[Moment]) -> Option<(Moment, Moment)> {
    let begin = moments.iter().min_by_key(|moment| moment.first())?;
    let end = moments.iter().max_by_key(|moment| moment.last())?;
    Some((*begin, *end))
}

/// All dates that a text names.
pub(crate) fn moments(tokens: &[&str]) -> Vec<Moment> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.len() >= 7 && token.contains('-') {
            // `2022-09-28 18:00` stands in two tokens.
            let clock = tokens.get(at + 1).filter(|next| is_clock(next));
            let text = clock.map_or_else(|| (*token).to_owned(), |clock| format!("{token}T{clock}"));
            found.extend(text.parse::<Moment>());
        } else if let Some(month) = month(token) {
            found.extend(named(tokens, at, month));
        }
    }
    if found.is_empty() {
        found.extend(
            tokens
                .iter()
                .filter_map(|token| year(token))
                .filter_map(|year| year.to_string().parse::<Moment>().ok()),
        );
    }
    found
}

/// The dates around the name of a month: `September 28-30, 2022`, `28 to 30 September 2022`, `September 2022`.
fn named(tokens: &[&str], at: usize, month: i8) -> Vec<Moment> {
    let after = tokens.get(at + 1..).unwrap_or_default();
    let before = tokens.get(..at).unwrap_or_default();
    let Some(year) = after.iter().take(4).chain(tokens).find_map(|token| year(token)) else {
        return Vec::new();
    };
    let mut days = days_in(after.iter().copied());
    // In `September to 2 October` the 2 belongs to October.
    let next_is_month = after.get(days.tokens).is_some_and(|token| self::month(token).is_some());
    if next_is_month && !days.found.is_empty() && before.last().is_some_and(|token| is_day(token)) {
        days.found.clear();
    }
    if days.found.is_empty() {
        days = days_in(before.iter().rev().copied());
    }
    let dates: Vec<Moment> =
        days.found.iter().filter_map(|day| Date::new(year, month, *day).ok()).map(Moment::of_day).collect();
    if dates.is_empty() { Moment::of_month(year, month).into_iter().collect() } else { dates }
}

struct Days {
    found: Vec<i8>,
    tokens: usize,
}

/// The days at the beginning of the tokens, with the words that join them.
fn days_in<'a>(tokens: impl Iterator<Item = &'a str>) -> Days {
    let mut days = Days { found: Vec::new(), tokens: 0 };
    for token in tokens.take(3) {
        if is_day(token) {
            days.found.extend(token.split('-').filter_map(day));
        } else if !matches!(token, "to" | "and" | "until" | "through" | "-" | "of" | "the") {
            break;
        }
        days.tokens += 1;
    }
    days
}

fn is_day(token: &str) -> bool {
    token.split('-').all(|part| day(part).is_some()) && token.split('-').count() <= 2
}

fn day(token: &str) -> Option<i8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| token.strip_suffix(end)).unwrap_or(token);
    let plain = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok())?.filter(|day| (1..=31).contains(day))
}

/// The number of a month from its name; `may` and `march` only with a capital.
fn month(token: &str) -> Option<i8> {
    if matches!(token, "may" | "mar" | "march") {
        return None;
    }
    i8::try_from(month_number(token)?).ok()
}

/// A year of four digits.
pub(crate) fn year(token: &str) -> Option<i16> {
    let plain = token.len() == 4 && token.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| token.parse().ok())?.filter(|year| (1800..=2200).contains(year))
}

fn is_clock(token: &str) -> bool {
    let bytes = token.as_bytes();
    bytes.len() >= 5 && bytes[2] == b':' && bytes[0].is_ascii_digit() && bytes[1].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::tokens;

    #[test]
    fn dates_are_read_in_plain_forms() {
        for (text, expected) in [
            ("level on 2022-09-28", "2022-09-28T00:00:00/2022-09-28T23:59:00"),
            ("from 2022-09-28 18:00 to 2022-09-29T06:00:00Z.", "2022-09-28T18:00:00/2022-09-29T06:00:00"),
            ("2022-09-28/2022-09-30", "2022-09-28T00:00:00/2022-09-30T23:59:00"),
            ("September 28-30, 2022", "2022-09-28T00:00:00/2022-09-30T23:59:00"),
            ("Sept 28th to 30th 2022", "2022-09-28T00:00:00/2022-09-30T23:59:00"),
            ("on 28 September 2022?", "2022-09-28T00:00:00/2022-09-28T23:59:00"),
            ("28 September to 2 October 2022", "2022-09-28T00:00:00/2022-10-02T23:59:00"),
            ("September 28 to October 2, 2022", "2022-09-28T00:00:00/2022-10-02T23:59:00"),
            ("during September 2022 we may", "2022-09-01T00:00:00/2022-09-30T23:59:00"),
            ("in 2022", "2022-01-01T00:00:00/2022-12-31T23:59:00"),
            ("on the 3rd of May 2021", "2021-05-03T00:00:00/2021-05-03T23:59:00"),
            ("on New Year's Day 2015", "2015-01-01T00:00:00/2015-01-01T23:59:00"),
            ("on 1/31/2015", "2015-01-31T00:00:00/2015-01-31T23:59:00"),
            ("in the first week of January 2025", "2025-01-01T00:00:00/2025-01-07T23:59:00"),
        ] {
            let (begin, end) = span(&moments(&tokens(&plain(text)))).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(format!("{}/{}", begin.first(), end.last()), expected, "{text}");
        }
        for text in ["", "the highest water at 8518750", "it may march on", "February 30"] {
            assert_eq!(span(&moments(&tokens(text))), None, "{text}");
        }
    }

    #[test]
    fn a_time_of_day_is_read() {
        for (text, expected) in [
            ("at 21:12 UTC", Some((21, 12))),
            ("for midnight on 1 January", Some((0, 0))),
            ("at 6 pm", Some((18, 0))),
            ("from 06:00 to 12:00", None),
            ("at 9447130", None),
            ("at 12.5, 3.5", None),
        ] {
            assert_eq!(clock(text), expected, "{text}");
        }
    }
}
