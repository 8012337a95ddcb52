//! The Mann–Kendall test for a monotonic trend.
//!
//! # Source
//! Mann (1945), Econometrica 13, 245–259; Kendall (1975), "Rank Correlation Methods", for ties; Hamed & Rao (1998),
//! J. Hydrol. 204, 182–196, for autocorrelated values (ranks of the series without its Sen slope, lags whose
//! autocorrelation is significant at 5 %). Agrees with `pymannkendall` 1.4.

use libm::sqrt;

use super::student_t::{normal_quantile, normal_two_sided_p};

/// The outcome of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannKendall {
    /// Pairs that rise less pairs that fall.
    pub s: f64,
    /// Variance of `s` without a trend, corrected for ties and, where asked, autocorrelation.
    pub var_s: f64,
    /// `s` over the number of pairs.
    pub tau: f64,
    /// Standard normal score, with a continuity correction of one.
    pub z: f64,
    /// Two-sided probability of such a score if there were no trend.
    pub p_value: f64,
    /// Effective number of values: `n` over the variance correction.
    pub n_eff: f64,
}

/// Tests values in their order; none may be missing.
///
/// `sen_slope` (a change for each step) asks for the correction of Hamed & Rao with that slope taken out.
///
/// ```
/// let test = ocean_tools::kernels::mann_kendall::test(&[1.0, 2.0, 3.0, 4.0, 5.0], None);
/// assert_eq!((test.s, test.tau), (10.0, 1.0));
/// ```
pub fn test(values: &[f64], sen_slope: Option<f64>) -> MannKendall {
    let steps = (0..values.len()).map(|at| at as f64);
    let flat: Option<Vec<f64>> =
        sen_slope.map(|slope| steps.zip(values).map(|(at, value)| value - (at + 1.0) * slope).collect());
    tested(values, flat.as_deref())
}

/// The test, with the correction of Hamed & Rao from the values without their slope.
fn tested(values: &[f64], flat: Option<&[f64]>) -> MannKendall {
    let n = values.len() as f64;
    let mut s = 0.0_f64;
    for (at, value) in values.iter().enumerate() {
        for later in values.iter().skip(at + 1) {
            s += if later > value {
                1.0
            } else if later < value {
                -1.0
            } else {
                0.0
            };
        }
    }
    let correction = flat.map_or(1.0, hamed_rao);
    let var_s = untied_variance(values) * correction;
    let z = if s.abs() > 0.0 && var_s > 0.0 { (s - s.signum()) / sqrt(var_s) } else { 0.0 };
    MannKendall {
        s,
        var_s,
        tau: s / (0.5 * n * (n - 1.0)),
        z,
        p_value: normal_two_sided_p(z),
        n_eff: n / correction,
    }
}

/// Variance of `s` for independent values, ties taken out.
pub(crate) fn untied_variance(values: &[f64]) -> f64 {
    let term = |t: f64| t * (t - 1.0) * (2.0 * t + 5.0);
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let ties: f64 =
        sorted.chunk_by(|a, b| a.total_cmp(b).is_eq()).map(|group| term(group.len() as f64)).sum();
    (term(values.len() as f64) - ties) / 18.0
}

/// How the dependence of the values is taken into account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependence {
    /// Not at all.
    Independent,
    /// Variance of Hamed & Rao (1998), from the ranks.
    HamedRao,
    /// Variance of Yue & Wang (2004), Water Resour. Manage. 18, 201–218, from the values without their slope.
    YueWang,
    /// The values less their lag-1 part (Yue & Wang 2002, Water Resour. Res. 38, 1068).
    PreWhitened,
    /// The same for the values without their slope, which is then put back (Yue et al. 2002, Hydrol. Process. 16).
    TrendFreePreWhitened,
}

/// Tests values in their order; none may be missing. `steps` counts the steps of the record to each, so that a gap is
/// as long as it is, and `sen_slope` is that for each step.
pub fn test_with(values: &[f64], steps: &[f64], sen_slope: f64, dependence: Dependence) -> MannKendall {
    let flat = || -> Vec<f64> {
        values.iter().zip(steps).map(|(value, step)| value - (step + 1.0) * sen_slope).collect()
    };
    let whiten = |values: &[f64]| -> Vec<f64> {
        let r1 = super::correlation::autocorrelation(values, 1);
        values.iter().zip(values.iter().skip(1)).map(|(before, own)| own - r1 * before).collect()
    };
    match dependence {
        Dependence::Independent => test(values, None),
        Dependence::HamedRao => tested(values, Some(&flat())),
        Dependence::PreWhitened => test(&whiten(values), None),
        Dependence::TrendFreePreWhitened => {
            let white = whiten(&flat());
            let from_second = steps.iter().skip(1);
            let tilted: Vec<f64> =
                white.iter().zip(from_second).map(|(value, step)| value + step * sen_slope).collect();
            test(&tilted, None)
        }
        Dependence::YueWang => {
            let (flat, n) = (flat(), values.len());
            let sum: f64 = (1..n)
                .map(|lag| (1.0 - lag as f64 / n as f64) * super::correlation::autocorrelation(&flat, lag))
                .sum();
            scored(test(values, None), 1.0 + 2.0 * sum, n as f64)
        }
    }
}

