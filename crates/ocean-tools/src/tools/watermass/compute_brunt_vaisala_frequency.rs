//! `compute_brunt_vaisala_frequency`: squared buoyancy frequency.

use super::water_tool::{WaterResult, water_tool};
use crate::columns::Levels;
use crate::kernels::teos10::sea_water;

water_tool!(
    /// Squared buoyancy frequency between neighbouring levels.
    ComputeBruntVaisalaFrequency,
    "compute_brunt_vaisala_frequency",
    "Squared buoyancy frequency between neighbouring levels.",
    "N2 = g2 rho (beta dSA - alpha dCT) / dp at the pressure half-way between two levels (TEOS-10 equation 3.10.2), with g at latitude and pressure; negative where the column is unstable. Values lie half-way between the levels; one is missing where either level is. Array pressure holds the pressures in dbar; array planetary_potential_vorticity is f N2 / g with g 9.7963 m s-2, in m-1 s-1.",
    WaterResult {
        levels: Levels::Between,
        quantities: &[("square_of_brunt_vaisala_frequency_in_sea_water", "s-2", true), ("pressure", "dbar", false), ("planetary_potential_vorticity", "m-1 s-1", false)],
        method: "TEOS-10 squared buoyancy frequency",
        column: |view, water| {
            let n2 = water.column().buoyancy_frequency(view.lat);
            let middle = water.p.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
            let f = sea_water::coriolis(view.lat);
            let vorticity = n2.iter().map(|n2| f * n2 / 9.7963).collect();
            vec![n2, middle, vorticity]
        },
    }
);
