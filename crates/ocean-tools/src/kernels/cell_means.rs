//! The mean of every cell in each of some bins, value by value, with next to nothing beside the sums.

use ndarray::{Array3, Array4, ArrayView1, ArrayView3, ArrayViewMut1, ArrayViewMut4, Axis};

/// Sums of a box of cells, written into the part of an array that their means will stand in.
///
/// A cell without a value so far has NaN as its sum, and the times of a row are counted once. Counts of each cell are
/// kept only from the first cell on that has some values and misses others: where land stays land there are none.
#[derive(Debug)]
pub(crate) struct CellMeans<'a> {
    /// `(bin, depth, lat, lon)`.
    sum: ArrayViewMut4<'a, f64>,
    /// Times that each row has seen.
    times: Array3<u32>,
    /// Values that cells with a sum have missed.
    missed: Option<Array4<u32>>,
}

impl<'a> CellMeans<'a> {
    /// Nothing seen.
    pub(crate) fn new(mut sum: ArrayViewMut4<'a, f64>) -> Self {
        sum.fill(f64::NAN);
        let (bins, levels, rows, _) = sum.dim();
        Self { sum, times: Array3::zeros([bins, levels, rows]), missed: None }
    }

    /// Adds the values of one time, `(depth, lat, lon)`, whole rows, of which the first stands at `offset`; NaN does not
    /// count.
    pub(crate) fn push(&mut self, bin: usize, [oz, oy]: [usize; 2], values: &ArrayView3<'_, f64>) {
        for (z, level) in values.outer_iter().enumerate() {
            for (y, row) in level.outer_iter().enumerate() {
                self.push_row([bin, oz + z, oy + y], &row);
            }
        }
    }

    fn push_row(&mut self, at: [usize; 3], values: &ArrayView1<'_, f64>) {
        let before = self.times[at];
        self.times[at] += 1;
        let mut sum = row(&mut self.sum, at);
        if before == 0 {
            sum.assign(values);
            return;
        }
        let are_alike = match (sum.as_slice_mut(), values.as_slice()) {
            (Some(sum), Some(values)) if self.missed.is_none() => add_alike(sum, values),
            _ => false,
        };
        if are_alike {
            return;
        }
        let shape = self.sum.raw_dim();
        let missed = self.missed.get_or_insert_with(|| Array4::zeros(shape));
        let [bin, z, y] = at;
        for ((sum, &value), x) in row(&mut self.sum, at).iter_mut().zip(values).zip(0..) {
            match (sum.is_nan(), value.is_nan()) {
                (false, false) => *sum += value,
                (false, true) => missed[[bin, z, y, x]] += 1,
                (true, false) => (*sum, missed[[bin, z, y, x]]) = (value, before),
                (true, true) => {}
            }
        }
    }

    /// Turns the sums into means, NaN for none, where they stand.
    pub(crate) fn finish(mut self) {
        for ((bin, z, y), &times) in self.times.indexed_iter() {
            let missed = self.missed.as_ref();
            for (x, sum) in row(&mut self.sum, [bin, z, y]).iter_mut().enumerate() {
                *sum /= f64::from(times - missed.map_or(0, |missed| missed[[bin, z, y, x]]));
            }
        }
    }
}

/// Adds values to sums when the same of both are missing, which then stay so; otherwise nothing, and false.
fn add_alike(sums: &mut [f64], values: &[f64]) -> bool {
    // Without a branch, so that several are compared at once.
    let differ =
        sums.iter().zip(values).fold(0_u32, |n, (sum, value)| n + u32::from(sum.is_nan() ^ value.is_nan()));
    if differ > 0 {
        return false;
    }
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
    true
}

/// One row of an array.
fn row<'b>(all: &'b mut ArrayViewMut4<'_, f64>, [bin, z, y]: [usize; 3]) -> ArrayViewMut1<'b, f64> {
    all.view_mut().index_axis_move(Axis(0), bin).index_axis_move(Axis(0), z).index_axis_move(Axis(0), y)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::moments::Moments;
    use super::*;

    proptest! {
        #[test]
        fn cells_agree_with_one_cell_at_a_time(
            values in proptest::collection::vec(prop_oneof![3 => 280.0..300.0_f64, 1 => Just(f64::NAN)], 24..96),
            land in 0_usize..8,
        ) {
            let mut mean = Array4::from_elem([2, 1, 2, 4], f64::NAN);
            let mut cells = CellMeans::new(mean.view_mut());
            let mut one = vec![[Moments::default(); 2]; 8];
            for (time, map) in values.chunks_exact(8).enumerate() {
                let mut map = map.to_vec();
                map[land] = f64::NAN;
                let map = ArrayView3::from_shape((1, 2, 4), &map).unwrap();
                // In two parts, as tiles come.
                for row in 0..2 {
                    let part = map.slice_axis(Axis(1), ndarray::Slice::from(row..row + 1));
                    cells.push(time % 2, [0, row], &part);
                }
                for (own, value) in one.iter_mut().zip(map) {
                    own[time % 2].push(*value);
                }
            }
            cells.finish();
            for ((bin, _, y, x), found) in mean.indexed_iter() {
                let wanted = one[4 * y + x][bin].mean();
                prop_assert!(found.is_nan() && wanted.is_nan() || (found - wanted).abs() < 1e-9, "{} {}", found, wanted);
            }
        }
    }
}
