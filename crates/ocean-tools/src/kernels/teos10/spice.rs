//! Spiciness.

use super::SALINITY_SCALE;
use super::spice_table::{SPICINESS0, SPICINESS1, SPICINESS2};

/// The pressure at which a displacement along isopycnals changes spiciness by as much as the density changes would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpicePressure {
    /// 0 dbar.
    Surface,
    /// 1000 dbar.
    Thousand,
    /// 2000 dbar.
    TwoThousand,
}

/// Spiciness, kg m-3, from absolute salinity and Conservative Temperature.
///
/// # Source
/// McDougall and Krzysik (2015), Journal of Marine Research 73, 141-152.
pub fn spiciness(sa: f64, ct: f64, pressure: SpicePressure) -> f64 {
    let table = match pressure {
        SpicePressure::Surface => &SPICINESS0,
        SpicePressure::Thousand => &SPICINESS1,
        SpicePressure::TwoThousand => &SPICINESS2,
    };
    let x = (SALINITY_SCALE * (sa + 24.0)).sqrt();
    let y = ct * 0.025;
    let row = |row: &[f64; 7]| row.iter().rev().fold(0.0, |sum, c| sum * y + c);
    table.iter().rev().fold(0.0, |sum, own| sum * x + row(own))
}
