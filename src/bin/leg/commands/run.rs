//! `leg run PLAN`

use leg::core::{ObjectStore, Plan};
use serde_json::json;

use super::execute::{Executed, compile, execute};
use crate::args::RunArguments;
use crate::output::{DONE, Ending, FAILED, Failure, print, print_json, talk};
use crate::session::{Session, cut_off, read_plan};

/// How many numbers `--values` adds at most.
const VALUES: usize = 100_000;

pub(crate) async fn run(session: &Session, arguments: RunArguments) -> Ending {
    let (plan, repairs) = read_plan(&arguments.plan)?;
    let catalog = session.catalog(&arguments.datasets)?;
    if !arguments.datasets.data.is_empty() {
        // A file that the flags name and that is not there is wrong input, before anything runs.
        for name in catalog.datasets().names() {
            catalog.datasets().open(Some(name)).map_err(Failure::wrong)?;
        }
    }
    let cut = cut_off(&repairs);
    let refused = cut.clone().map(|cut| Failure::diagnostics(&[cut]));
    let repairs = repairs.iter().map(|repair| json!(repair)).collect();
    let compiled = match (compile(&catalog, plan, repairs, "file"), refused) {
        (Ok(compiled), None) => compiled,
        (Ok(compiled), Some(_)) if !arguments.approval.yes => compiled,
        (_, Some(refused)) => return Err(refused),
        (Err(failure), None) => return Err(failure),
    };
    if let Some(cut) = cut {
        talk(&format!("note: {}", cut.message));
    }
    if !session.json {
        talk(&compiled.shown());
    }
    let executed = execute(session, &catalog, &compiled, &arguments.datasets, &arguments.approval).await?;
    Ok(show(session, &compiled.plan, &executed, arguments.approval.values))
}

/// Prints a finished run; gives the exit code.
pub(crate) fn show(session: &Session, plan: &Plan, executed: &Executed, values: bool) -> u8 {
    let outcome = &executed.outcome;
    if session.json {
        print_json(&if values {
            let objects: &dyn ObjectStore = executed.objects.as_ref();
            outcome.to_json_with_values(plan, objects, VALUES)
        } else {
            outcome.to_json(plan)
        });
    } else {
        print(&outcome.report.to_markdown());
        print(&format!("status        {}", outcome.status));
        print(&format!("content root  {}", outcome.content_root));
        print(&format!("run folder    {}", executed.folder.path().display()));
        for figure in &outcome.report.figures {
            print(&format!("figure        {}", executed.folder.path().join(&figure.file).display()));
        }
    }
    if outcome.is_good() { DONE } else { FAILED }
}
