//! What was done: a `CreateAction` for each call, for the work of each agent and role, and for the run as a whole; a
//! `ControlAction` for each run of a step; one `OrganizeAction` over them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::evidence::{evidence, source};
use super::files::Files;
use super::graph::Crate;
use super::parameters::{Parameter, plain, sort};
use super::root::{COMPLETED, ROOT, engine, person, time};
use super::workflow::{QUESTION, dataset, step, steps, tool, worker};
use crate::export::beside::PLAN;
use crate::export::names::{NAMESPACE, run_of_node, segment};
use crate::export::{CallRecord, ErrorRecord, NodeRecord, NodeRun, RunRecord};
use crate::{Digest, Status, Summary, ledger};

const FAILED: &str = "http://schema.org/FailedActionStatus";

/// The run of the workflow, and all calls.
pub(super) fn add_run(entities: &mut Crate, record: &RunRecord, files: &Files) {
    let id = run(record);
    let error = (!record.status.is_ok()).then(|| {
        let gaps: Vec<String> =
            record.gaps.iter().map(|gap| format!("{}: {}", gap.node, gap.reason)).collect();
        ErrorRecord { kind: record.status.to_string(), message: gaps.join("; ") }
    });
    let what = Action {
        name: format!("run {}", record.run_id),
        description: "The run of the plan as a whole.".to_owned(),
        instrument: PLAN.to_owned(),
        started: &record.started,
        ended: &record.finished,
        status: record.status,
        error: error.as_ref(),
    };
    what.add(entities, record, &id);
    entities.link(&id, "object", QUESTION);
    for name in
        record.facts.get("datasets").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name)
    {
        entities.link(&id, "object", &dataset(name));
    }
    for name in record.files.keys() {
        entities.link(&id, "result", name);
    }
    for call in &record.calls {
        add_call(entities, record, files, call);
    }
}

/// The control over the steps, and the work of agents and roles.
pub(super) fn add_control(entities: &mut Crate, record: &RunRecord, files: &Files) {
    let organize = "#organize";
    entities.add(
        organize,
        &["OrganizeAction"],
        json!({
            "name": format!("{} runs the plan", record.engine),
            "description": "The engine starts the steps in the order of the graph.",
            "instrument": { "@id": engine(record) },
            "result": { "@id": run(record) },
            "agent": { "@id": person(record.approved_by()) },
            "startTime": time(&record.started),
            "endTime": time(&record.finished),
        }),
    );
    entities.link(ROOT, "mentions", organize);
    for node in steps(record) {
        for run in node.runs.iter().filter(|run| run.did_work()) {
            let name = run_of_node(&node.id, run.revision, run.attempt);
            let id = format!("#control/{name}");
            entities.add(
                &id,
                &["ControlAction"],
                json!({
                    "name": format!("run of step `{}`", node.id),
                    "instrument": { "@id": step(&node.id) },
                    "startTime": time(run.started.as_deref().unwrap_or(&run.ended)),
                    "endTime": time(&run.ended),
                }),
            );
            entities.link(organize, "object", &id);
            let calls: Vec<&CallRecord> = record.calls_of(&node.id, run.revision, run.attempt).collect();
            // A tool's step is its calls. Where there is none, something went wrong before: that is work that failed.
            if node.kind != "tool" || calls.is_empty() {
                let work = format!("#work/{name}");
                add_work(entities, record, files, node, run, &work);
                entities.link(&id, "object", &work);
            }
            for call in calls {
                entities.link(&id, "object", &call_id(&call.id));
            }
        }
    }
}

fn run(record: &RunRecord) -> String {
    format!("#run/{}", segment(&record.run_id))
}

fn call_id(id: &Digest) -> String {
    format!("#call/{}", id.to_hex())
}

/// What every `CreateAction` says.
struct Action<'a> {
    name: String,
    description: String,
    instrument: String,
    started: &'a str,
    ended: &'a str,
    status: Status,
    error: Option<&'a ErrorRecord>,
}

