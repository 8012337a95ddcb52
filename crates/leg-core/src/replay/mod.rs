//! Replay: the recorded graph through the same engine, with recorded answers.

mod again;
mod against;
mod close;
mod divergence;
mod mode;
mod overlay;
#[expect(clippy::module_inception, reason = "the file is named for the function that it holds")]
mod replay;

pub use again::Remark;
pub use against::compare;
pub use divergence::Divergence;
pub use mode::Mode;
pub use replay::{ReplayError, ReplayOutcome, Replayer, replay};
