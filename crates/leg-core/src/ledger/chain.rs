//! What the chain of lines can tell: which line was changed, and where lines were taken away, added or moved.
//!
//! A line's digest stands in the next line as `prev`. Where the two do not agree, either may have been changed: the
//! line after the next decides, because it holds the next one's digest. Only of the last line nothing can be told.

use crate::Digest;
use crate::ledger::FaultKind;
use crate::ledger::writer::genesis;

/// What is known of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// Its digest.
    pub hash: Digest,
    /// What it says of the line before, and of its own place; nothing for a line that cannot be read.
    pub said: Option<(Digest, u64)>,
    /// Whether something is wrong with it without looking at its neighbours.
    pub damaged: bool,
}

/// What is wrong between lines: positions from 0, kinds and messages.
pub(crate) fn check(links: &[Link]) -> Vec<(usize, FaultKind, String)> {
    let mut faults = Vec::new();
    let moved = sequence(links, &mut faults);
    for (at, link) in links.iter().enumerate() {
        if holds(links, at) != Some(false) || moved.contains(&at) {
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| links.get(at));
        // A line that is known to be damaged, or out of its place, explains why the next does not follow.
        if before.is_some_and(|before| before.damaged) || (at > 0 && moved.contains(&(at - 1))) {
            continue;
        }
        let said = link.said.map(|(prev, _)| prev.to_string()).unwrap_or_default();
        match (before, holds(links, at + 1)) {
            (None, _) => faults.push((
                at,
                FaultKind::Chain,
                format!("`prev` of the first line is {said} and must be {}", genesis()),
            )),
            (Some(before), Some(true)) if !link.damaged => faults.push((
                at - 1,
                FaultKind::Chain,
                format!("the line hashes to {} and the next one was chained to {said}: this line was changed", before.hash),
            )),
            (Some(before), Some(false)) => faults.push((
                at,
                FaultKind::Chain,
                format!("`prev` is {said} and the line before hashes to {}", before.hash),
            )),
            (Some(before), _) => faults.push((
                at,
                FaultKind::Chain,
                format!(
                    "`prev` is {said} and the line before hashes to {}: this line or the one before was changed",
                    before.hash
                ),
            )),
        }
    }
    faults
}

/// Whether a line holds the digest of the one before; unknown for a line that cannot be read or is not there.
fn holds(links: &[Link], at: usize) -> Option<bool> {
    let (prev, _) = links.get(at)?.said?;
    let before = match at.checked_sub(1) {
        Some(before) => links.get(before)?.hash,
        None => genesis(),
    };
    Some(prev == before)
}

/// Lines with a number that does not follow, told once where lines were taken away; gives their positions.
fn sequence(links: &[Link], faults: &mut Vec<(usize, FaultKind, String)>) -> Vec<usize> {
    let mut moved = Vec::new();
    // What a line's number is ahead of its position, after lines that were taken away or added.
    let mut ahead: i128 = 0;
    for (at, link) in links.iter().enumerate() {
        let Some((_, seq)) = link.said else { continue };
        let here = at as i128;
        let expected = here + ahead;
        let found = i128::from(seq);
        if found == expected {
            continue;
        }
        moved.push(at);
        let next = links.get(at + 1).and_then(|next| next.said).map(|(_, seq)| i128::from(seq));
        // Numbers go on from here only when the next line agrees, or there is none.
        let goes_on = next.is_none_or(|next| next == found + 1) && holds(links, at + 1) != Some(false);
        let message = if goes_on && found > expected {
            format!(
                "{} records are missing before this line: it says `seq` {seq} after {}",
                found - expected,
                expected - 1
            )
        } else {
            format!("the line says `seq` {seq} and stands where {expected} should be")
        };
        if goes_on {
            ahead = found - here;
        }
        faults.push((at, FaultKind::Sequence, message));
    }
    moved
}
