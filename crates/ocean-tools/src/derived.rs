//! Fields computed from others of one shape: cell by cell, column by column, map by map.

use leg_core::{ToolContext, ToolError, ToolErrorKind};
use ndarray::{Array2, Array3, Array4, ArrayView2, ArrayView3, Axis};
use ocean_data::Field;
use ocean_data::field::{Block, ChunkTree, WalkControl, WholeAxes, walk_together};

use crate::reading;

/// The largest result that a tool makes, in bytes.
const MAX_RESULT: u64 = 2 << 30;

/// A result and what was read for it, in the order of the fields.
#[derive(Debug)]
pub(crate) struct Derived {
    /// Values `(time, depth, lat, lon)`; NaN is missing.
    pub(crate) values: Array4<f64>,
    /// What was read of each field.
    pub(crate) chunks: Vec<ChunkTree>,
}

/// Several results and what was read for them.
#[derive(Debug)]
pub(crate) struct DerivedParts {
    /// Values `(time, depth, lat, lon)` of each result; NaN is missing.
    pub(crate) parts: Vec<Array4<f64>>,
    /// What was read of each field.
    pub(crate) chunks: Vec<ChunkTree>,
}

impl DerivedParts {
    /// The only result.
    fn only(mut self) -> Derived {
        Derived { values: self.parts.swap_remove(0), chunks: self.chunks }
    }
}

/// Where a column or a map stands in the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Position in time.
    pub(crate) time: usize,
    /// Position in depth; 0 for a column.
    pub(crate) depth: usize,
    /// Position in latitude; 0 for a map.
    pub(crate) lat: usize,
    /// Position in longitude; 0 for a map.
    pub(crate) lon: usize,
}

/// One value from the values of all fields at a cell. `value` gets NaN for what is missing.
///
/// # Errors
/// Fields of different shapes, a result above 2 GiB, a failed read.
pub(crate) fn by_cell(
    fields: &[&Field],
    context: &ToolContext,
    value: impl Fn(Place, &[f64]) -> f64 + Sync + Send,
) -> Result<Derived, ToolError> {
    let shape = shape_of(fields);
    let filled = fill(fields, context, shape, WholeAxes::default(), 1, |blocks, outs| {
        let Some(out) = outs.first_mut() else { return };
        let mut cell = vec![f64::NAN; blocks.len()];
        for ((t, z, y, x), out) in out.indexed_iter_mut() {
            for (own, block) in cell.iter_mut().zip(blocks) {
                *own = block.values[[t, z, y, x]];
            }
            *out = value(at(blocks[0].offset, [t, z, y, x]), &cell);
        }
    });
    filled.map(DerivedParts::only)
}

/// `n` values from the values of all fields at a cell. `value` gets NaN for what is missing, and `n` NaN to fill.
///
/// # Errors
/// As [`by_cell`].
pub(crate) fn by_cell_parts(
    fields: &[&Field],
    context: &ToolContext,
    n: usize,
    value: impl Fn(Place, &[f64], &mut [f64]) + Sync + Send,
) -> Result<DerivedParts, ToolError> {
    let shape = shape_of(fields);
    fill(fields, context, shape, WholeAxes::default(), n, |blocks, outs| {
        let (mut cell, mut result) = (vec![f64::NAN; blocks.len()], vec![f64::NAN; n]);
        for ((t, z, y, x), _) in blocks[0].values.indexed_iter() {
            for (own, block) in cell.iter_mut().zip(blocks) {
                *own = block.values[[t, z, y, x]];
            }
            result.fill(f64::NAN);
            value(at(blocks[0].offset, [t, z, y, x]), &cell, &mut result);
            for (out, value) in outs.iter_mut().zip(&result) {
                out[[t, z, y, x]] = *value;
            }
        }
    })
}

/// A series from the series of all fields at a cell. `series` gets missing values as NaN, and a series of NaN to fill.
///
/// # Errors
/// As [`by_cell`].
pub(crate) fn by_series(
    fields: &[&Field],
    context: &ToolContext,
    series: impl Fn(Place, &[Vec<f64>], &mut [f64]) + Sync + Send,
) -> Result<Derived, ToolError> {
    from_series(fields, context, shape_of(fields)[0], series)
}

