//! Evidence, the claims that rest on it, and the check of a report's numbers.

mod claim;
#[expect(clippy::module_inception, reason = "the file is named for the type that it holds")]
mod evidence;

pub use claim::{Claim, Operation, Verdict};
pub use evidence::{Evidence, EvidenceDraft};
