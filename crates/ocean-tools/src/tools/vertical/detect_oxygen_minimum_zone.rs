//! `detect_oxygen_minimum_zone`: boundaries and core of an oxygen minimum zone.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::cf::Unit;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::substance::Substance;
use crate::kernels::vertical;
use crate::kernels::zones::below;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};

/// An oxygen minimum zone.
pub(crate) struct DetectOxygenMinimumZone;

/// Arguments of `detect_oxygen_minimum_zone`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Dissolved oxygen: moles, mass or volume of gas in a volume of water, or moles in a mass of water with `density`.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    oxygen: FieldArgument,
    /// Below this the water belongs to the zone, mmol m-3.
    #[serde(default = "threshold")]
    #[schemars(range(min = 0.0))]
    threshold: f64,
    /// Density of the water in kg m-3, for oxygen that is given in a mass of water.
    #[serde(default)]
    density: Option<f64>,
}

fn threshold() -> f64 {
    20.0
}

impl Computation for DetectOxygenMinimumZone {
    const NAME: &'static str = "detect_oxygen_minimum_zone";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Boundaries, thickness and core of an oxygen minimum zone.", port("m"))
            .description(
                "The depths where oxygen crosses the threshold (20 mmol m-3, the core of Paulmier and Ruiz-Pino 2009), linear between levels: upper_depth is the first from the surface, in m; array lower_depth is the last, thickness the sum of the water between them that is below the threshold, core_depth and core_oxygen (mmol m-3) the level with the least oxygen. Array is_open is 1 where the column ends inside of the zone: lower_depth is then its last level and the thickness a lower bound. Missing where no water is below the threshold.",
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
    let oxygen = arguments.oxygen.open(datasets, context)?;
    let refuse = |error: String| {
        ToolError::invalid(format!("`{}` cannot be given in mmol m-3: {error}", oxygen.name()))
    };
    let from: Unit = oxygen.units().parse().map_err(|error| refuse(format!("{error}")))?;
    let to: Unit = "mmol m-3".parse().map_err(|error| refuse(format!("{error}")))?;
    let (conversion, how) = Substance::O2.conversion(&from, &to, arguments.density).map_err(refuse)?;
    let columns = Columns::of(vec![oxygen]);
    columns.need_levels(2)?;
    let computed = columns.compute(context, &Levels::None, 6, |view| {
        let values: Vec<f64> = view.values[0].iter().map(|&own| conversion.apply(own)).collect();
        let (z, v) = vertical::present(view.depth, &values);
        let Some(zone) = below(&z, &v, arguments.threshold) else { return vec![vec![f64::NAN]; 6] };
        let core = (0..v.len()).fold(0, |best, own| if v[own] < v[best] { own } else { best });
        let open = f64::from(u8::from(zone.is_open));
        [zone.upper, zone.lower, zone.thickness, z[core], v[core], open].map(|part| vec![part]).to_vec()
    })?;
    let method = format!("water with less than {} mmol m-3 of oxygen{how}", arguments.threshold);
    let quantities = [
        ("upper_depth", "m"),
        ("lower_depth", "m"),
        ("thickness", "m"),
        ("core_depth", "m"),
        ("core_oxygen", "mmol m-3"),
        ("is_open", "1"),
    ]
    .map(|(name, units)| Quantity::new(name, units));
    columns.output(&Levels::None, &quantities, &computed, &method, vec![])
}
