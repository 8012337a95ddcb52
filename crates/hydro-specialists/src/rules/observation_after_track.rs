//! [`ObservationAfterTrack`]: who observes what a storm did works side by side, directly after its track.

use leg_core::DataClass;
use leg_core::plan::Diagnostic;
use leg_core::routing::{Draft, DraftLayer, DraftTrack, Form, Rewrite, RoutingRule, RuleContext, Work};

/// Observers that need a fact, and stand in several layers after its provider, move into the first of these.
///
/// ```text
/// before                     after
/// layer 1  tracks            layer 1  tracks
/// layer 2  gauges            layer 2  gauges, marks
/// layer 3  zones             layer 3  zones
/// layer 4  marks
/// ```
#[derive(Debug)]
pub(super) struct ObservationAfterTrack;

impl RoutingRule for ObservationAfterTrack {
    fn name(&self) -> &'static str {
        "observation_after_track"
    }

    fn rewrite(&self, mut draft: Draft, context: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        let mut changed = false;
        for track in draft.tracks.iter_mut().filter(|track| track.form == Form::Layers) {
            changed |= gather(track, context);
        }
        Ok(Rewrite::new(draft, changed))
    }
}

fn gather(track: &mut DraftTrack, context: &RuleContext<'_>) -> bool {
    let provider =
        track.layers.iter().position(|layer| any(layer, context, |spec| !spec.provides.is_empty()));
    let Some(provider) = provider else { return false };
    let observers: Vec<usize> = track
        .layers
        .iter()
        .enumerate()
        .skip(provider + 1)
        .filter(|(_, layer)| any(layer, context, is_observer))
        .map(|(at, _)| at)
        .collect();
    let [first, rest @ ..] = observers.as_slice() else { return false };
    let mut moved = Vec::new();
    for at in rest {
        if let Some(layer) = track.layers.get_mut(*at) {
            // One with a condition waits for what it names.
            let (free, stay) =
                std::mem::take(&mut layer.nodes).into_iter().partition(|node| match &node.work {
                    Work::Agent(step) => {
                        step.when.is_none() && context.agent(&step.agent).is_some_and(is_observer)
                    }
                    Work::Tool(_) => false,
                });
            moved.extend::<Vec<_>>(free);
            layer.nodes = stay;
        }
    }
    let changed = !moved.is_empty();
    if let Some(layer) = track.layers.get_mut(*first) {
        layer.nodes.extend(moved);
    }
    track.layers.retain(|layer| !layer.nodes.is_empty());
    changed
}

fn is_observer(spec: &leg_core::AgentSpec) -> bool {
    spec.data_class == Some(DataClass::Observation) && !spec.needs.is_empty()
}

fn any(layer: &DraftLayer, context: &RuleContext<'_>, is: impl Fn(&leg_core::AgentSpec) -> bool) -> bool {
    layer.nodes.iter().any(|node| match &node.work {
        Work::Agent(step) => context.agent(&step.agent).is_some_and(&is),
        Work::Tool(_) => false,
    })
}
