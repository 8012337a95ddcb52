//! The other walk: every part of the map keeps a state, and sees its values in the order of time.

use std::collections::{BTreeMap, BTreeSet};

use ndarray::{Array4, ArrayViewMut4, Axis as NdAxis, Slice};
use rayon::prelude::*;

use super::block::{Cut, Reader, tiles};
use super::chunk_tree::{ChunkTree, TreeBuilder};
use super::chunk_walk::{Block, WalkControl, WalkError, begin, in_flight};
use super::field::Field;
use super::plan::{BlockPlan, blocks};
use super::{bottom, chunk_walk};
use crate::dataset::{Loaded, Prefetch, ReadError};

/// A chunk is divided along latitude among this many patches at most, so that all threads have work where a chunk holds
/// the whole map.
const PARTS: usize = 8;

/// A part of the map, with its levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patch {
    /// Position of its first value in the field, `(depth, lat, lon)`.
    pub offset: [usize; 3],
    /// Levels, latitudes and longitudes.
    pub shape: [usize; 3],
}

impl Patch {
    /// What of a block lies in the patch.
    fn of(self, block: BlockPlan) -> Option<BlockPlan> {
        let mut own = block;
        for axis in 0..3 {
            let (from, to) = (
                self.offset[axis].max(block.start[axis + 1]),
                (self.offset[axis] + self.shape[axis]).min(block.start[axis + 1] + block.length[axis + 1]),
            );
            own.start[axis + 1] = from;
            own.length[axis + 1] = to.checked_sub(from).filter(|&length| length > 0)?;
        }
        Some(own)
    }
}

impl Field {
    /// The patches of [`Field::accumulate`], in its order; `whole_depth` when columns are to be whole.
    pub fn patches(&self, whole_depth: bool) -> Vec<Patch> {
        patches(&blocks(self, chunk_walk::WholeAxes { depth: whole_depth, ..Default::default() }))
    }

    /// Reads the field in the order of time. Each [`Patch`] of the map has a state of its own, made by `begin`, that
    /// `step` gets with the values of the patch, tile by tile, earlier ones first; patches run in parallel.
    ///
    /// For what is gathered of every cell over time, such as a mean: nothing is merged, so that memory holds one state
    /// and the blocks that are being decoded. The states come in the order of the map, and do not depend on the number
    /// of threads. Columns are whole when [`WholeAxes::depth`](super::WholeAxes) asks for it; other axes are not.
    ///
    /// Call it from a thread that may block.
    ///
    /// # Errors
    /// [`WalkError`].
    pub fn accumulate<S: Send>(
        &self,
        control: &WalkControl,
        mut begin_state: impl FnMut(Patch) -> S,
        step: impl Fn(&mut S, Patch, &Block) + Sync + Send,
    ) -> Result<(Vec<(Patch, S)>, ChunkTree), WalkError> {
        let whole = chunk_walk::WholeAxes { depth: control.whole.depth, ..Default::default() };
        let control = WalkControl { whole, ..control.clone() };
        let plans = blocks(self, whole);
        let readers = [Reader::new(self, bottom::index_of(self, &control)?)];
        let mut states: Vec<(Patch, S)> =
            patches(&plans).into_iter().map(|patch| (patch, begin_state(patch))).collect();
        // What is decoded waits until all of the batch is: a batch is as many blocks as are decoded at once.
        let batch = in_flight(&readers, &plans, &control)?.min(rayon::current_num_threads().max(1));
        let mut tree = TreeBuilder::default();
        let mut done = 0;
        let mut batches = plans.chunks(batch).peekable();
        let mut coming = batches.peek().map(|batch| begin(&[self], &readers, batch));
        while let Some(batch) = batches.next() {
            let held = coming.take().map(Prefetch::wait).transpose()?;
            coming = batches.peek().map(|batch| begin(&[self], &readers, batch));
            if control.is_cancelled() {
                return Err(WalkError::Cancelled { done, total: plans.len() });
            }
            let loaded: Vec<(BlockPlan, Loaded)> = batch
                .par_iter()
                .map(|plan| readers[0].load(*plan).map(|loaded| (*plan, loaded)))
                .collect::<Result<_, ReadError>>()?;
            let surfaces = states
                .par_iter_mut()
                .map(|(patch, state)| {
                    take(&readers, *patch, &loaded, whole, |block| step(state, *patch, block))
                })
                .collect::<Result<Vec<_>, ReadError>>()?;
            for (_, loaded) in &loaded {
                tree.add(loaded.chunks());
            }
            for read in surfaces {
                tree.add(&read);
            }
            done += batch.len();
            if let Some(progress) = &control.progress {
                progress(done, plans.len());
            }
            drop(held);
        }
        Ok((states, tree.finish()))
    }
}

