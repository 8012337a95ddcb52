//! `compute_freezing_point_departure`: how far water is from freezing.

use super::water_tool::{WaterResult, water_tool};
use crate::columns::Levels;
use crate::kernels::teos10::freezing::ct_freezing;

water_tool!(
    /// Conservative Temperature less that of freezing.
    ComputeFreezingPointDeparture,
    "compute_freezing_point_departure",
    "Conservative Temperature less that of freezing.",
    "Conservative Temperature less the Conservative Temperature of freezing of air-free sea water at the pressure of the level (TEOS-10, equation 3.33.2), in K; negative where the water is supercooled. Array freezing_temperature holds the latter in degC.",
    WaterResult {
        levels: Levels::Same,
        quantities: &[("freezing_point_departure", "K", false), ("freezing_temperature", "degC", false)],
        method: "departure from the freezing point",
        column: |_, water| vec![water.map(|sa, ct, p| ct - ct_freezing(sa, p, 0.0)), water.map(|sa, _, p| ct_freezing(sa, p, 0.0))],
    }
);
