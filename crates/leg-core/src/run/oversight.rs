//! [`Oversight`]: turns judgements into what is really done. It keeps the bounds, whatever an overseer says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::overseer::{Action, Judgement, LayerView, OverseerVerdict};
use crate::NodeId;

/// How often an overseer may fire nodes again.
///
/// ```
/// use leg_core::RunId;
/// use leg_core::run::{OverseerLimits, RunOptions};
///
/// let mut options = RunOptions::new(RunId::new("strict")?);
/// options.oversight = OverseerLimits { per_node: 2, per_track: 4 };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverseerLimits {
    /// For one node.
    pub per_node: u32,
    /// For all nodes of a track: counted by track, so that tracks that run side by side do not race for it.
    pub per_track: u32,
}

impl Default for OverseerLimits {
    fn default() -> Self {
        Self { per_node: 1, per_track: 8 }
    }
}

/// A judgement, and what is done about it.
///
/// ```
/// use leg_core::run::{Action, Judgement, OverseerVerdict, Ruling};
///
/// let judgement = Judgement {
///     node: "gauges".parse()?,
///     verdict: OverseerVerdict::Empty,
///     action: Action::Refire,
///     context: String::new(),
/// };
/// let ruling = Ruling { judgement, fire: None, refused: Some("it was fired again twice already".to_owned()) };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// What the overseer said.
    pub judgement: Judgement,
    /// The node that is fired again, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fire: Option<Fire>,
    /// Why its wish is not followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// A node that is fired again.
///
/// ```
/// use leg_core::run::Fire;
///
/// let fire = Fire { node: "gauges".parse()?, attempt: 1, upstream: false };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fire {
    /// The node.
    pub node: NodeId,
    /// Which attempt it will be: 1 for the first after the one that the plan asked for.
    pub attempt: u32,
    /// Whether the node that was judged runs again after it.
    pub upstream: bool,
}

/// Counts how often nodes were fired again.
///
/// ```
/// use leg_core::run::{LayerView, OverseerLimits, Oversight};
///
/// let mut oversight = Oversight::new(OverseerLimits::default());
/// let layer = LayerView { question: "?".to_owned(), track: "coast".parse()?, layer: 0, nodes: Vec::new() };
/// assert!(oversight.rule(&layer, &[]).is_empty(), "nobody found anything");
/// assert_eq!(oversight.count(&"gauges".parse()?), 1, "an item or a sub-graph that fires again is counted too");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Oversight {
    limits: OverseerLimits,
    fired: BTreeMap<NodeId, u32>,
    total: u32,
}

