//! Random numbers that a seed fixes, the same on every machine.
//!
//! # Source
//! `SplitMix64` of Steele, Lea & Flood (2014), "Fast splittable pseudorandom number generators", OOPSLA.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// All 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to below 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A position below `n`; 0 when `n` is 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below n")]
        let at = (self.uniform() * n as f64) as usize;
        at.min(n.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_stream_is_that_of_the_reference_code() {
        // First values of the seed 1234567 in the reference implementation of SplitMix64 (Vigna, splitmix64.c).
        let mut random = Random::new(1_234_567);
        assert_eq!(
            [random.bits(), random.bits(), random.bits()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
        let mean: f64 = (0..10_000).map(|_| random.uniform()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.01);
        assert!((0..1_000).all(|_| random.below(7) < 7) && random.below(0) == 0);
    }
}
