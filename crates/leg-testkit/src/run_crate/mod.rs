//! A strict reader of Provenance Run Crates. The usual validators pass crates that lack half of what the profile asks
//! for; this one wants every entity, linked both ways, and as many as the crate's own ledger has.

mod actions;
mod check;
mod ledger;
mod parts;

pub use check::{check_run_crate, check_run_crate_document};
