//! Variables: the words for them, and where a dataset has them.

use regex::Regex;
use serde::Deserialize;

use super::Depth;
use crate::planner::phrase::phrases_regex;
use crate::planner::text::{Found, Text};
use crate::planner::{DatasetContext, PlannerError, VariableContext};

/// Something that can be measured in the sea, and the names it has.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::planner) struct Concept {
    /// Its id in this crate's tables.
    pub(in crate::planner) id: String,
    /// The word for people.
    pub(in crate::planner) label: String,
    /// CF standard names that are it, the best first.
    standard_names: Vec<String>,
    /// Of these, those that are of the surface alone.
    #[serde(default)]
    surface_names: Vec<String>,
    /// Usual names in files.
    #[serde(default)]
    names: Vec<String>,
    /// Words for it.
    words: Vec<String>,
    /// Words for it that say that the surface is meant.
    #[serde(default)]
    surface_words: Vec<String>,
    /// Words that hint at it, if nothing else names a variable.
    #[serde(default)]
    hints: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[expect(dead_code, reason = "the version is for people and for later readers")]
    version: u32,
    variable: Vec<Concept>,
}

/// A mention of a variable.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::planner) struct Mention {
    /// What is meant.
    pub(in crate::planner) meant: Meant,
    /// The depth that the word itself says.
    pub(in crate::planner) depth: Option<Depth>,
}

/// What a mention means.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::planner) enum Meant {
    /// Something in the table.
    Concept(Concept),
    /// A variable of a dataset, by its own name.
    Name(String),
}

impl Meant {
    /// The word for people.
    pub(in crate::planner) fn label(&self) -> String {
        match self {
            Self::Concept(concept) => concept.label.clone(),
            Self::Name(name) => name.clone(),
        }
    }

    /// The dataset's variable that is meant; with `surface` one that is of the surface alone is taken first.
    pub(in crate::planner) fn find<'a>(
        &self,
        dataset: &'a DatasetContext,
        surface: bool,
    ) -> Option<&'a VariableContext> {
        match self {
            Self::Name(name) => {
                dataset.variables.iter().find(|variable| variable.name.eq_ignore_ascii_case(name))
            }
            Self::Concept(concept) => concept.find(dataset, surface),
        }
    }
}

impl Concept {
    fn find<'a>(&self, dataset: &'a DatasetContext, surface: bool) -> Option<&'a VariableContext> {
        let by_standard = |names: &[String]| {
            names.iter().find_map(|name| {
                dataset.variables.iter().find(|variable| variable.standard_name.as_deref() == Some(name))
            })
        };
        let by_name = || {
            self.names.iter().chain(std::iter::once(&self.id)).find_map(|name| {
                dataset.variables.iter().find(|variable| {
                    variable.name.eq_ignore_ascii_case(name)
                        && variable.standard_name.as_ref().is_none_or(|standard| !is_other(standard, self))
                })
            })
        };
        let of_surface = || by_standard(&self.surface_names);
        let first = if surface { of_surface() } else { None };
        first.or_else(|| by_standard(&self.standard_names)).or_else(of_surface).or_else(by_name)
    }
}

/// Whether a standard name says that a variable with a usual name is something else: an error, an anomaly, a flag.
fn is_other(standard: &str, concept: &Concept) -> bool {
    !standard.is_empty()
        && (standard.contains("standard_error") || standard.contains("status_flag"))
        && !concept.standard_names.iter().any(|name| name == standard)
}

/// Patterns of variables.
#[derive(Debug)]
pub(in crate::planner) struct Variables {
    entries: Vec<Entry>,
    hints: Vec<(Regex, usize)>,
    concepts: Vec<Concept>,
}

#[derive(Debug)]
struct Entry {
    pattern: Regex,
    concept: usize,
    surface: bool,
}

impl Variables {
    /// Reads the table of the crate and compiles it.
    pub(in crate::planner) fn new() -> Result<Self, PlannerError> {
        let file: File = toml::from_str(include_str!("../data/variables.toml"))
            .map_err(|error| PlannerError::data("variables.toml", &error))?;
        let mut entries = Vec::new();
        let mut hints = Vec::new();
        for (concept, entry) in file.variable.iter().enumerate() {
            for (words, surface) in [(&entry.surface_words, true), (&entry.words, false)] {
                if let Some(pattern) = phrases_regex(words.iter().map(String::as_str)) {
                    entries.push(Entry { pattern, concept, surface });
                }
            }
            hints.extend(phrases_regex(entry.hints.iter().map(String::as_str)).map(|hint| (hint, concept)));
        }
        // `sea surface height` must be read before `surface` is a depth, `sea surface temperature` before `temperature`.
        entries.sort_by_key(|entry| !entry.surface);
        Ok(Self { entries, hints, concepts: file.variable })
    }

    /// The concept with this id.
    pub(in crate::planner) fn concept(&self, id: &str) -> Option<&Concept> {
        self.concepts.iter().find(|concept| concept.id == id)
    }

    /// What a word from the command line means.
    pub(in crate::planner) fn word(&self, word: &str, datasets: &[DatasetContext]) -> Option<Mention> {
        let own = datasets.iter().flat_map(|dataset| &dataset.variables).find(|variable| {
            variable.name.eq_ignore_ascii_case(word) || variable.standard_name.as_deref() == Some(word)
        });
        if let Some(variable) = own {
            return Some(Mention { meant: Meant::Name(variable.name.clone()), depth: None });
        }
        let mut text = Text::new(&word.replace('_', " "));
        self.read(&mut text, &[]).into_iter().next().map(|found| found.value)
    }

    /// Takes variables out of a question: words of the table, then names of the datasets themselves.
    pub(in crate::planner) fn read(
        &self,
        text: &mut Text,
        datasets: &[DatasetContext],
    ) -> Vec<Found<Mention>> {
        let mut found = Vec::new();
        for entry in &self.entries {
            let Some(concept) = self.concepts.get(entry.concept) else { continue };
            let depth = entry.surface.then_some(Depth::Surface);
            let mention = Mention { meant: Meant::Concept(concept.clone()), depth };
            found.extend(text.take(&entry.pattern, |_| Some(mention.clone())));
        }
        for variable in datasets.iter().flat_map(|dataset| &dataset.variables) {
            // Names of one letter would be found in any text.
            let names = [Some(&variable.name), variable.standard_name.as_ref(), variable.long_name.as_ref()];
            let names = names.into_iter().flatten().filter(|name| name.len() > 1 && name.len() < 80);
            let spellings: Vec<String> =
                names.flat_map(|name| [name.to_lowercase(), name.to_lowercase().replace('_', " ")]).collect();
            if let Some(pattern) = phrases_regex(spellings.iter().map(String::as_str)) {
                let mention = Mention { meant: Meant::Name(variable.name.clone()), depth: None };
                found.extend(text.take(&pattern, |_| Some(mention.clone())));
            }
        }
        if found.is_empty() {
            for (pattern, concept) in &self.hints {
                if let (Some(place), Some(concept)) = (pattern.find(text.left()), self.concepts.get(*concept))
                {
                    let mention = Mention { meant: Meant::Concept(concept.clone()), depth: None };
                    // Hints are words of analysis as well, so they are not used up.
                    found.push(Found { value: mention, range: place.range() });
                }
            }
            found.truncate(1);
        }
        found.sort_by_key(|mention| mention.range.start);
        found
    }
}
