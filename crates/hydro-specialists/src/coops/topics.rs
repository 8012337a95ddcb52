//! [`Topic`]: what of the service a text asks for, by its words.

use std::sync::LazyLock;

use regex::Regex;

use super::tools::{LatestProduct, Sensor};
use super::words::{
    CONSTITUENTS, CURRENTS, DAILY, EVENTS, EXTREMES, FLOODS, HARMONICS, LEVEL, LIST, NOT_CURRENTS, NOW,
    PREDICTIONS, RECORD, RESIDUAL, RETURN, SENSORS, STATION, TREND,
};
use crate::question::{names, says, tokens};
use crate::{Datum, Units};

/// What a text asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Topic {
    Convert {
        value: f64,
        from: Datum,
        to: Datum,
        units: Units,
    },
    Datums(Vec<Datum>),
    Record,
    Extremes,
    FloodDays,
    Trend,
    Met(Sensor),
    Latest(LatestProduct),
    Currents,
    CurrentPredictions,
    /// A constituent by name; without one, how many there are and the usual one.
    Harmonics(Option<String>),
    ReturnLevels(f64),
    StormEvents,
    Station,
    Nearest,
    List,
    Predictions,
    Residual,
    DailyExtremes,
    Level,
}

static AMOUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(-?\d+(?:\.\d+)?)\s*-?\s*(metres?|meters?|m|feet|foot|ft)?\b\s*(?:above|relative to|over|on|in|at|of|referenced to|\()?\s*(?:the\s+)?$").ok()
});

static YEARS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(\d+(?:\.\d+)?)\s*[- ]?\s*(?:years?|yr)\b").ok());

/// Everything that a text asks for; a text that asks for nothing known has no topic.
pub(crate) fn topics(text: &str) -> Vec<Topic> {
    if let Some(convert) = convert(text) {
        return vec![convert];
    }
    let mut found = Vec::new();
    let has = |words: &[&str]| names(text, words);
    let now = has(&NOW);
    let sensor = SENSORS.iter().find(|(_, words)| has(words)).map(|(sensor, _)| *sensor);
    let currents = has(&CURRENTS) && !has(&NOT_CURRENTS);
    let predicted = has(&["predict", "predicted", "prediction", "predictions", "forecast"]);
    let named = tokens(text).into_iter().find(|token| CONSTITUENTS.contains(token));
    if has(&HARMONICS) || named.is_some() {
        found.push(Topic::Harmonics(named.map(str::to_owned)));
    }
    if has(&RETURN) && !has(&["event"]) {
        let years =
            YEARS.iter().flat_map(|regex| regex.captures_iter(text)).find_map(|own| own[1].parse().ok());
        found.push(Topic::ReturnLevels(years.unwrap_or(10.0)));
    }
    let others = has(&["usgs", "stn", "short-term network", "high-water marks"]);
    if has(&EVENTS) && (!others || has(&["co-ops", "coops", "noaa", "noaa's"])) {
        found.push(Topic::StormEvents);
    }
    if has(&FLOODS) {
        found.push(Topic::FloodDays);
    }
    if has(&TREND) {
        found.push(Topic::Trend);
    }
    if has(&LIST) {
        found.push(Topic::List);
    }
    if has(&["nearest", "closest", "nearby", "near"]) && has(&["gauge", "gauges", "station", "stations"]) {
        found.push(Topic::Nearest);
    }
    let datums = datums(text);
    // How far one datum lies above another: a level of nothing above the one, above the other.
    if let [from, to] = datums.as_slice()
        && ![*from, *to].contains(&Datum::Stnd)
        && has(&["difference", "between", "how far", "how much", "how high is"])
    {
        found.push(Topic::Convert { value: 0.0, from: *from, to: *to, units: Units::Metric });
    }
    let table = has(&["datums", "datum table", "tidal epoch", "datum values"]);
    if table || datums.len() > 1 || (datums.len() == 1 && asks_for_datum(text)) {
        found.push(Topic::Datums(datums));
    }
    // `since when has the record been kept` is about the trend's data.
    let other = found.iter().any(|topic| matches!(topic, Topic::Trend | Topic::FloodDays));
    if has(&RECORD) || (has(&["the record"]) && !other) {
        found.push(Topic::Record);
    }
    // `extreme levels` of a return period are those of the analysis.
    let analysis = found.iter().any(|topic| matches!(topic, Topic::ReturnLevels(_)));
    if (has(&RECORD) || !analysis) && has(&EXTREMES) {
        found.push(Topic::Extremes);
    }
    if !found.is_empty() {
        return found;
    }
    if currents {
        found.push(match (now, predicted) {
            (_, true) => Topic::CurrentPredictions,
            (true, _) => Topic::Latest(LatestProduct::Currents),
            _ => Topic::Currents,
        });
    } else if let Some(sensor) = sensor {
        found.push(if now { Topic::Latest(latest(sensor)) } else { Topic::Met(sensor) });
    } else if has(&RESIDUAL) {
        found.extend([Topic::Residual, Topic::Level]);
    } else if predicted && has(&["observed", "measured"]) {
        found.extend([Topic::Predictions, Topic::Level]);
    } else if has(&PREDICTIONS) && !has(&["observed", "measured"]) {
        found.push(Topic::Predictions);
    } else if has(&DAILY) {
        found.push(Topic::DailyExtremes);
    } else if now {
        found.push(Topic::Latest(LatestProduct::WaterLevel));
    }
    // What is asked of a station beside its levels.
    let about =
        has(&["shef", "shefcode", "latitude", "longitude", "coordinates", "which state", "what state"]);
    if about && !found.is_empty() {
        found.push(Topic::Station);
    }
    if found.is_empty() && has(&STATION) {
        found.push(Topic::Station);
    }
    if found.is_empty() && has(&LEVEL) {
        found.push(Topic::Level);
    }
    found
}

