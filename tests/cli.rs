//! The program from outside: what it prints, how it ends, what it leaves on disk.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at what it does not expect, and says when it is skipped"
)]

#[path = "cli/bad_input.rs"]
mod bad_input;
#[path = "cli/bench.rs"]
mod bench;
#[path = "cli/commands.rs"]
mod commands;
#[path = "cli/executors.rs"]
mod executors;
#[path = "cli/export.rs"]
mod export;
#[path = "cli/graph.rs"]
mod graph;
#[path = "cli/ledger.rs"]
mod ledger;
#[path = "cli/plans.rs"]
mod plans;
#[path = "cli/program.rs"]
mod program;
#[path = "cli/reference.rs"]
mod reference;
#[path = "cli/remote.rs"]
mod remote;
#[path = "cli/resume.rs"]
mod resume;
#[path = "cli/services.rs"]
mod services;
