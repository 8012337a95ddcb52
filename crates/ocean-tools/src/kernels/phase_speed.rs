//! The speed at which patterns run through a diagram of time against a line.
//!
//! # Source
//! Challenor, Cipollini & Cromwell (2001), J. Atmos. Oceanic Technol. 18, 1558–1566: the direction in which sums along lines
//! vary most. Each value belongs to one line of a direction, and a direction is judged by the share of variance that the
//! means of its lines take, less the share that as many lines take of noise.

use libm::{atan, floor, tan};
use ndarray::ArrayView2;

/// The best direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Direction {
    /// Places in a step of time.
    pub(crate) slope: f64,
    /// Share of variance that the lines take beyond noise.
    pub(crate) share: f64,
}

/// Values `(time, place)` less the mean of each place over time; missing ones stay.
pub(crate) fn departures(values: &ArrayView2<'_, f64>) -> ndarray::Array2<f64> {
    let mut out = values.to_owned();
    for mut column in out.columns_mut() {
        let present = || column.iter().copied().filter(|value| !value.is_nan());
        let mean = present().sum::<f64>() / present().count() as f64;
        column.mapv_inplace(|value| value - mean);
    }
    out
}

/// The direction of the largest share among those whose slope is between two, by quarters of a degree and then by
/// hundredths about the best; `None` when nothing varies or no direction is between them.
pub(crate) fn best(values: &ArrayView2<'_, f64>, between: [f64; 2]) -> Option<Direction> {
    let [low, high] = between.map(|slope| atan(slope).to_degrees());
    let scan = |from: f64, to: f64, step: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred")]
        let count = floor((to - from) / step + 1e-9).max(0.0) as usize;
        (0..=count)
            .map(|at| from + step * at as f64)
            // Nothing runs along a line of places or of times.
            .filter(|angle| (1.0..=89.0).contains(&angle.abs()))
            .map(|angle| (angle, share(values, tan(angle.to_radians()))))
            .filter(|own| !own.1.is_nan())
            .fold(None, |best: Option<(f64, f64)>, own| match best {
                Some(best) if best.1 >= own.1 => Some(best),
                _ => Some(own),
            })
    };
    let coarse = scan(low, high, 0.25)?;
    let fine = scan((coarse.0 - 0.25).max(low), (coarse.0 + 0.25).min(high), 0.01).unwrap_or(coarse);
    Some(Direction { slope: tan(fine.0.to_radians()), share: fine.1 })
}

/// The share of variance of the means of lines with this slope, less that of noise.
fn share(values: &ArrayView2<'_, f64>, slope: f64) -> f64 {
    let (times, places) = values.dim();
    // The lines are counted where they cross an axis once, so that a step aside is at most one line.
    let steep = slope.abs() > 1.0;
    let reach = if steep { places as f64 / slope.abs() } else { times as f64 * slope.abs() };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "lines of a diagram")]
    let length = if steep { times } else { places } + 2 * (reach as usize) + 4;
    let mut lines = vec![(0.0, 0_u32); length];
    let (mut total, mut n) = (0.0, 0_u32);
    for ((t, x), value) in values.indexed_iter().filter(|(_, value)| !value.is_nan()) {
        let (t, x) = (t as f64, x as f64);
        let place = if steep { t - x / slope } else { x - slope * t };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "moved above 0")]
        let line = floor(place + reach + 1.5).max(0.0) as usize;
        let own = &mut lines[line.min(length - 1)];
        *own = (own.0 + value, own.1 + 1);
        total += value * value;
        n += 1;
    }
    let used = lines.iter().filter(|line| line.1 > 0);
    let taken: f64 = used.clone().map(|line| line.0 * line.0 / f64::from(line.1)).sum();
    let noise = used.count() as f64 / f64::from(n);
    if total > 0.0 && noise < 1.0 { (taken / total - noise) / (1.0 - noise) } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    #[test]
    fn a_travelling_wave_has_its_speed() {
        for speed in [0.4, -0.7, 1.8, -3.0] {
            let wave = Array2::from_shape_fn((120, 90), |(t, x)| {
                libm::cos(0.25 * (x as f64 - speed * t as f64)) + 0.2 * libm::sin((t * t * 7 + x * 13) as f64)
            });
            let found = best(&departures(&wave.view()).view(), [-10.0, 10.0]).unwrap();
            assert!((found.slope / speed - 1.0).abs() < 0.02, "{speed} {found:?}");
            assert!(found.share > 0.8);
        }
    }

    #[test]
    fn a_range_keeps_the_other_direction_out() {
        let both = Array2::from_shape_fn((100, 80), |(t, x)| {
            libm::cos(0.3 * (x as f64 - 0.5 * t as f64)) + 0.5 * libm::cos(0.3 * (x as f64 + 1.0 * t as f64))
        });
        let view = both.view();
        assert!((best(&view, [-5.0, 5.0]).unwrap().slope - 0.5).abs() < 0.03);
        assert!((best(&view, [-5.0, 0.0]).unwrap().slope + 1.0).abs() < 0.05);
        assert!(best(&Array2::zeros((10, 10)).view(), [-1.0, 1.0]).is_none());
    }
}
