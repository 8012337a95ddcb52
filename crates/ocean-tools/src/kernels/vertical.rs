//! Columns: crossings, mixed layers, steepest gradients, integrals and layers.
//!
//! Depth (or pressure) increases downwards. Functions that take whole columns leave missing values out first, with
//! [`present`]; those that integrate over layers need every level that the layer touches.

use ndarray::{Array2, ArrayView3, Zip};

/// The positions of a column with their values, missing ones left out.
pub fn present(depth: &[f64], values: &[f64]) -> (Vec<f64>, Vec<f64>) {
    depth
        .iter()
        .zip(values)
        .filter(|(z, value)| z.is_finite() && value.is_finite())
        .map(|(z, v)| (*z, *v))
        .unzip()
}

/// Which of several crossings is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occurrence {
    /// The one nearest to the surface.
    First,
    /// The deepest one.
    Last,
}

/// The depth at which a column takes a value, linear between levels; `None` when it never does.
pub fn crossing(depth: &[f64], values: &[f64], target: f64, occurrence: Occurrence) -> Option<f64> {
    let (z, v) = present(depth, values);
    let at = |below: usize| {
        let (above, d0, d1) = (below - 1, v[below - 1] - target, v[below] - target);
        let crosses = (d0 <= 0.0 && d1 >= 0.0) || (d0 >= 0.0 && d1 <= 0.0);
        if !crosses {
            return None;
        }
        let part = if (d0 - d1).abs() > 0.0 { d0 / (d0 - d1) } else { 0.0 };
        Some(z[above] + part * (z[below] - z[above]))
    };
    match occurrence {
        Occurrence::First => (1..z.len()).find_map(at),
        Occurrence::Last => (1..z.len()).rev().find_map(at),
    }
}

/// What ends a mixed layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Departure {
    /// A change to either side, as for temperature.
    Absolute,
    /// An increase, as for density.
    Increase,
}

/// Where a mixed layer ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MixedLayer {
    /// At a depth.
    To(f64),
    /// The column is mixed down to its last value at this depth.
    WholeColumn(f64),
}

/// The depth below `reference` at which the column departs from its value there by `threshold`.
///
/// The reference value is interpolated; when the column begins deeper, its first value is taken. `None` without values
/// below the reference.
pub fn mixed_layer(
    depth: &[f64],
    values: &[f64],
    reference: f64,
    threshold: f64,
    departure: Departure,
) -> Option<MixedLayer> {
    let (z, v) = present(depth, values);
    let top = z.first()?.max(reference);
    let below = z.partition_point(|&own| own <= top);
    if below == z.len() {
        return None;
    }
    let start = if below == 0 {
        v[0]
    } else {
        v[below - 1] + (top - z[below - 1]) / (z[below] - z[below - 1]) * (v[below] - v[below - 1])
    };
    let distance = |value: f64| match departure {
        Departure::Absolute => (value - start).abs(),
        Departure::Increase => value - start,
    };
    let (mut last, mut gone) = (top, 0.0);
    for at in below..z.len() {
        let now = distance(v[at]);
        if now >= threshold {
            return Some(MixedLayer::To(last + (threshold - gone) / (now - gone) * (z[at] - last)));
        }
        (last, gone) = (z[at], now);
    }
    Some(MixedLayer::WholeColumn(last))
}

/// The steepest change of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steepest {
    /// Depth of the middle between the two levels, refined by a parabola when asked.
    pub depth: f64,
    /// Change over depth between the two levels, positive when the value increases downwards.
    pub gradient: f64,
}

/// The largest gradient, by size, between neighbouring levels whose middle is below `below`. With `refine` the depth is
/// that of a parabola through the sizes of three gradients.
pub fn steepest(depth: &[f64], values: &[f64], below: f64, refine: bool) -> Option<Steepest> {
    let (z, v) = present(depth, values);
    let steps: Vec<(f64, f64)> = z
        .windows(2)
        .zip(v.windows(2))
        .map(|(z, v)| (0.5 * (z[0] + z[1]), (v[1] - v[0]) / (z[1] - z[0])))
        .filter(|(middle, _)| *middle >= below)
        .collect();
    let best = (0..steps.len())
        .reduce(|best, own| if steps[own].1.abs() > steps[best].1.abs() { own } else { best })?;
    let (middle, gradient) = steps[best];
    let vertex = (refine && best > 0 && best + 1 < steps.len())
        .then(|| parabola_top([best - 1, best, best + 1].map(|at| (steps[at].0, steps[at].1.abs()))));
    Some(Steepest { depth: vertex.flatten().unwrap_or(middle), gradient })
}