pub(super) const fn latest(sensor: Sensor) -> LatestProduct {
    match sensor {
        Sensor::Wind => LatestProduct::Wind,
        Sensor::AirPressure => LatestProduct::AirPressure,
        Sensor::AirTemperature => LatestProduct::AirTemperature,
        Sensor::WaterTemperature => LatestProduct::WaterTemperature,
        Sensor::Humidity => LatestProduct::Humidity,
        Sensor::Visibility => LatestProduct::Visibility,
        Sensor::Conductivity => LatestProduct::Conductivity,
        Sensor::Salinity => LatestProduct::Salinity,
        Sensor::AirGap => LatestProduct::AirGap,
    }
}

/// `what is the MHHW`, `MHHW of the Battery`, `how high is NAVD88`: the datum itself, not a level above it.
fn asks_for_datum(text: &str) -> bool {
    let lower = text.to_lowercase().replace("the ", "");
    let names = Datum::ALL.iter().flat_map(|datum| [datum.as_str(), datum.in_request()]);
    let names = names
        .map(str::to_lowercase)
        .chain(super::task_text::PHRASES.iter().map(|(phrase, _)| (*phrase).to_owned()));
    names.into_iter().any(|name| {
        let asked = [
            format!("what is {name}"),
            format!("value of {name}"),
            format!("how high is {name}"),
            format!("height of {name}"),
            format!("elevation of {name}"),
            format!("where is {name}"),
        ];
        asked.iter().any(|phrase| says(&lower, &[phrase.as_str()]))
    })
}

