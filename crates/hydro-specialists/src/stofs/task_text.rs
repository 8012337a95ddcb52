//! [`Asked`]: what a text asks of the forecast.

use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;

use super::model::{Model, Product};
use super::tools::Region;
use crate::question::coordinates::{boxes, points};
use crate::question::places::{Coast, Place, coasts, places};
use crate::question::{Point, says, span, stations};
use crate::{Moment, StationId};

/// `12z`, `t12z`, `06 UTC cycle`, `the 00 cycle`.
static HOUR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\bt?(00|06|12|18)(?::00)?\s?(?:z\b|(?:utc|gmt|hour|h)?\s*(?:cycle|run)\b)").ok()
});
/// `cycle at 12:00 UTC`, `cycle of 2026-02-21 12 UTC`.
static HOUR_AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:cycle|run)\b.{0,40}?\b(00|06|12|18)(?::00)?\s?(?:z|utc|gmt)\b").ok()
});
/// The word for a cycle.
static CYCLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\b(?:cycle|run)\b").ok());
/// `2026022112`, `20260221 12z`, `20260221`.
static PACKED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])[-_.Tt]?(00|06|12|18)?[zZ]?\b").ok()
});
/// `24 hours after`, `hour 20`, `lead time of 20 h`, `+20 h`.
static LEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:\+\s?(\d{1,3})\s?h\b|\blead(?:\s+(?:time|hour))?(?:\s+of)?\s+(\d{1,3})\b|\b(?:forecast\s+)?hour\s+(\d{1,3})\b|\b(\d{1,3})[\s-]?(?:hours?|h)\s+(?:after|into|ahead|lead|forecast)\b|\bin\s+(\d{1,3})\s+hours\b)",
    )
    .ok()
});
/// `the five highest`, `top 3`.
static TOP: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\btop\s+(\d{1,3})\b|\b(\d{1,3})\s+(?:stations|highest)\b").ok());

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    Compare,
    Map,
    Stations,
    Cycles,
    System,
    Level,
}

/// What a text asks of the forecast.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) topic: Option<Topic>,
    pub(crate) product: Product,
    pub(crate) model: Model,
    pub(crate) stations: Vec<StationId>,
    pub(crate) places: Vec<Place>,
    pub(crate) points: Vec<Point>,
    pub(crate) boxes: Vec<[f64; 4]>,
    pub(crate) coasts: Vec<Coast>,
    pub(crate) span: Option<(Moment, Moment)>,
    pub(crate) hour: Option<&'static str>,
    pub(crate) lead: Option<u32>,
    pub(crate) top: Option<u32>,
    /// The node of the mesh is meant, not a station.
    pub(crate) on_mesh: bool,
    /// How many nodes are wet.
    pub(crate) wet: bool,
    /// The other model too.
    pub(crate) both: bool,
    /// The day that is named beside the hour or the word for a cycle.
    pub(crate) cycle: Option<Date>,
}

const COMPARE: [&str; 25] = [
    "compare",
    "compared",
    "comparison",
    "compares",
    "bias",
    "rmse",
    "root mean square",
    "how good",
    "how well",
    "how accurate",
    "accuracy",
    "skill",
    "verify",
    "verification",
    "peak error",
    "against the gauge",
    "against the tide gauge",
    "match",
    "matches",
    "versus what",
    "correlation",
    "agree",
    "agrees",
    "mean absolute error",
    "forecast error",
];
const MAPS: [&str; 9] =
    ["map", "maps", "contour", "contours", "contoured", "plot", "picture", "figure", "draw"];
const STATIONS: [&str; 10] = [
    "which stations",
    "which station",
    "what stations",
    "stations with the highest",
    "highest stations",
    "highest peaks",
    "top stations",
    "stations have",
    "station has the highest",
    "highest of all stations",
];
const CYCLES: [&str; 16] = [
    "cycles",
    "latest cycle",
    "newest cycle",
    "most recent cycle",
    "which cycle",
    "what cycle",
    "cycle available",
    "latest run",
    "newest run",
    "model runs",
    "last cycle",
    "files",
    "keys",
    "listed",
    "listing",
    "objects",
];
const SYSTEM: [&str; 25] = [
    "nodes",
    "mesh size",
    "how large is the mesh",
    "how big is the mesh",
    "elements",
    "triangles",
    "horizon",
    "how far ahead",
    "how far into the future",
    "cycles per day",
    "cycles a day",
    "times a day",
    "what datum",
    "which datum",
    "how many times a day",
    "system information",
    "ever wet",
    "wet nodes",
    "are wet",
    "nodes wet",
    "get wet",
    "mesh points",
    "grid points",
    "how often",
    "times per day",
];

