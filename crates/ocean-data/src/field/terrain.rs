//! Fields on terrain-following levels: depths of the levels of each column, and values at fixed depths.

use ndarray::{Array2, Array3, Array4, ArrayView4};

use super::columns::{at_depth, edges_between, layer_mean};
use super::field::Field;
use crate::cf::Packing;
use crate::dataset::{ChunkBytes, ReadError, Store, StoredVariable, Terrain, Window, metres};

/// What is made of terrain-following levels.
#[derive(Debug, Clone)]
pub(crate) struct TerrainLevels {
    pub(crate) terrain: Terrain,
    /// Stored levels from the surface downwards.
    pub(crate) order: Vec<usize>,
    pub(crate) target: Target,
    /// Depth of the floor in metres, in the cells of the field.
    pub(crate) floor: Array2<f64>,
}

/// Where values are wanted.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// At one depth.
    At(f64),
    /// In layers of fixed depth, from the surface downwards.
    Layers(Vec<[f64; 2]>),
}

impl TerrainLevels {
    /// The same for one cell of the field.
    pub(crate) fn at_cell(&self, row: usize, column: usize) -> Self {
        Self { floor: Array2::from_elem((1, 1), self.floor[[row, column]]), ..self.clone() }
    }

    /// How many depths.
    fn len(&self) -> usize {
        match &self.target {
            Target::At(_) => 1,
            Target::Layers(layers) => layers.len(),
        }
    }

    /// The part of each layer that is above the floor, in metres, `(depth, y, x)`, with the surface at the datum.
    pub(crate) fn wet_thickness(&self) -> Option<Array3<f64>> {
        let Target::Layers(layers) = &self.target else { return None };
        let (rows, columns) = self.floor.dim();
        Some(Array3::from_shape_fn((layers.len(), rows, columns), |(z, y, x)| {
            let [top, bottom] = layers[z];
            let floor = self.floor[[y, x]];
            if floor.is_finite() { (bottom.min(floor) - top).max(0.0) } else { 0.0 }
        }))
    }

    /// Values at the wanted depths, `(time, depth, y, x)`, from levels in the order of [`TerrainLevels::order`]; `offset`
    /// is where the block lies among rows and columns.
    pub(crate) fn present(
        &self,
        values: &ArrayView4<'_, f64>,
        eta: &Array3<f64>,
        offset: [usize; 2],
    ) -> Array4<f64> {
        let (times, levels, rows, columns) = values.dim();
        let mut out = Array4::from_elem((times, self.len(), rows, columns), f64::NAN);
        let mut column = vec![0.0; levels];
        for t in 0..times {
            for y in 0..rows {
                for x in 0..columns {
                    let floor = self.floor[[offset[0] + y, offset[1] + x]];
                    let surface = eta[[t, y, x]];
                    if !floor.is_finite() || !surface.is_finite() {
                        continue;
                    }
                    for (z, value) in column.iter_mut().enumerate() {
                        *value = values[[t, z, y, x]];
                    }
                    self.column(&column, surface, floor, |z, value| out[[t, z, y, x]] = value);
                }
            }
        }
        out
    }

    fn column(&self, values: &[f64], eta: f64, floor: f64, mut put: impl FnMut(usize, f64)) {
        let terrain = &self.terrain;
        let depth = |level| -terrain.formula.height(level, eta, floor, terrain.depth_c);
        let depths: Vec<f64> = self.order.iter().map(|&k| depth(&terrain.levels[k])).collect();
        match &self.target {
            Target::At(wanted) => put(0, at_depth(&depths, values, floor, *wanted)),
            Target::Layers(layers) => {
                let edges = match &terrain.edges {
                    Some(edges) => {
                        let mut edges: Vec<f64> = edges.iter().map(depth).collect();
                        if self.order.first().is_some_and(|&k| k > 0) {
                            edges.reverse();
                        }
                        edges
                    }
                    None => edges_between(&depths, -eta, floor),
                };
                for (z, &[top, bottom]) in layers.iter().enumerate() {
                    // Water above the datum belongs to the layer that begins there.
                    let top = if top <= 0.0 { f64::NEG_INFINITY } else { top };
                    put(z, layer_mean(&edges, values, [top, bottom]));
                }
            }
        }
    }
}

/// Where the points of a variable lie among those of a field: on them, or between pairs of them on a staggered grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Points {
    /// Dimensions of rows and columns in the variable.
    places: [Option<usize>; 2],
    /// Whether a row or column of the field lies between two of the variable.
    between: [bool; 2],
}

