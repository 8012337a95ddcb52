//! Least squares of tidal constituents.
//!
//! # Source
//! Foreman (1977), "Manual for Tidal Heights Analysis and Prediction"; Codiga (2011), "Unified Tidal Analysis and
//! Prediction Using the `UTide` Matlab Functions": nodal corrections and arguments at each time, so that long records need
//! no cuts.

use core::f64::consts::PI;

use libm::{atan2, cos, sin, sqrt};

use super::argument::{argument, find, frequency, separation};
use super::constituents::{ALL, Constituent};
use crate::kernels::least_squares::solve;

/// What is fitted.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    /// The constituents.
    pub(crate) constituents: Vec<&'static Constituent>,
    /// Latitude for the nodal corrections; `None` for none.
    pub(crate) latitude: Option<f64>,
    /// Whether a straight line is fitted too.
    pub(crate) trend: bool,
}

/// A constituent as found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wave {
    /// Which one.
    pub(crate) constituent: &'static Constituent,
    /// Cycles an hour in the middle of the record.
    pub(crate) frequency: f64,
    /// In the units of the values.
    pub(crate) amplitude: f64,
    /// Greenwich phase lag in degrees, 0 to 360.
    pub(crate) phase: f64,
}

/// A fit.
#[derive(Debug, Clone)]
pub(crate) struct Harmonics {
    /// Largest amplitude first.
    pub(crate) waves: Vec<Wave>,
    /// Level in the middle of the record.
    pub(crate) mean: f64,
    /// Change a day; 0 when no line was fitted.
    pub(crate) slope: f64,
    middle: f64,
    latitude: Option<f64>,
}

/// The fit is not possible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HarmonicsError {
    /// Too few values.
    #[error(
        "{unknowns} unknowns need more values than the {n} there are; name fewer constituents or take a longer series"
    )]
    TooFew {
        /// Unknowns of the fit.
        unknowns: usize,
        /// Values present.
        n: usize,
    },
    /// Constituents that are one in this record.
    #[error(
        "the record cannot tell these constituents apart; leave out those that are near to another, or take a longer series"
    )]
    Alike,
}

/// The names that [`find`] does not know.
pub(crate) fn unknown(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).filter(|name| find(name).is_none()).collect()
}

/// The constituents that a record between two times (days since 1970-01-01) can tell from their neighbours: those at
/// least `rayleigh` cycles of the record away from them.
pub(crate) fn separable(first: f64, last: f64, rayleigh: f64) -> Vec<&'static Constituent> {
    let middle = f64::midpoint(first, last);
    let least = rayleigh / (24.0 * (last - first));
    ALL.iter().filter(|own| separation(own, middle).is_some_and(|apart| apart >= least)).collect()
}

