//! [`Topic`]: what of the services a text asks for, by its words; and which gauge.

use super::SiteId;
use super::tools::Parameter;
use crate::question::{says, tokens};

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
}

const MARKS: &[&str] = &[
    "high-water mark",
    "high-water marks",
    "high water mark",
    "high water marks",
    "highwater marks",
    "hwm",
    "hwms",
    "mark",
    "marks",
    "how bad",
    "surge",
    "storm tide",
    "inundation",
    "flooding",
    "flooded",
    "how high did the water",
    "flood level",
    "flood levels",
    "how high was the water",
];
const EVENT: &[&str] = &[
    "event id",
    "event number",
    "id of the event",
    "flood event",
    "flood events",
    "event ids",
    "events",
    "stn event",
    "event",
    "short-term network id",
];
const SENSORS: &[&str] = &["sensor", "sensors", "instrument", "instruments"];
const EVENT_PEAKS: &[&str] = &["peak summary", "peak summaries"];
const SITE: &[&str] = &[
    "drainage area",
    "drainage",
    "site name",
    "name of site",
    "name of the site",
    "name of usgs",
    "name of the gauge",
    "name of gauge",
    "called",
    "coordinates",
    "latitude",
    "longitude",
    "where is",
    "located",
    "location of",
    "hydrologic unit",
    "huc",
    "altitude",
    "basin area",
    "catchment",
    "name of station",
    "which river",
    "what is the name",
    "site information",
    "which county",
];
const SITES: &[&str] = &[
    "how many sites",
    "number of sites",
    "how many gauges",
    "how many gages",
    "how many stream gauges",
    "how many streamgages",
    "how many stream gages",
    "sites in",
    "gauges in",
    "gages in",
    "gauges are in",
    "streamgages in",
    "stream gauges are",
    "how many active",
    "list sites",
    "find sites",
    "monitoring locations",
    "how many usgs sites",
    "how many usgs stream",
    "number of stream",
    "list of stream gauges",
    "first site",
    "list of sites",
    "list of gauges",
    "stream sites",
    "number of active",
    "number of gauges",
    "how many streamgauges",
];
const STATISTICS: &[&str] = &[
    "statistics",
    "daily statistics",
    "percentile",
    "median",
    "long-term mean",
    "historical mean",
    "climatology",
    "over all years",
    "statistic",
    "normal flow",
];
const PEAKS: &[&str] = &[
    "annual peak",
    "annual peaks",
    "peak streamflow",
    "peak flow",
    "peak flows",
    "largest peak",
    "biggest flood",
    "largest flood",
    "flood of record",
    "peak of record",
    "record flood",
    "peak discharge",
    "annual maximum",
    "highest annual",
    "record peak",
    "peaks",
    "largest recorded",
    "record flow",
    "highest flow ever",
    "on record",
    "ever recorded",
    "record discharge",
    "peak stage",
];
const DAILY: &[&str] = &[
    "daily mean",
    "daily means",
    "daily flow",
    "daily discharge",
    "mean daily",
    "daily value",
    "daily values",
    "daily streamflow",
    "daily maximum",
    "daily average",
    "daily",
    "each day",
];
const NOW: &[&str] =
    &["now", "latest", "current", "currently", "newest", "most recent", "at the moment", "right now"];
const VALUES: &[&str] = &[
    "discharge",
    "flow",
    "streamflow",
    "stream flow",
    "stage",
    "gage height",
    "gauge height",
    "instantaneous",
    "continuous",
    "river level",
    "lake level",
    "estuary",
    "rain",
    "precipitation",
    "rainfall",
    "water level",
    "cfs",
    "how high was",
    "values",
    "how much water",
    "gage",
    "readings",
];

/// What people call a gauge.
const NAMED: [(&str, &str); 3] =
    [("little falls", "01646500"), ("potomac", "01646500"), ("usgs-01646500", "01646500")];

/// Everything that a text asks for; a text that asks for nothing known has no topic.
pub(crate) fn topics(text: &str) -> Vec<Topic> {
    let has = |words: &[&str]| says(text, words);
    let mut found = Vec::new();
    if has(&["schema", "properties of the collection", "members of the collection"]) {
        return vec![Topic::Schema];
    }
    if has(SENSORS) {
        found.push(Topic::Sensors);
    }
    if has(EVENT_PEAKS) {
        found.push(Topic::EventPeaks);
    }
    let gauge = !sites(text).is_empty();
    let marks = has(MARKS) && !gauge;
    let id = has(&["event id", "event number", "id of the event", "event ids", "short-term network id"])
        || (has(EVENT)
            && !has(&["mark", "marks", "hwm", "hwms", "surge", "high-water mark", "high-water marks"]));
    if id {
        found.push(Topic::EventId);
    } else if marks && found.is_empty() {
        found.push(Topic::Marks);
    }
    if !found.is_empty() {
        return found;
    }
    if has(SITES) {
        return vec![Topic::Sites];
    }
    if has(SITE) {
        found.push(Topic::Site);
    }
    if has(STATISTICS) {
        found.push(Topic::Statistics);
    } else if has(PEAKS) {
        found.push(Topic::Peaks);
    } else if has(DAILY) {
        found.push(Topic::Daily);
    } else if has(VALUES) {
        found.push(if has(NOW) { Topic::Latest } else { Topic::Continuous });
    }
    found
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
            &["discharge", "flow", "streamflow", "stream flow", "cfs", "00060", "how much water"],
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
            ("hello", vec![]),
        ] {
            assert_eq!(topics(text), expected, "{text}");
        }
        assert_eq!(sites("USGS-01646500 from 20250101 to 2025-01-07")[0].digits(), "01646500");
        assert_eq!(sites("on 20250101").len(), 0);
    }
}
