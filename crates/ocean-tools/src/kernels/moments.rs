//! Running count, mean and spread that merge in any grouping.
//!
//! # Source
//! Chan, Golub and `LeVeque` (1983), "Algorithms for Computing the Sample Variance", *The American Statistician* 37.

/// Count, mean and sum of squared departures of the values seen so far.
///
/// ```
/// use ocean_tools::kernels::moments::Moments;
///
/// let mut a = Moments::default();
/// [1.0, 2.0].iter().for_each(|&value| a.push(value));
/// let mut b = Moments::default();
/// b.push(6.0);
/// a.merge(&b);
/// assert_eq!((a.n(), a.mean()), (3, 3.0));
/// assert!((a.std() - 7.0_f64.sqrt()).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moments {
    n: u64,
    mean: f64,
    m2: f64,
}

impl Moments {
    /// Adds a value; a missing one does not count.
    pub fn push(&mut self, value: f64) {
        if value.is_nan() {
            return;
        }
        self.n += 1;
        let delta = value - self.mean;
        self.mean += delta / self.n as f64;
        self.m2 += delta * (value - self.mean);
    }

    /// Adds what another has seen.
    pub fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        let n = self.n + other.n;
        let delta = other.mean - self.mean;
        self.mean += delta * (other.n as f64 / n as f64);
        self.m2 += other.m2 + delta * delta * (self.n as f64 * other.n as f64 / n as f64);
        self.n = n;
    }

    /// How many values.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Their mean; NaN for none.
    pub fn mean(&self) -> f64 {
        if self.n == 0 { f64::NAN } else { self.mean }
    }

    /// Their standard deviation with `n − 1`; NaN for fewer than two.
    pub fn std(&self) -> f64 {
        if self.n < 2 { f64::NAN } else { libm::sqrt((self.m2 / (self.n - 1) as f64).max(0.0)) }
    }
}
