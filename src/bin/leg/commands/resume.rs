//! `leg resume RUN`

use leg::core::run::Run;

use super::execute::{Executed, attend, engine};
use super::run::show;
use crate::args::ResumeArguments;
use crate::output::{Ending, Failure};
use crate::session::Session;

pub(crate) async fn resume(session: &Session, arguments: ResumeArguments) -> Ending {
    let folder = session.run_folder(&arguments.run)?;
    let catalog = session.catalog_of(&folder, &arguments.datasets)?;
    // The objects of a run that stands alone are its own.
    let own = folder.path().join("objects");
    let runs = folder.path().parent().unwrap_or(&session.runs);
    let objects = if own.is_dir() { own } else { runs.join("objects") };
    let executor = arguments.executor.executor(session, &catalog, &arguments.datasets, &objects)?;
    let engine = engine(&catalog, executor, &objects);
    let run = Run::resume(folder.clone(), &engine, arguments.concurrency).map_err(Failure::wrong)?;
    let outcome = attend(run).await?;
    let plan = std::sync::Arc::clone(&outcome.plan);
    let executed = Executed { outcome, folder, objects: engine.objects };
    Ok(show(session, &plan, &executed, arguments.values))
}
