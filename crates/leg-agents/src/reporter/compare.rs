//! Tracks against each other: which warmed faster, which was higher.

use leg_core::role::TrackResult;
use leg_core::{Claim, Evidence, Operation};

use super::cited::cited_evidence;
use super::number::{is_temperature, with_unit};
use super::rules::{evidence_of, has_free_number, label_of};
use super::sentence::{Comparison, Sentences, Signs, fill, find, spread_of};
use super::words;

/// A track's value of the quantity that is compared.
struct Contender {
    label: String,
    evidence: Evidence,
    value: f64,
    spread: Option<f64>,
}

/// The sentences that set tracks against each other, if they have a quantity in common.
pub(super) fn compare(sentences: &Sentences, tracks: &[TrackResult]) -> Vec<Claim> {
    ranking(sentences, tracks).into_iter().chain(overlap(tracks)).collect()
}

/// A warning that intervals overlap, so that the order may be chance.
fn overlap(tracks: &[TrackResult]) -> Option<Claim> {
    let ends = |track| {
        let evidence = evidence_of(track)?;
        Some((find(evidence, "ci_low")?, find(evidence, "ci_high")?))
    };
    let intervals: Vec<(&Evidence, &Evidence)> = tracks.iter().map(ends).collect::<Option<_>>()?;
    let value = |one: &Evidence| one.value.as_f64();
    let highest_low = intervals.iter().filter_map(|(low, _)| value(low)).reduce(f64::max)?;
    let lowest_high = intervals.iter().filter_map(|(_, high)| value(high)).reduce(f64::min)?;
    let unit = &intervals.first()?.0.unit;
    let same = intervals.iter().all(|(low, _)| low.unit == *unit);
    let ids = intervals.iter().flat_map(|(low, high)| [&low.id, &high.id]).flatten().cloned().collect();
    let text = "Their confidence intervals overlap, so the order of the trends is not certain.";
    (tracks.len() > 1 && same && highest_low <= lowest_high).then(|| Claim::new(text, ids, Operation::None))
}

fn ranking(sentences: &Sentences, tracks: &[TrackResult]) -> Option<Claim> {
    if tracks.len() < 2 {
        return None;
    }
    for comparison in &sentences.comparison {
        let found: Option<Vec<Contender>> = tracks
            .iter()
            .enumerate()
            .map(|(number, track)| contender(&comparison.name, number, track))
            .collect();
        let Some(found) = found else { continue };
        if let Some(claim) = claim(comparison, found) {
            return Some(claim);
        }
    }
    None
}

fn contender(name: &str, number: usize, track: &TrackResult) -> Option<Contender> {
    // Of a track of agents, what they cite is the result.
    let said = cited_evidence(track);
    let evidence = if said.is_empty() { evidence_of(track)? } else { &said };
    let one = find(evidence, name)?;
    let label = label_of(track);
    // A label with numbers of its own could not be told from a value.
    let label = if has_free_number(&label, evidence) { format!("track {}", number + 1) } else { label };
    Some(Contender {
        label,
        value: one.value.as_f64()?,
        spread: spread_of(one, evidence),
        evidence: one.clone(),
    })
}

fn claim(comparison: &Comparison, mut found: Vec<Contender>) -> Option<Claim> {
    let first = &found.first()?.evidence;
    let unit = first.unit.clone();
    // Nothing is set against itself: two tracks may ask about one thing.
    let labels: std::collections::BTreeSet<&str> = found.iter().map(|one| one.label.as_str()).collect();
    if labels.len() < found.len() {
        return None;
    }
    // Levels above different datums are not compared.
    if found.iter().any(|one| one.evidence.unit != unit || one.evidence.datum != first.datum) {
        return None;
    }
    let signs = if found.iter().all(|one| one.value >= 0.0) {
        Signs::Positive
    } else if found.iter().all(|one| one.value < 0.0) {
        Signs::Negative
    } else {
        Signs::Mixed
    };
    let fits = comparison.signs.is_none_or(|wanted| wanted == signs)
        && comparison.warm.is_none_or(|wanted| wanted == is_temperature(&unit))
        && comparison.baseline.is_none_or(|wanted| wanted == first.baseline.is_some());
    if !fits {
        return None;
    }
    let ids = found.iter().filter_map(|one| one.evidence.id.clone()).collect();
    // The coarsest of the values decides the digits of all.
    let spread = found.iter().filter_map(|one| one.spread).reduce(f64::max);
    let print = |value: f64| with_unit(value, &unit, spread);
    found.sort_by(|a, b| b.value.total_cmp(&a.value));
    let (high, low) = (found.first()?, found.last()?);
    let place = |label: &str| {
        if label.starts_with("track ") || label.starts_with("the ") {
            label.to_owned()
        } else {
            with_article(label)
        }
    };
    let text = if print(high.value) == print(low.value) {
        let labels: Vec<String> = found.iter().map(|one| place(&one.label)).collect();
        format!("{} are alike: {}.", words::capital(&list(&labels)), print(high.value))
    } else if found.len() > 2 {
        let ranked: Vec<String> =
            found.iter().map(|one| format!("{} ({})", place(&one.label), print(one.value))).collect();
        format!("From the largest {} to the smallest: {}.", noun(&comparison.name), ranked.join(", "))
    } else {
        fill(&comparison.text, |key| match key {
            "high" => Some(place(&high.label)),
            "low" => Some(place(&low.label)),
            "High" => Some(words::capital(&place(&high.label))),
            "Low" => Some(words::capital(&place(&low.label))),
            "high.value" => Some(print(high.value)),
            "low.value" => Some(print(low.value)),
            "difference" => Some(print(high.value - low.value)),
            _ => None,
        })?
    };
    Some(Claim::new(text, ids, Operation::Compare))
}

/// What a name stands for in a ranking.
fn noun(name: &str) -> &str {
    match name {
        "slope" => "trend",
        "max" => "maximum",
        other => other,
    }
}

/// `the coastal box`; names and years have no article.
fn with_article(label: &str) -> String {
    let nouns = [
        "box",
        "region",
        "area",
        "sea",
        "gulf",
        "bay",
        "strait",
        "shelf",
        "ocean",
        "current",
        "channel",
        "extension",
    ];
    let has_noun = label.split(' ').any(|word| nouns.contains(&word.to_lowercase().as_str()));
    if has_noun { format!("the {label}") } else { label.to_owned() }
}

fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}
