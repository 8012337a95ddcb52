//! Running a compiled graph: the scheduler, the gate to the tools, events, the report.

mod attempt;
mod attribution;
mod budget;
mod call;
mod call_record;
mod event;
mod executor;
mod finish;
mod gate;
mod hub;
mod keep;
mod meter;
mod node;
mod options;
mod outcome;
mod overseer;
mod oversight;
mod port;
mod report;
mod resolve;
mod roles;
mod rules_overseer;
mod runner;
mod scope;
mod span;
mod task;
mod track;

pub use attribution::Attribution;
pub use budget::{Amounts, Budget, BudgetError, Resource};
pub use call::{CallResult, StoredRendering};
pub use event::{Change, EVENT_VERSION, EventLog, EventStream, RunEvent};
pub use executor::{LocalExecutor, NodeExecutor};
pub use gate::{Answers, Gate};
pub use meter::{Exhausted, Meter, Reservation};
pub use options::{CallLimits, Durability, Payload, Proposal, Recording, RunOptions};
pub use outcome::{NodeEnd, RunOutcome};
pub use overseer::{
    Action, Judgement, LayerView, NodeView, Overseer, OverseerVerdict, Promise, Upstream, WorkView,
};
pub use oversight::{Fire, OverseerLimits, Oversight, Ruling};
pub use port::{CallKey, Held, HostPermits, RunPort};
pub use report::{Figure, Report};
pub use roles::Roles;
pub use rules_overseer::RulesOverseer;
pub use runner::{Engine, Run, StartError};
pub use scope::RunScope;
pub use task::{FoldRole, NodeOutput, NodeTask, Work};
