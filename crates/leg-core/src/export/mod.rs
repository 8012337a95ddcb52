//! Exports: a finished run in the forms that others read.
//!
//! [`export`] reads a run folder into a [`RunRecord`], which verifies it first, and hands it to one of [`EXPORTS`]. A
//! new export is one file, and one line in that table.
//!
//! | name | for |
//! | --- | --- |
//! | `ro-crate` | repositories and workflow registries: a Provenance Run Crate 0.5 |
//! | `prov-json` | provenance tools: W3C PROV-JSON |
//! | `html` | readers: report, graph, evidence and figures in one file |
//! | `md` | readers of plain text, and other programs that typeset |
//! | `json` | programs: the whole record in one document |
//! | `bundle` | auditors: a run folder that verifies and replays on its own |

mod beside;
mod bundle;
mod error;
#[expect(clippy::module_inception, reason = "the file is named for the function that it holds")]
mod export;
mod html;
mod json;
mod markdown;
mod names;
mod prov_json;
mod readme;
mod record;
mod references;
mod ro_crate;
mod staging;

pub(crate) use beside::{METADATA, is_as_exported, is_description_of};
pub use error::ExportError;
pub use export::{Export, Exported, export};
pub use readme::{README, readme};
pub use record::{
    ApprovalRecord, CallRecord, ErrorRecord, NodeRecord, NodeRun, RecordedEvidence, RunRecord, TrackRecord,
};
pub use staging::Staging;

/// All exports.
pub const EXPORTS: &[Export] =
    &[ro_crate::EXPORT, prov_json::EXPORT, html::EXPORT, markdown::EXPORT, json::EXPORT, bundle::EXPORT];
