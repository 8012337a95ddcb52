//! Interpolation along one axis: linear, monotone cubic, Akima and cubic spline.
//!
//! The positions of the data increase and all data are there; callers leave out missing ones. Nothing is extrapolated:
//! outside of the data the result is NaN.

/// How values between the data are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Straight lines.
    Linear,
    /// Monotone cubic (Fritsch and Butland 1984, SIAM Journal on Scientific and Statistical Computing 5, 300-304).
    Pchip,
    /// Akima (1970), Journal of the ACM 17, 589-602.
    Akima,
    /// Cubic spline whose third derivative is continuous at the second and the last but one point.
    CubicSpline,
}

/// Values at the targets. NaN with fewer than two data.
pub fn interpolate(x: &[f64], y: &[f64], targets: &[f64], method: Method) -> Vec<f64> {
    if x.len() < 2 || x.len() != y.len() {
        return vec![f64::NAN; targets.len()];
    }
    let slopes = if x.len() == 2 {
        vec![(y[1] - y[0]) / (x[1] - x[0]); 2]
    } else {
        match method {
            Method::Linear => vec![],
            Method::Pchip => pchip_slopes(x, y),
            Method::Akima => akima_slopes(x, y),
            Method::CubicSpline => spline_slopes(x, y),
        }
    };
    targets
        .iter()
        .map(|&target| {
            if !(x[0]..=x[x.len() - 1]).contains(&target) {
                return f64::NAN;
            }
            let right = x.partition_point(|&own| own < target).clamp(1, x.len() - 1);
            let left = right - 1;
            let h = x[right] - x[left];
            let t = (target - x[left]) / h;
            if slopes.is_empty() {
                return y[left] + t * (y[right] - y[left]);
            }
            let secant = (y[right] - y[left]) / h;
            let c2 = 3.0 * secant - 2.0 * slopes[left] - slopes[right];
            let c3 = slopes[left] + slopes[right] - 2.0 * secant;
            y[left] + h * t * (slopes[left] + t * (c2 + t * c3))
        })
        .collect()
}

fn steps_and_secants(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let steps: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let secants = y.windows(2).zip(&steps).map(|(pair, h)| (pair[1] - pair[0]) / h).collect();
    (steps, secants)
}

fn pchip_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let (h, m) = steps_and_secants(x, y);
    let n = x.len();
    let edge = |h0: f64, h1: f64, m0: f64, m1: f64| {
        let slope = ((2.0 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);
        // A slope against the first secant, or one that overshoots before a turn, would not be monotone.
        if slope * m0 <= 0.0 {
            0.0
        } else if m0 * m1 <= 0.0 && slope.abs() > 3.0 * m0.abs() {
            3.0 * m0
        } else {
            slope
        }
    };
    let mut slopes = vec![0.0; n];
    slopes[0] = edge(h[0], h[1], m[0], m[1]);
    slopes[n - 1] = edge(h[n - 2], h[n - 3], m[n - 2], m[n - 3]);
    for at in 1..n - 1 {
        if m[at - 1] * m[at] > 0.0 {
            let (w1, w2) = (2.0 * h[at] + h[at - 1], h[at] + 2.0 * h[at - 1]);
            slopes[at] = (w1 + w2) / (w1 / m[at - 1] + w2 / m[at]);
        }
    }
    slopes
}

fn akima_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let (_, inner) = steps_and_secants(x, y);
    let k = inner.len();
    // Two secants more at each end, on a parabola.
    let mut m = vec![0.0, 2.0 * inner[0] - inner[1]];
    m[0] = 2.0 * m[1] - inner[0];
    m.extend(&inner);
    m.push(2.0 * inner[k - 1] - inner[k - 2]);
    m.push(2.0 * m[k + 2] - inner[k - 1]);
    let change: Vec<f64> = m.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let largest = (0..x.len()).map(|at| change[at + 2] + change[at]).fold(0.0, f64::max);
    (0..x.len())
        .map(|at| {
            let (after, before) = (change[at + 2], change[at]);
            if after + before > 1e-9 * largest {
                (after * m[at + 1] + before * m[at + 2]) / (after + before)
            } else {
                0.5 * (m[at + 3] + m[at])
            }
        })
        .collect()
}

