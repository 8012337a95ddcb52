//! Places by name: boxes of the dataset first, then seas and straits of the crate's own table.

use regex::Regex;
use serde::Deserialize;

use super::Area;
use crate::planner::phrase::{phrase_pattern, phrases_regex};
use crate::planner::text::{Found, Text};
use crate::planner::{DatasetContext, PlannerError};

/// A place that a question names.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::planner) struct Place {
    /// Its box or point.
    pub(in crate::planner) area: Area,
    /// Its name for people.
    pub(in crate::planner) label: String,
    /// Where the box comes from.
    pub(in crate::planner) origin: Origin,
}

/// Where a place's box comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::planner) enum Origin {
    /// The question or a flag gives it.
    Given,
    /// The dataset names it.
    Dataset,
    /// The crate's table names it.
    Table,
    /// It is all that the dataset covers.
    Whole,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    region: Vec<Named>,
    ambiguous: Vec<Ambiguous>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
    lon: [f64; 2],
    lat: [f64; 2],
    #[serde(default)]
    also: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ambiguous {
    words: Vec<String>,
    choices: Vec<String>,
}

/// What places a question names.
#[derive(Debug, Default)]
pub(in crate::planner) struct NamedPlaces {
    /// Places, in text order.
    pub(in crate::planner) places: Vec<Found<Place>>,
    /// A name that could mean several places, with those.
    pub(in crate::planner) ambiguous: Option<(String, Vec<String>)>,
}

/// Patterns of places.
#[derive(Debug)]
pub(in crate::planner) struct Places {
    version: u32,
    table: Vec<(Regex, Place)>,
    ambiguous: Vec<(Regex, Vec<String>)>,
    whole: Regex,
}

impl Places {
    /// Reads the table of the crate and compiles it.
    pub(in crate::planner) fn new() -> Result<Self, PlannerError> {
        let file: File = toml::from_str(include_str!("../data/named_regions.toml"))
            .map_err(|error| PlannerError::data("named_regions.toml", &error))?;
        let mut regions = file.region;
        // `north sea` must not be found in a longer name.
        regions.sort_by_key(|region| std::cmp::Reverse(region.name.len()));
        let table = regions
            .into_iter()
            .filter_map(|region| {
                let names =
                    std::iter::once(region.name.as_str()).chain(region.also.iter().map(String::as_str));
                let names: Vec<String> = names.map(crate::planner::normalize).collect();
                let area = Area::boxed(region.lon, region.lat)?;
                let place = Place { area, label: region.name.clone(), origin: Origin::Table };
                Some((phrases_regex(names.iter().map(String::as_str))?, place))
            })
            .collect();
        let ambiguous = file
            .ambiguous
            .into_iter()
            .filter_map(|entry| Some((phrases_regex(entry.words.iter().map(String::as_str))?, entry.choices)))
            .collect();
        Ok(Self {
            version: file.version,
            table,
            ambiguous,
            whole: Regex::new(
                r"\b(?:global(?:ly)?|worldwide|world ocean|(?:the\s+)?(?:whole|entire|full|complete)\s+(?:globe|domain|area|region|dataset|grid|map|ocean|field|model domain)|everywhere|(?:averaged\s+)?over all (?:cells|points)|domain[\s-](?:mean|average|wide))\b",
            )?,
        })
    }

    /// The version of the table.
    pub(in crate::planner) const fn version(&self) -> u32 {
        self.version
    }

