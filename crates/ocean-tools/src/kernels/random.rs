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
    fn bits(&mut self) -> u64 {
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
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_stream_is_that_of_the_reference_code() {
        // First values of the seed 1234567 in the reference implementation of SplitMix64 (Vigna, splitmix64.c).
        let mut random = Random::new(1_234_567);
        assert_eq!([random.bits(), random.bits()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
        let mean: f64 = (0..10_000).map(|_| random.uniform()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.01);
    }
}
