//! Blocks: what is read at once, and the tiles of it that are in memory as doubles.

use std::iter;

use ndarray::{Array2, Array4, ArrayD, ArrayViewD, Axis as NdAxis, Ix4, IxDyn};

use super::chunk_walk::{Block, WholeAxes};
use super::field::Field;
use super::plan::{BlockPlan, axis_indices};
use super::terrain::surface_of;
use crate::dataset::{ChunkBytes, Loaded, ReadError, Window};

/// A tile has about this many values, unless axes are wanted whole: half a megabyte, which a processor keeps near.
const TILE: usize = 64 * 1024;

/// A field that is read in blocks.
pub(crate) struct Reader<'a> {
    field: &'a Field,
    /// Stored indices along each axis.
    indices: [Vec<usize>; 4],
    /// The level of the bottom of each column, when that is what is wanted.
    bottom: Option<&'a Array2<usize>>,
}

/// Where a block lies in the store: its window, and where in it each position of the block is.
struct Hull {
    window: Window,
    relative: [Vec<usize>; 4],
}

impl<'a> Reader<'a> {
    /// Reads a field; `bottom` for one that wants the deepest wet cell of each column.
    pub(crate) fn new(field: &'a Field, bottom: Option<&'a Array2<usize>>) -> Self {
        Self { field, indices: axis_indices(field), bottom }
    }

    /// How many stored levels become one that is presented.
    pub(crate) fn levels_read(&self) -> usize {
        self.indices[1].len().div_ceil(self.field.full_shape()[1].max(1))
    }

    /// The window of the store that a block needs.
    pub(crate) fn window(&self, plan: BlockPlan) -> Window {
        self.hull(plan).window
    }

    /// Fetches and decodes what a block needs.
    ///
    /// # Errors
    /// A failed read.
    pub(crate) fn load(&self, plan: BlockPlan) -> Result<Loaded, ReadError> {
        self.field.dataset.store().load(self.field.variable.index, &self.window(plan))
    }

    /// Whether tiles of a block can be made one by one.
    fn has_tiles(&self) -> bool {
        self.field.terrain.is_none()
    }

    fn hull(&self, plan: BlockPlan) -> Hull {
        let field = self.field;
        let mut relative: [Vec<usize>; 4] = Default::default();
        let mut extent = [(0, 1); 4];
        for i in 0..4 {
            // The bottom and the depths of terrain-following levels need all levels of a column.
            let whole = i == 1 && (field.bottom.is_some() || field.terrain.is_some());
            let wanted = if whole { self.indices[1].as_slice() } else { self.part(plan, i) };
            let first = wanted.iter().copied().min().unwrap_or(0);
            let last = wanted.iter().copied().max().unwrap_or(0);
            extent[i] = (first, last - first + 1);
            relative[i] = wanted.iter().map(|&index| index - first).collect();
        }
        let rank = field.variable.dimensions.len();
        let mut window = Window { start: vec![0; rank], shape: vec![1; rank] };
        for (place, extent) in field.places.iter().zip(extent) {
            if let Some(at) = *place {
                (window.start[at], window.shape[at]) = extent;
            }
        }
        Hull { window, relative }
    }

    /// The stored indices of a block along one axis.
    fn part(&self, plan: BlockPlan, axis: usize) -> &[usize] {
        &self.indices[axis][plan.start[axis]..plan.start[axis] + plan.length[axis]]
    }

    /// A tile of a block as doubles, from what was loaded for the block; and what else was read for it.
    ///
    /// # Errors
    /// A failed read of the surface above terrain-following levels.
    pub(crate) fn present(
        &self,
        tile: BlockPlan,
        loaded: &Loaded,
    ) -> Result<(Vec<ChunkBytes>, Block), ReadError> {
        let field = self.field;
        let Hull { window, relative } = self.hull(tile);
        let stored = loaded.take(&window);
        if field.terrain.is_some() {
            return self.present_terrain(tile, &canonical_view(stored.view(), field.places), &relative);
        }
        let mut offset = tile.start;
        if self.bottom.is_some() {
            offset[1] = 0;
        }
        let in_place =
            self.bottom.is_none() && relative.iter().all(|own| own.iter().copied().eq(0..own.len()));
        let values = if in_place {
            let mut values = owned(stored, field.places);
            self.decode(tile, &mut values);
            values
        } else {
            self.pick(tile, &canonical_view(stored.view(), field.places), &relative)
        };
        Ok((Vec::new(), Block { offset, values }))
    }

    /// Turns stored numbers into physical ones.
    fn decode(&self, tile: BlockPlan, values: &mut Array4<f64>) {
        let field = self.field;
        if !field.variable.packing.is_plain() || field.conversion != crate::cf::Conversion::IDENTITY {
            values.map_inplace(|value| *value = self.physical(*value));
        }
        let Some(mask) = field.mask.as_deref() else { return };
        for mut map in values.outer_iter_mut() {
            for mut level in map.outer_iter_mut() {
                for ((row, column), value) in level.indexed_iter_mut() {
                    if !mask[[tile.start[2] + row, tile.start[3] + column]] {
                        *value = f64::NAN;
                    }
                }
            }
        }
    }

    fn physical(&self, stored: f64) -> f64 {
        let value = self.field.variable.packing.decode(stored);
        let conversion = &self.field.conversion;
        if *conversion == crate::cf::Conversion::IDENTITY { value } else { conversion.apply(value) }
    }

    fn is_inside(&self, tile: BlockPlan, row: usize, column: usize) -> bool {
        self.field.mask.as_ref().is_none_or(|mask| mask[[tile.start[2] + row, tile.start[3] + column]])
    }

