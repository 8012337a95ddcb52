//! `convert_units`: a field in another unit.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::cf::Unit;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::{Frame, any_grid};
use crate::kernels::substance::Substance;
use crate::{Datasets, evidence, reading};

/// Converts a field by the dimensions of its unit, and by substance where that is needed.
pub(crate) struct ConvertUnits;

/// Arguments of `convert_units`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// The unit to give, as a CF string.
    target_unit: String,
    /// What is dissolved: needed between moles, mass and volume of gas.
    #[serde(default)]
    substance: Substance,
    /// Density of the water in kg m-3: needed between amounts a volume and amounts a mass of water.
    #[serde(default)]
    #[schemars(range(min = 900.0, max = 1100.0))]
    density: Option<f64>,
}

impl Computation for ConvertUnits {
    const NAME: &'static str = "convert_units";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Field in another unit.", any_grid().unit("any"))
            .description(
                "Units of one dimension are converted as UDUNITS does. With a substance also between moles and mass (O2 \
                 31.998, N 14.007, P 30.974, Si 28.085, C 12.011 g/mol) and, for O2, mL of gas at 0 degC and 1 atm (44.66 \
                 mmol a litre, ICES). Between a volume and a mass of sea water the density must be stated.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        if field.units().is_empty() {
            return Err(ToolError::invalid(format!(
                "the data state no units for `{}`, so nothing can be converted; name its unit in the configuration",
                field.name()
            )));
        }
        let wrong = |error: String| ToolError::invalid(error);
        let from: Unit = field.units().parse().map_err(|error| wrong(format!("{error}")))?;
        let to: Unit = arguments.target_unit.parse().map_err(|error| wrong(format!("{error}")))?;
        let (conversion, how) =
            arguments.substance.conversion(&from, &to, arguments.density).map_err(wrong)?;
        let converted = by_cell(&[&field], context, |_, cell| conversion.apply(cell[0]))?;
        let frame = Frame::of(&field)?;
        let name = field.variable().identity_name();
        let mut variable = frame.variable(name, &arguments.target_unit, &converted.values);
        variable.standard_name = field.standard_name().filter(|_| from.is_compatible(&to)).map(str::to_owned);
        let method = format!("values converted from {}{how}", field.units());
        let drafts = frame.evidence(&variable.values, &variable.units, &method, None);
        let artifact = frame.artifact(name, variable).with_attribute("method", method);
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&field, &converted.chunks[0])))
    }
}