/// Position of the top of a parabola through three points of which the middle one is the highest.
pub fn parabola_top(points: [(f64, f64); 3]) -> Option<f64> {
    let [(x0, y0), (x1, y1), (x2, y2)] = points;
    let (left, right) = ((y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1));
    let curve = (right - left) / (x2 - x0);
    let top = 0.5 * (x0 + x1) - left / (2.0 * curve);
    (curve < 0.0 && (x0..=x2).contains(&top)).then_some(top)
}

/// The trapezoid of a column without missing values between two positions, with interpolated ends. NaN when the column
/// does not reach both.
pub fn trapezoid(z: &[f64], v: &[f64], top: f64, bottom: f64) -> f64 {
    // A bound is often one of the levels that went through a conversion.
    const SLACK: f64 = 1e-6;
    let (Some(&first), Some(&last)) = (z.first(), z.last()) else { return f64::NAN };
    if !(first - SLACK <= top && bottom <= last + SLACK && top <= bottom) {
        return f64::NAN;
    }
    let (top, bottom) = (top.max(first), bottom.min(last));
    let at = |z0: f64| {
        let right = z.partition_point(|&own| own < z0).clamp(1, z.len() - 1);
        v[right - 1] + (z0 - z[right - 1]) / (z[right] - z[right - 1]) * (v[right] - v[right - 1])
    };
    if z.len() == 1 {
        return 0.0;
    }
    let mut before = (top, at(top));
    let mut sum = 0.0;
    let inner = z.iter().copied().zip(v.iter().copied()).filter(|&(z, _)| z > top && z < bottom);
    for point in inner.chain([(bottom, at(bottom))]) {
        sum += 0.5 * (point.1 + before.1) * (point.0 - before.0);
        before = point;
    }
    sum
}

/// Bounds half-way between the levels; the first begins at 0, the last reaches as far down as up.
pub fn midpoint_bounds(depth: &[f64]) -> Vec<[f64; 2]> {
    let n = depth.len();
    let middle = |at: usize| 0.5 * (depth[at] + depth[at + 1]);
    (0..n)
        .map(|at| {
            let top = if at == 0 { 0.0 } else { middle(at - 1) };
            let bottom = if at + 1 < n {
                middle(at)
            } else if n > 1 {
                depth[at] + 0.5 * (depth[at] - depth[at - 1])
            } else {
                2.0 * depth[at]
            };
            [top, bottom]
        })
        .collect()
}

/// An integral over a layer and how much of it had values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Integral {
    /// Values times thickness.
    pub sum: f64,
    /// Thickness that had values.
    pub covered: f64,
}

/// Sum of the values times the thickness that each level has inside of a layer.
pub fn layer_integral(bounds: &[[f64; 2]], values: &[f64], top: f64, bottom: f64) -> Integral {
    let mut result = Integral { sum: 0.0, covered: 0.0 };
    for (own, value) in bounds.iter().zip(values) {
        let thickness = own[1].min(bottom) - own[0].max(top);
        if thickness > 0.0 && value.is_finite() {
            result.sum += value * thickness;
            result.covered += thickness;
        }
    }
    result
}

/// The part of each level's thickness that lies in a layer, 0 for none.
pub fn layer_thickness(bounds: &[[f64; 2]], top: f64, bottom: f64) -> Vec<f64> {
    bounds.iter().map(|own| (own[1].min(bottom) - own[0].max(top)).max(0.0)).collect()
}

/// [`layer_integral`] of the columns of a volume `(depth, lat, lon)` less a reference: sums, and the thickness that had
/// values. `thickness` is that of [`layer_thickness`].
pub fn layer_maps(volume: &ArrayView3<'_, f64>, thickness: &[f64], reference: f64) -> [Array2<f64>; 2] {
    let (_, rows, columns) = volume.dim();
    let [mut sums, mut covered] = [Array2::zeros((rows, columns)), Array2::zeros((rows, columns))];
    for (level, &own) in volume.outer_iter().zip(thickness).filter(|(_, own)| **own > 0.0) {
        Zip::from(&mut sums).and(&mut covered).and(level).for_each(|sum, covered, &value| {
            let is_there = value.is_finite();
            *sum += if is_there { (value - reference) * own } else { 0.0 };
            *covered += if is_there { own } else { 0.0 };
        });
    }
    [sums, covered]
}

