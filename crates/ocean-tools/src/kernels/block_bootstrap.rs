//! Resampling of dependent values in blocks.
//!
//! # Source
//! Künsch (1989), Ann. Stat. 17, 1217–1241; length of the blocks: Politis & White (2004), Econometric Reviews 23, 53–70,
//! for the circular bootstrap, with the flat-top window.

use libm::{ceil, log10, pow, sqrt};

use super::correlation::autocorrelation;
use super::random::Random;

/// Positions of `n` values, in blocks of `length` neighbours that begin anywhere they fit.
pub(crate) fn positions(n: usize, length: usize, random: &mut Random) -> Vec<usize> {
    let length = length.clamp(1, n.max(1));
    let mut found = Vec::with_capacity(n + length);
    while found.len() < n {
        let from = random.below(n - length + 1);
        found.extend(from..from + length);
    }
    found.truncate(n);
    found
}

/// The best length for the mean of such a series: at least 1, at most the smaller of `3 √n` and `n/3`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and far below 2^32")]
pub(crate) fn block_length(values: &[f64]) -> usize {
    let n = values.iter().filter(|value| !value.is_nan()).count();
    let count = n as f64;
    let longest = ceil((3.0 * sqrt(count)).min(count / 3.0)).max(1.0);
    let around = (ceil(sqrt(log10(count.max(2.0)))) as usize).max(5);
    let last = ceil(sqrt(count)) as usize + around;
    let limit = 2.0 * sqrt(log10(count.max(2.0)) / count);
    let r: Vec<f64> = (0..=last + around).map(|lag| autocorrelation(values, lag)).collect();
    let quiet = (0..last).find(|m| r[m + 1..=m + around].iter().all(|own| own.abs() < limit || own.is_nan()));
    let window = (2 * quiet.unwrap_or(last).max(1)).min(last);
    let (mut g, mut density) = (0.0, 1.0);
    for (lag, own) in r.iter().enumerate().take(window + 1).skip(1).filter(|(_, own)| !own.is_nan()) {
        let part = lag as f64 / window as f64;
        let weight = if part <= 0.5 { 1.0 } else { 2.0 * (1.0 - part) };
        g += 2.0 * weight * lag as f64 * own;
        density += 2.0 * weight * own;
    }
    let length = pow(2.0 * g * g / (4.0 / 3.0 * density * density), 1.0 / 3.0) * pow(count, 1.0 / 3.0);
    if length.is_nan() { 1 } else { length.round().clamp(1.0, longest) as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_keep_neighbours_and_white_noise_needs_none() {
        let mut random = Random::new(3);
        let found = positions(10, 5, &mut random);
        assert_eq!(found.len(), 10);
        assert!((1..5).all(|at| found[at] == found[at - 1] + 1 && found[at + 5] == found[at + 4] + 1));
        let noise: Vec<f64> = (0..2_000).map(|_| random.uniform()).collect();
        assert!(block_length(&noise) <= 5, "{}", block_length(&noise));
        // AR(1) with 0.7: b = (2 G²/D)^(1/3) n^(1/3) with G = 2ρ/(1−ρ)² and spectrum (1+ρ)/(1−ρ), about 28 for n = 2000.
        let mut red = vec![0.0];
        for own in &noise[1..] {
            red.push(0.7 * red[red.len() - 1] + own - 0.5);
        }
        let length = block_length(&red);
        assert!((20..=60).contains(&length), "{length}");
    }
}
