//! Approvals: a plan runs only when somebody agreed to exactly this plan with exactly these definitions, once.

#[expect(clippy::module_inception, reason = "the file is named for the type that it holds")]
mod approval;
mod error;
mod single_use;

pub use approval::Approval;
pub use error::{ApprovalError, ChangedPart};
pub(crate) use single_use::SingleUse;
