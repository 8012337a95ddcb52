//! [`WidenUnderspecified`]: how bad a storm's water was is asked of everybody who saw it.

use leg_core::plan::{AgentStep, Code, Diagnostic};
use leg_core::routing::{Draft, DraftNode, DraftTrack, Form, Rewrite, RoutingRule, RuleContext, Work};
use leg_core::{AgentId, AgentSpec, DataClass};

use crate::question::storms::storms;
use crate::question::{says, stations};

/// Words that ask for the water of a storm without saying how it is to be measured.
const VAGUE: [&str; 10] = [
    "how bad",
    "surge",
    "storm tide",
    "flooding",
    "inundation",
    "how high was the water",
    "how high did the water",
    "how much water",
    "impact",
    "coastal flood",
];

/// Words that say how.
const EXACT: [&str; 9] = [
    "gauge",
    "gauges",
    "tide gauge",
    "station",
    "high-water mark",
    "high-water marks",
    "high water marks",
    "hwm",
    "datum",
];

/// A track with one of several observers of a storm's water, and a task that does not say which of them is meant, gets the
/// others too, in the same layer.
///
/// ```text
/// before: "How bad was the surge of Hurricane Ian?"     after
/// layer 1  gauges                                       layer 1  gauges, marks
/// ```
#[derive(Debug)]
pub(super) struct WidenUnderspecified;

impl RoutingRule for WidenUnderspecified {
    fn name(&self) -> &'static str {
        "widen_underspecified"
    }

    fn rewrite(&self, mut draft: Draft, context: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        let mut changed = false;
        for at in 0..draft.tracks.len() {
            while let Some((layer, model, more)) =
                draft.tracks.get(at).and_then(|track| missing(track, context))
            {
                let id = draft.free_id(more.as_str()).map_err(|error| {
                    Diagnostic::new("", Code::BadId, format!("the added node has no name: {error}"))
                })?;
                let Some(track) = draft.tracks.get_mut(at) else { break };
                let order = track.work().map(|node| node.order + 1).max().unwrap_or(0);
                let step = AgentStep { id, agent: more, ..model };
                if let Some(layer) = track.layers.get_mut(layer) {
                    layer.nodes.push(DraftNode { order, work: Work::Agent(step) });
                    changed = true;
                }
            }
        }
        Ok(Rewrite::new(draft, changed))
    }
}

/// An observer that a track lacks: the layer of one that it has, that one's step, and who is missing.
fn missing(track: &DraftTrack, context: &RuleContext<'_>) -> Option<(usize, AgentStep, AgentId)> {
    if track.form != Form::Layers {
        return None;
    }
    let has =
        |id: &AgentId| track.work().any(|node| matches!(&node.work, Work::Agent(step) if step.agent == *id));
    for (at, layer) in track.layers.iter().enumerate() {
        for node in &layer.nodes {
            let Work::Agent(step) = &node.work else { continue };
            let Some(spec) = context.agent(&step.agent).filter(|spec| is_observer(spec)) else { continue };
            let vague = says(&step.task, &VAGUE)
                && !says(&step.task, &EXACT)
                && stations(&step.task).is_empty()
                && !storms(&step.task).is_empty();
            let more = context
                .agents()
                .find(|other| is_observer(other) && other.needs == spec.needs && !has(&other.id));
            if vague && let Some(more) = more {
                return Some((at, step.clone(), more.id.clone()));
            }
        }
    }
    None
}

fn is_observer(spec: &AgentSpec) -> bool {
    spec.data_class == Some(DataClass::Observation) && !spec.needs.is_empty()
}
