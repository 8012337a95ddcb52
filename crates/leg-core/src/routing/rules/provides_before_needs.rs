//! [`ProvidesBeforeNeeds`]: who uses a fact works after who finds it.

use std::collections::BTreeMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::plan::Diagnostic;
use crate::routing::{
    Draft, DraftLayer, DraftNode, DraftTrack, Form, Rewrite, RoutingRule, RuleContext, Work,
};

/// An agent that needs a fact works in a layer after the first layer of its track that provides it.
///
/// ```text
/// before                                       after
/// layer 1  gauges (needs storm_track)          layer 1  track
///          track  (provides storm_track)       layer 2  gauges
/// layer 2  zones                               layer 3  zones
/// ```
///
/// It moves into a new layer directly after the provider's, so that nodes that the plan puts in different layers
/// keep their order wherever that is possible. Agents that need each other's facts stay where the plan puts them:
/// a need is a wish ("uses when an earlier layer has it"), a reference in a condition is not.
#[derive(Debug)]
pub(super) struct ProvidesBeforeNeeds;

impl RoutingRule for ProvidesBeforeNeeds {
    fn name(&self) -> &'static str {
        "provides_before_needs"
    }

    fn rewrite(&self, mut draft: Draft, context: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        let mut changed = false;
        for track in draft.tracks.iter_mut().filter(|track| track.form == Form::Layers) {
            // A provider that moves can leave another one to be the first, hence the repetition. It ends: nodes only
            // move behind what they wait for, nobody waits in a circle, and so the first of a chain stops first.
            let nodes = track.work().count();
            for _ in 0..nodes.saturating_mul(nodes) {
                if !move_once(track, context) {
                    break;
                }
                changed = true;
            }
        }
        Ok(Rewrite::new(draft, changed))
    }
}

/// A node's place: its layer, and the how-manieth new layer after it.
type Place = (usize, usize);

fn move_once(track: &mut DraftTrack, context: &RuleContext<'_>) -> bool {
    let Some(waits) = waits_for(track, context) else { return false };
    let old: Vec<Place> = places(track);
    let new = moved_places(&old, &waits);
    if new == old {
        return false;
    }
    let mut grouped: BTreeMap<Place, DraftLayer> = BTreeMap::new();
    let mut new = new.into_iter();
    for (at, layer) in std::mem::take(&mut track.layers).into_iter().enumerate() {
        let DraftLayer { policy, nodes, mut images, consolidator } = layer;
        for node in nodes {
            let place = new.next().unwrap_or((at, 0));
            let target = grouped.entry(place).or_insert_with(|| DraftLayer::of(policy, Vec::new()));
            let (own, others) = images.into_iter().partition(|image| image.of == *node.id());
            target.images.extend::<Vec<_>>(own);
            images = others;
            target.nodes.push(node);
        }
        // A layer that lost no node keeps its consolidator; the rule that adds them mends the rest.
        if let Some(target) = grouped.get_mut(&(at, 0)) {
            target.consolidator = consolidator;
        }
    }
    track.layers = grouped.into_values().collect();
    true
}

fn places(track: &DraftTrack) -> Vec<Place> {
    track.layers.iter().enumerate().flat_map(|(at, layer)| layer.nodes.iter().map(move |_| (at, 0))).collect()
}

/// A node of the track with its layer, and what its agent's specification says.
struct Worker<'a> {
    layer: usize,
    node: &'a DraftNode,
    provides: &'a [String],
    needs: &'a [String],
}

