//! `leg replay RUN`

use std::sync::Arc;

use leg::core::ledger::RunFolder;
use leg::core::replay::{Mode, ReplayOutcome, Replayer, compare};
use serde_json::{Value, json};

use crate::args::{ReplayArguments, ReplayMode};
use crate::output::{DONE, Ending, FAILED, Failure, print, print_json};
use crate::session::Session;

pub(crate) async fn replay(session: &Session, arguments: ReplayArguments) -> Ending {
    let folder = session.run_folder(&arguments.run)?;
    let found = if let Some(other) = &arguments.against {
        compare(&folder, &session.run_folder(other)?).map_err(Failure::wrong)?
    } else {
        let mode = match arguments.mode {
            ReplayMode::Strict => Mode::Strict,
            ReplayMode::Recompute => Mode::Recompute,
            ReplayMode::Live => Mode::Live,
        };
        let catalog = match mode {
            // Nothing is opened: a dataset that is gone is no hindrance.
            Mode::Strict => session.definitions_of(&folder)?,
            _ => session.catalog_of(&folder, &arguments.datasets)?,
        };
        Replayer::new(Arc::clone(catalog.registry()))
            .with_router(Arc::new(catalog.router()))
            .with_roles(catalog.roles())
            .with_overseer(Some(catalog.overseer()))
            .with_mode(mode)
            .with_concurrency(arguments.concurrency)
            .replay(&folder)
            .await
            .map_err(Failure::wrong)?
    };
    if session.json {
        print_json(&json!(found));
    } else {
        show(&found, &folder);
        if let Some(root) = found.content_root {
            print(&format!("  content root  {root}"));
        }
    }
    Ok(if found.ok { DONE } else { FAILED })
}

fn show(found: &ReplayOutcome, folder: &RunFolder) {
    match (&found.divergence, found.mode) {
        (None, Mode::Against) => print("both runs have the same records"),
        (None, _) => print(&format!("replayed: every record came out again ({})", folder.path().display())),
        (Some(divergence), _) => {
            let place = format!("record {} ({})", divergence.seq, divergence.kind);
            print(&format!("the first difference is at {place}"));
            let side =
                |value: &Option<Value>| value.as_ref().map_or_else(|| "nothing".to_owned(), Value::to_string);
            print(&format!("  recorded  {}", side(&divergence.recorded)));
            print(&format!("  replayed  {}", side(&divergence.replayed)));
        }
    }
    let lists = [
        ("not made again", &found.not_recomputed),
        ("the same to 1e-10", &found.within_tolerance),
        ("another result", &found.differences),
    ];
    for (what, remarks) in lists {
        for remark in remarks {
            print(&format!("  {what}: `{}` ({}): {}", remark.node, remark.tool, remark.reason));
        }
    }
}