fn spline_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let (h, m) = steps_and_secants(x, y);
    let n = x.len();
    if n == 3 {
        // One parabola through all points.
        let curve = (m[1] - m[0]) / (h[0] + h[1]);
        return vec![m[0] - curve * h[0], m[0] + curve * h[0], m[1] + curve * h[1]];
    }
    let mut lower = vec![0.0; n];
    let mut diagonal = vec![0.0; n];
    let mut upper = vec![0.0; n];
    let mut right = vec![0.0; n];
    for at in 1..n - 1 {
        lower[at] = h[at];
        diagonal[at] = 2.0 * (h[at - 1] + h[at]);
        upper[at] = h[at - 1];
        right[at] = 3.0 * (h[at] * m[at - 1] + h[at - 1] * m[at]);
    }
    let first = h[0] + h[1];
    diagonal[0] = h[1];
    upper[0] = first;
    right[0] = ((h[0] + 2.0 * first) * h[1] * m[0] + h[0] * h[0] * m[1]) / first;
    let last = h[n - 2] + h[n - 3];
    diagonal[n - 1] = h[n - 3];
    lower[n - 1] = last;
    right[n - 1] = (h[n - 2] * h[n - 2] * m[n - 3] + (2.0 * last + h[n - 2]) * h[n - 3] * m[n - 2]) / last;
    for at in 1..n {
        let factor = lower[at] / diagonal[at - 1];
        diagonal[at] -= factor * upper[at - 1];
        right[at] -= factor * right[at - 1];
    }
    let mut slopes = vec![0.0; n];
    slopes[n - 1] = right[n - 1] / diagonal[n - 1];
    for at in (0..n - 1).rev() {
        slopes[at] = (right[at] - upper[at] * slopes[at + 1]) / diagonal[at];
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Method; 4] = [Method::Linear, Method::Pchip, Method::Akima, Method::CubicSpline];

    #[test]
    fn a_line_stays_a_line_and_nothing_is_extrapolated() {
        let x = [0.0, 1.0, 3.0, 7.0, 8.0];
        let y = x.map(|x| 2.0 - 0.5 * x);
        for method in ALL {
            for (n, targets) in [(5, [0.0, 2.2, 8.0]), (2, [0.0, 0.5, 1.0]), (3, [0.5, 1.0, 3.0])] {
                for (value, target) in interpolate(&x[..n], &y[..n], &targets, method).iter().zip(targets) {
                    assert!((value - (2.0 - 0.5 * target)).abs() < 1e-12, "{method:?} {n} {target} {value}");
                }
            }
            let outside = interpolate(&x, &y, &[-0.1, 8.1, f64::NAN], method);
            assert!(outside.iter().all(|value| value.is_nan()), "{method:?}");
            assert!(interpolate(&x[..1], &y[..1], &[0.0], method)[0].is_nan());
        }
    }

    #[test]
    fn a_spline_is_exact_on_a_cubic_and_a_monotone_cubic_does_not_overshoot() {
        let x = [0.0, 1.0, 2.5, 4.0, 6.0];
        let cubic = |x: f64| x * x * x - 4.0 * x * x + x - 1.0;
        let y = x.map(cubic);
        let found = interpolate(&x, &y, &[0.3, 3.1, 5.9], Method::CubicSpline);
        for (value, target) in found.iter().zip([0.3, 3.1, 5.9]) {
            assert!((value - cubic(target)).abs() < 1e-11);
        }
        let step =
            interpolate(&[0.0, 1.0, 2.0, 3.0], &[0.0, 0.0, 1.0, 1.0], &[0.5, 1.2, 1.8, 2.5], Method::Pchip);
        assert!(step.iter().all(|value| (0.0..=1.0).contains(value)), "{step:?}");
    }
}
