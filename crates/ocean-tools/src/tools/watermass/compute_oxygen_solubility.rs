//! `compute_oxygen_solubility`: oxygen at equilibrium with the air.

use super::water_tool::{WaterResult, water_tool};
use crate::columns::Levels;

water_tool!(
    /// Solubility of oxygen at equilibrium with moist air of one atmosphere.
    ComputeOxygenSolubility,
    "compute_oxygen_solubility",
    "Solubility of oxygen at equilibrium with moist air of one atmosphere.",
    "Garcia and Gordon (1992) with the coefficients fitted to Benson and Krause, from practical salinity and potential temperature, in umol kg-1; array oxygen_solubility_volume is in mmol m-3 with the potential density.",
    WaterResult {
        levels: Levels::Same,
        quantities: &[("oxygen_solubility", "umol kg-1", false), ("oxygen_solubility_volume", "mmol m-3", false)],
        method: "oxygen solubility of Garcia and Gordon (1992)",
        column: |_, water| super::oxygen_columns::solubility(water),
    }
);
