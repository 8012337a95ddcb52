//! [`Reading`]: what a question names, slot by slot.

use std::collections::BTreeSet;

use super::context::PlannerContext;
use super::error::PlannerError;
use super::slots::{
    ClimateIndex, Coordinates, Dates, Depth, Depths, Found, Indices, Mention, Origin, Place, Places,
    SeasonWord, Seasons, Variables, When,
};
use super::text::Text;

/// All patterns of the slot grammar.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) coordinates: Coordinates,
    pub(super) dates: Dates,
    pub(super) seasons: Seasons,
    pub(super) depths: Depths,
    pub(super) indices: Indices,
    pub(super) variables: Variables,
    pub(super) places: Places,
}

/// What a question names.
#[derive(Debug)]
pub(super) struct Reading {
    /// The question, with what was read used up.
    pub(super) text: Text,
    pub(super) index: Option<ClimateIndex>,
    /// Whether the index's name stands for its box: "in the Niño 3.4 region".
    pub(super) index_region: bool,
    pub(super) places: Vec<Found<Place>>,
    pub(super) points: Vec<Found<Place>>,
    pub(super) variables: Vec<Found<Mention>>,
    pub(super) depths: Vec<Found<Depth>>,
    pub(super) windows: Vec<Found<When>>,
    pub(super) baseline: Option<super::slots::Window>,
    pub(super) season: Vec<SeasonWord>,
    /// What was named but not understood: slot, question, choices.
    pub(super) unclear: Vec<(&'static str, String, Vec<String>)>,
    /// What was set aside.
    pub(super) notes: Vec<String>,
}

impl Grammar {
    pub(super) fn new() -> Result<Self, PlannerError> {
        Ok(Self {
            coordinates: Coordinates::new()?,
            dates: Dates::new()?,
            seasons: Seasons::new()?,
            depths: Depths::new()?,
            indices: Indices::new()?,
            variables: Variables::new()?,
            places: Places::new()?,
        })
    }

    /// Reads a question.
    pub(super) fn read(&self, question: &str, context: &PlannerContext) -> Reading {
        let mut text = Text::new(question);
        let mut unclear = Vec::new();
        let mut notes = Vec::new();
        let indices = self.indices.read(&mut text);
        let coordinates = self.coordinates.read(&mut text);
        let variables = self.variables.read(&mut text, &context.datasets);
        let depths = self.depths.read(&mut text);
        let named = self.places.read(&mut text, &context.datasets);
        let season_words = self.seasons.read(&mut text);
        let dated = self.dates.read(&mut text);
        let given = |found: Found<super::slots::Area>| Found {
            value: Place { label: found.value.words(), area: found.value, origin: Origin::Given },
            range: found.range,
        };
        let mut places: Vec<Found<Place>> = coordinates.boxes.into_iter().map(given).collect();
        let points: Vec<Found<Place>> = coordinates.points.into_iter().map(given).collect();
        let explicit = !places.is_empty() || !points.is_empty();
        for place in named.places {
            if explicit && place.value.origin != Origin::Dataset {
                notes.push(format!(
                    "The coordinates in the question are used, not the box of {}.",
                    place.value.label
                ));
            } else {
                places.push(place);
            }
        }
        places.sort_by_key(|place| place.range.start);
        if places.is_empty() && points.is_empty() && context.overrides.region.is_none() {
            if let Some(problem) = coordinates.unclear {
                unclear.push(("region", problem, Vec::new()));
            } else if let Some((words, choices)) = named.ambiguous {
                unclear.push(("region", format!("which place `{words}` is"), choices));
            }
        }
        if let Some(problem) = dated.unclear.filter(|_| context.overrides.time.is_none()) {
            unclear.push(("time", problem, Vec::new()));
        }
        let mut season: Vec<SeasonWord> = season_words.into_iter().map(|found| found.value).collect();
        season.extend(dated.months);
        let index_region = indices.first().is_some_and(|index| {
            let after = text.whole().get(index.range.end..).unwrap_or_default().trim_start();
            ["region", "box", "area"].iter().any(|noun| after.starts_with(noun))
        });
        Reading {
            index: indices.into_iter().next().map(|index| index.value),
            index_region,
            text,
            places,
            points,
            variables,
            depths,
            windows: dated.windows,
            baseline: dated.baseline,
            season,
            unclear,
            notes,
        }
    }
}

impl Reading {
    /// Whether the question names anything that data could answer.
    pub(super) fn is_about_data(&self) -> bool {
        !self.variables.is_empty()
            || self.index.is_some()
            || !self.places.is_empty()
            || !self.points.is_empty()
    }

    /// Facts that do not depend on a dataset.
    pub(super) fn facts(&self) -> BTreeSet<String> {
        let facts = [
            ("index", self.index.is_some()),
            ("index_region", self.index_region),
            ("point", !self.points.is_empty()),
            ("box", !self.places.is_empty()),
            ("time", !self.windows.is_empty()),
            ("baseline", self.baseline.is_some()),
            ("season", !self.season.is_empty()),
            ("depth", !self.depths.is_empty()),
            ("variable", !self.variables.is_empty()),
        ];
        facts.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name.to_owned()).collect()
    }
}
