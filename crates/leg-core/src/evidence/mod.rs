//! Evidence, the claims that rest on it, and the check of a report's numbers.

mod candidates;
mod claim;
#[expect(clippy::module_inception, reason = "the file is named for the type that it holds")]
mod evidence;
mod grounding;
mod numbers;
mod prose_units;

pub use claim::{Claim, Operation, Verdict};
pub use evidence::{Evidence, EvidenceDraft};
pub use grounding::ground;
pub use prose_units::prose_unit;
