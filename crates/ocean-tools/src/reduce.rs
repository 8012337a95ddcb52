//! Sums over area or volume for every time, with weights and masks.

use leg_core::{ToolContext, ToolError};
use ndarray::Array2;
use ocean_data::Field;
use ocean_data::field::ChunkTree;

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
    /// What was read.
    pub(crate) chunks: ChunkTree,
}

impl Sums {
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
    let (mut value, mut weight, mut cells) = (vec![0.0; times], vec![0.0; times], vec![0_u64; times]);
    let chunks = field
        .walk(
            &reading::control(context),
            |block| {
                let [ot, oz, oy, ox] = block.offset;
                let mut parts = vec![(0.0, 0.0, 0_u64); block.values.dim().0];
                for ((t, z, y, x), &own) in block.values.indexed_iter() {
                    let place = Place { time: ot + t, depth: oz + z, lat: oy + y, lon: ox + x };
                    if own.is_nan() || !masks.iter().all(|mask| mask.holds(place)) {
                        continue;
                    }
                    let w = weights[[place.lat, place.lon]] * thickness[place.depth.min(thickness.len() - 1)];
                    if w > 0.0 {
                        let part = &mut parts[t];
                        *part = (part.0 + w * own, part.1 + w, part.2 + 1);
                    }
                }
                (ot, parts)
            },
            |(offset, parts)| {
                for (t, part) in parts.into_iter().enumerate() {
                    value[offset + t] += part.0;
                    weight[offset + t] += part.1;
                    cells[offset + t] += part.2;
                }
            },
        )
        .map_err(|error| reading::cannot_read(&error))?;
    Ok(Sums { value, weight, cells, chunks })
}
