//! Statistics of a region for every time: weighted mean and spread, extremes, median.

use leg_core::{ToolContext, ToolError};
use ndarray::Array2;
use ocean_data::Field;
use ocean_data::field::{ChunkTree, WalkControl, WholeAxes};

use crate::derived::Place;
use crate::kernels::quantile::weighted_quantile;
use crate::masking::Mask;
use crate::reading;

/// What stands for the cells of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statistic {
    Mean,
    Max,
    Min,
    Median,
}

/// What stands for the levels of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Levels {
    /// Each counts by its thickness.
    ByThickness,
    /// The largest.
    Max,
    /// The smallest.
    Min,
}

/// A series and what it is from.
#[derive(Debug)]
pub(super) struct RegionSeries {
    pub(super) values: Vec<f64>,
    /// Weighted population standard deviation over the cells of each time.
    pub(super) std: Vec<f64>,
    /// Cells with a value.
    pub(super) count: Vec<u64>,
    /// Share of the weight of the region that had values.
    pub(super) covered: Vec<f64>,
    pub(super) chunks: ChunkTree,
}

/// Running weighted moments, which merge (Chan, Golub and `LeVeque` 1983).
#[derive(Debug, Clone, Default)]
struct Moments {
    weight: f64,
    mean: f64,
    squares: f64,
    count: u64,
    extremes: Option<[f64; 2]>,
    values: Vec<(f64, f64)>,
}

impl Moments {
    fn add(&mut self, value: f64, weight: f64, keep: bool) {
        self.weight += weight;
        let off = value - self.mean;
        self.mean += off * weight / self.weight;
        self.squares += weight * off * (value - self.mean);
        self.count += 1;
        self.extremes =
            Some(self.extremes.map_or([value, value], |[low, high]| [low.min(value), high.max(value)]));
        if keep {
            self.values.push((value, weight));
        }
    }

    fn merge(&mut self, other: Self) {
        if other.count == 0 {
            return;
        }
        let total = self.weight + other.weight;
        let off = other.mean - self.mean;
        self.mean += off * other.weight / total;
        self.squares += other.squares + off * off * self.weight * other.weight / total;
        self.weight = total;
        self.count += other.count;
        self.extremes = match (self.extremes, other.extremes) {
            (Some(a), Some(b)) => Some([a[0].min(b[0]), a[1].max(b[1])]),
            (a, b) => a.or(b),
        };
        self.values.extend(other.values);
    }

    fn of(&self, statistic: Statistic) -> f64 {
        if self.count == 0 {
            return f64::NAN;
        }
        match statistic {
            Statistic::Mean => self.mean,
            Statistic::Min => self.extremes.map_or(f64::NAN, |own| own[0]),
            Statistic::Max => self.extremes.map_or(f64::NAN, |own| own[1]),
            Statistic::Median => {
                let (values, weights): (Vec<f64>, Vec<f64>) = self.values.iter().copied().unzip();
                weighted_quantile(&values, &weights, 0.5)
            }
        }
    }
}

/// The series of a region. `weights` are those of the cells `(lat, lon)`, `thickness` those of the levels.
///
/// # Errors
/// A failed read.
pub(super) fn series(
    field: &Field,
    weights: &Array2<f64>,
    thickness: &[f64],
    statistic: Statistic,
    levels: Levels,
    mask: Option<&Mask>,
    context: &ToolContext,
) -> Result<RegionSeries, ToolError> {
    let [times, n_levels, ..] = field.full_shape();
    let layer = |z: usize| thickness[z.min(thickness.len() - 1)];
    let keep = statistic == Statistic::Median;
    let whole = WholeAxes { depth: levels != Levels::ByThickness, ..WholeAxes::default() };
    let mut moments = vec![Moments::default(); times];
    let chunks = field
        .walk(
            &WalkControl { whole, ..reading::control(context) },
            |block| {
                let [ot, oz, oy, ox] = block.offset;
                let (nt, nz, ny, nx) = block.values.dim();
                let mut parts = vec![Moments::default(); nt];
                for (t, part) in parts.iter_mut().enumerate() {
                    for y in 0..ny {
                        for x in 0..nx {
                            let area = weights[[oy + y, ox + x]];
                            let inside = |z: usize| {
                                let place = Place { time: ot + t, depth: oz + z, lat: oy + y, lon: ox + x };
                                mask.is_none_or(|mask| mask.holds(place))
                            };
                            let present = (0..nz)
                                .map(|z| (z, block.values[[t, z, y, x]]))
                                .filter(|(z, value)| !value.is_nan() && inside(*z));
                            match levels {
                                Levels::ByThickness => {
                                    for (z, value) in present {
                                        let weight = area * layer(oz + z);
                                        if weight > 0.0 {
                                            part.add(value, weight, keep);
                                        }
                                    }
                                }
                                Levels::Max | Levels::Min => {
                                    let pick = if levels == Levels::Max { f64::max } else { f64::min };
                                    let value = present.map(|own| own.1).fold(f64::NAN, pick);
                                    if !value.is_nan() && area > 0.0 {
                                        part.add(value, area, keep);
                                    }
                                }
                            }
                        }
                    }
                }
                (ot, parts)
            },
            |(offset, parts)| {
                for (t, part) in parts.into_iter().enumerate() {
                    moments[offset + t].merge(part);
                }
            },
        )
        .map_err(|error| reading::cannot_read(&error))?;
    let column: f64 = match levels {
        Levels::ByThickness => (0..n_levels).map(layer).sum(),
        Levels::Max | Levels::Min => 1.0,
    };
    let total = weights.sum() * column;
    Ok(RegionSeries {
        values: moments.iter().map(|own| own.of(statistic)).collect(),
        std: moments
            .iter()
            .map(|own| if own.count > 0 { (own.squares / own.weight).max(0.0).sqrt() } else { f64::NAN })
            .collect(),
        count: moments.iter().map(|own| own.count).collect(),
        covered: moments.iter().map(|own| own.weight / total).collect(),
        chunks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_moments_are_those_of_all() {
        let values = [3.0, -1.0, 4.0, 1.5, 9.0, 2.0];
        let weights = [1.0, 2.0, 0.5, 1.0, 3.0, 1.0];
        let mut all = Moments::default();
        let (mut a, mut b) = (Moments::default(), Moments::default());
        for (at, (value, weight)) in values.iter().zip(weights).enumerate() {
            all.add(*value, weight, true);
            if at < 2 { &mut a } else { &mut b }.add(*value, weight, true);
        }
        a.merge(b);
        // By hand: the weights add up to 8.5 and the products to 33.5.
        assert!((a.mean - 33.5 / 8.5).abs() < 1e-12 && (a.mean - all.mean).abs() < 1e-12);
        assert!((a.squares - all.squares).abs() < 1e-12);
        assert!((a.of(Statistic::Max) - 9.0).abs() < 1e-12 && (a.of(Statistic::Min) + 1.0).abs() < 1e-12);
        assert!((a.of(Statistic::Median) - all.of(Statistic::Median)).abs() < 1e-12);
        assert!(Moments::default().of(Statistic::Mean).is_nan());
    }
}
