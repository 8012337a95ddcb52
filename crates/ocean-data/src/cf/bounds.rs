//! Cell bounds where a file has none.

/// Bounds half-way between neighbouring centres; the outer cells reach as far out as in. A single cell gets
/// `lone_width` around its centre.
///
/// Neighbours are those nearest in value: centres in no order have the bounds of the sorted ones.
pub(crate) fn midpoint_bounds(centres: &[f64], lone_width: f64) -> Vec<[f64; 2]> {
    if let [lone] = centres {
        return vec![[lone - lone_width / 2.0, lone + lone_width / 2.0]];
    }
    if centres.is_sorted() || centres.is_sorted_by(|a, b| a >= b) {
        return between(centres);
    }
    let mut order: Vec<usize> = (0..centres.len()).collect();
    order.sort_by(|&a, &b| centres[a].total_cmp(&centres[b]));
    let sorted: Vec<f64> = order.iter().map(|&at| centres[at]).collect();
    let mut bounds = vec![[f64::NAN; 2]; centres.len()];
    for (&at, pair) in order.iter().zip(between(&sorted)) {
        bounds[at] = pair;
    }
    bounds
}

/// Bounds between at least two centres in order.
fn between(centres: &[f64]) -> Vec<[f64; 2]> {
    let n = centres.len();
    let middle = |i: usize, j: usize| centres[i] + (centres[j] - centres[i]) / 2.0;
    (0..n)
        .map(|i| {
            let lower = if i == 0 { centres[0] - (centres[1] - centres[0]) / 2.0 } else { middle(i - 1, i) };
            let upper =
                if i + 1 == n { centres[i] + (centres[i] - centres[i - 1]) / 2.0 } else { middle(i, i + 1) };
            [lower, upper]
        })
        .collect()
}

/// Thickness of each layer of `bounds` inside `[top, bottom]`, in the units of the bounds.
pub(crate) fn thicknesses(bounds: &[[f64; 2]], top: f64, bottom: f64) -> Vec<f64> {
    bounds
        .iter()
        .map(|&[a, b]| {
            let (upper, lower) = if a <= b { (a, b) } else { (b, a) };
            (lower.min(bottom) - upper.max(top)).max(0.0)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn midpoints_share_edges_and_keep_direction() {
        assert_eq!(midpoint_bounds(&[0.0, 2.0, 6.0], 1.0), vec![[-1.0, 1.0], [1.0, 4.0], [4.0, 8.0]]);
        assert_eq!(midpoint_bounds(&[3.0, 1.0], 1.0), vec![[4.0, 2.0], [2.0, 0.0]]);
        assert_eq!(midpoint_bounds(&[5.0], 2.0), vec![[4.0, 6.0]]);
        assert!(midpoint_bounds(&[], 1.0).is_empty());
        assert_eq!(midpoint_bounds(&[6.0, 0.0, 2.0], 1.0), vec![[4.0, 8.0], [-1.0, 1.0], [1.0, 4.0]]);
    }

    #[test]
    fn partial_layers_are_clipped() {
        assert_eq!(thicknesses(&[[0.0, 10.0], [10.0, 30.0], [30.0, 60.0]], 5.0, 40.0), vec![5.0, 20.0, 10.0]);
        assert_eq!(thicknesses(&[[10.0, 0.0]], 0.0, 100.0), vec![10.0]);
    }
}