impl Action<'_> {
    fn add(self, entities: &mut Crate, record: &RunRecord, id: &str) {
        let completed = self.status.is_ok();
        let error = match self.error {
            Some(error) => format!("{}: {}", error.kind, error.message),
            None => self.status.to_string(),
        };
        entities.add(
            id,
            &["CreateAction"],
            json!({
                "name": self.name,
                "description": self.description,
                "instrument": { "@id": self.instrument },
                "agent": { "@id": person(record.approved_by()) },
                "startTime": time(self.started),
                "endTime": time(self.ended),
                "actionStatus": if completed { COMPLETED } else { FAILED },
                "error": if completed { Value::Null } else { json!(error) },
            }),
        );
        entities.link(ROOT, "mentions", id);
    }
}

fn add_call(entities: &mut Crate, record: &RunRecord, files: &Files, call: &CallRecord) {
    let id = call_id(&call.id);
    let tool = tool(entities, call);
    let what = Action {
        name: format!("call of `{}` by `{}`", call.tool, call.node),
        description: format!(
            "Call {} of node `{}`: record {} of the ledger.",
            call.ordinal, call.node, call.seq
        ),
        instrument: tool.clone(),
        started: &call.started,
        ended: call.ended.as_deref().unwrap_or(&record.finished),
        status: call.status,
        error: call.error.as_ref(),
    };
    what.add(entities, record, &id);
    let artifacts = record.artifacts();
    for (name, value) in call.args.as_object().into_iter().flatten() {
        let parameter = Parameter { owner: &tool, of: &call.tool, side: "input", name };
        let mut named = Vec::new();
        ledger::artifacts_in(value, &mut named);
        for digest in &named {
            let file = files.artifact(entities, digest, artifacts.get(digest).copied());
            entities.link(&id, "object", &file);
            parameter.example(entities, &file, "File");
            connect(entities, record, call, &parameter.id(), digest);
        }
        if value.get("$artifact").is_none() {
            let argument = format!("#argument/{}/{}", call.id.to_hex(), segment(name));
            entities.add(&argument, &["PropertyValue"], json!({ "name": name, "value": plain(value) }));
            entities.link(&id, "object", &argument);
            parameter.example(entities, &argument, sort(value));
        }
    }
    for read in &call.sources {
        let source = source(entities, read);
        entities.link(&id, "object", &source);
    }
    for (name, summary) in &call.outputs {
        let file = files.artifact(entities, &summary.digest, Some(summary));
        entities.link(&id, "result", &file);
        Parameter { owner: &tool, of: &call.tool, side: "output", name }.example(entities, &file, "File");
    }
    for picture in &call.renderings {
        let file = files.artifact(entities, &picture.digest, None);
        entities.link(&id, "result", &file);
    }
    for item in &call.evidence {
        entities.link(&id, "result", &evidence(item));
    }
    usage(entities, call, &id);
}

/// Ties an input to the output that gave it.
fn connect(entities: &mut Crate, record: &RunRecord, call: &CallRecord, target: &str, digest: &Digest) {
    let Some((giver, of, name)) = giver(record, digest) else { return };
    let source = Parameter { owner: "", of, side: "output", name }.id();
    let id = format!(
        "#connection/{}/{}/{}",
        segment(&call.node),
        segment(giver),
        segment(target.rsplit('/').next().unwrap_or_default())
    );
    entities.add(&id, &["ParameterConnection"], json!({ "name": format!("`{giver}` to `{}`", call.node) }));
    entities.link(&id, "sourceParameter", &source);
    entities.link(&id, "targetParameter", target);
    entities.link(&step(&call.node), "connection", &id);
    entities.link(PLAN, "connection", &id);
}

/// The node that gave an artifact, by which tool, under which name.
fn giver<'a>(record: &'a RunRecord, digest: &Digest) -> Option<(&'a str, &'a str, &'a str)> {
    let named = |outputs: &'a BTreeMap<String, Summary>| {
        outputs.iter().find(|(_, summary)| summary.digest == *digest).map(|(name, _)| name.as_str())
    };
    let by_call =
        |call: &'a CallRecord| Some((call.node.as_str(), call.tool.as_str(), named(&call.outputs)?));
    let by_node = |node: &'a NodeRecord| {
        let name = node.runs.iter().find_map(|run| named(&run.outputs))?;
        Some((node.id.as_str(), node.worker.as_deref()?, name))
    };
    record.calls.iter().find_map(by_call).or_else(|| record.nodes.iter().find_map(by_node))
}

