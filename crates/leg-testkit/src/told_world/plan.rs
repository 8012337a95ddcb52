//! [`any_plan`]: a random plan of told parts.

use serde_json::{Value, json};

use super::Tape;

/// What random plans may hold.
#[derive(Debug, Clone, Copy)]
pub struct Allowed {
    /// Layers that stop at the first failure.
    pub fail_fast: bool,
    /// Agents that answer with a plan.
    pub sub_graphs: bool,
    /// Calls and agents take less than so many milliseconds, and some take none.
    pub pause_ms: usize,
    /// Calls that are unavailable a few times; the engine waits up to 0.6 s for each to come back.
    pub unavailable: bool,
}

impl Allowed {
    /// All of it.
    pub const ANYTHING: Self = Self { fail_fast: true, sub_graphs: true, pause_ms: 60, unavailable: true };

    /// What the [`oracle`](super::oracle) can tell the end of.
    pub const FORESEEABLE: Self = Self { fail_fast: false, sub_graphs: false, ..Self::ANYTHING };

    /// What takes next to no time on a real clock, and ends the same whoever is first.
    pub const SWIFT: Self = Self { fail_fast: false, pause_ms: 3, unavailable: false, ..Self::ANYTHING };
}

/// A random plan as JSON: steps with references, conditions, fan-outs and delays, layers of agents that call tools; some
/// of them fail, panic, or are unavailable a few times.
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
        json!({"id": id, "barriers": barriers, "steps": steps(tape, &id, allowed)})
    }
}

/// Steps that use the results of earlier ones.
fn steps(tape: &mut Tape, prefix: &str, allowed: Allowed) -> Vec<Value> {
    let mut ids: Vec<(String, bool)> = Vec::new();
    let mut steps = Vec::new();
    for n in 0..=tape.pick(6) {
        let id = format!("{prefix}_s{n}");
        let mut args = told(tape, &id, allowed);
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
fn told(tape: &mut Tape, id: &str, allowed: Allowed) -> Value {
    let mut args = json!({"id": id});
    if tape.chance(1, 2) {
        args["ms"] = json!(tape.pick(allowed.pause_ms));
    }
    match tape.pick(14) {
        10 => args["fail"] = json!("no_data"),
        11 => args["panic"] = json!(true),
        12 if allowed.unavailable => args["flaky"] = json!(2),
        13 if allowed.unavailable => args["flaky"] = json!(3),
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
                task["ms"] = json!(tape.pick(allowed.pause_ms));
            }
            let calls: Vec<Value> = (0..tape.pick(3))
                .map(|c| json!(["told", told(tape, &format!("{id}_{c}"), allowed)]))
                .collect();
            task["calls"] = json!(calls);
            match tape.pick(10) {
                8 => task["fail"] = json!("unavailable"),
                9 => task["panic"] = json!(true),
                7 if allowed.sub_graphs => {
                    task["plan"] = json!({"version": 1, "question": "inside", "tracks": [
                        {"id": "in", "steps": steps(tape, "i", allowed)}]});
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