/// Gives a patch its tiles of some blocks, and returns what else was read for them.
fn take(
    readers: &[Reader<'_>; 1],
    patch: Patch,
    loaded: &[(BlockPlan, Loaded)],
    whole: chunk_walk::WholeAxes,
    mut each: impl FnMut(&Block),
) -> Result<Vec<crate::dataset::ChunkBytes>, ReadError> {
    let mut read = Vec::new();
    for (plan, loaded) in loaded {
        let Some(own) = patch.of(*plan) else { continue };
        for tile in tiles(readers, own, whole, Cut::TimeLast) {
            let (more, block) = readers[0].present(tile, loaded)?;
            read.extend(more);
            each(&block);
        }
    }
    Ok(read)
}

/// The parts of the map: the spatial extents of the blocks, divided along latitude.
fn patches(plans: &[BlockPlan]) -> Vec<Patch> {
    let Some(first) = plans.first() else { return Vec::new() };
    let mut out = Vec::new();
    for plan in plans.iter().take_while(|plan| plan.start[0] == first.start[0]) {
        let [_, levels, rows, columns] = plan.length;
        let each = rows.div_ceil(PARTS).max(1);
        for from in (0..rows).step_by(each) {
            out.push(Patch {
                offset: [plan.start[1], plan.start[2] + from, plan.start[3]],
                shape: [levels, each.min(rows - from), columns],
            });
        }
    }
    out
}

impl Patch {
    /// The parts of an array `(n, depth, lat, lon)` that belong to each of the patches of a field, to be written at the
    /// same time.
    pub fn split<'a>(patches: &[Self], all: &'a mut Array4<f64>) -> Vec<ArrayViewMut4<'a, f64>> {
        let mut cells = vec![([0; 3], all.view_mut())];
        for axis in 0..3 {
            let starts: BTreeSet<usize> = patches.iter().map(|patch| patch.offset[axis]).collect();
            let mut cut = Vec::new();
            for (offset, mut rest) in cells {
                let mut first = 0;
                for &start in starts.iter().filter(|&&start| start > 0) {
                    let (own, after) = rest.split_at(NdAxis(axis + 1), start - first);
                    cut.push((with(offset, axis, first), own));
                    (rest, first) = (after, start);
                }
                cut.push((with(offset, axis, first), rest));
            }
            cells = cut;
        }
        // Patches stand on a grid: each is one of its cells.
        let mut by_offset: BTreeMap<[usize; 3], ArrayViewMut4<'a, f64>> = cells.into_iter().collect();
        patches.iter().filter_map(|patch| by_offset.remove(&patch.offset)).collect()
    }

    /// Puts the values of the patch, `(n, depth, lat, lon)`, into those of the field. An axis that was reduced has length
    /// 1 in both.
    pub fn assign(self, values: &Array4<f64>, all: &mut Array4<f64>) {
        let mut own = all.slice_each_axis_mut(|axis| match axis.axis {
            NdAxis(0) => Slice::from(..),
            NdAxis(at) => Slice::from(self.offset[at - 1]..self.offset[at - 1] + values.shape()[at]),
        });
        own.assign(values);
    }
}

/// An offset with another position along one axis.
fn with(mut offset: [usize; 3], axis: usize, position: usize) -> [usize; 3] {
    offset[axis] = position;
    offset
}
