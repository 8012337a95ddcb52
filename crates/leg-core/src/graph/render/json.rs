//! One JSON document.

use petgraph::visit::EdgeRef as _;
use serde_json::{Map, Value, json};

use crate::graph::{Edge, GraphLayer, LayeredGraph, Node, NodeIndex, NodeKind};
use crate::plan::{Barriers, Policy};

pub(super) fn render(graph: &LayeredGraph) -> Value {
    let nodes: Vec<Value> = graph.graph().node_weights().map(node).collect();
    let edges: Vec<Value> = graph
        .graph()
        .edge_references()
        .map(|edge| {
            let (from, to) = (id(graph, edge.source()), id(graph, edge.target()));
            match edge.weight() {
                Edge::Context => json!({"from": from, "to": to, "kind": "context"}),
                Edge::Artifact(reference) => {
                    json!({"from": from, "to": to, "kind": "artifact", "ref": reference.to_string()})
                }
            }
        })
        .collect();
    json!({
        "digest": graph.digest(),
        "question": graph.question(),
        "tracks": tracks(graph),
        "nodes": nodes,
        "edges": edges,
        "merge": graph.merge().map(|index| id(graph, index)),
        "reporter": id(graph, graph.reporter()),
        "lifted": graph.lifted().iter().map(|(gone, standing)| (gone.to_string(), json!(standing))).collect::<Map<_, _>>(),
        "rules": graph.applications(),
        "definitions": graph.definitions(),
        "cost": graph.cost(),
    })
}

fn tracks(graph: &LayeredGraph) -> Vec<Value> {
    let tracks = graph.tracks().iter().map(|track| {
        let barriers = match track.barriers {
            Barriers::Strict => "strict",
            Barriers::Dataflow => "dataflow",
        };
        json!({
            "id": track.id,
            "goal": track.goal,
            "barriers": barriers,
            "shared": track.shared,
            "layers": track.layers.iter().map(|one| layer(graph, one)).collect::<Vec<_>>(),
            "result": track.result.as_ref().map(ToString::to_string),
        })
    });
    tracks.collect()
}

fn layer(graph: &LayeredGraph, layer: &GraphLayer) -> Value {
    let ids = |list: &[NodeIndex]| list.iter().map(|index| id(graph, *index)).collect::<Vec<_>>();
    json!({
        "policy": match layer.policy {
            Policy::Settle => "settle",
            Policy::FailFast => "fail_fast",
        },
        "nodes": ids(&layer.nodes),
        "images": ids(&layer.images),
        "consolidator": layer.consolidator.map(|index| id(graph, index)),
        "barrier": id(graph, layer.barrier),
    })
}

fn node(node: &Node) -> Value {
    let mut members = Map::new();
    members.insert("id".to_owned(), json!(node.id));
    members.insert("kind".to_owned(), json!(node.kind.name()));
    if let Some(track) = &node.track {
        members.insert("track".to_owned(), json!(track));
        members.insert("layer".to_owned(), json!(node.layer));
    }
    match &node.kind {
        NodeKind::Agent(agent) => {
            members.insert("agent".to_owned(), json!(agent.agent));
            members.insert("task".to_owned(), json!(agent.task));
        }
        NodeKind::Tool(step) => {
            members.insert("tool".to_owned(), json!(step.tool));
            members.insert("args".to_owned(), step.args.clone());
        }
        NodeKind::Image { of } => {
            members.insert("of".to_owned(), json!(of));
        }
        _ => {}
    }
    Value::Object(members)
}

fn id(graph: &LayeredGraph, index: NodeIndex) -> &str {
    graph.node(index).map_or("", |node| node.id.as_str())
}
