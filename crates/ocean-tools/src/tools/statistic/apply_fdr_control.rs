//! `apply_fdr_control`: which cells of a map of p values are discoveries.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use schemars::JsonSchema;
use serde::Deserialize;

use super::findings::Findings;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::false_discovery::{discoveries, threshold};

/// Controls the rate of false discoveries.
pub(crate) struct ApplyFdrControl;

/// Arguments of `apply_fdr_control`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A map of p values, or a result that holds one as an array `p_value`, such as that of `compute_field_trend`.
    #[schemars(extend("x-leg-port" = {"kind": "map", "or": ["field", "section", "hovmoller", "profile", "series"], "unit": "any"}))]
    p_values: ArtifactArgument,
    /// Expected share of false ones among the discoveries; twice the wanted level of the field for dependent cells.
    #[serde(default = "tenth")]
    #[schemars(range(min = 0.0, max = 1.0))]
    alpha: f64,
}

fn tenth() -> f64 {
    0.1
}

impl Computation for ApplyFdrControl {
    const NAME: &'static str = "apply_fdr_control";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Cells that are significant together.", Port::of(Kind::Mask).unit("1"))
            .description(
                "1 where p is at most the largest sorted p_(i) with p_(i) <= alpha i/n, 0 elsewhere, missing where p is \
                 (Benjamini and Hochberg 1995; Wilks 2016). adjusted_p is the smallest alpha at which a cell is found. \
                 Cells count alike, whatever their area.",
            )
            .evidence(&["n_significant", "n_tests", "fraction", "threshold", "n_below_alpha", "smallest_p"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        compute(arguments, context)
    }
}

fn compute(arguments: &Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let mut artifact = arguments.p_values.read(context)?;
    let found = artifact.variable("p_value").or_else(|| artifact.primary()).cloned();
    let Some(variable) = found else {
        return Err(ToolError::invalid(format!(
            "`{}` has no array; give a map of p values, such as the result of `compute_field_trend`",
            artifact.name
        )));
    };
    let p = &variable.values;
    if let Some(wrong) = p.iter().find(|p| !p.is_nan() && !(0.0..=1.0).contains(*p)) {
        return Err(ToolError::invalid(format!(
            "`{}` holds {wrong}, which is no p value; give probabilities from 0 to 1",
            variable.name
        )));
    }
    let tests = p.iter().filter(|p| !p.is_nan()).count();
    if tests == 0 {
        return Err(ToolError::no_data(format!(
            "`{}` has no p values; choose another region",
            variable.name
        )));
    }
    let flags: Vec<f64> = p
        .iter()
        .zip(discoveries(p, arguments.alpha))
        .map(|(p, found)| if p.is_nan() { f64::NAN } else { f64::from(u8::from(found)) })
        .collect();
    let significant = flags.iter().filter(|own| **own > 0.0).count();
    let smallest = p.iter().copied().fold(f64::NAN, f64::min);
    let below = p.iter().filter(|p| **p < arguments.alpha).count();
    let limit = threshold(p, arguments.alpha);
    let array = |name: &str, values: Vec<f64>| Variable {
        name: name.to_owned(),
        standard_name: None,
        units: "1".to_owned(),
        values,
        ..variable.clone()
    };
    artifact.kind = Kind::Mask;
    artifact.name = format!("{}_significant", artifact.name);
    artifact.variables = vec![array("significant", flags), array("adjusted_p", adjusted(p))];
    artifact.coords.retain(|name, _| variable.dims.contains(name) || !matches!(name.as_str(), "mode"));
    let text = format!("Benjamini-Hochberg at a false discovery rate of {}", arguments.alpha);
    let findings = Findings::by(text)
        .from(tests)
        .count("n_significant", significant, "cells that are discoveries")
        .count("n_tests", tests, "cells with a p value")
        .number("fraction", significant as f64 / tests as f64, "1", "share of the cells that are discoveries")
        .number("threshold", limit.unwrap_or(f64::NAN), "1", "largest p value of a discovery")
        .count("n_below_alpha", below, "cells with p below alpha, each tested alone")
        .number("smallest_p", smallest, "1", "smallest p value");
    let findings = if significant == 0 {
        findings.note("no cell is a discovery at this rate: the field as a whole is not significant")
    } else {
        findings
    };
    Ok(findings.onto(artifact))
}

/// The smallest rate at which each test is a discovery; missing stays missing.
fn adjusted(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).filter(|at| !p[*at].is_nan()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let n = order.len() as f64;
    let mut out = vec![f64::NAN; p.len()];
    let mut least = 1.0_f64;
    for (rank, &at) in order.iter().enumerate().rev() {
        least = least.min(p[at] * n / (rank as f64 + 1.0));
        out[at] = least;
    }
    out
}
