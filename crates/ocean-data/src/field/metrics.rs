//! Metrics of grid cells: widths, areas and volumes on a sphere of radius 6371 km.
//!
//! # Formula
//! Rectilinear cells with edges `λ1, λ2, φ1, φ2` and centre `φ`: `dx = R cos φ (λ2 − λ1)`, `dy = R (φ2 − φ1)`,
//! `area = R² (sin φ2 − sin φ1) (λ2 − λ1)`. Curvilinear cells: what the file says (`areacello`, `TAREA`, `e1t` and `e2t`,
//! `pm` and `pn`), otherwise the spherical polygon of the cell's corners, from the file or half-way between centres;
//! `dx` and `dy` are then great-circle distances between the middles of opposite edges.

use ndarray::{Array2, Array3};

use super::field::Field;
use super::horizontal::{GridError, Horizontal};
pub use super::sphere::{EARTH_RADIUS, distance};
use super::sphere::{RADIANS, Vector, angle, scaled_sum, unit, vector};

/// Widths and areas of the cells of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct CellMetrics {
    /// Width along columns (eastwards on a rectilinear grid) in metres, `(y, x)`.
    pub dx: Array2<f64>,
    /// Width along rows (northwards on a rectilinear grid) in metres, `(y, x)`.
    pub dy: Array2<f64>,
    /// Area in square metres, `(y, x)`.
    pub area: Array2<f64>,
    /// Where the areas are from.
    pub source: String,
}

/// The metrics of a field's cells, whether they are inside its region or not.
///
/// # Errors
/// [`GridError`] for a field without a map, and for an unstructured mesh, whose cells have no two widths.
pub fn cell_metrics(field: &Field) -> Result<CellMetrics, GridError> {
    match field.horizontal() {
        Horizontal::Rectilinear { lat, lon } => {
            let shape = (lat.values.len(), lon.values.len());
            let span = |bounds: &[f64; 2]| (bounds[1] - bounds[0]) * RADIANS;
            let dx = |(y, x): (usize, usize)| {
                EARTH_RADIUS * libm::cos(lat.values[y] * RADIANS).max(0.0) * span(&lon.bounds[x])
            };
            let area = |(y, x): (usize, usize)| box_area(lat.bounds[y], lon.bounds[x]);
            Ok(CellMetrics {
                dx: Array2::from_shape_fn(shape, dx),
                dy: Array2::from_shape_fn(shape, |(y, _)| EARTH_RADIUS * span(&lat.bounds[y])),
                area: Array2::from_shape_fn(shape, area),
                source: "the bounds of the axes".to_owned(),
            })
        }
        Horizontal::Curvilinear { lat, area, area_source, .. } => {
            let shape = lat.dim();
            let [dx, dy] = field.mesh_widths(shape)?;
            Ok(CellMetrics { dx, dy, area: area.clone(), source: area_source.to_owned() })
        }
        Horizontal::Unstructured { .. } => {
            Err(GridError::NotRectilinear { name: field.name().to_owned(), kind: "an unstructured mesh" })
        }
        Horizontal::None => Err(GridError::NoMap { name: field.name().to_owned() }),
    }
}

/// The area of a box of latitudes and longitudes in degrees, in square metres.
pub fn box_area([south, north]: [f64; 2], [west, east]: [f64; 2]) -> f64 {
    let band = libm::sin(north * RADIANS) - libm::sin(south * RADIANS);
    EARTH_RADIUS * EARTH_RADIUS * band * ((east - west) * RADIANS)
}

/// The volume of each cell in cubic metres, `(depth, y, x)`: its area times the part of its layer that is inside the
/// selected range and above the sea floor.
///
/// # Errors
/// [`GridError`] for a field without a map or without cell areas, and for one without levels.
pub fn cell_volume(field: &Field) -> Result<Array3<f64>, GridError> {
    let area = field.cell_area()?;
    if field.depths().is_none() {
        return Err(GridError::NoLevels { name: field.name().to_owned() });
    }
    let thickness = field.cell_thickness();
    let (rows, columns) = area.dim();
    let [_, levels, _, _] = field.full_shape();
    Ok(Array3::from_shape_fn((levels, rows, columns), |(z, y, x)| area[[y, x]] * thickness.at(z, y, x)))
}

