//! Random JSON and random valid plans over [`fake_registry`](crate::fake_registry).

use leg_core::plan::{
    AgentStep, Barriers, Body, Layer, Limits, PLAN_VERSION, Plan, Policy, Reference, Step, Track,
};
use leg_core::{AgentId, NodeId, ToolName, TrackId};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Any JSON value whose integers are within ±2^53, at most four levels deep.
pub fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::from),
        (-(1_i64 << 53)..=(1_i64 << 53)).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            btree_map(any::<String>(), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A text that a model may write where a plan should stand: a plan's JSON with a few bytes changed, cut or added.
pub fn damaged_plan_text() -> impl Strategy<Value = String> {
    let damage = vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..6);
    (valid_plan(), damage).prop_map(|(plan, damage)| {
        let mut bytes = plan.to_json().to_string().into_bytes();
        for (at, byte, kind) in damage {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.truncate(at),
                _ => bytes.insert(at, byte),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A plan that passes validation against [`fake_registry`](crate::fake_registry): one to three tracks, each of
/// up to seven steps or up to four layers of up to three agents. Its layers may break what routing rules mend:
/// classes may be mixed and a track's needs may stand before what provides them.
pub fn valid_plan() -> impl Strategy<Value = Plan> {
    let track = prop_oneof![steps().prop_map(Body::Steps), layers().prop_map(Body::Layers)];
    (vec((track, any::<bool>()), 1..=3), "[a-zA-Z0-9 ?éµ°]{1,40}").prop_map(|(bodies, question)| Plan {
        version: PLAN_VERSION,
        question,
        tracks: bodies
            .into_iter()
            .enumerate()
            .filter_map(|(at, (body, dataflow))| name(at, body, dataflow))
            .collect(),
    })
}

/// What a random step does; indices choose among the series that earlier steps give.
#[derive(Debug, Clone)]
enum Choice {
    Load { offset: i32 },
    Mean(prop::sample::Index),
    Add(prop::sample::Index, prop::sample::Index),
    Draw(prop::sample::Index),
    Echo(Value),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let index = any::<prop::sample::Index>;
    let choice = prop_oneof![
        3 => (-3..4_i32).prop_map(|offset| Choice::Load { offset }),
        2 => index().prop_map(Choice::Mean),
        2 => (index(), index()).prop_map(|(a, b)| Choice::Add(a, b)),
        1 => index().prop_map(Choice::Draw),
        1 => btree_map("[a-z]{1,6}", prop_oneof![any::<bool>().prop_map(Value::from), (0..99_i64).prop_map(Value::from)], 0..3)
            .prop_map(|members| Choice::Echo(Value::Object(members.into_iter().collect()))),
    ];
    vec(choice, 1..=7).prop_map(|choices| {
        let mut series: Vec<String> = Vec::new();
        let mut steps = Vec::new();
        for (at, choice) in choices.into_iter().enumerate() {
            let id = format!("s{at}");
            let pick = |index: &prop::sample::Index| json!({"$ref": series[index.index(series.len())]});
            let (tool, args) = match &choice {
                Choice::Echo(args) => ("echo", args.clone()),
                Choice::Load { offset } => ("load", json!({"offset": offset})),
                // Nothing can be read before something gives a series.
                _ if series.is_empty() => ("load", json!({})),
                Choice::Mean(data) => ("mean", json!({"data": pick(data)})),
                Choice::Add(a, b) => ("add", json!({"a": pick(a), "b": pick(b)})),
                Choice::Draw(data) => ("draw", json!({"data": pick(data)})),
            };
            if matches!(tool, "load" | "add") {
                series.push(id.clone());
            }
            steps.extend(step(&id, tool, args));
        }
        steps
    })
}

fn step(id: &str, tool: &str, args: Value) -> Option<Step> {
    Some(Step {
        id: NodeId::new(id).ok()?,
        tool: ToolName::new(tool).ok()?,
        args,
        for_each: None,
        when: None,
        limits: Limits::default(),
    })
}

fn layers() -> impl Strategy<Value = Vec<Layer>> {
    let agent = prop::sample::select(vec!["tracker", "gauge", "marks", "forecaster", "zones", "mapper"]);
    let node = (agent, "[a-z ]{1,20}");
    vec((vec(node, 1..=3), any::<bool>()), 1..=4).prop_map(|layers| {
        let mut number = 0;
        layers
            .into_iter()
            .map(|(nodes, fail_fast)| Layer {
                policy: if fail_fast { Policy::FailFast } else { Policy::Settle },
                nodes: nodes
                    .into_iter()
                    .filter_map(|(agent, task)| {
                        number += 1;
                        Some(AgentStep {
                            id: NodeId::new(format!("n{number}")).ok()?,
                            agent: AgentId::new(agent).ok()?,
                            // A task of blanks alone says nothing.
                            task: format!("find{task}"),
                            when: None,
                            limits: Limits::default(),
                        })
                    })
                    .collect(),
            })
            .collect()
    })
}

/// Gives a track its id, and its nodes ids that are unique in the plan.
fn name(at: usize, mut body: Body, dataflow: bool) -> Option<Track> {
    let prefix = |id: &NodeId| NodeId::new(format!("t{at}_{id}"));
    match &mut body {
        Body::Steps(steps) => {
            for step in steps {
                step.id = prefix(&step.id).ok()?;
                if let Some(args) = step.args.as_object_mut() {
                    for value in args.values_mut() {
                        if let Some(text) = Reference::text_in(value).map(str::to_owned) {
                            *value = json!({"$ref": format!("t{at}_{text}")});
                        }
                    }
                }
            }
        }
        Body::Layers(layers) => {
            for node in layers.iter_mut().flat_map(|layer| &mut layer.nodes) {
                node.id = prefix(&node.id).ok()?;
            }
        }
    }
    let barriers = match &body {
        Body::Steps(_) if dataflow => Barriers::Dataflow,
        _ => Barriers::Strict,
    };
    Some(Track {
        id: TrackId::new(format!("t{at}")).ok()?,
        goal: format!("goal {at}"),
        barriers,
        body,
        result: None,
    })
}
