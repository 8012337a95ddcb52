//! The four cells around a place, with bilinear weights.
//!
//! # Formula
//! On axes the weights are products of the shares along each. On rows and columns with positions of their own the corners
//! are projected onto the plane that touches the sphere at the place (gnomonic projection: great circles become straight),
//! and `Σ wᵢ pᵢ = 0` with the bilinear `wᵢ(s, t)` is solved for `s` and `t` by Newton's method.

use super::field::Field;
use super::horizontal::Horizontal;
use super::sphere::{RADIANS, Vector, dot, vector};
use crate::dataset::Seam;

/// Cells `(row, column, weight)` whose weights add up to one.
pub type Corners = [(usize, usize, f64); 4];

/// How far outside of a quadrilateral a place may be by rounding.
const SLACK: f64 = 1e-9;

impl Field {
    /// The four cells around a place with their bilinear weights; `None` outside of the centres, and on a mesh without
    /// rows. `near` is a cell near the place: the search goes on from there on a grid without axes.
    pub fn corners_around(&self, lon: f64, lat: f64, near: (usize, usize)) -> Option<Corners> {
        match self.horizontal() {
            Horizontal::Rectilinear { lat: rows, lon: columns } => {
                let [(south, low), (north, high)] = bracket(&rows.values, lat)?;
                let west = columns.values.first()?;
                let turned = west + (lon - west).rem_euclid(360.0);
                let [(left, a), (right, b)] = bracket_lon(&columns.values, turned)?;
                Some([
                    (south, left, low * a),
                    (south, right, low * b),
                    (north, left, high * a),
                    (north, right, high * b),
                ])
            }
            Horizontal::Curvilinear { .. } => self.corners_on_mesh(lon, lat, near),
            _ => None,
        }
    }

    fn corners_on_mesh(&self, lon: f64, lat: f64, near: (usize, usize)) -> Option<Corners> {
        let [_, _, rows, columns] = self.full_shape();
        let closed = self.mesh.as_ref().is_some_and(|cells| {
            cells.mesh.seam == Seam::Closed && cells.columns.len() == cells.mesh.lat.ncols()
        });
        let plane = Plane::at(lon, lat);
        // The place is in one of the quadrilaterals that meet at the nearest centre, or where cells are slanted one further.
        let steps = [0_isize, -1, 1, -2];
        for down in steps {
            for right in steps {
                let Some(y) = near.0.checked_add_signed(down).filter(|y| y + 1 < rows) else { continue };
                let from = near.1.checked_add_signed(right);
                let x = match from {
                    Some(x) if x + 1 < columns || (closed && x < columns) => x,
                    Some(x) if closed => x - columns,
                    None if closed => columns.checked_add_signed(right).unwrap_or(0) + near.1,
                    _ => continue,
                };
                let beside = if x + 1 < columns { x + 1 } else { 0 };
                let cells = [(y, x), (y, beside), (y + 1, x), (y + 1, beside)];
                let mut points = [[f64::NAN; 2]; 4];
                for (point, (row, column)) in points.iter_mut().zip(cells) {
                    let [own_lon, own_lat] = self.cell_centre(row, column)?;
                    *point = plane.project(vector(own_lon, own_lat));
                }
                if let Some([s, t]) = invert(points) {
                    let weights = [(1.0 - s) * (1.0 - t), s * (1.0 - t), (1.0 - s) * t, s * t];
                    let mut out = [(0, 0, 0.0); 4];
                    for ((out, (row, column)), weight) in out.iter_mut().zip(cells).zip(weights) {
                        *out = (row, column, weight);
                    }
                    return Some(out);
                }
            }
        }
        None
    }
}

/// The plane that touches the sphere at a place.
struct Plane {
    up: Vector,
    east: Vector,
    north: Vector,
}

impl Plane {
    fn at(lon: f64, lat: f64) -> Self {
        let (x, y) = (lon * RADIANS, lat * RADIANS);
        let (sin_x, cos_x, sin_y, cos_y) = (libm::sin(x), libm::cos(x), libm::sin(y), libm::cos(y));
        Self {
            up: vector(lon, lat),
            east: [-sin_x, cos_x, 0.0],
            north: [-sin_y * cos_x, -sin_y * sin_x, cos_y],
        }
    }

    /// Position on the plane; NaN for what is on the other half of the sphere.
    fn project(&self, place: Vector) -> [f64; 2] {
        let height = dot(place, self.up);
        if height > 0.1 {
            [dot(place, self.east) / height, dot(place, self.north) / height]
        } else {
            [f64::NAN; 2]
        }
    }
}

