//! `compute_rotated_eof`: varimax rotation of modes.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::sqrt;
use ndarray::Array2;
use schemars::JsonSchema;
use serde::Deserialize;

use super::findings::Findings;
use super::modes::Modes;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::eof::{dot, varimax};

/// Rotates modes.
pub(crate) struct ComputeRotatedEof;

/// Arguments of `compute_rotated_eof`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What `perform_eof_analysis` returned, with `unit_variance` scaling.
    #[schemars(extend("x-leg-port" = {"kind": "eof", "unit": "any"}))]
    eof_result: ArtifactArgument,
    /// How many of its modes are rotated; all if absent.
    #[serde(default)]
    #[schemars(range(min = 2))]
    n_rotate: Option<usize>,
    /// Let each cell count alike in the criterion, whatever its variance (Kaiser's normalisation).
    #[serde(default = "yes")]
    kaiser: bool,
}

fn yes() -> bool {
    true
}

impl Computation for ComputeRotatedEof {
    const NAME: &'static str = "compute_rotated_eof";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Varimax-rotated EOFs.", Port::of(Kind::Eof))
            .description(
                "Rotates the weighted loadings, scaled by the standard deviation of their time series, to the largest \
                 variance of their squares (varimax, Kaiser 1958; with kaiser each cell scaled to the same size first). Patterns and time series turn with \
                 them; time series stay uncorrelated with unit variance. Sorted by share of the total variance; the \
                 largest loading is positive.",
            )
            .evidence(&["explained_1", "explained_2", "explained_total", "n_modes"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let modes = Modes::read(&arguments.eof_result, context)?;
        compute(arguments, modes)
    }
}

fn compute(arguments: &Arguments, modes: Modes) -> Result<ToolOutput, ToolError> {
    if modes.artifact.content.get("scaling").is_some_and(|scaling| scaling != "unit_variance") {
        return Err(ToolError::invalid(
            "rotation needs modes with scaling unit_variance; run the analysis with it",
        ));
    }
    let have = modes.loading.nrows();
    let count = arguments.n_rotate.unwrap_or(have);
    if count < 2 || count > have {
        return Err(ToolError::invalid(format!(
            "n_rotate is {count} and must be from 2 to {have}, the modes there are"
        )));
    }
    let present: Vec<usize> =
        (0..modes.loading.ncols()).filter(|cell| !modes.loading[[0, *cell]].is_nan()).collect();
    let scaled: Vec<Vec<f64>> = (0..count)
        .map(|mode| {
            present.iter().map(|cell| modes.loading[[mode, *cell]] * sqrt(modes.variance[mode])).collect()
        })
        .collect();
    let (rotated, rotation) = varimax(&scaled, arguments.kaiser);
    let variance: Vec<f64> = rotated.iter().map(|own| dot(own, own)).collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| variance[*b].total_cmp(&variance[*a]));
    let sign = |mode: usize| {
        let largest =
            rotated[mode].iter().fold(0.0_f64, |best, own| if own.abs() > best.abs() { *own } else { best });
        if largest < 0.0 { -1.0 } else { 1.0 }
    };
    // The rotation mixes whatever has one row a mode.
    let turn = |rows: &Array2<f64>| -> Vec<f64> {
        let mut out = Vec::with_capacity(count * rows.ncols());
        for &own in &order {
            for column in 0..rows.ncols() {
                let sum: f64 = (0..count).map(|mode| rotation[mode][own] * rows[[mode, column]]).sum();
                out.push(sign(own) * sum);
            }
        }
        out
    };
    let (pattern, pc) = (turn(&modes.pattern), turn(&modes.pc));
    let mut loading = vec![f64::NAN; count * modes.loading.ncols()];
    for (row, &own) in order.iter().enumerate() {
        for (at, cell) in present.iter().enumerate() {
            loading[row * modes.loading.ncols() + cell] = sign(own) * rotated[own][at] / sqrt(variance[own]);
        }
    }
    let variance: Vec<f64> = order.iter().map(|&own| variance[own]).collect();
    let share: Vec<f64> = variance.iter().map(|own| own / modes.total_variance).collect();
    let mut artifact = modes.artifact;
    let baseline = artifact.content.get("baseline").and_then(serde_json::Value::as_str).map(str::to_owned);
    let window =
        artifact.content.get("window").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    artifact.name = format!("{}_rotated", artifact.name);
    artifact.variables.retain(|own| {
        ["pattern", "pc", "loading", "explained_variance", "explained_variance_ratio"]
            .contains(&own.name.as_str())
    });
    for variable in &mut artifact.variables {
        variable.values = match variable.name.as_str() {
            "pattern" => pattern.clone(),
            "pc" => pc.clone(),
            "loading" => loading.clone(),
            "explained_variance" => variance.clone(),
            _ => share.clone(),
        };
        if let Some(first) = variable.shape.first_mut() {
            *first = count;
        }
    }
    if let Some(coord) = artifact.coords.get_mut("mode") {
        coord.values.truncate(count);
    }
    Ok(Findings::by(format!(
        "varimax rotation of {count} EOFs{}",
        if arguments.kaiser { ", Kaiser normalised" } else { "" }
    ))
    .relative_to(baseline.as_deref())
    .during(window)
    .number("explained_1", share[0], "1", "share of variance of rotated mode 1")
    .number("explained_2", share[1], "1", "share of variance of rotated mode 2")
    .number("explained_total", share.iter().sum(), "1", "share of variance of all of them")
    .count("n_modes", count, "modes rotated")
    .onto(artifact))
}
