//! The walk: blocks decoded in parallel, folded in a fixed order, hashed as they are read.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use leg_core::digest::{Digest, Domain, Hasher};
use ndarray::{Array4, ArrayViewD, Axis as NdAxis, IxDyn};
use rayon::prelude::*;
use serde::Serialize;

use super::bottom;
use super::field::Field;
use super::horizontal::GridError;
use super::plan::{BlockPlan, axis_indices, blocks};
use super::terrain::surface_of;
use crate::dataset::{ChunkBytes, Prefetch, ReadError, Window};

/// How a walk runs.
#[derive(Clone)]
pub struct WalkControl {
    /// Upper bound of the blocks that are in memory at once, in bytes. One block is always allowed.
    pub memory_bytes: u64,
    /// Stops the walk between blocks when set.
    pub cancelled: Option<Arc<AtomicBool>>,
    /// Called with blocks done and blocks in all, in order.
    pub progress: Option<Arc<dyn Fn(usize, usize) + Send + Sync>>,
    /// Axes that every block must hold completely.
    pub whole: WholeAxes,
}

/// Axes that every block holds completely, for kernels that need their neighbours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WholeAxes {
    /// All times: for medians and series of each cell.
    pub time: bool,
    /// All levels: for integrals over depth.
    pub depth: bool,
    /// All latitudes and longitudes: for gradients.
    pub horizontal: bool,
}

impl Default for WalkControl {
    fn default() -> Self {
        Self { memory_bytes: 1 << 29, cancelled: None, progress: None, whole: WholeAxes::default() }
    }
}

impl fmt::Debug for WalkControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WalkControl")
            .field("memory_bytes", &self.memory_bytes)
            .field("whole", &self.whole)
            .finish_non_exhaustive()
    }
}

/// A part of a field in memory.
#[derive(Debug)]
pub struct Block {
    /// Position of the first value in the field, `(time, depth, lat, lon)`.
    pub offset: [usize; 4],
    /// Values `(time, depth, lat, lon)`; NaN is missing.
    pub values: Array4<f64>,
}

/// The ordered digest over everything a walk read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ChunkTree {
    /// Pieces hashed, one after another in the order of the walk.
    pub chunks: u64,
    /// Bytes hashed.
    pub bytes: u64,
    /// Digest over the digests of the pieces.
    pub digest: Digest,
    /// Whether the bytes are those of the store; otherwise decoded numbers as little-endian doubles.
    pub raw: bool,
}

/// A walk that did not finish.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WalkError {
    /// The store failed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Somebody stopped it.
    #[error("reading was cancelled after {done} of {total} blocks; run it again to finish")]
    Cancelled {
        /// Blocks folded.
        done: usize,
        /// Blocks in all.
        total: usize,
    },
    /// A mean over area needs areas.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// It does not fit.
    #[error(
        "the selection needs {needed} bytes in memory and the limit is {limit}; narrow region, time or depth, or raise the limit"
    )]
    TooLarge {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// Fields that are read together have the same shape at different places.
    #[error(
        "the cells of `{}` and `{}` are at different places, as those of a staggered grid are; collocate them to cell centres, or regrid one to the other",
        names[0], names[1]
    )]
    Places {
        /// The first field and the one that differs.
        names: [String; 2],
    },
    /// Fields that are read together have different shapes.
    #[error(
        "`{}` has the shape {:?} (time, depth, lat, lon) and `{}` has {:?}; select both by one region, time and depth, or regrid one to the other",
        names[0], shapes[0], names[1], shapes[1]
    )]
    Shapes {
        /// The first field and the one that differs.
        names: [String; 2],
        /// Their shapes.
        shapes: [[usize; 4]; 2],
    },
}

impl Field {
    /// Reads the field block by block.
    ///
    /// Blocks are aligned to the chunks of the store and decoded in parallel on the current rayon pool, a bounded
    /// number at a time. `map` runs in parallel; `fold` gets its results one by one in block order (time slowest),
    /// so that the outcome does not depend on the number of threads.
    ///
    /// Call it from a thread that may block.
    ///
    /// # Errors
    /// [`WalkError`]; `fold` has then seen the blocks before the failure.
    pub fn walk<P: Send>(
        &self,
        control: &WalkControl,
        map: impl Fn(&Block) -> P + Sync + Send,
        fold: impl FnMut(P),
    ) -> Result<ChunkTree, WalkError> {
        let mut trees = walk_together(&[self], control, |blocks| map(&blocks[0]), fold)?;
        Ok(trees.swap_remove(0))
    }
}

