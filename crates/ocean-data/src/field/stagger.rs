//! Staggered velocities: whether two components are at one place, and which faces lie around a cell centre.
//!
//! # Source
//! Arakawa and Lamb (1977) for the grids; the conventions of NEMO and ROMS (faces after the centre of the same index) and
//! of the MIT model (faces before it). The offset is taken from the positions, not from names.

use super::field::Field;
use super::metrics::distance;
use super::sphere::{Vector, dot, scaled_sum, vector};

/// How the second component lies with respect to the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stagger {
    /// At the same places (A and B grids).
    Collocated,
    /// On faces of cells (C grid): the faces around centre `i` have the stored indices `i + first` and `i + first + 1`.
    Faces {
        /// For the first component, along columns: -1 or 0.
        first_column: isize,
        /// For the second component, along rows: -1 or 0.
        first_row: isize,
    },
}

/// Two components that make no vector as they are.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StaggerError {
    /// They are on different points.
    #[error(
        "`{u}` and `{v}` are on different points of a staggered grid; collocate them to cell centres first (both must be selected alike)"
    )]
    Staggered {
        /// First component.
        u: String,
        /// Second component.
        v: String,
    },
    /// Their points have no known arrangement.
    #[error(
        "`{v}` lies {columns:.2} columns and {rows:.2} rows from `{u}`, which is no A, B or C grid; regrid both to one grid first"
    )]
    Unknown {
        /// First component.
        u: String,
        /// Second component.
        v: String,
        /// Offset along columns, in cells.
        columns: f64,
        /// Offset along rows, in cells.
        rows: f64,
    },
    /// Times, levels or grids differ.
    #[error("`{u}` and `{v}` have different {what}; select both with the same times and depths on one grid")]
    Different {
        /// First component.
        u: String,
        /// Second component.
        v: String,
        /// What differs.
        what: &'static str,
    },
    /// One of them is no map, or on a mesh of nodes.
    #[error(
        "`{name}` has no rows and columns of cells; staggered components are collocated on such grids only"
    )]
    NoGrid {
        /// The component.
        name: String,
    },
    /// The region holds no centre.
    #[error("no cell centre between the faces of `{u}` and `{v}` lies in the region; choose a larger one")]
    Empty {
        /// First component.
        u: String,
        /// Second component.
        v: String,
    },
}

/// The stored rows and columns of a field, with the positions of its cells.
pub(crate) struct Lattice<'a> {
    field: &'a Field,
    pub(crate) rows: Vec<usize>,
    pub(crate) columns: Vec<usize>,
}

impl<'a> Lattice<'a> {
    pub(crate) fn of(field: &'a Field) -> Result<Self, StaggerError> {
        let [_, _, rows, columns] = super::plan::axis_indices(field);
        let nodes = field.mesh.as_ref().is_some_and(|cells| cells.mesh.nodes);
        if nodes || rows.len() < 2 || columns.len() < 2 || field.cell_centre(0, 0).is_none() {
            return Err(StaggerError::NoGrid { name: field.name().to_owned() });
        }
        Ok(Self { field, rows, columns })
    }

    /// Where in the field a stored row and column lie.
    pub(crate) fn position(&self, row: usize, column: usize) -> Option<(usize, usize)> {
        Some((find(&self.rows, row)?, find(&self.columns, column)?))
    }

    /// The place of a stored cell as a unit vector.
    pub(crate) fn vector(&self, row: usize, column: usize) -> Option<Vector> {
        let (y, x) = self.position(row, column)?;
        let [lon, lat] = self.field.cell_centre(y, x)?;
        let place = vector(lon, lat);
        place.iter().all(|part| part.is_finite()).then_some(place)
    }
}

/// Position of an index in a list that mostly runs on by one.
fn find(indices: &[usize], wanted: usize) -> Option<usize> {
    let first = *indices.first()?;
    let guess = wanted.checked_sub(first);
    if let Some(at) = guess.filter(|&at| indices.get(at) == Some(&wanted)) {
        return Some(at);
    }
    indices.iter().position(|&index| index == wanted)
}

/// How two components lie with respect to each other, from the positions of their cells.
///
/// # Errors
/// [`StaggerError`], with what to do.
pub fn stagger_of(u: &Field, v: &Field) -> Result<Stagger, StaggerError> {
    let (first, second) = (Lattice::of(u)?, Lattice::of(v)?);
    let mut offsets: [Vec<f64>; 2] = Default::default();
    // A sample is enough: a grid has one arrangement.
    let row_step = (first.rows.len() / 40).max(1);
    let column_step = (first.columns.len() / 40).max(1);
    for row in first.rows.iter().copied().step_by(row_step) {
        for column in first.columns.iter().copied().step_by(column_step) {
            if let Some([a, b]) = offset(&first, &second, row, column) {
                offsets[0].push(a);
                offsets[1].push(b);
            }
        }
    }
    let [columns, rows] = offsets.map(median);
    let near = |value: f64, wanted: f64| (value - wanted).abs() < 0.2;
    let half = |value: f64| match value {
        _ if near(value, -0.5) => Some(-1),
        _ if near(value, 0.5) => Some(0),
        _ => None,
    };
    if near(columns, 0.0) && near(rows, 0.0) {
        return Ok(Stagger::Collocated);
    }
    // The second component lies half a column before the centre's face when the first lies after the centre.
    let (Some(first_column), Some(second_row)) = (half(columns), half(-rows)) else {
        let (u, v) = (u.name().to_owned(), v.name().to_owned());
        return Err(StaggerError::Unknown { u, v, columns, rows });
    };
    Ok(Stagger::Faces { first_column, first_row: second_row })
}