    /// Takes places out of a question.
    pub(in crate::planner) fn read(&self, text: &mut Text, datasets: &[DatasetContext]) -> NamedPlaces {
        let mut out = NamedPlaces::default();
        for (name, region) in datasets.iter().flat_map(|dataset| &dataset.boxes) {
            let Some(area) = Area::from_json(region) else { continue };
            let label = own_label(name);
            for pattern in own_name(name).into_iter().flatten() {
                out.places.extend(
                    text.take(&pattern, |_| {
                        Some(Place { area, label: label.clone(), origin: Origin::Dataset })
                    }),
                );
            }
        }
        for (pattern, place) in &self.table {
            out.places.extend(text.take(pattern, |_| Some(place.clone())));
        }
        for (pattern, choices) in &self.ambiguous {
            let words = text.take(pattern, |found| Some(found.get(0)?.as_str().to_owned()));
            if let Some(words) = words.into_iter().next() {
                out.ambiguous = Some((words.value, choices.clone()));
            }
        }
        let whole = text.take(&self.whole, |_| Some(()));
        if out.places.is_empty()
            && let Some(found) = whole.first()
        {
            out.places.extend(datasets.first().and_then(whole_area).map(|area| Found {
                value: Place { area, label: "the whole area of the data".to_owned(), origin: Origin::Whole },
                range: found.range.clone(),
            }));
        }
        out.places.sort_by_key(|place| place.range.start);
        // The same place named twice is one place.
        let mut seen: Vec<String> = Vec::new();
        out.places.retain(|place| {
            let new = !seen.contains(&place.value.label);
            seen.push(place.value.label.clone());
            new
        });
        out
    }

    /// The place with a name from the command line, such as `bohai_sea`.
    pub(in crate::planner) fn named(&self, name: &str, datasets: &[DatasetContext]) -> Option<Place> {
        let own = datasets
            .iter()
            .flat_map(|dataset| &dataset.boxes)
            .find(|(own, _)| own.eq_ignore_ascii_case(name));
        if let Some((own, region)) = own {
            return Some(Place {
                area: Area::from_json(region)?,
                label: own_label(own),
                origin: Origin::Dataset,
            });
        }
        let mut text = Text::new(&name.replace('_', " "));
        self.read(&mut text, &[]).places.into_iter().next().map(|found| found.value)
    }

    /// Names that a question could use, for an answer that asks for one.
    pub(in crate::planner) fn choices(datasets: &[DatasetContext]) -> Vec<String> {
        let own = datasets.iter().flat_map(|dataset| dataset.boxes.keys().map(|name| own_label(name)));
        own.chain([
            "a box such as 113-117E, 19-22N".to_owned(),
            "a sea by name".to_owned(),
            "the whole domain".to_owned(),
        ])
        .collect()
    }
}

/// All that a dataset covers.
pub(in crate::planner) fn whole_area(dataset: &DatasetContext) -> Option<Area> {
    let ([w, e], lat) = (dataset.lon?, dataset.lat?);
    let width = if w > e { e + 360.0 - w } else { e - w };
    let lon = if width >= 340.0 { [-180.0, 180.0] } else { [w, e] };
    Area::boxed(lon, lat)
}

/// `coastal box`; `coastal` where a place stands: after `in`, `and`, `than` and the like; the first of `coastal and basin boxes`.
fn own_name(name: &str) -> Option<[Regex; 3]> {
    let words = crate::planner::normalize(&name.replace('_', " "));
    let pattern = phrase_pattern(&words)?;
    let noun = r"(?:box|region|area|domain|zone|site|sector)(?:es|s)?\b";
    let before = r"(?:\b(?:in|over|for|across|of|off|and|or|vs\.?|versus|with|than|between|on|from)\s+|,\s*)(?:the\s+)?";
    let compile = |pattern: String| Regex::new(&pattern).ok();
    Some([
        compile(format!(r"\b(?:the\s+)?{pattern}[\s-]+{noun}"))?,
        compile(format!(
            r"(?P<span>{pattern})(?:\s+(?:and|or|versus|vs\.?)|,)\s+(?:the\s+)?[\w~]+[\s~]+{noun}"
        ))?,
        compile(format!(r"{before}(?P<span>{pattern})(?:[\s?,.;:!)]|$)"))?,
    ])
}

fn own_label(name: &str) -> String {
    let words = name.replace('_', " ");
    let has_noun = ["box", "region", "area", "sea", "strait", "shelf", "bay", "gulf"]
        .iter()
        .any(|noun| words.to_lowercase().split(' ').any(|word| word == *noun));
    if has_noun { words } else { format!("{words} box") }
}
