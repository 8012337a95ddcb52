//! Several files or stores as one dataset: joined along time, or one variable beside another.

mod address;
mod concat;
mod group;
mod pattern;
mod same;
mod side_by_side;

pub(crate) use address::{children, expand, is_remote};
pub(crate) use group::join;
