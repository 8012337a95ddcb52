//! The nodes with their calls, and what each call read.

use std::fmt::Write as _;

use super::markup::{address, anchor, escape, to};
use super::report::evidence_place;
use crate::export::{CallRecord, NodeRecord, RunRecord};
use crate::{Digest, Status};

/// The place of a call in the page.
pub(super) fn call_place(id: &Digest) -> String {
    anchor("call", &id.to_hex())
}

/// Every node with its calls.
pub(super) fn nodes(record: &RunRecord) -> String {
    record.nodes.iter().map(|node| self::node(record, node)).collect()
}

fn node(record: &RunRecord, node: &NodeRecord) -> String {
    let worker =
        node.worker.as_deref().map(|worker| format!(" <code>{}</code>", escape(worker))).unwrap_or_default();
    let mut out = format!(
        "<article id=\"{}\" class=\"{}\"><h3>{}</h3>\n<p>{}{worker}, <span class=\"status\">{}</span>",
        anchor("node", &node.id),
        class(node.status()),
        escape(&node.id),
        escape(&node.kind),
        node.status()
    );
    if let Some(track) = &node.track {
        let _ = write!(out, ", track {}", escape(track));
    }
    out.push_str("</p>\n");
    if let Some(task) = &node.task {
        let _ = writeln!(out, "<p>Task: {}</p>", escape(task));
    }
    if !node.uses.is_empty() {
        let uses: Vec<String> = node.uses.iter().map(|used| to(&anchor("node", used), used)).collect();
        let _ = writeln!(out, "<p>Uses {}</p>", uses.join(", "));
    }
    for run in &node.runs {
        if let Some(error) = &run.error {
            let _ =
                writeln!(out, "<p class=\"error\">{}: {}</p>", escape(&error.kind), escape(&error.message));
        }
        if let Some(text) = &run.text {
            let _ = writeln!(out, "<blockquote>{}</blockquote>", escape(text));
        }
    }
    for call in record.calls.iter().filter(|call| call.node == node.id) {
        out.push_str(&self::call(record, call));
    }
    out.push_str("</article>\n");
    out
}

fn call(record: &RunRecord, call: &CallRecord) -> String {
    let mut out = format!(
        "<div class=\"call {}\" id=\"{}\"><h4>call of <code>{}</code>: {}</h4>\n<p>{}, {} ms, record {} of the ledger</p>\n\
         <pre>{}</pre>\n",
        class(call.status),
        call_place(&call.id),
        escape(&call.tool),
        call.status,
        escape(&call.started),
        call.duration_us / 1000,
        call.seq,
        escape(&serde_json::to_string_pretty(&call.args).unwrap_or_default()),
    );
    if let Some(error) = &call.error {
        let _ = writeln!(out, "<p class=\"error\">{}: {}</p>", escape(&error.kind), escape(&error.message));
    }
    let givers = |digest: &Digest| {
        record.calls.iter().find(|other| other.outputs.values().any(|summary| summary.digest == *digest))
    };
    let inputs: Vec<String> =
        call.inputs.iter().filter_map(givers).map(|giver| to(&call_place(&giver.id), &giver.node)).collect();
    if !inputs.is_empty() {
        let _ = writeln!(out, "<p>Data from {}</p>", inputs.join(", "));
    }
    if !call.sources.is_empty() {
        out.push_str("<p>Read from</p><ul class=\"sources\">\n");
        for source in &call.sources {
            let facts: Vec<String> = source
                .facts
                .iter()
                .map(|(name, value)| format!("{} {}", escape(name), escape(value)))
                .collect();
            let _ = writeln!(
                out,
                "<li>{} – {} bytes in {} parts, <code>{}</code>{}{}</li>",
                address(&source.address),
                source.bytes,
                source.parts,
                source.digest.short(),
                if facts.is_empty() { "" } else { "; " },
                facts.join("; ")
            );
        }
        out.push_str("</ul>\n");
    }
    for (name, summary) in &call.outputs {
        let _ = writeln!(
            out,
            "<p>Gave {} <code>{}</code>: {} {} {:?} <code>{}</code></p>",
            escape(name),
            summary.kind,
            escape(&summary.name),
            escape(&summary.units),
            summary.shape,
            summary.digest.short()
        );
    }
    let evidence: Vec<String> = call
        .evidence
        .iter()
        .filter_map(|item| item.id.as_ref())
        .map(|id| to(&evidence_place(id), id.as_str()))
        .collect();
    if !evidence.is_empty() {
        let _ = writeln!(out, "<p>Evidence {}</p>", evidence.join(", "));
    }
    for note in &call.notes {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(note));
    }
    out.push_str("</div>\n");
    out
}

/// How a status is shown.
pub(super) const fn class(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Skipped => "skipped",
        _ => "failed",
    }
}
