//! Means over area, a value a time.

use super::weights::{Weighting, cell_weights};
use crate::field::{Block, ChunkTree, Field, Horizontal, Thickness, WalkControl, WalkError};

/// What becomes of the levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DepthReduction {
    /// A mean over volume: levels are weighted by their thickness inside the range.
    #[default]
    Mean,
    /// The integral over depth of each column (units times metres), averaged over the wet columns.
    Integral,
}

/// How to average.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AreaMeanOptions {
    /// Weights of cells.
    pub weighting: Weighting,
    /// What becomes of the levels.
    pub depth: DepthReduction,
}

/// A mean over area for every time of a field.
///
/// # Missing values
/// They carry no weight; a time without any value is NaN.
#[derive(Debug, Clone, PartialEq)]
pub struct AreaMean {
    /// Means, one a time.
    pub mean: Vec<f64>,
    /// Cells with a value, over all levels.
    pub valid: Vec<u64>,
    /// Share of the weight that had a value, 0 to 1.
    pub wet_fraction: Vec<f64>,
    /// Cells in all, over all levels.
    pub cells: u64,
    /// What was read.
    pub chunks: ChunkTree,
}

/// Sums of one time.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    weighted: f64,
    weight: f64,
    valid: u64,
}

/// Averages a field over its region, and over its levels if it has several.
///
/// # Errors
/// As [`Field::walk`].
pub fn area_mean_series(
    field: &Field,
    options: AreaMeanOptions,
    control: &WalkControl,
) -> Result<AreaMean, WalkError> {
    if options.weighting == Weighting::Area
        && matches!(field.horizontal(), Horizontal::Unstructured { area: None, .. })
    {
        field.cell_area()?;
    }
    let weights = cell_weights(field, options.weighting);
    let thickness = field.cell_thickness();
    let [times, levels, _, _] = field.full_shape();
    let mut control = control.clone();
    // A wet column is one with any wet level, which only a block with all levels can tell.
    control.whole.depth |= options.depth == DepthReduction::Integral && levels > 1;
    let part = |block: &Block| {
        let [_, oz, oy, ox] = block.offset;
        let sums: Vec<Sums> = (block.values.outer_iter())
            .map(|volume| match options.depth {
                DepthReduction::Mean => volume_sums(&volume, &weights, &thickness, [oz, oy, ox]),
                DepthReduction::Integral => column_sums(&volume, &weights, &thickness, [oz, oy, ox]),
            })
            .collect();
        (block.offset[0], sums)
    };
    let mut totals = vec![Sums::default(); times];
    let chunks = field.walk(&control, part, |(start, sums)| {
        for (total, sum) in totals[start..].iter_mut().zip(sums) {
            total.weighted += sum.weighted;
            total.weight += sum.weight;
            total.valid += sum.valid;
        }
    })?;
    let depth_weight: f64 = match options.depth {
        DepthReduction::Mean => thickness.levels.iter().sum(),
        DepthReduction::Integral => 1.0,
    };
    let all: f64 = weights.iter().sum::<f64>() * depth_weight;
    let inside = weights.iter().filter(|&&weight| weight > 0.0).count() as u64;
    let mean = |s: &Sums| if s.weight > 0.0 { s.weighted / s.weight } else { f64::NAN };
    Ok(AreaMean {
        mean: totals.iter().map(mean).collect(),
        valid: totals.iter().map(|s| s.valid).collect(),
        wet_fraction: totals
            .iter()
            .map(|s| if all > 0.0 { (s.weight / all).min(1.0) } else { 0.0 })
            .collect(),
        cells: inside * levels as u64,
        chunks,
    })
}

type Volume<'a> = ndarray::ArrayView3<'a, f64>;

fn volume_sums(
    volume: &Volume<'_>,
    weights: &ndarray::Array2<f64>,
    thickness: &Thickness,
    [oz, oy, ox]: [usize; 3],
) -> Sums {
    let mut total = Sums::default();
    for (z, layer) in volume.outer_iter().enumerate() {
        for (y, row) in layer.outer_iter().enumerate() {
            // Row by row: short sums lose less.
            let mut sums = Sums::default();
            for (x, &value) in row.iter().enumerate() {
                let weight = weights[[oy + y, ox + x]] * thickness.at(oz + z, oy + y, ox + x);
                if value.is_finite() && weight > 0.0 {
                    sums.weighted += weight * value;
                    sums.weight += weight;
                    sums.valid += 1;
                }
            }
            total.weighted += sums.weighted;
            total.weight += sums.weight;
            total.valid += sums.valid;
        }
    }
    total
}

fn column_sums(
    volume: &Volume<'_>,
    weights: &ndarray::Array2<f64>,
    thickness: &Thickness,
    [oz, oy, ox]: [usize; 3],
) -> Sums {
    let (levels, rows, columns) = volume.dim();
    let mut total = Sums::default();
    for y in 0..rows {
        for x in 0..columns {
            let weight = weights[[oy + y, ox + x]];
            let mut integral = 0.0;
            let mut wet = 0;
            for z in 0..levels {
                let value = volume[[z, y, x]];
                if value.is_finite() {
                    integral += value * thickness.at(oz + z, oy + y, ox + x);
                    wet += 1;
                }
            }
            if wet > 0 && weight > 0.0 {
                total.weighted += weight * integral;
                total.weight += weight;
                total.valid += wet;
            }
        }
    }
    total
}