/// The sums of [`layer_maps`] where every level of the layer has a value, and NaN elsewhere: one product a value.
pub fn whole_layer_map(volume: &ArrayView3<'_, f64>, thickness: &[f64], reference: f64) -> Array2<f64> {
    let (_, rows, columns) = volume.dim();
    let mut sums = Array2::zeros((rows, columns));
    for (level, &own) in volume.outer_iter().zip(thickness).filter(|(_, own)| **own > 0.0) {
        Zip::from(&mut sums).and(level).for_each(|sum, &value| *sum += (value - reference) * own);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_of_a_layer_are_those_of_its_columns() {
        let volume = ndarray::Array3::from_shape_fn((4, 2, 3), |(z, y, x)| {
            if z > x { f64::NAN } else { (z * 7 + y * 3 + x) as f64 }
        });
        let bounds = [[0.0, 10.0], [10.0, 25.0], [25.0, 50.0], [50.0, 100.0]];
        let thickness = layer_thickness(&bounds, 5.0, 60.0);
        let [sums, covered] = layer_maps(&volume.view(), &thickness, 2.0);
        let whole = whole_layer_map(&volume.view(), &thickness, 2.0);
        for y in 0..2 {
            for x in 0..3 {
                let column: Vec<f64> = (0..4).map(|z| volume[[z, y, x]] - 2.0).collect();
                let one = layer_integral(&bounds, &column, 5.0, 60.0);
                assert!(
                    (sums[[y, x]] - one.sum).abs() < 1e-12 && (covered[[y, x]] - one.covered).abs() < 1e-12
                );
                assert!(
                    whole[[y, x]].is_nan() && one.covered < 55.0 || (whole[[y, x]] - one.sum).abs() < 1e-12
                );
            }
        }
    }

    const Z: [f64; 5] = [0.0, 10.0, 20.0, 40.0, 80.0];

    #[test]
    fn crossings_are_linear_and_leave_missing_levels_out() {
        let t = [20.0, 20.0, f64::NAN, 10.0, 20.0];
        assert_eq!(crossing(&Z, &t, 15.0, Occurrence::First), Some(25.0));
        assert_eq!(crossing(&Z, &t, 15.0, Occurrence::Last), Some(60.0));
        assert_eq!(crossing(&Z, &t, 25.0, Occurrence::First), None);
        assert_eq!(crossing(&Z, &[f64::NAN; 5], 1.0, Occurrence::First), None);
    }

    #[test]
    fn a_mixed_layer_ends_where_the_threshold_is_passed() {
        let t = [20.0, 20.0, 20.0, 19.0, 10.0];
        assert_eq!(mixed_layer(&Z, &t, 10.0, 0.5, Departure::Absolute), Some(MixedLayer::To(30.0)));
        assert_eq!(mixed_layer(&Z, &t, 10.0, 0.5, Departure::Increase), Some(MixedLayer::WholeColumn(80.0)));
        assert_eq!(mixed_layer(&Z[3..], &t[3..], 10.0, 0.9, Departure::Absolute), Some(MixedLayer::To(44.0)));
        assert_eq!(mixed_layer(&Z, &[f64::NAN; 5], 10.0, 0.2, Departure::Absolute), None);
    }

    #[test]
    fn the_steepest_gradient_is_between_levels() {
        let found = steepest(&Z, &[20.0, 20.0, 10.0, 9.0, 8.0], 0.0, false).unwrap();
        assert_eq!((found.depth, found.gradient), (15.0, -1.0));
        assert_eq!(
            steepest(&Z, &[20.0, 20.0, 10.0, 9.0, 8.0], 16.0, false).unwrap().depth.to_bits(),
            30.0_f64.to_bits()
        );
        assert_eq!(parabola_top([(0.0, 0.0), (1.0, 3.0), (2.0, 0.0)]), Some(1.0));
    }

    #[test]
    fn integrals_of_a_line_are_exact() {
        let v = Z.map(|z| 2.0 * z);
        assert!((trapezoid(&Z, &v, 5.0, 60.0) - (3600.0 - 25.0)).abs() < 1e-9);
        assert!(trapezoid(&Z, &v, 5.0, 90.0).is_nan());
        let bounds = midpoint_bounds(&Z);
        assert_eq!(bounds, [[0.0, 5.0], [5.0, 15.0], [15.0, 30.0], [30.0, 60.0], [60.0, 100.0]]);
        let part = layer_integral(&bounds, &[1.0, 1.0, f64::NAN, 1.0, 1.0], 2.0, 40.0);
        assert_eq!((part.sum, part.covered), (23.0, 23.0));
    }
}
