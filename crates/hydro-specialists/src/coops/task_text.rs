//! [`TaskText`]: what a task in words says of stations, dates, datum, units and interval.
//!
//! It looks for plain forms only and takes nothing that is not written: station ids of seven digits, ISO dates,
//! dates with the English name of a month, names of datums.

use jiff::civil::Date;
use leg_core::evidence::month_number;

use super::{Datum, Interval, Moment, StationId, Units};

const PHRASES: [(&str, Datum); 6] = [
    ("mean lower low water", Datum::Mllw),
    ("mean higher high water", Datum::Mhhw),
    ("mean high water", Datum::Mhw),
    ("mean low water", Datum::Mlw),
    ("mean sea level", Datum::Msl),
    ("station datum", Datum::Stnd),
];

/// What a text says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TaskText {
    /// In order of appearance, each once.
    pub(crate) stations: Vec<StationId>,
    /// From the earliest to the latest date that is named.
    pub(crate) span: Option<(Moment, Moment)>,
    pub(crate) datum: Option<Datum>,
    pub(crate) units: Option<Units>,
    pub(crate) interval: Option<Interval>,
}

impl TaskText {
    /// Reads a text.
    pub(crate) fn read(text: &str) -> Self {
        let tokens: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || ",;()[]\"'`/?!–—".contains(c))
            .map(|token| token.trim_matches(|c: char| ".:".contains(c)))
            .filter(|token| !token.is_empty())
            .collect();
        let lower = text.to_lowercase();
        let mut found = Self::default();
        for token in &tokens {
            if let Ok(station) = token.parse::<StationId>()
                && token.bytes().all(|b| b.is_ascii_digit())
                && !found.stations.contains(&station)
            {
                found.stations.push(station);
            }
            found.datum = found.datum.or_else(|| Datum::from_name(token));
            let word = token.to_lowercase();
            if matches!(word.as_str(), "feet" | "foot" | "ft") {
                found.units = Some(Units::English);
            }
            if matches!(word.as_str(), "hourly" | "hours") {
                found.interval = Some(Interval::Hour);
            }
            if word == "hilo" || word == "high-low" {
                found.interval = Some(Interval::HighLow);
            }
        }
        let phrase = PHRASES.iter().find(|(phrase, _)| lower.contains(phrase));
        found.datum = found.datum.or_else(|| phrase.map(|(_, datum)| *datum));
        if lower.contains("high and low water") {
            found.interval = Some(Interval::HighLow);
        }
        found.span = span(&moments(&tokens));
        found
    }

    /// Takes from `other` what this one does not say.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            stations: if self.stations.is_empty() { other.stations } else { self.stations },
            span: self.span.or(other.span),
            datum: self.datum.or(other.datum),
            units: self.units.or(other.units),
            interval: self.interval.or(other.interval),
        }
    }
}

/// From the earliest begin to the latest end.
pub(crate) fn span(moments: &[Moment]) -> Option<(Moment, Moment)> {
    let begin = moments.iter().min_by_key(|moment| moment.first())?;
    let end = moments.iter().max_by_key(|moment| moment.last())?;
    Some((*begin, *end))
}

fn moments(tokens: &[&str]) -> Vec<Moment> {
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

fn year(token: &str) -> Option<i16> {
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
        ] {
            let (begin, end) = TaskText::read(text).span.unwrap_or_else(|| panic!("{text}"));
            assert_eq!(format!("{}/{}", begin.first(), end.last()), expected, "{text}");
        }
        for text in ["", "the highest water at 8518750", "it may march on", "February 30"] {
            assert_eq!(TaskText::read(text).span, None, "{text}");
        }
    }

    #[test]
    fn stations_datum_units_and_interval_are_read() {
        let found = TaskText::read("Hourly levels at 8518750 and 9447130 (8518750), in feet above NAVD88.");
        let stations: Vec<String> = found.stations.iter().map(ToString::to_string).collect();
        assert_eq!(stations, ["8518750", "9447130"]);
        assert_eq!(found.datum, Some(Datum::Navd88));
        assert_eq!((found.units, found.interval), (Some(Units::English), Some(Interval::Hour)));
        assert_eq!(TaskText::read("above mean sea level").datum, Some(Datum::Msl));
        assert_eq!(TaskText::read("AL092022 on 20220928").stations, []);
    }
}
