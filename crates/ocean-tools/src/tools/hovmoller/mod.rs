//! Diagrams of time against a line in space.

mod compute_hovmoller;

crate::computation::tools![compute_hovmoller::ComputeHovmoller,];
