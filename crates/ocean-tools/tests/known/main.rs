//! Tools against closed forms on small grids: solid rotation, linear fields, spheres, budgets made to close.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod budgets;
#[path = "../fixture/mod.rs"]
#[expect(dead_code, reason = "the other suites use more of it")]
mod fixture;
mod flows;
mod grids;
mod sea;
