//! Oxygen solubility of columns.

use leg_core::ToolError;
use ocean_data::Field;

use crate::kernels::teos10::{oxygen, sea_water, temperature};
use crate::water::WaterColumn;

/// Solubility in umol kg-1 and in mmol m-3.
pub(super) fn solubility(water: &WaterColumn) -> Vec<Vec<f64>> {
    let by_mass: Vec<f64> = (0..water.p.len())
        .map(|at| oxygen::solubility(water.sp[at], temperature::pt_from_ct(water.sa[at], water.ct[at])))
        .collect();
    let by_volume = by_mass
        .iter()
        .zip(water.map(|sa, ct, _| sea_water::rho(sa, ct, 0.0)))
        .map(|(amount, rho)| amount * rho / 1000.0)
        .collect();
    vec![by_mass, by_volume]
}

/// Oxygen in umol kg-1, or in mmol m-3; the flag says whether it is per volume.
///
/// # Errors
/// When its units measure something else.
pub(super) fn oxygen_in(field: &Field) -> Result<(Field, bool), ToolError> {
    amount_in(field, "oxygen")
}

/// An amount of a substance in umol kg-1, or in mmol m-3; the flag says whether it is per volume.
///
/// # Errors
/// When its units measure something else.
pub(super) fn amount_in(field: &Field, substance: &str) -> Result<(Field, bool), ToolError> {
    if let Ok(by_mass) = field.with_units("umol kg-1") {
        return Ok((by_mass, false));
    }
    field.with_units("mmol m-3").map(|by_volume| (by_volume, true)).map_err(|error| {
        ToolError::invalid(format!(
            "`{}` is no amount of {substance} ({error}); give it in umol kg-1 or mmol m-3",
            field.name()
        ))
    })
}
