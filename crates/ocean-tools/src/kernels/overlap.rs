//! How much of a cell's water lies between two values.

/// The share of each cell of a column that lies in a class of another quantity, which is linear between the edges of
/// the cells; `column` holds that quantity at the centres. A cell where it does not change counts to the class of its
/// value: the lower end belongs to a class and the upper one to the next. Missing where the quantity is.
pub(crate) fn shares(column: &[f64], thickness: &[f64], [low, high]: [f64; 2]) -> Vec<f64> {
    let n = column.len();
    // At the edge between two cells, weighted so that a straight line over depth stays straight.
    let edge = |above: usize, below: usize| {
        let (a, b) = (thickness[above], thickness[below]);
        (column[above] * b + column[below] * a) / (a + b)
    };
    (0..n)
        .map(|at| {
            let own = column[at];
            if own.is_nan() {
                return f64::NAN;
            }
            let beside = |other: Option<usize>, value: &dyn Fn(usize) -> f64| {
                let value = other.map_or(f64::NAN, value);
                if value.is_nan() { own } else { value }
            };
            let top = beside(at.checked_sub(1), &|above| edge(above, at));
            let bottom = beside((at + 1 < n).then_some(at + 1), &|below| edge(at, below));
            // Each half of the cell runs from an edge to its centre.
            0.5 * (half(top, own, low, high) + half(own, bottom, low, high))
        })
        .collect()
}

/// The share of the way from one value to another that lies in a class.
fn half(from: f64, to: f64, low: f64, high: f64) -> f64 {
    let (small, large) = (from.min(to), from.max(to));
    if large - small <= 0.0 {
        return f64::from(u8::from((low..high).contains(&small)));
    }
    ((large.min(high) - small.max(low)) / (large - small)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_that_cover_all_values_share_each_cell_out() {
        let column = [25.0, 25.0, 26.0, 27.5, f64::NAN];
        let thickness = [10.0, 10.0, 20.0, 40.0, 40.0];
        let edges = [f64::NEG_INFINITY, 25.0, 25.5, 26.2, 27.0, f64::INFINITY];
        let mut sums = [0.0; 5];
        for pair in edges.windows(2) {
            for (sum, share) in sums.iter_mut().zip(shares(&column, &thickness, [pair[0], pair[1]])) {
                *sum += share;
            }
        }
        assert!(sums[..4].iter().all(|sum| (sum - 1.0).abs() < 1e-12) && sums[4].is_nan(), "{sums:?}");
        // A straight line over 4 cells of 10: a class takes its part of the depth.
        let line = [5.0, 15.0, 25.0, 35.0];
        let half = shares(&line, &[10.0; 4], [10.0, 22.0]);
        assert!((half.iter().sum::<f64>() - 1.2).abs() < 1e-12, "{half:?}");
    }
}