impl Asked {
    /// Reads a text.
    pub(crate) fn read(text: &str) -> Self {
        let lower = without_name(&text.to_lowercase());
        let found = |regex: &LazyLock<Option<Regex>>| -> Option<String> {
            let own = regex.as_ref()?.captures(text)?;
            own.iter().skip(1).flatten().next().map(|own| own.as_str().to_owned())
        };
        let hour = found(&HOUR).or_else(|| found(&HOUR_AFTER));
        let hour = hour.and_then(|hour| ["00", "06", "12", "18"].into_iter().find(|own| *own == hour));
        let topic = [
            (Topic::Compare, &COMPARE[..]),
            (Topic::Stations, &STATIONS[..]),
            (Topic::Map, &MAPS[..]),
            (Topic::System, &SYSTEM[..]),
            (Topic::Cycles, &CYCLES[..]),
        ];
        let topic = topic.into_iter().find(|(_, words)| says(&lower, words)).map(|(topic, _)| topic);
        let of_file = says(&lower, &["field file", "fields file", "mesh"])
            && says(&lower, &["how many", "size", "number of"]);
        let topic = topic.or_else(|| of_file.then_some(Topic::System));
        let surge = says(&lower, &["surge", "surges", "swl", "non-tidal", "storm-surge"]);
        let tide = says(&lower, &["tide", "tides", "tidal", "htp", "astronomical"]);
        let total = says(&lower, &["cwl", "total", "combined", "water level", "water levels"]);
        let product = match (surge, tide, total) {
            (true, false, false) => Product::Swl,
            (false, true, false) => Product::Htp,
            (true, false, true) if says(&lower, &["swl", "surge alone", "surge only", "only surge"]) => {
                Product::Swl
            }
            (false, true, true)
                if says(&lower, &["htp", "tide alone", "tide only", "only tide", "astronomical"]) =>
            {
                Product::Htp
            }
            _ => Product::Cwl,
        };
        let model = if says(&lower, &["3d", "stofs-3d", "3d-atlantic", "three-dimensional"]) {
            Model::Atlantic3d
        } else {
            Model::Global2d
        };
        let both =
            model == Model::Atlantic3d && says(&lower, &["2d", "stofs-2d", "2d-global", "stofs-2d-global"]);
        let points = points(text);
        let packed = PACKED.as_ref().and_then(|pattern| pattern.captures(text));
        let part = |at: usize| packed.as_ref()?.get(at).map(|own| own.as_str());
        let packed_day = part(1).zip(part(2)).zip(part(3)).and_then(|((year, month), day)| {
            Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
        });
        let packed_hour =
            part(4).and_then(|hour| ["00", "06", "12", "18"].into_iter().find(|own| *own == hour));
        Self {
            topic,
            wet: says(&lower, &["wet"]),
            both,
            cycle: packed_day.or_else(|| cycle_day(text)),
            product,
            model,
            stations: stations(text),
            places: places(text),
            on_mesh: says(&lower, &["node", "mesh", "grid", "gridded", "field", "fields"]),
            boxes: boxes(text),
            coasts: coasts(text),
            points,
            span: span(text),
            hour: hour.or(packed_hour),
            lead: found(&LEAD).and_then(|hours| hours.parse().ok()).filter(|hours| *hours <= 240),
            top: found(&TOP).and_then(|count| count.parse().ok()).filter(|count| (1..=200).contains(count)),
        }
    }

    /// Takes from `other` what this one does not say.
    pub(crate) fn or(mut self, other: Self) -> Self {
        let placeless = self.stations.is_empty()
            && self.places.is_empty()
            && self.points.is_empty()
            && self.boxes.is_empty()
            && self.coasts.is_empty();
        if placeless {
            self.stations = other.stations;
            self.places = other.places;
            self.points = other.points;
            self.boxes = other.boxes;
            self.coasts = other.coasts;
        }
        self.topic = self.topic.or(other.topic);
        self.span = self.span.or(other.span);
        self.hour = self.hour.or(other.hour);
        self.cycle = self.cycle.or(other.cycle);
        self.wet |= other.wet;
        self.both |= other.both;
        self.lead = self.lead.or(other.lead);
        self.top = self.top.or(other.top);
        if self.product == Product::default() {
            self.product = other.product;
        }
        if self.model == Model::default() {
            self.model = other.model;
        }
        self.on_mesh |= other.on_mesh;
        self
    }

