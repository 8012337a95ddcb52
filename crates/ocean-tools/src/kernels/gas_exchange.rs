//! Exchange of carbon dioxide between sea and air.
//!
//! # Source
//! Solubility: Weiss (1974), Marine Chemistry 2, 203–215, table I (volumetric). Schmidt number and transfer velocity:
//! Wanninkhof (2014), Limnol. Oceanogr. Methods 12, 351–362, doi:10.4319/lom.2014.12.351.

use libm::{exp, log, sqrt};

/// Solubility of carbon dioxide, mol L-1 atm-1, in sea water of a temperature in degC and a practical salinity.
pub fn solubility(temperature: f64, salinity: f64) -> f64 {
    let t = (temperature + 273.15) / 100.0;
    let fresh = -58.0931 + 90.5069 / t + 22.2940 * log(t);
    exp(fresh + salinity * (0.027_766 - 0.025_888 * t + 0.005_057_8 * t * t))
}

/// Schmidt number of carbon dioxide in sea water of salinity 35 at a temperature in degC (-2 to 40).
pub fn schmidt(t: f64) -> f64 {
    2116.8 + t * (-136.25 + t * (4.7353 + t * (-0.092_307 + t * 0.000_755_5)))
}

/// Transfer velocity, cm h-1, of the mean square of the wind at 10 m in m2 s-2: `coefficient <U²> (Sc/660)^-½`.
pub fn transfer_velocity(mean_square_wind: f64, temperature: f64, coefficient: f64) -> f64 {
    coefficient * mean_square_wind / sqrt(schmidt(temperature) / 660.0)
}

/// Flux out of the sea, mol m-2 a-1 (years of 365.25 days), of a transfer velocity in cm h-1, a solubility in
/// mol L-1 atm-1 and the partial pressures of sea and air in µatm.
pub fn flux(velocity: f64, solubility: f64, sea: f64, air: f64) -> f64 {
    let metres_a_year = velocity * 0.01 * 24.0 * 365.25;
    metres_a_year * (solubility * 1000.0) * (sea - air) * 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_the_peer_and_the_units_chain_closes() {
        // pyseaflux 2.2.1: solubility_weiss1974 times (1 - pH2O), which it divides by; schmidt_number; k_Wa14.
        for (t, s, wind, k0, sc, k) in [
            (20.0, 35.0, 49.0, 0.033_215_231_538_459_49, 668.344, 12.221_984_890_871_184),
            (5.0, 34.0, 100.0, 0.053_856_571_651_470_06, 1_542.866_312_5, 16.416_536_664_169_36),
            (28.0, 36.0, 25.0, 0.026_854_795_332_444_47, 452.324_544, 7.579_850_167_119_251),
        ] {
            assert!((solubility(t, s) / k0 - 1.0).abs() < 1e-12);
            assert!((schmidt(t) / sc - 1.0).abs() < 1e-12);
            assert!((transfer_velocity(wind, t, 0.251) / k - 1.0).abs() < 1e-12);
        }
        // 10 cm h-1 are 876.6 m a-1; 0.03 mol L-1 atm-1 at 50 µatm are 1.5e-3 mol m-3.
        assert!((flux(10.0, 0.03, 400.0, 350.0) - 876.6 * 1.5e-3).abs() < 1e-12);
        assert!(flux(10.0, 0.03, 350.0, 400.0) < 0.0, "the sea takes up");
    }
}
