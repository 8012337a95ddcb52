//! Activities, and how everything hangs together.

use super::document::Document;
use super::things::{
    PLAN, QUESTION, approver, engine, evidence, file, object, proposer, source, text, tool, worker,
};
use crate::Verdict;
use crate::export::names::run_of_node;
use crate::export::{CallRecord, NodeRecord, NodeRun, RunRecord};

const RUN: &str = "run:run";

/// Adds all that was done.
pub(super) fn add(document: &mut Document, record: &RunRecord) {
    let root = record.content_root.map(|root| root.to_string()).unwrap_or_default();
    let attributes = [
        ("prov:type", "leg:run"),
        ("prov:label", record.run_id.as_str()),
        ("leg:status", record.status.as_str()),
        ("leg:contentRoot", root.as_str()),
        ("leg:logRoot", &record.log_root.to_string()),
    ];
    activity(document, RUN, &record.started, &record.finished, &attributes);
    document.used(RUN, QUESTION);
    document.used(RUN, PLAN);
    document.associated(RUN, &engine(record), Some(PLAN));
    document.relation(
        "actedOnBehalfOf",
        &[("prov:delegate", &engine(record)), ("prov:responsible", &approver(record.approved_by()))],
    );
    if let Some(by) = &record.proposed_by {
        document.attributed(PLAN, &proposer(by));
    }
    for (at, approval) in record.approvals.iter().enumerate() {
        let id = format!("run:approval/{at}");
        let attributes =
            [("prov:type", "leg:approval"), ("leg:planDigest", &approval.plan_digest.to_string())];
        activity(document, &id, &approval.given, &approval.given, &attributes);
        document.used(&id, PLAN);
        document.associated(&id, &approver(&approval.by), None);
        document.informed(RUN, &id);
    }
    for call in &record.calls {
        add_call(document, record, call);
    }
    for node in &record.nodes {
        for run in node.runs.iter().filter(|run| run.did_work()) {
            add_node(document, record, node, run);
        }
    }
    add_files(document, record);
}

fn activity(document: &mut Document, id: &str, started: &str, ended: &str, more: &[(&str, &str)]) {
    let times = [("prov:startTime", started), ("prov:endTime", ended)];
    document.element("activity", id, &[&times, more].concat());
}

fn node_id(node: &NodeRecord, run: &NodeRun) -> String {
    format!("run:node/{}", run_of_node(&node.id, run.revision, run.attempt))
}

fn call_id(call: &CallRecord) -> String {
    format!("run:call/{}", call.id.to_hex())
}

fn add_call(document: &mut Document, record: &RunRecord, call: &CallRecord) {
    let id = call_id(call);
    let error = call.error.as_ref().map(|error| format!("{}: {}", error.kind, error.message));
    let args = call.args.to_string();
    let attributes = [
        ("prov:type", "leg:call"),
        ("prov:label", call.tool.as_str()),
        ("leg:arguments", args.as_str()),
        ("leg:status", call.status.as_str()),
        ("leg:error", error.as_deref().unwrap_or_default()),
        ("leg:record", &call.seq.to_string()),
    ];
    let ended = call.ended.as_deref().unwrap_or(&record.finished);
    activity(document, &id, &call.started, ended, &attributes);
    document.associated(&id, &tool(call), Some(PLAN));
    for input in &call.inputs {
        document.used(&id, &object(input));
    }
    for read in &call.sources {
        document.used(&id, &source(read));
    }
    let pictures = call.renderings.iter().map(|picture| &picture.digest);
    for digest in call.outputs.values().map(|summary| &summary.digest).chain(pictures) {
        let output = object(digest);
        document.generated(&output, &id);
        document.attributed(&output, &tool(call));
        // A call may hand on what it was given.
        for input in call.inputs.iter().filter(|input| *input != digest) {
            document.derived(&output, &object(input));
        }
        for read in &call.sources {
            document.derived(&output, &source(read));
        }
    }
    for item in &call.evidence {
        document.generated(&evidence(item), &id);
        if let Some(artifact) = &item.artifact {
            document.derived(&evidence(item), &object(artifact));
        }
    }
}

fn add_node(document: &mut Document, record: &RunRecord, node: &NodeRecord, run: &NodeRun) {
    let id = node_id(node, run);
    let error = run.error.as_ref().map(|error| format!("{}: {}", error.kind, error.message));
    let attributes = [
        ("prov:type", "leg:node"),
        ("prov:label", node.id.as_str()),
        ("leg:kind", node.kind.as_str()),
        ("leg:track", node.track.as_deref().unwrap_or_default()),
        ("leg:task", node.task.as_deref().unwrap_or_default()),
        ("leg:status", run.status.as_str()),
        ("leg:error", error.as_deref().unwrap_or_default()),
    ];
    activity(document, &id, run.started.as_deref().unwrap_or(&run.ended), &run.ended, &attributes);
    document.associated(&id, &worker(node), Some(PLAN));
    document.informed(&id, RUN);
    let last = |name: &String| record.nodes.iter().find(|other| other.id == *name);
    for other in node.uses.iter().filter_map(last) {
        if let Some(informant) = other.last().filter(|run| run.did_work()) {
            document.informed(&id, &node_id(other, informant));
        }
    }
    for call in record.calls_of(&node.id, run.revision, run.attempt) {
        document.informed(&call_id(call), &id);
    }
    for summary in run.outputs.values() {
        document.generated(&object(&summary.digest), &id);
    }
    if run.text.is_some() {
        document.generated(&text(node, run), &id);
        document.attributed(&text(node, run), &worker(node));
    }
}

/// The report's files: written by the run, from the evidence that claims which hold rest on.
fn add_files(document: &mut Document, record: &RunRecord) {
    for name in record.files.keys() {
        let file = file(name);
        document.generated(&file, RUN);
        document.attributed(&file, &engine(record));
        if let Some(figure) = record.figures.iter().find(|figure| figure.file == *name) {
            document.derived(&file, &object(&figure.rendering.digest));
            continue;
        }
        let holds = |verdict| matches!(verdict, Some(Verdict::Grounded | Verdict::Uncheckable) | None);
        for claim in record.claims().filter(|claim| holds(claim.verdict)) {
            let cited = record
                .evidence
                .iter()
                .filter(|item| item.evidence.id.as_ref().is_some_and(|id| claim.evidence.contains(id)));
            for item in cited {
                document.derived(&file, &evidence(&item.evidence));
            }
        }
    }
}
