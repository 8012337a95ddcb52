//! `leg prove RUN SEQ`, `leg prove RUN --from SIZE` and `leg prove --check FILE`

use std::path::Path;

use leg::core::Digest;
use leg::core::ledger::{ConsistencyProof, InclusionProof, LEDGER};
use serde_json::{Value, json};

use crate::args::ProveArguments;
use crate::output::{DONE, Ending, FAILED, Failure, print, print_json};
use crate::session::Session;

pub(crate) fn prove(session: &Session, arguments: &ProveArguments) -> Ending {
    let root = arguments.root.as_deref().map(str::parse::<Digest>).transpose().map_err(Failure::wrong)?;
    if let Some(file) = &arguments.check {
        return check(session, file, root.as_ref());
    }
    let run = arguments.run.as_deref().unwrap_or_default();
    let bytes = session.run_folder(run)?.read(LEDGER).map_err(Failure::wrong)?;
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    // What follows the last line feed is no line.
    lines.pop();
    if let Some(from) = arguments.from {
        let proof = ConsistencyProof::of(&lines, from).map_err(Failure::wrong)?;
        if session.json {
            print_json(&json!(proof));
        } else {
            print(&format!("the ledger of {} records begins with its first {from}", proof.size));
            print(&format!("  root then  {}", proof.from_root));
            print(&format!("  log root   {}", proof.log_root));
            print_path(&proof.path);
        }
        return Ok(DONE);
    }
    let proof = InclusionProof::of(&lines, arguments.seq.unwrap_or_default()).map_err(Failure::wrong)?;
    if session.json {
        print_json(&json!(proof));
    } else {
        print(&format!("record {} of {}: {}", proof.seq, proof.size, kind(&proof.record)));
        print(&format!("  {}", proof.record));
        print(&format!("  leaf      {}", proof.leaf));
        print_path(&proof.path);
        print(&format!("  log root  {}", proof.log_root));
    }
    Ok(DONE)
}

/// Checks a document that `prove --json` printed, without the run.
fn check(session: &Session, file: &Path, root: Option<&Digest>) -> Ending {
    let read = if file == Path::new("-") {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(file)
    };
    let named = file.display();
    let text = read.map_err(|error| {
        Failure::wrong(format!("proof `{named}`: {error}; name a file that `leg prove --json` wrote"))
    })?;
    let wrong = |error: serde_json::Error| {
        Failure::wrong(format!("proof `{named}`: {error}; give what `leg prove --json` printed"))
    };
    let document: Value = serde_json::from_str(&text).map_err(wrong)?;
    let (found, log_root, says) = if document.get("from").is_some() {
        let proof: ConsistencyProof = serde_json::from_value(document).map_err(wrong)?;
        let found = proof.check().and_then(|()| match root {
            Some(expected) => proof.is_for(expected),
            None => Ok(()),
        });
        (found, proof.log_root, format!("{} records begin with the first {}", proof.size, proof.from))
    } else {
        let proof: InclusionProof = serde_json::from_value(document).map_err(wrong)?;
        let says = format!("record {} of {} is {}", proof.seq, proof.size, kind(&proof.record));
        (proof.check(root), proof.log_root, says)
    };
    let fault = |message: String| json!({ "place": named.to_string(), "kind": "proof", "message": message });
    let faults: Vec<Value> = found.as_ref().err().map(|error| fault(error.to_string())).into_iter().collect();
    if session.json {
        print_json(&json!({ "ok": found.is_ok(), "faults": faults, "log_root": log_root }));
    } else {
        match &found {
            Ok(()) => print(&format!("the proof holds: {says}, under the root {log_root}")),
            Err(error) => print(&format!("the proof does not hold: {error}")),
        }
    }
    Ok(if found.is_ok() { DONE } else { FAILED })
}

fn kind(record: &Value) -> &str {
    record.get("kind").and_then(Value::as_str).unwrap_or("a record")
}

fn print_path(path: &[Digest]) {
    for (at, digest) in path.iter().enumerate() {
        print(&format!("  {} {digest}", if at == 0 { "path     " } else { "         " }));
    }
}
