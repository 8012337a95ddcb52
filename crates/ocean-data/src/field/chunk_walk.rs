//! The walk: blocks decoded in parallel, folded in a fixed order, hashed as they are read.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ndarray::Array4;
use rayon::prelude::*;

use super::block::{Cut, Reader, tiles};
use super::bottom;
use super::chunk_tree::{ChunkTree, TreeBuilder};
use super::field::Field;
use super::horizontal::GridError;
use super::plan::{BlockPlan, blocks};
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

impl WalkControl {
    /// Whether somebody wants it to stop.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
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
    /// number at a time. `map` runs in parallel on tiles of them, which are small where no axis is wanted whole; `fold`
    /// gets its results one by one in block order (time slowest), so that the outcome does not depend on the number of
    /// threads.
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
    let bottoms =
        fields.iter().map(|field| bottom::index_of(field, control)).collect::<Result<Vec<_>, _>>()?;
    let readers: Vec<Reader<'_>> =
        fields.iter().zip(bottoms).map(|(field, bottom)| Reader::new(field, bottom)).collect();
    let in_flight = in_flight(&readers, &plans, control)?;
    let mut trees: Vec<TreeBuilder> = fields.iter().map(|_| TreeBuilder::default()).collect();
    let mut done = 0;
    let mut batches = plans.chunks(in_flight).peekable();
    let mut coming = batches.peek().map(|batch| begin(fields, &readers, batch));
    while let Some(batch) = batches.next() {
        // The next blocks are on their way while these are decoded; nobody who decodes waits for the network.
        let held = coming.take().map(Prefetch::wait).transpose()?;
        coming = batches.peek().map(|batch| begin(fields, &readers, batch));
        let results: Vec<Option<Result<Mapped<P>, ReadError>>> = batch
            .par_iter()
            .map(|plan| (!control.is_cancelled()).then(|| map_block(&readers, *plan, control.whole, &map)))
            .collect();
        for result in results {
            let Some(result) = result else {
                return Err(WalkError::Cancelled { done, total: plans.len() });
            };
            let (chunks, parts) = result?;
            for (tree, chunks) in trees.iter_mut().zip(&chunks) {
                tree.add(chunks);
            }
            parts.into_iter().for_each(&mut fold);
            done += 1;
            if let Some(progress) = &control.progress {
                progress(done, plans.len());
            }
        }
        drop(held);
    }
    Ok(trees.into_iter().map(TreeBuilder::finish).collect())
}

/// What became of one block: the digests of what was read of each field, and the results of `map` for its tiles.
type Mapped<P> = (Vec<Vec<ChunkBytes>>, Vec<P>);

/// Reads one block of all fields and maps its tiles.
fn map_block<P>(
    readers: &[Reader<'_>],
    plan: BlockPlan,
    whole: WholeAxes,
    map: impl Fn(&[Block]) -> P,
) -> Result<Mapped<P>, ReadError> {
    let loaded = readers.iter().map(|reader| reader.load(plan)).collect::<Result<Vec<_>, _>>()?;
    let mut chunks: Vec<Vec<ChunkBytes>> = loaded.iter().map(|loaded| loaded.chunks().to_vec()).collect();
    let mut parts = Vec::new();
    for tile in tiles(readers, plan, whole, Cut::TimeFirst) {
        let mut blocks = Vec::with_capacity(readers.len());
        for ((reader, loaded), chunks) in readers.iter().zip(&loaded).zip(&mut chunks) {
            let (read, block) = reader.present(tile, loaded)?;
            chunks.extend(read);
            blocks.push(block);
        }
        parts.push(map(&blocks));
    }
    Ok((chunks, parts))
}

/// How many blocks may be in memory at once.
///
/// # Errors
/// When axes are wanted whole and one block is too large.
pub(crate) fn in_flight(
    readers: &[Reader<'_>],
    plans: &[BlockPlan],
    control: &WalkControl,
) -> Result<usize, WalkError> {
    let largest = plans.iter().copied().map(BlockPlan::len).max().unwrap_or(1);
    // A block exists once as read and once as presented; a level that is made of all stored ones is read with them.
    let levels = readers.iter().map(Reader::levels_read).max().unwrap_or(1);
    let bytes = (largest as u64).saturating_mul(16 * levels as u64).saturating_mul(readers.len() as u64);
    let whole = control.whole.time || control.whole.depth || control.whole.horizontal;
    if whole && bytes > control.memory_bytes {
        return Err(WalkError::TooLarge { needed: bytes, limit: control.memory_bytes });
    }
    let limit = usize::try_from(control.memory_bytes / bytes.max(1)).unwrap_or(usize::MAX);
    // A block that holds whole axes is large, and so is what is made of it: no more than are decoded at once.
    let batch = if whole { 1 } else { 4 };
    Ok(limit.clamp(1, batch * rayon::current_num_threads().max(1)))
}

/// Begins to fetch what blocks need.
pub(crate) fn begin(fields: &[&Field], readers: &[Reader<'_>], batch: &[BlockPlan]) -> Prefetch {
    let each = fields.iter().zip(readers).map(|(field, reader)| {
        let windows: Vec<Window> = batch.iter().map(|plan| reader.window(*plan)).collect();
        field.dataset.store().prefetch(field.variable.index, &windows)
    });
    Prefetch::all(each.collect())
}
