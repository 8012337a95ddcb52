//! Diagrams of time against a line in space.

mod compute_hovmoller;
mod compute_section_hovmoller;

crate::computation::tools![
    compute_hovmoller::ComputeHovmoller,
    compute_section_hovmoller::ComputeSectionHovmoller,
];
mod compute_phase_speed;

crate::computation::tools![compute_hovmoller::ComputeHovmoller, compute_phase_speed::ComputePhaseSpeed,];