/// For each node, in order, those that it must follow; `None` if no agent needs anything.
fn waits_for(track: &DraftTrack, context: &RuleContext<'_>) -> Option<Vec<Vec<usize>>> {
    let in_layers = track.layers.iter().enumerate();
    let nodes = in_layers.flat_map(|(layer, own)| own.nodes.iter().map(move |node| (layer, node)));
    let workers: Vec<Worker<'_>> = nodes
        .map(|(layer, node)| {
            let spec = match &node.work {
                Work::Agent(agent) => context.agent(&agent.agent),
                Work::Tool(_) => None,
            };
            let provides = spec.map_or(&[][..], |spec| spec.provides.as_slice());
            let needs = spec.map_or(&[][..], |spec| spec.needs.as_slice());
            Worker { layer, node, provides, needs }
        })
        .collect();
    if workers.iter().all(|worker| worker.needs.is_empty()) {
        return None;
    }
    let ids: BTreeMap<&str, usize> =
        workers.iter().enumerate().map(|(at, worker)| (worker.node.id().as_str(), at)).collect();
    let mut providers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, worker) in workers.iter().enumerate() {
        for fact in worker.provides {
            providers.entry(fact.as_str()).or_default().push(at);
        }
    }
    let musts: Vec<Vec<usize>> = workers
        .iter()
        .map(|worker| worker.node.references().iter().filter_map(|id| ids.get(id).copied()).collect())
        .collect();
    let circles = circles(&workers, &providers, &musts);
    let waits = musts.into_iter().zip(&workers).enumerate().map(|(at, (mut own, worker))| {
        for fact in worker.needs {
            own.extend(providers_to_follow(providers.get(fact.as_str()), at, &workers, &circles));
        }
        own.sort_unstable();
        own.dedup();
        own
    });
    Some(waits.collect())
}

