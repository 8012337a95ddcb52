//! Power and cross spectra of even series.
//!
//! # Source
//! Welch (1967), IEEE Trans. Audio Electroacoust. 15, 70–73; density scaled so that its integral over frequency is the
//! variance, as `scipy.signal.welch`. Red noise: Gilman et al. (1963), J. Atmos. Sci. 20, 182–184.

use core::f64::consts::PI;

use libm::{atan2, cos};
use realfft::RealFftPlanner;

/// A taper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taper {
    /// None.
    Boxcar,
    /// The periodic Hann window.
    Hann,
}

impl Taper {
    pub(crate) fn weights(self, n: usize) -> Vec<f64> {
        (0..n)
            .map(|at| match self {
                Self::Boxcar => 1.0,
                Self::Hann => 0.5 - 0.5 * cos(2.0 * PI * at as f64 / n as f64),
            })
            .collect()
    }
}

/// What is taken out of each segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detrend {
    /// Nothing.
    None,
    /// Its mean.
    Constant,
    /// Its least-squares line.
    Linear,
}

/// How a series is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segments {
    pub(crate) length: usize,
    pub(crate) overlap: usize,
    pub(crate) taper: Taper,
    pub(crate) detrend: Detrend,
}

/// Spectra of two series; of one series when both are the same.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spectra {
    /// Cycles a sample.
    pub(crate) frequency: Vec<f64>,
    /// Density of the first, per cycle a sample.
    pub(crate) xx: Vec<f64>,
    /// Of the second.
    pub(crate) yy: Vec<f64>,
    /// Cross spectrum, real and imaginary: the conjugate of the first times the second.
    pub(crate) xy: Vec<(f64, f64)>,
    /// Segments averaged.
    pub(crate) segments: usize,
}

impl Spectra {
    /// Squared coherence.
    pub(crate) fn coherence(&self) -> Vec<f64> {
        let power = self.xy.iter().map(|(re, im)| re * re + im * im);
        power.zip(self.xx.iter().zip(&self.yy)).map(|(power, (xx, yy))| power / (xx * yy)).collect()
    }

    /// Phase of the cross spectrum in radians: positive where the second series leads.
    pub(crate) fn phase(&self) -> Vec<f64> {
        self.xy.iter().map(|(re, im)| atan2(*im, *re)).collect()
    }
}

/// The values of a segment without mean or line.
pub(crate) fn detrended(values: &[f64], how: Detrend) -> Vec<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let middle = (n - 1.0) / 2.0;
    let slope = if how == Detrend::Linear && values.len() > 1 {
        let products: f64 =
            values.iter().enumerate().map(|(at, value)| (at as f64 - middle) * (value - mean)).sum();
        products / (n * (n * n - 1.0) / 12.0)
    } else {
        0.0
    };
    let off = |at: usize| if how == Detrend::None { 0.0 } else { mean + slope * (at as f64 - middle) };
    values.iter().enumerate().map(|(at, value)| value - off(at)).collect()
}

/// Averages the spectra of the segments of two series of one length, with every value present. `None` when the segments
/// are longer than the series, shorter than 2, or overlap wholly.
pub(crate) fn welch(x: &[f64], y: &[f64], how: Segments) -> Option<Spectra> {
    let Segments { length, overlap, taper, detrend } = how;
    if length < 2 || length > x.len() || overlap >= length {
        return None;
    }
    let weights = taper.weights(length);
    let scale = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
    let transform = RealFftPlanner::<f64>::new().plan_fft_forward(length);
    let bins = length / 2 + 1;
    let (mut xx, mut yy, mut xy) = (vec![0.0; bins], vec![0.0; bins], vec![(0.0, 0.0); bins]);
    let mut segments = 0;
    let spectrum = |values: &[f64]| {
        let mut input: Vec<f64> =
            detrended(values, detrend).iter().zip(&weights).map(|(value, weight)| value * weight).collect();
        let mut output = transform.make_output_vec();
        transform.process(&mut input, &mut output).ok()?;
        Some(output)
    };
    for from in (0..=x.len() - length).step_by(length - overlap) {
        let (a, b) = (spectrum(&x[from..from + length])?, spectrum(&y[from..from + length])?);
        for at in 0..bins {
            xx[at] += a[at].re * a[at].re + a[at].im * a[at].im;
            yy[at] += b[at].re * b[at].re + b[at].im * b[at].im;
            xy[at].0 += a[at].re * b[at].re + a[at].im * b[at].im;
            xy[at].1 += a[at].re * b[at].im - a[at].im * b[at].re;
        }
        segments += 1;
    }
    let count = f64::from(segments);
    let factor = |at: usize| {
        let single = at == 0 || (length % 2 == 0 && at == bins - 1);
        scale / count * if single { 1.0 } else { 2.0 }
    };
    for at in 0..bins {
        xx[at] *= factor(at);
        yy[at] *= factor(at);
        xy[at] = (xy[at].0 * factor(at), xy[at].1 * factor(at));
    }
    let frequency = (0..bins).map(|at| at as f64 / length as f64).collect();
    Some(Spectra { frequency, xx, yy, xy, segments: usize::try_from(segments).unwrap_or(0) })
}

/// Density of red noise with this lag-1 autocorrelation whose integral over the frequencies is `total`.
pub(crate) fn red_noise(frequency: &[f64], r1: f64, total: f64) -> Vec<f64> {
    let shape: Vec<f64> =
        frequency.iter().map(|f| (1.0 - r1 * r1) / (1.0 + r1 * r1 - 2.0 * r1 * cos(2.0 * PI * f))).collect();
    let width = frequency.get(1).copied().unwrap_or(1.0);
    let sum: f64 = shape.iter().skip(1).sum::<f64>() * width;
    shape.into_iter().map(|value| value * total / sum).collect()
}

#[cfg(test)]
mod tests {
    use libm::sin;

    use super::*;

    #[test]
    fn the_integral_is_the_variance_and_a_wave_has_its_peak() {
        let wave: Vec<f64> = (0..240).map(|t| 2.0 * sin(2.0 * PI * f64::from(t) / 12.0)).collect();
        let how = Segments { length: 240, overlap: 0, taper: Taper::Boxcar, detrend: Detrend::Constant };
        let spectra = welch(&wave, &wave, how).unwrap();
        let total: f64 = spectra.xx.iter().sum::<f64>() / 240.0;
        assert!((total - 2.0).abs() < 1e-9);
        let peak = (0..spectra.xx.len()).max_by(|a, b| spectra.xx[*a].total_cmp(&spectra.xx[*b])).unwrap();
        assert!((spectra.frequency[peak] - 1.0 / 12.0).abs() < 1e-12);
        let red = red_noise(&spectra.frequency, 0.7, 2.0);
        assert!((red.iter().skip(1).sum::<f64>() / 240.0 - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_shifted_wave_is_coherent_with_its_phase() {
        let wave = |shift: f64| -> Vec<f64> {
            (0..480)
                .map(|t| sin(2.0 * PI * (f64::from(t) - shift) / 12.0) + 0.01 * sin(f64::from(t * t)))
                .collect()
        };
        let how = Segments { length: 120, overlap: 60, taper: Taper::Hann, detrend: Detrend::Constant };
        let spectra = welch(&wave(0.0), &wave(3.0), how).unwrap();
        assert!(spectra.coherence()[10] > 0.99);
        // The second lags by a quarter.
        assert!((spectra.phase()[10] + PI / 2.0).abs() < 0.05);
        assert_eq!(spectra.segments, 7);
        assert!(welch(&[1.0], &[1.0], how).is_none());
    }
}
