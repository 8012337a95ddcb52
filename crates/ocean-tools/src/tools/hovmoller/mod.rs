//! Diagrams of time against a line in space.

pub(super) mod compute_hovmoller;