impl Points {
    /// How the points of `variable` serve the field's rows and columns; `None` when they do not fit.
    pub(crate) fn of(
        variable: &StoredVariable,
        field: &StoredVariable,
        places: [Option<usize>; 4],
    ) -> Option<Self> {
        let wanted = [places[2], places[3]].map(|place| place.map(|at| &field.dimensions[at]));
        let horizontal: Vec<usize> = (0..variable.dimensions.len())
            .filter(|&at| {
                let (name, length) = &variable.dimensions[at];
                let time = places[0].is_some_and(|time| field.dimensions[time].0 == *name);
                !time && *length != 1 || wanted.iter().flatten().any(|dimension| dimension.0 == *name)
            })
            .collect();
        let kept: Vec<&(String, usize)> = wanted.iter().copied().flatten().collect();
        if horizontal.len() != kept.len() {
            return None;
        }
        let mut out = Self { places: [None; 2], between: [false; 2] };
        let mut next = horizontal.iter();
        for (i, dimension) in wanted.into_iter().enumerate() {
            let Some((name, length)) = dimension else { continue };
            let by_name = horizontal.iter().copied().find(|&at| variable.dimensions[at].0 == *name);
            let in_order = next.next().copied();
            let at = by_name.or(in_order)?;
            let there = variable.dimensions[at].1;
            out.places[i] = Some(at);
            out.between[i] = there == length + 1;
            if there != *length && there != length + 1 {
                return None;
            }
        }
        Some(out)
    }

    /// Reads the variable at some times, rows and columns of the field, `(time, y, x)`, in metres.
    pub(crate) fn read(
        self,
        store: &dyn Store,
        index: usize,
        time: Option<(&str, &[usize])>,
        rows: &[usize],
        columns: &[usize],
    ) -> Result<(Array3<f64>, Vec<ChunkBytes>), ReadError> {
        let stored = &store.variables()[index];
        let packing = Packing::from_attributes(&stored.attributes, stored.fill_value);
        let scale = metres(stored);
        let time_place = time.and_then(|(name, _)| stored.dimensions.iter().position(|d| d.0 == name));
        let times: &[usize] = time.map_or(&[0], |time| time.1);
        let mut window =
            Window { start: vec![0; stored.dimensions.len()], shape: vec![1; stored.dimensions.len()] };
        let mut place = |at: Option<usize>, wanted: &[usize], more: usize| {
            let first = wanted.iter().copied().min().unwrap_or(0);
            let last = wanted.iter().copied().max().unwrap_or(0) + more;
            if let Some(at) = at {
                (window.start[at], window.shape[at]) = (first, last - first + 1);
            }
            first
        };
        let first_time = place(time_place, times, 0);
        let first_row = place(self.places[0], rows, usize::from(self.between[0]));
        let first_column = place(self.places[1], columns, usize::from(self.between[1]));
        let block = store.read(index, &window)?;
        let mut at = vec![0; stored.dimensions.len()];
        let mut value = |t: usize, y: usize, x: usize| {
            let mut set = |place: Option<usize>, position: usize| {
                if let Some(place) = place {
                    at[place] = position;
                }
            };
            set(time_place, t);
            set(self.places[0], y);
            set(self.places[1], x);
            packing.decode(block.values[at.as_slice()]) * scale
        };
        let steps = |between: bool| if between { 2 } else { 1 };
        let (down, right) = (steps(self.between[0]), steps(self.between[1]));
        let values = Array3::from_shape_fn((times.len(), rows.len(), columns.len()), |(t, y, x)| {
            let mut sum = 0.0;
            for dy in 0..down {
                for dx in 0..right {
                    sum += value(
                        times[t] - first_time,
                        rows[y] - first_row + dy,
                        columns[x] - first_column + dx,
                    );
                }
            }
            sum / (down * right) as f64
        });
        Ok((values, block.chunks))
    }
}

/// The height of the surface in the cells of a block, `(time, y, x)`; 0 when the file has none.
pub(crate) fn surface_of(
    field: &Field,
    levels: &TerrainLevels,
    times: &[usize],
    rows: &[usize],
    columns: &[usize],
) -> Result<(Array3<f64>, Vec<ChunkBytes>), ReadError> {
    let still = || (Array3::zeros((times.len(), rows.len(), columns.len())), Vec::new());
    let store = field.dataset.store();
    let stored = &store.variables()[field.variable.index];
    let Some(eta) = levels.terrain.eta else { return Ok(still()) };
    let Some(points) = Points::of(&store.variables()[eta], stored, field.places) else { return Ok(still()) };
    let time = field.places[0].map(|at| (stored.dimensions[at].0.as_str(), times));
    let (values, chunks) = points.read(store, eta, time, rows, columns)?;
    // A surface that does not change with time serves all times.
    if values.dim().0 == times.len() {
        return Ok((values, chunks));
    }
    Ok((
        Array3::from_shape_fn((times.len(), rows.len(), columns.len()), |(_, y, x)| values[[0, y, x]]),
        chunks,
    ))
}
