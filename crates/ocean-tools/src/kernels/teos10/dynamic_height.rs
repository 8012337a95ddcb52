//! Dynamic height anomaly and steric height.

use super::column::Column;
use super::sea_water::specific_volume_anomaly;
use crate::kernels::interpolation::{Method, interpolate};

/// Pascal in a decibar.
const PASCAL: f64 = 1e4;

/// The largest step of the integral, dbar.
const STEP: f64 = 1.0;

/// Dynamic height anomaly at the levels, m2 s-2, relative to a pressure: the integral of the specific volume anomaly
/// from the level down to there.
///
/// Salinity and temperature between the levels follow monotone cubics in pressure; the trapezoid has steps of at most
/// 1 dbar. NaN everywhere when fewer than two levels have values, when pressure does not increase or when the reference
/// lies outside of them; NaN at missing levels.
pub fn dynamic_height(column: Column<'_>, p_ref: f64) -> Vec<f64> {
    let mut heights = vec![f64::NAN; column.p.len()];
    let present = column.present();
    let take = |values: &[f64]| -> Vec<f64> { present.iter().map(|&at| values[at]).collect() };
    let (p, sa, ct) = (take(column.p), take(column.sa), take(column.ct));
    let (Some(&top), Some(&bottom)) = (p.first(), p.last()) else { return heights };
    if p.len() < 2 || p.windows(2).any(|pair| pair[1] <= pair[0]) || !(top..=bottom).contains(&p_ref) {
        return heights;
    }
    let fine = refined(&p, p_ref);
    let anomalies: Vec<f64> = interpolate(&p, &sa, &fine, Method::Pchip)
        .iter()
        .zip(interpolate(&p, &ct, &fine, Method::Pchip))
        .zip(&fine)
        .map(|((&sa, ct), &p)| specific_volume_anomaly(sa, ct, p))
        .collect();
    let mut integral = vec![0.0];
    for at in 1..fine.len() {
        let part = 0.5 * (anomalies[at] + anomalies[at - 1]) * (fine[at] - fine[at - 1]) * PASCAL;
        integral.push(integral[at - 1] - part);
    }
    let at = |p: f64| integral[fine.partition_point(|&own| own < p)];
    let reference = at(p_ref);
    for (&level, &p) in present.iter().zip(&p) {
        heights[level] = at(p) - reference;
    }
    heights
}

/// The pressures, the reference and steps of at most 1 dbar between them.
fn refined(p: &[f64], p_ref: f64) -> Vec<f64> {
    let mut nodes = p.to_vec();
    if !nodes.iter().any(|&own| own.to_bits() == p_ref.to_bits()) {
        nodes.insert(nodes.partition_point(|&own| own < p_ref), p_ref);
    }
    let mut fine = vec![nodes[0]];
    for pair in nodes.windows(2) {
        let steps = ((pair[1] - pair[0]) / STEP).ceil().max(1.0);
        let mut step = 1.0;
        while step < steps {
            fine.push(pair[0] + (pair[1] - pair[0]) * step / steps);
            step += 1.0;
        }
        fine.push(pair[1]);
    }
    fine
}

/// Steric height between two pressures, metres: the trapezoid of the specific volume anomaly over the levels between
/// them, over `gravity`. Where a bound is no level, the anomaly there is interpolated. NaN when the levels do not reach.
pub fn steric_height(column: Column<'_>, upper: f64, lower: f64, gravity: f64) -> f64 {
    let present = column.present();
    let p: Vec<f64> = present.iter().map(|&at| column.p[at]).collect();
    let anomalies: Vec<f64> = present
        .iter()
        .map(|&at| specific_volume_anomaly(column.sa[at], column.ct[at], column.p[at]))
        .collect();
    crate::kernels::vertical::trapezoid(&p, &anomalies, upper, lower) * PASCAL / gravity
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_ocean_is_flat_and_the_reference_is_zero() {
        let p = [0.0, 500.0, 1000.0];
        let standard = Column { sa: &[35.165_04; 3], ct: &[0.0; 3], p: &p };
        assert!(dynamic_height(standard, 1000.0).iter().all(|height| height.abs() < 1e-9));
        let warm = Column { sa: &[35.0; 3], ct: &[20.0, 10.0, 5.0], p: &p };
        let heights = dynamic_height(warm, 1000.0);
        assert!(heights[0] > heights[1] && heights[1] > 0.0 && heights[2].abs() < 1e-12);
        assert!(dynamic_height(warm, 1500.0).iter().all(|height| height.is_nan()));
        assert!(steric_height(warm, 0.0, 1000.0, 9.7963) > 0.5);
    }
}
