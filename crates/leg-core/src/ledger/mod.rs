//! The ledger: what happened in a run, chained and hashed, and the roots over it.

mod consistency;
mod content_root;
mod entry;
mod folder;
mod inclusion;
mod kind;
pub(crate) mod log_tree;
mod manifest;
mod reader;
mod root_check;
mod store;
mod stores;
mod trace;
mod verify;
mod writer;

pub use consistency::ConsistencyProof;
pub use content_root::{CallContent, NodeContent, evidence_digest, layer_digest, run_digest, track_digest};
pub use entry::Entry;
pub use folder::{LEDGER, MANIFEST, RunFolder};
pub use inclusion::{InclusionProof, ProofError};
pub use kind::EntryKind;
pub use log_tree::LogTree;
pub use manifest::{manifest, manifest_bytes};
pub use reader::{Fault, FaultKind, Reading, read};
pub use store::{LedgerError, LedgerStore};
pub use stores::{JsonlLedger, MemoryLedger};
pub(crate) use trace::artifacts_in;
pub use trace::{Trace, TraceError, TracedCall, trace};
pub(crate) use verify::read_result;
pub use verify::{Verification, verify};
pub use writer::{Ledger, core_digest, genesis};
