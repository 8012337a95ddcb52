//! [`Wanted`]: what a task asks of the flood map, read from its words.

use std::sync::LazyLock;

use leg_core::Evidence;
use regex::Regex;
use serde_json::Value;

use crate::question::{Point, coordinates, places, says};

/// The most points of one task.
const MOST: usize = 6;

/// What a task asks.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that a question may ask, and many may be asked at once"
)]
pub(crate) struct Wanted {
    /// Points, with the names of places.
    pub points: Vec<(Point, String)>,
    /// Boxes: west, south, east, north.
    pub boxes: Vec<[f64; 4]>,
    /// Ids of studies.
    pub studies: Vec<String>,
    /// The zone, or nothing in particular.
    pub zone: bool,
    /// The panel and its date.
    pub panel: bool,
    /// Base flood elevations.
    pub bfe: bool,
    /// Lines of these.
    pub lines: bool,
    /// Whether there are data.
    pub coverage: bool,
    /// Counts.
    pub counts: bool,
    /// Only special flood hazard areas.
    pub sfha: bool,
    /// Limits of wave action.
    pub coastal: bool,
    /// A picture.
    pub image: bool,
    /// What the service says of itself.
    pub service: bool,
    /// The surroundings of a place, not a point in it.
    pub around: bool,
}

/// Words that ask for what the service says of itself.
const SERVICE: [&str; 17] = [
    "layer id",
    "layer ids",
    "layer number",
    "id of the layer",
    "which layer",
    "what layer",
    "layers",
    "service version",
    "version",
    "record count",
    "record limit",
    "maxrecordcount",
    "max record count",
    "maximum number of records",
    "records per query",
    "records per request",
    "currentversion",
];

static STUDY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:study|dfirm(?:[_\s]id)?|county)\s+(?:id\s+)?(\d{5,6}[A-Z]?)\b|\b(\d{5}C)\b").ok()
});

impl Wanted {
    /// Reads a text.
    pub(crate) fn read(text: &str) -> Self {
        let says = |phrases: &[&str]| says(text, phrases);
        let boxes = coordinates::boxes(text);
        let mut points: Vec<(Point, String)> =
            coordinates::points(text).into_iter().map(|point| (point, String::new())).collect();
        if points.is_empty() && boxes.is_empty() {
            points.extend(places::places(text).iter().map(|place| (place.point(), place.name.clone())));
        }
        points.truncate(MOST);
        let captures = STUDY.iter().flat_map(|pattern| pattern.captures_iter(text));
        let mut studies: Vec<String> = captures
            .filter_map(|own| own.get(1).or_else(|| own.get(2)).map(|own| own.as_str().to_uppercase()))
            .collect();
        studies.dedup();
        let zone_cues = [
            "zone",
            "zones",
            "sfha",
            "special flood hazard area",
            "flood hazard",
            "hazard",
            "floodplain",
            "flood plain",
            "floodway",
            "flood insurance",
            "class",
            "risk",
        ];
        Self {
            points,
            boxes,
            studies,
            zone: says(&zone_cues),
            panel: says(&["panel", "panels", "firm", "effective date", "effective", "map number"]),
            bfe: says(&[
                "base flood elevation",
                "base flood elevations",
                "bfe",
                "bfes",
                "flood elevation",
                "elevation",
            ]),
            lines: says(&["lines", "line", "bfe lines"]),
            coverage: says(&[
                "coverage",
                "covered",
                "cover",
                "digital",
                "available",
                "availability",
                "data exist",
                "mapped",
                "any data",
                "any flood data",
                "flood maps",
                "has maps",
                "have maps",
            ]),
            counts: says(&[
                "how many",
                "count",
                "counts",
                "number of zones",
                "by zone",
                "statistics",
                "polygons",
            ]),
            service: says(&SERVICE),
            around: says(&["zones", "around", "near", "area of", "vicinity", "how much of", "polygons"]),
            sfha: says(&["only sfha", "only special flood hazard"]),
            coastal: says(&[
                "limwa",
                "limit of moderate wave action",
                "wave action",
                "coastal limits",
                "coastal high hazard",
            ]),
            image: says(&[
                "picture",
                "image",
                "draw",
                "plot",
                "png",
                "show the flood map",
                "map of the flood",
                "flood map image",
            ]),
        }
    }

    /// What this asks; places and wishes that it does not have are taken from `other`.
    pub(crate) fn or(mut self, other: &Self) -> Self {
        if self.points.is_empty() && self.boxes.is_empty() && self.studies.is_empty() {
            self.points.clone_from(&other.points);
            self.boxes.clone_from(&other.boxes);
            self.studies.clone_from(&other.studies);
        }
        if self.asks() {
            return self;
        }
        Self { points: self.points, boxes: self.boxes, studies: self.studies, ..other.clone() }
    }

    fn asks(&self) -> bool {
        self.zone
            || self.panel
            || self.bfe
            || self.coverage
            || self.counts
            || self.coastal
            || self.image
            || self.service
    }

    /// Takes the landfalls of earlier layers as points, when the task names no place.
    pub(crate) fn or_evidence(mut self, evidence: &[Evidence]) -> Self {
        if !self.points.is_empty() || !self.boxes.is_empty() || !self.studies.is_empty() {
            return self;
        }
        let landed =
            evidence.iter().filter(|one| one.name.starts_with("landfall") && !one.name.contains("pressure"));
        for one in landed
            .chain(evidence.iter().filter(|one| matches!(one.name.as_str(), "place" | "geocoded" | "found")))
        {
            let number = |name: &str| one.place.as_ref().and_then(|place| place.get(name)?.as_f64());
            let name = one.place.as_ref().and_then(|place| place.get("place").and_then(Value::as_str));
            if let (Some(lat), Some(lon)) = (number("lat"), number("lon"))
                && self.points.len() < MOST
            {
                self.points.push((Point { lat, lon }, name.unwrap_or_default().to_owned()));
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_is_asked() {
        let read = Wanted::read("What is the flood zone at 39.4042, -76.7631?");
        assert!(read.zone && read.points.len() == 1 && !read.panel);
        let read = Wanted::read("How many VE zones are in study 99999C, and what is the highest BFE?");
        assert!(read.studies == ["99999C"] && read.counts && read.bfe);
        let read = Wanted::read("Base flood elevation lines in -82.0, 26.4, -81.9, 26.5");
        assert!(read.boxes.len() == 1 && read.points.is_empty() && read.bfe && read.lines);
        assert!(!Wanted::read("FIRM panel near Fort Myers").points.is_empty());
    }
}
