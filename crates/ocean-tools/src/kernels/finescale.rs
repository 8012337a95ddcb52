//! Vertical diffusivity from the variance of strain and shear at fine scales.
//!
//! # Source
//! Gregg, Sanford and Winkel (2003), Nature 422, 513-515; Kunze, Firing, Hummon, Chereskin and Thurnherr (2006), Journal
//! of Physical Oceanography 36, 1553-1576, equations 5 to 11; Whalen, `MacKinnon`, Talley and Waterhouse (2015), Journal of
//! Physical Oceanography 45, 1174-1188. Garrett–Munk model of 1976 with `E0 = 6.3e-5`, `b = 1300 m`, `j* = 3`.

use std::f64::consts::PI;

use libm::{acosh, cos, sin, sqrt};

/// Diffusivity of the Garrett–Munk field, m2 s-1.
const K0: f64 = 5e-6;
/// Buoyancy frequency of the model, s-1 (3 cycles an hour).
const N0: f64 = 5.24e-3;
/// Energy of the model.
const E0: f64 = 6.3e-5;
/// Scale depth of the model, m.
const B: f64 = 1300.0;
/// Scale mode number of the model.
const MODE: f64 = 3.0;
/// Coriolis parameter at 30 degrees, s-1.
const F30: f64 = 7.292_115e-5;

/// The spectrum of values at even distances `dz`, at wavenumbers `2 π k / (n dz)`, `k` from 1, in units² over rad m-1:
/// less their line, under a Hann window whose loss is made good, and for values that are differences over `dz` less
/// the smoothing of that.
pub(crate) fn spectrum(values: &[f64], dz: f64) -> Vec<(f64, f64)> {
    let n = values.len();
    let line = line_of(values);
    let taper = |at: usize| 0.5 - 0.5 * cos(2.0 * PI * at as f64 / n as f64);
    let power: f64 = (0..n).map(|at| taper(at) * taper(at)).sum();
    let rest: Vec<f64> = values
        .iter()
        .enumerate()
        .map(|(at, value)| taper(at) * (value - line[0] - line[1] * at as f64))
        .collect();
    (1..=n / 2)
        .map(|k| {
            let phase = 2.0 * PI * k as f64 / n as f64;
            let (re, im) = rest.iter().enumerate().fold((0.0, 0.0), |(re, im), (at, value)| {
                (re + value * cos(phase * at as f64), im + value * sin(phase * at as f64))
            });
            let half = phase / 2.0;
            let smoothing = sin(half) / half;
            (phase / dz, (re * re + im * im) * dz / (PI * power) / (smoothing * smoothing))
        })
        .collect()
}

/// Start and step of the line through evenly spaced values.
fn line_of(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let (middle, mean) = ((n - 1.0) / 2.0, values.iter().sum::<f64>() / n);
    let (mut up, mut down) = (0.0, 0.0);
    for (at, value) in values.iter().enumerate() {
        let off = at as f64 - middle;
        up += off * (value - mean);
        down += off * off;
    }
    let slope = if down > 0.0 { up / down } else { 0.0 };
    [mean - slope * middle, slope]
}

/// The variance of a spectrum over wavelengths, and that of the model times `factor` over the same wavenumbers: from
/// the longest to where the sum passes `limit`, beyond which waves break. `None` when fewer than two wavenumbers are
/// there.
pub(crate) fn variances(
    spectrum: &[(f64, f64)],
    [longest, shortest]: [f64; 2],
    limit: f64,
    n: f64,
    factor: f64,
) -> Option<[f64; 2]> {
    // Slack: the longest is often the length of the window itself.
    let is_inside =
        |m: f64| 2.0 * PI / m <= longest * (1.0 + 1e-9) && 2.0 * PI / m >= shortest * (1.0 - 1e-9);
    let inside: Vec<(f64, f64)> = spectrum.iter().copied().filter(|(m, _)| is_inside(*m)).collect();
    if inside.len() < 2 {
        return None;
    }
    let scale = PI * MODE / B * n / N0;
    let model = |m: f64| factor * PI * E0 * B * MODE / 2.0 * m * m / ((m + scale) * (m + scale));
    let (mut own, mut garrett_munk) = (0.0, 0.0);
    for pair in inside.windows(2) {
        let width = pair[1].0 - pair[0].0;
        own += 0.5 * (pair[0].1 + pair[1].1) * width;
        garrett_munk += 0.5 * (model(pair[0].0) + model(pair[1].0)) * width;
        if own > limit {
            break;
        }
    }
    Some([own, garrett_munk])
}