/// Corners of cells half-way between centres, `(y + 1, x + 1)`; beyond the rim the grid goes on as it does at the rim,
/// or closes on itself when it is periodic. NaN where too few centres are known.
pub(crate) fn corners_of_centres(lat: &Array2<f64>, lon: &Array2<f64>, periodic: bool) -> Array2<Vector> {
    let (rows, columns) = lat.dim();
    let centre = |y: usize, x: usize| vector(lon[[y, x]], lat[[y, x]]);
    // As far beyond the first as the second is before it.
    let beyond = |first: Vector, second: Vector| unit(scaled_sum(first, 2.0, second, -1.0));
    let missing = [f64::NAN; 3];
    // Centres with one more on every side; positions are counted from 1.
    let across = |y: usize, x: usize| match x {
        0 if periodic => centre(y, columns - 1),
        0 if columns > 1 => beyond(centre(y, 0), centre(y, 1)),
        x if (1..=columns).contains(&x) => centre(y, x - 1),
        _ if periodic => centre(y, 0),
        _ if columns > 1 => beyond(centre(y, columns - 1), centre(y, columns - 2)),
        _ => missing,
    };
    let any = |y: usize, x: usize| match y {
        0 if rows > 1 => beyond(across(0, x), across(1, x)),
        y if (1..=rows).contains(&y) => across(y - 1, x),
        _ if rows > 1 => beyond(across(rows - 1, x), across(rows - 2, x)),
        _ => missing,
    };
    let known = |v: &Vector| v.iter().all(|part| part.is_finite());
    Array2::from_shape_fn((rows + 1, columns + 1), |(y, x)| {
        let around = [any(y, x), any(y + 1, x + 1), any(y, x + 1), any(y + 1, x)];
        let of = |parts: &[Vector]| {
            unit(parts.iter().fold([0.0; 3], |sum, part| scaled_sum(sum, 1.0, *part, 1.0)))
        };
        // A pair across the corner will do where a neighbour is unknown.
        if around.iter().all(known) {
            of(&around)
        } else if around[..2].iter().all(known) {
            of(&around[..2])
        } else if around[2..].iter().all(known) {
            of(&around[2..])
        } else {
            missing
        }
    })
}

/// Widths of a cell between the middles of its opposite edges, in metres: along columns and along rows.
pub(crate) fn widths_of_corners(corners: &Array2<Vector>, y: usize, x: usize) -> [f64; 2] {
    let middle = |a: [usize; 2], b: [usize; 2]| unit(scaled_sum(corners[a], 1.0, corners[b], 1.0));
    let west = middle([y, x], [y + 1, x]);
    let east = middle([y, x + 1], [y + 1, x + 1]);
    let south = middle([y, x], [y, x + 1]);
    let north = middle([y + 1, x], [y + 1, x + 1]);
    [angle(west, east) * EARTH_RADIUS, angle(south, north) * EARTH_RADIUS]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::sphere::polygon_area;

    fn areas(corners: &Array2<Vector>) -> Array2<f64> {
        let (rows, columns) = corners.dim();
        Array2::from_shape_fn((rows - 1, columns - 1), |(y, x)| {
            polygon_area(&[
                corners[[y, x]],
                corners[[y, x + 1]],
                corners[[y + 1, x + 1]],
                corners[[y + 1, x]],
            ])
        })
    }

    #[test]
    fn corners_between_centres_tile_a_band() {
        let lat = Array2::from_shape_fn((10, 360), |(y, _)| y as f64 + 0.5);
        let lon = Array2::from_shape_fn((10, 360), |(_, x)| x as f64 + 0.5);
        let corners = corners_of_centres(&lat, &lon, true);
        let exact = box_area([0.0, 10.0], [0.0, 360.0]);
        let sum: f64 = areas(&corners).iter().sum();
        assert!((sum / exact - 1.0).abs() < 2e-3, "{}", sum / exact);
        let [dx, dy] = widths_of_corners(&corners, 4, 100);
        assert!((dx / (EARTH_RADIUS * RADIANS * libm::cos(4.5 * RADIANS)) - 1.0).abs() < 1e-3);
        assert!((dy / (EARTH_RADIUS * RADIANS) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_rotated_grid_has_the_same_areas() {
        // A grid around the equator turned by 90 degrees about the axis through 0 E, 0 N: around a meridian.
        let cell = |y: usize, x: usize| {
            let [a, b, c] = vector(x as f64 - 10.0, y as f64 - 10.0);
            crate::field::sphere::place([a, -c, b])
        };
        let lon = Array2::from_shape_fn((21, 21), |(y, x)| cell(y, x)[0]);
        let lat = Array2::from_shape_fn((21, 21), |(y, x)| cell(y, x)[1]);
        let turned = areas(&corners_of_centres(&lat, &lon, false));
        let plain_lat = Array2::from_shape_fn((21, 21), |(y, _)| y as f64 - 10.0);
        let plain_lon = Array2::from_shape_fn((21, 21), |(_, x)| x as f64 - 10.0);
        let plain = areas(&corners_of_centres(&plain_lat, &plain_lon, false));
        for (a, b) in turned.iter().zip(&plain) {
            assert!((a / b - 1.0).abs() < 1e-9);
        }
    }
}
