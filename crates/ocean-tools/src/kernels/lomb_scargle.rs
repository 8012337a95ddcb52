//! The spectrum of uneven series by least squares of sines.
//!
//! # Source
//! Scargle (1982), Astrophys. J. 263, 835–853; with a floating mean Zechmeister & Kürster (2009), Astron. Astrophys.
//! 496, 577–584.

use libm::{cos, sin, sqrt};

/// What becomes of the mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mean {
    /// Fitted with the sine at each frequency.
    Floating,
    /// Taken out first.
    Subtract,
    /// Left in.
    Keep,
}

/// The share of the sum of squares that a sine of each angular frequency takes, from 0 to 1.
pub(crate) fn power(times: &[f64], values: &[f64], angular: &[f64], mean: Mean) -> Vec<f64> {
    let n = values.len() as f64;
    let offset = if mean == Mean::Keep { 0.0 } else { values.iter().sum::<f64>() / n };
    let y: Vec<f64> = values.iter().map(|value| value - offset).collect();
    let total: f64 = y.iter().map(|y| y * y).sum();
    angular.iter().map(|w| share(times, &y, *w, mean == Mean::Floating) / total).collect()
}

/// Solves for cosine, sine and, with `floating`, a constant; gives the sum of squares that they take.
fn share(times: &[f64], y: &[f64], w: f64, floating: bool) -> f64 {
    let n = y.len() as f64;
    let (mut c, mut s, mut cc, mut ss, mut cs, mut yc, mut ys, mut sum) =
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (t, y) in times.iter().zip(y) {
        let (cosine, sine) = (cos(w * t), sin(w * t));
        c += cosine;
        s += sine;
        cc += cosine * cosine;
        ss += sine * sine;
        cs += cosine * sine;
        yc += y * cosine;
        ys += y * sine;
        sum += y;
    }
    if floating {
        cc -= c * c / n;
        ss -= s * s / n;
        cs -= c * s / n;
        yc -= sum * c / n;
        ys -= sum * s / n;
    }
    let determinant = cc * ss - cs * cs;
    if determinant > 1e-12 * sqrt((cc * ss).max(0.0)) {
        (ss * yc * yc + cc * ys * ys - 2.0 * cs * yc * ys) / determinant
    } else if cc.max(ss) > 0.0 {
        // One of both is nothing on these times.
        if cc > ss { yc * yc / cc } else { ys * ys / ss }
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use core::f64::consts::PI;

    use super::*;

    #[test]
    fn a_sine_on_uneven_times_takes_all() {
        let times: Vec<f64> = (0..50).map(|i| f64::from(i) + 0.3 * sin(f64::from(i * i))).collect();
        let values: Vec<f64> = times.iter().map(|t| 5.0 + 2.0 * sin(2.0 * PI * t / 9.0 + 0.4)).collect();
        let power = power(&times, &values, &[2.0 * PI / 9.0, 2.0 * PI / 4.3], Mean::Floating);
        assert!((power[0] - 1.0).abs() < 1e-10 && power[1] < 0.2, "{power:?}");
    }
}
