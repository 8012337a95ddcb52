//! [`Topic`]: what of the services a text asks for, by its words; and which gauge.

use std::sync::LazyLock;

use regex::Regex;

use super::SiteId;
use super::tools::{CollectionName, Parameter};
use crate::question::lists::{List, list};
use crate::question::places::states;
use crate::question::{names, says, tokens};

const TABLE: &str = include_str!("../../data/topics/usgs.txt");

/// What a text asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    Marks,
    EventId,
    Sensors,
    EventPeaks,
    Site,
    Sites,
    Continuous,
    Latest,
    Daily,
    Peaks,
    Statistics,
    Schema,
    /// The last hours, without dates.
    Recent,
    /// The first features of a collection, without a gauge.
    Collection(CollectionName),
}

static MARKS: List = LazyLock::new(|| list(TABLE, "marks"));
static EVENT: List = LazyLock::new(|| list(TABLE, "event"));
static SENSORS: List = LazyLock::new(|| list(TABLE, "sensors"));
static EVENT_PEAKS: List = LazyLock::new(|| list(TABLE, "event_peaks"));
static SITE: List = LazyLock::new(|| list(TABLE, "site"));
static SITES: List = LazyLock::new(|| list(TABLE, "sites"));
static STATISTICS: List = LazyLock::new(|| list(TABLE, "statistics"));
static PEAKS: List = LazyLock::new(|| list(TABLE, "peaks"));
static DAILY: List = LazyLock::new(|| list(TABLE, "daily"));
static NOW: List = LazyLock::new(|| list(TABLE, "now"));
static VALUES: List = LazyLock::new(|| list(TABLE, "values"));

/// Hours before now.
static RECENT: List = LazyLock::new(|| list(TABLE, "recent"));

static HOURS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:past|last|previous)\s+(\d{1,3}|two|three|six|twelve|few)?\s*(hour|day)s?\b").ok()
});

/// How many hours before now a text names.
pub(crate) fn hours(text: &str) -> Option<u32> {
    let found = HOURS.as_ref()?.captures(text)?;
    let count = match found.get(1).map(|own| own.as_str().to_lowercase()).as_deref() {
        None => 1,
        Some("two") => 2,
        Some("three" | "few") => 3,
        Some("six") => 6,
        Some("twelve") => 12,
        Some(digits) => digits.parse().ok()?,
    };
    let day = found.get(2).is_some_and(|own| own.as_str().eq_ignore_ascii_case("day"));
    Some(if day { count * 24 } else { count }).filter(|hours| (1..=2880).contains(hours))
}

/// The collection of the newer service that a text names.
fn collection(text: &str) -> Option<CollectionName> {
    let has = |words: &[&str]| names(text, words);
    let table: [(CollectionName, &[&str]); 5] = [
        (CollectionName::LatestContinuous, &["latest-continuous", "latest continuous", "latest value"]),
        (
            CollectionName::MonitoringLocations,
            &["monitoring-location", "monitoring location", "site", "gauge"],
        ),
        (CollectionName::Continuous, &["continuous"]),
        (CollectionName::Daily, &["daily"]),
        (CollectionName::Peaks, &["peak"]),
    ];
    // `the monitoring location of the first daily value` is of the daily values.
    let other = table.iter().filter(|(name, _)| *name != CollectionName::MonitoringLocations);
    let found =
        other.clone().find(|(_, words)| has(words)).or_else(|| table.iter().find(|(_, words)| has(words)));
    found.map(|(name, _)| *name)
}

/// What people call a gauge.
const NAMED: [(&str, &str); 3] =
    [("little falls", "01646500"), ("potomac", "01646500"), ("usgs-01646500", "01646500")];

