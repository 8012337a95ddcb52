//! `compute_sound_speed`: speed of sound in sea water.

use super::water_tool::{WaterResult, water_tool};
use crate::columns::Levels;
use crate::kernels::teos10::sea_water;

water_tool!(
    /// Speed of sound in sea water by TEOS-10.
    ComputeSoundSpeed,
    "compute_sound_speed",
    "Speed of sound in sea water by TEOS-10.",
    "Speed of sound from absolute salinity, Conservative Temperature and pressure by the 75-term polynomial of Roquet et al. (2015), Ocean Modelling 90, 29-43. Pressure is that of the level at its latitude.",
    WaterResult {
        levels: Levels::Same,
        quantities: &[("speed_of_sound_in_sea_water", "m s-1", true)],
        method: "TEOS-10 speed of sound",
        column: |_, water| vec![water.map(sea_water::sound_speed)],
    }
);
