//! Extremes inside of a column.

use super::vertical::parabola_top;

/// Depth and value of the largest value that both its neighbours are smaller than; `is_max` false for the smallest.
/// A parabola through the three refines both. `None` when the column has none inside.
pub(crate) fn inside(z: &[f64], v: &[f64], is_max: bool) -> Option<(f64, f64)> {
    let up = |at: usize| if is_max { v[at] } else { -v[at] };
    let best = (1..v.len().saturating_sub(1))
        .filter(|&at| up(at) > up(at - 1) && up(at) > up(at + 1))
        .reduce(|best, own| if up(own) > up(best) { own } else { best })?;
    let [x0, x1, x2] = [z[best - 1], z[best], z[best + 1]];
    let [y0, y1, y2] = [v[best - 1], v[best], v[best + 1]];
    let turned = [best - 1, best, best + 1].map(|at| (z[at], up(at)));
    let Some(top) = parabola_top(turned) else { return Some((x1, y1)) };
    let (left, right) = ((y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1));
    let curve = (right - left) / (x2 - x0);
    Some((top, y0 + (top - x0) * (left + curve * (top - x1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_parabola_is_found_between_levels() {
        let z = [0.0, 50.0, 120.0, 200.0, 300.0];
        let v = z.map(|z| 35.0 - 1e-5 * (z - 137.0) * (z - 137.0));
        let (depth, value) = inside(&z, &v, true).unwrap();
        assert!((depth - 137.0).abs() < 1e-9 && (value - 35.0).abs() < 1e-12, "{depth} {value}");
        let (depth, value) = inside(&z, &v.map(|v| -v), false).unwrap();
        assert!((depth - 137.0).abs() < 1e-9 && (value + 35.0).abs() < 1e-12);
        // The smallest of this column is at its end, which is no extremum inside.
        assert!(inside(&z, &v, false).is_none() && inside(&[], &[], true).is_none());
    }
}
