//! Lines through the sea.

pub(super) mod compute_distance;
