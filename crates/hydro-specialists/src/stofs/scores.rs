//! [`Scores`]: how well a forecast fits what was observed.

/// How well a forecast fits.
///
/// # Source
/// Errors are forecast minus observed: `bias = mean(e)`, `mae = mean(|e|)`, `rmse = sqrt(mean(e²))`; the peak error is the
/// highest forecast minus the highest observed value; the correlation is Pearson's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scores {
    pub(crate) n: usize,
    pub(crate) bias: f64,
    pub(crate) mae: f64,
    pub(crate) rmse: f64,
    pub(crate) forecast_peak: f64,
    pub(crate) observed_peak: f64,
    pub(crate) peak_error: f64,
    /// `None` when one of both does not vary.
    pub(crate) correlation: Option<f64>,
}

impl Scores {
    /// From pairs of forecast and observed values; `None` without any.
    pub(crate) fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        if pairs.is_empty() {
            return None;
        }
        let n = pairs.len() as f64;
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
        let (forecast, observed) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
        let spread = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
        let both = spread(&|pair| (pair.0 - forecast) * (pair.1 - observed));
        let own = spread(&|pair| (pair.0 - forecast).powi(2)) * spread(&|pair| (pair.1 - observed).powi(2));
        let peak = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (forecast_peak, observed_peak) = (peak(&|pair| pair.0), peak(&|pair| pair.1));
        Some(Self {
            n: pairs.len(),
            bias: mean(&|pair| pair.0 - pair.1),
            mae: mean(&|pair| (pair.0 - pair.1).abs()),
            rmse: mean(&|pair| (pair.0 - pair.1).powi(2)).sqrt(),
            forecast_peak,
            observed_peak,
            peak_error: forecast_peak - observed_peak,
            correlation: (own > 0.0).then(|| (both / own.sqrt()).clamp(-1.0, 1.0)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_their_closed_forms() {
        // Errors 1, -1, 2, -2: bias 0, mae 1.5, rmse sqrt(2.5).
        let pairs = [(1.0, 0.0), (1.0, 2.0), (5.0, 3.0), (2.0, 4.0)];
        let scores = Scores::of(&pairs).unwrap();
        assert!(scores.bias.abs() < 1e-15 && (scores.mae - 1.5).abs() < 1e-15);
        assert!((scores.rmse - 2.5_f64.sqrt()).abs() < 1e-15);
        assert!((scores.peak_error - 1.0).abs() < 1e-15 && scores.n == 4);
        // A straight line with an offset: correlation 1, bias the offset.
        let line: Vec<(f64, f64)> = (0..10).map(|at| (f64::from(at) + 0.25, f64::from(at))).collect();
        let scores = Scores::of(&line).unwrap();
        assert!((scores.correlation.unwrap() - 1.0).abs() < 1e-12);
        assert!((scores.bias - 0.25).abs() < 1e-12 && (scores.rmse - 0.25).abs() < 1e-12);
        let turned: Vec<(f64, f64)> = line.iter().map(|pair| (-pair.0, pair.1)).collect();
        assert!((Scores::of(&turned).unwrap().correlation.unwrap() + 1.0).abs() < 1e-12);
        // Two periods of a cosine and of a sine are not correlated.
        let wave: Vec<(f64, f64)> = (0..200)
            .map(|at| std::f64::consts::TAU * f64::from(at) / 100.0)
            .map(|phase| (phase.cos(), phase.sin()))
            .collect();
        assert!(Scores::of(&wave).unwrap().correlation.unwrap().abs() < 1e-12);
        assert_eq!(Scores::of(&[(1.0, 1.0), (1.0, 2.0)]).unwrap().correlation, None);
        assert_eq!(Scores::of(&[]), None);
    }
}
