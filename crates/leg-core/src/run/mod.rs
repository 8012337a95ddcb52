//! Running a compiled graph: the scheduler, the gate to the tools, events, the report.

mod budget;
mod call;
mod event;
mod executor;
mod finish;
mod gate;
mod meter;
mod node;
mod options;
mod outcome;
mod report;
mod resolve;
mod roles;
mod runner;
mod scope;
mod span;
mod task;
mod track;

pub use budget::{Amounts, Budget, BudgetError, Resource};
pub use call::{CallResult, StoredRendering};
pub use event::{Change, EVENT_VERSION, EventLog, EventStream, RunEvent};
pub use executor::{LocalExecutor, NodeExecutor};
pub use gate::{Answers, Gate};
pub use meter::{Exhausted, Meter, Reservation};
pub use options::{Proposal, Recording, RunOptions};
pub use outcome::{NodeEnd, RunOutcome};
pub use report::{Figure, Report};
pub use roles::Roles;
pub use runner::{Engine, Run, StartError};
pub use scope::RunScope;
pub use task::{FoldRole, NodeOutput, NodeTask, Work};
