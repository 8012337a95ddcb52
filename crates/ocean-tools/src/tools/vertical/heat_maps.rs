//! Heat content of whole maps at once, where one temperature is all that it needs.

use leg_core::{ToolContext, ToolError};
use ndarray::{Array2, Array4, ArrayView3, Axis, Zip};
use ocean_data::Field;
use ocean_data::field::{ChunkTree, WalkControl, WholeAxes};

use super::layer_argument;
use crate::kernels::vertical::{Integral, layer_maps, whole_layer_map};
use crate::reading;

/// What is integrated.
#[derive(Debug)]
pub(super) struct HeatMaps<'a> {
    pub(super) field: &'a Field,
    /// The part of each level's thickness that lies in the layer.
    pub(super) thickness: Vec<f64>,
    pub(super) layer: [f64; 2],
    pub(super) reference: f64,
    /// Density times heat capacity.
    pub(super) factor: f64,
    pub(super) min_coverage: f64,
}

/// Sums over time.
struct TimeSum {
    sum: Array2<f64>,
    n: Array2<u32>,
}

impl HeatMaps<'_> {
    /// The mean over the times that have a value, `(1, 1, lat, lon)`; the data are read once, and no map of a time is
    /// kept.
    ///
    /// # Errors
    /// A failed read.
    pub(super) fn time_mean(&self, context: &ToolContext) -> Result<(Array4<f64>, ChunkTree), ToolError> {
        let whole = WholeAxes { depth: true, ..WholeAxes::default() };
        let control = WalkControl { whole, ..reading::control(context) };
        let [_, _, rows, columns] = self.field.full_shape();
        let (parts, chunks) = self
            .field
            .accumulate(
                &control,
                |patch| {
                    let shape = (patch.shape[1], patch.shape[2]);
                    TimeSum { sum: Array2::zeros(shape), n: Array2::zeros(shape) }
                },
                |state, patch, block| {
                    let first = block.offset[2] - patch.offset[1];
                    for volume in block.values.outer_iter() {
                        let heat = self.heat(&volume);
                        let rows = ndarray::Slice::from(first..first + heat.nrows());
                        Zip::from(state.sum.slice_axis_mut(Axis(0), rows))
                            .and(state.n.slice_axis_mut(Axis(0), rows))
                            .and(&heat)
                            .for_each(|sum, n, &heat| {
                                let is_there = !heat.is_nan();
                                *sum += if is_there { heat } else { 0.0 };
                                *n += u32::from(is_there);
                            });
                    }
                },
            )
            .map_err(|error| reading::cannot_read(&error))?;
        let mut mean = Array4::from_elem([1, 1, rows, columns], f64::NAN);
        for (patch, TimeSum { sum, n }) in parts {
            let own = Zip::from(&sum).and(&n).map_collect(|sum, &n| sum / f64::from(n));
            patch.assign(&own.insert_axis(Axis(0)).insert_axis(Axis(0)), &mut mean);
        }
        Ok((mean, chunks))
    }

    /// Heat where enough of the layer has values.
    fn heat(&self, volume: &ArrayView3<'_, f64>) -> Array2<f64> {
        let ([top, bottom], factor) = (self.layer, self.factor);
        let is_enough = |sum, covered| {
            let part = Integral { sum, covered };
            layer_argument::covered(part, top, bottom, self.min_coverage)
        };
        if self.min_coverage >= 1.0 && is_enough(0.0, self.thickness.iter().sum()) {
            // A level that misses leaves the layer without its whole.
            let mut heat = whole_layer_map(volume, &self.thickness, self.reference);
            heat *= factor;
            return heat;
        }
        let [mut sums, covered] = layer_maps(volume, &self.thickness, self.reference);
        Zip::from(&mut sums).and(&covered).for_each(|sum, &covered| {
            *sum = if is_enough(*sum, covered) { factor * *sum } else { f64::NAN };
        });
        sums
    }
}
