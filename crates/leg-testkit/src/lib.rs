//! Fakes, conformance suites and generators for the tests of the other crates.
//!
//! It is a development dependency only. Everything here panics with a clear message when a check does not hold.
//!
//! - [`FakeTool`], [`FakeAgent`], [`FakeDesk`]: parts that do what a test tells them, and count it.
//! - [`ToldTool`], [`ToldAgent`]: parts that do what their arguments, or their task, tell them: for random plans.
//! - [`told_world`]: such random plans, and how each of their nodes must end.
//! - [`ScriptedOverseer`], [`ScriptedReplanner`]: they judge and mend as a test tells them, and keep what they saw.
//! - [`fake_registry`]: a small world of tools and agents that plans can be written against.
//! - [`small_run`]: a finished run of that world in a folder.
//! - [`check_run_crate`]: a strict reader of Provenance Run Crates.
//! - [`fuzz`]: properties that hold for any bytes, for fuzzers, the saved corpus and random tests.
//! - [`strategies`]: random JSON and random valid plans over that world.
//! - [`conformance`]: what every tool, every object and ledger store, every executor and every [`Fetch`](leg_fetch::Fetch) must do.
//! - [`TrailTool`]: a tool whose calls can be counted over several processes; it can also crash and hang.

pub mod conformance;
mod fake_agent;
mod fake_answer;
mod fake_desk;
mod fake_registry;
mod fake_tool;
pub mod fuzz;
mod heard;
mod run_crate;
mod script;
mod scripted_model;
mod scripted_overseer;
mod scripted_replanner;
mod small_run;
pub mod strategies;
mod told_agent;
mod told_tool;
pub mod told_world;
mod trail_tool;

pub use fake_agent::FakeAgent;
pub use fake_desk::FakeDesk;
pub use fake_registry::{fake_agents, fake_registry, fake_tools};
pub use fake_tool::{Calls, FakeTool};
pub use run_crate::{check_run_crate, check_run_crate_document};
pub use scripted_model::ScriptedModel;
pub use scripted_overseer::ScriptedOverseer;
pub use scripted_replanner::ScriptedReplanner;
pub use small_run::{small_graph, small_plan, small_run};
pub use told_agent::ToldAgent;
pub use told_tool::ToldTool;
pub use trail_tool::{Deed, TrailTool, trail};
