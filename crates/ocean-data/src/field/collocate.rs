//! Staggered components at cell centres, and turned to east and north.

use std::sync::{Arc, OnceLock};

use ndarray::{Array2, Array4};

use super::chunk_walk::{WalkControl, WalkError};
use super::field::{Field, SpaceAxis};
use super::horizontal::{Horizontal, MeshCells};
use super::select::SelectError;
use super::sphere::{place, scaled_sum};
use super::stagger::{Lattice, Stagger, StaggerError, angle_of_step, face_mean, rotate_to_east, stagger_of};
use super::terrain::TerrainLevels;
use crate::cf::{Attribute, Packing, base_name};
use crate::dataset::Window;

/// Two components of a velocity at the centres of cells.
#[derive(Debug, Clone)]
pub struct Velocity {
    /// First component, `(time, depth, y, x)`; NaN is missing and outside of the region.
    pub u: Array4<f64>,
    /// Second component.
    pub v: Array4<f64>,
    /// Latitudes of the centres, `(y, x)`.
    pub lat: Array2<f64>,
    /// Longitudes of the centres, `(y, x)`, without a jump at the date line along a row.
    pub lon: Array2<f64>,
    /// Whether the components are eastward and northward; otherwise along columns and rows of the grid.
    pub east_north: bool,
    /// The angle of the columns' direction from east, counter-clockwise, in radians, `(y, x)`.
    pub angle: Array2<f64>,
    /// How it was made.
    pub notes: Vec<String>,
}

