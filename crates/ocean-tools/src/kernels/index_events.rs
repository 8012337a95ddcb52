//! Warm and cold episodes of a climate index.
//!
//! # Source
//! NOAA Climate Prediction Center, "Historical El Niño / La Niña episodes": the three-month running mean of the
//! anomaly at or beyond ±0.5 °C for at least five consecutive months.

/// Which side of the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// At or above the threshold.
    Warm,
    /// At or below its negative.
    Cold,
}

impl Phase {
    /// `warm` or `cold`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warm => "warm",
            Self::Cold => "cold",
        }
    }
}

/// An episode; indices are those of the series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Episode {
    /// Which side.
    pub phase: Phase,
    /// First index.
    pub start: usize,
    /// Last index, inclusive.
    pub end: usize,
    /// Index of the largest magnitude; the earliest of equals.
    pub peak: usize,
    /// The value there.
    pub peak_value: f64,
}

impl Episode {
    /// How many steps it lasts.
    pub const fn duration(&self) -> usize {
        self.end - self.start + 1
    }
}

/// Episodes of a (smoothed) index in order. A missing value ends an episode.
///
/// ```
/// use ocean_tools::kernels::index_events::{Phase, episodes};
///
/// let found = episodes(&[0.0, 0.5, 0.9, 0.6, 0.0, -0.7, -0.8], 0.5, 3);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].phase, found[0].start, found[0].end, found[0].peak), (Phase::Warm, 1, 3, 2));
/// ```
pub fn episodes(index: &[f64], threshold: f64, min_steps: usize) -> Vec<Episode> {
    let mut found = Vec::new();
    let mut open: Option<Episode> = None;
    for (at, &value) in index.iter().enumerate() {
        let phase = if value >= threshold {
            Some(Phase::Warm)
        } else if value <= -threshold {
            Some(Phase::Cold)
        } else {
            None
        };
        match (&mut open, phase) {
            (Some(episode), Some(phase)) if episode.phase == phase => {
                episode.end = at;
                if value.abs() > episode.peak_value.abs() {
                    (episode.peak, episode.peak_value) = (at, value);
                }
            }
            _ => {
                found.extend(open.take());
                open = phase.map(|phase| Episode { phase, start: at, end: at, peak: at, peak_value: value });
            }
        }
    }
    found.extend(open);
    found.retain(|episode| episode.duration() >= min_steps);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_value_or_a_change_of_side_ends_an_episode() {
        let index = [1.0, 1.0, f64::NAN, 1.0, -1.0, -2.0, -2.0];
        let found = episodes(&index, 0.5, 2);
        let spans: Vec<(usize, usize, usize)> = found.iter().map(|e| (e.start, e.end, e.peak)).collect();
        assert_eq!(spans, [(0, 1, 0), (4, 6, 5)]);
        assert_eq!(found[1].phase.as_str(), "cold");
    }

    #[test]
    fn an_episode_that_reaches_the_end_counts() {
        assert_eq!(episodes(&[0.4, 0.5, 0.5], 0.5, 2).len(), 1);
        assert!(episodes(&[f64::NAN; 4], 0.5, 1).is_empty());
        assert!(episodes(&[], 0.5, 1).is_empty());
    }
}
