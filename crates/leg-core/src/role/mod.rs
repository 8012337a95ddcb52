//! Roles that every graph has, and their plain forms, which need neither rules nor a model.

mod brief;
mod plain;
mod port;

pub use brief::{Brief, Dropped};
pub(crate) use brief::{keys_of, settle, without};
pub use plain::{PlainFold, PlainReporter};
pub use port::{Fold, FoldInput, Gap, Part, ReportInput, Reporter, Section, TrackResult};
