//! A finished run as one plain structure, read from its ledger and its objects alone. Every export starts here.

mod call_record;
mod fields;
mod node_record;
mod order;
mod run_record;

pub use call_record::{CallRecord, ErrorRecord};
pub use node_record::{NodeRecord, NodeRun};
pub use run_record::{ApprovalRecord, RecordedEvidence, RunRecord, TrackRecord};
