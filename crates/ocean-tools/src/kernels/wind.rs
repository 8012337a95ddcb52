//! Wind stress from the wind 10 m above the sea.

/// How the drag coefficient follows from the wind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drag {
    /// One value.
    Constant(f64),
    /// Large and Pond (1981), doi:10.1175/1520-0485(1981)011<0324:OOMFMI>2.0.CO;2: 1.2e-3 to 11 m/s, then
    /// (0.49 + 0.065 U) 1e-3; used beyond 25 m/s too.
    LargePond1981,
    /// Large and Yeager (2009), doi:10.1007/s00382-008-0441-3, equation 11: neutral, with the constant 2.34e-3 from
    /// 33 m/s on.
    LargeYeager2009,
}

impl Drag {
    /// The coefficient at a wind speed in metres a second.
    pub fn coefficient(self, speed: f64) -> f64 {
        match self {
            Self::Constant(value) => value,
            Self::LargePond1981 if speed < 11.0 => 1.2e-3,
            Self::LargePond1981 => (0.49 + 0.065 * speed) * 1e-3,
            Self::LargeYeager2009 if speed >= 33.0 => 2.34e-3,
            Self::LargeYeager2009 => {
                // 2.7/U grows without bound in a calm; the stress 2.7e-3 U does not.
                let speed = speed.max(1e-6);
                (2.70 / speed + 0.142 + speed / 13.09 - 3.148_07e-10 * speed.powi(6)) * 1e-3
            }
        }
    }

    /// Stress `ρ C_d |U| U` in newtons a square metre of a wind in metres a second over air of a density in kilograms
    /// a cubic metre.
    pub fn stress(self, u: f64, v: f64, density: f64) -> [f64; 2] {
        let speed = libm::hypot(u, v);
        let factor = density * self.coefficient(speed) * speed;
        [factor * u, factor * v]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drag_joins_where_its_branches_meet_and_a_calm_has_no_stress() {
        let pond = Drag::LargePond1981;
        assert!((pond.coefficient(10.999) - pond.coefficient(11.0)).abs() < 1e-5);
        let yeager = Drag::LargeYeager2009;
        assert!((yeager.coefficient(32.999) - yeager.coefficient(33.0)).abs() < 2e-5);
        for drag in [pond, yeager, Drag::Constant(1.3e-3)] {
            assert!(drag.stress(0.0, 0.0, 1.22).iter().all(|stress| *stress == 0.0));
        }
        let [x, y] = Drag::Constant(1.3e-3).stress(3.0, -4.0, 1.22);
        assert!((x - 1.22 * 1.3e-3 * 15.0).abs() < 1e-15 && (y + 1.22 * 1.3e-3 * 20.0).abs() < 1e-15);
    }
}
