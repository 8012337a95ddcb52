//! `combine_masks`: and, or, xor of masks.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use schemars::JsonSchema;
use serde::Deserialize;

use super::build_threshold_mask::counts;
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::Frame;
use crate::masking::Mask;

/// Combines masks by three-valued logic.
pub(crate) struct CombineMasks;

/// Arguments of `combine_masks`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The masks; the one with the most axes is the grid of the result.
    #[schemars(length(min = 1), extend("x-leg-port" = {"kind": "mask", "unit": "1"}))]
    masks: Vec<FieldArgument>,
    /// How they are combined.
    #[serde(default)]
    operation: Operation,
    /// Turns the result round.
    #[serde(default)]
    invert: bool,
}

/// A logical operation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operation {
    /// All are true.
    #[default]
    And,
    /// One is true.
    Or,
    /// An odd number is true.
    Xor,
}

impl Operation {
    /// Kleene's logic: what is missing decides nothing, unless the others decide without it.
    fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Self::And if a == 0.0 || b == 0.0 => 0.0,
            Self::Or if a > 0.0 || b > 0.0 => 1.0,
            _ if a.is_nan() || b.is_nan() => f64::NAN,
            Self::And => 1.0,
            Self::Or => 0.0,
            Self::Xor => f64::from(u8::from((a > 0.0) != (b > 0.0))),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
        }
    }
}

impl Computation for CombineMasks {
    const NAME: &'static str = "combine_masks";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Logical combination of masks.", Port::of(Kind::Mask).unit("1"))
            .description(
                "Kleene's three-valued logic: false and missing is false, true or missing is true, everything else with a \
                 missing value is missing. An axis that a mask lacks holds for all places of the others.",
            )
            .evidence(&["n_true", "n_valid", "fraction"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let fields: Vec<Field> =
            arguments.masks.iter().map(|mask| mask.open(datasets, context)).collect::<Result<_, _>>()?;
        let grid = fields
            .iter()
            .max_by_key(|field| field.len())
            .ok_or_else(|| ToolError::invalid("`masks` is empty; name at least one mask"))?;
        let masks = arguments
            .masks
            .iter()
            .map(|mask| Mask::over(grid, mask, datasets, context))
            .collect::<Result<Vec<_>, _>>()?;
        let combined = by_cell(&[grid], context, |place, _| {
            let all = masks.iter().map(|mask| mask.at(place));
            let result = all.reduce(|a, b| arguments.operation.of(a, b)).unwrap_or(f64::NAN);
            match result {
                value if value.is_nan() => value,
                value => f64::from(u8::from((value > 0.0) != arguments.invert)),
            }
        })?;
        let frame = Frame::of(grid)?;
        let names: Vec<&str> = fields.iter().map(Field::name).collect();
        let joined = names.join(&format!(" {} ", arguments.operation.word()));
        let condition = if arguments.invert { format!("not ({joined})") } else { joined };
        let variable = frame.variable("mask", "1", &combined.values);
        let drafts = counts(&variable.values, &condition);
        let mut artifact = frame.artifact("mask", variable).with_attribute("condition", condition);
        artifact.kind = Kind::Mask;
        Ok(ToolOutput::of(artifact).with_evidence(drafts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_decides_nothing_unless_the_other_does() {
        let (t, f, m) = (1.0, 0.0, f64::NAN);
        for (operation, a, b, expected) in [
            (Operation::And, t, t, t),
            (Operation::And, f, m, f),
            (Operation::And, t, m, m),
            (Operation::Or, t, m, t),
            (Operation::Or, f, m, m),
            (Operation::Or, f, f, f),
            (Operation::Xor, t, f, t),
            (Operation::Xor, t, t, f),
            (Operation::Xor, t, m, m),
        ] {
            let found = operation.of(a, b);
            assert_eq!(found.to_bits(), expected.to_bits(), "{operation:?} {a} {b}");
        }
    }
}
