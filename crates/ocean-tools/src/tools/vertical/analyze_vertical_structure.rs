//! `analyze_vertical_structure`: the mixed layer, the thermocline or the pycnocline by one name.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{identify_mixed_layer_depth, identify_pycnocline_depth, identify_thermocline_depth};
use crate::argument::{FieldArgument, SelectionArgument};
use crate::computation::Computation;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};

/// The depth of a structure of the column.
pub(crate) struct AnalyzeVerticalStructure;

/// Arguments of `analyze_vertical_structure`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Which structure.
    structure_type: Structure,
    /// Density or temperature for the mixed layer, temperature for the thermocline, density for the pycnocline.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: Option<FieldArgument>,
    /// Name of a dataset, when `data` is left out.
    #[serde(default)]
    dataset: Option<String>,
    /// Variable of the dataset, when `data` is left out.
    #[serde(default)]
    variable: Option<String>,
    /// Threshold of the mixed layer: 0.03 kg m-3 for density, 0.2 K for temperature if absent.
    #[serde(default)]
    threshold: Option<f64>,
}

/// Which structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Structure {
    /// The mixed layer depth, as `identify_mixed_layer_depth`.
    Mld,
    /// The thermocline depth, as `identify_thermocline_depth`.
    Thermocline,
    /// The pycnocline depth, as `identify_pycnocline_depth`.
    Pycnocline,
}

impl Computation for AnalyzeVerticalStructure {
    const NAME: &'static str = "analyze_vertical_structure";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Depth of the mixed layer, the thermocline or the pycnocline.", port("m"))
            .description(
                "Another name for `identify_mixed_layer_depth` (density in kg m-3 or temperature, by the units of the data), `identify_thermocline_depth` and `identify_pycnocline_depth`, with their defaults; those tools have more arguments.",
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
    let data = data_of(arguments)?;
    match arguments.structure_type {
        Structure::Mld => {
            let is_density = data.open(datasets, context)?.with_units("kg m-3").is_ok();
            let (density, temp) = if is_density { (Some(data), None) } else { (None, Some(data)) };
            let own = identify_mixed_layer_depth::Arguments {
                density,
                temp,
                criterion: None,
                threshold: arguments.threshold,
                reference_depth: identify_mixed_layer_depth::ten(),
            };
            identify_mixed_layer_depth::IdentifyMixedLayerDepth::run(&own, datasets, context)
        }
        Structure::Thermocline => {
            let own = identify_thermocline_depth::Arguments::of(data);
            identify_thermocline_depth::IdentifyThermoclineDepth::run(&own, datasets, context)
        }
        Structure::Pycnocline => {
            let own = identify_pycnocline_depth::Arguments::of(data);
            identify_pycnocline_depth::IdentifyPycnoclineDepth::run(&own, datasets, context)
        }
    }
    .map(|output| {
        let is_unused = arguments.threshold.is_some() && arguments.structure_type != Structure::Mld;
        let note = is_unused.then(|| "threshold is that of the mixed layer and was not used".to_owned());
        output.with_notes(note)
    })
}

fn data_of(arguments: &Arguments) -> Result<FieldArgument, ToolError> {
    match (&arguments.data, &arguments.variable) {
        (Some(data), None) if arguments.dataset.is_none() => Ok(data.clone()),
        (None, Some(variable)) => {
            let mut ask = json!({ "variable": variable });
            if let Some(dataset) = &arguments.dataset {
                ask["dataset"] = json!(dataset);
            }
            let selection = SelectionArgument::from_json(ask).map_err(ToolError::invalid)?;
            Ok(FieldArgument::Selection(Box::new(selection)))
        }
        _ => Err(ToolError::invalid("give data, or variable and (if it is not the first one) dataset")),
    }
}
