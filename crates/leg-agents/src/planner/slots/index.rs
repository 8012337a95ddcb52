//! Climate indices by their names.

use regex::Regex;
use serde::Deserialize;

use super::Area;
use crate::planner::PlannerError;
use crate::planner::phrase::phrases_regex;
use crate::planner::text::{Found, Text};

/// A climate index with the box that its data must cover.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::planner) struct ClimateIndex {
    /// The name that tools take.
    pub(in crate::planner) id: String,
    /// The name for people.
    pub(in crate::planner) label: String,
    /// The concept that it is made of.
    pub(in crate::planner) variable: String,
    lon: [f64; 2],
    lat: [f64; 2],
    words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[expect(dead_code, reason = "the version is for people and for later readers")]
    version: u32,
    index: Vec<ClimateIndex>,
}

/// Patterns of climate indices.
#[derive(Debug)]
pub(in crate::planner) struct Indices {
    entries: Vec<(Regex, ClimateIndex)>,
}

impl ClimateIndex {
    /// The box that its data must cover.
    pub(in crate::planner) fn area(&self) -> Option<Area> {
        Area::boxed(self.lon, self.lat)
    }
}

impl Indices {
    /// Reads the table of the crate and compiles it.
    pub(in crate::planner) fn new() -> Result<Self, PlannerError> {
        let file: File = toml::from_str(include_str!("../data/climate_indices.toml"))
            .map_err(|error| PlannerError::data("climate_indices.toml", &error))?;
        let entries = file
            .index
            .into_iter()
            .filter_map(|index| Some((phrases_regex(index.words.iter().map(String::as_str))?, index)))
            .collect();
        Ok(Self { entries })
    }

    /// Takes indices out of a question.
    pub(in crate::planner) fn read(&self, text: &mut Text) -> Vec<Found<ClimateIndex>> {
        let mut found = Vec::new();
        for (pattern, index) in &self.entries {
            found.extend(text.take(pattern, |_| Some(index.clone())));
        }
        found.sort_by_key(|index| index.range.start);
        found.dedup_by(|a, b| a.value.id == b.value.id);
        found
    }
}
