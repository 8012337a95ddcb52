//! What came from outside a run, given again as it was: its limits, the signals that stopped it, its overseer's words.
//!
//! A replay has no clock, no signal and no budget of its own, and a run that goes on has the refusals that it was given
//! before. Both ask the record.

use crate::run::recorded::{Recorded, Use, number, status};
use crate::run::{Firing, Judgement, LayerView};
use crate::{Status, ToolError, ToolErrorKind, TrackId};

/// A call that the budget refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// How many calls the node had made before.
    pub(crate) ordinal: u64,
    pub(crate) reason: String,
}

/// What the record has of something that a budget must allow.
#[derive(Debug)]
pub(crate) enum Allowed {
    /// It was allowed, or nothing limits it now.
    Yes,
    /// It was allowed in an earlier session, which did not come to its end: it is not refused now.
    Begun,
    /// It was refused.
    No(ToolError),
    /// The record does not say.
    Unknown,
}

/// Whether a status came from outside the node: a clock, a signal, a budget.
pub(crate) const fn is_from_outside(status: Status) -> bool {
    matches!(status, Status::Timeout | Status::Cancelled | Status::BudgetExhausted | Status::OutcomeUnknown)
}

impl Recorded {
    /// Whether a run is done again from its record: then nothing but the record limits or stops it.
    pub(crate) fn is_replay(&self) -> bool {
        self.purpose == Use::Replay
    }

    /// Whether a unit may start.
    pub(crate) fn start(&self, firing: &Firing) -> Allowed {
        match self.nodes.get(firing) {
            Some(end)
                if status(end) == Status::BudgetExhausted
                    && !self.begun.contains(firing)
                    && end.core.get("children").is_none() =>
            {
                let error =
                    end.core.get("error").and_then(|error| serde_json::from_value(error.clone()).ok());
                Allowed::No(error.unwrap_or_else(|| refused("the budget did not allow it")))
            }
            // What it spent is counted already.
            Some(_) => Allowed::Yes,
            None if self.is_replay() => Allowed::Yes,
            None if self.begun.contains(firing) => Allowed::Begun,
            None => Allowed::Unknown,
        }
    }

    /// Whether a unit may make its next call, after it has made `made` calls and was refused `denied` times.
    pub(crate) fn draw(&self, firing: &Firing, made: u64, denied: usize) -> Allowed {
        let refusal = self.refusals.get(firing).and_then(|refusals| refusals.get(denied));
        if let Some(refusal) = refusal.filter(|refusal| refusal.ordinal == made) {
            return Allowed::No(refused(&refusal.reason));
        }
        if self.by_firing.get(firing).is_some_and(|calls| calls.contains_key(&made)) {
            return Allowed::Yes;
        }
        match self.nodes.get(firing) {
            // It was stopped before it came to this call.
            Some(end) if self.is_replay() && is_from_outside(status(end)) => {
                Allowed::No(ToolError::cancelled())
            }
            _ if self.is_replay() => Allowed::Yes,
            _ => Allowed::Unknown,
        }
    }

    /// Whether a unit was stopped before it did anything that the record tells.
    pub(super) fn was_idle(&self, firing: &Firing) -> bool {
        !self.by_firing.contains_key(firing) && !self.denied.contains(firing)
    }

    /// What the overseer said in one round about a layer, after `n` rulings of its track.
    pub(crate) fn judgements(&self, rev: u64, layer: &LayerView, n: u64) -> Vec<Judgement> {
        let key = (rev, layer.track.clone(), layer.layer as u64);
        let rulings = self.rulings.get(&key).into_iter().flatten();
        let mut said: Vec<Judgement> = Vec::new();
        let mut last = None;
        for (_, judgement) in rulings.filter(|(at, _)| *at >= n) {
            let place = layer.nodes.iter().position(|node| node.node == judgement.node);
            // Rulings have the order of the layer: the next round begins where that order does.
            if place <= last {
                break;
            }
            last = place;
            said.push(judgement.clone());
        }
        said
    }

    /// Whether an overseer ruled on anything.
    pub(crate) fn has_rulings(&self) -> bool {
        !self.rulings.is_empty()
    }

    /// Whether a layer was over: its overseer has said all that it had to say.
    pub(crate) fn is_over(&self, rev: u64, track: &TrackId, layer: usize) -> bool {
        self.layers.contains(&(rev, track.clone(), layer as u64))
    }

    /// What finished units of this plan revision and later ones spent, as far as a run that goes on must count it.
    pub(crate) fn spent(&self, rev: u64) -> Vec<crate::run::Amounts> {
        let usage =
            |entry: &crate::ledger::Entry| serde_json::from_value(entry.meta.get("usage")?.clone()).ok();
        if self.is_replay() {
            return Vec::new();
        }
        self.nodes.iter().filter(|(firing, _)| firing.rev >= rev).filter_map(|(_, end)| usage(end)).collect()
    }
}

fn refused(reason: &str) -> ToolError {
    ToolError::new(ToolErrorKind::BudgetExhausted, reason)
}

/// The key of a layer's record.
pub(super) fn layer_of(core: &serde_json::Value) -> Option<(u64, TrackId, u64)> {
    let track = TrackId::new(core.get("track")?.as_str()?).ok()?;
    Some((number(core, "rev"), track, number(core, "layer")))
}
