//! Normal deviates that are the same on every machine.
//!
//! # Source
//! `SplitMix64` of Steele, Lea and Flood (2014), doi:10.1145/2714064.2660195; Box and Muller (1958), Ann. Math. Stat. 29,
//! 610–611.

/// A stream of normal deviates.
#[derive(Debug, Clone)]
pub struct Normal {
    state: u64,
}

impl Normal {
    /// The stream of a seed and a number, such as that of a particle.
    pub fn of(seed: u64, number: u64) -> Self {
        let mut own = Self { state: seed };
        // The number enters mixed, so that neighbouring streams are no shifted copies.
        own.state = own.bits() ^ Self { state: number }.bits();
        own
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Above 0, up to 1.
    fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 1.0) / 9_007_199_254_740_992.0
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
        // The first output of SplitMix64 from 0, in the reference implementation of Vigna.
        assert_eq!(Normal { state: 0 }.bits(), 0xE220_A839_7B1D_CDAF);
        let mut normal = Normal::of(7, 3);
        let all: Vec<f64> = (0..20_000).flat_map(|_| normal.pair()).collect();
        let mean = all.iter().sum::<f64>() / 40_000.0;
        let variance = all.iter().map(|value| value * value).sum::<f64>() / 40_000.0;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
        assert_ne!(Normal::of(7, 3).pair()[0].to_bits(), Normal::of(7, 4).pair()[0].to_bits());
        assert_eq!(Normal::of(7, 3).pair()[0].to_bits(), all[0].to_bits());
    }
}
