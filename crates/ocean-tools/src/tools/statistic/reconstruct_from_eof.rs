//! `reconstruct_from_eof`: a field made of chosen modes.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use schemars::JsonSchema;
use serde::Deserialize;

use super::findings::Findings;
use super::modes::Modes;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;

/// Adds up modes.
pub(crate) struct ReconstructFromEof;

/// Arguments of `reconstruct_from_eof`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What `perform_eof_analysis` or `compute_rotated_eof` returned.
    #[schemars(extend("x-leg-port" = {"kind": "eof", "unit": "any"}))]
    eof_result: ArtifactArgument,
    /// The modes, from 1.
    #[schemars(length(min = 1, max = 100))]
    mode_indices: Vec<usize>,
}

impl Computation for ReconstructFromEof {
    const NAME: &'static str = "reconstruct_from_eof";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port { or: vec![Kind::Hovmoller, Kind::Series], ..Port::of(Kind::Field) };
        ToolSpec::new("statistic", "Rebuild a field from chosen modes.", port)
            .description(
                "Sum of pc times pattern over the modes, in the units of the analysed data: anomalies without the cycle \
                 and the mean that the analysis took out.",
            )
            .evidence(&["min", "max", "share", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let modes = Modes::read(&arguments.eof_result, context)?;
        compute(arguments, &modes)
    }
}

fn compute(arguments: &Arguments, modes: &Modes) -> Result<ToolOutput, ToolError> {
    let have = modes.pattern.nrows();
    let mut chosen = arguments.mode_indices.clone();
    chosen.sort_unstable();
    chosen.dedup();
    if chosen.len() != arguments.mode_indices.len() || chosen.iter().any(|mode| !(1..=have).contains(mode)) {
        return Err(ToolError::invalid(format!("mode_indices must be different numbers from 1 to {have}")));
    }
    let (times, cells) = (modes.pc.ncols(), modes.pattern.ncols());
    if times.saturating_mul(cells) > 1 << 28 {
        return Err(ToolError::invalid(
            "the field would have more than 2 GiB; analyse a smaller region or a coarser step",
        ));
    }
    let mut values = vec![0.0; times * cells];
    for (time, row) in values.chunks_exact_mut(cells.max(1)).enumerate() {
        for (cell, value) in row.iter_mut().enumerate() {
            *value =
                chosen.iter().map(|mode| modes.pc[[mode - 1, time]] * modes.pattern[[mode - 1, cell]]).sum();
        }
    }
    let share: f64 = chosen.iter().map(|mode| modes.variance[mode - 1] / modes.total_variance).sum();
    let own = &modes.artifact;
    let pattern = own.primary().cloned().ok_or_else(|| ToolError::invalid("the analysis has no patterns"))?;
    let pc_units = own.variable("pc").map_or("1", |pc| pc.units.as_str());
    let units = if pc_units == "1" { pattern.units.clone() } else { pc_units.to_owned() };
    let mut dims = pattern.dims.clone();
    let mut shape = pattern.shape.clone();
    "time".clone_into(&mut dims[0]);
    shape[0] = times;
    let text = format!("reconstruction from modes {chosen:?}");
    let extreme = |name: &str, what: &str, better: fn(f64, f64) -> bool| {
        let present = values.iter().copied().enumerate().filter(|(_, value)| !value.is_nan());
        let best = present.reduce(|best, next| if better(next.1, best.1) { next } else { best });
        let draft = EvidenceDraft::new(
            name,
            best.map_or(f64::NAN, |best| best.1),
            &units,
            &format!("{what}: {text}"),
        );
        best.map_or(draft.clone(), |best| draft.pointer(format!("/values/{}", best.0)))
    };
    let drafts =
        vec![extreme("min", "smallest value", |a, b| a < b), extreme("max", "largest value", |a, b| a > b)];
    let n = values.iter().filter(|value| !value.is_nan()).count();
    let kind = match dims.len() {
        1 => Kind::Series,
        2 => Kind::Hovmoller,
        _ => Kind::Field,
    };
    let mut artifact = Artifact {
        kind,
        name: format!("{}_reconstruction", own.name),
        variables: vec![Variable {
            name: "reconstruction".to_owned(),
            standard_name: None,
            units,
            dims,
            shape,
            values,
        }],
        ..own.clone()
    };
    artifact.coords.remove("mode");
    Ok(Findings::by(text)
        .with(drafts)
        .number("share", share, "1", "share of variance of these modes")
        .count("n", n, "number of values")
        .onto(artifact))
}