/// `levels` values from the columns of all fields at a place. `column` gets the columns, top first and missing values
/// as NaN, and a column of NaN to fill.
///
/// # Errors
/// As [`by_cell`].
pub(crate) fn by_column(
    fields: &[&Field],
    context: &ToolContext,
    levels: usize,
    column: impl Fn(Place, &[Vec<f64>], &mut [f64]) + Sync + Send,
) -> Result<Derived, ToolError> {
    let mut shape = shape_of(fields);
    shape[1] = levels;
    let whole = WholeAxes { depth: true, ..WholeAxes::default() };
    let filled = fill(fields, context, shape, whole, 1, |blocks, outs| {
        let Some(out) = outs.first_mut() else { return };
        let [times, _, rows, columns] = dims(out);
        let mut result = vec![f64::NAN; levels];
        for t in 0..times {
            for y in 0..rows {
                for x in 0..columns {
                    let levels_of = |block: &Block| {
                        (0..block.values.len_of(Axis(1))).map(|z| block.values[[t, z, y, x]]).collect()
                    };
                    let inputs: Vec<Vec<f64>> = blocks.iter().map(levels_of).collect();
                    result.fill(f64::NAN);
                    column(at(blocks[0].offset, [t, 0, y, x]), &inputs, &mut result);
                    for (z, value) in result.iter().enumerate() {
                        out[[t, z, y, x]] = *value;
                    }
                }
            }
        }
    });
    filled.map(DerivedParts::only)
}

/// `times` values from the series of all fields at a cell and level. `series` gets the values of each field along
/// time, missing ones as NaN, and NaN to fill.
///
/// # Errors
/// As [`by_cell`].
pub(crate) fn from_series(
    fields: &[&Field],
    context: &ToolContext,
    times: usize,
    series: impl Fn(Place, &[Vec<f64>], &mut [f64]) + Sync + Send,
) -> Result<Derived, ToolError> {
    from_series_parts(fields, context, times, 1, series).map(DerivedParts::only)
}

/// `n` arrays like that of [`from_series`]; `series` fills the values of one after those of the other.
///
/// # Errors
/// As [`by_cell`].
pub(crate) fn from_series_parts(
    fields: &[&Field],
    context: &ToolContext,
    times: usize,
    n: usize,
    series: impl Fn(Place, &[Vec<f64>], &mut [f64]) + Sync + Send,
) -> Result<DerivedParts, ToolError> {
    let mut shape = shape_of(fields);
    shape[0] = times;
    let whole = WholeAxes { time: true, ..WholeAxes::default() };
    fill(fields, context, shape, whole, n, |blocks, outs| {
        let [read, levels, rows, columns] = dims(&blocks[0].values);
        let mut inputs = vec![vec![f64::NAN; read]; blocks.len()];
        let mut result = vec![f64::NAN; times * n];
        for z in 0..levels {
            for y in 0..rows {
                for x in 0..columns {
                    for (input, block) in inputs.iter_mut().zip(blocks) {
                        for (t, value) in input.iter_mut().enumerate() {
                            *value = block.values[[t, z, y, x]];
                        }
                    }
                    result.fill(f64::NAN);
                    series(at(blocks[0].offset, [0, z, y, x]), &inputs, &mut result);
                    for (out, result) in outs.iter_mut().zip(result.chunks_exact(times.max(1))) {
                        for (t, value) in result.iter().enumerate() {
                            out[[t, z, y, x]] = *value;
                        }
                    }
                }
            }
        }
    })
}

