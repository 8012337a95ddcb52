//! Lines through the sea.

mod compute_distance;
mod extract_transect_section;

crate::computation::tools![
    compute_distance::ComputeDistance,
    extract_transect_section::ExtractTransectSection,
];
