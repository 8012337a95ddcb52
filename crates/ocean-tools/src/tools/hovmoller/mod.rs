//! Diagrams of time against a line in space.

mod compute_hovmoller;
mod compute_section_hovmoller;

crate::computation::tools![
    compute_hovmoller::ComputeHovmoller,
    compute_section_hovmoller::ComputeSectionHovmoller,
];