/// The providers of a fact that a node must follow: those in the first layer that has one outside its own circle;
/// none if it finds the fact in its circle before it.
fn providers_to_follow(
    all: Option<&Vec<usize>>,
    own: usize,
    workers: &[Worker<'_>],
    circles: &[usize],
) -> Vec<usize> {
    let layer = |at: usize| workers.get(at).map(|worker| worker.layer);
    let others = all.into_iter().flatten().copied().filter(|at| *at != own);
    let (circle, free): (Vec<usize>, Vec<usize>) =
        others.partition(|target| circles.get(*target) == circles.get(own));
    if circle.iter().any(|target| layer(*target) < layer(own)) {
        return Vec::new();
    }
    let first = free.iter().filter_map(|target| layer(*target)).min();
    free.into_iter().filter(|target| layer(*target) == first).collect()
}

/// A number for each node; nodes that wait for each other have the same.
///
/// All providers of a fact count here, wherever they stand, so that moving nodes does not change who waits for whom.
/// That is why twice is once.
fn circles(
    workers: &[Worker<'_>],
    providers: &BTreeMap<&str, Vec<usize>>,
    musts: &[Vec<usize>],
) -> Vec<usize> {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(workers.len() + providers.len(), 0);
    for _ in workers {
        graph.add_node(());
    }
    // A node for each fact keeps the number of edges small where many need what many provide.
    let facts: BTreeMap<&str, NodeIndex> = providers.keys().map(|fact| (*fact, graph.add_node(()))).collect();
    for (fact, own) in providers {
        for (place, target) in facts.get(fact).into_iter().flat_map(|fact| own.iter().map(|at| (*fact, *at)))
        {
            graph.add_edge(place, NodeIndex::new(target), ());
        }
    }
    for (at, (worker, must)) in workers.iter().zip(musts).enumerate() {
        let facts = worker.needs.iter().filter_map(|fact| facts.get(fact.as_str()).copied());
        for target in facts.chain(must.iter().map(|target| NodeIndex::new(*target))) {
            graph.add_edge(NodeIndex::new(at), target, ());
        }
    }
    let mut numbers = vec![0; graph.node_count()];
    for (number, members) in kosaraju_scc(&graph).iter().enumerate() {
        for member in members {
            if let Some(slot) = numbers.get_mut(member.index()) {
                *slot = number;
            }
        }
    }
    numbers
}

/// Every node after all that it waits for, and not before its old place.
fn moved_places(old: &[Place], waits: &[Vec<usize>]) -> Vec<Place> {
    let mut new: Vec<Option<Place>> = vec![None; old.len()];
    // A stack instead of recursion: a chain may be as long as the plan.
    let mut stack: Vec<usize> = (0..old.len()).rev().collect();
    while let Some(at) = stack.pop() {
        if new.get(at).is_some_and(Option::is_some) {
            continue;
        }
        let own: &[usize] = waits.get(at).map_or(&[], Vec::as_slice);
        let open: Vec<usize> =
            own.iter().copied().filter(|target| new.get(*target).is_some_and(Option::is_none)).collect();
        if open.is_empty() {
            let after = own.iter().filter_map(|target| new.get(*target).copied().flatten());
            let after = after.map(|(layer, extra)| (layer, extra + 1)).max();
            if let Some(slot) = new.get_mut(at) {
                *slot = old.get(at).copied().max(after);
            }
        } else {
            stack.push(at);
            stack.extend(open);
        }
    }
    new.into_iter().zip(old).map(|(place, old)| place.unwrap_or(*old)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{agents, check_rule, layer_texts, registry, sketch};
    use super::*;

    #[test]
    fn sketch_of_the_docs() {
        let draft = agents(&[&["gauges:coops", "track:nhc"], &["zones:fema"]]);
        insta::assert_snapshot!(sketch(&ProvidesBeforeNeeds, &draft), @r"
        before
        t
          1 gauges, track
          2 zones
        after
        t
          1 track
          2 gauges
          3 zones
        ");
    }

    #[test]
    fn moves_a_needy_node_into_a_new_layer_after_its_provider() {
        let draft = agents(&[&["gauges:coops", "storm:nhc", "free:usgs"], &["zones:fema"]]);
        let after = check_rule(&ProvidesBeforeNeeds, &draft, &registry(), true);
        assert_eq!(layer_texts(&after), ["storm free", "gauges", "zones"]);
    }

    #[test]
    fn moves_behind_a_later_layer_and_drops_the_empty_one() {
        let draft = agents(&[&["gauges:coops"], &["free:usgs"], &["storm:nhc"], &["zones:fema"]]);
        let after = check_rule(&ProvidesBeforeNeeds, &draft, &registry(), true);
        assert_eq!(layer_texts(&after), ["free", "storm", "gauges", "zones"]);
    }

    #[test]
    fn leaves_alone_what_has_its_fact_or_will_never_have_it() {
        check_rule(&ProvidesBeforeNeeds, &agents(&[&["storm:nhc"], &["gauges:coops"]]), &registry(), false);
        check_rule(&ProvidesBeforeNeeds, &agents(&[&["gauges:coops", "free:usgs"]]), &registry(), false);
        // A second provider later does not matter to who has the fact already.
        let draft = agents(&[&["storm:nhc"], &["gauges:coops"], &["again:nhc"]]);
        check_rule(&ProvidesBeforeNeeds, &draft, &registry(), false);
    }

    #[test]
    fn needs_that_wait_for_each_other_stay() {
        check_rule(&ProvidesBeforeNeeds, &agents(&[&["a:ping", "b:pong"]]), &registry(), false);
    }

    #[test]
    fn a_chain_of_needs_becomes_a_chain_of_layers() {
        // `surge` needs levels, `gauges` provides them and needs the storm track.
        let draft = agents(&[&["surge:stofs", "gauges:coops", "storm:nhc"]]);
        let after = check_rule(&ProvidesBeforeNeeds, &draft, &registry(), true);
        assert_eq!(layer_texts(&after), ["storm", "gauges", "surge"]);
    }

    #[test]
    fn a_condition_follows_the_node_that_it_looks_at() {
        let mut draft = agents(&[&["gauges:coops", "storm:nhc"], &["more:usgs"]]);
        let Work::Agent(more) = &mut draft.tracks[0].layers[1].nodes[0].work else { panic!() };
        more.when = Some(crate::plan::Condition {
            reference: "gauges#/status".parse().unwrap(),
            op: crate::plan::Comparison::Exists,
            value: serde_json::Value::Null,
        });
        let after = check_rule(&ProvidesBeforeNeeds, &draft, &registry(), true);
        assert_eq!(layer_texts(&after), ["storm", "gauges", "more"]);
    }
}