/// Components that cannot be brought together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollocateError {
    /// Their points do not allow it.
    #[error(transparent)]
    Stagger(#[from] StaggerError),
    /// The whole grid of one cannot be selected.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// Reading failed, or needs too much memory.
    #[error(transparent)]
    Walk(#[from] WalkError),
}

/// The stored cells that a component is read at, and the centres between them.
struct Centres {
    rows: Vec<usize>,
    columns: Vec<usize>,
    lat: Array2<f64>,
    lon: Array2<f64>,
    inside: Array2<bool>,
}

/// Brings two components to cell centres: each is the mean of the two faces around the centre, a dry face carrying no
/// weight. Components at one place are read as they are. Faces just outside of the region are read too, so that cells
/// at its rim are whole.
///
/// Times, depth and units are those of the fields; a region is that of `u`.
///
/// # Errors
/// [`CollocateError`]; the arrays together may not need more than `max_bytes`.
pub fn collocate(u: &Field, v: &Field, max_bytes: u64) -> Result<Velocity, CollocateError> {
    let different = |what| StaggerError::Different { u: u.name().to_owned(), v: v.name().to_owned(), what };
    let times = |field: &Field| field.times().map(|time| time.nanoseconds.clone());
    if times(u) != times(v) {
        return Err(different("times").into());
    }
    if u.full_shape()[1] != v.full_shape()[1] {
        return Err(different("levels").into());
    }
    let (whole_u, whole_v) = (without_region(u)?, without_region(v)?);
    let stagger = stagger_of(&whole_u, &whole_v)?;
    let centres = centres(u, &whole_u, &whole_v, stagger)?;
    let [nt, nz, _, _] = u.full_shape();
    let cells = (nt * nz * centres.rows.len() * centres.columns.len()) as u64;
    let needed = cells.saturating_mul(8 * 4);
    if needed > max_bytes {
        return Err(WalkError::TooLarge { needed, limit: max_bytes }.into());
    }
    let read = |field: &Field, along_rows: bool| -> Result<Array4<f64>, CollocateError> {
        let shift = match stagger {
            Stagger::Collocated => None,
            Stagger::Faces { first_row, .. } if along_rows => Some(first_row),
            Stagger::Faces { first_column, .. } => Some(first_column),
        };
        let (mut rows, mut columns) = (centres.rows.clone(), centres.columns.clone());
        if let Some(shift) = shift {
            let line = if along_rows { &mut rows } else { &mut columns };
            *line = faces(line, shift);
        }
        let part = window(field, &rows, &columns)
            .ok_or_else(|| StaggerError::NoGrid { name: field.name().to_owned() })?;
        let values = read_all(&part)?;
        let shape = (nt, nz, centres.rows.len(), centres.columns.len());
        Ok(Array4::from_shape_fn(shape, |(t, z, y, x)| {
            if !centres.inside[[y, x]] {
                return f64::NAN;
            }
            match shift {
                None => values[[t, z, y, x]],
                // Faces of neighbouring centres are shared, and the lists run on by one.
                Some(_) if along_rows => face_mean(values[[t, z, y, x]], values[[t, z, y + 1, x]]),
                Some(_) => face_mean(values[[t, z, y, x]], values[[t, z, y, x + 1]]),
            }
        }))
    };
    let (along_columns, along_rows) = (read(&whole_u, false)?, read(&whole_v, true)?);
    let mut notes = Vec::new();
    if stagger != Stagger::Collocated {
        notes.push(format!(
            "`{}` and `{}` are on the faces of cells; each is averaged to the centres over its two faces, dry faces left out",
            u.name(),
            v.name()
        ));
    }
    let (angle, source) = angles(&whole_u, &whole_v, &centres);
    if let Some(source) = source {
        notes.push(source);
    }
    let true_north = [u, v].iter().all(|field| {
        field.standard_name().is_some_and(|name| name.contains("eastward") || name.contains("northward"))
    });
    let straight = matches!(whole_u.horizontal(), Horizontal::Rectilinear { .. });
    Ok(Velocity {
        u: along_columns,
        v: along_rows,
        lat: centres.lat,
        lon: centres.lon,
        east_north: true_north || straight,
        angle,
        notes,
    })
}

impl Velocity {
    /// Eastward and northward components; as they are when they are that already.
    #[must_use]
    pub fn to_east_north(&self) -> Self {
        if self.east_north {
            return self.clone();
        }
        let mut out = self.clone();
        for ((t, z, y, x), &along) in self.u.indexed_iter() {
            let [east, north] = rotate_to_east(along, self.v[[t, z, y, x]], self.angle[[y, x]]);
            out.u[[t, z, y, x]] = east;
            out.v[[t, z, y, x]] = north;
        }
        out.east_north = true;
        out.notes.push("the components were turned from the grid to east and north".to_owned());
        out
    }
}

/// The same times, depth and units on the whole grid.
fn without_region(field: &Field) -> Result<Field, SelectError> {
    let mut selection = field.selection.clone();
    selection.region = None;
    let whole = Field::select(&field.dataset, &selection)?;
    Ok(Field {
        time: field.time.clone(),
        units: field.units.clone(),
        conversion: field.conversion,
        selection: field.selection.clone(),
        mask: None,
        ..whole
    })
}

/// Faces around centres that run on by one: one more than those.
fn faces(centres: &[usize], shift: isize) -> Vec<usize> {
    let first = centres.first().copied().unwrap_or(0).saturating_add_signed(shift);
    (first..=first + centres.len()).collect()
}

/// The centres whose faces are all there and that lie in the region of `u`.
fn centres(u: &Field, whole_u: &Field, whole_v: &Field, stagger: Stagger) -> Result<Centres, CollocateError> {
    let (first, second) = (Lattice::of(whole_u)?, Lattice::of(whole_v)?);
    let has = |list: &[usize], index: Option<usize>| index.is_some_and(|index| list.contains(&index));
    let bounds = |lattice: &Lattice<'_>| {
        let span = |list: &[usize]| [list.iter().copied().min(), list.iter().copied().max()];
        (span(&lattice.rows), span(&lattice.columns))
    };
    let ((rows_u, columns_u), (rows_v, columns_v)) = (bounds(&first), bounds(&second));
    let common = |a: [Option<usize>; 2], b: [Option<usize>; 2]| {
        let from = a[0].max(b[0]).unwrap_or(0);
        let to = a[1].max(b[1]).unwrap_or(0);
        from..=to + 1
    };
    let around = |list: &[usize], index: usize, shift: isize| {
        has(list, index.checked_add_signed(shift)) && has(list, index.checked_add_signed(shift + 1))
    };
    let row_is_whole = |row: &usize| {
        has(&first.rows, Some(*row))
            && match stagger {
                Stagger::Collocated => has(&second.rows, Some(*row)),
                Stagger::Faces { first_row, .. } => around(&second.rows, *row, first_row),
            }
    };
    let column_is_whole = |column: &usize| {
        has(&second.columns, Some(*column))
            && match stagger {
                Stagger::Collocated => has(&first.columns, Some(*column)),
                Stagger::Faces { first_column, .. } => around(&first.columns, *column, first_column),
            }
    };
    let rows: Vec<usize> = common(rows_u, rows_v).filter(row_is_whole).collect();
    let columns: Vec<usize> = common(columns_u, columns_v).filter(column_is_whole).collect();
    let centre = |row: usize, column: usize| -> Option<[f64; 2]> {
        match stagger {
            Stagger::Collocated => first.vector(row, column).map(place),
            Stagger::Faces { first_column, .. } => {
                let before = column.checked_add_signed(first_column)?;
                let after = column.checked_add_signed(first_column + 1)?;
                if whole_u.mesh.is_none() {
                    // Along a parallel, not along the great circle.
                    let at =
                        |column| first.position(row, column).and_then(|(y, x)| whole_u.cell_centre(y, x));
                    let ([west, lat], [east, _]) = (at(before)?, at(after)?);
                    let turn = east - west - 360.0 * ((east - west) / 360.0).round();
                    return Some([west + turn / 2.0, lat]);
                }
                let (a, b) = (first.vector(row, before)?, first.vector(row, after)?);
                Some(place(scaled_sum(a, 1.0, b, 1.0)))
            }
        }
    };
    let area = match &u.selection.region {
        Some(region) => region.area()?,
        None => None,
    };
    let repeats = |row: usize, column: usize| {
        whole_u.mesh.as_ref().is_some_and(|cells| cells.mesh.repeats[[row, column]])
    };
    let places = Array2::from_shape_fn((rows.len(), columns.len()), |(y, x)| centre(rows[y], columns[x]));
    let inside = Array2::from_shape_fn(places.dim(), |(y, x)| {
        places[[y, x]].is_some_and(|[lon, lat]| {
            area.as_ref().is_none_or(|area| area.contains(lon, lat)) && !repeats(rows[y], columns[x])
        })
    });
    let used = |line: ndarray::ArrayView1<'_, bool>| line.iter().any(|&cell| cell);
    let hull = |flags: Vec<bool>| {
        let first = flags.iter().position(|&flag| flag)?;
        Some((first, flags.iter().rposition(|&flag| flag)?))
    };
    let empty = || StaggerError::Empty { u: whole_u.name().to_owned(), v: whole_v.name().to_owned() };
    let (top, bottom) = hull(inside.rows().into_iter().map(used).collect()).ok_or_else(empty)?;
    let (left, right) = hull(inside.columns().into_iter().map(used).collect()).ok_or_else(empty)?;
    let shape = (bottom - top + 1, right - left + 1);
    let of = |part: usize| {
        Array2::from_shape_fn(shape, |(y, x)| {
            places[[top + y, left + x]].map_or(f64::NAN, |place| place[part])
        })
    };
    let mut lon = of(0);
    for mut row in lon.rows_mut() {
        for x in 1..row.len() {
            if row[x].is_finite() && row[x - 1].is_finite() {
                row[x] -= 360.0 * ((row[x] - row[x - 1]) / 360.0).round();
            }
        }
    }
    Ok(Centres {
        rows: rows.get(top..=bottom).map(<[usize]>::to_vec).unwrap_or_default(),
        columns: columns.get(left..=right).map(<[usize]>::to_vec).unwrap_or_default(),
        lat: of(1),
        lon,
        inside: Array2::from_shape_fn(shape, |(y, x)| inside[[top + y, left + x]]),
    })
}

