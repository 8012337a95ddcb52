//! Random plans over [`ToldTool`] and [`ToldAgent`], and an oracle that says how each of their nodes must end.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of it")]

use std::collections::BTreeMap;
use std::sync::Arc;

use leg_core::{Registry, Status};
use leg_testkit::{ToldAgent, ToldTool};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Decisions of a random plan; shrinking makes them 0, which is always the simplest choice.
#[derive(Debug, Clone)]
pub struct Tape {
    cells: Vec<u16>,
    at: usize,
}

impl Tape {
    pub fn new(cells: Vec<u16>) -> Self {
        Self { cells, at: 0 }
    }

    pub fn pick(&mut self, of: usize) -> usize {
        let cell = self.cells.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(cell) % of.max(1)
    }

    /// True in `k` of `n` cases.
    pub fn chance(&mut self, k: usize, n: usize) -> bool {
        self.pick(n) >= n - k
    }
}

pub fn any_tape() -> impl Strategy<Value = Tape> {
    proptest::collection::vec(any::<u16>(), 0..260).prop_map(Tape::new)
}

/// What random plans may hold.
#[derive(Debug, Clone, Copy)]
pub struct Allowed {
    pub fail_fast: bool,
    pub sub_graphs: bool,
}

/// A random plan as JSON.
pub fn any_plan(tape: &mut Tape, allowed: Allowed) -> Value {
    let tracks: Vec<Value> = (0..=tape.pick(3)).map(|t| track(tape, t, allowed)).collect();
    json!({"version": 1, "question": "what was told?", "tracks": tracks})
}

fn track(tape: &mut Tape, t: usize, allowed: Allowed) -> Value {
    let id = format!("t{t}");
    if tape.chance(1, 2) {
        json!({"id": id, "layers": layers(tape, &id, allowed)})
    } else {
        let barriers = if tape.chance(1, 3) { "dataflow" } else { "strict" };
        json!({"id": id, "barriers": barriers, "steps": steps(tape, &id)})
    }
}

/// Steps that use the results of earlier ones.
fn steps(tape: &mut Tape, prefix: &str) -> Vec<Value> {
    let mut ids: Vec<(String, bool)> = Vec::new();
    let mut steps = Vec::new();
    for n in 0..=tape.pick(6) {
        let id = format!("{prefix}_s{n}");
        let mut args = told(tape, &id);
        args["v"] = json!(tape.pick(4));
        let mut step = json!({"id": id, "tool": "told"});
        if tape.chance(1, 4) {
            args["list"] = json!((0..tape.pick(4)).collect::<Vec<_>>());
        }
        let mut used = Vec::new();
        for _ in 0..tape.pick(3) {
            if ids.is_empty() {
                break;
            }
            let (of, _) = &ids[tape.pick(ids.len())];
            used.push(json!({"$ref": of}));
        }
        if !used.is_empty() {
            args["of"] = json!(used);
        }
        if tape.chance(1, 4) {
            let lists: Vec<&String> = ids.iter().filter(|(_, list)| *list).map(|(id, _)| id).collect();
            let items = if lists.is_empty() || tape.chance(1, 2) {
                json!((0..=tape.pick(3)).collect::<Vec<_>>())
            } else {
                json!({"$ref": format!("{}#/evidence/list/value", lists[tape.pick(lists.len())])})
            };
            let join = ["list", "concat", "table"][tape.pick(3)];
            step["for_each"] = json!({"items": items, "as": "x", "max": 3, "join": join});
            args["v"] = json!({"$item": ""});
            args["rows"] = json!([[{"$item": ""}]]);
            args["columns"] = json!(["x"]);
        }
        if !ids.is_empty() && tape.chance(1, 4) {
            let (of, _) = &ids[tape.pick(ids.len())];
            step["when"] = if tape.chance(1, 2) {
                json!({"ref": format!("{of}#/status"), "op": "eq", "value": (["ok", "failed", "skipped"][tape.pick(3)])})
            } else {
                json!({"ref": format!("{of}#/evidence/v/value"), "op": (["ge", "lt", "ne"][tape.pick(3)]), "value": tape.pick(4)})
            };
        }
        ids.push((id, args.get("list").is_some() && step.get("for_each").is_none()));
        step["args"] = args;
        steps.push(step);
    }
    steps
}

