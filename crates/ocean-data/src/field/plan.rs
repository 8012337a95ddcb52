//! Which blocks a walk reads: chunk-aligned, in a fixed order that depends on neither threads nor memory.

use super::chunk_walk::WholeAxes;
use super::field::Field;
use crate::dataset::StoredVariable;

/// Small chunks along time are joined up to this many values.
const JOINED: usize = 512 * 1024;
/// Larger blocks are split along time, then latitude, then longitude, at the price of decoding a chunk again.
const LARGEST: usize = 16 * 1024 * 1024;

/// A run of positions on one axis of the field.
pub(crate) type Run = (usize, usize);

/// One block: start and length on `(time, depth, lat, lon)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockPlan {
    pub(crate) start: [usize; 4],
    pub(crate) length: [usize; 4],
}

impl BlockPlan {
    pub(crate) fn len(self) -> usize {
        self.length.iter().fold(1, |n, &length| n.saturating_mul(length))
    }
}

/// Stored indices of the field along each axis; one zero where the axis is absent.
pub(crate) fn axis_indices(field: &Field) -> [Vec<usize>; 4] {
    let space =
        |axis: &Option<super::field::SpaceAxis>| axis.as_ref().map_or(vec![0], |axis| axis.indices.clone());
    let (rows, columns) = match &field.mesh {
        Some(cells) => (cells.rows.clone(), cells.columns.clone()),
        None => (space(&field.lat), space(&field.lon)),
    };
    [field.time.as_ref().map_or(vec![0], |time| time.indices.clone()), space(&field.depth), rows, columns]
}

/// The blocks, time slowest.
pub(crate) fn blocks(field: &Field, whole: WholeAxes) -> Vec<BlockPlan> {
    let stored = &field.dataset.store().variables()[field.variable.index];
    let indices = axis_indices(field);
    // The bottom of a column needs all its levels.
    let whole = [
        whole.time,
        whole.depth || field.bottom.is_some() || field.terrain.is_some(),
        whole.horizontal,
        whole.horizontal,
    ];
    let mut runs: Vec<Vec<Run>> = (0..4)
        .map(|i| {
            if whole[i] {
                // Levels as they are presented: what is made of the stored ones may be fewer or more.
                return vec![(0, if i == 1 { field.full_shape()[1] } else { indices[i].len() })];
            }
            chunk_runs(&indices[i], chunk_length(field, stored, i))
        })
        .collect();
    let longest = |runs: &[Run]| runs.iter().map(|run| run.1).max().unwrap_or(1);
    if !whole[0] {
        let rest: usize = runs[1..].iter().map(|r| longest(r)).product();
        runs[0] = join(&runs[0], (JOINED / rest.max(1)).max(1));
    }
    for i in [0, 2, 3] {
        let size = runs.iter().fold(1_usize, |n, r| n.saturating_mul(longest(r)));
        if size > LARGEST && !whole[i] {
            let others = (size / longest(&runs[i]).max(1)).max(1);
            runs[i] = split(&runs[i], (LARGEST / others).max(1));
        }
    }
    let mut out = Vec::new();
    for &t in &runs[0] {
        for &z in &runs[1] {
            for &y in &runs[2] {
                for &x in &runs[3] {
                    out.push(BlockPlan { start: [t.0, z.0, y.0, x.0], length: [t.1, z.1, y.1, x.1] });
                }
            }
        }
    }
    out
}

fn chunk_length(field: &Field, stored: &StoredVariable, axis: usize) -> usize {
    field.places[axis].and_then(|at| stored.chunk_shape.get(at)).copied().unwrap_or(1).max(1)
}

/// Runs of neighbouring positions that lie in one chunk.
fn chunk_runs(indices: &[usize], chunk: usize) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut current = None;
    for (position, &index) in indices.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if current == Some(index / chunk) => run.1 += 1,
            _ => runs.push((position, 1)),
        }
        current = Some(index / chunk);
    }
    runs
}

/// Joins neighbouring runs up to `limit` positions.
fn join(runs: &[Run], limit: usize) -> Vec<Run> {
    let mut out: Vec<Run> = Vec::new();
    for &run in runs {
        match out.last_mut() {
            Some(last) if last.1 + run.1 <= limit => last.1 += run.1,
            _ => out.push(run),
        }
    }
    out
}

/// Splits runs longer than `limit`.
fn split(runs: &[Run], limit: usize) -> Vec<Run> {
    let mut out = Vec::new();
    for &(start, length) in runs {
        let mut done = 0;
        while done < length {
            let piece = limit.min(length - done);
            out.push((start + done, piece));
            done += piece;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_follow_chunks_in_any_order() {
        assert_eq!(chunk_runs(&[0, 1, 2, 3, 4], 2), [(0, 2), (2, 2), (4, 1)]);
        assert_eq!(chunk_runs(&[4, 3, 2, 1], 2), [(0, 1), (1, 2), (3, 1)]);
        assert_eq!(chunk_runs(&[9, 0, 1], 10), [(0, 3)]);
        assert_eq!(join(&[(0, 2), (2, 2), (4, 1)], 4), [(0, 4), (4, 1)]);
        assert_eq!(split(&[(0, 5)], 2), [(0, 2), (2, 2), (4, 1)]);
    }
}
