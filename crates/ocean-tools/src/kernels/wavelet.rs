//! Continuous wavelet transform of an even series.
//!
//! # Source
//! Torrence & Compo (1998), Bull. Am. Meteorol. Soc. 79, 61–78: Morlet wavelet with ω₀ = 6, series padded with zeros to the
//! next power of two, significance against red noise (eqs. 16–23). The rectified power is that of Liu, Liang & Weisberg
//! (2007), J. Atmos. Oceanic Technol. 24, 2093–2102: power over scale.

use core::f64::consts::PI;

use libm::{cos, exp, floor, log2, pow, sqrt};
use realfft::RealFftPlanner;
use realfft::num_complex::Complex;

use super::chi_square;

/// Nondimensional frequency of the wavelet.
const OMEGA: f64 = 6.0;
/// Decorrelation factor of the average over time (their table 2).
const GAMMA: f64 = 2.32;

/// Power by period and time. Times and periods are in steps.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wavelet {
    /// Fourier periods.
    pub(crate) period: Vec<f64>,
    /// Scales.
    pub(crate) scale: Vec<f64>,
    /// `|W|²`, `(period, time)`.
    pub(crate) power: Vec<Vec<f64>>,
    /// The longest period that the ends leave alone at each time.
    pub(crate) cone: Vec<f64>,
    /// Mean over time at each period.
    pub(crate) global: Vec<f64>,
}

/// Fourier period over scale.
fn factor() -> f64 {
    4.0 * PI / (OMEGA + sqrt(2.0 + OMEGA * OMEGA))
}

/// Transforms values, none missing, about their mean; scales from 2 steps by powers of `2^dj` up to the length of the
/// series. `None` for fewer than 8 values.
pub(crate) fn transform(values: &[f64], dj: f64) -> Option<Wavelet> {
    let n = values.len();
    if n < 8 || dj.is_nan() || dj <= 0.0 {
        return None;
    }
    let padded = n.next_power_of_two() * if n.is_power_of_two() { 2 } else { 1 };
    let mut planner = RealFftPlanner::<f64>::new();
    let (forward, inverse) = (planner.plan_fft_forward(padded), planner.plan_fft_inverse(padded));
    let mean = values.iter().sum::<f64>() / n as f64;
    let mut input: Vec<f64> = values.iter().map(|value| value - mean).collect();
    input.resize(padded, 0.0);
    let mut spectrum = forward.make_output_vec();
    forward.process(&mut input, &mut spectrum).ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred")]
    let last = floor(log2(n as f64 / 2.0) / dj) as usize;
    let scale: Vec<f64> = (0..=last).map(|at| 2.0 * pow(2.0, at as f64 * dj)).collect();
    let mut power = Vec::with_capacity(scale.len());
    for own in &scale {
        let norm = sqrt(2.0 * PI * own) * pow(PI, -0.25) / padded as f64;
        let daughter = |at: usize| {
            let off = own * 2.0 * PI * at as f64 / padded as f64 - OMEGA;
            norm * exp(-off * off / 2.0)
        };
        // The wavelet has no negative frequencies, and neither the mean nor the Nyquist frequency has a sign: real and
        // imaginary part are two real transforms of half the spectrum.
        let part = |turn: Complex<f64>| -> Option<Vec<f64>> {
            let half = |(at, value): (usize, &Complex<f64>)| {
                if at == 0 || at == padded / 2 {
                    Complex::new(0.0, 0.0)
                } else {
                    value * turn * (0.5 * daughter(at))
                }
            };
            let mut product: Vec<Complex<f64>> = spectrum.iter().enumerate().map(half).collect();
            let mut out = inverse.make_output_vec();
            inverse.process(&mut product, &mut out).ok()?;
            Some(out)
        };
        let (re, im) = (part(Complex::new(1.0, 0.0))?, part(Complex::new(0.0, -1.0))?);
        power.push(re.iter().zip(&im).take(n).map(|(re, im)| re * re + im * im).collect::<Vec<f64>>());
    }
    let cone = (0..n).map(|at| factor() / sqrt(2.0) * (at.min(n - 1 - at)) as f64).collect();
    let global = power.iter().map(|row| row.iter().sum::<f64>() / n as f64).collect();
    Some(Wavelet { period: scale.iter().map(|own| own * factor()).collect(), scale, power, cone, global })
}

impl Wavelet {
    /// The power at each period that red noise of this variance and lag-1 autocorrelation exceeds with probability
    /// `1 − level`: at one time, and on average over all times.
    pub(crate) fn levels(&self, variance: f64, r1: f64, level: f64) -> [Vec<f64>; 2] {
        let n = self.cone.len() as f64;
        let noise = |period: f64| (1.0 - r1 * r1) / (1.0 + r1 * r1 - 2.0 * r1 * cos(2.0 * PI / period));
        let local = chi_square::quantile(level, 2.0) / 2.0;
        let at = |period: &f64| variance * noise(*period) * local;
        let mean = |(period, scale): (&f64, &f64)| {
            let inside = (n - scale).max(1.0);
            let degrees = 2.0 * sqrt(1.0 + pow(inside / (GAMMA * scale), 2.0));
            variance * noise(*period) * chi_square::quantile(level, degrees) / degrees
        };
        [self.period.iter().map(at).collect(), self.period.iter().zip(&self.scale).map(mean).collect()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_power_is_that_of_pycwt() {
        let values: Vec<f64> = (0..50_u32).map(|t| f64::from(t * t * 7 % 23) + 0.1 * f64::from(t)).collect();
        let found = transform(&values, 0.25).unwrap();
        // pycwt 0.5.0b0: cwt(y - mean, 1, 0.25, 2, 18, Morlet(6)), |W|² by period and time.
        for (row, time, peer) in [
            (0, 10, 16.796_471_021_067_063),
            (4, 25, 4.151_090_649_502_304),
            (8, 0, 85.380_827_161_520_67),
            (12, 40, 15.097_488_119_607_506),
            (18, 49, 10.523_330_816_752_477),
        ] {
            let own = found.power[row][time];
            assert!((own - peer).abs() < 1e-7 * peer, "{row} {time} {own} {peer}");
        }
        assert_eq!((found.period.len(), found.power[3].len()), (19, 50));
    }

    #[test]
    fn a_wave_stands_at_its_period_and_over_the_noise() {
        let values: Vec<f64> = (0..256).map(|t| sqrt(2.0) * cos(2.0 * PI * f64::from(t) / 16.0)).collect();
        let found = transform(&values, 0.125).unwrap();
        let best =
            (0..found.global.len()).max_by(|a, b| found.global[*a].total_cmp(&found.global[*b])).unwrap();
        assert!((found.period[best] / 16.0 - 1.0).abs() < 0.09, "{}", found.period[best]);
        let [local, mean] = found.levels(1.0, 0.0, 0.95);
        assert!((local[best] - 2.995_732).abs() < 1e-5 && mean[best] < local[best] && mean[best] > 1.0);
        assert!(found.power[best][128] > local[best]);
        assert!((found.cone[128] - factor() / sqrt(2.0) * 127.0).abs() < 1e-12);
        assert!(transform(&values[..7], 0.125).is_none());
    }
}
