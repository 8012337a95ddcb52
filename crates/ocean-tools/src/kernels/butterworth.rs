//! Butterworth filters in second-order sections, run forward and backward.
//!
//! # Source
//! Butterworth (1930), Exp. Wireless 7, 536–541; bilinear transform with warped edges and the steady initial state of
//! Gustafsson (1996), IEEE Trans. Signal Process. 44, 988–992. Ends are extended by odd reflection of three times the
//! number of taps, so that the result agrees with `scipy.signal.sosfiltfilt`.

use core::f64::consts::PI;

use libm::{cos, sin, sqrt, tan};

/// The part of the spectrum that passes; edges in cycles a sample, below 0.5.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Band {
    /// Below the edge.
    Low(f64),
    /// Above the edge.
    High(f64),
    /// Between both.
    Pass(f64, f64),
}

/// A complex number.
#[derive(Debug, Clone, Copy)]
struct Complex(f64, f64);

impl Complex {
    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }

    fn over(self, other: Self) -> Self {
        let size = other.0 * other.0 + other.1 * other.1;
        Self((self.0 * other.0 + self.1 * other.1) / size, (self.1 * other.0 - self.0 * other.1) / size)
    }

    fn scaled(self, by: f64) -> Self {
        Self(self.0 * by, self.1 * by)
    }

    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }

    fn root(self) -> Self {
        let size = sqrt(self.0 * self.0 + self.1 * self.1);
        let real = sqrt(f64::midpoint(size, self.0).max(0.0));
        let imaginary = sqrt(((size - self.0) / 2.0).max(0.0));
        Self(real, if self.1 < 0.0 { -imaginary } else { imaginary })
    }
}

/// One section: `b0 b1 b2` over `1 a1 a2`.
#[derive(Debug, Clone, Copy)]
struct Section {
    b: [f64; 3],
    a: [f64; 2],
}

/// A designed filter.
#[derive(Debug, Clone)]
pub(crate) struct Butterworth {
    sections: Vec<Section>,
}

impl Butterworth {
    /// Designs a filter of this order (from 1), as `scipy.signal.butter` does; `None` for edges outside 0 to 0.5.
    pub(crate) fn design(order: usize, band: Band) -> Option<Self> {
        let inside = |edge: f64| edge > 0.0 && edge < 0.5;
        let usable = match band {
            Band::Low(edge) | Band::High(edge) => inside(edge),
            Band::Pass(low, high) => inside(low) && inside(high) && low < high,
        };
        if !usable || order == 0 {
            return None;
        }
        // Twice the sampling frequency of 2 that the warping takes.
        let warp = |edge: f64| 4.0 * tan(PI * edge);
        let prototype = (0..order).map(|k| {
            let angle = PI * (2.0 * k as f64 + 1.0 - order as f64) / (2.0 * order as f64);
            Complex(-cos(angle), -sin(angle))
        });
        let analog: Vec<Complex> = match band {
            Band::Low(edge) => prototype.map(|pole| pole.scaled(warp(edge))).collect(),
            Band::High(edge) => prototype.map(|pole| Complex(warp(edge), 0.0).over(pole)).collect(),
            Band::Pass(low, high) => {
                let (low, high) = (warp(low), warp(high));
                prototype
                    .flat_map(|pole| {
                        let half = pole.scaled((high - low) / 2.0);
                        let root = half.times(half).plus(Complex(-low * high, 0.0)).root();
                        [half.plus(root), half.plus(root.scaled(-1.0))]
                    })
                    .collect()
            }
        };
        let poles =
            analog.into_iter().map(|pole| Complex(4.0, 0.0).plus(pole).over(Complex(4.0 - pole.0, -pole.1)));
        Some(Self { sections: sections(poles.collect(), band) })
    }

    /// Forward and backward over values that are all present; `None` when there are no more of them than the ends need.
    pub(crate) fn both_ways(&self, values: &[f64]) -> Option<Vec<f64>> {
        let first_order =
            self.sections.iter().filter(|section| section.a[1].abs() < f64::MIN_POSITIVE).count();
        let pad = 3 * (2 * self.sections.len() + 1 - first_order);
        let n = values.len();
        if n <= pad {
            return None;
        }
        let (first, last) = (values[0], values[n - 1]);
        let before = (1..=pad).rev().map(|at| 2.0 * first - values[at]);
        let after = (1..=pad).map(|at| 2.0 * last - values[n - 1 - at]);
        let mut signal: Vec<f64> = before.chain(values.iter().copied()).chain(after).collect();
        for _ in 0..2 {
            self.run(&mut signal);
            signal.reverse();
        }
        Some(signal[pad..pad + n].to_vec())
    }

