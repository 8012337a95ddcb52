//! `leg trace RUN EVIDENCE`

use leg::core::ledger;
use serde_json::{Value, json};

use crate::args::TraceArguments;
use crate::output::{DONE, Ending, Failure, print, print_json};
use crate::session::Session;

pub(crate) fn trace(session: &Session, arguments: &TraceArguments) -> Ending {
    let folder = session.run_folder(&arguments.run)?;
    let found = ledger::trace(&folder, &arguments.evidence).map_err(Failure::wrong)?;
    if session.json {
        print_json(&json!(found));
        return Ok(DONE);
    }
    for claim in &found.claims {
        print(&format!("claim     {}", claim.text));
    }
    let evidence = &found.evidence;
    let id = evidence.id.as_ref().map(ToString::to_string).unwrap_or_default();
    let when = evidence.when.as_ref().map(|when| format!(" at {when}")).unwrap_or_default();
    print(&format!("evidence  {id} `{}` = {} {}{when}", evidence.key, evidence.value, evidence.unit));
    print(&format!("  method  {}", evidence.method));
    if let Some(artifact) = &evidence.artifact {
        print(&format!(
            "  artifact {artifact}{}",
            if evidence.pointer.is_empty() { "" } else { " at " }.to_owned() + &evidence.pointer
        ));
    }
    if let Some(stored) = &found.stored {
        print(&format!("  stored there: {stored}"));
    }
    for call in &found.calls {
        print(&format!("call      {} by `{}` (record {})", call.tool, call.node, call.seq));
        print(&format!("  args    {}", call.args));
        for (name, digest) in &call.outputs {
            print(&format!("  output  {name} {digest}"));
        }
        for source in call.sources.as_array().into_iter().flatten() {
            let text = |key: &str| source.get(key).map(Value::to_string).unwrap_or_default();
            print(&format!(
                "  source  {} ({} bytes in {} parts, {})",
                text("address"),
                text("bytes"),
                text("parts"),
                text("digest")
            ));
        }
    }
    Ok(DONE)
}