/// Reads several fields of one shape block by block, the same block of each at a time: for what is computed from
/// temperature and salinity, or from both components of a current.
///
/// The blocks are those of the first field. Otherwise as [`Field::walk`]; the trees come in the order of the fields.
///
/// # Errors
/// [`WalkError::Shapes`] when the fields have not one shape; otherwise as [`Field::walk`].
pub fn walk_together<P: Send>(
    fields: &[&Field],
    control: &WalkControl,
    map: impl Fn(&[Block]) -> P + Sync + Send,
    mut fold: impl FnMut(P),
) -> Result<Vec<ChunkTree>, WalkError> {
    let Some(first) = fields.first() else { return Ok(Vec::new()) };
    if let Some(other) = fields.iter().find(|field| field.full_shape() != first.full_shape()) {
        return Err(WalkError::Shapes {
            names: [first.name().to_owned(), other.name().to_owned()],
            shapes: [first.full_shape(), other.full_shape()],
        });
    }
    if let Some(other) = fields.iter().find(|field| !first.shares_places_with(field)) {
        return Err(WalkError::Places { names: [first.name().to_owned(), other.name().to_owned()] });
    }
    let plans = blocks(first, control.whole);
    let indices: Vec<[Vec<usize>; 4]> = fields.iter().map(|field| axis_indices(field)).collect();
    let bottoms =
        fields.iter().map(|field| bottom::index_of(field, control)).collect::<Result<Vec<_>, _>>()?;
    let largest = plans.iter().map(BlockPlan::len).max().unwrap_or(1);
    // A block exists once as read and once as presented; a level that is made of all stored ones is read with them.
    let made =
        |(field, indices): (&&Field, &[Vec<usize>; 4])| indices[1].len().div_ceil(field.full_shape()[1]);
    let levels = fields.iter().zip(&indices).map(made).max().unwrap_or(1);
    let bytes = (largest as u64).saturating_mul(16 * levels as u64).saturating_mul(fields.len() as u64);
    let whole = control.whole.time || control.whole.depth || control.whole.horizontal;
    if whole && bytes > control.memory_bytes {
        return Err(WalkError::TooLarge { needed: bytes, limit: control.memory_bytes });
    }
    let limit = usize::try_from(control.memory_bytes / bytes.max(1)).unwrap_or(usize::MAX);
    let in_flight = limit.clamp(1, 4 * rayon::current_num_threads().max(1));
    let mut trees: Vec<TreeBuilder> = fields.iter().map(|_| TreeBuilder::default()).collect();
    let mut done = 0;
    let begin = |batch: &[BlockPlan]| {
        let each = fields.iter().zip(&indices).map(|(field, indices)| {
            let windows: Vec<Window> = batch.iter().map(|plan| hull(field, indices, *plan).0).collect();
            field.dataset.store().prefetch(field.variable.index, &windows)
        });
        Prefetch::all(each.collect())
    };
    let mut batches = plans.chunks(in_flight).peekable();
    let mut coming = batches.peek().map(|batch| begin(batch));
    while let Some(batch) = batches.next() {
        // The next blocks are on their way while these are decoded; nobody who decodes waits for the network.
        let held = coming.take().map(Prefetch::wait).transpose()?;
        coming = batches.peek().map(|batch| begin(batch));
        let cancelled = || control.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        let results: Vec<Option<Result<Mapped<P>, ReadError>>> = batch
            .par_iter()
            .map(|plan| {
                if cancelled() {
                    return None;
                }
                let read = fields
                    .iter()
                    .zip(&indices)
                    .zip(&bottoms)
                    .map(|((field, indices), bottom)| read_block(field, indices, *plan, *bottom));
                let read = read.collect::<Result<(Vec<_>, Vec<_>), _>>();
                Some(read.map(|(chunks, blocks)| (chunks, map(&blocks))))
            })
            .collect();
        for result in results {
            let Some(result) = result else {
                return Err(WalkError::Cancelled { done, total: plans.len() });
            };
            let (chunks, part) = result?;
            for (tree, chunks) in trees.iter_mut().zip(&chunks) {
                tree.add(chunks);
            }
            fold(part);
            done += 1;
            if let Some(progress) = &control.progress {
                progress(done, plans.len());
            }
        }
        drop(held);
    }
    Ok(trees.into_iter().map(TreeBuilder::finish).collect())
}

/// What became of one block: the digests of what was read of each field, and the result of `map`.
type Mapped<P> = (Vec<Vec<ChunkBytes>>, P);

/// Builds a [`ChunkTree`].
#[derive(Debug)]
struct TreeBuilder {
    hasher: Hasher,
    chunks: u64,
    bytes: u64,
    raw: bool,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        Self { hasher: Hasher::new(Domain::ChunkTree), chunks: 0, bytes: 0, raw: true }
    }
}

impl TreeBuilder {
    fn add(&mut self, chunks: &[ChunkBytes]) {
        for chunk in chunks {
            self.hasher.update(chunk.digest.as_bytes());
            self.chunks += 1;
            self.bytes += chunk.bytes;
            self.raw &= chunk.raw;
        }
    }

    fn finish(self) -> ChunkTree {
        ChunkTree { chunks: self.chunks, bytes: self.bytes, digest: self.hasher.finish(), raw: self.raw }
    }
}