/// Everything that a text asks for; a text that asks for nothing known has no topic.
pub(crate) fn topics(text: &str) -> Vec<Topic> {
    let has = |words: &[&str]| names(text, words);
    let mut found = Vec::new();
    if has(&["schema", "properties of the collection", "members of the collection"]) {
        return vec![Topic::Schema];
    }
    let dated = crate::question::span(text).is_some();
    if sites(text).is_empty() && states(text).is_empty() && !has(&MARKS) {
        let api = has(&["ogc", "water data api", "api", "collection", "monitoring location"]);
        if let Some(own) = collection(text).filter(|own| api || (dated && *own == CollectionName::Continuous))
        {
            return vec![Topic::Collection(own)];
        }
    }
    if has(&SENSORS) {
        found.push(Topic::Sensors);
    }
    if has(&EVENT_PEAKS) {
        found.push(Topic::EventPeaks);
    }
    let gauge = !sites(text).is_empty();
    let marks = has(&MARKS) && !gauge;
    let id = has(&["event id", "event number", "id of the event", "event ids", "short-term network id"])
        || (has(&EVENT)
            && !has(&["mark", "marks", "hwm", "hwms", "surge", "high-water mark", "high-water marks"]));
    if id {
        found.push(Topic::EventId);
        // Marks that are named beside the id are asked for too.
        if marks && has(&["high-water mark", "high water mark", "hwm"]) {
            found.push(Topic::Marks);
        }
    } else if marks && found.is_empty() {
        found.push(Topic::Marks);
    }
    if !found.is_empty() {
        return found;
    }
    if has(&SITES) {
        return vec![Topic::Sites];
    }
    if has(&SITE) {
        found.push(Topic::Site);
    }
    if has(&STATISTICS) {
        found.push(Topic::Statistics);
    } else if has(&PEAKS)
        || (gauge && has(&["flood"]) && has(&["largest", "biggest", "worst", "greatest", "highest"]))
    {
        found.push(Topic::Peaks);
    } else if has(&DAILY) {
        found.push(Topic::Daily);
    } else if !dated && (hours(text).is_some() || (has(&RECENT) && !has(&NOW))) {
        found.push(Topic::Recent);
    } else if has(&VALUES) {
        let now = has(&NOW) || (!dated && is_present(text));
        found.push(if now { Topic::Latest } else { Topic::Continuous });
    }
    found
}

/// `What is the flow of the Potomac?`
fn is_present(text: &str) -> bool {
    says(text, &["is", "are", "what's", "flowing"]) && !says(text, &["was", "were", "did", "had"])
}

/// The gauges that a text names by number or by a usual name.
pub(crate) fn sites(text: &str) -> Vec<SiteId> {
    let mut found: Vec<SiteId> = Vec::new();
    for token in tokens(text) {
        let is_date = token.len() == 8 && token.parse::<crate::Moment>().is_ok() && !token.starts_with('0');
        if let Ok(site) = token.parse::<SiteId>()
            && !is_date
            && !found.contains(&site)
        {
            found.push(site);
        }
    }
    if found.is_empty() {
        let named = NAMED.iter().find(|(name, _)| says(text, &[name]));
        found.extend(named.and_then(|(_, site)| site.parse().ok()));
    }
    found
}

/// What is measured, by the words of a text.
pub(crate) fn parameter(text: &str) -> Option<Parameter> {
    let table: [(Parameter, &[&str]); 5] = [
        (Parameter::Estuary, &["estuary", "62620"]),
        (Parameter::Lake, &["lake level", "62614", "lake elevation"]),
        (Parameter::Rain, &["rain", "rainfall", "precipitation", "00045"]),
        (
            Parameter::Discharge,
            &[
                "discharge",
                "flow",
                "streamflow",
                "stream flow",
                "flowing",
                "cfs",
                "00060",
                "how much water",
                "cubic feet",
            ],
        ),
        (
            Parameter::GageHeight,
            &["stage", "gage height", "gauge height", "river level", "water level", "how high", "00065"],
        ),
    ];
    table.iter().find(|(_, words)| says(text, words)).map(|(parameter, _)| *parameter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_to_topics() {
        for (text, expected) in [
            ("How many high-water marks of Florence are in coastal North Carolina?", vec![Topic::Marks]),
            ("How bad was the surge of Florence?", vec![Topic::Marks]),
            ("What is the USGS event id of Hurricane Harvey?", vec![Topic::EventId]),
            ("How many flood events does the list have?", vec![Topic::EventId]),
            ("What is the drainage area of USGS-01646500?", vec![Topic::Site]),
            ("How many stream gauges are in Maryland?", vec![Topic::Sites]),
            ("the largest annual peak of the Potomac at Little Falls", vec![Topic::Peaks]),
            ("daily mean discharge at 01646500", vec![Topic::Daily]),
            ("the stage at 06904500 on 2025-09-22", vec![Topic::Continuous]),
            ("What is the latest gage height at 06904500?", vec![Topic::Latest]),
            ("median flow of the Potomac on 1 January", vec![Topic::Statistics]),
            ("discharge at 01646500 over the past 2 hours", vec![Topic::Recent]),
            ("the first value of the OGC peaks collection", vec![Topic::Collection(CollectionName::Peaks)]),
            ("hello", vec![]),
        ] {
            assert_eq!(topics(text), expected, "{text}");
        }
        assert_eq!(
            (hours("the last two hours"), hours("past 3 days"), hours("last year")),
            (Some(2), Some(72), None)
        );
        assert_eq!(sites("USGS-01646500 from 20250101 to 2025-01-07")[0].digits(), "01646500");
        assert_eq!(sites("on 20250101").len(), 0);
    }
}