/// Shares along columns and rows at which the bilinear map of four corners is the origin, when they are between 0 and 1.
fn invert([a, b, c, d]: [[f64; 2]; 4]) -> Option<[f64; 2]> {
    let (mut s, mut t) = (0.5, 0.5);
    for _ in 0..50 {
        let along = |i: usize| {
            let value =
                (1.0 - s) * (1.0 - t) * a[i] + s * (1.0 - t) * b[i] + (1.0 - s) * t * c[i] + s * t * d[i];
            let by_s = (1.0 - t) * (b[i] - a[i]) + t * (d[i] - c[i]);
            let by_t = (1.0 - s) * (c[i] - a[i]) + s * (d[i] - b[i]);
            (value, by_s, by_t)
        };
        let ((fx, xs, xt), (fy, ys, yt)) = (along(0), along(1));
        let determinant = xs * yt - xt * ys;
        if !determinant.is_finite() || determinant == 0.0 {
            return None;
        }
        let (ds, dt) = ((fx * yt - fy * xt) / determinant, (fy * xs - fx * ys) / determinant);
        (s, t) = (s - ds, t - dt);
        if !(-5.0..=6.0).contains(&s) || !(-5.0..=6.0).contains(&t) {
            return None;
        }
        if ds.abs() + dt.abs() < 1e-13 {
            break;
        }
    }
    let inside = |share: f64| (-SLACK..=1.0 + SLACK).contains(&share);
    (inside(s) && inside(t)).then(|| [s.clamp(0.0, 1.0), t.clamp(0.0, 1.0)])
}

/// Neighbours of a value and their weights; `None` outside the axis.
pub(crate) fn bracket(values: &[f64], wanted: f64) -> Option<[(usize, f64); 2]> {
    let upper = values.partition_point(|&value| value < wanted);
    if values.get(upper).is_some_and(|&value| (value - wanted).abs() < 1e-9) {
        return Some([(upper, 1.0), (upper, 0.0)]);
    }
    let lower = upper.checked_sub(1)?;
    let (a, b) = (values.get(lower)?, values.get(upper)?);
    let share = (wanted - a) / (b - a);
    Some([(lower, 1.0 - share), (upper, share)])
}

/// As [`bracket`], and between the last and the first longitude where the axis goes round the globe.
pub(crate) fn bracket_lon(values: &[f64], wanted: f64) -> Option<[(usize, f64); 2]> {
    if let Some(found) = bracket(values, wanted) {
        return Some(found);
    }
    let (first, last) = (*values.first()?, *values.last()?);
    let gap = first + 360.0 - last;
    let step = (last - first) / (values.len().max(2) as f64 - 1.0);
    if values.len() < 2 || wanted < last || gap > 1.5 * step {
        return None;
    }
    let share = (wanted - last) / gap;
    Some([(values.len() - 1, 1.0 - share), (0, share)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_cross_the_seam_of_a_global_axis() {
        let values: Vec<f64> = (0..36).map(|i| f64::from(i) * 10.0).collect();
        assert_eq!(bracket_lon(&values, 355.0), Some([(35, 0.5), (0, 0.5)]));
        assert_eq!(bracket_lon(&values[..10], 355.0), None);
        assert_eq!(bracket(&values, 10.0), Some([(1, 1.0), (1, 0.0)]));
        assert_eq!(bracket(&values, -5.0), None);
    }

    #[test]
    fn shares_of_a_slanted_quadrilateral_are_found() {
        // The point at s = 0.3, t = 0.6 is moved to the origin.
        let corners = [[0.0, 0.0], [2.0, 0.5], [-0.5, 1.5], [2.5, 2.5]];
        let (s, t) = (0.3, 0.6);
        let at = |i: usize| {
            (1.0 - s) * (1.0 - t) * corners[0][i]
                + s * (1.0 - t) * corners[1][i]
                + (1.0 - s) * t * corners[2][i]
                + s * t * corners[3][i]
        };
        let (x, y) = (at(0), at(1));
        let [own_s, own_t] = invert(corners.map(|[a, b]| [a - x, b - y])).unwrap();
        assert!((own_s - s).abs() < 1e-12 && (own_t - t).abs() < 1e-12);
        assert!(invert(corners.map(|[a, b]| [a - 5.0, b - y])).is_none());
    }
}