/// The window of the store that a block lies in, and where in it each position of the block is.
fn hull(field: &Field, indices: &[Vec<usize>; 4], plan: BlockPlan) -> (Window, [Vec<usize>; 4], Places) {
    let variable = &field.variable;
    let mut relative: [Vec<usize>; 4] = Default::default();
    let mut extent = [(0, 1); 4];
    for i in 0..4 {
        // The bottom and the depths of terrain-following levels need all levels of a column.
        let whole = i == 1 && (field.bottom.is_some() || field.terrain.is_some());
        let wanted = if whole { indices[1].as_slice() } else { part(indices, plan, i) };
        let first = wanted.iter().copied().min().unwrap_or(0);
        let last = wanted.iter().copied().max().unwrap_or(0);
        extent[i] = (first, last - first + 1);
        relative[i] = wanted.iter().map(|&index| index - first).collect();
    }
    let mut window =
        Window { start: vec![0; variable.dimensions.len()], shape: vec![1; variable.dimensions.len()] };
    for (place, extent) in field.places.iter().zip(extent) {
        if let Some(at) = *place {
            (window.start[at], window.shape[at]) = extent;
        }
    }
    (window, relative, field.places)
}

/// Position of each axis of fields in the store.
type Places = [Option<usize>; 4];

/// Reads, decodes and presents one block.
pub(crate) fn read_block(
    field: &Field,
    indices: &[Vec<usize>; 4],
    plan: BlockPlan,
    bottom: Option<&ndarray::Array2<usize>>,
) -> Result<(Vec<ChunkBytes>, Block), ReadError> {
    let variable = &field.variable;
    let (window, relative, places) = hull(field, indices, plan);
    let block = field.dataset.store().read(variable.index, &window)?;
    let view = canonical_view(block.values.view(), places);
    let [ref t, ref z, ref y, ref x] = relative;
    let decode = |stored: f64| field.conversion_applied(variable.packing.decode(stored));
    let inside = |row: usize, column: usize| {
        field.mask.as_ref().is_none_or(|mask| mask[[plan.start[2] + row, plan.start[3] + column]])
    };
    if let Some(levels) = &field.terrain {
        let (times, rows, columns) = (part(indices, plan, 0), part(indices, plan, 2), part(indices, plan, 3));
        let (surface, read) = surface_of(field, levels, times, rows, columns)?;
        let stored = Array4::from_shape_fn((t.len(), z.len(), y.len(), x.len()), |(it, iz, iy, ix)| {
            if inside(iy, ix) { decode(view[[t[it], z[iz], y[iy], x[ix]]]) } else { f64::NAN }
        });
        let values = levels.present(&stored.view(), &surface, [plan.start[2], plan.start[3]]);
        let values = values.slice_each_axis(|axis| match axis.axis.index() {
            1 => ndarray::Slice::from(plan.start[1]..plan.start[1] + plan.length[1]),
            _ => ndarray::Slice::from(..),
        });
        let mut chunks = block.chunks;
        chunks.extend(read);
        return Ok((chunks, Block { offset: plan.start, values: values.to_owned() }));
    }
    let levels = if bottom.is_some() { 1 } else { z.len() };
    let values = Array4::from_shape_fn((t.len(), levels, y.len(), x.len()), |(it, iz, iy, ix)| {
        if !inside(iy, ix) {
            return f64::NAN;
        }
        let level = match bottom {
            None => z[iz],
            Some(index) => match z.get(index[[plan.start[2] + iy, plan.start[3] + ix]]) {
                Some(&level) => level,
                None => return f64::NAN,
            },
        };
        decode(view[[t[it], level, y[iy], x[ix]]])
    });
    let mut offset = plan.start;
    if bottom.is_some() {
        offset[1] = 0;
    }
    Ok((block.chunks, Block { offset, values }))
}

/// The stored indices of a block along one axis.
fn part(indices: &[Vec<usize>; 4], plan: BlockPlan, axis: usize) -> &[usize] {
    &indices[axis][plan.start[axis]..plan.start[axis] + plan.length[axis]]
}

impl Field {
    fn conversion_applied(&self, value: f64) -> f64 {
        if self.conversion == crate::cf::Conversion::IDENTITY { value } else { self.conversion.apply(value) }
    }
}

/// The stored array as `(time, depth, lat, lon)`; other dimensions have length 1.
fn canonical_view(view: ArrayViewD<'_, f64>, places: [Option<usize>; 4]) -> ndarray::ArrayView4<'_, f64> {
    let n = view.ndim();
    let mut order: Vec<usize> = places.iter().copied().flatten().collect();
    order.extend((0..n).filter(|at| !places.contains(&Some(*at))));
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
    let shape = view.shape().to_vec();
    #[expect(clippy::expect_used, reason = "four axes were placed above: kept ones plus one for each absent")]
    let fixed = view.into_dimensionality::<ndarray::Ix4>().expect("four axes");
    debug_assert_eq!(fixed.shape(), shape.as_slice());
    fixed
}
