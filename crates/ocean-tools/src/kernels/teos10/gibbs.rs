//! The Gibbs function of sea water and its derivatives in temperature.

use super::SALINITY_SCALE;
use super::gibbs_table::{SALINE, WATER};

/// Factors of the term in x^2 ln x: constant, and linear in y; J kg-1.
const LOGARITHM: [f64; 2] = [5_812.814_566_267_32, 851.226_734_946_706];

/// Derivative of y with respect to temperature, K-1.
const DY: f64 = 0.025;

/// Powers up to the largest in the tables.
struct Powers {
    x: [f64; 8],
    y: [f64; 8],
    z: [f64; 8],
}

impl Powers {
    fn of(sa: f64, t: f64, p: f64) -> Self {
        let powers = |base: f64| {
            let mut all = [1.0; 8];
            for i in 1..8 {
                all[i] = all[i - 1] * base;
            }
            all
        };
        Self { x: powers((SALINITY_SCALE * sa).sqrt()), y: powers(t * DY), z: powers(p * 1e-4) }
    }

    /// x^i times the `order`-th derivative in temperature of y^j, times z^k.
    fn term(&self, [i, j, k]: [i32; 3], order: i32) -> f64 {
        if j < order {
            return 0.0;
        }
        let factor: f64 = (0..order).map(|n| f64::from(j - n) * DY).product();
        let at = |powers: &[f64; 8], power: i32| powers[usize::try_from(power).unwrap_or(0)];
        factor * at(&self.x, i) * at(&self.y, j - order) * at(&self.z, k)
    }
}

/// The `order`-th derivative in temperature of the Gibbs energy, J kg-1 K-order; `order` is 0, 1 or 2.
pub(super) fn gibbs(order: i32, sa: f64, t: f64, p: f64) -> f64 {
    let powers = Powers::of(sa, t, p);
    let sum = |table: &[(i32, i32, i32, f64)]| -> f64 {
        table.iter().map(|&(i, j, k, c)| c * powers.term([i, j, k], order)).sum()
    };
    let logarithm = if sa > 0.0 {
        let factor = match order {
            0 => LOGARITHM[0] + LOGARITHM[1] * powers.y[1],
            1 => LOGARITHM[1] * DY,
            _ => 0.0,
        };
        powers.x[2] * factor * libm::log(powers.x[1])
    } else {
        0.0
    };
    sum(&WATER) + sum(&SALINE) + logarithm
}

/// The `order`-th derivative in temperature of the chemical potential of water in sea water, g - SA dg/dSA,
/// J kg-1 K-order; `order` is 0 or 1.
pub(super) fn potential_of_water(order: i32, sa: f64, t: f64, p: f64) -> f64 {
    let powers = Powers::of(sa, t, p);
    // SA d/dSA of x^i is i / 2 x^i.
    let sum = |table: &[(i32, i32, i32, f64)]| -> f64 {
        table.iter().map(|&(i, j, k, c)| (1.0 - f64::from(i) / 2.0) * c * powers.term([i, j, k], order)).sum()
    };
    let factor = if order == 0 { LOGARITHM[0] + LOGARITHM[1] * powers.y[1] } else { LOGARITHM[1] * DY };
    sum(&WATER) + sum(&SALINE) - powers.x[2] * factor / 2.0
}

/// Entropy, J kg-1 K-1.
pub(super) fn entropy(sa: f64, t: f64, p: f64) -> f64 {
    -gibbs(1, sa, t, p)
}
