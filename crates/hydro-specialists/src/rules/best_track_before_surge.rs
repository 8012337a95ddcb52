//! [`BestTrackBeforeSurge`]: who needs the track of a storm gets somebody who finds it.

use leg_core::plan::{AgentStep, Code, Diagnostic, Limits, Policy};
use leg_core::routing::{
    Draft, DraftLayer, DraftNode, DraftTrack, Form, Rewrite, RoutingRule, RuleContext, Work,
};
use leg_core::{AgentId, IdError};

use crate::question::storms::storms;
use crate::question::{span, stations};

/// A track of agents that names a storm, needs a fact about it, and has nobody who provides it, begins with a provider.
///
/// ```text
/// before                                     after
/// layer 1  gauges (needs storm_track)        layer 1  tracks (provides storm_track)
///                                            layer 2  gauges
/// ```
#[derive(Debug)]
pub(super) struct BestTrackBeforeSurge;

impl RoutingRule for BestTrackBeforeSurge {
    fn name(&self) -> &'static str {
        "best_track_before_surge"
    }

    fn rewrite(&self, mut draft: Draft, context: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        let mut changed = false;
        for at in 0..draft.tracks.len() {
            // Of several tracks each has its own subject, which its tasks name.
            let question = if draft.tracks.len() == 1 { draft.question.as_str() } else { "" };
            let Some((provider, task)) =
                draft.tracks.get(at).and_then(|track| missing(track, question, context))
            else {
                continue;
            };
            let id = draft.free_id(provider.as_str()).map_err(|error: IdError| {
                Diagnostic::new("", Code::BadId, format!("the added node has no name: {error}"))
            })?;
            if let Some(track) = draft.tracks.get_mut(at) {
                for node in track.layers.iter_mut().flat_map(|layer| &mut layer.nodes) {
                    node.order += 1;
                }
                let step = AgentStep { id, agent: provider, task, when: None, limits: Limits::default() };
                let node = DraftNode { order: 0, work: Work::Agent(step) };
                track.layers.insert(0, DraftLayer::of(Policy::Settle, vec![node]));
                changed = true;
            }
        }
        Ok(Rewrite::new(draft, changed))
    }
}

/// Who is missing in a track, and the task for it: that of the first node that needs it.
fn missing(track: &DraftTrack, question: &str, context: &RuleContext<'_>) -> Option<(AgentId, String)> {
    if track.form != Form::Layers {
        return None;
    }
    let steps = track.work().filter_map(|node| match &node.work {
        Work::Agent(step) => Some((step, context.agent(&step.agent)?)),
        Work::Tool(_) => None,
    });
    let steps: Vec<_> = steps.collect();
    for (step, spec) in &steps {
        for fact in &spec.needs {
            let is_there = steps.iter().any(|(_, other)| other.provides.contains(fact));
            let about_a_storm = !storms(&step.task).is_empty()
                // A task that names its gauge and its dates needs no track for a storm that only the question names.
                || (!storms(question).is_empty() && (stations(&step.task).is_empty() || span(&step.task).is_none()));
            let provider = context.agents().find(|other| other.provides.contains(fact));
            if !is_there
                && about_a_storm
                && let Some(provider) = provider
            {
                return Some((provider.id.clone(), step.task.clone()));
            }
        }
    }
    None
}
