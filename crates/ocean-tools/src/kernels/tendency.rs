//! Rates of change of series, and advection of tracers.

use ndarray::{Array2, ArrayView2};

use super::differences::Plane;
use super::layers::upward_slope;

/// Seconds of a day.
pub const DAY: f64 = 86_400.0;

/// Centred rate of change per day of values at times in days: of second order for any spacing, one-sided at the ends.
///
/// # Missing values
/// A rate is missing where the value, a neighbour, or the time of a neighbour is missing: nothing bridges a step longer
/// than 1.5 times the usual one.
pub fn tendency(values: &[f64], days: &[f64]) -> Vec<f64> {
    let n = values.len();
    let usual = usual_step(days);
    let step = |from: usize| {
        let length = days[from + 1] - days[from];
        let gap = length > 1.5 * usual;
        if gap { f64::NAN } else { length }
    };
    (0..n)
        .map(|at| {
            let slope = |from: usize| (values[from + 1] - values[from]) / step(from);
            match (at > 0, at + 1 < n) {
                (true, true) => {
                    let (before, after) = (step(at - 1), step(at));
                    (slope(at - 1) * after + slope(at) * before) / (before + after)
                }
                (true, false) => slope(at - 1),
                (false, true) => slope(at),
                (false, false) => f64::NAN,
            }
        })
        .collect()
}

/// The median step.
fn usual_step(days: &[f64]) -> f64 {
    let mut steps: Vec<f64> = days.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_unstable_by(f64::total_cmp);
    steps.get(steps.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Advective tendency `−(u ∂C/∂x + v ∂C/∂y)` per day of a tracer by a current in metres a second.
pub fn horizontal_advection(
    plane: &Plane,
    tracer: &ArrayView2<'_, f64>,
    u: &ArrayView2<'_, f64>,
    v: &ArrayView2<'_, f64>,
) -> Array2<f64> {
    let (x, y) = (plane.eastward(tracer), plane.northward(tracer));
    Array2::from_shape_fn(tracer.dim(), |at| -(u[at] * x[at] + v[at] * y[at]) * DAY)
}

/// Advective tendency `−w ∂C/∂z` per day of a column by a vertical velocity in metres a second, `w` and `z` positive
/// upwards; depths in metres.
pub fn vertical_advection(tracer: &[f64], w: &[f64], depth: &[f64]) -> Vec<f64> {
    upward_slope(tracer, depth).iter().zip(w).map(|(slope, w)| -w * slope * DAY).collect()
}

#[cfg(test)]
mod tests {
    use super::super::differences::Coasts;
    use super::super::sphere::{EARTH_RADIUS, RADIANS};
    use super::*;

    #[test]
    fn a_parabola_in_uneven_time_is_exact_and_a_gap_is_not_bridged() {
        let days = [0.0, 31.0, 59.0, 90.0, 120.0];
        let values: Vec<f64> = days.iter().map(|day| day * day).collect();
        let rate = tendency(&values, &days);
        assert!((1..4).all(|at| (rate[at] - 2.0 * days[at]).abs() < 1e-9), "{rate:?}");
        let gap = tendency(&[0.0, 1.0, 2.0, 5.0], &[0.0, 1.0, 2.0, 5.0]);
        assert!((gap[1] - 1.0).abs() < 1e-12 && gap[2].is_nan() && gap[3].is_nan());
        assert!(tendency(&[1.0], &[0.0])[0].is_nan());
    }

    #[test]
    fn a_current_down_the_gradient_warms() {
        let lat: Vec<f64> = (0..3).map(|i| 40.0 + f64::from(i)).collect();
        let plane = Plane::new(&lat, &[0.0, 1.0, 2.0], false, Coasts::Missing);
        let tracer = Array2::from_shape_fn((3, 3), |(y, _)| -1e-6 * EARTH_RADIUS * RADIANS * y as f64);
        let (u, v) = (Array2::from_elem((3, 3), 0.3), Array2::from_elem((3, 3), 0.1));
        let advection = horizontal_advection(&plane, &tracer.view(), &u.view(), &v.view());
        assert!(advection.iter().all(|value| (value - 1e-7 * DAY).abs() < 1e-12));
    }
}