    /// One way, from the state in which the first value had always been there.
    fn run(&self, signal: &mut [f64]) {
        let mut level = signal.first().copied().unwrap_or(0.0);
        for Section { b, a } in &self.sections {
            let gain = (b[0] + b[1] + b[2]) / (1.0 + a[0] + a[1]);
            let mut late = level * (b[2] - a[1] * gain);
            let mut soon = level * (b[1] - a[0] * gain) + late;
            for value in signal.iter_mut() {
                let input = *value;
                let output = b[0] * input + soon;
                soon = b[1] * input - a[0] * output + late;
                late = b[2] * input - a[1] * output;
                *value = output;
            }
            level *= gain;
        }
    }
}

/// Pairs the poles and gives each pair its zeros; the whole passes its reference frequency unchanged.
fn sections(poles: Vec<Complex>, band: Band) -> Vec<Section> {
    const REAL: f64 = 1e-12;
    let (mut pairs, mut real) = (Vec::new(), Vec::new());
    for pole in poles {
        if pole.1 > REAL {
            pairs.push([-2.0 * pole.0, pole.0 * pole.0 + pole.1 * pole.1]);
        } else if pole.1.abs() <= REAL {
            real.push(pole.0);
        }
    }
    pairs.extend(real.chunks_exact(2).map(|two| [-(two[0] + two[1]), two[0] * two[1]]));
    let zeros = match band {
        Band::Low(_) => [1.0, 2.0, 1.0],
        Band::High(_) => [1.0, -2.0, 1.0],
        Band::Pass(..) => [1.0, 0.0, -1.0],
    };
    let mut sections: Vec<Section> = pairs.into_iter().map(|a| Section { b: zeros, a }).collect();
    if let [single] = *real.chunks_exact(2).remainder() {
        let zero = if matches!(band, Band::High(_)) { -1.0 } else { 1.0 };
        sections.push(Section { b: [1.0, zero, 0.0], a: [-single, 0.0] });
    }
    let reference = match band {
        Band::Low(_) => Complex(1.0, 0.0),
        Band::High(_) => Complex(-1.0, 0.0),
        Band::Pass(low, high) => {
            let middle = Complex(0.0, 4.0 * sqrt(tan(PI * low) * tan(PI * high)));
            Complex(4.0, 0.0).plus(middle).over(Complex(4.0 - middle.0, -middle.1))
        }
    };
    for section in &mut sections {
        let inverse = Complex(1.0, 0.0).over(reference);
        let at = |c: [f64; 3]| {
            Complex(c[0], 0.0).plus(inverse.scaled(c[1])).plus(inverse.times(inverse).scaled(c[2]))
        };
        let response = at(section.b).over(at([1.0, section.a[0], section.a[1]]));
        let size = sqrt(response.0 * response.0 + response.1 * response.1);
        section.b = section.b.map(|b| b / size);
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_passes_low_and_not_high() {
        let constant = vec![3.0; 60];
        for order in 1..=5 {
            let low = Butterworth::design(order, Band::Low(0.1)).unwrap().both_ways(&constant).unwrap();
            assert!(low.iter().all(|value| (value - 3.0).abs() < 1e-9), "{order}");
            let high = Butterworth::design(order, Band::High(0.1)).unwrap().both_ways(&constant).unwrap();
            assert!(high.iter().all(|value| value.abs() < 1e-9), "{order}");
        }
    }

    #[test]
    fn the_edge_has_half_the_amplitude_after_both_ways() {
        let wave = |f: f64| (0..2000).map(|t| sin(2.0 * PI * f * f64::from(t))).collect::<Vec<f64>>();
        let largest = |band: Band, f: f64| {
            let filtered = Butterworth::design(3, band).unwrap().both_ways(&wave(f)).unwrap();
            filtered[500..1500].iter().fold(0.0_f64, |best, value| best.max(value.abs()))
        };
        assert!((largest(Band::Low(0.05), 0.05) - 0.5).abs() < 0.01);
        assert!((largest(Band::High(0.05), 0.05) - 0.5).abs() < 0.01);
        assert!((largest(Band::Pass(0.04, 0.09), 0.06) - 1.0).abs() < 0.01);
        assert!(largest(Band::Pass(0.04, 0.09), 0.01) < 0.01);
    }

    #[test]
    fn edges_outside_and_short_series_are_refused() {
        assert!(Butterworth::design(4, Band::Low(0.5)).is_none());
        assert!(Butterworth::design(4, Band::Pass(0.2, 0.1)).is_none());
        assert!(Butterworth::design(4, Band::Low(0.1)).unwrap().both_ways(&[1.0; 15]).is_none());
    }
}
