//! Weights of cells in a mean over area.

use ndarray::Array2;

use crate::field::Field;

/// Radius of the Earth in metres.
pub const EARTH_RADIUS: f64 = 6_371_000.0;

/// How cells are weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weighting {
    /// Area of the cell from its bounds: `R² (sin n − sin s) Δλ`.
    #[default]
    Area,
    /// Cosine of the latitude of the centre.
    CosLat,
    /// All alike.
    Equal,
}

/// Weights `(lat, lon)`; square metres for [`Weighting::Area`]. A cell outside the polygon of the selection weighs 0.
pub fn cell_weights(field: &Field, weighting: Weighting) -> Array2<f64> {
    let [_, _, rows, columns] = field.full_shape();
    let radians = std::f64::consts::PI / 180.0;
    let lat: Vec<f64> = (0..rows)
        .map(|row| match (weighting, field.lats()) {
            (Weighting::Equal, _) | (_, None) => 1.0,
            (Weighting::CosLat, Some(axis)) => libm::cos(axis.values[row] * radians).max(0.0),
            (Weighting::Area, Some(axis)) => {
                let [south, north] = axis.bounds[row];
                EARTH_RADIUS * EARTH_RADIUS * (libm::sin(north * radians) - libm::sin(south * radians))
            }
        })
        .collect();
    let lon: Vec<f64> = (0..columns)
        .map(|column| match (weighting, field.lons()) {
            (Weighting::Area, Some(axis)) => (axis.bounds[column][1] - axis.bounds[column][0]) * radians,
            _ => 1.0,
        })
        .collect();
    let inside = |y: usize, x: usize| field.mask().is_none_or(|mask| mask[[y, x]]);
    Array2::from_shape_fn((rows, columns), |(y, x)| if inside(y, x) { lat[y] * lon[x] } else { 0.0 })
}
