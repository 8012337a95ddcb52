//! Vertical coordinates without a dimension of length: heights of ocean levels by the CF formulas.
//!
//! # Source
//! CF conventions 1.11, appendix D.

/// The formula of a terrain-following ocean coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OceanFormula {
    /// `ocean_sigma_coordinate`: `z = eta + sigma (depth + eta)`.
    Sigma,
    /// `ocean_s_coordinate`: `z = eta (1 + s) + depth_c s + (depth − depth_c) C`, with `C` from the stretching `a` and `b`.
    S {
        /// Surface stretching.
        a: f64,
        /// Bottom stretching.
        b: f64,
    },
    /// `ocean_s_coordinate_g1`: `S = depth_c s + (depth − depth_c) C`, `z = S + eta (1 + S / depth)`.
    G1,
    /// `ocean_s_coordinate_g2`: `S = (depth_c s + depth C) / (depth_c + depth)`, `z = eta + (eta + depth) S`.
    G2,
    /// `ocean_sigma_z_coordinate`: `z = eta + sigma (min(depth_c, depth) + eta)` where `sigma` is given, `z = zlev` elsewhere.
    SigmaZ,
}

/// A level: what the formula needs besides the column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OceanLevel {
    /// `s` or `sigma`, 0 at the surface and −1 at the floor; NaN on a level of fixed height.
    pub s: f64,
    /// Stretching `C`, for the formulas that take it.
    pub c: f64,
    /// Fixed height in metres, for `ocean_sigma_z_coordinate` where `s` is NaN.
    pub z: f64,
}

impl OceanFormula {
    /// The formula of a standard name; `a` and `b` are those of `ocean_s_coordinate`.
    pub fn from_standard_name(name: &str, a: f64, b: f64) -> Option<Self> {
        match name {
            "ocean_sigma_coordinate" => Some(Self::Sigma),
            "ocean_s_coordinate" => Some(Self::S { a, b }),
            "ocean_s_coordinate_g1" => Some(Self::G1),
            "ocean_s_coordinate_g2" => Some(Self::G2),
            "ocean_sigma_z_coordinate" => Some(Self::SigmaZ),
            _ => None,
        }
    }

    /// Height of a level in metres, positive upwards from the datum.
    ///
    /// `eta` is the height of the surface, `depth` that of the floor below the datum (positive), `depth_c` the
    /// critical depth of the stretching. Missing inputs give NaN.
    ///
    /// # Examples
    /// ```
    /// use ocean_data::cf::{OceanFormula, OceanLevel};
    ///
    /// let middle = OceanLevel { s: -0.5, c: -0.5, z: f64::NAN };
    /// assert_eq!(OceanFormula::Sigma.height(&middle, 1.0, 99.0, 0.0), -49.0);
    /// ```
    pub fn height(&self, level: &OceanLevel, eta: f64, depth: f64, depth_c: f64) -> f64 {
        let OceanLevel { s, c, z } = *level;
        match *self {
            Self::Sigma => eta + s * (depth + eta),
            Self::S { a, b } => eta * (1.0 + s) + depth_c * s + (depth - depth_c) * stretching(s, a, b),
            Self::G1 => {
                let fixed = depth_c * s + (depth - depth_c) * c;
                fixed + eta * (1.0 + fixed / depth)
            }
            Self::G2 => eta + (eta + depth) * (depth_c * s + depth * c) / (depth_c + depth),
            Self::SigmaZ if s.is_finite() => eta + s * (depth_c.min(depth) + eta),
            Self::SigmaZ => z,
        }
    }
}

/// Song and Haidvogel's stretching, 0 at the surface and −1 at the floor.
fn stretching(s: f64, a: f64, b: f64) -> f64 {
    if a == 0.0 {
        return s;
    }
    let surface = libm::sinh(a * s) / libm::sinh(a);
    let floor = libm::tanh(a * (s + 0.5)) / (2.0 * libm::tanh(0.5 * a)) - 0.5;
    (1.0 - b) * surface + b * floor
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(s: f64, c: f64) -> OceanLevel {
        OceanLevel { s, c, z: f64::NAN }
    }

    #[test]
    fn every_formula_reaches_from_the_surface_to_the_floor() {
        for formula in
            [OceanFormula::Sigma, OceanFormula::S { a: 5.0, b: 0.4 }, OceanFormula::G1, OceanFormula::G2]
        {
            for (eta, depth) in [(0.0, 3000.0), (0.7, 50.0), (-1.2, 20.0)] {
                let top = formula.height(&level(0.0, 0.0), eta, depth, 10.0);
                let floor = formula.height(&level(-1.0, -1.0), eta, depth, 10.0);
                assert!((top - eta).abs() < 1e-12, "{formula:?} {top}");
                assert!((floor + depth).abs() < 1e-9, "{formula:?} {floor}");
            }
        }
    }

    #[test]
    fn numbers_worked_by_hand() {
        // g1: S = 10 (−0.5) + 90 (−0.25) = −27.5; z = −27.5 + 2 (1 − 0.275) = −26.05
        assert!((OceanFormula::G1.height(&level(-0.5, -0.25), 2.0, 100.0, 10.0) + 26.05).abs() < 1e-12);
        // g2: S = (−5 − 25) / 110; z = 2 + 102 S = −25.818…
        let g2 = OceanFormula::G2.height(&level(-0.5, -0.25), 2.0, 100.0, 10.0);
        assert!((g2 - (2.0 - 102.0 * 30.0 / 110.0)).abs() < 1e-12);
        // Without stretching s is proportional: z = eta (1 + s) + depth s.
        let s = OceanFormula::S { a: 0.0, b: 0.0 }.height(&level(-0.5, f64::NAN), 2.0, 100.0, 10.0);
        assert!((s - (1.0 - 5.0 - 45.0)).abs() < 1e-12);
        let z = OceanFormula::SigmaZ;
        assert!((z.height(&level(-0.5, f64::NAN), 2.0, 100.0, 40.0) - (2.0 - 21.0)).abs() < 1e-12);
        let fixed = OceanLevel { s: f64::NAN, c: f64::NAN, z: -75.0 };
        assert!((z.height(&fixed, 2.0, 100.0, 40.0) + 75.0).abs() < 1e-12);
        assert!(OceanFormula::Sigma.height(&level(-0.5, 0.0), f64::NAN, 100.0, 0.0).is_nan());
    }
}
