//! Entities and agents.

use serde_json::Value;

use super::document::Document;
use crate::export::names::{run_of_node, segment};
use crate::export::{CallRecord, NodeRecord, NodeRun, RunRecord};
use crate::{Digest, Evidence, Source};

/// The question.
pub(super) const QUESTION: &str = "run:question";
/// The plan that ran.
pub(super) const PLAN: &str = "run:plan";

/// Adds everything that was there, was made, or did something.
pub(super) fn add(document: &mut Document, record: &RunRecord) {
    document.element("entity", QUESTION, &[("prov:type", "leg:question"), ("prov:value", &record.question)]);
    let plan = record.plan_object.to_string();
    document.element("entity", PLAN, &[("prov:type", "prov:Plan"), ("leg:digest", &plan)]);
    for (digest, summary) in record.artifacts() {
        let kind = format!("leg:{}", summary.kind);
        let attributes = [
            ("prov:type", kind.as_str()),
            ("prov:label", summary.name.as_str()),
            ("leg:units", summary.units.as_str()),
            ("leg:digest", &digest.to_string()),
        ];
        document.element("entity", &object(&digest), &attributes);
    }
    for call in &record.calls {
        for picture in &call.renderings {
            let attributes = [("prov:type", "leg:picture"), ("leg:mediaType", picture.media_type.as_str())];
            document.element("entity", &object(&picture.digest), &attributes);
        }
        for input in &call.inputs {
            document.element("entity", &object(input), &[("leg:digest", &input.to_string())]);
        }
        for read in &call.sources {
            let attributes = [
                ("prov:type", "leg:source"),
                ("prov:location", read.address.as_str()),
                ("leg:bytes", &read.bytes.to_string()),
                ("leg:digest", &read.digest.to_string()),
            ];
            document.element("entity", &source(read), &attributes);
        }
        for item in &call.evidence {
            add_evidence(document, item);
        }
        let tool = tool(call);
        let definition = call.definition.map(|digest| digest.to_string()).unwrap_or_default();
        let attributes = [
            ("prov:type", "prov:SoftwareAgent"),
            ("prov:label", call.tool.as_str()),
            ("leg:definition", &definition),
        ];
        document.element("agent", &tool, &attributes);
    }
    for (name, digest) in &record.files {
        document.element("entity", &file(name), &[("prov:label", name), ("leg:digest", &digest.to_string())]);
    }
    for node in &record.nodes {
        for run in &node.runs {
            if let Some(said) = &run.text {
                let attributes = [("prov:type", "leg:text"), ("prov:value", said.as_str())];
                document.element("entity", &text(node, run), &attributes);
            }
        }
        if node.runs.iter().any(NodeRun::did_work) {
            let attributes = [("prov:type", "prov:SoftwareAgent"), ("prov:label", worker_name(node))];
            document.element("agent", &worker(node), &attributes);
        }
    }
    let engine = [("prov:type", "prov:SoftwareAgent"), ("prov:label", record.engine.as_str())];
    document.element("agent", &self::engine(record), &engine);
    for approval in &record.approvals {
        let by = [("prov:type", "prov:Person"), ("prov:label", approval.by.as_str())];
        document.element("agent", &approver(&approval.by), &by);
    }
    if let Some(by) = &record.proposed_by {
        document.element("agent", &proposer(by), &[("prov:label", by)]);
    }
}

fn add_evidence(document: &mut Document, item: &Evidence) {
    let value = match &item.value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let id = item.id.as_ref().map(ToString::to_string).unwrap_or_default();
    let attributes = [
        ("prov:type", "leg:evidence"),
        ("prov:label", item.key.as_str()),
        ("prov:value", value.as_str()),
        ("leg:id", id.as_str()),
        ("leg:unit", item.unit.as_str()),
        ("leg:datum", item.datum.as_deref().unwrap_or_default()),
        ("leg:when", item.when.as_deref().unwrap_or_default()),
        ("leg:method", item.method.as_str()),
    ];
    document.element("entity", &evidence(item), &attributes);
}

/// An object, by its digest.
pub(super) fn object(digest: &Digest) -> String {
    format!("leg:object/{}", digest.to_hex())
}

pub(super) fn source(source: &Source) -> String {
    format!("leg:source/{}", source.digest.to_hex())
}

pub(super) fn evidence(item: &Evidence) -> String {
    format!("run:evidence/{}", segment(&item.key))
}

pub(super) fn file(name: &str) -> String {
    format!("run:file/{}", name.split('/').map(segment).collect::<Vec<_>>().join("/"))
}

pub(super) fn text(node: &NodeRecord, run: &NodeRun) -> String {
    format!("run:text/{}", run_of_node(&node.id, run.revision, run.attempt))
}

pub(super) fn tool(call: &CallRecord) -> String {
    format!("leg:tool/{}", segment(&call.tool))
}

fn worker_name(node: &NodeRecord) -> &str {
    node.worker.as_deref().unwrap_or(node.kind.as_str())
}

/// What does a node's work.
pub(super) fn worker(node: &NodeRecord) -> String {
    let sort = match (node.kind.as_str(), &node.worker) {
        ("tool", _) => "tool",
        (_, Some(_)) => "agent",
        (_, None) => "role",
    };
    format!("leg:{sort}/{}", segment(worker_name(node)))
}

pub(super) fn engine(record: &RunRecord) -> String {
    let parts: Vec<String> = record.engine.split(' ').map(segment).collect();
    format!("leg:engine/{}", parts.join("/"))
}

pub(super) fn approver(by: &str) -> String {
    format!("run:approver/{}", segment(by))
}

pub(super) fn proposer(by: &str) -> String {
    format!("run:proposer/{}", segment(by))
}
