//! `compute_richardson_number`: stratification over shear.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::Frame;
use crate::outcome::{Quantity, any_array, read_from};
use crate::together::{Part, one_grid};
use crate::{Datasets, evidence};

/// Square of the shear, in s-2, below which the ratio has no meaning.
const CALM: f64 = 1e-16;

/// The gradient Richardson number.
pub(crate) struct ComputeRichardsonNumber;

/// Arguments of `compute_richardson_number`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Squared buoyancy frequency, half-way between the levels of the current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "hovmoller", "map"], "unit": "s-2"}))]
    n2_data: FieldArgument,
    /// What `compute_vertical_shear` returned, on the same levels.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "hovmoller", "map"], "unit": "s-1"}))]
    shear: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
}

impl Computation for ComputeRichardsonNumber {
    const NAME: &'static str = "compute_richardson_number";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let names = [&evidence::SERIES[..], &["below_quarter", "below_one"]].concat();
        ToolSpec::new("dynamics", "Gradient Richardson number.", any_array("1"))
            .description(
                "Ri = N² / (u_z² + v_z²) where N² and the shear stand on the same levels, half-way between those of the data; \
                 missing where the squared shear is below 1e-16 s-2. `below_quarter` is the share of the values below 0.25, \
                 under which a stratified shear flow can become unstable (Miles 1961; Howard 1961), `below_one` that below 1.",
            )
            .evidence(&names)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part {
            region: arguments.region.as_ref(),
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
        };
        let n2 = part.open(&arguments.n2_data, "s-2", datasets, context)?;
        let shear = part.open(&arguments.shear, "s-1", datasets, context)?;
        one_grid(&[&n2, &shear])?;
        let derived = by_cell(&[&n2, &shear], context, |_, cell| {
            let square = cell[1] * cell[1];
            if square < CALM { f64::NAN } else { cell[0] / square }
        })?;
        let quantity = Quantity {
            name: "richardson_number",
            standard_name: Some("richardson_number_in_sea_water"),
            units: "1",
            method: "gradient Richardson number N² / (u_z² + v_z²)",
        };
        let output = quantity.output(&Frame::of(&n2)?, &derived.values);
        let n = derived.values.iter().filter(|value| !value.is_nan()).count();
        let share = |name: &str, limit: f64| {
            let below = derived.values.iter().filter(|&&value| value < limit).count();
            let how = format!("share of the values of the Richardson number below {limit}");
            EvidenceDraft::new(name, below as f64 / n as f64, "1", &how).n(n)
        };
        let output = output.with_evidence([share("below_quarter", 0.25), share("below_one", 1.0)]);
        Ok(read_from(output, &[&n2, &shear], &derived.chunks))
    }
}
