//! A name in a sentence that none of its evidence has.

use super::number_check::{NAMING, STATIONS};
use super::places::folded;
use super::source::Cited;
use super::tokens::{Piece, Token};

/// Words before the name of a place, and such as may stand between.
const PREPOSITIONS: [&str; 10] =
    ["at", "in", "near", "off", "outside", "around", "between", "than", "station", "gauge"];
const FILLERS: [&str; 3] = ["the", "station", "gauge"];

/// Verbs behind the name of a place.
const VERBS: [&str; 30] = [
    "reached",
    "recorded",
    "saw",
    "had",
    "was",
    "stood",
    "peaked",
    "measured",
    "rose",
    "fell",
    "warmed",
    "cooled",
    "observed",
    "crested",
    "registered",
    "experienced",
    "has",
    "is",
    "averaged",
    "hit",
    "received",
    "reported",
    "went",
    "carried",
    "exceeded",
    "were",
    "began",
    "ended",
    "showed",
    "dropped",
];

/// Words that have a capital only where they begin a sentence.
const FUNCTION: [&str; 28] = [
    "the", "a", "an", "in", "at", "on", "of", "and", "it", "its", "this", "that", "these", "from", "for",
    "near", "between", "with", "by", "to", "as", "while", "there", "both", "their", "together", "what",
    "which",
];

/// Words that begin a name which is none of a place.
const OTHERS: [&str; 12] = [
    "hurricane",
    "tropical",
    "storm",
    "cyclone",
    "typhoon",
    "el",
    "la",
    "category",
    "saffir",
    "utc",
    "ci",
    "gmt",
];

/// Words with a capital at the beginning of a sentence that are no names.
const COMMON: [&str; 116] = [
    "it",
    "its",
    "the",
    "this",
    "that",
    "there",
    "sea",
    "water",
    "level",
    "levels",
    "temperature",
    "salinity",
    "surge",
    "storm",
    "wind",
    "winds",
    "pressure",
    "discharge",
    "flow",
    "stage",
    "tide",
    "tides",
    "wave",
    "waves",
    "height",
    "mean",
    "maximum",
    "minimum",
    "peak",
    "highest",
    "lowest",
    "observed",
    "predicted",
    "over",
    "surface",
    "current",
    "currents",
    "speed",
    "density",
    "oxygen",
    "depth",
    "they",
    "all",
    "each",
    "one",
    "both",
    "high",
    "low",
    "air",
    "rainfall",
    "precipitation",
    "river",
    "streamflow",
    "gauge",
    "gage",
    "station",
    "value",
    "values",
    "warming",
    "cooling",
    "coast",
    "coastal",
    "basin",
    "shelf",
    "box",
    "region",
    "area",
    "gulf",
    "bay",
    "strait",
    "ocean",
    "northern",
    "southern",
    "eastern",
    "western",
    "north",
    "south",
    "east",
    "west",
    "inner",
    "outer",
    "upper",
    "lower",
    "central",
    "open",
    "offshore",
    "nearshore",
    "onshore",
    "deep",
    "shallow",
    "chlorophyll",
    "nitrate",
    "phosphate",
    "ice",
    "heat",
    "content",
    "transport",
    "upwelling",
    "thermocline",
    "anomaly",
    "anomalies",
    "average",
    "hurricane",
    "flooding",
    "flood",
    "inundation",
    "trend",
    "simulated",
    "modelled",
    "modeled",
    "forecast",
    "model",
    "reanalysis",
    "satellite",
    "bottom",
    "near",
];

/// Whether a sentence names a place that is not of its evidence.
pub(crate) fn has_unknown_place(tokens: &[Token], cited: &[Cited<'_>]) -> bool {
    let is_own = |word: &str| {
        let word = format!(" {} ", folded(word));
        cited.iter().any(|one| {
            one.words.contains(&word) || one.names.iter().any(|name| format!(" {name} ").contains(&word))
        })
    };
    let name_at = |at: usize| match tokens.get(at).map(|token| &token.piece) {
        Some(Piece::Word { lower, capital: true })
            if lower.len() > 1
                && !FUNCTION.contains(&lower.as_str())
                && !is_own(lower)
                && !OTHERS.contains(&lower.as_str())
                && !NAMING.contains(&lower.as_str())
                && !lower.contains(|c: char| c.is_ascii_digit()) =>
        {
            Some(lower.as_str())
        }
        _ => None,
    };
    let piece = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| &token.piece);
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).and_then(Token::word);
    let is_known = |at: Option<usize>| matches!(piece(at), Some(Piece::Place(_)));
    (0..tokens.len()).any(|at| {
        let Some(name) = name_at(at) else { return false };
        let back = |n: usize| at.checked_sub(n);
        if back(1).is_some_and(|before| name_at(before).is_some()) {
            return false;
        }
        let mut before = 1;
        while before < 3
            && word(back(before)).is_some_and(|word| FILLERS.contains(&word))
            && back(before + 1).is_some()
        {
            before += 1;
        }
        if word(back(before)).is_some_and(|word| PREPOSITIONS.contains(&word)) {
            return true;
        }
        // "Naples, Key West and Astoria": a list with known names in it.
        let end = (at..=tokens.len()).find(|&next| name_at(next).is_none()).unwrap_or(at);
        let ends = [end, end + 1];
        let in_list = (word(back(1)) == Some("and") && is_known(back(2)))
            || (matches!(piece(back(1)), Some(Piece::Break(',' | ':')))
                && ends.iter().any(|&next| is_known(Some(next))));
        // A subject: at the beginning, alone or in several words, and before its verb.
        let mut start = 1;
        while word(back(start)) == Some("the") {
            start += 1;
        }
        let begins = matches!(piece(back(start)), None | Some(Piece::Break(_)));
        // "Naples (USGS 02292900) carried …"
        let verb = is_known(Some(end))
            || word(Some(end)).is_some_and(|word| VERBS.contains(&word) || STATIONS.contains(&word));
        in_list || (begins && !COMMON.contains(&name) && (end > at + 1 || verb))
    })
}
