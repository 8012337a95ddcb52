//! Storms that a text names by their ids or by name and year.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

/// The id of a storm in the ATCF: basin, number and season, such as `AL092022`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StormId {
    /// `al`, `ep` or `cp`, in small letters; other basins have no data here.
    pub basin: String,
    /// The number of the storm in its season.
    pub number: u8,
    /// The season.
    pub season: i16,
}

/// A text is not the id of a storm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a storm id; write basin, number and year, such as `AL092022`")]
pub struct StormIdError {
    text: String,
}

impl FromStr for StormId {
    type Err = StormIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let own = text.trim().to_ascii_lowercase();
        let parts = own.is_ascii().then(|| (own.get(..2), own.get(2..4), own.get(4..)));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if let Some((Some(basin), Some(number), Some(season))) = parts
            && matches!(basin, "al" | "ep" | "cp")
            && digits(number)
            && season.len() == 4
            && digits(season)
            && let (Ok(number), Ok(season)) = (number.parse(), season.parse())
            && (1..=99).contains(&number)
            && (1800..=2200).contains(&season)
        {
            return Ok(Self { basin: basin.to_owned(), number, season });
        }
        Err(StormIdError { text: text.chars().take(40).collect() })
    }
}

impl fmt::Display for StormId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:02}{}", self.basin.to_ascii_uppercase(), self.number, self.season)
    }
}

/// A storm as a text names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storm {
    /// Its name as written, or its id when it has none.
    pub name: String,
    /// The season, where the text or the table of well-known storms says it.
    pub season: Option<i16>,
    /// Its id, where the text says it or the table of well-known storms knows it.
    pub id: Option<StormId>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[expect(dead_code, reason = "the version is for people and for later readers")]
    version: u32,
    storms: Vec<Known>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    name: String,
    season: i16,
    id: String,
}

static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    toml::from_str::<Table>(include_str!("../../data/storms.toml"))
        .map(|table| table.storms)
        .unwrap_or_default()
});

/// `hurricanes Ian and Ida`, `Tropical Storm Imelda`, `Typhoon`: the words that make the next capitalised words names.
static TITLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?:(?i:hurricanes?|tropical\s+(?:storms?|depressions?|cyclones?)|storms?|cyclones?))\s+([A-Z][A-Za-z]{1,14})((?:\s*(?:\(\d{4}\)|\d{4})?\s*(?:,|and|&|or|with|vs\.?|versus)\s+(?:[Hh]urricane\s+)?[A-Z][A-Za-z]{1,14})*)",
    )
    .ok()
});

static ID: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\b(?:al|ep|cp)\d{6}\b").ok());

static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[A-Z][A-Za-z]{1,14}").ok());

static SMALL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b[a-z]{3,14}\b").ok());

/// Words before the name of a storm.
const TITLES: [&str; 7] =
    ["hurricane", "hurricanes", "storm", "storms", "cyclone", "superstorm", "depression"];

/// Words that stand where a name of a storm may stand, and are none.
const NO_NAMES: [&str; 26] = [
    "Surge",
    "Tide",
    "Season",
    "Center",
    "Centre",
    "Track",
    "The",
    "And",
    "What",
    "When",
    "Where",
    "Which",
    "How",
    "Compare",
    "Hurricane",
    "Storm",
    "Tropical",
    "NHC",
    "USGS",
    "FEMA",
    "NOAA",
    "Category",
    "Warning",
    "Watch",
    "Florida",
    "Gulf",
];

