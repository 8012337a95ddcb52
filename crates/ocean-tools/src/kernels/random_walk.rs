//! Normal deviates that are the same on every machine.
//!
//! # Source
//! Box and Muller (1958), Ann. Math. Stat. 29, 610–611.

use super::random::Random;

/// A stream of normal deviates.
#[derive(Debug, Clone)]
pub struct Normal(Random);

impl Normal {
    /// The stream of a seed and a number, such as that of a particle.
    pub fn of(seed: u64, number: u64) -> Self {
        // The number enters mixed, so that neighbouring streams are no shifted copies.
        Self(Random::new(Random::new(seed).bits() ^ Random::new(number).bits()))
    }

    /// Above 0, up to 1.
    fn uniform(&mut self) -> f64 {
        self.0.uniform() + f64::EPSILON / 2.0
    }

    /// Two independent deviates of mean 0 and variance 1.
    pub fn pair(&mut self) -> [f64; 2] {
        let (radius, angle) =
            (libm::sqrt(-2.0 * libm::log(self.uniform())), std::f64::consts::TAU * self.uniform());
        [radius * libm::cos(angle), radius * libm::sin(angle)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviates_have_their_moments_and_streams_differ() {
        let mut normal = Normal::of(7, 3);
        let all: Vec<f64> = (0..20_000).flat_map(|_| normal.pair()).collect();
        let mean = all.iter().sum::<f64>() / 40_000.0;
        let variance = all.iter().map(|value| value * value).sum::<f64>() / 40_000.0;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
        assert_ne!(Normal::of(7, 3).pair()[0].to_bits(), Normal::of(7, 4).pair()[0].to_bits());
        assert_eq!(Normal::of(7, 3).pair()[0].to_bits(), all[0].to_bits());
    }
}
