//! What the tools that sum over area or volume share.

use leg_core::{ToolContext, ToolError, ToolOutput};
use ndarray::Array2;
use ocean_data::Field;
use ocean_data::field::reduce::{Weighting, cell_weights};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::argument::field::narrow;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::masking::Mask;
use crate::reduce::{Sums, sums};
use crate::series::{Series, along_time, axis_of};
use crate::{Datasets, evidence, reading};

/// Arguments of a sum over area or volume.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegionArguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    pub(crate) data: FieldArgument,
    /// A region inside the field's own.
    #[serde(default)]
    pub(crate) region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    pub(crate) time: Option<WindowArgument>,
    /// A depth inside the field's own.
    #[serde(default)]
    pub(crate) depth: Option<DepthArgument>,
    /// Only cells where this mask is true.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "mask", "unit": "1"}))]
    pub(crate) mask: Option<FieldArgument>,
}

/// The field of a call, and sums over it.
pub(crate) struct RegionSums {
    pub(crate) field: Field,
    pub(crate) sums: Sums,
}

impl RegionArguments {
    /// Sums with these weights of cells; levels count by their thickness when `by_thickness`.
    pub(crate) fn sums(
        &self,
        weighting: Weighting,
        by_thickness: bool,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<RegionSums, ToolError> {
        let field = self.data.open(datasets, context)?;
        let field = narrow(
            &field,
            self.region.as_ref().map(|region| &region.0),
            self.depth.as_ref().map(|depth| &depth.0),
            self.time.as_ref().map(|window| &window.0),
        )?;
        let masks = self
            .mask
            .iter()
            .map(|mask| Mask::over(&field, mask, datasets, context))
            .collect::<Result<Vec<_>, _>>()?;
        let weights: Array2<f64> = cell_weights(&field, weighting);
        let thickness = if by_thickness { field.layer_thickness() } else { vec![1.0] };
        let sums = sums(&field, &weights, &thickness, &masks, context)?;
        Ok(RegionSums { field, sums })
    }
}

impl RegionSums {
    /// The output of a series of these sums.
    pub(crate) fn output(
        &self,
        values: Vec<f64>,
        units: String,
        method: &str,
        keeps_name: bool,
    ) -> Result<ToolOutput, ToolError> {
        let (field, sums) = (&self.field, &self.sums);
        let mut attributes = reading::place(field);
        attributes.insert("method".to_owned(), json!(method));
        let series = Series {
            name: field.variable().identity_name().to_owned(),
            standard_name: if keeps_name { field.standard_name().map(str::to_owned) } else { None },
            units,
            axis: axis_of(field)?,
            values,
            attributes,
        };
        let counts = sums.cells.iter().map(|&count| count as f64).collect();
        let artifact = series
            .to_artifact()
            .with_variable(along_time("count", "1", counts, None))
            .with_variable(along_time("weight", weight_units(field), sums.weight.clone(), None));
        let drafts = evidence::of_series(&series.axis, &series.values, &series.units, method, None);
        let mut notes = reading::notes(field);
        if sums.cells.iter().all(|&count| count == 0) {
            notes.push("no cell counts at any time; every value is missing".to_owned());
        }
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(notes)
            .with_source(reading::source(field, &sums.chunks[0])))
    }
}

fn weight_units(field: &Field) -> &'static str {
    if field.depths().is_some_and(|axis| axis.values.len() > 1) { "m3" } else { "m2" }
}

/// Units times others, as a CF string.
pub(crate) fn times_units(units: &str, others: &str) -> String {
    if units.is_empty() || units == "1" { others.to_owned() } else { format!("{units} {others}") }
}
