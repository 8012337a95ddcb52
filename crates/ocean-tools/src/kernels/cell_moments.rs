//! Count, mean and spread of every cell in each of some bins, value by value.
//!
//! # Source
//! Sums of values less the first one seen (Chan, Golub and `LeVeque` 1983, "Algorithms for Computing the Sample
//! Variance", *The American Statistician* 37): what is squared is small, and a value costs no division.

use libm::sqrt;
use ndarray::{Array4, ArrayView3, ArrayViewMut4, Axis, Slice};

/// Sums of a box of cells, written into the part of an array that their means will stand in.
#[derive(Debug)]
pub(crate) struct CellMoments<'a> {
    /// What values exceed the first one by, `(bin, depth, lat, lon)`.
    sum: ArrayViewMut4<'a, f64>,
    n: Array4<u32>,
    first: Array4<f64>,
    squares: Array4<f64>,
}

impl<'a> CellMoments<'a> {
    /// Nothing seen.
    pub(crate) fn new(mut sum: ArrayViewMut4<'a, f64>) -> Self {
        sum.fill(0.0);
        let shape = sum.raw_dim();
        Self { sum, n: Array4::zeros(shape), first: Array4::zeros(shape), squares: Array4::zeros(shape) }
    }

    /// Adds the values of one time, `(depth, lat, lon)`, whole rows, of which the first stands at `offset`; NaN does not
    /// count.
    pub(crate) fn push(&mut self, bin: usize, [oz, oy]: [usize; 2], values: &ArrayView3<'_, f64>) {
        let offset = [oz, oy, 0];
        let part = |axis: ndarray::AxisDescription| {
            let at = axis.axis.index();
            Slice::from(offset[at]..offset[at] + values.shape()[at])
        };
        let mut sum = self.sum.index_axis_mut(Axis(0), bin);
        let mut n = self.n.index_axis_mut(Axis(0), bin);
        let mut first = self.first.index_axis_mut(Axis(0), bin);
        let mut squares = self.squares.index_axis_mut(Axis(0), bin);
        ndarray::Zip::from(sum.slice_each_axis_mut(part))
            .and(n.slice_each_axis_mut(part))
            .and(first.slice_each_axis_mut(part))
            .and(squares.slice_each_axis_mut(part))
            .and(values)
            .for_each(|sum, n, first, squares, &value| {
                if value.is_nan() {
                    return;
                }
                if *n == 0 {
                    *first = value;
                }
                let beyond = value - *first;
                *sum += beyond;
                *squares += beyond * beyond;
                *n += 1;
            });
    }

    /// Turns the sums into means, NaN for none, where they stand; gives standard deviations (n − 1), NaN for fewer than
    /// two values, and counts.
    pub(crate) fn finish(mut self) -> (Array4<f64>, Array4<u32>) {
        let each = ndarray::Zip::from(&mut self.sum).and(&mut self.squares).and(&self.first).and(&self.n);
        each.for_each(|sum, square, &first, &n| {
            let n = f64::from(n);
            let variance = (*square - *sum * *sum / n) / (n - 1.0);
            *square = if n < 2.0 { f64::NAN } else { sqrt(variance.max(0.0)) };
            *sum = first + *sum / n;
        });
        (self.squares, self.n)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array3, ArrayView3};
    use proptest::prelude::*;

    use super::super::moments::Moments;
    use super::*;

    proptest! {
        #[test]
        fn cells_agree_with_one_cell_at_a_time(
            values in proptest::collection::vec(prop_oneof![4 => 280.0..300.0_f64, 1 => Just(f64::NAN)], 24..96),
        ) {
            let mut mean = Array4::from_elem([2, 1, 2, 4], f64::NAN);
            let mut cells = CellMoments::new(mean.view_mut());
            let mut one = vec![[Moments::default(); 2]; 8];
            for (time, map) in values.chunks_exact(8).enumerate() {
                let map = ArrayView3::from_shape((1, 2, 4), map).unwrap();
                // In two parts, as tiles come.
                for row in 0..2 {
                    let part = map.slice_axis(Axis(1), Slice::from(row..row + 1));
                    cells.push(time % 2, [0, row], &part);
                }
                for (own, value) in one.iter_mut().zip(map) {
                    own[time % 2].push(*value);
                }
            }
            let (std, n) = cells.finish();
            for ((bin, z, y, x), &n) in n.indexed_iter() {
                let own = &one[4 * y + x][bin];
                prop_assert_eq!(u64::from(n), own.n());
                for (found, wanted) in
                    [(mean[[bin, z, y, x]], own.mean()), (std[[bin, z, y, x]], own.std())]
                {
                    prop_assert!(found.is_nan() && wanted.is_nan() || (found - wanted).abs() < 1e-9, "{} {}", found, wanted);
                }
            }
        }
    }

    #[test]
    fn a_large_mean_keeps_a_small_spread() {
        let mut mean = Array4::zeros([1, 1, 1, 1]);
        let mut cells = CellMoments::new(mean.view_mut());
        for value in [1e9, 1e9 + 1.0, 1e9 + 2.0] {
            cells.push(0, [0, 0], &Array3::from_elem((1, 1, 1), value).view());
        }
        let std = cells.finish().0;
        assert_eq!((mean[[0, 0, 0, 0]], std[[0, 0, 0, 0]]), (1e9 + 1.0, 1.0));
    }
}
