//! Sums over area or volume for every time, with weights and masks.

use leg_core::{ToolContext, ToolError};
use ndarray::{Array2, Array4, ArrayView2, Axis};
use ocean_data::Field;
use ocean_data::field::{ChunkTree, WalkControl, WholeAxes, walk_together};

use crate::derived::Place;
use crate::masking::Mask;
use crate::reading;

/// Weighted sums for each time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sums {
    /// Sum of weight times value over the cells that count.
    pub(crate) value: Vec<f64>,
    /// Sum of the weights of those cells.
    pub(crate) weight: Vec<f64>,
    /// How many they are.
    pub(crate) cells: Vec<u64>,
    /// What was read of each field.
    pub(crate) chunks: Vec<ChunkTree>,
}

/// Sums of one time: weight times value, weight, cells.
type Part = (f64, f64, u64);

impl Sums {
    /// Nothing yet, at so many times.
    pub(crate) fn zero(times: usize) -> Self {
        Self { value: vec![0.0; times], weight: vec![0.0; times], cells: vec![0; times], chunks: Vec::new() }
    }

    /// Adds those of a block whose first time is `offset`.
    pub(crate) fn add(&mut self, offset: usize, parts: Vec<Part>) {
        for (t, part) in parts.into_iter().enumerate() {
            self.value[offset + t] += part.0;
            self.weight[offset + t] += part.1;
            self.cells[offset + t] += part.2;
        }
    }

    /// Mean of each time; NaN where no cell counts.
    pub(crate) fn mean(&self) -> Vec<f64> {
        let of = |(value, weight): (&f64, &f64)| if *weight > 0.0 { value / weight } else { f64::NAN };
        self.value.iter().zip(&self.weight).map(of).collect()
    }

    /// Integral of each time; NaN where no cell counts.
    pub(crate) fn integral(&self) -> Vec<f64> {
        let of = |(value, &cells): (&f64, &u64)| if cells > 0 { *value } else { f64::NAN };
        self.value.iter().zip(&self.cells).map(of).collect()
    }
}

/// Sums over the cells with a value where all masks hold. `weights` are those of the cells `(lat, lon)`, `thickness`
/// those of the levels.
///
/// # Errors
/// A failed read.
pub(crate) fn sums(
    field: &Field,
    weights: &Array2<f64>,
    thickness: &[f64],
    masks: &[Mask],
    context: &ToolContext,
) -> Result<Sums, ToolError> {
    let [times, ..] = field.full_shape();
    let mut sums = Sums::zero(times);
    let chunks = field
        .walk(
            &reading::control(context),
            |block| {
                let counts = |place: Place| masks.iter().all(|mask| mask.holds(place));
                (block.offset[0], add_up(&block.values, block.offset, weights, thickness, counts))
            },
            |(offset, parts)| sums.add(offset, parts),
        )
        .map_err(|error| reading::cannot_read(&error))?;
    sums.chunks.push(chunks);
    Ok(sums)
}

/// As [`sums`], of the map `(lat, lon)` that `map` makes of the maps of all fields at each time and level, which are
/// never all in memory.
///
/// # Errors
/// A failed read.
pub(crate) fn map_sums(
    fields: &[&Field],
    weights: &Array2<f64>,
    thickness: &[f64],
    context: &ToolContext,
    map: impl Fn(&[ArrayView2<'_, f64>]) -> Array2<f64> + Sync + Send,
) -> Result<Sums, ToolError> {
    let mut sums = Sums::zero(fields.first().map_or(0, |field| field.full_shape()[0]));
    let whole = WholeAxes { horizontal: true, ..WholeAxes::default() };
    let control = WalkControl { whole, ..reading::control(context) };
    sums.chunks = walk_together(
        fields,
        &control,
        |blocks| {
            let mut made = Array4::from_elem(blocks[0].values.dim(), f64::NAN);
            for (t, mut levels) in made.outer_iter_mut().enumerate() {
                for (z, mut level) in levels.outer_iter_mut().enumerate() {
                    let own = blocks
                        .iter()
                        .map(|block| block.values.index_axis(Axis(0), t).index_axis_move(Axis(0), z))
                        .collect::<Vec<_>>();
                    level.assign(&map(&own));
                }
            }
            (blocks[0].offset[0], add_up(&made, blocks[0].offset, weights, thickness, |_| true))
        },
        |(offset, parts)| sums.add(offset, parts),
    )
    .map_err(|error| reading::cannot_read(&error))?;
    Ok(sums)
}

/// Sums of each time of a block, over the cells that have a value and count.
pub(crate) fn add_up(
    values: &Array4<f64>,
    [ot, oz, oy, ox]: [usize; 4],
    weights: &Array2<f64>,
    thickness: &[f64],
    counts: impl Fn(Place) -> bool,
) -> Vec<Part> {
    let mut parts = vec![(0.0, 0.0, 0_u64); values.dim().0];
    for ((t, z, y, x), &own) in values.indexed_iter() {
        let place = Place { time: ot + t, depth: oz + z, lat: oy + y, lon: ox + x };
        if own.is_nan() || !counts(place) {
            continue;
        }
        let w = weights[[place.lat, place.lon]] * thickness[place.depth.min(thickness.len() - 1)];
        if w > 0.0 {
            let part = &mut parts[t];
            *part = (part.0 + w * own, part.1 + w, part.2 + 1);
        }
    }
    parts
}