    /// Values at scattered positions, or at the bottom.
    fn pick(
        &self,
        tile: BlockPlan,
        view: &ndarray::ArrayView4<'_, f64>,
        [t, z, y, x]: &[Vec<usize>; 4],
    ) -> Array4<f64> {
        let levels = if self.bottom.is_some() { 1 } else { z.len() };
        Array4::from_shape_fn((t.len(), levels, y.len(), x.len()), |(it, iz, iy, ix)| {
            if !self.is_inside(tile, iy, ix) {
                return f64::NAN;
            }
            let level = match self.bottom {
                None => z[iz],
                Some(index) => match z.get(index[[tile.start[2] + iy, tile.start[3] + ix]]) {
                    Some(&level) => level,
                    None => return f64::NAN,
                },
            };
            self.physical(view[[t[it], level, y[iy], x[ix]]])
        })
    }

    fn present_terrain(
        &self,
        tile: BlockPlan,
        view: &ndarray::ArrayView4<'_, f64>,
        [t, z, y, x]: &[Vec<usize>; 4],
    ) -> Result<(Vec<ChunkBytes>, Block), ReadError> {
        let Some(levels) = &self.field.terrain else {
            return Ok((
                Vec::new(),
                Block { offset: tile.start, values: self.pick(tile, view, &Default::default()) },
            ));
        };
        let (times, rows, columns) = (self.part(tile, 0), self.part(tile, 2), self.part(tile, 3));
        let (surface, read) = surface_of(self.field, levels, times, rows, columns)?;
        let stored = Array4::from_shape_fn((t.len(), z.len(), y.len(), x.len()), |(it, iz, iy, ix)| {
            if !self.is_inside(tile, iy, ix) {
                return f64::NAN;
            }
            self.physical(view[[t[it], z[iz], y[iy], x[ix]]])
        });
        let values = levels.present(&stored.view(), &surface, [tile.start[2], tile.start[3]]);
        let values = values.slice_each_axis(|axis| match axis.axis.index() {
            1 => ndarray::Slice::from(tile.start[1]..tile.start[1] + tile.length[1]),
            _ => ndarray::Slice::from(..),
        });
        Ok((read, Block { offset: tile.start, values: values.to_owned() }))
    }
}

/// Which axis tiles are cut along first, for as long as they are too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Time, then depth, then latitude: tiles come in the order of the block.
    TimeFirst,
    /// Depth, then latitude, then time: a tile holds a few cells for as long as it can, and later ones follow earlier
    /// ones.
    TimeLast,
}

/// The tiles of a block: all are tiles of each of the readers.
pub(crate) fn tiles(readers: &[Reader<'_>], plan: BlockPlan, whole: WholeAxes, cut: Cut) -> Vec<BlockPlan> {
    if !readers.iter().all(Reader::has_tiles) {
        return vec![plan];
    }
    let whole =
        [whole.time, whole.depth || readers.iter().any(|reader| reader.bottom.is_some()), whole.horizontal];
    let order = match cut {
        Cut::TimeFirst => [0, 1, 2],
        Cut::TimeLast => [1, 2, 0],
    };
    let mut tiles = vec![plan];
    let mut length = plan.length;
    for axis in order.into_iter().filter(|&axis| !whole[axis]) {
        let others: usize = (0..4).filter(|&at| at != axis).map(|at| length[at]).product();
        length[axis] = (TILE / others.max(1)).clamp(1, length[axis].max(1));
        tiles = tiles.into_iter().flat_map(|tile| pieces(tile, axis, length[axis])).collect();
    }
    tiles
}

/// Cuts a block along an axis.
fn pieces(plan: BlockPlan, axis: usize, longest: usize) -> impl Iterator<Item = BlockPlan> {
    let mut done = 0;
    iter::from_fn(move || {
        let length = longest.min(plan.length[axis] - done);
        let mut piece = plan;
        piece.start[axis] += done;
        piece.length[axis] = length;
        done += length;
        (length > 0).then_some(piece)
    })
}

/// The stored array as `(time, depth, lat, lon)`; other dimensions have length 1.
fn canonical_view(view: ArrayViewD<'_, f64>, places: [Option<usize>; 4]) -> ndarray::ArrayView4<'_, f64> {
    let order = order(view.ndim(), places);
    let kept = places.iter().flatten().count();
    let mut view = view.permuted_axes(IxDyn(&order));
    while view.ndim() > kept {
        let last = view.ndim() - 1;
        view = view.index_axis_move(NdAxis(last), 0);
    }
    for (i, place) in places.iter().enumerate() {
        if place.is_none() {
            view = view.insert_axis(NdAxis(i));
        }
    }
    #[expect(clippy::expect_used, reason = "four axes were placed above: kept ones plus one for each absent")]
    let fixed = view.into_dimensionality::<Ix4>().expect("four axes");
    fixed
}

/// The same, in the order of memory; without a copy when it is stored so.
fn owned(stored: ArrayD<f64>, places: [Option<usize>; 4]) -> Array4<f64> {
    let (rank, shape) = (stored.ndim(), stored.shape().to_vec());
    if stored.is_standard_layout() && order(rank, places).iter().copied().eq(0..rank) {
        let length = |place: Option<usize>| place.map_or(1, |at| shape[at]);
        match stored.into_shape_with_order(places.map(length)) {
            Ok(values) => return values,
            Err(_) => return Array4::from_elem(places.map(length), f64::NAN),
        }
    }
    canonical_view(stored.view(), places).as_standard_layout().into_owned()
}

/// The stored dimensions in canonical order, those that are no axis last.
fn order(rank: usize, places: [Option<usize>; 4]) -> Vec<usize> {
    let mut order: Vec<usize> = places.iter().copied().flatten().collect();
    order.extend((0..rank).filter(|at| !places.contains(&Some(*at))));
    order
}
