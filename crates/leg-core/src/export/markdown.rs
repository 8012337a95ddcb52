//! `md`: the report as Markdown, headed by what identifies the run and how to check it.

use std::fmt::Write as _;

use serde_json::Value;

use crate::export::staging::Staging;
use crate::export::{Export, ExportError, RunRecord};

pub(super) const EXPORT: Export = Export {
    name: "md",
    summary: "the report as Markdown, with the roots, and how to verify it",
    is_folder: false,
    write,
};

fn write(record: &RunRecord, out: &mut Staging) -> Result<(), ExportError> {
    out.write(render(record)?.as_bytes())
}

fn render(record: &RunRecord) -> Result<String, ExportError> {
    let report: Value = serde_json::from_slice(&record.folder().read("report.json")?).unwrap_or_default();
    // The one rendering of a report is the run's own.
    let report = report.get("markdown").and_then(Value::as_str).ok_or(ExportError::Missing("report"))?;
    let (title, rest) = report.split_once('\n').unwrap_or((report, ""));
    let mut out = format!("{title}\n\n");
    let root = record.content_root.map(|root| root.to_string()).unwrap_or_default();
    let _ = writeln!(out, "| | |\n| --- | --- |");
    for (name, value) in [
        ("run", record.run_id.as_str()),
        ("status", record.status.as_str()),
        ("started", record.started.as_str()),
        ("finished", record.finished.as_str()),
        ("engine", record.engine.as_str()),
        ("approved by", record.approved_by()),
        ("content root", root.as_str()),
        ("log root", record.log_root.to_string().as_str()),
    ] {
        let _ = writeln!(out, "| {name} | `{}` |", cell(value));
    }
    let _ = write!(
        out,
        "\nVerified when it was exported. To check it: `leg verify {run}`; to run it again from its record: \
         `leg replay {run}`; to follow a number to its bytes: `leg trace {run} E1`.\n",
        run = record.run_id
    );
    out.push_str(rest);
    out.push_str(&calls(record));
    Ok(out)
}

/// Where the evidence came from: each call and what it read.
fn calls(record: &RunRecord) -> String {
    let mut out = String::from(
        "\n## Calls\n\n| node | tool | status | started | read from |\n| --- | --- | --- | --- | --- |\n",
    );
    for call in &record.calls {
        let sources: Vec<&str> = call.sources.iter().map(|source| source.address.as_str()).collect();
        let _ = writeln!(
            out,
            "| `{}` | `{}` | {} | {} | {} |",
            cell(&call.node),
            cell(&call.tool),
            call.status,
            call.started,
            cell(&sources.join(", "))
        );
    }
    out
}

/// Text from outside cannot open another cell, another line, or a code span.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|").replace('`', "'")
}
