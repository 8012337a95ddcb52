//! The horizontal grid of a field, whatever its kind.

use std::sync::Arc;

use ndarray::Array2;

use super::field::{Field, SpaceAxis};
use super::metrics::{box_area, corners_of_centres, widths_of_corners};
use super::sphere::{Vector, distance, place};
use crate::dataset::{Mesh, ReadError, Seam, mesh_width, rings_of_bounds};

/// The horizontal grid of a field.
#[derive(Debug, Clone, Copy)]
pub enum Horizontal<'a> {
    /// Axes of latitude and longitude.
    Rectilinear {
        /// Rows.
        lat: &'a SpaceAxis,
        /// Columns.
        lon: &'a SpaceAxis,
    },
    /// A latitude and a longitude for every cell, `(y, x)`.
    Curvilinear {
        /// Latitudes of the centres in degrees; NaN where the file has none.
        lat: &'a Array2<f64>,
        /// Longitudes of the centres in degrees, any turn.
        lon: &'a Array2<f64>,
        /// Areas in square metres.
        area: &'a Array2<f64>,
        /// Where the areas are from.
        area_source: &'a str,
    },
    /// A list of nodes or faces, `(1, node)`.
    Unstructured {
        /// Latitudes in degrees.
        lat: &'a Array2<f64>,
        /// Longitudes in degrees, any turn.
        lon: &'a Array2<f64>,
        /// Areas in square metres, when the file tells them.
        area: Option<&'a Array2<f64>>,
        /// Where the areas are from.
        area_source: &'a str,
    },
    /// No map: one of the axes is absent.
    None,
}

/// A field on a grid that a computation cannot use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// Axes are needed.
    #[error(
        "`{name}` is on {kind}, and this needs latitude and longitude axes; regrid it to a latitude-longitude grid first"
    )]
    NotRectilinear {
        /// The variable.
        name: String,
        /// What grid it is on.
        kind: &'static str,
    },
    /// No map.
    #[error("`{name}` has no latitude and longitude axes; choose a variable on a map")]
    NoMap {
        /// The variable.
        name: String,
    },
    /// No levels.
    #[error("`{name}` has no levels; choose a variable with a depth axis and a range of depths")]
    NoLevels {
        /// The variable.
        name: String,
    },
    /// No areas.
    #[error(
        "`{name}` is on an unstructured mesh and the file tells neither areas nor faces of its cells; weight all alike, or add a cell area variable"
    )]
    NoArea {
        /// The variable.
        name: String,
    },
}

/// Cell corners that cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CornersError {
    /// There are none.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The store failed.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// The cells of a grid without axes that a field holds.
#[derive(Debug)]
pub(crate) struct MeshCells {
    pub(crate) mesh: Arc<Mesh>,
    /// Stored rows.
    pub(crate) rows: Vec<usize>,
    /// Stored columns, or nodes.
    pub(crate) columns: Vec<usize>,
    /// Latitudes of the selected cells.
    pub(crate) lat: Array2<f64>,
    /// Longitudes of the selected cells.
    pub(crate) lon: Array2<f64>,
    /// Areas of the selected cells.
    pub(crate) area: Option<Array2<f64>>,
}

impl MeshCells {
    /// The cells of some rows and columns.
    pub(crate) fn new(mesh: Arc<Mesh>, rows: Vec<usize>, columns: Vec<usize>) -> Self {
        let pick = |values: &Array2<f64>| {
            Array2::from_shape_fn((rows.len(), columns.len()), |(y, x)| values[[rows[y], columns[x]]])
        };
        let (lat, lon) = (pick(&mesh.lat), pick(&mesh.lon));
        let area = mesh.area.values.as_ref().map(pick);
        Self { mesh, rows, columns, lat, lon, area }
    }
}

