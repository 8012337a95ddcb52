//! `leg gc`

use leg::core::SystemClock;
use leg::core::ledger::{Collect, CollectError, change_pins, collect};
use serde_json::json;

use crate::args::GcArguments;
use crate::output::{DONE, Ending, Failure, print, print_json};
use crate::session::Session;

pub(crate) fn gc(session: &Session, arguments: &GcArguments) -> Ending {
    let ids = |runs: &[String]| runs.iter().map(|run| session.run_id(run)).collect::<Result<Vec<_>, _>>();
    if !arguments.pin.is_empty() || !arguments.unpin.is_empty() {
        let pinned =
            change_pins(&session.runs, &ids(&arguments.pin)?, &arguments.unpin).map_err(Failure::wrong)?;
        if session.json {
            print_json(&json!({ "pinned": pinned }));
        } else {
            print(&format!("{} runs are pinned", pinned.len()));
            for id in &pinned {
                print(&format!("  {id}"));
            }
        }
        return Ok(DONE);
    }
    let keep = if arguments.keep.is_empty() { None } else { Some(ids(&arguments.keep)?) };
    let what = Collect { keep, dry_run: arguments.dry_run };
    let found = collect(&session.runs, &what, &SystemClock).map_err(|error| match error {
        CollectError::Running { .. } => Failure::failed(error),
        _ => Failure::wrong(error),
    })?;
    if session.json {
        print_json(&json!(found));
        return Ok(DONE);
    }
    let done = if found.dry_run { "would remove" } else { "removed" };
    print(&format!(
        "{done} {} runs, {} objects and {} half-written files: {} bytes",
        found.runs.len(),
        found.objects,
        found.leftovers,
        found.bytes
    ));
    found.runs.iter().for_each(|id| print(&format!("  {id}")));
    print(&format!("kept {} runs", found.kept.len()));
    Ok(DONE)
}
