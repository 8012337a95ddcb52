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
    let mut needs: BTreeMap<usize, Vec<&Edge>> = BTreeMap::new();
    for edge in edges.iter().filter(|edge| edge.step < steps.len() && edge.needs < steps.len()) {
        graph.add_edge(NodeIndex::new(edge.step), NodeIndex::new(edge.needs), ());
        needs.entry(edge.step).or_default().push(edge);
    }
    let groups = kosaraju_scc(&graph);
    let firsts: BTreeSet<usize> =
        groups.iter().filter_map(|group| group.iter().map(|node| node.index()).min()).collect();
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
