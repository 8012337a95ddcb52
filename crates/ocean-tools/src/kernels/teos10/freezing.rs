//! The freezing temperature: where ice and sea water have one chemical potential of water.
//!
//! # Source
//! IOC, SCOR and IAPSO (2010), equation 3.33.2; ice by IAPWS-06 (Feistel and Wagner 2006).

use super::gibbs::potential_of_water;
use super::temperature::ct_from_t;
use super::{STANDARD_SALINITY, ZERO_CELSIUS};

/// Temperature (K) and pressure (Pa) of the triple point.
const TRIPLE: [f64; 2] = [273.16, 611.657];

/// Residual entropy of ice, J kg-1 K-1.
const ENTROPY: f64 = -3_327.337_564_921_68;

/// Polynomial of the Gibbs energy of ice in pressure, J kg-1.
const G0: [f64; 5] = [
    -632_020.233_335_886,
    0.655_022_213_658_955,
    -1.893_699_293_261_31e-8,
    3.397_461_232_710_530_4e-15,
    -5.564_648_690_589_909e-22,
];
const T1: Complex = Complex(3.680_171_128_550_51e-2, 5.108_781_149_595_72e-2);
const T2: Complex = Complex(0.337_315_741_065_416, 0.335_449_415_919_309);
const R1: Complex = Complex(44.705_071_628_538_8, 65.687_684_746_348_1);
const R2: [Complex; 3] = [
    Complex(-72.597_457_432_922, -78.100_842_711_287),
    Complex(-5.571_076_980_301_23e-5, 4.645_786_345_808_06e-5),
    Complex(2.348_014_092_159_13e-11, -2.856_511_429_049_72e-11),
];

/// In-situ freezing temperature. `saturation` is the share of dissolved air, 0 to 1.
pub fn t_freezing(sa: f64, p: f64, saturation: f64) -> f64 {
    if !(0.0..=120.0).contains(&sa) || !(-5.0..=12_000.0).contains(&p) {
        return f64::NAN;
    }
    let mut t = -0.0575 * sa - 7.5e-4 * p;
    for _ in 0..12 {
        let difference = potential_of_water(0, sa, t, p) - gibbs_ice(0, t, p);
        let slope = potential_of_water(1, sa, t, p) - gibbs_ice(1, t, p);
        let change = difference / slope;
        t -= change;
        if change.abs() < 1e-13 {
            break;
        }
    }
    t - saturation * 1e-3 * (2.4 - sa / (2.0 * STANDARD_SALINITY))
}

/// Conservative Temperature of freezing.
pub fn ct_freezing(sa: f64, p: f64, saturation: f64) -> f64 {
    ct_from_t(sa, t_freezing(sa, p, saturation), p)
}

/// The Gibbs energy of ice (order 0, J kg-1) or its derivative in temperature (order 1, J kg-1 K-1).
fn gibbs_ice(order: u8, t: f64, p: f64) -> f64 {
    let tau = (ZERO_CELSIUS + t) / TRIPLE[0];
    let pi = 1e4 * p / TRIPLE[1];
    let r2 = R2[0].plus(R2[1].times(pi)).plus(R2[2].times(pi * pi));
    if order == 1 {
        let part = |t: Complex| {
            let ratio = Complex(tau, 0.0).over(t);
            ln_ratio(ratio).plus(ratio.times(-2.0))
        };
        return -ENTROPY + (R1.by(part(T1)).plus(r2.by(part(T2)))).0;
    }
    let part = |t: Complex| {
        let ratio = Complex(tau, 0.0).over(t);
        let square = ratio.by(ratio);
        let rest = Complex(1.0, 0.0).plus(square.times(-1.0)).ln().plus(square.times(-1.0));
        ln_ratio(ratio).times(tau).plus(t.by(rest))
    };
    let g0 = G0.iter().rev().fold(0.0, |sum, c| sum * pi + c);
    g0 - TRIPLE[0] * (ENTROPY * tau - (R1.by(part(T1)).plus(r2.by(part(T2)))).0)
}

/// ln((1 + z) / (1 - z)).
fn ln_ratio(z: Complex) -> Complex {
    Complex(1.0, 0.0).plus(z).over(Complex(1.0, 0.0).plus(z.times(-1.0))).ln()
}

/// A complex number.
#[derive(Debug, Clone, Copy)]
struct Complex(f64, f64);

impl Complex {
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }

    fn times(self, factor: f64) -> Self {
        Self(self.0 * factor, self.1 * factor)
    }

    fn by(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }

    fn over(self, other: Self) -> Self {
        let norm = other.0 * other.0 + other.1 * other.1;
        Self((self.0 * other.0 + self.1 * other.1) / norm, (self.1 * other.0 - self.0 * other.1) / norm)
    }

    fn ln(self) -> Self {
        Self(libm::log(libm::hypot(self.0, self.1)), libm::atan2(self.1, self.0))
    }
}
