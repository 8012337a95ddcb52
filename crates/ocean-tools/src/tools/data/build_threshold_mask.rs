//! `build_threshold_mask`: where a field compares with a number.

use leg_core::{EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::Frame;
use crate::series::units_of;
use crate::{Datasets, reading};

/// Compares each value with a number.
pub(crate) struct BuildThresholdMask;

/// Arguments of `build_threshold_mask`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// The number, in the units of the field.
    #[schemars(extend("x-leg-port" = {"unit": "=data"}))]
    threshold: f64,
    /// How a value stands to the number where the mask is true.
    comparison: Comparison,
    /// What to call it.
    #[serde(default)]
    mask_name: Option<String>,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Comparison {
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

impl Comparison {
    /// Whether it holds.
    pub(crate) fn holds(self, value: f64, threshold: f64) -> bool {
        match self {
            Self::Lt => value < threshold,
            Self::Le => value <= threshold,
            Self::Gt => value > threshold,
            Self::Ge => value >= threshold,
        }
    }

    /// The sign.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }
}

impl Computation for BuildThresholdMask {
    const NAME: &'static str = "build_threshold_mask";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Mask from one comparison with a number.", Port::of(Kind::Mask).unit("1"))
            .description(
                "1 where the comparison holds, 0 where it does not, missing where the field is missing: land and gaps are \
                 unknown, not false. The number is in the units of the field.",
            )
            .evidence(&["n_true", "n_valid", "fraction"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let (threshold, comparison) = (arguments.threshold, arguments.comparison);
        let mask = by_cell(&[&field], context, |_, cell| match cell[0] {
            value if value.is_nan() => f64::NAN,
            value => f64::from(u8::from(comparison.holds(value, threshold))),
        })?;
        let frame = Frame::of(&field)?;
        let condition = format!(
            "{} {} {threshold} {}",
            field.variable().identity_name(),
            comparison.sign(),
            units_of(&field)
        );
        let name = arguments.mask_name.clone().unwrap_or_else(|| "mask".to_owned());
        let variable = frame.variable(&name, "1", &mask.values);
        let drafts = counts(&variable.values, &condition);
        let mut artifact = frame.artifact(&name, variable).with_attribute("condition", condition);
        artifact.kind = Kind::Mask;
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&field, &mask.chunks[0])))
    }
}

/// How many cells of a mask are true and how many are known.
pub(crate) fn counts(values: &[f64], condition: &str) -> Vec<EvidenceDraft> {
    let valid = values.iter().filter(|value| !value.is_nan()).count();
    let holds = values.iter().filter(|value| **value > 0.0).count();
    let share = if valid > 0 { holds as f64 / valid as f64 } else { f64::NAN };
    vec![
        EvidenceDraft::new(
            "n_true",
            holds as u64,
            "1",
            &format!("number of cells and times where {condition}"),
        ),
        EvidenceDraft::new("n_valid", valid as u64, "1", "number of cells and times with a value"),
        EvidenceDraft::new(
            "fraction",
            share,
            "1",
            &format!("share of the cells and times with a value where {condition}"),
        ),
    ]
}
