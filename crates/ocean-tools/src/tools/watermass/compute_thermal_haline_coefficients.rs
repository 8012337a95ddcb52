//! `compute_thermal_haline_coefficients`: thermal expansion and haline contraction.

use super::water_tool::{WaterResult, water_tool};
use crate::columns::Levels;
use crate::kernels::teos10::sea_water;

water_tool!(
    /// Thermal expansion and haline contraction by TEOS-10.
    ComputeThermalHalineCoefficients,
    "compute_thermal_haline_coefficients",
    "Thermal expansion and haline contraction by TEOS-10.",
    "Thermal expansion with respect to Conservative Temperature (K-1) and, as array haline_contraction, haline contraction at constant Conservative Temperature (kg g-1), by Roquet et al. (2015).",
    WaterResult {
        levels: Levels::Same,
        quantities: &[("thermal_expansion", "K-1", false), ("haline_contraction", "kg g-1", false)],
        method: "TEOS-10 thermal expansion",
        column: |_, water| vec![water.map(sea_water::alpha), water.map(sea_water::beta)],
    }
);
