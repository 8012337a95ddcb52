//! [`Dice`]: numbers that look random and depend on a seed only.

/// A stream of numbers, each told by its place (`SplitMix64`, Steele et al. 2014). It is for faults and for spreading
/// retries, not for secrets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dice {
    seed: u64,
}

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The `n`-th 64 bits.
    pub(crate) const fn bits(self, n: u64) -> u64 {
        let mut z = self.seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The `n`-th number from 0 to below 1.
    pub(crate) fn unit(self, n: u64) -> f64 {
        // 53 bits are what an `f64` holds.
        (self.bits(n) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_reference() {
        // https://prng.di.unimi.it/splitmix64.c with the state 0.
        assert_eq!(Dice::new(0).bits(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(Dice::new(0).bits(1), 0x6e78_9e6a_a1b9_65f4);
    }
}