/// A map `(lat, lon)` from the maps of all fields at a time and level, for derivatives.
///
/// # Errors
/// As [`by_cell`].
pub(crate) fn by_map(
    fields: &[&Field],
    context: &ToolContext,
    map: impl Fn(Place, &[ArrayView2<'_, f64>]) -> Array2<f64> + Sync + Send,
) -> Result<Derived, ToolError> {
    by_map_parts(fields, context, 1, |place, maps| vec![map(place, maps)]).map(DerivedParts::only)
}

/// `n` maps `(lat, lon)` from the maps of all fields at a time and level.
///
/// # Errors
/// As [`by_cell`].
pub(crate) fn by_map_parts(
    fields: &[&Field],
    context: &ToolContext,
    n: usize,
    maps: impl Fn(Place, &[ArrayView2<'_, f64>]) -> Vec<Array2<f64>> + Sync + Send,
) -> Result<DerivedParts, ToolError> {
    let shape = shape_of(fields);
    let whole = WholeAxes { horizontal: true, ..WholeAxes::default() };
    fill(fields, context, shape, whole, n, |blocks, outs| {
        let [times, levels, ..] = dims(&blocks[0].values);
        for t in 0..times {
            for z in 0..levels {
                let inputs: Vec<ArrayView2<'_, f64>> =
                    blocks.iter().map(|block| map_of(block, t, z)).collect();
                let results = maps(at(blocks[0].offset, [t, z, 0, 0]), &inputs);
                for (out, result) in outs.iter_mut().zip(&results) {
                    out.index_axis_mut(Axis(0), t).index_axis_mut(Axis(0), z).assign(result);
                }
            }
        }
    })
}

/// A volume `(depth, lat, lon)` from those of all fields at a time, for derivatives in all directions.
///
/// # Errors
/// As [`by_cell`].
pub(crate) fn by_volume(
    fields: &[&Field],
    context: &ToolContext,
    volume: impl Fn(&[ArrayView3<'_, f64>]) -> Array3<f64> + Sync + Send,
) -> Result<Derived, ToolError> {
    let shape = shape_of(fields);
    let whole = WholeAxes { horizontal: true, depth: true, ..WholeAxes::default() };
    let filled = fill(fields, context, shape, whole, 1, |blocks, outs| {
        let Some(out) = outs.first_mut() else { return };
        for (t, mut out) in out.outer_iter_mut().enumerate() {
            let inputs: Vec<ArrayView3<'_, f64>> =
                blocks.iter().map(|block| block.values.index_axis(Axis(0), t)).collect();
            out.assign(&volume(&inputs));
        }
    });
    filled.map(DerivedParts::only)
}

fn shape_of(fields: &[&Field]) -> [usize; 4] {
    fields.first().map_or([1; 4], |field| field.full_shape())
}

fn map_of(block: &Block, time: usize, level: usize) -> ArrayView2<'_, f64> {
    block.values.index_axis(Axis(0), time).index_axis_move(Axis(0), level)
}

fn dims(array: &Array4<f64>) -> [usize; 4] {
    let (t, z, y, x) = array.dim();
    [t, z, y, x]
}

fn at(offset: [usize; 4], own: [usize; 4]) -> Place {
    let [time, depth, lat, lon] = [0, 1, 2, 3].map(|axis| offset[axis] + own[axis]);
    Place { time, depth, lat, lon }
}

/// Walks the fields together and puts the `n` arrays that `block` makes of each block in their places.
fn fill(
    fields: &[&Field],
    context: &ToolContext,
    shape: [usize; 4],
    whole: WholeAxes,
    n: usize,
    block: impl Fn(&[Block], &mut [Array4<f64>]) + Sync + Send,
) -> Result<DerivedParts, ToolError> {
    let bytes = shape.iter().fold(8 * n as u64, |bytes, &length| bytes.saturating_mul(length as u64));
    if bytes > MAX_RESULT {
        return Err(ToolError::new(
            ToolErrorKind::LimitExceeded,
            format!(
                "the result would take {bytes} bytes and the limit is {MAX_RESULT}; narrow region, time or depth, or \
                 reduce over time first"
            ),
        ));
    }
    let control = WalkControl { whole, ..reading::control(context) };
    let source = shape_of(fields);
    let mut parts = vec![Array4::from_elem(shape, f64::NAN); n];
    let chunks = walk_together(
        fields,
        &control,
        |blocks| {
            let mut own = dims(&blocks[0].values);
            for axis in 0..4 {
                if shape[axis] != source[axis] {
                    own[axis] = shape[axis];
                }
            }
            let mut outs = vec![Array4::from_elem(own, f64::NAN); n];
            block(blocks, &mut outs);
            (blocks[0].offset, outs)
        },
        |(offset, outs)| {
            for (values, part) in parts.iter_mut().zip(&outs) {
                let place = |axis: ndarray::AxisDescription| {
                    let at = axis.axis.index();
                    ndarray::Slice::from(offset[at]..offset[at] + part.shape()[at])
                };
                values.slice_each_axis_mut(place).assign(part);
            }
        },
    )
    .map_err(|error| reading::cannot_read(&error))?;
    Ok(DerivedParts { parts, chunks })
}
