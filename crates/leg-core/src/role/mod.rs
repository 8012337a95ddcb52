//! Roles that every graph has, and their plain forms, which need neither rules nor a model.

mod plain;
mod port;

pub use plain::{PlainFold, PlainReporter};
pub use port::{Fold, FoldInput, Gap, Part, ReportInput, Reporter, Section, TrackResult};