/// Diffusivity from strain, m2 s-1, for a ratio of shear to strain.
pub(crate) fn from_strain([own, model]: [f64; 2], ratio: f64, f: f64, n: f64) -> f64 {
    let correction = ratio * (ratio + 1.0) / (6.0 * sqrt(2.0) * sqrt(ratio - 1.0));
    let strength = own / model;
    K0 * strength * strength * correction * latitude(f, n)
}

/// Diffusivity from shear, m2 s-1, for a ratio of shear to strain.
pub(crate) fn from_shear([own, model]: [f64; 2], ratio: f64, f: f64, n: f64) -> f64 {
    let correction = 3.0 * (ratio + 1.0) / (2.0 * sqrt(2.0) * ratio * sqrt(ratio - 1.0));
    let strength = own / model;
    K0 * strength * strength * correction * latitude(f, n)
}

/// How the rate at which waves pass energy on depends on latitude; NaN where there are no internal waves.
fn latitude(f: f64, n: f64) -> f64 {
    let f = f.abs();
    if n.is_nan() || f <= 0.0 || n <= f {
        return f64::NAN;
    }
    f * acosh(n / f) / (F30 * acosh(N0 / F30))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spectrum_holds_the_variance() {
        let values: Vec<f64> = (0..64).map(|at| 0.3 * cos(2.0 * PI * 6.0 * f64::from(at) / 64.0)).collect();
        let spectrum = spectrum(&values, 5.0);
        let step = 2.0 * PI / 320.0;
        let half = PI * 6.0 / 64.0;
        let smoothing = sin(half) / half;
        let sum: f64 = spectrum.iter().map(|(_, power)| power * step).sum();
        // A Hann window spreads a line over three wavenumbers, each made good for its own smoothing.
        assert!((sum * smoothing * smoothing - 0.045).abs() < 5e-4, "{sum}");
        assert!((spectrum[5].0 - 6.0 * step).abs() < 1e-12);
    }

    #[test]
    fn the_model_itself_has_its_own_diffusivity() {
        let (n, f) = (N0, F30);
        let scale = PI * MODE / B;
        let of = |m: f64| PI * E0 * B * MODE / 2.0 * m * m / ((m + scale) * (m + scale));
        let spectrum: Vec<(f64, f64)> =
            (1..20).map(|k| 2.0 * PI * f64::from(k) / 300.0).map(|m| (m, of(m))).collect();
        let found = variances(&spectrum, [300.0, 75.0], 0.22, n, 1.0).unwrap();
        assert!((found[0] - found[1]).abs() < 1e-15);
        assert!((from_strain(found, 3.0, f, n) - K0).abs() < 1e-15);
        assert!((from_shear(found, 3.0, f, n) - K0).abs() < 1e-15);
        // mixsea 0.2.0: `gm_strain_variance(m, [0, 1, 2, 3], N0)[0]`, `aspect_ratio_correction_st(7)`.
        assert!((found[1] / 0.018_025_027_719_307 - 1.0).abs() < 1e-9, "{found:?}");
        assert!((from_strain(found, 7.0, f, n) / K0 / 2.694_301_256_218_253 - 1.0).abs() < 1e-9);
        assert!(from_strain(found, 3.0, f, 0.5 * f).is_nan());
        assert!(variances(&spectrum, [100.0, 90.0], 0.22, n, 1.0).is_none());
    }
}