/// The test of each season of a record, added up (Hirsch et al. 1982, Water Resour. Res. 18, 107–121): values every
/// `period` steps are compared with each other only. Missing values are left out.
pub fn test_seasonal(values: &[f64], period: usize) -> MannKendall {
    let mut total = MannKendall { s: 0.0, var_s: 0.0, tau: 0.0, z: 0.0, p_value: 1.0, n_eff: 0.0 };
    let mut comparisons = 0.0;
    for season in 0..period.max(1) {
        let own: Vec<f64> =
            values.iter().skip(season).step_by(period.max(1)).copied().filter(|v| !v.is_nan()).collect();
        let result = test(&own, None);
        let n = own.len() as f64;
        total.s += result.s;
        total.var_s += result.var_s;
        total.n_eff += n;
        comparisons += 0.5 * n * (n - 1.0);
    }
    total.tau = total.s / comparisons;
    let n = total.n_eff;
    scored(total, 1.0, n)
}

/// With the variance multiplied.
fn scored(mut result: MannKendall, factor: f64, n: f64) -> MannKendall {
    result.var_s *= factor;
    let usable = result.s.abs() > 0.0 && result.var_s > 0.0;
    result.z = if usable { (result.s - result.s.signum()) / sqrt(result.var_s) } else { 0.0 };
    result.p_value = normal_two_sided_p(result.z);
    result.n_eff = n / factor;
    result
}

fn hamed_rao(flat: &[f64]) -> f64 {
    let n = flat.len();
    if n < 4 {
        return 1.0;
    }
    let ranks = mid_ranks(flat);
    let mean = ranks.iter().sum::<f64>() / n as f64;
    let centred: Vec<f64> = ranks.iter().map(|rank| rank - mean).collect();
    let variance: f64 = centred.iter().map(|rank| rank * rank).sum();
    if variance <= 0.0 {
        return 1.0;
    }
    let bound = normal_quantile(0.975) / sqrt(n as f64);
    let size = n as f64;
    let mut sum = 0.0;
    for lag in 1..n {
        let product: f64 = centred.iter().zip(centred.iter().skip(lag)).map(|(a, b)| a * b).sum();
        let r = product / variance;
        if r.abs() > bound {
            let left = size - lag as f64;
            sum += left * (left - 1.0) * (left - 2.0) * r;
        }
    }
    let correction = 1.0 + 2.0 / (size * (size - 1.0) * (size - 2.0)) * sum;
    // Chance can make it tiny or negative; the test then falls back on independent values.
    if correction > 0.0 { correction } else { 1.0 }
}

/// Ranks from 1; equal values share the mean of theirs.
pub(crate) fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut next = 1;
    for group in order.chunk_by(|a, b| values[*a].total_cmp(&values[*b]).is_eq()) {
        let rank = next as f64 + (group.len() - 1) as f64 / 2.0;
        for &index in group {
            ranks[index] = rank;
        }
        next += group.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn closed_forms() {
        let rising: Vec<f64> = (0..10).map(f64::from).collect();
        let result = test(&rising, None);
        assert!((result.s - 45.0).abs() < 1e-12 && (result.tau - 1.0).abs() < 1e-12);
        // 10·9·25/18 = 125.
        assert!((result.var_s - 125.0).abs() < 1e-12);
        assert!((result.z - 44.0 / sqrt(125.0)).abs() < 1e-12);
        let flat = test(&[2.0; 6], None);
        assert!(flat.s.abs() < 1e-12 && (flat.p_value - 1.0).abs() < 1e-12);
        // One tie of two: (5·4·15 − 2·1·9)/18.
        assert!((untied_variance(&[1.0, 1.0, 2.0, 3.0, 4.0]) - 282.0 / 18.0).abs() < 1e-12);
    }

    #[test]
    fn ties_share_a_rank() {
        assert_eq!(mid_ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
    }

    proptest! {
        #[test]
        fn turning_time_round_turns_the_sign(values in proptest::collection::vec(-5.0_f64..5.0, 4..40)) {
            let forward = test(&values, None);
            let mut back = values.clone();
            back.reverse();
            let backward = test(&back, None);
            prop_assert!((forward.s + backward.s).abs() < 1e-12);
            prop_assert!((forward.p_value - backward.p_value).abs() < 1e-12);
            prop_assert!(forward.tau.abs() <= 1.0);
        }
    }
}
