//! Coordinates as the CF view presents them.

use crate::cf::{Axis, AxisEvidence, Calendar, DateTime};

/// A latitude, longitude or depth coordinate, in the order of the store.
///
/// # Units
/// Degrees north, degrees east (unwrapped: neighbours differ by less than 180), or metres below the
/// surface (positive down) whatever the file has.
#[derive(Debug, Clone)]
pub struct Coordinate {
    /// Name of the variable.
    pub name: String,
    /// The axis.
    pub axis: Axis,
    /// What it was recognised by.
    pub evidence: AxisEvidence,
    /// Units as the file has them.
    pub units: Option<String>,
    /// Centres.
    pub values: Vec<f64>,
    /// Cell bounds; from the file, or half-way between centres.
    pub bounds: Vec<[f64; 2]>,
    /// Whether the bounds are the file's own.
    pub has_bounds: bool,
}

/// A time coordinate, in the order of the store.
#[derive(Debug, Clone)]
pub struct TimeCoordinate {
    /// Name of the variable.
    pub name: String,
    /// What it was recognised by.
    pub evidence: AxisEvidence,
    /// Units as the file has them.
    pub units: String,
    /// Calendar.
    pub calendar: Calendar,
    /// Dates.
    pub dates: Vec<DateTime>,
    /// The same, in nanoseconds since 1970-01-01 of the calendar.
    pub nanoseconds: Vec<i128>,
    /// The file's own time bounds, in the same nanoseconds.
    pub bounds: Option<Vec<[i128; 2]>>,
}

/// A number in as few digits as tell it from its neighbours; single-precision numbers in single precision.
pub(crate) fn plain(value: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "rounding is what is asked about")]
    let single = value as f32;
    if f64::from(single).to_bits() == value.to_bits() { single.to_string() } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_digits_are_shown() {
        assert_eq!(plain(f64::from(0.494_f32)), "0.494");
        assert_eq!(plain(0.494), "0.494");
        assert_eq!(plain(-88.0), "-88");
    }
}
