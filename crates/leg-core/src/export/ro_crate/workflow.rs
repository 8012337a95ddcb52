//! The main workflow: the plan that ran, its steps, and the tools, agents and roles that did the work.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::graph::Crate;
use super::parameters::Parameter;
use crate::export::beside::PLAN;
use crate::export::names::{NAMESPACE, segment};
use crate::export::{CallRecord, NodeRecord, NodeRun, RunRecord};

const LANGUAGE: &str = "#language";
const WORKFLOW_PROFILE: &str = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE";
/// The question, as a value.
pub(super) const QUESTION: &str = "#question";

/// The workflow, its parameters, steps and tools.
pub(super) fn add_workflow(entities: &mut Crate, record: &RunRecord) {
    entities.add(
        LANGUAGE,
        &["ComputerLanguage"],
        json!({
            "name": "leg plan",
            "description": "Tracks of steps or of layers of agents, as JSON.",
            "version": "1",
            "url": format!("{NAMESPACE}plan/1"),
        }),
    );
    entities.add(
        WORKFLOW_PROFILE,
        &["CreativeWork"],
        json!({ "name": "Bioschemas ComputationalWorkflow", "version": "1.0-RELEASE" }),
    );
    entities.add(
        PLAN,
        &["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
        json!({
            "name": format!("Plan of run {}", record.run_id),
            "description": "The plan that ran, after all routing rules.",
            "conformsTo": { "@id": WORKFLOW_PROFILE },
            "programmingLanguage": { "@id": LANGUAGE },
            "url": format!("{NAMESPACE}plan/{}", record.plan_object.to_hex()),
            "version": record.approvals.last().map(|approval| approval.plan_digest),
            "identifier": record.plan_object,
            "creditText": record.proposed_by,
        }),
    );
    let parameter = |side, name| Parameter { owner: PLAN, of: "plan", side, name };
    entities.add(QUESTION, &["PropertyValue"], json!({ "name": "question", "value": record.question }));
    parameter("input", "question").example(entities, QUESTION, "Text");
    for (name, address) in record.facts.get("datasets").and_then(Value::as_object).into_iter().flatten() {
        let id = dataset(name);
        let address = address.as_str().map_or_else(|| address.to_string(), str::to_owned);
        entities.add(&id, &["PropertyValue"], json!({ "name": name, "value": address }));
        parameter("input", "datasets").example(entities, &id, "PropertyValue");
    }
    for name in record.files.keys() {
        let output = if name.starts_with("figures/") { "figures" } else { "report" };
        parameter("output", output).example(entities, name, "File");
    }
    for (at, node) in steps(record).enumerate() {
        let id = step(&node.id);
        let description = node.task.clone().unwrap_or_else(|| format!("the {} `{}`", node.kind, node.id));
        entities.add(
            &id,
            &["HowToStep"],
            json!({ "name": node.id, "description": description, "position": at.to_string() }),
        );
        entities.link(PLAN, "step", &id);
        let worker = worker(entities, record, node);
        entities.link(&id, "workExample", &worker);
    }
    for call in &record.calls {
        tool(entities, call);
    }
}

/// The nodes that did something, in graph order.
pub(super) fn steps(record: &RunRecord) -> impl Iterator<Item = &NodeRecord> {
    record.nodes.iter().filter(|node| node.runs.iter().any(NodeRun::did_work))
}

/// A step's id.
pub(super) fn step(node: &str) -> String {
    format!("#step/{}", segment(node))
}

/// A dataset's id.
pub(super) fn dataset(name: &str) -> String {
    format!("#dataset/{}", segment(name))
}

/// Adds what does the work of a node: its tool, its agent, or its role.
pub(super) fn worker(entities: &mut Crate, record: &RunRecord, node: &NodeRecord) -> String {
    let name = node.worker.as_deref().unwrap_or(node.kind.as_str());
    if node.kind == "tool" {
        let call = record.calls.iter().find(|call| call.tool == name);
        return match call {
            Some(call) => tool(entities, call),
            None => application(entities, "tool", name, "A tool that the plan names.", "unknown"),
        };
    }
    let definitions = definitions(record);
    let (sort, description, version) = match &node.worker {
        Some(_) => {
            let version = definitions.get(name).cloned();
            ("agent", "An agent that the plan names.", version)
        }
        None => ("role", "A role that every graph has; the engine fills it.", Some(record.engine.clone())),
    };
    application(entities, sort, name, description, version.as_deref().unwrap_or("unknown"))
}

/// Adds the tool of a call.
pub(super) fn tool(entities: &mut Crate, call: &CallRecord) -> String {
    let version = call.definition.map_or_else(|| "unknown".to_owned(), |digest| digest.to_string());
    application(entities, "tool", &call.tool, "A tool that was called in the run.", &version)
}

fn application(entities: &mut Crate, sort: &str, name: &str, description: &str, version: &str) -> String {
    let id = format!("{NAMESPACE}{sort}/{}", segment(name));
    if !entities.has(&id) {
        entities.add(
            &id,
            &["SoftwareApplication"],
            json!({
                "name": name,
                "description": format!("{description} Its version is the digest of its whole definition, or that of the engine."),
                "softwareVersion": version,
                "url": id,
            }),
        );
        entities.link(PLAN, "hasPart", &id);
    }
    id
}

/// The digests of the agents' definitions that were approved.
fn definitions(record: &RunRecord) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in record.ledger() {
        let Some(bytes) = entry.digest("definitions").and_then(|digest| record.objects().get(&digest).ok())
        else {
            continue;
        };
        let document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        for (name, digest) in document.get("agents").and_then(Value::as_object).into_iter().flatten() {
            found.insert(name.clone(), digest.as_str().unwrap_or("unknown").to_owned());
        }
    }
    found
}
