//! `compute_area_weighted_mean`: a mean over area for every time.

use std::collections::BTreeMap;

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use ocean_data::field::reduce::{AreaMean, AreaMeanOptions, DepthReduction, Weighting, area_mean_series};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::argument::field::narrow;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::series::{Series, along_time, axis_of, units_of};
use crate::{Datasets, evidence, reading};

/// Averages a field over its region, land left out.
pub(crate) struct ComputeAreaWeightedMean;

/// Arguments of `compute_area_weighted_mean`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the field's own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// What becomes of several levels: a mean by thickness, or the integral of each column.
    #[serde(default)]
    depth_aggregation: DepthAggregation,
    /// Weights of the cells.
    #[serde(default)]
    weighting: WeightingArgument,
}

/// What becomes of several levels.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DepthAggregation {
    /// Mean over volume: levels by their thickness.
    #[default]
    Mean,
    /// Integral over depth of each column, averaged over the wet columns.
    Integral,
}

/// Weights of the cells.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WeightingArgument {
    /// Area of the cell from its bounds.
    #[default]
    Area,
    /// Cosine of the latitude of the centre.
    CosLat,
    /// All cells alike.
    Equal,
}

impl WeightingArgument {
    pub(crate) fn weighting(self) -> Weighting {
        match self {
            Self::Area => Weighting::Area,
            Self::CosLat => Weighting::CosLat,
            Self::Equal => Weighting::Equal,
        }
    }

    /// The name in JSON.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Area => "area",
            Self::CosLat => "cos_lat",
            Self::Equal => "equal",
        }
    }
}

impl Computation for ComputeAreaWeightedMean {
    const NAME: &'static str = "compute_area_weighted_mean";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("=data");
        ToolSpec::new("timeseries", "Area-weighted mean over a region, a value a time.", port)
            .description(
                "Weights are cell areas R^2 (sin n - sin s) dlon from the cell bounds (default), the cosine of the \
                 latitude, or equal. A cell is in the region when its centre is. Land and missing cells carry no \
                 weight. Several levels are averaged by thickness, or integrated (units times m). Also returns the \
                 number of cells and the share of the weight that had a value.",
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
        let field = narrow(
            &field,
            arguments.region.as_ref().map(|region| &region.0),
            arguments.depth.as_ref().map(|depth| &depth.0),
            arguments.time.as_ref().map(|window| &window.0),
        )?;
        let axis = axis_of(&field)?;
        let integral = matches!(arguments.depth_aggregation, DepthAggregation::Integral);
        let options = AreaMeanOptions {
            weighting: arguments.weighting.weighting(),
            depth: if integral { DepthReduction::Integral } else { DepthReduction::Mean },
        };
        let mean = area_mean_series(&field, options, &reading::control(context))
            .map_err(|error| reading::cannot_read(&error))?;
        let several = field.depths().is_some_and(|axis| axis.values.len() > 1);
        let units = if integral && several { times_metres(&units_of(&field)) } else { units_of(&field) };
        let series = Series {
            name: field.variable().identity_name().to_owned(),
            standard_name: if integral { None } else { field.standard_name().map(str::to_owned) },
            units,
            values: mean.mean.clone(),
            attributes: attributes(&field, arguments, &mean),
            axis,
        };
        let counts = mean.valid.iter().map(|&count| count as f64).collect();
        let artifact = series
            .to_artifact()
            .with_variable(along_time("count", "1", counts, None))
            .with_variable(along_time("wet_fraction", "1", mean.wet_fraction.clone(), None));
        let evidence =
            evidence::of_series(&series.axis, &series.values, &series.units, "area-weighted mean", None);
        let mut notes = reading::notes(&field);
        if mean.valid.iter().all(|&count| count == 0) {
            notes.push("no cell of the region has a value at any time; every mean is missing".to_owned());
        }
        Ok(ToolOutput::of(artifact)
            .with_evidence(evidence)
            .with_notes(notes)
            .with_source(reading::source(&field, &mean.chunks)))
    }
}

fn attributes(field: &Field, arguments: &Arguments, mean: &AreaMean) -> BTreeMap<String, Value> {
    let mut attributes = BTreeMap::from([
        ("method".to_owned(), json!("area-weighted mean")),
        ("weighting".to_owned(), json!(arguments.weighting.as_str())),
        ("cells".to_owned(), json!(mean.cells)),
    ]);
    attributes.extend(reading::place(field));
    attributes
}

/// The units of an integral over depth.
pub(crate) fn times_metres(units: &str) -> String {
    if units.is_empty() || units == "1" { "m".to_owned() } else { format!("{units} m") }
}