/// A field at some of its stored rows and columns, in this order; `None` when it lacks one.
fn window(field: &Field, rows: &[usize], columns: &[usize]) -> Option<Field> {
    let lattice = Lattice::of(field).ok()?;
    let at_rows: Vec<usize> =
        rows.iter().map(|&row| lattice.position(row, columns[0]).map(|at| at.0)).collect::<Option<_>>()?;
    let at_columns: Vec<usize> = columns
        .iter()
        .map(|&column| lattice.position(rows[0], column).map(|at| at.1))
        .collect::<Option<_>>()?;
    let pick = |axis: &Option<SpaceAxis>, at: &[usize]| {
        axis.as_ref().map(|axis| SpaceAxis {
            indices: at.iter().map(|&i| axis.indices[i]).collect(),
            values: at.iter().map(|&i| axis.values[i]).collect(),
            bounds: at.iter().map(|&i| axis.bounds[i]).collect(),
            squeezed: false,
        })
    };
    let terrain = field.terrain.as_ref().map(|levels| {
        let floor = Array2::from_shape_fn((at_rows.len(), at_columns.len()), |(y, x)| {
            levels.floor[[at_rows[y], at_columns[x]]]
        });
        Arc::new(TerrainLevels { floor, ..TerrainLevels::clone(levels) })
    });
    let mesh = field
        .mesh
        .as_ref()
        .map(|cells| Arc::new(MeshCells::new(Arc::clone(&cells.mesh), rows.to_vec(), columns.to_vec())));
    Some(Field {
        lat: pick(&field.lat, &at_rows),
        lon: pick(&field.lon, &at_columns),
        mesh,
        mask: None,
        terrain,
        bottom: field.bottom.as_ref().map(|_| Arc::new(OnceLock::new())),
        ..field.clone()
    })
}

