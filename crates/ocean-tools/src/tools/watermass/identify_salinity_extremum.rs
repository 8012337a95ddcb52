//! `identify_salinity_extremum`: the subsurface salinity maximum or minimum.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::water_tool::port;
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::extremum;
use crate::kernels::interpolation::{Method, interpolate};
use crate::kernels::vertical::present;
use crate::series::units_of;
use crate::together::{in_units, one_grid};
use crate::tools::vertical::layer_argument;
use crate::water::SalinityKind;
use crate::{Datasets, evidence};

/// A subsurface salinity extremum.
pub(crate) struct IdentifySalinityExtremum;

/// Arguments of `identify_salinity_extremum`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Salinity, practical or absolute.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: FieldArgument,
    /// Potential density on the same grid, for that of the extremum.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "kg m-3"}))]
    density: Option<FieldArgument>,
    /// Which extremum.
    #[serde(default)]
    kind: Extremum,
    /// Upper and lower depth between which it is sought, m.
    #[serde(default)]
    depth_range: Option<[f64; 2]>,
}

/// Which extremum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Extremum {
    /// The smallest.
    Min,
    /// The largest.
    #[default]
    Max,
}

impl Computation for IdentifySalinityExtremum {
    const NAME: &'static str = "identify_salinity_extremum";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Depth and value of the subsurface salinity maximum or minimum.", port("m"))
            .description(
                "The largest (or smallest) salinity that both neighbouring levels are below (above), with depth (m) and value at the top of the parabola through the three; arrays salinity and, with density, sigma0 (kg m-3), linear at that depth. Salinity is taken as it is. A column whose extreme is at its surface or its end alone has none inside and is missing.",
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
        layer_argument::check(range, 1.0)?;
    }
    let [top, bottom] = arguments.depth_range.unwrap_or([0.0, f64::INFINITY]);
    let mut notes = Vec::new();
    let salt = arguments.salt.open(datasets, context)?;
    let kind = SalinityKind::of(&salt, &mut notes);
    let mut quantities =
        vec![Quantity::new("salinity_extremum_depth", "m"), Quantity::new("salinity", &units_of(&salt))];
    let mut fields = vec![salt];
    if let Some(density) = &arguments.density {
        fields.push(in_units(&density.open(datasets, context)?, "kg m-3")?);
        quantities.push(Quantity::new("sigma0", "kg m-3"));
    }
    one_grid(&fields.iter().collect::<Vec<_>>())?;
    let columns = Columns::of(fields);
    columns.need_levels(3)?;
    let is_max = arguments.kind == Extremum::Max;
    let n = quantities.len();
    let computed = columns.compute(context, &Levels::None, n, |view| {
        let (z, v): (Vec<f64>, Vec<f64>) = view
            .depth
            .iter()
            .zip(&view.values[0])
            .filter(|(z, v)| v.is_finite() && (top..=bottom).contains(*z))
            .map(|(z, v)| (*z, *v))
            .unzip();
        let Some((depth, value)) = extremum::inside(&z, &v, is_max) else { return vec![vec![f64::NAN]; n] };
        let mut parts = vec![vec![depth], vec![value]];
        if let Some(density) = view.values.get(1) {
            let (z, rho) = present(view.depth, density);
            let own = interpolate(&z, &rho, &[depth], Method::Linear)[0];
            parts.push(vec![if own > 500.0 { own - 1000.0 } else { own }]);
        }
        parts
    })?;
    let what = if is_max { "maximum" } else { "minimum" };
    let range =
        arguments.depth_range.map_or_else(String::new, |[top, bottom]| format!(" from {top} to {bottom} m"));
    let method = format!("depth of the subsurface {what} of {}{range}", kind.words());
    columns.output(&Levels::None, &quantities, &computed, &method, notes)
}
