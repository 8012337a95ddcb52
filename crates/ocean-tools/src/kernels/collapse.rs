//! Reductions of an array `(time, depth, lat, lon)` along one of its axes, which keeps the length 1.

use ndarray::{Array4, ArrayView1, Axis};

/// What becomes of the values along an axis; missing ones are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// Mean.
    Mean,
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// Population standard deviation.
    Std,
    /// Median.
    Median,
}

impl Statistic {
    /// The statistic of some values; NaN when all are missing.
    pub fn of(self, values: &ArrayView1<'_, f64>) -> f64 {
        let mut present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        let n = present.len() as f64;
        if present.is_empty() {
            return f64::NAN;
        }
        let mean = present.iter().sum::<f64>() / n;
        match self {
            Self::Mean => mean,
            Self::Max => present.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Self::Min => present.iter().copied().fold(f64::INFINITY, f64::min),
            Self::Std => {
                (present.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n).sqrt()
            }
            Self::Median => {
                present.sort_unstable_by(f64::total_cmp);
                let middle = present.len() / 2;
                if present.len() % 2 == 1 {
                    present[middle]
                } else {
                    f64::midpoint(present[middle - 1], present[middle])
                }
            }
        }
    }
}

/// A statistic along an axis: 0 time, 1 depth, 2 latitude, 3 longitude.
pub fn axis(values: &Array4<f64>, axis: usize, statistic: Statistic) -> Array4<f64> {
    values.map_axis(Axis(axis), |lane| statistic.of(&lane)).insert_axis(Axis(axis))
}

/// The mean over levels, weighted by their thickness where they have a value.
pub fn levels(values: &Array4<f64>, thickness: &[f64]) -> Array4<f64> {
    weighted(values, 1, thickness)
}

/// The mean along an axis, weighted where there is a value.
pub fn weighted(values: &Array4<f64>, axis: usize, weights: &[f64]) -> Array4<f64> {
    let mean = |lane: ArrayView1<'_, f64>| {
        let (sum, weight) = lane
            .iter()
            .zip(weights)
            .filter(|(value, _)| !value.is_nan())
            .fold((0.0, 0.0), |(sum, total), (value, weight)| (sum + value * weight, total + weight));
        if weight > 0.0 { sum / weight } else { f64::NAN }
    };
    values.map_axis(Axis(axis), mean).insert_axis(Axis(axis))
}

/// The first level.
pub fn first_level(values: &Array4<f64>) -> Array4<f64> {
    values.index_axis(Axis(1), 0).to_owned().insert_axis(Axis(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_values_are_left_out_and_weights_follow() {
        let values = Array4::from_shape_vec((1, 4, 1, 1), vec![1.0, f64::NAN, 4.0, 7.0]).unwrap();
        let one = |array: Array4<f64>| array[[0, 0, 0, 0]];
        assert_eq!(one(axis(&values, 1, Statistic::Mean)).to_bits(), 4.0_f64.to_bits());
        assert_eq!(one(axis(&values, 1, Statistic::Median)).to_bits(), 4.0_f64.to_bits());
        assert_eq!(one(axis(&values, 1, Statistic::Max)).to_bits(), 7.0_f64.to_bits());
        assert_eq!(one(axis(&values, 1, Statistic::Std)).to_bits(), 6.0_f64.sqrt().to_bits());
        assert_eq!(one(levels(&values, &[1.0, 9.0, 1.0, 2.0])).to_bits(), 4.75_f64.to_bits());
        assert!(one(levels(&values, &[0.0, 9.0, 0.0, 0.0])).is_nan());
        assert_eq!(one(first_level(&values)).to_bits(), 1.0_f64.to_bits());
        assert_eq!(axis(&values, 0, Statistic::Mean).dim(), (1, 4, 1, 1));
    }
}
