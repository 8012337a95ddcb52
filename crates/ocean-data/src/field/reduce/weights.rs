//! Weights of cells in a mean over area.

use ndarray::Array2;

use crate::field::sphere::RADIANS;
use crate::field::{Field, Horizontal};

pub use crate::field::sphere::EARTH_RADIUS;

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

/// Weights `(lat, lon)`; square metres for [`Weighting::Area`]. A cell outside the region of the selection weighs 0, and
/// so does a cell of a curvilinear grid whose area is unknown.
pub fn cell_weights(field: &Field, weighting: Weighting) -> Array2<f64> {
    let [_, _, rows, columns] = field.full_shape();
    let mut weights = match (weighting, field.horizontal()) {
        (Weighting::Equal, _) => Array2::from_elem((rows, columns), 1.0),
        (Weighting::CosLat, Horizontal::Curvilinear { lat, .. } | Horizontal::Unstructured { lat, .. }) => {
            lat.mapv(|lat| libm::cos(lat * RADIANS).max(0.0))
        }
        (Weighting::Area, Horizontal::Curvilinear { area, .. }) => area.clone(),
        (Weighting::Area, Horizontal::Unstructured { area, .. }) => {
            area.cloned().unwrap_or_else(|| Array2::zeros((rows, columns)))
        }
        (_, Horizontal::Rectilinear { .. } | Horizontal::None) => of_axes(field, weighting),
    };
    if let Some(mask) = field.mask() {
        weights.zip_mut_with(mask, |weight, &inside| {
            if !inside {
                *weight = 0.0;
            }
        });
    }
    weights.mapv_inplace(|weight| if weight.is_finite() { weight } else { 0.0 });
    weights
}

fn of_axes(field: &Field, weighting: Weighting) -> Array2<f64> {
    let [_, _, rows, columns] = field.full_shape();
    let lat: Vec<f64> = (0..rows)
        .map(|row| match (weighting, field.lats()) {
            (Weighting::Equal, _) | (_, None) => 1.0,
            (Weighting::CosLat, Some(axis)) => libm::cos(axis.values[row] * RADIANS).max(0.0),
            (Weighting::Area, Some(axis)) => {
                let [south, north] = axis.bounds[row];
                EARTH_RADIUS * EARTH_RADIUS * (libm::sin(north * RADIANS) - libm::sin(south * RADIANS))
            }
        })
        .collect();
    let lon: Vec<f64> = (0..columns)
        .map(|column| match (weighting, field.lons()) {
            (Weighting::Area, Some(axis)) => (axis.bounds[column][1] - axis.bounds[column][0]) * RADIANS,
            _ => 1.0,
        })
        .collect();
    Array2::from_shape_fn((rows, columns), |(y, x)| lat[y] * lon[x])
}
