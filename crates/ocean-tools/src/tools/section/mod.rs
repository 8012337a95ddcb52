//! Lines through the sea.

mod compute_distance;

crate::computation::tools![compute_distance::ComputeDistance,];
