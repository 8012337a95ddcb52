//! The answer: claims with their verdicts and citations, gaps, notes, and the evidence.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::calls::call_place;
use super::markup::{anchor, escape, row, table, to};
use crate::evidence::prose_unit;
use crate::export::RunRecord;
use crate::{Claim, EvidenceId, Verdict};

/// The sections of the report.
pub(super) fn sections(record: &RunRecord) -> String {
    let mut out = String::new();
    for section in &record.sections {
        if !section.heading.is_empty() {
            let _ = writeln!(out, "<h3>{}</h3>", escape(&section.heading));
        }
        out.push_str("<ul class=\"claims\">\n");
        for claim in &section.claims {
            out.push_str(&sentence(claim));
        }
        out.push_str("</ul>\n");
    }
    if out.is_empty() {
        out.push_str("<p>The run wrote no sentences.</p>\n");
    }
    out
}

/// A sentence that is not backed is struck, and says so.
fn sentence(claim: &Claim) -> String {
    let mut cited = String::new();
    for id in &claim.evidence {
        let _ = write!(cited, " <sup>{}</sup>", to(&evidence_place(id), id.as_str()));
    }
    let text = escape(&claim.text);
    let (verdict, word) = match claim.verdict {
        Some(Verdict::Grounded) => ("grounded", "grounded"),
        Some(Verdict::Contradicted) => ("struck", "struck: the evidence says otherwise"),
        Some(Verdict::Ungrounded) => ("struck", "struck: not backed by evidence"),
        Some(Verdict::Uncheckable) | None => ("open", "nothing to check"),
    };
    let text = if verdict == "struck" { format!("<del>{text}</del>") } else { text };
    format!("<li class=\"{verdict}\">{text}{cited} <small>{word}</small></li>\n")
}

/// Gaps and notes; nothing where there are none.
pub(super) fn gaps(record: &RunRecord) -> String {
    let mut out = String::new();
    if !record.gaps.is_empty() {
        out.push_str("<section id=\"gaps\"><h2>Gaps</h2>\n<p>What could not be found out.</p>\n<ul>\n");
        for gap in &record.gaps {
            let node = to(&anchor("node", gap.node.as_str()), gap.node.as_str());
            let _ = writeln!(out, "<li>{node} ({}): {}</li>", gap.status, escape(&gap.reason));
        }
        out.push_str("</ul></section>\n");
    }
    if !record.notes.is_empty() {
        out.push_str("<section id=\"notes\"><h2>Notes</h2>\n<ul>\n");
        for note in &record.notes {
            let _ = writeln!(out, "<li>{}</li>", escape(note));
        }
        out.push_str("</ul></section>\n");
    }
    out
}

/// The table of evidence: each quantity with its call and the claims that cite it.
pub(super) fn evidence(record: &RunRecord) -> String {
    let mut rows = String::new();
    for item in &record.evidence {
        let own = &item.evidence;
        let Some(id) = &own.id else { continue };
        let value = match &own.value {
            Value::String(text) => text.clone(),
            Value::Null => "missing".to_owned(),
            other => other.to_string(),
        };
        let facts: BTreeMap<&str, String> = [
            ("when", own.when.clone()),
            ("where", own.place.as_ref().map(Value::to_string)),
            ("relative to", own.baseline.clone()),
            ("uncertainty", own.uncertainty.as_ref().map(Value::to_string)),
            ("n", own.n.map(|n| n.to_string())),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .collect();
        let facts: Vec<String> =
            facts.iter().map(|(name, value)| format!("{name} {}", escape(value))).collect();
        let unit = format!("{} {}", prose_unit(&own.unit), own.datum.as_deref().unwrap_or_default());
        let call = record.calls.iter().find(|call| Some(call.id) == item.call);
        let call = call.map_or_else(|| "–".to_owned(), |call| to(&call_place(&call.id), &call.tool));
        let _ = writeln!(
            rows,
            "<tr id=\"{}\"><th scope=\"row\">{id}</th><td><code>{}</code></td><td class=\"number\">{}</td><td>{}</td>\
             <td>{}</td><td>{}</td><td>{call}</td></tr>",
            evidence_place(id),
            escape(&own.key),
            escape(&value),
            escape(unit.trim()),
            facts.join("<br>"),
            escape(&own.method),
        );
    }
    table(&["id", "what", "value", "unit", "details", "method", "from"], &rows)
}

/// The place of evidence in the page.
pub(super) fn evidence_place(id: &EvidenceId) -> String {
    anchor("evidence", id.as_str())
}

/// What identifies the run, and what was checked.
pub(super) fn summary(record: &RunRecord) -> String {
    let code = |text: String| format!("<code>{}</code>", escape(&text));
    let approvals: Vec<String> = record
        .approvals
        .iter()
        .map(|approval| format!("{} at {}", escape(&approval.by), escape(&approval.given)))
        .collect();
    let digest =
        record.approvals.first().map(|approval| approval.plan_digest.to_string()).unwrap_or_default();
    let facts = [
        ("run", code(record.run_id.clone())),
        ("status", escape(record.status.as_str())),
        ("started", escape(&record.started)),
        ("finished", escape(&record.finished)),
        ("engine", escape(&record.engine)),
        ("plan by", escape(record.proposed_by.as_deref().unwrap_or("unknown"))),
        ("approved by", approvals.join("<br>")),
        ("plan digest", code(digest)),
        ("content root", code(record.content_root.map(|root| root.to_string()).unwrap_or_default())),
        ("log root", code(record.log_root.to_string())),
        ("ledger", format!("{} records, {} calls", record.entries, record.calls.len())),
    ];
    let rows: String = facts.iter().map(|(name, value)| row(&[(*name).to_owned(), value.clone()])).collect();
    format!(
        "<p class=\"verified\">Verified when this page was made: every line of the ledger, both roots, every object, \
         every file, and every claim against its evidence.</p>\n<div class=\"wide\"><table class=\"facts\"><tbody>\n{rows}\
         </tbody></table></div>\n<p>To check it again: <code>leg verify {run}</code>; to run it again from its record, \
         without any source: <code>leg replay {run}</code>. This page itself is no proof: the run folder is.</p>\n",
        run = escape(&record.run_id)
    )
}
