//! What the words of a task or a question say: dates, storms, places, coordinates, stations. The rules forms of the specialists
//! and the graph architect read with it; wording stands in tables under `data/`.

mod boxes;
pub mod coordinates;
pub(crate) mod dates;
pub(crate) mod lists;
pub mod places;
pub mod storms;

use crate::{Moment, StationId};

/// Where a point is, in degrees: north and east are positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Degrees north.
    pub lat: f64,
    /// Degrees east, -180 to 180.
    pub lon: f64,
}

/// The words of a text, without punctuation around them.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || ",;()[]\"'’`/?!–—".contains(c))
        .map(|token| token.trim_matches(|c: char| ".:".contains(c)))
        .filter(|token| !token.is_empty())
        .collect()
}

/// From the first to the last date that a text names. A year that only says which storm is meant is one of them.
pub fn span(text: &str) -> Option<(Moment, Moment)> {
    let text = dates::plain(text);
    dates::span(&dates::moments(&tokens(&text)))
}

/// The tide gauges and current meters that a text names by their ids, each once.
pub fn stations(text: &str) -> Vec<StationId> {
    let mut found: Vec<StationId> = Vec::new();
    for token in tokens(text) {
        let digits = token.bytes().filter(u8::is_ascii_digit).count();
        let small = token.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase());
        if let Ok(station) = token.parse::<StationId>()
            && small
            && digits >= 4
            && !found.contains(&station)
        {
            found.push(station);
        }
    }
    found
}

/// The sites of the USGS that a text names, each once: `USGS-01646500`, or 8 to 15 digits.
pub fn sites(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for token in tokens(text) {
        let digits = token.strip_prefix("USGS-").or_else(|| token.strip_prefix("usgs-")).unwrap_or(token);
        let named = digits.len() < token.len();
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // Eight digits may be a date, ten a date with its hour: years of dates do not begin with a zero.
        let date = matches!(digits.len(), 8 | 10) && (digits.starts_with("19") || digits.starts_with("20"));
        if plain
            && (8..=15).contains(&digits.len())
            && (named || !date)
            && !found.iter().any(|own| own == digits)
        {
            found.push(digits.to_owned());
        }
    }
    found
}

/// The question behind a task, for what the task itself leaves open. A question that holds the task word for word has other parts
/// too, which are the work of others: then the task stands alone.
pub(crate) fn behind(task: &leg_core::AgentTask) -> &str {
    if task.question.contains(task.task.trim()) { &task.task } else { &task.question }
}

/// Whether a text has one of some phrases as whole words, in any letter case.
pub fn says(text: &str, phrases: &[&str]) -> bool {
    has(text, phrases, false)
}

/// The same, where a plural counts as its singular.
pub(crate) fn names(text: &str, phrases: &[&str]) -> bool {
    has(text, phrases, true)
}

fn has(text: &str, phrases: &[&str], plural: bool) -> bool {
    let lower = text.to_lowercase();
    phrases.iter().any(|phrase| {
        lower.match_indices(phrase).any(|(at, _)| {
            let word = |c: char| c.is_alphanumeric();
            let before = lower.get(..at).and_then(|head| head.chars().next_back());
            let mut after = lower.get(at + phrase.len()..).unwrap_or_default().chars();
            let next = match after.next() {
                Some('s') if plural => after.next(),
                other => other,
            };
            !before.is_some_and(word) && !next.is_some_and(word)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stations_are_ids_and_no_storms_or_dates() {
        let found =
            stations("At 8518750, cb0102 and 8518750 (not AL092022, not 20220928, not USGS-01646500).");
        let names: Vec<&str> = found.iter().map(StationId::as_str).collect();
        assert_eq!(names, ["8518750", "cb0102"]);
    }

    #[test]
    fn what_others_are_asked_is_not_read() {
        let task = |task: &str, question: &str| leg_core::AgentTask {
            task: task.to_owned(),
            question: question.to_owned(),
            ..leg_core::AgentTask::default()
        };
        let whole = "(1) The tide at 8518750? (2) A map of Tampa.";
        assert_eq!(behind(&task("The tide at 8518750?", whole)), "The tide at 8518750?");
        assert_eq!(behind(&task("find the gauges", whole)), whole);
    }

    #[test]
    fn sites_are_no_dates() {
        assert_eq!(sites("at USGS-01646500, 01646500, 20220928 and 023301302"), ["01646500", "023301302"]);
    }

    #[test]
    fn phrases_are_whole_words() {
        assert!(says("Where did it make Landfall?", &["landfall"]));
        assert!(!says("the offstage part", &["stage"]));
        assert!(says("flood-zone", &["flood"]));
    }
}
