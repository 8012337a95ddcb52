//! `compute_freshwater_content`: freshwater relative to a reference salinity.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::layer_argument::{self, Layers};
use crate::argument::FieldArgument;
use crate::columns::{ColumnView, Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::vertical::{self, Occurrence};
use crate::tools::watermass::water_tool::port;
use crate::water::SalinityKind;
use crate::{Datasets, evidence};

/// Freshwater content.
pub(crate) struct ComputeFreshwaterContent;

/// Arguments of `compute_freshwater_content`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Salinity, practical or absolute.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: FieldArgument,
    /// Salinity that holds no fresh water, of the same kind as `salt`.
    #[serde(default = "reference")]
    #[schemars(range(min = 1.0, max = 50.0))]
    s_ref: f64,
    /// Upper and lower depth, m; from the surface down to where salinity reaches `s_ref` if absent.
    #[serde(default)]
    depth_range: Option<[f64; 2]>,
    /// What stands for the values between the levels.
    #[serde(default = "layer_argument::trapezoids")]
    layers: Layers,
    /// Share of a stated layer that must have values.
    #[serde(default = "layer_argument::whole")]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_coverage: f64,
}

fn reference() -> f64 {
    34.8
}

impl Computation for ComputeFreshwaterContent {
    const NAME: &'static str = "compute_freshwater_content";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Freshwater content relative to a reference salinity.", port("m"))
            .description(
                "The integral of (1 - S/S_ref) over depth in m of fresh water, from the surface to the first depth where S reaches S_ref (Proshutinsky et al. 2009), or over a stated layer. S is taken as it is, practical or absolute, and S_ref is of the same kind. Array lower_depth holds where the integral ends; a column that never reaches S_ref counts to its last value and has 1 in array to_last_value, one that is saltier from its first value on has no fresh water and a content of 0. In a stated layer saltier water counts negative.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        run(arguments, datasets, context)
    }
}

fn run(arguments: &Arguments, datasets: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    if let Some(range) = arguments.depth_range {
        layer_argument::check(range, arguments.min_coverage)?;
    }
    let salt = arguments.salt.open(datasets, context)?;
    let mut notes = Vec::new();
    let kind = SalinityKind::of(&salt, &mut notes);
    let columns = Columns::of(vec![salt]);
    columns.need_levels(2)?;
    let computed = columns.compute(context, &Levels::None, 3, |view| {
        content(arguments, view)
            .map_or(vec![vec![f64::NAN]; 3], |parts| parts.map(|part| vec![part]).to_vec())
    })?;
    let s_ref = arguments.s_ref;
    let range = match arguments.depth_range {
        Some([top, bottom]) => format!("from {top} to {bottom} m"),
        None => format!("from the surface to where salinity reaches {s_ref}"),
    };
    let method = format!("freshwater content {range} relative to {} {s_ref}", kind.words());
    let quantities = [
        Quantity::new("freshwater_content", "m"),
        Quantity::new("lower_depth", "m"),
        Quantity::new("to_last_value", "1"),
    ];
    columns.output(&Levels::None, &quantities, &computed, &method, notes)
}

/// Content, lower depth, and whether that is the last value.
fn content(arguments: &Arguments, view: &ColumnView<'_>) -> Option<[f64; 3]> {
    let salt = &view.values[0];
    let fresh: Vec<f64> = salt.iter().map(|salt| 1.0 - salt / arguments.s_ref).collect();
    if let Some([top, bottom]) = arguments.depth_range {
        let part = arguments.layers.integral(view, &fresh, top, bottom);
        let is_whole = layer_argument::covered(part, top, bottom, arguments.min_coverage);
        return is_whole.then_some([part.sum, bottom, 0.0]);
    }
    let (z, v) = vertical::present(view.depth, salt);
    if *v.first()? >= arguments.s_ref {
        return Some([0.0, 0.0, 0.0]);
    }
    let end = vertical::crossing(view.depth, salt, arguments.s_ref, Occurrence::First);
    let lower = end.unwrap_or(*z.last()?);
    let part = arguments.layers.integral(view, &fresh, 0.0, lower);
    Some([part.sum, lower, f64::from(u8::from(end.is_none()))])
}
