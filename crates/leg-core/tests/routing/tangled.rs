//! Random plans that give every rule something to do.

use leg_core::NodeId;
use leg_core::plan::{
    AgentStep, Barriers, Body, Comparison, Condition, Layer, Limits, Plan, Policy, Step, Track,
};
use leg_testkit::strategies;
use proptest::prelude::*;
use serde_json::json;

const AGENTS: [&str; 18] = [
    "tracker",
    "gauge",
    "marks",
    "forecaster",
    "zones",
    "mapper",
    "web0",
    "web1",
    "web2",
    "web3",
    "web4",
    "web5",
    "web6",
    "web7",
    "web8",
    "web9",
    "web10",
    "web11",
];
const TOOLS: [&str; 6] = ["echo", "observe", "forecast", "flood_zone", "draw_forecast", "publish"];

/// Plans with few different steps, so that tracks share many, and with layers of agents that need much.
pub(crate) fn tangled_plan() -> impl Strategy<Value = Plan> {
    let step = (
        0..TOOLS.len(),
        0..2_u8,
        proptest::collection::vec(any::<prop::sample::Index>(), 0..3),
        any::<bool>(),
    );
    let steps = proptest::collection::vec(step, 1..9).prop_map(|choices| {
        let mut steps: Vec<Step> = Vec::new();
        for (at, (tool, value, parents, condition)) in choices.into_iter().enumerate() {
            let mut args = json!({"value": value});
            let mut when = None;
            for (place, parent) in parents.iter().enumerate().filter(|_| at > 0) {
                let target = &steps[parent.index(at)].id;
                args[format!("in{place}")] = json!({"$ref": target.as_str()});
                if condition {
                    let reference = format!("{target}#/status").parse().unwrap();
                    when = Some(Condition { reference, op: Comparison::Exists, value: json!(null) });
                }
            }
            steps.push(Step {
                id: format!("s{at}").parse().unwrap(),
                tool: TOOLS[tool].parse().unwrap(),
                args,
                for_each: None,
                when,
                limits: Limits::default(),
            });
        }
        Body::Steps(steps)
    });
    let node = (0..AGENTS.len(), any::<prop::sample::Index>(), 0..4_u8);
    let layers = proptest::collection::vec(proptest::collection::vec(node, 1..5), 1..5).prop_map(|layers| {
        let mut earlier: Vec<NodeId> = Vec::new();
        let mut done = Vec::new();
        let mut number = 0;
        for layer in layers {
            let mut nodes = Vec::new();
            for (agent, target, condition) in layer {
                let when = (condition == 0 && !earlier.is_empty()).then(|| Condition {
                    reference: format!("{}#/status", earlier[target.index(earlier.len())]).parse().unwrap(),
                    op: Comparison::Exists,
                    value: json!(null),
                });
                nodes.push(AgentStep {
                    id: format!("n{number}").parse().unwrap(),
                    agent: AGENTS[agent].parse().unwrap(),
                    task: "look".to_owned(),
                    when,
                    limits: Limits::default(),
                });
                number += 1;
            }
            earlier.extend(nodes.iter().map(|node| node.id.clone()));
            done.push(Layer { policy: Policy::Settle, nodes });
        }
        Body::Layers(done)
    });
    let body = prop_oneof![2 => steps, 1 => layers];
    (proptest::collection::vec((body, any::<bool>()), 1..5)).prop_map(|bodies| {
        let tracks = bodies.into_iter().enumerate().map(|(t, (body, named))| track(t, body, named));
        Plan { version: 1, question: "q".to_owned(), tracks: tracks.collect() }
    })
}

/// Makes ids unique; half of the steps tracks name their result.
fn track(t: usize, mut body: Body, named: bool) -> Track {
    let prefix = |id: &NodeId| -> NodeId { format!("t{t}_{id}").parse().unwrap() };
    let mut result = None;
    match &mut body {
        Body::Steps(steps) => {
            for step in steps.iter_mut() {
                step.id = prefix(&step.id);
                for value in step.args.as_object_mut().unwrap().values_mut() {
                    if let Some(text) = value.get("$ref").and_then(|text| text.as_str()) {
                        *value = json!({"$ref": format!("t{t}_{text}")});
                    }
                }
                if let Some(when) = &mut step.when {
                    when.reference.node = prefix(&when.reference.node);
                }
            }
            if named {
                result = Some(steps[0].id.as_str().parse().unwrap());
            }
        }
        Body::Layers(layers) => {
            for node in layers.iter_mut().flat_map(|layer| &mut layer.nodes) {
                node.id = prefix(&node.id);
                if let Some(when) = &mut node.when {
                    when.reference.node = prefix(&when.reference.node);
                }
            }
        }
    }
    Track {
        id: format!("t{t}").parse().unwrap(),
        goal: String::new(),
        barriers: Barriers::Strict,
        body,
        result,
    }
}

/// Those of the test kit, and tangled ones.
pub(crate) fn any_plan() -> impl Strategy<Value = Plan> {
    prop_oneof![1 => strategies::valid_plan(), 3 => tangled_plan()]
}
