//! Stability of a column between neighbouring levels.

use super::sea_water::{alpha, beta, gravity, rho};

/// Pascal in a decibar.
const PASCAL: f64 = 1e4;

/// A column of sea water, top first; NaN is missing.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// Absolute salinity, g kg-1.
    pub sa: &'a [f64],
    /// Conservative Temperature, degC.
    pub ct: &'a [f64],
    /// Pressure, dbar.
    pub p: &'a [f64],
}

/// The state half-way between two levels and the differences across.
struct Step {
    sa: f64,
    ct: f64,
    p: f64,
    dsa: f64,
    dct: f64,
    dp: f64,
}

impl Column<'_> {
    fn steps(&self) -> impl Iterator<Item = Step> {
        (1..self.p.len()).map(|below| {
            let above = below - 1;
            let mean = |values: &[f64]| 0.5 * (values[above] + values[below]);
            let change = |values: &[f64]| values[below] - values[above];
            Step {
                sa: mean(self.sa),
                ct: mean(self.ct),
                p: mean(self.p),
                dsa: change(self.sa),
                dct: change(self.ct),
                dp: change(self.p),
            }
        })
    }

    /// Squared buoyancy frequency at the pressures half-way between the levels, s-2, `len - 1` values.
    ///
    /// # Source
    /// IOC, SCOR and IAPSO (2010), equation 3.10.2, with the mean gravity of the two levels.
    pub fn buoyancy_frequency(&self, lat: f64) -> Vec<f64> {
        let gravities: Vec<f64> = self.p.iter().map(|&p| gravity(lat, p)).collect();
        self.steps()
            .enumerate()
            .map(|(at, step)| {
                let g = 0.5 * (gravities[at] + gravities[at + 1]);
                let buoyancy =
                    beta(step.sa, step.ct, step.p) * step.dsa - alpha(step.sa, step.ct, step.p) * step.dct;
                g * g * rho(step.sa, step.ct, step.p) / (PASCAL * step.dp) * buoyancy
            })
            .collect()
    }

    /// Turner angle, degrees, and stability ratio half-way between the levels, `len - 1` values each. The ratio is
    /// missing where salinity does not change.
    ///
    /// # Source
    /// IOC, SCOR and IAPSO (2010), equations 3.15.1 and 3.16.1; Ruddick (1983), Deep-Sea Research 30, 1105-1107.
    pub fn turner(&self) -> (Vec<f64>, Vec<f64>) {
        self.steps()
            .map(|step| {
                // Upwards, as in the definition with a vertical coordinate that points up.
                let thermal = -alpha(step.sa, step.ct, step.p) * step.dct;
                let haline = -beta(step.sa, step.ct, step.p) * step.dsa;
                let angle = libm::atan2(thermal + haline, thermal - haline).to_degrees();
                let ratio = if step.dsa == 0.0 { f64::NAN } else { thermal / haline };
                (angle, ratio)
            })
            .unzip()
    }

    /// The levels without a missing value.
    pub fn present(&self) -> Vec<usize> {
        let is = |at: usize| self.sa[at].is_finite() && self.ct[at].is_finite() && self.p[at].is_finite();
        (0..self.p.len()).filter(|&at| is(at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warm_and_salty_over_cold_and_fresh_is_salt_fingering() {
        let column = Column { sa: &[36.0, 35.0], ct: &[20.0, 10.0], p: &[10.0, 110.0] };
        let (angle, ratio) = column.turner();
        assert!((45.0..90.0).contains(&angle[0]) && ratio[0] > 1.0, "{angle:?} {ratio:?}");
        assert!(column.buoyancy_frequency(30.0)[0] > 0.0);
        let upside_down = Column { sa: &[35.0, 35.0], ct: &[10.0, 20.0], p: &[10.0, 110.0] };
        assert!(upside_down.buoyancy_frequency(30.0)[0] < 0.0 && upside_down.turner().1[0].is_nan());
    }

    #[test]
    fn a_missing_level_leaves_its_two_neighbours_out() {
        let column = Column { sa: &[35.0; 4], ct: &[20.0, f64::NAN, 10.0, 9.0], p: &[0.0, 10.0, 20.0, 30.0] };
        let n2 = column.buoyancy_frequency(0.0);
        assert!(n2[0].is_nan() && n2[1].is_nan() && n2[2] > 0.0);
    }
}
