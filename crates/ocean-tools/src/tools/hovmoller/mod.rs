//! Diagrams of time against a line in space.

mod compute_hovmoller;
mod compute_phase_speed;
mod compute_section_hovmoller;

crate::computation::tools![
    compute_hovmoller::ComputeHovmoller,
    compute_section_hovmoller::ComputeSectionHovmoller,
    compute_phase_speed::ComputePhaseSpeed,
];
