//! Replay: the recorded graph through the same engine, with recorded answers.

mod divergence;
mod overlay;
#[expect(clippy::module_inception, reason = "the file is named for the function that it holds")]
mod replay;

pub use divergence::Divergence;
pub use replay::{Mode, ReplayError, ReplayOutcome, replay};
