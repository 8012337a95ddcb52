//! Light in the water by its chlorophyll.
//!
//! # Source
//! Morel, Huot, Gentili, Werdell, Hooker and Franz (2007), Remote Sensing of Environment 111, 69-88: equations 8, 9, 9'
//! and 10. Chlorophyll in mg m-3, attenuation in m-1.

use libm::{log10, pow};

/// Depth of 1 % of the light at the surface, m; NaN for chlorophyll that is not positive.
pub(crate) fn euphotic_depth(chlorophyll: f64) -> f64 {
    if chlorophyll.is_nan() || chlorophyll <= 0.0 {
        return f64::NAN;
    }
    let x = log10(chlorophyll);
    pow(10.0, 1.524 + x * (-0.436 + x * (-0.0145 + x * 0.0186)))
}

/// Attenuation of downward irradiance at 490 nm; NaN for chlorophyll that is not positive.
pub(crate) fn kd_490(chlorophyll: f64) -> f64 {
    if chlorophyll.is_nan() || chlorophyll <= 0.0 {
        return f64::NAN;
    }
    0.0166 + 0.0773 * pow(chlorophyll, 0.6715)
}

/// Mean attenuation of photosynthetically available radiation over one optical depth at 490 nm.
pub(crate) fn kd_par_one(kd_490: f64) -> f64 {
    0.0864 + 0.884 * kd_490 - 0.001_37 / kd_490
}

/// The same over two optical depths.
pub(crate) fn kd_par_two(kd_490: f64) -> f64 {
    0.0665 + 0.874 * kd_490 - 0.001_21 / kd_490
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_milligram_gives_the_constants() {
        // At 1 mg m-3 the logarithm is 0.
        assert!((euphotic_depth(1.0) - pow(10.0, 1.524)).abs() < 1e-12);
        assert!((kd_490(1.0) - 0.0939).abs() < 1e-15);
        // By hand with numpy: 0.0665 + 0.874 * 0.0939 - 0.00121 / 0.0939.
        assert!((kd_par_two(0.0939) - 0.135_682_551_011_714_6).abs() < 1e-12);
        assert!((kd_par_one(0.0939) - 0.154_817_610_649_627_3).abs() < 1e-12);
        assert!(euphotic_depth(0.0).is_nan() && kd_490(-1.0).is_nan());
        // The same polynomial with numpy.
        assert!((euphotic_depth(0.03) - 122.646_697_024_277_57).abs() < 1e-10);
        assert!((euphotic_depth(10.0) - 12.362_320_536_249_6).abs() < 1e-11);
    }
}
