//! The report's claims and gaps, the evidence below them, and the sources below that.

use serde_json::{Value, json};

use super::graph::Crate;
use super::parameters::plain;
use super::root::ROOT;
use super::workflow::{step, steps};
use crate::export::RunRecord;
use crate::export::names::segment;
use crate::{Evidence, Source};

const REPORT: &str = "report.json";

/// Evidence, claims and gaps.
pub(super) fn add_report(entities: &mut Crate, record: &RunRecord) {
    for call in &record.calls {
        for item in &call.evidence {
            let id = evidence(item);
            let place = item.place.as_ref().map(Value::to_string);
            let facts = [
                ("when", item.when.clone()),
                ("where", place),
                ("datum", item.datum.clone()),
                ("relative to", item.baseline.clone()),
                ("uncertainty", item.uncertainty.as_ref().map(Value::to_string)),
                ("n", item.n.map(|n| n.to_string())),
            ];
            let facts: Vec<String> =
                facts.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?))).collect();
            entities.add(
                &id,
                &["PropertyValue"],
                json!({
                    "name": item.key,
                    "description": facts.join("; "),
                    "value": plain(&item.value),
                    "unitText": item.unit,
                    "measurementTechnique": item.method,
                    "identifier": item.id,
                }),
            );
        }
    }
    for (at, claim) in record.claims().enumerate() {
        let id = format!("#claim/{at}");
        let verdict = claim.verdict.and_then(|verdict| serde_json::to_value(verdict).ok());
        entities.add(
            &id,
            &["Claim"],
            json!({
                "name": format!("claim {at}"),
                "text": claim.text,
                "description": format!(
                    "How its numbers follow from the evidence: {}. The check says: {}.",
                    claim.op.as_str(),
                    verdict.as_ref().and_then(Value::as_str).unwrap_or("nothing")
                ),
            }),
        );
        entities.link(REPORT, "mentions", &id);
        for cited in record
            .evidence
            .iter()
            .filter(|item| item.evidence.id.as_ref().is_some_and(|id| claim.evidence.contains(id)))
        {
            entities.link(&id, "isBasedOn", &evidence(&cited.evidence));
        }
    }
    for (at, gap) in record.gaps.iter().enumerate() {
        let id = format!("#gap/{at}");
        entities.add(
            &id,
            &["Comment"],
            json!({
                "name": format!("gap of `{}`", gap.node),
                "text": format!("{} ({}): {}", gap.node, gap.status, gap.reason),
            }),
        );
        if steps(record).any(|node| node.id == gap.node.as_str()) {
            entities.link(&id, "about", &step(gap.node.as_str()));
        }
        entities.link(ROOT, "mentions", &id);
    }
}

/// The id of evidence. Its key is its name in the run; a node that was fired again gives it again.
pub(super) fn evidence(item: &Evidence) -> String {
    format!("#evidence/{}", segment(&item.key))
}

/// Adds a source: what a call read.
pub(super) fn source(entities: &mut Crate, source: &Source) -> String {
    let id = format!("#source/{}", source.digest.to_hex());
    let facts: Vec<String> = source.facts.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let url = source.address.starts_with("http").then(|| source.address.clone());
    entities.add(
        &id,
        &["CreativeWork"],
        json!({
            "name": source.address,
            "description": format!(
                "What a call read: {} bytes in {} parts.{}{}",
                source.bytes,
                source.parts,
                if facts.is_empty() { "" } else { " " },
                facts.join("; ")
            ),
            "url": url,
            "identifier": source.digest,
        }),
    );
    id
}
