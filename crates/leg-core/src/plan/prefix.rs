//! Gives all ids of a plan a prefix, so that it can stand inside a node of another.

use super::{Body, Plan, Reference};
use crate::graph::rename_references;
use crate::{IdError, NodeId, TrackId};

/// The plan with `node__` before every id of a step, a node and a track.
///
/// # Errors
/// [`IdError`] when an id becomes too long.
pub(crate) fn prefixed(mut plan: Plan, node: &NodeId) -> Result<Plan, IdError> {
    // An item of a fan-out has brackets, which no plan's id has.
    let node: String =
        node.as_str().chars().filter(|c| *c != ']').map(|c| if c == '[' { '_' } else { c }).collect();
    let longer = |id: &str| NodeId::new(format!("{node}__{id}"));
    let rename = |id: &str| longer(id).ok();
    let own = |reference: &mut Reference| {
        reference.node = longer(reference.node.as_str())?;
        Ok::<(), IdError>(())
    };
    for track in &mut plan.tracks {
        track.id = TrackId::new(format!("{node}__{}", track.id))?;
        if let Some(result) = &mut track.result {
            own(result)?;
        }
        match &mut track.body {
            Body::Steps(steps) => {
                for step in steps {
                    step.id = longer(step.id.as_str())?;
                    rename_references(step, &rename);
                }
            }
            Body::Layers(layers) => {
                for agent in layers.iter_mut().flat_map(|layer| &mut layer.nodes) {
                    agent.id = longer(agent.id.as_str())?;
                    if let Some(when) = &mut agent.when {
                        own(&mut when.reference)?;
                    }
                }
            }
        }
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::parse;
    use serde_json::json;

    #[test]
    fn ids_and_what_refers_to_them_change_alike() {
        let plan = parse(
            &json!({"version": 1, "question": "q", "tracks": [{"id": "t", "result": {"$ref": "m"}, "steps": [
            {"id": "s", "tool": "load", "args": {}},
            {"id": "m", "tool": "mean", "args": {"data": {"$ref": "s#/outputs/u"}},
             "when": {"ref": "s#/status", "op": "eq", "value": "ok"}}]}]}),
        )
        .unwrap();
        let plan = prefixed(plan, &NodeId::new("coast[2]").unwrap()).unwrap().to_json();
        assert_eq!(plan.pointer("/tracks/0/id"), Some(&json!("coast_2__t")));
        assert_eq!(plan.pointer("/tracks/0/result/$ref"), Some(&json!("coast_2__m")));
        assert_eq!(plan.pointer("/tracks/0/steps/1/args/data/$ref"), Some(&json!("coast_2__s#/outputs/u")));
        assert_eq!(plan.pointer("/tracks/0/steps/1/when/ref"), Some(&json!("coast_2__s#/status")));
    }
}
