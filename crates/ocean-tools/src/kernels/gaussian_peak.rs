//! A Gaussian peak on a constant background, by least squares.
//!
//! # Source
//! The form of Platt, Sathyendranath, Caverhill and Lewis (1988), Deep-Sea Research 35, 855-879, for chlorophyll over
//! depth. Levenberg–Marquardt (Marquardt 1963, J. SIAM 11, 431-441).

use libm::{exp, sqrt};

use super::least_squares;

/// `background + height exp(-(z - centre)² / (2 width²))`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GaussianPeak {
    pub(crate) background: f64,
    pub(crate) height: f64,
    pub(crate) centre: f64,
    pub(crate) width: f64,
}

/// Steps after which a fit that still moves is given up.
const MAX_STEPS: usize = 200;

impl GaussianPeak {
    /// The peak that fits a column without missing values best; `None` with fewer than five values, without a peak, or
    /// when its centre is outside of the column.
    pub(crate) fn fit(z: &[f64], v: &[f64]) -> Option<Self> {
        let (first, last) = (*z.first()?, *z.last()?);
        if z.len() < 5 {
            return None;
        }
        let top = (0..v.len()).fold(0, |best, own| if v[own] > v[best] { own } else { best });
        let low = v.iter().copied().fold(f64::INFINITY, f64::min);
        let mut now =
            Self { background: low, height: v[top] - low, centre: z[top], width: (last - first) / 6.0 };
        if now.height <= 0.0 {
            return None;
        }
        let (mut error, mut damping) = (now.error(z, v), 1e-3);
        for _ in 0..MAX_STEPS {
            let Some(next) = now.step(z, v, damping) else {
                damping *= 10.0;
                continue;
            };
            let next_error = next.error(z, v);
            if next_error.is_nan() || next_error > error {
                damping *= 10.0;
                if damping > 1e12 {
                    break;
                }
                continue;
            }
            let gain = error - next_error;
            (now, damping) = (next, damping * 0.1);
            error = next_error;
            if gain <= 1e-14 * error {
                break;
            }
        }
        let is_inside = (first..=last).contains(&now.centre) && now.height > 0.0;
        is_inside.then_some(Self { width: now.width.abs(), ..now })
    }

    /// The value at the centre.
    pub(crate) fn top(&self) -> f64 {
        self.background + self.height
    }

    fn shape(&self, z: f64) -> f64 {
        let distance = (z - self.centre) / self.width;
        exp(-0.5 * distance * distance)
    }

    fn error(&self, z: &[f64], v: &[f64]) -> f64 {
        let misfit = |(z, v): (&f64, &f64)| {
            let off = v - self.background - self.height * self.shape(*z);
            off * off
        };
        z.iter().zip(v).map(misfit).sum()
    }

    /// One damped step: the least squares of the misfit with a row for each parameter that holds it back.
    fn step(&self, z: &[f64], v: &[f64], damping: f64) -> Option<Self> {
        let shapes: Vec<f64> = z.iter().map(|&z| self.shape(z)).collect();
        let slope = |power: i32| -> Vec<f64> {
            let of = |(z, shape): (&f64, &f64)| {
                self.height * shape * ((z - self.centre) / self.width).powi(power) / self.width
            };
            z.iter().zip(&shapes).map(of).collect()
        };
        let mut columns = vec![vec![1.0; z.len()], shapes.clone(), slope(1), slope(2)];
        let mut misfit: Vec<f64> =
            v.iter().zip(&shapes).map(|(v, shape)| v - self.background - self.height * shape).collect();
        for at in 0..columns.len() {
            let size: f64 = columns[at].iter().map(|value| value * value).sum();
            for (other, column) in columns.iter_mut().enumerate() {
                column.push(if other == at { sqrt(damping * size) } else { 0.0 });
            }
            misfit.push(0.0);
        }
        let change = least_squares::solve(&columns, &misfit)?;
        let next = Self {
            background: self.background + change[0],
            height: self.height + change[1],
            centre: self.centre + change[2],
            width: self.width + change[3],
        };
        (next.width != 0.0).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_comes_back() {
        let exact = GaussianPeak { background: 0.1, height: 0.8, centre: 62.0, width: 17.0 };
        let z: Vec<f64> = (0..20).map(|at| 10.0 * f64::from(at)).collect();
        let v: Vec<f64> = z.iter().map(|&z| exact.background + exact.height * exact.shape(z)).collect();
        let found = GaussianPeak::fit(&z, &v).unwrap();
        for (own, exact) in [
            (found.background, 0.1),
            (found.height, 0.8),
            (found.centre, 62.0),
            (found.width, 17.0),
            (found.top(), 0.9),
        ] {
            assert!((own - exact).abs() < 1e-6 * exact, "{found:?}");
        }
        assert!(GaussianPeak::fit(&z, &[1.0; 20]).is_none() && GaussianPeak::fit(&z[..4], &v[..4]).is_none());
    }

    #[test]
    fn scattered_values_give_what_scipy_gives() {
        // scipy.optimize.curve_fit 1.17.1 on the same nine values.
        let z = [5.0, 15.0, 25.0, 40.0, 55.0, 70.0, 90.0, 120.0, 160.0];
        let v = [0.12, 0.1, 0.2, 0.55, 0.9, 0.7, 0.3, 0.08, 0.11];
        let found = GaussianPeak::fit(&z, &v).unwrap();
        let scipy = [0.095_386_622, 0.796_124_506, 58.554_077_992, 17.457_555_111];
        for (own, peer) in [found.background, found.height, found.centre, found.width].iter().zip(scipy) {
            assert!((own / peer - 1.0).abs() < 1e-5, "{found:?}");
        }
    }
}