/// What a call is told to do.
fn told(tape: &mut Tape, id: &str) -> Value {
    let mut args = json!({"id": id});
    if tape.chance(1, 2) {
        args["ms"] = json!(tape.pick(60));
    }
    match tape.pick(14) {
        10 => args["fail"] = json!("no_data"),
        11 => args["panic"] = json!(true),
        12 => args["flaky"] = json!(2),
        13 => args["flaky"] = json!(3),
        _ => {}
    }
    if tape.chance(1, 4) {
        args["tokens"] = json!(tape.pick(100));
    }
    args
}

fn layers(tape: &mut Tape, prefix: &str, allowed: Allowed) -> Vec<Value> {
    let mut before: Vec<String> = Vec::new();
    let mut layers = Vec::new();
    for l in 0..=tape.pick(3) {
        let mut ids = Vec::new();
        let mut nodes = Vec::new();
        for n in 0..=tape.pick(3) {
            let id = format!("{prefix}_l{l}_{n}");
            let mut task = json!({});
            if tape.chance(1, 2) {
                task["ms"] = json!(tape.pick(60));
            }
            let calls: Vec<Value> =
                (0..tape.pick(3)).map(|c| json!(["told", told(tape, &format!("{id}_{c}"))])).collect();
            task["calls"] = json!(calls);
            match tape.pick(10) {
                8 => task["fail"] = json!("unavailable"),
                9 => task["panic"] = json!(true),
                7 if allowed.sub_graphs => {
                    task["plan"] = json!({"version": 1, "question": "inside", "tracks": [
                        {"id": "in", "steps": steps(tape, "i")}]});
                }
                _ => {}
            }
            let mut node = json!({"id": id, "agent": "told", "task": task.to_string()});
            if !before.is_empty() && tape.chance(1, 4) {
                let of = &before[tape.pick(before.len())];
                node["when"] = json!({"ref": format!("{of}#/status"), "op": (["eq", "ne"][tape.pick(2)]), "value": "ok"});
            }
            ids.push(id);
            nodes.push(node);
        }
        before.extend(ids);
        let policy = if allowed.fail_fast && tape.chance(1, 3) { "fail_fast" } else { "settle" };
        layers.push(json!({"policy": policy, "nodes": nodes}));
    }
    layers
}

