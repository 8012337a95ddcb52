//! What tools take: selections, lazy fields, series, parts of a selection.

mod artifact;
mod computed;
pub(crate) mod field;
mod part;
mod selection;

pub(crate) use artifact::ArtifactArgument;
pub(crate) use field::FieldArgument;
pub(crate) use part::{DepthArgument, RegionArgument, WindowArgument};
pub(crate) use selection::SelectionArgument;