/// The storms that a text names, in order, each once. A bare name counts when the table of well-known storms has it and the
/// text writes it with a capital; a year beside a name says which season is meant.
///
/// ```
/// use hydro_specialists::question::storms::storms;
///
/// let found = storms("Compare hurricanes Ian (2022) and Ida with AL062018");
/// assert_eq!(found[0].id.as_ref().unwrap().to_string(), "AL092022");
/// assert_eq!(found[1].season, Some(2021));
/// assert_eq!(found[2].name, "AL062018");
/// assert!(storms("the storm surge in Florida").is_empty());
/// ```
pub fn storms(text: &str) -> Vec<Storm> {
    let mut found: Vec<(usize, Storm)> = Vec::new();
    for own in ID.iter().flat_map(|regex| regex.find_iter(text)) {
        if let Ok(id) = own.as_str().parse::<StormId>() {
            found.push((own.start(), Storm { name: id.to_string(), season: Some(id.season), id: Some(id) }));
        }
    }
    let mut names: Vec<(usize, &str)> = Vec::new();
    for own in TITLED.iter().flat_map(|regex| regex.captures_iter(text)) {
        for part in [own.get(1), own.get(2)].into_iter().flatten() {
            let words = WORD.iter().flat_map(|regex| regex.find_iter(part.as_str()));
            names.extend(words.map(|word| (part.start() + word.start(), word.as_str())));
        }
    }
    for own in WORD.iter().flat_map(|regex| regex.find_iter(text)) {
        let whole = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        let bounded = whole(text.get(..own.start()).and_then(|head| head.chars().next_back()))
            && whole(text.get(own.end()..).and_then(|tail| tail.chars().next()));
        let is_known = KNOWN.iter().any(|known| known.name.eq_ignore_ascii_case(own.as_str()));
        if bounded && (is_known || is_dated_name(text, own.start(), own.as_str())) {
            names.push((own.start(), own.as_str()));
        }
    }
    names.extend(small(text));
    // The letters of an id are no name: `storm AL092022`.
    names.retain(|(at, name)| {
        !text.get(at + name.len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    names.retain(|(_, name)| !NO_NAMES.iter().any(|no| no.eq_ignore_ascii_case(name)));
    names.sort_unstable();
    names.dedup();
    for (at, name) in names {
        let season = season_after(text, at + name.len()).or_else(|| season_before(text, at));
        let mut storm = named(name, season);
        // `Milton (AL142024)`: the id beside a name says which storm is meant.
        let beside = text.get(at + name.len()..).and_then(|rest| rest.trim_start().strip_prefix('('));
        let id = beside.and_then(|rest| rest.get(..8)).and_then(|id| id.parse::<StormId>().ok());
        if let Some(id) = id {
            storm.season = Some(id.season);
            storm.id = Some(id);
        }
        found.push((at, storm));
    }
    found.sort_by_key(|(at, _)| *at);
    let mut storms: Vec<Storm> = Vec::new();
    for (_, storm) in found {
        let same = |own: &Storm| match (&own.id, &storm.id) {
            (Some(own), Some(other)) => own == other,
            _ => own.name.eq_ignore_ascii_case(&storm.name),
        };
        match storms.iter_mut().find(|own| same(own)) {
            // `Hurricane Ian (AL092022)` is one storm, and the name reads better.
            Some(own) => {
                if own.id.as_ref().is_some_and(|id| id.to_string() == own.name) {
                    own.name = storm.name;
                }
            }
            None => storms.push(storm),
        }
    }
    // With one season in the text and one storm without any, they belong together.
    if let [only] = storms.as_mut_slice()
        && only.id.is_none()
        && only.season.is_none()
        && let Some(season) = crate::question::tokens(text).into_iter().find_map(year)
    {
        *only = named(&only.name.clone(), Some(season));
    }
    // `Hurricane Ian, AL092022`: an id beside a name that is not in the table.
    if let [first, second] = storms.as_slice()
        && (first.id.is_none() != second.id.is_none())
        && [first, second]
            .iter()
            .any(|storm| storm.id.as_ref().is_some_and(|id| id.to_string() == storm.name))
        && !crate::question::says(text, &["compare", "and", "versus", "vs", "than", "or"])
    {
        let (named, other) = if first.id.is_none() { (first, second) } else { (second, first) };
        return vec![Storm { name: named.name.clone(), season: other.season, id: other.id.clone() }];
    }
    storms
}

/// Well-known names in small letters: beside the word for a storm, a year or an id they are names too.
fn small(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for own in SMALL.iter().flat_map(|regex| regex.find_iter(text)) {
        let before = text.get(..own.start()).unwrap_or_default().trim_end().to_lowercase();
        let titled = TITLES.iter().any(|title| before.ends_with(title));
        let dated = season_after(text, own.end()).is_some() || season_before(text, own.start()).is_some();
        if (titled || dated) && KNOWN.iter().any(|known| known.name.eq_ignore_ascii_case(own.as_str())) {
            found.push((own.start(), own.as_str()));
        }
    }
    found
}

/// The name of a storm of the table of well-known storms.
pub(crate) fn known_name(id: &StormId) -> Option<&'static str> {
    let id = id.to_string();
    KNOWN.iter().find(|known| known.id == id).map(|known| known.name.as_str())
}

/// Words of questions about storms: only there a capitalised word with a year may be the name of one.
const OF_STORMS: [&str; 12] = [
    "storm",
    "surge",
    "hurricane",
    "landfall",
    "pressure",
    "wind",
    "winds",
    "mark",
    "marks",
    "flood event",
    "event",
    "track",
];

/// `Tessa 2022`, `Tessa (2022)`: a word that begins a name and has a year after it, and is no month and no place.
fn is_dated_name(text: &str, at: usize, word: &str) -> bool {
    let rest = text.get(at + word.len()..).unwrap_or_default();
    let rest = rest.strip_prefix(' ').map(|rest| rest.trim_start_matches('(')).unwrap_or_default();
    let year = rest.get(..4).and_then(year).is_some()
        && !rest.get(4..).is_some_and(|more| more.starts_with(|c: char| c.is_alphanumeric() || c == '-'));
    let begins = text.get(..at).is_some_and(|head| !head.trim().is_empty());
    year && begins
        && word.chars().skip(1).all(char::is_lowercase)
        && leg_core::evidence::month_number(word).is_none()
        && crate::question::places::places(word).is_empty()
        && crate::question::places::states(word).is_empty()
        && crate::question::says(text, &OF_STORMS)
}

fn named(name: &str, season: Option<i16>) -> Storm {
    let mut known = KNOWN.iter().filter(|known| known.name.eq_ignore_ascii_case(name));
    // The newest of the name.
    let known = known.rfind(|known| season.is_none_or(|season| season == known.season));
    let mut shown = name.to_ascii_lowercase();
    if let Some(first) = shown.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Storm {
        name: shown,
        season: season.or_else(|| known.map(|known| known.season)),
        id: known.and_then(|known| known.id.parse().ok()),
    }
}

fn year(token: &str) -> Option<i16> {
    let plain = token.len() == 4 && token.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| token.parse().ok())?.filter(|year| (1851..=2100).contains(year))
}

/// `Ian (2022)`, `Ian 2022`, `Ian's 2022`, `Ian of 2022`, `Ian in 2022`, `Ian, 2022`.
fn season_after(text: &str, at: usize) -> Option<i16> {
    let rest = text.get(at..)?;
    let rest = rest.strip_prefix("'s").or_else(|| rest.strip_prefix("’s")).unwrap_or(rest);
    let mut rest = rest.trim_start_matches([' ', '(', ',']);
    for word in ["of ", "in ", "from "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let digits = rest
        .get(..4)
        .filter(|_| !rest.get(4..5).is_some_and(|c| c == "-" || c.bytes().all(|b| b.is_ascii_digit())))?;
    year(digits)
}

/// `2022 Hurricane Ian`, `2012 Sandy`.
fn season_before(text: &str, at: usize) -> Option<i16> {
    let before = text.get(..at)?.trim_end();
    let before = ["Hurricane", "hurricane", "Tropical Storm", "tropical storm", "'s", "’s"]
        .iter()
        .find_map(|word| before.strip_suffix(word))
        .unwrap_or(before)
        .trim_end();
    let from = before.len().checked_sub(4)?;
    let own = before.get(from..)?;
    let before = before.get(..from)?.chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || c == '-') { None } else { year(own) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<String> {
        storms(text)
            .iter()
            .map(|storm| {
                let id = storm.id.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
                format!("{} {id} {}", storm.name, storm.season.unwrap_or(0))
            })
            .collect()
    }

    #[test]
    fn names_years_and_ids_are_joined() {
        for (text, expected) in [
            ("What was Hurricane Ian's minimum central pressure?", vec!["Ian AL092022 2022"]),
            ("Hurricane Ian (AL092022)", vec!["Ian AL092022 2022"]),
            ("How strong was Polo?", vec![]),
            ("How strong is Hurricane Polo?", vec!["Polo - 0"]),
            ("Compare 2012 Sandy and Irma in 2017", vec!["Sandy AL182012 2012", "Irma AL112017 2017"]),
            (
                "hurricanes Ian, Ida and Sam",
                vec!["Ian AL092022 2022", "Ida AL092021 2021", "Sam AL182021 2021"],
            ),
            ("tropical storm Claudette of 2021", vec!["Claudette - 2021"]),
            ("the high-water marks of Tessa 2022", vec!["Tessa - 2022"]),
            ("wind at Seattle 2015, in September 2015 and for May 2015", vec![]),
            ("Hurricane Ian in 1999", vec!["Ian - 1999"]),
            ("ep072026 and CP012026", vec!["EP072026 EP072026 2026", "CP012026 CP012026 2026"]),
            ("the storm surge at Michael Street 8518750", vec!["Michael AL142018 2018"]),
        ] {
            assert_eq!(ids(text), expected, "{text}");
        }
    }

    #[test]
    fn ids_are_checked() {
        for bad in ["AL092", "WP092022", "AL0a2022", "AL002022", "ÄL092022", ""] {
            assert!(bad.parse::<StormId>().is_err(), "{bad}");
        }
    }
}
