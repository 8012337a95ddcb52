//! The routing rules of the domain: what they add and move, that twice is once, and what they leave alone.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

use std::sync::Arc;

use hydro_specialists::{all, rules};
use leg_core::plan::{Body, parse, validate};
use leg_core::routing::Router;
use leg_core::{Plan, Registry, compile_with};
use serde_json::{Value, json};

fn registry() -> Registry {
    let mut registry = Registry::default();
    let specialists = all(Arc::new(leg_fetch::Scripted::new("no network")));
    for tool in specialists.tools {
        registry.add_tool(tool).unwrap();
    }
    for agent in specialists.agents {
        registry.add_agent(agent).unwrap();
    }
    registry
}

fn plan(task: &str, layers: &[&[&str]]) -> Plan {
    let layer = |agents: &&[&str]| -> Value {
        let nodes: Vec<Value> =
            agents.iter().map(|agent| json!({"id": agent, "agent": agent, "task": task})).collect();
        json!({ "nodes": nodes })
    };
    let layers: Vec<Value> = layers.iter().map(layer).collect();
    parse(&json!({"version": 1, "question": task, "tracks": [{"id": "t", "layers": layers}]})).unwrap()
}

/// The agents after routing, layers by ` > `.
fn routed(plan: Plan) -> (String, Plan) {
    let registry = registry();
    let valid = validate(plan, &registry).unwrap();
    let graph = compile_with(&valid, &registry, &Router::new(rules::all())).unwrap();
    let plan = graph.plan().clone();
    let Body::Layers(layers) = &plan.tracks[0].body else { panic!("steps") };
    let layer = |layer: &leg_core::plan::Layer| {
        let mut agents: Vec<&str> = layer.nodes.iter().map(|node| node.agent.as_str()).collect();
        agents.sort_unstable();
        agents.join("+")
    };
    (layers.iter().map(layer).collect::<Vec<_>>().join(" > "), plan)
}

#[test]
fn tracks_come_first_observers_side_by_side_and_vague_questions_are_widened() {
    const SURGE: &str = "How bad was the surge of Hurricane Ian?";
    const GAUGE: &str = "The highest level at gauge 8725520 during Hurricane Ian";
    const NO_STORM: &str = "The highest level at 8725520 on 2022-09-28";
    for (task, layers, expected) in [
        // The track is added, and the other observer.
        (SURGE, &[&["coops"][..]][..], "nhc > coops+usgs"),
        (SURGE, &[&["usgs"], &["nhc"]], "nhc > coops+usgs"),
        // Observers move together behind the track; what is hypothetical or a forecast has a layer of its own.
        (SURGE, &[&["nhc"], &["coops"], &["fema"], &["usgs"]], "nhc > coops+usgs > fema"),
        (SURGE, &[&["nhc", "coops", "usgs", "fema", "stofs"]], "nhc > stofs > fema > coops+usgs"),
        // Who says how it is to be measured gets that alone.
        (GAUGE, &[&["coops"]], "nhc > coops"),
        // Without a storm there is no track to find.
        (NO_STORM, &[&["coops"]], "coops"),
        (NO_STORM, &[&["fema"], &["coops"]], "fema > coops"),
    ] {
        let (shape, first) = routed(plan(task, layers));
        assert_eq!(shape, expected, "{task} {layers:?}");
        let (again, second) = routed(first.clone());
        assert_eq!((again, second), (shape, first), "twice is once: {task} {layers:?}");
    }
}

#[test]
fn added_nodes_have_the_task_of_those_that_need_them() {
    let (_, plan) = routed(plan("How bad was the surge of Hurricane Ian?", &[&["coops"]]));
    let Body::Layers(layers) = &plan.tracks[0].body else { panic!("steps") };
    for node in layers.iter().flat_map(|layer| &layer.nodes) {
        assert_eq!(node.task, "How bad was the surge of Hurricane Ian?");
    }
}