/// Tool and agent `told`, both new.
pub fn told_registry(tools: Vec<ToldTool>) -> Arc<Registry> {
    let mut registry = Registry::default();
    let names: Vec<String> = tools.iter().map(|tool| leg_core::Tool::spec(tool).name.to_string()).collect();
    for tool in tools {
        registry.add_tool(Arc::new(tool)).unwrap();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    registry.add_agent(Arc::new(ToldAgent::new("told", &names).unwrap())).unwrap();
    Arc::new(registry)
}

/// A new tool `told`, external.
pub fn told_tool() -> ToldTool {
    ToldTool::new("told").external(&["told.example"])
}

/// How each node of a plan must end, and whether a track gives an answer, by a reading of the plan that knows nothing
/// of layers: without `fail_fast`, time limits and sub-graphs.
pub fn oracle(plan: &Value) -> (BTreeMap<String, Status>, bool) {
    let mut ends: BTreeMap<String, (Status, Value)> = BTreeMap::new();
    for track in plan["tracks"].as_array().unwrap() {
        for step in track["steps"].as_array().into_iter().flatten() {
            let end = step_end(step, &ends);
            ends.insert(step["id"].as_str().unwrap().to_owned(), end);
        }
        for node in
            track["layers"].as_array().into_iter().flatten().flat_map(|l| l["nodes"].as_array().unwrap())
        {
            let task: Value = serde_json::from_str(node["task"].as_str().unwrap()).unwrap();
            let status = if !holds(node, &ends) {
                Status::Skipped
            } else if task.get("fail").is_some() || task.get("panic").is_some() {
                Status::Failed
            } else {
                Status::Ok
            };
            ends.insert(node["id"].as_str().unwrap().to_owned(), (status, json!({})));
        }
    }
    let answers = |track: &Value| {
        if let Some(steps) = track["steps"].as_array() {
            let (status, known) = &ends[steps.last().unwrap()["id"].as_str().unwrap()];
            return status.is_ok() || known.get("by_condition").is_some();
        }
        let layers = track["layers"].as_array().unwrap().iter();
        layers
            .flat_map(|layer| layer["nodes"].as_array().unwrap())
            .any(|node| ends[node["id"].as_str().unwrap()].0.is_ok())
    };
    let answered = plan["tracks"].as_array().unwrap().iter().any(answers);
    (ends.into_iter().map(|(id, (status, _))| (id, status)).collect(), answered)
}

/// The status, and what is known of the evidence; `{"by_condition": true}` where a condition was false.
fn step_end(step: &Value, ends: &BTreeMap<String, (Status, Value)>) -> (Status, Value) {
    if !holds(step, ends) {
        return (Status::Skipped, json!({"by_condition": true}));
    }
    let args = &step["args"];
    let lost = |of: &str| {
        let (status, known) = &ends[of];
        (!status.is_ok() && known.get("by_condition").is_none()) || known["no_output"] == json!(true)
    };
    let used: Vec<&str> =
        args["of"].as_array().into_iter().flatten().map(|of| of["$ref"].as_str().unwrap()).collect();
    let works = args.get("fail").is_none() && args.get("panic").is_none() && args["flaky"] != json!(3);
    if let Some(each) = step.get("for_each") {
        let items = match each["items"].get("$ref").and_then(Value::as_str) {
            None => each["items"].clone(),
            Some(of) => {
                let of = of.split('#').next().unwrap();
                if lost(of) || (ends[of].0.is_ok() && ends[of].1.get("list").is_none()) {
                    return (Status::Skipped, json!({}));
                }
                ends[of].1.get("list").cloned().unwrap_or_else(|| json!([]))
            }
        };
        let items = items.as_array().unwrap().clone();
        if items.is_empty() {
            // Of nothing, nothing can be appended: the step is well and has no output.
            return (Status::Ok, json!({"v": null, "no_output": each["join"] == "concat"}));
        }
        if !works || used.iter().any(|of| lost(of)) {
            return (Status::Failed, json!({}));
        }
        let v = if each["join"] == json!("list") { json!(items) } else { items[0].clone() };
        return (Status::Ok, json!({"v": v}));
    }
    if used.iter().any(|of| lost(of)) {
        return (Status::Skipped, json!({}));
    }
    if !works {
        return (Status::Failed, json!({}));
    }
    (Status::Ok, json!({"v": args["v"], "list": args.get("list")}))
}

fn holds(node: &Value, ends: &BTreeMap<String, (Status, Value)>) -> bool {
    let Some(when) = node.get("when") else { return true };
    let (of, part) = when["ref"].as_str().unwrap().split_once('#').unwrap();
    let (status, known) = &ends[of];
    let value = if part == "/status" {
        json!(status)
    } else if status.is_ok() {
        known["v"].clone()
    } else {
        Value::Null
    };
    let wanted = &when["value"];
    match when["op"].as_str().unwrap() {
        "eq" => value == *wanted,
        "ne" => value != *wanted,
        "ge" => value.as_f64().is_some_and(|value| value >= wanted.as_f64().unwrap()),
        "lt" => value.as_f64().is_some_and(|value| value < wanted.as_f64().unwrap()),
        other => unreachable!("{other}"),
    }
}
