//! The commands: one match, one file each.

mod agents;
mod ask;
mod bench;
mod bench_hydro;
mod data;
mod demo;
mod du;
mod execute;
mod export;
mod gc;
mod graph;
mod plan;
mod planning;
mod prove;
mod replay;
mod resume;
mod run;
mod runs;
mod services;
mod sign;
mod skills;
mod tools;
mod trace;
mod verify;
mod worker;

use crate::args::{Arguments, Command};
use crate::output::Ending;
use crate::session::Session;

/// Does what the arguments say.
pub(crate) async fn dispatch(arguments: Arguments) -> Ending {
    let session = Session::new(
        arguments.json,
        arguments.runs,
        arguments.config.as_deref(),
        arguments.services.as_deref(),
    )?;
    match arguments.command {
        Command::Demo(own) => demo::demo(&session, own).await,
        Command::Ask(own) => ask::ask(&session, own).await,
        Command::Plan(own) => plan::plan(&session, own),
        Command::Run(own) => run::run(&session, own).await,
        Command::Graph(own) => graph::graph(&session, &own),
        Command::Du(own) => du::du(&session, &own),
        Command::Gc(own) => gc::gc(&session, &own),
        Command::Verify(own) => verify::verify(&session, &own),
        Command::Prove(own) => prove::prove(&session, &own),
        Command::Replay(own) => replay::replay(&session, own).await,
        Command::Resume(own) => resume::resume(&session, own).await,
        Command::Trace(own) => trace::trace(&session, &own),
        Command::Export(own) => export::export(&session, &own),
        Command::Runs(own) => runs::runs(&session, own.run.as_deref()),
        Command::Tools(own) => tools::tools(&session, own).await,
        Command::Sign(own) => sign::sign(&session, &own),
        Command::Skills(own) => skills::skills(&session, own),
        Command::Agents(own) => agents::agents(&session, own.id.as_deref()),
        Command::Data(own) => data::data(&session, own.action),
        Command::Services(own) => services::services(&session, own.action).await,
        Command::Bench(own) => bench::bench(&session, own.action).await,
        Command::Worker(own) => worker::worker(&session, own).await,
    }
}
