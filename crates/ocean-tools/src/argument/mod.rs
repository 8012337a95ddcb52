//! What tools take: selections, lazy fields, series, parts of a selection.

mod computed;
pub(crate) mod dataset;
pub(crate) mod field;
mod part;
mod selection;

pub(crate) use field::FieldArgument;
pub(crate) use leg_core::tool::ArtifactArgument;
pub(crate) use part::{DepthArgument, RegionArgument, WindowArgument};
pub(crate) use selection::SelectionArgument;
