//! The lazy field: a dataset, a variable and resolved indices.

use std::sync::{Arc, OnceLock};

use ndarray::{Array2, Array4};
use serde_json::{Value, json};

use super::bottom::BottomIndex;
use super::chunk_walk::{WalkControl, WalkError};
use super::horizontal::MeshCells;
use super::select::{SelectError, resolve};
use super::selection::Selection;
use super::terrain::TerrainLevels;
use crate::cf::{Axis, Calendar, Conversion, DateTime, Unit, UnitError};
use crate::dataset::{Dataset, Variable};

/// One variable over a selection, not read yet.
///
/// Fields always present times rising, depths downwards, latitudes from south to north and longitudes from west
/// to east, whatever the order of the store.
///
/// # Shapes
/// [`Field::dims`] names the dimensions it has, always in the order `(time, depth, lat, lon)`. Arrays are
/// four-dimensional; a dimension that is absent has length 1.
///
/// # Missing values
/// NaN.
#[derive(Debug, Clone)]
pub struct Field {
    pub(crate) dataset: Arc<Dataset>,
    pub(crate) variable: Arc<Variable>,
    pub(crate) selection: Selection,
    pub(crate) time: Option<TimeAxis>,
    pub(crate) depth: Option<SpaceAxis>,
    /// Whether the depth of the one level varies from place to place.
    pub(crate) depth_varies: bool,
    /// What is made of terrain-following levels; `depth` then lists the stored levels and the depths presented.
    pub(crate) terrain: Option<Arc<TerrainLevels>>,
    pub(crate) lat: Option<SpaceAxis>,
    pub(crate) lon: Option<SpaceAxis>,
    /// Cells inside a polygon, `(lat, lon)`.
    pub(crate) mask: Option<Arc<Array2<bool>>>,
    /// The cells of a grid without axes; `lat` and `lon` are then absent.
    pub(crate) mesh: Option<Arc<MeshCells>>,
    /// The stored dimension of time, depth, rows and columns.
    pub(crate) places: [Option<usize>; 4],
    /// Set when the deepest wet cell of each column is wanted; `depth` then lists all levels.
    pub(crate) bottom: Option<Arc<OnceLock<BottomIndex>>>,
    pub(crate) depth_range: Option<[f64; 2]>,
    pub(crate) units: Option<String>,
    pub(crate) conversion: Conversion,
    pub(crate) notes: Vec<String>,
}

/// A selected spatial axis.
#[derive(Debug, Clone)]
pub struct SpaceAxis {
    /// Indices in the store.
    pub(crate) indices: Vec<usize>,
    /// Centres: degrees or metres below the surface.
    pub values: Vec<f64>,
    /// Cell bounds, lower first.
    pub bounds: Vec<[f64; 2]>,
    /// Whether the axis was reduced to one place and is no dimension of the field.
    pub squeezed: bool,
}

/// A selected time axis.
#[derive(Debug, Clone)]
pub struct TimeAxis {
    pub(crate) indices: Vec<usize>,
    /// Calendar.
    pub calendar: Calendar,
    /// Dates.
    pub dates: Vec<DateTime>,
    /// The same, in nanoseconds since 1970-01-01 of the calendar.
    pub nanoseconds: Vec<i128>,
    /// The file's own time bounds.
    pub bounds: Option<Vec<[i128; 2]>>,
}

impl TimeAxis {
    /// Times as JSON text: `2015-11-01T00:00:00Z`, without `Z` in other calendars.
    pub fn iso(&self) -> Vec<String> {
        self.dates.iter().map(|date| date.to_iso(self.calendar)).collect()
    }

    /// Days since the first time.
    pub fn elapsed_days(&self) -> Vec<f64> {
        let first = self.nanoseconds.first().copied().unwrap_or(0);
        self.nanoseconds.iter().map(|&n| (n - first) as f64 / 86_400e9).collect()
    }
}

impl Field {
    /// Resolves a selection. See [`Dataset::select`].
    ///
    /// # Errors
    /// [`SelectError`].
    pub fn select(dataset: &Arc<Dataset>, selection: &Selection) -> Result<Self, SelectError> {
        resolve(dataset, selection)
    }

    /// The dataset.
    pub fn dataset(&self) -> &Arc<Dataset> {
        &self.dataset
    }

    /// The variable.
    pub fn variable(&self) -> &Variable {
        &self.variable
    }

    /// What was asked for.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Name of the variable.
    pub fn name(&self) -> &str {
        &self.variable.name
    }

    /// Standard name of the variable.
    pub fn standard_name(&self) -> Option<&str> {
        self.variable.standard_name.as_deref()
    }

    /// Units of the values, as a CF string; empty when the file has none.
    pub fn units(&self) -> &str {
        self.units.as_deref().unwrap_or("")
    }

