//! The argument of a constituent at a time, and what its satellites do to it.
//!
//! # Source
//! Foreman (1977); Godin (1972), "The Analysis of Tides"; exact times as Codiga (2011), "Unified Tidal Analysis and
//! Prediction Using the `UTide` Matlab Functions".

use core::f64::consts::PI;

use libm::{atan2, cos, pow, sin, sqrt};

use super::astronomy::{Longitudes, longitudes};
use super::constituents::{ALL, Constituent, Origin, Satellite};

/// The constituent of this name, in any case.
pub(crate) fn find(name: &str) -> Option<&'static Constituent> {
    ALL.iter().find(|own| own.name.eq_ignore_ascii_case(name))
}

/// Argument at Greenwich and nodal corrections.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Argument {
    /// Astronomical argument V, cycles.
    pub(crate) cycles: f64,
    /// Factor f of the amplitude.
    pub(crate) factor: f64,
    /// Angle u of the phase, cycles.
    pub(crate) angle: f64,
}

/// Frequency in cycles an hour at a time in days since 1970-01-01.
pub(crate) fn frequency(constituent: &Constituent, days: f64) -> f64 {
    frequency_at(constituent, &longitudes(days))
}

fn frequency_at(constituent: &Constituent, at: &Longitudes) -> f64 {
    match constituent.origin {
        Origin::Astronomical(doodson, ..) => multiply(doodson, &at.rates) / 24.0,
        Origin::Shallow(parts) => parts
            .iter()
            .map(|(name, times)| times * find(name).map_or(0.0, |part| frequency_at(part, at)))
            .sum(),
    }
}

/// Distance in cycles an hour from the neighbour that the record must tell it from; `None` when there is none.
pub(crate) fn separation(constituent: &Constituent, days: f64) -> Option<f64> {
    // The neighbour of the longest ones is the mean, which is no constituent.
    let rival = find(constituent.rival?).map_or(0.0, |rival| frequency(rival, days));
    Some((frequency(constituent, days) - rival).abs())
}

/// The argument at a time in days since 1970-01-01 (UTC); `latitude` for the nodal corrections, none without.
pub(crate) fn argument(constituent: &Constituent, days: f64, latitude: Option<f64>) -> Argument {
    argument_at(constituent, &longitudes(days), latitude)
}

fn argument_at(constituent: &Constituent, at: &Longitudes, latitude: Option<f64>) -> Argument {
    match constituent.origin {
        Origin::Astronomical(doodson, phase, satellites) => {
            let cycles = multiply(doodson, &at.cycles) + phase;
            let (factor, angle) = latitude.map_or((1.0, 0.0), |latitude| nodal(satellites, at, latitude));
            Argument { cycles, factor, angle }
        }
        Origin::Shallow(parts) => {
            let mut whole = Argument { cycles: 0.0, factor: 1.0, angle: 0.0 };
            for (part, times) in parts.iter().filter_map(|(name, times)| Some((find(name)?, *times))) {
                let own = argument_at(part, at, latitude);
                whole.cycles += times * own.cycles;
                whole.factor *= pow(own.factor, times.abs());
                whole.angle += times * own.angle;
            }
            whole
        }
    }
}

fn multiply(doodson: [i8; 6], values: &[f64; 6]) -> f64 {
    doodson.iter().zip(values).map(|(times, value)| f64::from(*times) * value).sum()
}

/// Factor and angle (cycles) of the sum of a constituent and its satellites.
fn nodal(satellites: &[Satellite], at: &Longitudes, latitude: f64) -> (f64, f64) {
    // The theory fails at the equator, where terms of the third degree are taken as at 5 degrees.
    let sine = sin(if latitude.abs() < 5.0 { 5.0_f64.copysign(latitude) } else { latitude }.to_radians());
    let (mut re, mut im) = (1.0, 0.0);
    for satellite in satellites {
        let ratio = satellite.ratio
            * match satellite.latitude {
                1 => 0.363_09 * (1.0 - 5.0 * sine * sine) / sine,
                2 => 2.598_08 * sine,
                _ => 1.0,
            };
        let moved = satellite.change.iter().zip(&at.cycles[3..]);
        let cycles = satellite.phase + moved.map(|(times, value)| f64::from(*times) * value).sum::<f64>();
        re += ratio * cos(2.0 * PI * cycles);
        im += ratio * sin(2.0 * PI * cycles);
    }
    (sqrt(re * re + im * im), atan2(im, re) / (2.0 * PI))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_and_corrections_agree_with_utide() {
        // utide 0.4.0: FUV at 2003-05-20T06:00, latitude 44.666_667, exact times: name, F, U, V modulo 1, cycles.
        for (name, factor, angle, cycles) in [
            ("M2", 0.981_244_860_451, -0.004_662_050_564, 0.220_123_706_065),
            ("S2", 1.001_008_239_901, 0.000_339_562_126, 0.500_000_000_000),
            ("N2", 0.978_764_243_536, -0.005_435_793_478, 0.034_115_433_417),
            ("K1", 1.068_343_069_538, -0.019_571_390_908, 0.659_705_483_608),
            ("O1", 1.107_769_757_030, 0.021_566_580_417, 0.560_418_222_458),
            ("L2", 0.883_426_484_551, -0.056_808_870_561, 0.906_131_978_713),
            ("NO1", 1.377_251_555_232, -0.055_385_822_299, 0.473_697_210_960),
            ("M4", 0.962_841_476_161, -0.009_324_101_128, 0.440_247_412_130),
            ("2MK5", 1.028_645_018_120, -0.028_895_492_036, 0.099_952_895_738),
            ("MF", 1.000_000_000_000, 0.000_000_000_000, 0.599_287_261_150),
        ] {
            let own = argument(find(name).unwrap(), 12_192.25, Some(44.666_667));
            assert!((own.factor - factor).abs() < 1e-9 && (own.angle - angle).abs() < 1e-9, "{name} {own:?}");
            let off = (own.cycles - cycles).rem_euclid(1.0);
            assert!(off.min(1.0 - off) < 1e-8, "{name} {own:?}");
        }
    }

    #[test]
    fn every_part_and_rival_is_in_the_table() {
        for own in &ALL {
            assert!(own.rival.is_none_or(|rival| rival == "Z0" || find(rival).is_some()), "{}", own.name);
            if let Origin::Shallow(parts) = own.origin {
                assert!(parts.iter().all(|(name, _)| find(name).is_some()), "{}", own.name);
            }
        }
        // Schureman (1958), table 2: speeds of M2, K1 and M4 in degrees an hour.
        for (name, speed) in [("M2", 28.984_104_2), ("K1", 15.041_068_6), ("M4", 57.968_208_4)] {
            let own = 360.0 * frequency(find(name).unwrap(), 12_192.0);
            assert!((own - speed).abs() < 1e-6, "{name} {own}");
        }
    }
}
