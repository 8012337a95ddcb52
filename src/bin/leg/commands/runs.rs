//! `leg runs [RUN]`

use leg::core::ledger::{MANIFEST, RunFolder};
use serde_json::{Value, json};

use crate::output::{DONE, Ending, Failure, print, print_json, table};
use crate::session::Session;

pub(crate) fn runs(session: &Session, run: Option<&str>) -> Ending {
    if let Some(run) = run {
        return show(session, run);
    }
    list(session);
    Ok(DONE)
}

fn show(session: &Session, run: &str) -> Ending {
    let folder = session.run_folder(run)?;
    let manifest = manifest(&folder);
    if session.json {
        let report = folder.read("report.json").ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        print_json(&json!({ "manifest": manifest, "report": report.unwrap_or(Value::Null) }));
        return Ok(DONE);
    }
    let report = folder.read("report.md").map_err(|_| {
        Failure::wrong(format!("run `{run}` has no report: it did not end; `leg verify` says more"))
    })?;
    print(&String::from_utf8_lossy(&report));
    Ok(DONE)
}

fn list(session: &Session) {
    let mut found: Vec<(String, Value)> = Vec::new();
    // A folder that is not there holds no runs.
    for entry in std::fs::read_dir(&session.runs).into_iter().flatten().flatten() {
        if let Ok(folder) = RunFolder::open(&entry.path()) {
            found.push((entry.file_name().to_string_lossy().into_owned(), manifest(&folder)));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    if session.json {
        let runs: Vec<Value> =
            found.iter().map(|(id, manifest)| json!({ "run": id, "manifest": manifest })).collect();
        print_json(&json!({ "runs": runs }));
        return;
    }
    if found.is_empty() {
        print(&format!("no runs in `{}`", session.runs.display()));
        return;
    }
    let text =
        |manifest: &Value, key: &str| manifest.get(key).and_then(Value::as_str).unwrap_or("-").to_owned();
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|(id, manifest)| {
            let question: String = text(manifest, "question").chars().take(60).collect();
            vec![id.clone(), text(manifest, "status"), text(manifest, "started"), question]
        })
        .collect();
    print(&table(&["run", "status", "started", "question"], &rows));
}

/// The manifest; null for a run that did not end.
fn manifest(folder: &RunFolder) -> Value {
    folder.read(MANIFEST).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or(Value::Null)
}
