//! `leg worker`: a process that does nodes for `leg run --executor process`.

use std::sync::Arc;

use leg::core::FolderObjects;
use leg::core::run::{WorkerParts, serve};

use crate::args::WorkerArguments;
use crate::output::{DONE, Ending, Failure};
use crate::session::Session;

/// Standard output belongs to the protocol: nothing else is printed there.
pub(crate) async fn worker(session: &Session, arguments: WorkerArguments) -> Ending {
    let catalog = session.catalog(&arguments.datasets)?;
    let objects = Arc::new(FolderObjects::new(arguments.objects));
    let parts = WorkerParts::new(Arc::clone(catalog.registry()), objects).with_roles(catalog.roles());
    serve(std::io::stdin(), std::io::stdout(), parts).await.map_err(Failure::failed)?;
    Ok(DONE)
}
