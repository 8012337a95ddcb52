//! [`oracle`]: how a random plan must end.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::collections::BTreeMap;

use leg_core::Status;
use serde_json::{Value, json};

/// How each node of a plan must end, and whether a track gives an answer, by a reading of the plan that knows nothing
/// of layers: without `fail_fast`, time limits and sub-graphs.
///
/// # Panics
/// When the plan is not one of [`any_plan`](super::any_plan).
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