/// How long a call took and how much it read.
fn usage(entities: &mut Crate, call: &CallRecord, id: &str) {
    let read: u64 = call.sources.iter().map(|source| source.bytes).sum();
    let microseconds = ("duration", call.duration_us, "B98", "microsecond");
    let bytes = (read > 0).then_some(("bytes read", read, "AD", "byte"));
    for (name, value, code, unit) in [Some(microseconds), bytes].into_iter().flatten() {
        let usage = format!("#usage/{}/{}", call.id.to_hex(), segment(name));
        entities.add(
            &usage,
            &["PropertyValue"],
            json!({
                "name": name,
                "propertyID": format!("{NAMESPACE}usage/{}", segment(name)),
                "value": value.to_string(),
                "unitCode": code,
                "unitText": unit,
            }),
        );
        entities.link(id, "resourceUsage", &usage);
    }
}

/// The work of an agent or a role, or a tool's step that made no call.
fn add_work(
    entities: &mut Crate,
    record: &RunRecord,
    files: &Files,
    node: &NodeRecord,
    run: &NodeRun,
    id: &str,
) {
    let instrument = worker(entities, record, node);
    let of = node.worker.as_deref().unwrap_or(node.kind.as_str());
    let what = Action {
        name: format!("work of `{of}` on `{}`", node.id),
        description: format!("The {} `{}` does its work.", node.kind, node.id),
        instrument: instrument.clone(),
        started: run.started.as_deref().unwrap_or(&run.ended),
        ended: &run.ended,
        status: run.status,
        error: run.error.as_ref(),
    };
    what.add(entities, record, id);
    entities.link(id, "object", QUESTION);
    if let Some(task) = &node.task {
        let value = format!("#task/{}", segment(&node.id));
        entities.add(&value, &["PropertyValue"], json!({ "name": "task", "value": task }));
        entities.link(id, "object", &value);
        Parameter { owner: &instrument, of, side: "input", name: "task" }.example(entities, &value, "Text");
    }
    for item in heard(record, node) {
        entities.link(id, "object", &item);
    }
    if let Some(text) = &run.text {
        let value = format!("#text/{}", run_of_node(&node.id, run.revision, run.attempt));
        entities.add(&value, &["PropertyValue"], json!({ "name": "text", "value": text }));
        entities.link(id, "result", &value);
        Parameter { owner: &instrument, of, side: "output", name: "text" }.example(entities, &value, "Text");
    }
    if let Some(plan) = &run.plan {
        let value = format!("#plan/{}", run_of_node(&node.id, run.revision, run.attempt));
        entities.add(&value, &["PropertyValue"], json!({ "name": "plan", "value": plan.to_string() }));
        entities.link(id, "result", &value);
        Parameter { owner: &instrument, of, side: "output", name: "plan" }.example(entities, &value, "Text");
    }
    for (name, summary) in &run.outputs {
        let file = files.artifact(entities, &summary.digest, Some(summary));
        entities.link(id, "result", &file);
        Parameter { owner: &instrument, of, side: "output", name }.example(entities, &file, "File");
    }
    for call in record.calls_of(&node.id, run.revision, run.attempt) {
        for summary in call.outputs.values() {
            let file = files.artifact(entities, &summary.digest, Some(summary));
            entities.link(id, "result", &file);
        }
        for item in &call.evidence {
            entities.link(id, "result", &evidence(item));
        }
    }
    if node.kind == "reporter" && run.status.is_ok() {
        for name in record.files.keys().filter(|name| name.starts_with("report.")) {
            entities.link(id, "result", name);
        }
    }
}

/// The evidence that a role was given: a consolidator that of its layer, the merge and the reporter all.
fn heard(record: &RunRecord, node: &NodeRecord) -> Vec<String> {
    let folds = !matches!(node.kind.as_str(), "agent" | "tool");
    let near = |other: &&NodeRecord| {
        folds && (node.track.is_none() || (other.track == node.track && other.layer == node.layer))
    };
    let nodes: Vec<&str> = record.nodes.iter().filter(near).map(|node| node.id.as_str()).collect();
    let calls = record.calls.iter().filter(|call| nodes.contains(&call.node.as_str()));
    calls.flat_map(|call| &call.evidence).map(evidence).collect()
}
