//! [`Wanted`]: what a task asks of the service, read from its words.

use std::sync::LazyLock;

use regex::Regex;

use super::category::least_wind;
use crate::Moment;
use crate::question::{Point, coordinates, dates, places, says, storms, tokens};

/// What a task asks.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that a question may ask, and many may be asked at once"
)]
pub(crate) struct Wanted {
    /// The storms that it names.
    pub storms: Vec<storms::Storm>,
    /// The storms that are active now.
    pub active: bool,
    /// The official forecast.
    pub forecast: bool,
    /// Watches and warnings.
    pub watches: bool,
    /// The surge of an advisory.
    pub surge: bool,
    /// An advisory; its text.
    pub advisory: bool,
    /// Number of an advisory.
    pub number: Option<String>,
    /// Which text product: `public`, `fstadv`, `discus`, `wndprb`.
    pub product: &'static str,
    /// Hours ahead.
    pub hours: Option<i64>,
    /// Wind and category.
    pub wind: bool,
    /// Pressure.
    pub pressure: bool,
    /// What was, beside what was forecast.
    pub recorded: bool,
    /// Landfalls.
    pub landfall: bool,
    /// How many points and lines, and from when to when.
    pub points: bool,
    /// Where it was.
    pub position: bool,
    /// A season.
    pub season: Option<i16>,
    /// The least category.
    pub category: Option<u8>,
    /// The least wind in knots.
    pub least_wind: Option<f64>,
    /// Where a track is to come close to.
    pub near: Option<(Point, String)>,
    /// A time.
    pub time: Option<Moment>,
}

macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

pattern!(NUMBER, r"(?i)\b(?:advisory|discussion|bulletin)\s*(?:number|no\.?|nr\.?|#)?\s*(\d{1,3}[a-z]?)\b");
pattern!(HOURS, r"(?i)\b(\d{1,3})[\s-]*(?:hours?|hrs?|h)\b");
pattern!(DAYS, r"(?i)\bin\s+(\d|one|two|three|four|five)\s+days?\b");
pattern!(CATEGORY, r"(?i)\b(?:category|cat\.?)[\s-]*([1-5])\b");
pattern!(KNOTS, r"(?i)\b(\d{2,3})\s*(?:kt|kts|knots?)\b");
pattern!(CLOCK, r"(?i)\b([01]?\d|2[0-3]):?([0-5]\d)?\s*(?:utc|z|gmt)\b");

