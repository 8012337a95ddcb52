//! `compute_skill_metrics`: a model against observations.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::sqrt;
use ocean_data::field::walk_together;
use schemars::JsonSchema;
use serde::Deserialize;

use super::compute_histogram::WeightArgument;
use super::findings::Findings;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::series::units_of;
use crate::{Datasets, reading};

/// Measures how near two fields are.
pub(crate) struct ComputeSkillMetrics;

/// Arguments of `compute_skill_metrics`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What is judged.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    model: FieldArgument,
    /// What it is judged by, at the same places and times.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "=model"}))]
    observed: FieldArgument,
    /// Weights of the cells.
    #[serde(default)]
    weighting: WeightArgument,
}

impl Computation for ComputeSkillMetrics {
    const NAME: &'static str = "compute_skill_metrics";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Model against observations: bias, errors, correlation, skill.", Port::of(Kind::Statistic))
            .description(
                "Over pairs that are present in both, position by position: bias = mean(model - observed), rmse, mae, \
                 centred rmse, Pearson correlation, population standard deviations, Nash-Sutcliffe efficiency 1 - sum d2/sum \
                 (o - mean o)2, Willmott's (1981) index of agreement 1 - sum d2/sum (|m - mean o| + |o - mean o|)2. The \
                 shapes must agree; observed is converted to the units of model.",
            )
            .evidence(&[
                "bias", "rmse", "mae", "crmse", "correlation", "std_model", "std_observed", "nse", "willmott", "n",
            ])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let model = arguments.model.open(datasets, context)?;
        let mut observed = arguments.observed.open(datasets, context)?;
        if observed.units() != model.units() {
            observed =
                observed.with_units(model.units()).map_err(|error| ToolError::invalid(error.to_string()))?;
        }
        let (plane, levels) = arguments.weighting.of(&model);
        let mut pairs: Vec<(f64, f64, f64)> = Vec::new();
        let chunks = walk_together(
            &[&model, &observed],
            &reading::control(context),
            |blocks| {
                let [_, z0, y0, x0] = blocks[0].offset;
                let mut own = Vec::new();
                for ((at, m), o) in blocks[0].values.indexed_iter().zip(blocks[1].values.iter()) {
                    let (_, z, y, x) = at;
                    let weight = plane[[y0 + y, x0 + x]] * levels.get(z0 + z).copied().unwrap_or(1.0);
                    if !m.is_nan() && !o.is_nan() && weight > 0.0 {
                        own.push((*m, *o, weight));
                    }
                }
                own
            },
            |own| pairs.extend(own),
        )
        .map_err(|error| reading::cannot_read(&error))?;
        let n = pairs.len();
        if n < 2 {
            return Err(ToolError::no_data(format!("there are {n} pairs with both values and 2 are needed")));
        }
        let total: f64 = pairs.iter().map(|pair| pair.2).sum();
        let mean =
            |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(m, o, w)| w * of(*m, *o)).sum::<f64>() / total;
        let (mean_m, mean_o) = (mean(&|m, _| m), mean(&|_, o| o));
        let bias = mean_m - mean_o;
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
        let units = units_of(&model);
        let mut findings = Findings::by(format!(
            "{} against {}, {}",
            model.name(),
            observed.name(),
            arguments.weighting.text()
        ))
        .from(n)
        .number("bias", bias, &units, "mean of model less observed")
        .number("rmse", sqrt(squares), &units, "root mean square error")
        .number("mae", mean(&|m, o| (m - o).abs()), &units, "mean absolute error")
        .number("crmse", sqrt(centred), &units, "root mean square error without the bias")
        .number("correlation", covariance / sqrt(var_m * var_o), "1", "correlation of the pairs")
        .number("std_model", sqrt(var_m), &units, "population standard deviation of the model")
        .number("std_observed", sqrt(var_o), &units, "population standard deviation of the observed")
        .number("nse", 1.0 - squares / var_o, "1", "Nash-Sutcliffe efficiency")
        .number("willmott", 1.0 - squares / potential, "1", "Willmott's index of agreement")
        .count("n", n, "pairs");
        for (field, chunks) in [&model, &observed].into_iter().zip(&chunks) {
            findings = findings.notes(reading::notes(field)).source(reading::source(field, chunks));
        }
        Ok(findings.document(Kind::Statistic, format!("{}_skill", model.name())))
    }
}