/// Refuses two components on different points.
///
/// # Errors
/// [`StaggerError`].
pub fn require_collocated(u: &Field, v: &Field) -> Result<(), StaggerError> {
    match stagger_of(u, v)? {
        Stagger::Collocated if u.full_shape() == v.full_shape() => Ok(()),
        Stagger::Collocated => {
            Err(StaggerError::Different { u: u.name().to_owned(), v: v.name().to_owned(), what: "shapes" })
        }
        Stagger::Faces { .. } => {
            Err(StaggerError::Staggered { u: u.name().to_owned(), v: v.name().to_owned() })
        }
    }
}

/// Offset of the second lattice from the first at one stored index, in columns and rows of the first.
fn offset(first: &Lattice<'_>, second: &Lattice<'_>, row: usize, column: usize) -> Option<[f64; 2]> {
    let here = first.vector(row, column)?;
    let there = second.vector(row, column)?;
    let along_column = match first.vector(row, column + 1) {
        Some(next) => scaled_sum(next, 1.0, here, -1.0),
        None => scaled_sum(here, 1.0, first.vector(row, column.checked_sub(1)?)?, -1.0),
    };
    let along_row = match first.vector(row + 1, column) {
        Some(next) => scaled_sum(next, 1.0, here, -1.0),
        None => scaled_sum(here, 1.0, first.vector(row.checked_sub(1)?, column)?, -1.0),
    };
    let apart = scaled_sum(there, 1.0, here, -1.0);
    // Least squares in the plane of the two steps.
    let (cc, rr, cr) =
        (dot(along_column, along_column), dot(along_row, along_row), dot(along_column, along_row));
    let (ca, ra) = (dot(along_column, apart), dot(along_row, apart));
    let determinant = cc * rr - cr * cr;
    (determinant > 1e-12 * cc * rr)
        .then(|| [(ca * rr - ra * cr) / determinant, (ra * cc - ca * cr) / determinant])
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The mean of two faces; a dry face carries no weight, and between two dry faces there is no value.
pub(crate) fn face_mean(a: f64, b: f64) -> f64 {
    match (a.is_finite(), b.is_finite()) {
        (true, true) => f64::midpoint(a, b),
        (true, false) => a,
        (false, true) => b,
        (false, false) => f64::NAN,
    }
}

/// East and north components of a vector along columns and rows; `angle` is that of the columns' direction from east,
/// counter-clockwise, in radians.
///
/// # Examples
/// ```
/// use ocean_data::field::rotate_to_east;
///
/// let [east, north] = rotate_to_east(1.0, 0.0, std::f64::consts::FRAC_PI_2);
/// assert!(east.abs() < 1e-12 && (north - 1.0).abs() < 1e-12);
/// ```
pub fn rotate_to_east(along_columns: f64, along_rows: f64, angle: f64) -> [f64; 2] {
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    [along_columns * cosine - along_rows * sine, along_columns * sine + along_rows * cosine]
}

/// The angle of a step from east, counter-clockwise, in radians; `None` for no step.
pub(crate) fn angle_of_step(from: [f64; 2], to: [f64; 2]) -> Option<f64> {
    if distance(from[0], from[1], to[0], to[1]) <= 0.0 {
        return None;
    }
    let radians = std::f64::consts::PI / 180.0;
    let east = libm::sin((to[0] - from[0]) * radians) * libm::cos(to[1] * radians);
    let north = libm::cos(from[1] * radians) * libm::sin(to[1] * radians)
        - libm::sin(from[1] * radians) * libm::cos(to[1] * radians) * libm::cos((to[0] - from[0]) * radians);
    Some(libm::atan2(north, east)).filter(|angle| angle.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dry_face_does_not_slow_the_other() {
        assert!((face_mean(1.0, 3.0) - 2.0).abs() < 1e-12);
        assert!((face_mean(f64::NAN, 3.0) - 3.0).abs() < 1e-12);
        assert!(face_mean(f64::NAN, f64::NAN).is_nan());
    }

    #[test]
    fn steps_have_the_angle_of_their_bearing() {
        let degrees = |from, to| angle_of_step(from, to).unwrap() * 180.0 / std::f64::consts::PI;
        assert!(degrees([0.0, 0.0], [1.0, 0.0]).abs() < 1e-9);
        assert!((degrees([0.0, 0.0], [0.0, 1.0]) - 90.0).abs() < 1e-9);
        assert!((degrees([179.5, 0.0], [-179.5, 1.0]) - 45.0).abs() < 0.1);
        assert!(angle_of_step([1.0, 1.0], [1.0, 1.0]).is_none());
    }
}