impl Wanted {
    /// Reads a text.
    #[expect(
        clippy::too_many_lines,
        reason = "a table of phrases, a line or two for each thing that may be asked"
    )]
    pub(crate) fn read(text: &str) -> Self {
        let find = |pattern: &'static LazyLock<Option<Regex>>| pattern.as_ref()?.captures(text);
        let number = |pattern| find(pattern).and_then(|own| own.get(1)?.as_str().parse::<i64>().ok());
        let says = |phrases: &[&str]| says(text, phrases);
        let storms = storms::storms(text);
        let surge = says(&["surge"])
            && (says(&["forecast", "forecasts", "advisory", "expected", "predicted", "nhc", "peak surge"]));
        let discussion = says(&["discussion"]);
        let days = find(&DAYS).and_then(|own| {
            let word = own.get(1)?.as_str().to_lowercase();
            let words = ["one", "two", "three", "four", "five"];
            let known =
                words.iter().position(|known| *known == word).and_then(|at| i64::try_from(at + 1).ok());
            known.or_else(|| word.parse().ok())
        });
        let tomorrow = says(&["tomorrow"]).then_some(24);
        let numbered = find(&NUMBER).and_then(|own| own.get(1).map(|own| own.as_str().to_owned()));
        let advisory = says(&["advisory", "advisories", "bulletin"]) || discussion;
        // `Forecast/advisory 27` is a text and no forecast by hours.
        let forecast = !surge
            && (says(&[
                "forecast",
                "forecasts",
                "forecasted",
                "predicted",
                "projected",
                "expected to be",
                "will be",
                "be in",
                "outlook",
                "forecast to be",
                "head",
                "heading",
                "going",
            ]) || tomorrow.is_some())
            && numbered.is_none();
        let all = dates::moments(&tokens(text));
        let exact = all.iter().find(|moment| {
            moment.last() < moment.first().checked_add(jiff::Span::new().days(2)).unwrap_or(moment.last())
        });
        let time = exact.copied().map(|day| at_clock(day, text));
        let season = all.first().map(|moment| moment.first().year());
        let known_places = places::places(text);
        let spot = coordinates::points(text).into_iter().next().map(|point| (point, String::new()));
        let spot = spot.or_else(|| known_places.first().map(|place| (place.point(), place.name.clone())));
        let closeness = says(&[
            "close", "closest", "near", "nearest", "approach", "pass", "passed", "distance", "how far",
            "come to", "miss",
        ]);
        Self {
            active: says(&[
                "active",
                "current storms",
                "currently",
                "right now",
                "now",
                "at the moment",
                "today",
                "ongoing",
                "any storms",
                "storms are there",
                "out there",
            ]),
            forecast,
            watches: says(&["watch", "watches", "warning", "warnings"]),
            surge,
            advisory,
            number: numbered,
            product: match () {
                () if discussion => "discus",
                () if says(&["wind speed probabilities", "wind probabilities", "probabilities"]) => "wndprb",
                () if says(&["forecast advisory", "forecast/advisory", "marine advisory", "tcm"])
                    || says(&["forecast positions", "outlook", "forecast track"]) =>
                {
                    "fstadv"
                }
                () => "public",
            },
            hours: number(&HOURS).or(days.map(|days| days * 24)).or(tomorrow),
            wind: says(&[
                "wind",
                "winds",
                "strong",
                "stronger",
                "strongest",
                "strength",
                "intensity",
                "intense",
                "powerful",
                "category",
                "saffir-simpson",
                "peak",
                "peaked",
                "severe",
                "gust",
                "gusts",
                "knots",
                "fastest",
            ]),
            pressure: says(&["pressure", "pressures", "hpa", "mb", "millibars", "deep", "deepest", "deepen"]),
            recorded: says(&["best track", "best-track", "actual", "actually", "in reality", "really"]),
            landfall: says(&[
                "landfall",
                "landfalls",
                "ashore",
                "hit land",
                "hit the coast",
                "made land",
                "come on shore",
                "onshore",
            ]),
            points: says(&[
                "points",
                "rows",
                "lines",
                "records",
                "entries",
                "fixes",
                "times",
                "how long",
                "positions",
                "start",
                "begin",
                "began",
                "end",
                "ended",
                "first",
                "last",
                "dissipate",
                "dissipated",
                "duration",
                "invest",
            ]),
            position: says(&[
                "where was",
                "where is",
                "position",
                "located",
                "location",
                "whereabouts",
                "coordinates",
            ]),
            season,
            category: number(&CATEGORY).and_then(|number| u8::try_from(number).ok()),
            least_wind: number(&KNOTS).map(|knots| f64::from(u16::try_from(knots).unwrap_or(0))).or_else(
                || {
                    (says(&["major hurricane", "major hurricanes"]) && !says(&["how many"]))
                        .then(|| least_wind(3))
                        .flatten()
                },
            ),
            near: spot.filter(|_| closeness),
            time,
            storms,
        }
    }

    /// What this asks; what it does not say is taken from `other`, asks only where this has none.
    pub(crate) fn or(mut self, other: Self) -> Self {
        if self.storms.is_empty() {
            self.storms = other.storms;
        }
        if !self.asks() {
            let storms = std::mem::take(&mut self.storms);
            return Self { storms, ..other };
        }
        self
    }

    /// Whether it asks for something in particular.
    fn asks(&self) -> bool {
        self.active
            || self.forecast
            || self.watches
            || self.surge
            || self.advisory
            || self.wind
            || self.pressure
            || self.landfall
            || self.points
            || self.position
            || self.near.is_some()
            || self.category.is_some()
    }

    /// Whether it asks how strong it was, or where.
    pub(crate) fn of_strength(&self) -> bool {
        self.wind || self.pressure || self.landfall || self.points || self.position || self.near.is_some()
    }

    /// Whether it asks for the track, or for nothing in particular.
    pub(crate) fn of_track(&self) -> bool {
        let other = self.forecast || self.watches || self.surge || self.advisory || self.near.is_some();
        !other || self.landfall || self.recorded || (self.pressure && !self.advisory && !self.forecast)
    }

    /// Whether it asks for storms of a season.
    pub(crate) fn of_season(&self) -> bool {
        self.season.is_some() || self.category.is_some() || self.least_wind.is_some()
    }
}

/// A day with the time of day that a text names, as `12 UTC` or `18:30Z`.
fn at_clock(day: Moment, text: &str) -> Moment {
    if day.first() == day.last() {
        return day;
    }
    let clock = CLOCK.as_ref().and_then(|pattern| pattern.captures(text));
    let part = |at: usize| clock.as_ref()?.get(at)?.as_str().parse::<i8>().ok();
    let Some(hour) = part(1) else { return day };
    let at = day.first().date().at(hour, part(2).unwrap_or(0), 0, 0);
    at.to_string().parse().unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_is_asked() {
        let read = Wanted::read("Where is Florence forecast to be in 48 hours?");
        assert!(read.forecast && !read.of_track() && read.hours == Some(48));
        let read = Wanted::read("What does forecast/advisory number 27 of AL062026 say?");
        assert_eq!((read.number.as_deref(), read.product, read.forecast), (Some("27"), "fstadv", false));
        let read = Wanted::read("Where was Ian at 12 UTC on 28 September 2022?");
        assert!(read.position && read.time.unwrap().first().to_string() == "2022-09-28T12:00:00");
        let read = Wanted::read("How many Category 4 hurricanes were there in 2021?");
        assert_eq!((read.category, read.season, read.storms.len()), (Some(4), Some(2021), 0));
        let read = Wanted::read("How close did Ian come to Fort Myers?");
        assert!(read.near.is_some() && !read.of_track());
        let read = Wanted::read("find the track").or(Wanted::read("What was Ian's lowest pressure?"));
        assert!(read.pressure && read.storms.len() == 1);
    }
}
