//! Control of false discoveries over many tests.
//!
//! # Source
//! Benjamini & Hochberg (1995), J. R. Stat. Soc. B 57, 289–300; for maps Wilks (2016), Bull. Am. Meteorol. Soc. 97,
//! 2263–2273.

/// The largest p value that is still a discovery at `alpha`; `None` when there is none. Missing values do not count.
pub(crate) fn threshold(p_values: &[f64], alpha: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = p_values.iter().copied().filter(|p| !p.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let found = sorted.iter().enumerate().rev().find(|(at, p)| **p <= alpha * (*at + 1) as f64 / n);
    found.map(|(_, p)| *p)
}

/// Whether each test is a discovery; a missing value is none.
pub(crate) fn discoveries(p_values: &[f64], alpha: f64) -> Vec<bool> {
    let limit = threshold(p_values, alpha);
    p_values.iter().map(|p| limit.is_some_and(|limit| *p <= limit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_the_procedure() {
        // 0.02 is above 0.05/4 and 2·0.05/4 saves it together with 0.01.
        let found = discoveries(&[0.5, 0.01, f64::NAN, 0.02, 0.9], 0.05);
        assert_eq!(found, [false, true, false, true, false]);
        assert_eq!(threshold(&[0.2, 0.9], 0.05), None);
    }
}
