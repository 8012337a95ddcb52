//! Statistics over time of every cell.

use ndarray::{Array2, Array3};

use crate::field::{Block, ChunkTree, Field, Thickness, WalkControl, WalkError};

/// A statistic over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeStatistic {
    /// Mean.
    Mean,
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// Population standard deviation.
    Std,
    /// Sum.
    Sum,
    /// Median; all times of a block are in memory at once.
    Median,
}

/// A map of a statistic.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeMap {
    /// Values `(lat, lon)`; NaN where no time has a value.
    pub values: Array2<f64>,
    /// Times with a value, `(lat, lon)`.
    pub count: Array2<u64>,
    /// What was read.
    pub chunks: ChunkTree,
}

/// Running moments of one cell (Chan, Golub and `LeVeque` 1983).
#[derive(Debug, Clone, Copy)]
struct Moments {
    n: f64,
    mean: f64,
    m2: f64,
    min: f64,
    max: f64,
}

impl Moments {
    const EMPTY: Self = Self { n: 0.0, mean: 0.0, m2: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY };

    fn push(&mut self, value: f64) {
        self.n += 1.0;
        let delta = value - self.mean;
        self.mean += delta / self.n;
        self.m2 += delta * (value - self.mean);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    fn merge(&mut self, other: &Self) {
        if other.n == 0.0 {
            return;
        }
        let n = self.n + other.n;
        let delta = other.mean - self.mean;
        self.mean += delta * (other.n / n);
        self.m2 += other.m2 + delta * delta * (self.n * other.n / n);
        self.n = n;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    fn result(&self, statistic: TimeStatistic) -> f64 {
        if self.n == 0.0 {
            return f64::NAN;
        }
        match statistic {
            TimeStatistic::Max => self.max,
            TimeStatistic::Min => self.min,
            TimeStatistic::Std => (self.m2 / self.n).max(0.0).sqrt(),
            TimeStatistic::Sum => self.mean * self.n,
            TimeStatistic::Mean | TimeStatistic::Median => self.mean,
        }
    }
}

/// A statistic over time for every cell; several levels are averaged by thickness first.
///
/// # Errors
/// As [`Field::walk`].
pub fn time_reduce_map(
    field: &Field,
    statistic: TimeStatistic,
    control: &WalkControl,
) -> Result<TimeMap, WalkError> {
    let [_, levels, rows, columns] = field.full_shape();
    let thickness = field.cell_thickness();
    let mut control = control.clone();
    control.whole.depth |= levels > 1;
    control.whole.time |= statistic == TimeStatistic::Median;
    let median = statistic == TimeStatistic::Median;
    let mut cells = Array2::from_elem((rows, columns), Moments::EMPTY);
    let part = |block: &Block| {
        let layers = depth_mean(block, &thickness);
        let (_, y, x) = layers.dim();
        let moments = Array2::from_shape_fn((y, x), |(y, x)| {
            let series = (0..layers.dim().0).map(|t| layers[[t, y, x]]).filter(|value| value.is_finite());
            let mut moments = Moments::EMPTY;
            if median {
                let mut values: Vec<f64> = series.collect();
                moments.n = values.len() as f64;
                moments.mean = median_of(&mut values);
            } else {
                series.for_each(|value| moments.push(value));
            }
            moments
        });
        (block.offset, moments)
    };
    let chunks = field.walk(&control, part, |([_, _, oy, ox], moments)| {
        for ((y, x), other) in moments.indexed_iter() {
            cells[[oy + y, ox + x]].merge(other);
        }
    })?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of times")]
    let count = cells.map(|cell| cell.n as u64);
    Ok(TimeMap { values: cells.map(|cell| cell.result(statistic)), count, chunks })
}

/// The thickness-weighted mean over the levels of a block, `(time, lat, lon)`.
fn depth_mean(block: &Block, thickness: &Thickness) -> Array3<f64> {
    let (t, z, y, x) = block.values.dim();
    let [_, oz, oy, ox] = block.offset;
    Array3::from_shape_fn((t, y, x), |(t, y, x)| {
        if z == 1 {
            return block.values[[t, 0, y, x]];
        }
        let (mut sum, mut weight) = (0.0, 0.0);
        for level in 0..z {
            let thick = thickness.at(oz + level, oy + y, ox + x);
            let value = block.values[[t, level, y, x]];
            if value.is_finite() && thick > 0.0 {
                sum += value * thick;
                weight += thick;
            }
        }
        if weight > 0.0 { sum / weight } else { f64::NAN }
    })
}

fn median_of(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_moments_equal_those_of_the_whole() {
        let data: Vec<f64> = (0..50).map(|i| f64::from(i * i % 17) + 1000.0).collect();
        let of = |values: &[f64]| {
            let mut m = Moments::EMPTY;
            for &value in values {
                m.push(value);
            }
            m
        };
        let whole = of(&data);
        let mut merged = of(&data[..13]);
        merged.merge(&of(&[]));
        merged.merge(&of(&data[13..]));
        assert!((whole.mean - merged.mean).abs() < 1e-11);
        assert!((whole.m2 - merged.m2).abs() < 1e-8);
        assert_eq!(merged.result(TimeStatistic::Max).to_bits(), 1016.0_f64.to_bits());
        assert!(Moments::EMPTY.result(TimeStatistic::Mean).is_nan());
    }

    #[test]
    fn the_median_of_an_even_count_is_between() {
        assert!((median_of(&mut [4.0, 1.0, 3.0, 2.0]) - 2.5).abs() < f64::EPSILON);
        assert!((median_of(&mut [3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
    }
}
