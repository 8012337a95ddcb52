//! [`TaskText`]: what a task in words says of stations, dates, datum, units and interval.
//!
//! It looks for plain forms only and takes nothing that is not written: station ids of seven digits, ISO dates,
//! dates with the English name of a month, names of datums.

use super::Interval;
use crate::question::dates::{moments, span};
use crate::question::tokens;
use crate::{Datum, Moment, StationId, Units};

pub(crate) const PHRASES: [(&str, Datum); 6] = [
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
        let plain = crate::question::dates::plain(text);
        let tokens = tokens(&plain);
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

#[cfg(test)]
mod tests {
    use super::*;

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
