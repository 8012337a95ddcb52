//! Rows of the layers, read leniently.

pub mod line;
pub mod panel;
pub mod zone;
