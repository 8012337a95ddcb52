//! The Saffir-Simpson scale.

/// The least wind of the categories 1 to 5, in knots.
///
/// # Source
/// National Hurricane Center, Saffir-Simpson Hurricane Wind Scale, as of 2012.
const LEAST: [f64; 5] = [64.0, 83.0, 96.0, 113.0, 137.0];

/// The category of a wind in knots: 0 below hurricane strength.
///
/// ```
/// use hydro_specialists::nhc::saffir_simpson;
///
/// assert_eq!([63.0, 64.0, 112.0, 113.0, 137.0].map(saffir_simpson), [0, 1, 3, 4, 5]);
/// ```
pub fn saffir_simpson(wind_kt: f64) -> u8 {
    let reached = LEAST.iter().filter(|least| wind_kt >= **least).count();
    u8::try_from(reached).unwrap_or(5)
}

/// The least wind of a category in knots; 1 to 5.
pub(crate) fn least_wind(category: u8) -> Option<f64> {
    LEAST.get(usize::from(category).checked_sub(1)?).copied()
}
