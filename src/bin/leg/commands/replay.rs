//! `leg replay RUN`

use std::sync::Arc;

use serde_json::json;

use crate::args::{ReplayArguments, ReplayMode};
use crate::output::{DONE, Ending, FAILED, Failure, print, print_json};
use crate::session::{Session, bare_catalog};

pub(crate) async fn replay(session: &Session, arguments: ReplayArguments) -> Ending {
    let folder = session.run_folder(&arguments.run)?;
    let catalog = bare_catalog()?;
    let found = match arguments.mode {
        ReplayMode::Strict => {
            let registry = Arc::clone(catalog.registry());
            leg::core::replay::replay(
                &folder,
                registry,
                &catalog.router(),
                catalog.roles(),
                arguments.concurrency,
            )
            .await
            .map_err(Failure::wrong)?
        }
    };
    if session.json {
        print_json(&json!(found));
    } else {
        match &found.divergence {
            None => print(&format!("replayed: every record came out again ({})", folder.path().display())),
            Some(divergence) => {
                print(&format!(
                    "the replay differs first at record {} ({})",
                    divergence.seq, divergence.kind
                ));
                let side = |value: &Option<serde_json::Value>| {
                    value.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string)
                };
                print(&format!("  recorded  {}", side(&divergence.recorded)));
                print(&format!("  replayed  {}", side(&divergence.replayed)));
            }
        }
        if let Some(root) = found.content_root {
            print(&format!("  content root  {root}"));
        }
    }
    Ok(if found.ok { DONE } else { FAILED })
}
