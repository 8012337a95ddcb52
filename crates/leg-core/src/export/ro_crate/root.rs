//! The descriptor, the root dataset with its profiles, and the people and programs behind the run.

use serde_json::json;

use super::graph::Crate;
use crate::export::RunRecord;
use crate::export::beside::{METADATA, PLAN};
use crate::export::names::{NAMESPACE, segment};

/// The root dataset.
pub(super) const ROOT: &str = "./";

/// Profiles that the crate conforms to: id, name, version.
const PROFILES: [(&str, &str, &str); 4] = [
    ("https://w3id.org/ro/wfrun/process/0.5", "Process Run Crate", "0.5"),
    ("https://w3id.org/ro/wfrun/workflow/0.5", "Workflow Run Crate", "0.5"),
    ("https://w3id.org/ro/wfrun/provenance/0.5", "Provenance Run Crate", "0.5"),
    (WORKFLOW_CRATE, "Workflow RO-Crate", "1.0"),
];
const WORKFLOW_CRATE: &str = "https://w3id.org/workflowhub/workflow-ro-crate/1.0";
const RO_CRATE: &str = "https://w3id.org/ro/crate/1.1";
const LICENSE: &str = "#license";

/// The descriptor and the root.
pub(super) fn add_root(entities: &mut Crate, record: &RunRecord) {
    entities.add(METADATA, &["CreativeWork"], json!({ "about": { "@id": ROOT } }));
    entities.add(RO_CRATE, &["CreativeWork"], json!({ "name": "RO-Crate", "version": "1.1" }));
    for profile in [RO_CRATE, WORKFLOW_CRATE] {
        entities.link(METADATA, "conformsTo", profile);
    }
    let root = record.content_root.map(|root| root.to_string()).unwrap_or_default();
    entities.add(
        ROOT,
        &["Dataset"],
        json!({
            "name": format!("Run {}: {}", record.run_id, record.question),
            "description": format!(
                "A run of leg that ended with status {}: the plan, every call, every quantity and the report, with \
                 content root {root} and log root {}. The folder verifies with `leg verify` and replays with `leg replay`.",
                record.status, record.log_root
            ),
            "datePublished": time(&record.finished),
            "license": { "@id": LICENSE },
            "identifier": record.run_id,
            "author": { "@id": person(record.approved_by()) },
            "mainEntity": { "@id": PLAN },
        }),
    );
    entities.add(
        LICENSE,
        &["CreativeWork"],
        json!({
            "name": "not stated",
            "description": "Nothing was said of a licence when the run was made. Whoever publishes the crate states \
                            one here; the sources keep theirs.",
        }),
    );
    for (id, name, version) in PROFILES {
        entities.add(id, &["CreativeWork"], json!({ "name": name, "version": version }));
        entities.link(ROOT, "conformsTo", id);
    }
}

/// The engine, those who approved, and what they approved.
pub(super) fn add_people(entities: &mut Crate, record: &RunRecord) {
    let (name, version) = record.engine.rsplit_once(' ').unwrap_or((record.engine.as_str(), "unknown"));
    let engine = engine(record);
    entities.add(
        &engine,
        &["SoftwareApplication"],
        json!({
            "name": name,
            "description": "The engine that compiled the plan, ran it and wrote the ledger.",
            "softwareVersion": version,
            "url": engine,
        }),
    );
    let person = person(record.approved_by());
    entities.add(&person, &["Person"], json!({ "name": record.approved_by(), "description": APPROVER }));
    for (at, approval) in record.approvals.iter().enumerate() {
        let by = self::person(&approval.by);
        entities.add(&by, &["Person"], json!({ "name": approval.by, "description": APPROVER }));
        let (id, digest) = (format!("#approval/{at}"), format!("#approved/{at}"));
        entities.add(
            &digest,
            &["PropertyValue"],
            json!({
                "name": "approved plan digest",
                "description": "Digest of the plan with the definitions of all its tools and agents.",
                "value": approval.plan_digest,
            }),
        );
        entities.add(
            &id,
            &["AssessAction"],
            json!({
                "name": "approval of the plan",
                "description": "The engine runs only a plan whose digest was approved.",
                "agent": { "@id": by },
                "object": { "@id": PLAN },
                "result": { "@id": digest },
                "endTime": time(&approval.given),
                "actionStatus": COMPLETED,
            }),
        );
        entities.link(ROOT, "mentions", &id);
    }
}

const APPROVER: &str = "Who approved the plan: a person's name, or the way in which a person approved.";

/// An action that ended well.
pub(super) const COMPLETED: &str = "http://schema.org/CompletedActionStatus";

/// The engine's id.
pub(super) fn engine(record: &RunRecord) -> String {
    let parts: Vec<String> = record.engine.split(' ').map(segment).collect();
    format!("{NAMESPACE}engine/{}", parts.join("/"))
}

/// A person's id.
pub(super) fn person(by: &str) -> String {
    format!("#approver/{}", segment(by))
}

/// A moment with its offset in numbers, as the profiles want it.
pub(super) fn time(moment: &str) -> String {
    moment.strip_suffix('Z').map_or_else(
        || moment.to_owned(),
        |moment| {
            let digits = if moment.contains('.') { "" } else { ".000" };
            format!("{moment}{digits}+00:00")
        },
    )
}
