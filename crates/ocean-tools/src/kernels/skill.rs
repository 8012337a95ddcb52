//! How near a model is to observations.
//!
//! # Source
//! Nash and Sutcliffe (1970), *Journal of Hydrology* 10; Willmott (1981), *Physical Geography* 2, for the index of agreement;
//! Taylor (2001), *Journal of Geophysical Research* 106, for the centred error.

use libm::sqrt;

/// A value of the model, the observed one, and the weight of the pair.
pub type Pair = (f64, f64, f64);

/// Scores of pairs; standard deviations are those of a population.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skill {
    /// Mean of model less observed.
    pub bias: f64,
    /// Root mean square error.
    pub rmse: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// Root mean square error without the bias.
    pub crmse: f64,
    /// Correlation.
    pub correlation: f64,
    /// Standard deviation of the model.
    pub std_model: f64,
    /// Standard deviation of the observed.
    pub std_observed: f64,
    /// Nash–Sutcliffe efficiency.
    pub nse: f64,
    /// Willmott's index of agreement.
    pub willmott: f64,
}

impl Skill {
    /// Scores of pairs that are present.
    ///
    /// ```
    /// use ocean_tools::kernels::skill::Skill;
    ///
    /// let skill = Skill::of(&[(1.5, 1.0, 1.0), (2.5, 2.0, 1.0), (3.5, 3.0, 1.0)]);
    /// assert!((skill.bias - 0.5).abs() < 1e-12 && skill.crmse < 1e-12);
    /// ```
    pub fn of(pairs: &[Pair]) -> Self {
        let total: f64 = pairs.iter().map(|pair| pair.2).sum();
        let mean =
            |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(m, o, w)| w * of(*m, *o)).sum::<f64>() / total;
        let (mean_m, mean_o) = (mean(&|m, _| m), mean(&|_, o| o));
        let squares = mean(&|m, o| (m - o) * (m - o));
        let (var_m, var_o) =
            (mean(&|m, _| (m - mean_m) * (m - mean_m)), mean(&|_, o| (o - mean_o) * (o - mean_o)));
        let covariance = mean(&|m, o| (m - mean_m) * (o - mean_o));
        let potential = mean(&|m, o| {
            let reach = (m - mean_o).abs() + (o - mean_o).abs();
            reach * reach
        });
        let centred = mean(&|m, o| {
            let off = (m - mean_m) - (o - mean_o);
            off * off
        });
        Self {
            bias: mean_m - mean_o,
            rmse: sqrt(squares),
            mae: mean(&|m, o| (m - o).abs()),
            crmse: sqrt(centred),
            correlation: covariance / sqrt(var_m * var_o),
            std_model: sqrt(var_m),
            std_observed: sqrt(var_o),
            nse: 1.0 - squares / var_o,
            willmott: 1.0 - squares / potential,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_numpy() {
        // numpy: m = [1, 2, 4, 7], o = [2, 2, 3, 6].
        let skill = Skill::of(&[(1.0, 2.0, 1.0), (2.0, 2.0, 1.0), (4.0, 3.0, 1.0), (7.0, 6.0, 1.0)]);
        for (own, numpy) in [
            (skill.bias, 0.25),
            (skill.rmse, 0.866_025_403_784_438_6),
            (skill.mae, 0.75),
            (skill.crmse, 0.829_156_197_588_85),
            (skill.correlation, 0.965_059_572_177_596_5),
            (skill.std_model, 2.291_287_847_477_92),
            (skill.std_observed, 1.639_359_631_075_5),
            (skill.nse, 0.720_930_232_558_139_5),
            (skill.willmott, 0.951_417_004_048_583),
        ] {
            assert!((own - numpy).abs() < 1e-9, "{own} {numpy}");
        }
    }
}