/// Pairs of constituents less than one cycle of the record apart.
pub(crate) fn crowded(
    constituents: &[&'static Constituent],
    first: f64,
    last: f64,
) -> Vec<[&'static str; 2]> {
    let middle = f64::midpoint(first, last);
    let mut sorted: Vec<(f64, &str)> =
        constituents.iter().map(|own| (frequency(own, middle), own.name)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    pairs.filter(|(a, b)| (b.0 - a.0) * 24.0 * (last - first) < 0.999).map(|(a, b)| [a.1, b.1]).collect()
}

/// Fits a model to values, none missing, at times in days since 1970-01-01 (UTC).
///
/// # Errors
/// [`HarmonicsError`].
pub(crate) fn fit(days: &[f64], values: &[f64], model: &Model) -> Result<Harmonics, HarmonicsError> {
    let unknowns = 1 + usize::from(model.trend) + 2 * model.constituents.len();
    let (Some(first), Some(last)) = (days.first(), days.last()) else {
        return Err(HarmonicsError::TooFew { unknowns, n: 0 });
    };
    if days.len() <= unknowns {
        return Err(HarmonicsError::TooFew { unknowns, n: days.len() });
    }
    let (middle, length) = (f64::midpoint(*first, *last), last - first);
    let mut columns = vec![vec![1.0; days.len()]];
    if model.trend {
        columns.push(days.iter().map(|day| (day - middle) / length).collect());
    }
    for constituent in &model.constituents {
        let (even, odd) = days.iter().map(|day| turned(constituent, *day, model.latitude)).unzip();
        columns.extend([even, odd]);
    }
    let found = solve(&columns, values).ok_or(HarmonicsError::Alike)?;
    let from = 1 + usize::from(model.trend);
    let mut waves: Vec<Wave> = model
        .constituents
        .iter()
        .zip(found[from..].chunks_exact(2))
        .map(|(constituent, pair)| Wave {
            constituent,
            frequency: frequency(constituent, middle),
            amplitude: sqrt(pair[0] * pair[0] + pair[1] * pair[1]),
            phase: atan2(pair[1], pair[0]).to_degrees().rem_euclid(360.0),
        })
        .collect();
    waves.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
    let slope = if model.trend { found[1] / length } else { 0.0 };
    Ok(Harmonics { waves, mean: found[0], slope, middle, latitude: model.latitude })
}

/// `f cos(V + u)` and `f sin(V + u)`.
fn turned(constituent: &Constituent, days: f64, latitude: Option<f64>) -> (f64, f64) {
    let own = argument(constituent, days, latitude);
    let angle = 2.0 * PI * (own.cycles + own.angle).rem_euclid(1.0);
    (own.factor * cos(angle), own.factor * sin(angle))
}

impl Harmonics {
    /// A constituent by name.
    pub(crate) fn wave(&self, name: &str) -> Option<&Wave> {
        self.waves.iter().find(|wave| wave.constituent.name == name)
    }

    /// The tide at a time in days since 1970-01-01, without mean and line.
    pub(crate) fn tide(&self, days: f64) -> f64 {
        let one = |wave: &Wave| {
            let (even, odd) = turned(wave.constituent, days, self.latitude);
            let lag = wave.phase.to_radians();
            wave.amplitude * (cos(lag) * even + sin(lag) * odd)
        };
        self.waves.iter().map(one).sum()
    }

    /// Mean and line at a time.
    pub(crate) fn level(&self, days: f64) -> f64 {
        self.mean + self.slope * (days - self.middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_constituents_come_back_over_half_a_nodal_cycle() {
        let names = ["M2", "S2", "K1", "O1", "M4"];
        let constituents: Vec<&Constituent> = names.iter().map(|name| find(name).unwrap()).collect();
        let model = Model { constituents, latitude: Some(45.0), trend: true };
        // Nine years, one value in 31 h.
        let days: Vec<f64> = (0..2_500).map(|at| 15_000.0 + f64::from(at) * 31.0 / 24.0).collect();
        let planted = [(1.2, 10.0), (0.4, 350.0), (0.3, 100.0), (0.2, 200.0), (0.05, 77.0)];
        let level = |day: f64| {
            let tide = model.constituents.iter().zip(planted).map(|(own, (amplitude, lag))| {
                let (even, odd) = turned(own, day, Some(45.0));
                amplitude * (cos(f64::to_radians(lag)) * even + sin(f64::to_radians(lag)) * odd)
            });
            0.5 + 0.001 * (day - days[0]) + tide.sum::<f64>()
        };
        let values: Vec<f64> = days.iter().map(|day| level(*day)).collect();
        let found = fit(&days, &values, &model).unwrap();
        for (name, (amplitude, lag)) in names.iter().zip(planted) {
            let wave = found.wave(name).unwrap();
            assert!((wave.amplitude - amplitude).abs() < 1e-9 && (wave.phase - lag).abs() < 1e-6, "{wave:?}");
        }
        assert!((found.slope - 0.001).abs() < 1e-12);
        let back = found.level(days[77]) + found.tide(days[77]);
        assert!((back - values[77]).abs() < 1e-9);
    }

    #[test]
    fn a_month_cannot_tell_k2_from_s2() {
        let month: Vec<&str> = separable(15_000.0, 15_029.6, 1.0).iter().map(|own| own.name).collect();
        assert!(month.contains(&"M2") && month.contains(&"S2") && month.contains(&"K1"));
        assert!(!month.contains(&"K2") && !month.contains(&"P1"));
        // utide 0.4.0 takes 59 constituents from a year of hours.
        assert_eq!(separable(14_610.0, 14_610.0 + 8_759.0 / 24.0, 1.0).len(), 59);
        let both = [find("S2").unwrap(), find("K2").unwrap(), find("M2").unwrap()];
        assert_eq!(crowded(&both, 15_000.0, 15_029.6), [["S2", "K2"]]);
        assert_eq!(unknown(&["m2".to_owned(), "X9".to_owned()]), ["X9"]);
    }
}
