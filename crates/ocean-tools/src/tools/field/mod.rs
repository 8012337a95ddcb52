//! Maps from fields.

pub(super) mod compute_spatial_field;