    /// The dimensions it has, out of `time`, `depth`, `lat`, `lon` in this order; on a curvilinear grid `y` and `x` stand for
    /// the last two, on an unstructured mesh `node`.
    pub fn dims(&self) -> Vec<&'static str> {
        let space = |axis: &Option<SpaceAxis>| axis.as_ref().is_some_and(|axis| !axis.squeezed);
        let [y, x] = self.horizontal_names();
        let nodes = self.mesh.as_ref().is_some_and(|cells| cells.mesh.nodes);
        let present = [
            (Axis::Time.name(), self.time.is_some()),
            (Axis::Depth.name(), space(&self.depth) && self.bottom.is_none()),
            (y, space(&self.lat) || (self.mesh.is_some() && !nodes)),
            (x, space(&self.lon) || self.mesh.is_some()),
        ];
        present.into_iter().filter(|p| p.1).map(|p| p.0).collect()
    }

    fn horizontal_names(&self) -> [&'static str; 2] {
        match &self.mesh {
            None => [Axis::Latitude.name(), Axis::Longitude.name()],
            Some(cells) if cells.mesh.nodes => ["y", "node"],
            Some(_) => ["y", "x"],
        }
    }

    /// Lengths of [`Field::dims`].
    pub fn shape(&self) -> Vec<usize> {
        let full = self.full_shape();
        let [y, x] = self.horizontal_names();
        let names = ["time", "depth", y, x];
        let dims = self.dims();
        names.iter().zip(full).filter(|(name, _)| dims.contains(name)).map(|(_, length)| length).collect()
    }

    /// Length of all four dimensions, 1 for those it lacks.
    pub fn full_shape(&self) -> [usize; 4] {
        let length = |axis: &Option<SpaceAxis>| axis.as_ref().map_or(1, |axis| axis.values.len());
        let levels = if self.bottom.is_some() { 1 } else { length(&self.depth) };
        let (rows, columns) = match &self.mesh {
            Some(cells) => cells.lat.dim(),
            None => (length(&self.lat), length(&self.lon)),
        };
        [self.time.as_ref().map_or(1, |time| time.dates.len()), levels, rows, columns]
    }

    /// Number of values; saturates.
    pub fn len(&self) -> usize {
        self.full_shape().iter().fold(1, |n, &length| n.saturating_mul(length))
    }

    /// Never: an empty selection is an error.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The time axis.
    pub fn times(&self) -> Option<&TimeAxis> {
        self.time.as_ref()
    }

    /// The depth axis, also when reduced to one level; `None` for a level whose depth varies, as the bottom.
    pub fn depths(&self) -> Option<&SpaceAxis> {
        if self.bottom.is_some() || self.depth_varies { None } else { self.depth.as_ref() }
    }

    /// The latitude axis; `None` on a grid without axes (see [`Field::horizontal`]).
    pub fn lats(&self) -> Option<&SpaceAxis> {
        self.lat.as_ref()
    }

    /// The longitude axis: rising, from the western edge of the region.
    pub fn lons(&self) -> Option<&SpaceAxis> {
        self.lon.as_ref()
    }

    /// Cells inside the region, `(lat, lon)`, when it is no box.
    pub fn mask(&self) -> Option<&Array2<bool>> {
        self.mask.as_deref()
    }

    /// What a reader of results should know: clipped windows, chosen levels, substitutions.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Thickness of each selected layer inside the selected range, in metres; 1 where there is one level.
    pub fn layer_thickness(&self) -> Vec<f64> {
        match self.depths() {
            None => vec![1.0],
            Some(axis) if axis.squeezed || axis.values.len() == 1 => vec![1.0; axis.values.len()],
            Some(axis) => {
                let [top, bottom] = self.depth_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                crate::cf::thicknesses(&axis.bounds, top, bottom)
            }
        }
    }

    /// The same field in other units.
    ///
    /// # Errors
    /// [`UnitError`] when the file's units are unknown or measure something else.
    pub fn with_units(&self, units: &str) -> Result<Self, UnitError> {
        let from: Unit = self.units().parse()?;
        let conversion = from.to(&units.parse()?)?;
        let combined = Conversion {
            scale: self.conversion.scale * conversion.scale,
            offset: self.conversion.offset * conversion.scale + conversion.offset,
        };
        Ok(Self { units: Some(units.to_owned()), conversion: combined, ..self.clone() })
    }

    /// The field at some of its times, by position.
    ///
    /// Positions beyond the end are left out; `None` if nothing is left.
    pub fn at_times(&self, positions: &[usize]) -> Option<Self> {
        let time = self.time.as_ref()?;
        let keep: Vec<usize> = positions.iter().copied().filter(|&at| at < time.dates.len()).collect();
        if keep.is_empty() {
            return None;
        }
        let pick = TimeAxis {
            indices: keep.iter().map(|&at| time.indices[at]).collect(),
            calendar: time.calendar,
            dates: keep.iter().map(|&at| time.dates[at]).collect(),
            nanoseconds: keep.iter().map(|&at| time.nanoseconds[at]).collect(),
            bounds: time.bounds.as_ref().map(|bounds| keep.iter().map(|&at| bounds[at]).collect()),
        };
        Some(Self { time: Some(pick), ..self.clone() })
    }

    /// The field at some of its levels, by position from the top; one level is no dimension any more.
    ///
    /// `None` if a position is beyond the end or nothing is left, and for levels that differ from place to place.
    pub fn at_levels(&self, positions: &[usize]) -> Option<Self> {
        let depth = self.depth.as_ref().filter(|_| self.bottom.is_none() && self.terrain.is_none())?;
        if positions.is_empty() || positions.iter().any(|&at| at >= depth.values.len()) {
            return None;
        }
        let pick = SpaceAxis {
            indices: positions.iter().map(|&at| depth.indices[at]).collect(),
            values: positions.iter().map(|&at| depth.values[at]).collect(),
            bounds: positions.iter().map(|&at| depth.bounds[at]).collect(),
            squeezed: positions.len() == 1,
        };
        Some(Self { depth: Some(pick), ..self.clone() })
    }

    /// The field at one cell of its grid, by position in latitude and longitude.
    pub(crate) fn at_cell(&self, row: usize, column: usize) -> Self {
        let terrain = self.terrain.as_ref().map(|levels| Arc::new(levels.at_cell(row, column)));
        if let Some(cells) = &self.mesh {
            let place = |index: usize, value: f64| {
                Some(SpaceAxis {
                    indices: vec![index],
                    values: vec![value],
                    bounds: vec![[value, value]],
                    squeezed: true,
                })
            };
            let (lat, lon) = (cells.lat[[row, column]], cells.lon[[row, column]]);
            return Self {
                lat: place(cells.rows[row], lat),
                lon: place(cells.columns[column], lon),
                mesh: None,
                mask: None,
                terrain,
                bottom: self.bottom.as_ref().map(|_| Arc::new(OnceLock::new())),
                ..self.clone()
            };
        }
        let one = |axis: &Option<SpaceAxis>, at: usize| {
            axis.as_ref().map(|axis| SpaceAxis {
                indices: vec![axis.indices[at]],
                values: vec![axis.values[at]],
                bounds: vec![axis.bounds[at]],
                squeezed: true,
            })
        };
        // The bottom index and the polygon belong to the whole region.
        let bottom = self.bottom.as_ref().map(|_| Arc::new(OnceLock::new()));
        Self {
            lat: one(&self.lat, row),
            lon: one(&self.lon, column),
            mask: None,
            bottom,
            terrain,
            ..self.clone()
        }
    }

    /// Reads all values into one array `(time, depth, lat, lon)`.
    ///
    /// # Errors
    /// [`WalkError::TooLarge`] above `max_bytes`; otherwise as [`Field::walk`].
    pub fn read(&self, max_bytes: u64) -> Result<Array4<f64>, WalkError> {
        let needed = (self.len() as u64).saturating_mul(8);
        if needed > max_bytes {
            return Err(WalkError::TooLarge { needed, limit: max_bytes });
        }
        let mut out = Array4::from_elem(self.full_shape(), f64::NAN);
        self.walk(
            &WalkControl::default(),
            |block| (block.offset, block.values.clone()),
            |(offset, values)| {
                let place = |axis: ndarray::AxisDescription| {
                    let at = axis.axis.index();
                    ndarray::Slice::from(offset[at]..offset[at] + values.shape()[at])
                };
                out.slice_each_axis_mut(place).assign(&values);
            },
        )?;
        Ok(out)
    }

    /// What makes the field, for hashing: dataset identity, variable, selection, dimensions and unit; and the
    /// resolved indices, so that a selection that is resolved in another way has another digest.
    pub fn recipe(&self) -> Value {
        let shape: Vec<String> = self.shape().iter().map(usize::to_string).collect();
        let mut selection = self.selection.clone();
        self.variable.identity_name().clone_into(&mut selection.variable);
        let mut recipe = json!({
            "dataset": self.dataset.identity(),
            "variable": self.variable.identity_name(),
            "selection": selection.to_json(),
            "dims": self.dims(),
            "shape": shape,
            "unit": self.units(),
        });
        if self.variable.packing.is_single() {
            recipe["unpacked"] = "single".into();
        }
        recipe
    }
}
