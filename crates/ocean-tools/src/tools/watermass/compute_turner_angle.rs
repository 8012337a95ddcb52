//! `compute_turner_angle`: Turner angle and stability ratio.

use super::water_tool::{WaterResult, water_tool};
use crate::columns::Levels;

water_tool!(
    /// Turner angle and stability ratio between neighbouring levels.
    ComputeTurnerAngle,
    "compute_turner_angle",
    "Turner angle and stability ratio between neighbouring levels.",
    "Tu = atan2(alpha T_z + beta S_z, alpha T_z - beta S_z) in degrees (Ruddick 1983; TEOS-10 equation 3.16.1): 45 to 90 salt fingers, -90 to -45 diffusive, -45 to 45 stable, beyond 90 unstable. Array stability_ratio is alpha T_z / (beta S_z). Values lie half-way between the levels.",
    WaterResult {
        levels: Levels::Between,
        quantities: &[("turner_angle", "degree", false), ("stability_ratio", "1", false)],
        method: "Turner angle",
        column: |_, water| {
            let (angle, ratio) = water.column().turner();
            vec![angle, ratio]
        },
    }
);
