//! Steps that wait for each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::{Code, Diagnostic, Step};

/// That one step needs another: positions in the track, and the place that says so.
pub(super) struct Edge {
    pub(super) step: usize,
    pub(super) needs: usize,
    pub(super) at: String,
}

/// One diagnostic for each group of steps that wait for each other, with the shortest circle through its first.
pub(super) fn cycles(steps: &[Step], edges: &[Edge]) -> Vec<Diagnostic> {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(steps.len(), edges.len());
    for _ in steps {
        graph.add_node(());
    }
    let known = |edge: &&Edge| edge.step < steps.len() && edge.needs < steps.len();
    for edge in edges.iter().filter(known) {
        graph.add_edge(NodeIndex::new(edge.step), NodeIndex::new(edge.needs), ());
    }
    let mut group_of = vec![0; steps.len()];
    let mut firsts = BTreeSet::new();
    for (number, group) in kosaraju_scc(&graph).iter().enumerate() {
        firsts.extend(group.iter().map(|node| node.index()).min());
        for node in group {
            if let Some(slot) = group_of.get_mut(node.index()) {
                *slot = number;
            }
        }
    }
    // A circle stays inside its group: edges that leave it would make each search as long as the plan.
    let mut needs: BTreeMap<usize, Vec<&Edge>> = BTreeMap::new();
    for edge in edges.iter().filter(known) {
        if group_of.get(edge.step) == group_of.get(edge.needs) {
            needs.entry(edge.step).or_default().push(edge);
        }
    }
    firsts.into_iter().filter_map(|first| describe(steps, &circle(&needs, first)?)).collect()
}

/// The edges of the shortest circle through a step, by breadth-first search.
fn circle<'a>(needs: &BTreeMap<usize, Vec<&'a Edge>>, first: usize) -> Option<Vec<&'a Edge>> {
    let mut reached: BTreeMap<usize, &Edge> = BTreeMap::new();
    let mut queue = VecDeque::from([first]);
    while let Some(step) = queue.pop_front() {
        for &edge in needs.get(&step).into_iter().flatten() {
            if reached.contains_key(&edge.needs) {
                continue;
            }
            reached.insert(edge.needs, edge);
            if edge.needs == first {
                let mut path = vec![edge];
                while let Some(edge) = path.last().filter(|edge| edge.step != first) {
                    path.push(reached.get(&edge.step)?);
                }
                path.reverse();
                return Some(path);
            }
            queue.push_back(edge.needs);
        }
    }
    None
}

fn describe(steps: &[Step], circle: &[&Edge]) -> Option<Diagnostic> {
    const SHOWN: usize = 12;
    let at = &circle.first()?.at;
    let mut names: Vec<String> = circle
        .iter()
        .take(SHOWN)
        .filter_map(|edge| steps.get(edge.step))
        .map(|step| format!("`{}`", step.id))
        .collect();
    if circle.len() > SHOWN {
        names.push(format!("{} more", circle.len() - SHOWN));
    }
    names.extend(names.first().cloned());
    let message = format!("steps wait for each other: {}", names.join(" needs "));
    Some(Diagnostic::new(at, Code::Cycle, message).hint("take one of these references out"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_small_circles_before_a_long_chain_take_no_search_of_the_chain_each() {
        let step = |at: usize| Step {
            id: format!("s{at}").parse().unwrap(),
            tool: "echo".parse().unwrap(),
            args: serde_json::json!({}),
            for_each: None,
            when: None,
            limits: crate::plan::Limits::default(),
        };
        let steps: Vec<Step> = (0..10_000).map(step).collect();
        let edge = |step: usize, needs: usize| Edge { step, needs, at: format!("/{step}/{needs}") };
        // A chain of 5,000 steps; before it 2,500 pairs that wait for each other and for the chain.
        let mut edges: Vec<Edge> = (5_000..9_999).map(|at| edge(at, at + 1)).collect();
        for pair in (0..5_000).step_by(2) {
            edges.extend([edge(pair, 5_000), edge(pair, pair + 1), edge(pair + 1, pair)]);
        }
        let found = cycles(&steps, &edges);
        assert_eq!(found.len(), 2_500);
        assert_eq!(found[0].message, "steps wait for each other: `s0` needs `s1` needs `s0`");
        assert_eq!(found[1].pointer, "/2/3");
    }
}