impl Oversight {
    /// Nothing was fired again yet.
    pub fn new(limits: OverseerLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Counts a node that was fired again before: a resumed run keeps what it used of its bounds.
    pub fn count(&mut self, node: &NodeId) -> u32 {
        let fired = self.fired.entry(node.clone()).or_default();
        *fired += 1;
        self.total += 1;
        *fired
    }

    /// Rules on judgements of a layer, in the order of its nodes; what is fine and needs nothing is left out.
    ///
    /// Of several judgements of one node the first counts, and one of a node that is not in the layer counts for
    /// nothing. A wish is refused when a bound is met, when the node upstream is none of the node's, and when a node
    /// could write twice.
    pub fn rule(&mut self, layer: &LayerView, judgements: &[Judgement]) -> Vec<Ruling> {
        let mut rulings: Vec<Ruling> = Vec::new();
        for node in &layer.nodes {
            let Some(judgement) = judgements.iter().find(|judgement| judgement.node == node.node) else {
                continue;
            };
            let (target, repeatable, upstream) = match &judgement.action {
                Action::Accept if judgement.verdict == OverseerVerdict::Fine => continue,
                Action::Accept => {
                    rulings.push(Ruling { judgement: judgement.clone(), fire: None, refused: None });
                    continue;
                }
                Action::Refire => (&node.node, Some(node.promise.repeatable), false),
                Action::RefireUpstream { node: target } => {
                    let found = node.upstream.iter().find(|upstream| upstream.node == *target);
                    // The node itself runs again too.
                    (target, found.map(|found| found.repeatable && node.promise.repeatable), true)
                }
            };
            let ruled = self.admit(target, repeatable, &rulings);
            let fire = ruled.as_ref().ok().map(|&attempt| Fire { node: target.clone(), attempt, upstream });
            rulings.push(Ruling { judgement: judgement.clone(), fire, refused: ruled.err() });
        }
        rulings
    }

    /// The attempt that it will be, or why it may not be fired.
    fn admit(&mut self, target: &NodeId, repeatable: Option<bool>, before: &[Ruling]) -> Result<u32, String> {
        // Two nodes of a layer may ask for the same node upstream: it is fired once for both.
        if let Some(fire) =
            before.iter().filter_map(|ruling| ruling.fire.as_ref()).find(|fire| fire.node == *target)
        {
            return Ok(fire.attempt);
        }
        let OverseerLimits { per_node, per_track } = self.limits;
        match repeatable {
            None => Err(format!("`{target}` is not a node that this one used")),
            Some(false) => Err(format!("`{target}` could write twice")),
            Some(true) if self.fired.get(target).copied().unwrap_or(0) >= per_node => {
                Err(format!("`{target}` was fired again {per_node} times, as often as it may be"))
            }
            Some(true) if self.total >= per_track => {
                Err(format!("{per_track} nodes of the track were fired again, as many as may be"))
            }
            Some(true) => Ok(self.count(target)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{NodeView, Promise, Upstream, WorkView};
    use crate::{Status, ToolName, TrackId};

    fn id(text: &str) -> NodeId {
        NodeId::new(text).unwrap()
    }

    fn layer(names: &[&str]) -> LayerView {
        let upstream = |name, repeatable| Upstream { node: id(name), agent: true, repeatable };
        let node = |&name: &&str| NodeView {
            node: id(name),
            work: WorkView::Tool { tool: ToolName::new("mean").unwrap() },
            promise: Promise { outputs: vec![], evidence: vec![], at_least: 0, repeatable: name != "writer" },
            status: Status::Ok,
            error: None,
            text: String::new(),
            outputs: vec![],
            evidence: vec![],
            gaps: vec![],
            attempt: 0,
            upstream: vec![upstream("up", true), upstream("up_writer", false)],
        };
        let nodes = names.iter().map(node).collect();
        LayerView { question: String::new(), track: TrackId::new("t").unwrap(), layer: 0, nodes }
    }

    fn empty(node: &str, action: Action) -> Judgement {
        Judgement { node: id(node), verdict: OverseerVerdict::Empty, action, context: "again".into() }
    }

    fn upstream(node: &str) -> Action {
        Action::RefireUpstream { node: id(node) }
    }

    fn fired(rulings: &[Ruling]) -> Vec<(String, u32)> {
        rulings
            .iter()
            .filter_map(|ruling| ruling.fire.as_ref())
            .map(|fire| (fire.node.to_string(), fire.attempt))
            .collect()
    }

    #[test]
    fn a_node_is_fired_again_as_often_as_its_limit_and_no_more() {
        let mut oversight = Oversight::new(OverseerLimits { per_node: 2, per_track: 100 });
        let judgements = [empty("a", Action::Refire)];
        let attempts: Vec<_> = (0..4).map(|_| fired(&oversight.rule(&layer(&["a"]), &judgements))).collect();
        let attempt = |n| vec![("a".to_owned(), n)];
        assert_eq!(attempts, [attempt(1), attempt(2), vec![], vec![]]);
        let refused = oversight.rule(&layer(&["a"]), &judgements).remove(0).refused.unwrap();
        assert_eq!(refused, "`a` was fired again 2 times, as often as it may be");
    }

    #[test]
    fn the_run_has_a_bound_of_its_own_that_a_resumed_run_keeps() {
        let names = ["a", "b", "c", "d"];
        let judgements = names.map(|name| empty(name, Action::Refire));
        let mut oversight = Oversight::new(OverseerLimits { per_node: 1, per_track: 3 });
        oversight.count(&id("before"));
        let rulings = oversight.rule(&layer(&names), &judgements);
        assert_eq!(fired(&rulings), [("a".to_owned(), 1), ("b".to_owned(), 1)]);
        assert_eq!(
            rulings[2].refused.as_deref(),
            Some("3 nodes of the track were fired again, as many as may be")
        );
        let mut none = Oversight::new(OverseerLimits { per_node: 0, per_track: 0 });
        assert_eq!(fired(&none.rule(&layer(&names), &judgements)), []);
    }

    #[test]
    fn one_node_upstream_is_fired_once_for_all_that_ask() {
        let mut oversight = Oversight::new(OverseerLimits::default());
        let rulings =
            oversight.rule(&layer(&["a", "b"]), &[empty("b", upstream("up")), empty("a", upstream("up"))]);
        assert_eq!(fired(&rulings), [("up".to_owned(), 1), ("up".to_owned(), 1)]);
        assert_eq!(rulings[0].judgement.node, id("a"), "the order is that of the layer");
        assert_eq!(fired(&oversight.rule(&layer(&["c"]), &[empty("c", upstream("up"))])), []);
    }

    #[test]
    fn what_could_write_twice_or_is_not_its_own_is_never_fired() {
        let mut oversight = Oversight::new(OverseerLimits::default());
        let rulings = oversight.rule(
            &layer(&["a", "b", "writer", "x"]),
            &[
                empty("a", upstream("up_writer")),
                empty("b", upstream("elsewhere")),
                empty("writer", Action::Refire),
                empty("writer", Action::Accept),
                empty("unknown", Action::Refire),
            ],
        );
        let refused: Vec<_> = rulings.iter().map(|ruling| ruling.refused.as_deref().unwrap()).collect();
        assert_eq!(
            refused,
            [
                "`up_writer` could write twice",
                "`elsewhere` is not a node that this one used",
                "`writer` could write twice"
            ]
        );
        assert_eq!(fired(&rulings), []);
    }

    #[test]
    fn what_is_fine_is_left_out_and_what_is_accepted_is_kept() {
        let fine = Judgement { verdict: OverseerVerdict::Fine, ..empty("a", Action::Accept) };
        let rulings = Oversight::default().rule(&layer(&["a", "b"]), &[fine, empty("b", Action::Accept)]);
        assert_eq!(rulings.len(), 1);
        assert_eq!((&rulings[0].fire, &rulings[0].refused), (&None, &None));
    }
}
