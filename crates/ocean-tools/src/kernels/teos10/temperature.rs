//! In-situ, potential and Conservative Temperature.

use super::gibbs::{entropy, gibbs};
use super::{CP0, ZERO_CELSIUS};

/// Newton steps; three reach the last digit from any start in the ocean.
const STEPS: usize = 8;

/// A change that does not matter, K.
const SMALL: f64 = 1e-13;

/// Potential temperature with reference pressure `p_ref`: the temperature of equal entropy there.
pub fn pt_from_t(sa: f64, t: f64, p: f64, p_ref: f64) -> f64 {
    if !valid(sa, t, p) || p_ref.is_nan() {
        return f64::NAN;
    }
    let target = entropy(sa, t, p);
    let mut pt = t;
    for _ in 0..STEPS {
        let change = (entropy(sa, pt, p_ref) - target) / gibbs(2, sa, pt, p_ref);
        // The derivative of entropy is minus the second derivative of the Gibbs energy.
        pt += change;
        if change.abs() < SMALL {
            break;
        }
    }
    pt
}

/// Potential temperature with reference pressure 0.
pub fn pt0_from_t(sa: f64, t: f64, p: f64) -> f64 {
    pt_from_t(sa, t, p, 0.0)
}

/// In-situ temperature from potential temperature with reference pressure 0.
pub fn t_from_pt0(sa: f64, pt0: f64, p: f64) -> f64 {
    pt_from_t(sa, pt0, 0.0, p)
}

/// Conservative Temperature from potential temperature with reference pressure 0.
pub fn ct_from_pt(sa: f64, pt: f64) -> f64 {
    if valid(sa, pt, 0.0) { gsw::conversions::ct_from_pt(sa, pt).unwrap_or(f64::NAN) } else { f64::NAN }
}

/// Conservative Temperature from in-situ temperature.
pub fn ct_from_t(sa: f64, t: f64, p: f64) -> f64 {
    ct_from_pt(sa, pt0_from_t(sa, t, p))
}

/// Potential temperature with reference pressure 0 from Conservative Temperature.
pub fn pt_from_ct(sa: f64, ct: f64) -> f64 {
    if !valid(sa, ct, 0.0) {
        return f64::NAN;
    }
    let mut pt = ct;
    for _ in 0..STEPS {
        let change = (ct_from_pt(sa, pt) - ct) * CP0 / isobaric_heat_capacity(sa, pt, 0.0);
        pt -= change;
        if change.abs() < SMALL {
            break;
        }
    }
    pt
}

/// In-situ temperature from Conservative Temperature.
pub fn t_from_ct(sa: f64, ct: f64, p: f64) -> f64 {
    t_from_pt0(sa, pt_from_ct(sa, ct), p)
}

/// Isobaric heat capacity from in-situ temperature, J kg-1 K-1.
pub fn isobaric_heat_capacity(sa: f64, t: f64, p: f64) -> f64 {
    if valid(sa, t, p) { -(ZERO_CELSIUS + t) * gibbs(2, sa, t, p) } else { f64::NAN }
}

/// Where the polynomials mean something: well beyond the ocean, so that fill values do not pass for water.
fn valid(sa: f64, t: f64, p: f64) -> bool {
    (0.0..=120.0).contains(&sa) && (-12.0..=80.0).contains(&t) && (-5.0..=12_000.0).contains(&p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_temperatures_come_back() {
        for (sa, t, p) in [(35.0, 10.0, 0.0), (34.7, 1.5, 4000.0), (0.0, 20.0, 10.0), (38.9, 28.0, 300.0)] {
            let ct = ct_from_t(sa, t, p);
            assert!((t_from_ct(sa, ct, p) - t).abs() < 1e-11, "{sa} {t} {p}");
            assert!((pt_from_ct(sa, ct) - pt0_from_t(sa, t, p)).abs() < 1e-11);
        }
        assert!((pt0_from_t(35.0, 10.0, 0.0) - 10.0).abs() < 1e-13);
    }

    #[test]
    fn a_fill_value_is_missing() {
        for value in [f64::NAN, -1e10, 9.97e36] {
            assert!(ct_from_t(35.0, value, 0.0).is_nan());
            assert!(pt_from_ct(value, 10.0).is_nan());
        }
    }
}
