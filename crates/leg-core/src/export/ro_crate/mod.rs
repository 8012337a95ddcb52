//! `ro-crate`: a Provenance Run Crate 0.5 (<https://www.researchobject.org/workflow-run-crate/>), which is also a run
//! folder that verifies and replays.
//!
//! | of the run | in the crate |
//! | --- | --- |
//! | the plan that ran, `plan.json` | main workflow: `ComputationalWorkflow`, `HowTo` |
//! | a node that started | `HowToStep`; each of its runs a `ControlAction` |
//! | a tool, an agent, a role that worked | `SoftwareApplication`, part of the workflow |
//! | a call; the work of an agent or a role | `CreateAction` |
//! | the engine | `SoftwareApplication`, instrument of the `OrganizeAction` |
//! | who approved | `Person`, agent of the actions; the approval an `AssessAction` |
//! | files and objects | `File` with `sha256` |
//! | evidence, arguments | `PropertyValue` |
//! | claims, gaps | `Claim`, `Comment` |
//!
//! A node that never started is no step here, for the profile has no place for a step without a run: it is a gap, and
//! it is in `plan.json` and in the ledger.

mod actions;
mod evidence;
mod files;
mod graph;
mod parameters;
mod root;
mod workflow;
mod write;

pub(super) use write::{EXPORT, is_description};
