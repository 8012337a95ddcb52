//! Oxygen at equilibrium with the air.

use super::ZERO_CELSIUS;

/// Solubility of oxygen, umol kg-1, from practical salinity and potential temperature at one atmosphere of moist air.
///
/// # Source
/// Garcia and Gordon (1992), Limnology and Oceanography 37, 1307-1312, with the coefficients fitted to Benson and Krause.
pub fn solubility(sp: f64, pt: f64) -> f64 {
    const A: [f64; 6] = [5.808_71, 3.202_91, 4.178_87, 5.100_06, -9.866_43e-2, 3.803_69];
    const B: [f64; 4] = [-7.015_77e-3, -7.700_28e-3, -1.138_64e-2, -9.515_19e-3];
    const C: f64 = -2.759_15e-7;
    // The fit is in temperatures of the scale of 1968.
    let pt68 = pt * 1.000_24;
    let y = libm::log((298.15 - pt68) / (ZERO_CELSIUS + pt68));
    let polynomial = |c: &[f64]| c.iter().rev().fold(0.0, |sum, c| sum * y + c);
    libm::exp(polynomial(&A) + sp * (polynomial(&B) + C * sp))
}

#[cfg(test)]
mod tests {
    use super::solubility;

    #[test]
    fn garcia_and_gordon_give_their_check_value() {
        // Table 1 of the paper: 10 degC and 35 on the scale of 1968 give 274.610 umol kg-1.
        assert!((solubility(35.0, 10.0 / 1.000_24) - 274.610).abs() < 1e-3);
    }
}