fn read_all(field: &Field) -> Result<Array4<f64>, WalkError> {
    let mut out = Array4::from_elem(field.full_shape(), f64::NAN);
    field.walk(
        &WalkControl::default(),
        |block| (block.offset, block.values.clone()),
        |(offset, values)| {
            for ((t, z, y, x), &value) in values.indexed_iter() {
                out[[offset[0] + t, offset[1] + z, offset[2] + y, offset[3] + x]] = value;
            }
        },
    )?;
    Ok(out)
}

/// Names of variables that hold the angle of the grid at cell centres, in lower case.
const ANGLES: [&str; 3] = ["angle", "anglet", "angle_dx"];

/// The angle of the columns at the centres: from the file, or from the directions between neighbouring centres.
fn angles(u: &Field, v: &Field, centres: &Centres) -> (Array2<f64>, Option<String>) {
    let shape = centres.lat.dim();
    let straight = matches!(u.horizontal(), Horizontal::Rectilinear { .. });
    if straight {
        return (Array2::zeros(shape), None);
    }
    if let Some((values, name)) = stored_angle(u, v, centres) {
        return (values, Some(format!("the direction of the grid is that of `{name}`")));
    }
    let at = |y: usize, x: usize| [centres.lon[[y, x]], centres.lat[[y, x]]];
    let values = Array2::from_shape_fn(shape, |(y, x)| {
        let (before, after) = (x.saturating_sub(1), (x + 1).min(shape.1 - 1));
        let ahead = angle_of_step(at(y, x), at(y, after));
        // Backwards from the centre, and turned round.
        let behind = angle_of_step(at(y, x), at(y, before))
            .map(|angle| angle + if angle > 0.0 { -std::f64::consts::PI } else { std::f64::consts::PI });
        match (ahead, behind) {
            (Some(a), Some(b)) => libm::atan2(libm::sin(a) + libm::sin(b), libm::cos(a) + libm::cos(b)),
            (Some(angle), None) | (None, Some(angle)) => angle,
            (None, None) => f64::NAN,
        }
    });
    (values, Some("the direction of the grid is that between neighbouring cell centres".to_owned()))
}

/// The angle variable over as many rows as the first component has and as many columns as the second: cell centres.
fn stored_angle(u: &Field, v: &Field, centres: &Centres) -> Option<(Array2<f64>, String)> {
    let store = u.dataset.store();
    let length = |field: &Field, axis: usize| {
        field.places[axis].map(|at| store.variables()[field.variable.index].dimensions[at].1)
    };
    let (rows, columns) = (length(u, 2)?, length(v, 3)?);
    let index = store.variables().iter().position(|variable| {
        ANGLES.iter().any(|name| base_name(&variable.name).eq_ignore_ascii_case(name))
            && variable.shape() == [rows, columns]
            && variable.element.is_numeric()
    })?;
    let stored = &store.variables()[index];
    let units = stored.attributes.get("units").and_then(Attribute::as_text).unwrap_or("");
    let scale =
        if units.to_ascii_lowercase().starts_with("deg") { std::f64::consts::PI / 180.0 } else { 1.0 };
    let packing = Packing::from_attributes(&stored.attributes, stored.fill_value);
    let block = store.read(index, &Window::all(stored)).ok()?;
    let values = Array2::from_shape_fn(centres.lat.dim(), |(y, x)| {
        packing.decode(block.values[[centres.rows[y], centres.columns[x]].as_slice()]) * scale
    });
    Some((values, stored.name.clone()))
}
