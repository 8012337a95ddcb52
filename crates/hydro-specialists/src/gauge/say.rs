//! What is said of a series: the sides that were asked for first, then its highest value.

use leg_core::Evidence;

use super::asked::Side;
use super::prose::{be, counted, quantity, station, when};
use crate::findings::{Findings, find};

/// The words of a series.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<'a> {
    /// Such as `observed water level`.
    pub(crate) what: &'a str,
    /// One of its values and several: `value`, `values`.
    pub(crate) one: &'a str,
    pub(crate) many: &'a str,
}

/// Says the sides of a series, and always the highest value with its time. Whether anything was said.
pub(crate) fn series(
    findings: &mut Findings,
    evidence: &[Evidence],
    words: Words<'_>,
    sides: &[Side],
) -> bool {
    let mut order = sides.to_vec();
    for side in [Side::Max, Side::Min] {
        // Without a question for a side, the range is the answer; with one, the highest value is context.
        if !order.contains(&side) && (side == Side::Max || sides.is_empty()) {
            order.push(side);
        }
    }
    // A series with holes is not done with its highest value.
    let holes = find(evidence, "n_missing").is_some_and(|one| one.value.as_u64().unwrap_or(0) > 0);
    if holes && !order.contains(&Side::Last) {
        order.push(Side::Last);
    }
    // One value is no highest or first of anything.
    let only = find(evidence, "n").is_some_and(|one| one.value.as_u64() == Some(1));
    if let Some(found) = find(evidence, "first").filter(|_| only) {
        let text =
            format!("The {} at {} was {}{}.", words.what, station(found), quantity(found), when(found));
        findings.say(text, &[found]);
        order.retain(|side| *side == Side::Count);
    }
    let mut any = only;
    for side in order {
        any |= one(findings, evidence, words, side);
    }
    any
}

fn one(findings: &mut Findings, evidence: &[Evidence], words: Words<'_>, side: Side) -> bool {
    let Words { what, one, many } = words;
    let (name, adjective) = match side {
        Side::Max => ("max", "highest"),
        Side::Min => ("min", "lowest"),
        Side::First => ("first", "first"),
        Side::Last => ("last", "last"),
        Side::Mean => ("mean", "mean"),
        Side::Count => ("n", ""),
    };
    let Some(found) = find(evidence, name) else { return false };
    let place = station(found);
    let text = match side {
        Side::Count => {
            format!("There {} {} of the {what} at {place}.", be(found), counted(found, one, many))
        }
        Side::Mean => format!("The mean {what} at {place} was {}.", quantity(found)),
        _ => format!("The {adjective} {what} at {place} was {}{}.", quantity(found), when(found)),
    };
    findings.say(text, &[found]);
    true
}