impl Field {
    /// The horizontal grid.
    pub fn horizontal(&self) -> Horizontal<'_> {
        if let Some(cells) = &self.mesh {
            let (lat, lon, area_source) = (&cells.lat, &cells.lon, cells.mesh.area.source.as_str());
            return match &cells.area {
                area if cells.mesh.nodes => {
                    Horizontal::Unstructured { lat, lon, area: area.as_ref(), area_source }
                }
                Some(area) => Horizontal::Curvilinear { lat, lon, area, area_source },
                None => Horizontal::None,
            };
        }
        match (self.lats(), self.lons()) {
            (Some(lat), Some(lon)) => Horizontal::Rectilinear { lat, lon },
            _ => Horizontal::None,
        }
    }

    /// Refuses a field that has no axes of latitude and longitude.
    ///
    /// # Errors
    /// [`GridError`], with what to do.
    pub fn require_rectilinear(&self) -> Result<(&SpaceAxis, &SpaceAxis), GridError> {
        let name = self.name().to_owned();
        match self.horizontal() {
            Horizontal::Rectilinear { lat, lon } => Ok((lat, lon)),
            Horizontal::Curvilinear { .. } => {
                Err(GridError::NotRectilinear { name, kind: "a curvilinear grid" })
            }
            Horizontal::Unstructured { .. } => {
                Err(GridError::NotRectilinear { name, kind: "an unstructured mesh" })
            }
            Horizontal::None => Err(GridError::NoMap { name }),
        }
    }

    /// Refuses a field on a grid without axes; one that is no map is fine.
    ///
    /// # Errors
    /// [`GridError::NotRectilinear`], with what to do.
    pub fn require_axes(&self) -> Result<(), GridError> {
        match self.require_rectilinear() {
            Err(GridError::NoMap { .. }) | Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Longitude and latitude of a cell centre, by position.
    pub fn cell_centre(&self, row: usize, column: usize) -> Option<[f64; 2]> {
        if let Some(cells) = &self.mesh {
            return Some([*cells.lon.get([row, column])?, *cells.lat.get([row, column])?]);
        }
        Some([*self.lons()?.values.get(column)?, *self.lats()?.values.get(row)?])
    }

    /// Areas of the cells in square metres, `(y, x)`, whether they are inside the region or not.
    ///
    /// # Errors
    /// [`GridError::NoMap`] and [`GridError::NoArea`].
    pub fn cell_area(&self) -> Result<Array2<f64>, GridError> {
        match self.horizontal() {
            Horizontal::Rectilinear { lat, lon } => {
                Ok(Array2::from_shape_fn((lat.values.len(), lon.values.len()), |(y, x)| {
                    box_area(lat.bounds[y], lon.bounds[x])
                }))
            }
            Horizontal::Curvilinear { area, .. } => Ok(area.clone()),
            Horizontal::Unstructured { area, .. } => {
                area.cloned().ok_or_else(|| GridError::NoArea { name: self.name().to_owned() })
            }
            Horizontal::None => Err(GridError::NoMap { name: self.name().to_owned() }),
        }
    }

    /// The corners `[lon, lat]` of each cell of a curvilinear grid or a mesh, row by row: those that the file states, else half-way
    /// between the centres; joined in order by great circles. Fewer than three where they are not known.
    ///
    /// # Errors
    /// [`GridError::NoMap`] for a field without cells of its own; [`ReadError`] from the store.
    pub fn cell_corners(&self) -> Result<Vec<Vec<[f64; 2]>>, CornersError> {
        let no_map = || GridError::NoMap { name: self.name().to_owned() };
        let (Some(cells), Some(link)) = (&self.mesh, self.variable.mesh) else { return Err(no_map().into()) };
        let source = self.dataset.grid().meshes.get(link.mesh).ok_or_else(no_map)?;
        let degrees = |ring: &[Vector]| -> Vec<[f64; 2]> {
            ring.iter().filter(|own| own.iter().all(|part| part.is_finite())).map(|own| place(*own)).collect()
        };
        let of_all = cells.rows.iter().flat_map(|&y| cells.columns.iter().map(move |&x| (y, x)));
        let width = cells.mesh.lat.ncols();
        if let Some(rings) = rings_of_bounds(self.dataset.store(), source)? {
            return Ok(of_all
                .map(|(y, x)| rings.get(y * width + x).map_or(vec![], |ring| degrees(ring)))
                .collect());
        }
        if cells.mesh.nodes {
            return Err(GridError::NotRectilinear {
                name: self.name().to_owned(),
                kind: "a mesh without cell corners",
            }
            .into());
        }
        let corners = corners_of_centres(&cells.mesh.lat, &cells.mesh.lon, cells.mesh.seam == Seam::Closed);
        let ring = |(y, x)| {
            degrees(&[corners[[y, x]], corners[[y, x + 1]], corners[[y + 1, x + 1]], corners[[y + 1, x]]])
        };
        Ok(of_all.map(ring).collect())
    }

    /// The cells nearest a place by great-circle distance: `(row, column, metres)`, nearest first; of two as near the
    /// one that comes first in the field. Cells outside of the region's mask are left out.
    pub fn nearest_cells(&self, lon: f64, lat: f64, count: usize) -> Vec<(usize, usize, f64)> {
        let [_, _, rows, columns] = self.full_shape();
        let mut found: Vec<(usize, usize, f64)> = Vec::new();
        for y in 0..rows {
            for x in 0..columns {
                let inside = self.mask().is_none_or(|mask| mask[[y, x]]);
                let Some([there_lon, there_lat]) = self.cell_centre(y, x).filter(|_| inside) else {
                    continue;
                };
                let away = distance(lon, lat, there_lon, there_lat);
                if away.is_finite() {
                    found.push((y, x, away));
                }
            }
            // Kept short, so that a large grid needs no list of all its cells.
            if found.len() > count + 4096 {
                keep_nearest(&mut found, count);
            }
        }
        keep_nearest(&mut found, count);
        found
    }

    /// Whether the cells of another field of the same shape are at the same places, within a tenth of a cell; true where
    /// either has no places.
    pub(crate) fn shares_places_with(&self, other: &Self) -> bool {
        let [_, _, rows, columns] = self.full_shape();
        let away = |a: Option<[f64; 2]>, b: Option<[f64; 2]>| {
            let ([lon_a, lat_a], [lon_b, lat_b]) = (a?, b?);
            Some(distance(lon_a, lat_a, lon_b, lat_b)).filter(|metres| metres.is_finite())
        };
        let sample = |length: usize| [0, length / 2, length - 1];
        sample(rows).into_iter().all(|y| {
            sample(columns).into_iter().all(|x| {
                let here = self.cell_centre(y, x);
                let Some(apart) = away(here, other.cell_centre(y, x)) else { return true };
                let across = away(here, self.cell_centre(y, if x > 0 { x - 1 } else { x + 1 }));
                let along = away(here, self.cell_centre(if y > 0 { y - 1 } else { y + 1 }, x));
                let step =
                    across.into_iter().chain(along).filter(|&step| step > 0.0).fold(f64::INFINITY, f64::min);
                // A lone cell has no size to compare with.
                !step.is_finite() || apart <= 0.1 * step
            })
        })
    }

    /// Widths of the cells of a curvilinear grid, along columns and rows.
    pub(crate) fn mesh_widths(&self, shape: (usize, usize)) -> Result<[Array2<f64>; 2], GridError> {
        let Some(cells) = &self.mesh else { return Err(GridError::NoMap { name: self.name().to_owned() }) };
        let pick = |values: &Array2<f64>| {
            Array2::from_shape_fn(shape, |(y, x)| values[[cells.rows[y], cells.columns[x]]])
        };
        let whole = cells.mesh.lat.dim();
        if let Some(([x, y], reciprocal)) = cells.mesh.area.widths {
            let read = |index: usize| {
                mesh_width(self.dataset.store(), index, reciprocal, whole).ok().flatten().map(|w| pick(&w))
            };
            if let Some((dx, dy)) = read(x).zip(read(y)) {
                return Ok([dx, dy]);
            }
        }
        let corners = corners_of_centres(&cells.mesh.lat, &cells.mesh.lon, cells.mesh.seam == Seam::Closed);
        let of = |which: usize| {
            Array2::from_shape_fn(shape, |(y, x)| {
                widths_of_corners(&corners, cells.rows[y], cells.columns[x])[which]
            })
        };
        Ok([of(0), of(1)])
    }
}

fn keep_nearest(found: &mut Vec<(usize, usize, f64)>, count: usize) {
    found.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.0.cmp(&b.0)).then(a.1.cmp(&b.1)));
    found.truncate(count);
}