    /// The day of the cycle: the one that is named as such, or else the first.
    pub(crate) fn day(&self) -> Option<Date> {
        if self.cycle.is_some() {
            return self.cycle;
        }
        let (begin, _) = self.span?;
        // A year or a month alone names no cycle.
        (begin.first().date() == begin.last().date()).then(|| begin.first().date())
    }

    /// The coast whose stations are meant.
    pub(crate) fn region(&self) -> Option<Region> {
        self.coasts.iter().find_map(|coast| match coast.name.as_str() {
            "Gulf coast" => Some(Region::Gulf),
            "East coast" => Some(Region::EastCoast),
            "West coast" => Some(Region::WestCoast),
            "Alaska" => Some(Region::Alaska),
            "Hawaii" => Some(Region::Hawaii),
            "Puerto Rico" => Some(Region::PuertoRico),
            _ => None,
        })
    }
}

/// The day beside the hour of a cycle, before it or after it, or beside the word for a cycle.
fn cycle_day(text: &str) -> Option<Date> {
    let one = |part: &str| -> Option<Date> {
        let (begin, end) = span(part)?;
        (begin.first().date() == end.last().date()).then(|| begin.first().date())
    };
    let marks = [&HOUR, &HOUR_AFTER, &CYCLE];
    let marks = marks.iter().filter_map(|regex| regex.as_ref()?.find(text));
    for mark in marks {
        // A date stands within some words of the mark; the nearest one counts.
        let after = text.get(mark.start()..).unwrap_or_default();
        let before = text.get(..mark.end()).unwrap_or_default();
        for words in 2..=9 {
            let head: Vec<&str> = before.split_whitespace().rev().take(words).collect();
            let head: Vec<&str> = head.into_iter().rev().collect();
            let tail: Vec<&str> = after.split_whitespace().take(words).collect();
            if let Some(day) = one(&head.join(" ")).or_else(|| one(&tail.join(" "))) {
                return Some(day);
            }
        }
    }
    None
}

/// The name of the system and that of its gauges hold words that are products.
fn without_name(lower: &str) -> String {
    [
        "surge and tide operational forecast system",
        "surge and tide forecast system",
        "surge and tide forecast",
    ]
    .iter()
    .fold(lower.to_owned(), |text, name| text.replace(name, "stofs"))
    // A tide gauge measures the total level.
    .replace("tide gauge", "gauge")
    .replace("tidal gauge", "gauge")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_products_and_cycles_are_read() {
        let topic = |text: &str| Asked::read(text).topic;
        assert_eq!(topic("How well does the forecast fit the gauge at Newport?"), Some(Topic::Compare));
        assert_eq!(topic("Draw a map of the Gulf coast"), Some(Topic::Map));
        assert_eq!(topic("Which stations have the highest peaks?"), Some(Topic::Stations));
        assert_eq!(topic("Which cycles are there on 2026-02-21?"), Some(Topic::Cycles));
        assert_eq!(topic("How many nodes has the mesh?"), Some(Topic::System));
        assert_eq!(topic("highest water at Newport"), None);
        let product = |text: &str| Asked::read(text).product;
        assert_eq!(product("the surge at Newport"), Product::Swl);
        assert_eq!(product("the tide at Newport"), Product::Htp);
        assert_eq!(product("water level with tide and surge"), Product::Cwl);
        assert_eq!(product("Surge and Tide Operational Forecast System at Newport"), Product::Cwl);
        let hour = |text: &str| Asked::read(text).hour;
        assert_eq!(hour("the 12z cycle of 2026-02-21"), Some("12"));
        assert_eq!(hour("the cycle of 21 February 2026 at 12:00 UTC"), Some("12"));
        assert_eq!(hour("the 06 UTC cycle"), Some("06"));
        assert_eq!(hour("at 12 stations"), None);
        let lead = |text: &str| Asked::read(text).lead;
        assert_eq!(lead("a map 20 hours after the cycle"), Some(20));
        assert_eq!(lead("at forecast hour 24"), Some(24));
        assert_eq!(lead("a map of the maximum"), None);
        assert_eq!(Asked::read("top 5 stations").top, Some(5));
        assert_eq!(Asked::read("in 2022").day(), None);
    }
}