/// The datums that a text names, in order, each once, with their places.
fn placed(text: &str) -> Vec<(usize, usize, Datum)> {
    let lower = text.to_lowercase();
    let mut found: Vec<(usize, usize, Datum)> = Vec::new();
    let short = Datum::ALL.iter().flat_map(|datum| [(datum.as_str(), *datum), (datum.in_request(), *datum)]);
    let mut names: Vec<(String, Datum)> = short.map(|(name, datum)| (name.to_lowercase(), datum)).collect();
    names.extend(super::task_text::PHRASES.iter().map(|(phrase, datum)| ((*phrase).to_owned(), *datum)));
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    for (name, datum) in names {
        for (at, _) in lower.match_indices(&name) {
            let end = at + name.len();
            let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let bounded = !word(lower.get(..at).and_then(|head| head.chars().next_back()))
                && !word(lower.get(end..).and_then(|tail| tail.chars().next()));
            if bounded && !found.iter().any(|(from, to, _)| at < *to && end > *from) {
                found.push((at, end, datum));
            }
        }
    }
    found.sort();
    found
}

fn datums(text: &str) -> Vec<Datum> {
    let mut datums = Vec::new();
    for (_, _, datum) in placed(text) {
        if !datums.contains(&datum) {
            datums.push(datum);
        }
    }
    datums
}

/// `5.282 m above STND in NAVD88`: an amount right before one datum, and another datum.
fn convert(text: &str) -> Option<Topic> {
    let placed = placed(text);
    let (value, units, from) = placed.iter().find_map(|(at, _, datum)| {
        let before = text.to_lowercase().get(..*at)?.to_owned();
        let own = AMOUNT.as_ref()?.captures(&before)?;
        let unit = own.get(2).map(|unit| unit.as_str().to_owned());
        let value: f64 = own[1].parse().ok()?;
        // `in 2012 above MLLW` is a year, unless a unit says otherwise.
        let amount = unit.is_some() || own[1].contains('.');
        let units =
            if unit.is_some_and(|unit| unit.starts_with('f')) { Units::English } else { Units::Metric };
        amount.then_some((value, units, *datum))
    })?;
    let to = placed.iter().map(|(_, _, datum)| *datum).find(|datum| *datum != from)?;
    Some(Topic::Convert { value, from, to, units })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_to_topics() {
        use Topic::*;
        let convert = |value, from, to| Convert { value, from, to, units: Units::Metric };
        for (text, expected) in [
            ("What was the highest water level at Seattle on 1 January 2015?", vec![Level]),
            (
                "Convert 5.282 m above STND to NAVD88 at the Battery",
                vec![convert(5.282, Datum::Stnd, Datum::Navd88)],
            ),
            ("What is 4.28 m MLLW in MHHW?", vec![convert(4.28, Datum::Mllw, Datum::Mhhw)]),
            (
                "How high is MHHW above station datum at 8518750?",
                vec![Datums(vec![Datum::Mhhw, Datum::Stnd])],
            ),
            ("What is the record high water at the Battery?", vec![Record]),
            ("the top ten water levels at Seattle", vec![Extremes]),
            ("How many minor flood days did the Battery have in 2024?", vec![FloodDays]),
            ("How fast is the sea level rising at Nawiliwili?", vec![Trend]),
            ("the strongest wind gust at Seattle", vec![Met(Sensor::Wind)]),
            ("What is the current water level at the Battery?", vec![Latest(LatestProduct::WaterLevel)]),
            ("What is the wind at Key West right now?", vec![Latest(LatestProduct::Wind)]),
            ("the speed of the current at bh0101", vec![Currents]),
            ("predicted currents at cb0102", vec![CurrentPredictions]),
            ("What is the amplitude of K1 at 1612480?", vec![Harmonics(Some("K1".to_owned()))]),
            ("the 50-year return level at 1611347", vec![ReturnLevels(50.0)]),
            ("storm surge of Ian at Fort Myers", vec![Residual, Level]),
            ("How many high tides are predicted?", vec![Predictions]),
            ("the highest water of each day", vec![DailyExtremes]),
            ("In which state is station 9447130?", vec![Station]),
            ("What is the event id of Hurricane Sandy?", vec![StormEvents]),
            ("hello", vec![]),
        ] {
            assert_eq!(topics(text), expected, "{text}");
        }
    }
}
