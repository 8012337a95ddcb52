//! `compute_masked_area_fraction_timeseries`: how much of the area a mask holds on.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::field::reduce::{Weighting, cell_weights};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::masking::Mask;
use crate::reduce::sums;
use crate::series::{Series, along_time, axis_of};
use crate::{Datasets, evidence, reading};

/// Share of the area on which a mask is true.
pub(crate) struct ComputeMaskedAreaFractionTimeseries;

/// Arguments of `compute_masked_area_fraction_timeseries`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The mask, with times.
    #[schemars(extend("x-leg-port" = {"kind": "mask", "dims": ["time", "depth?", "lat?", "lon?"], "unit": "1"}))]
    event_mask: FieldArgument,
    /// Only cells where this one is true, for the share and for the whole.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "mask", "unit": "1"}))]
    analysis_mask: Option<FieldArgument>,
    /// Times with a smaller share of known area are missing.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_valid_fraction: f64,
}

impl Computation for ComputeMaskedAreaFractionTimeseries {
    const NAME: &'static str = "compute_masked_area_fraction_timeseries";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("1");
        ToolSpec::new("timeseries", "Share of the known area on which a mask is true.", port)
            .description(
                "Area on which the mask is true over the area on which it is known, cells by area and levels by \
                 thickness, for every time. `valid_fraction` is the known area over the largest known area of any time: \
                 land is never known, a gap is not.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.event_mask.open(datasets, context)?;
        let masks = arguments
            .analysis_mask
            .iter()
            .map(|mask| Mask::over(&field, mask, datasets, context))
            .collect::<Result<Vec<_>, _>>()?;
        let weights = cell_weights(&field, Weighting::Area);
        // A mask is 1 or 0, so that its mean is the share.
        let sums = sums(&field, &weights, &field.layer_thickness(), &masks, context)?;
        let whole = sums.weight.iter().copied().fold(0.0, f64::max);
        let known: Vec<f64> =
            sums.weight.iter().map(|&weight| if whole > 0.0 { weight / whole } else { f64::NAN }).collect();
        let enough = |share: f64| share >= arguments.min_valid_fraction;
        let values: Vec<f64> = sums
            .mean()
            .into_iter()
            .zip(&known)
            .map(|(mean, &share)| if enough(share) { mean } else { f64::NAN })
            .collect();
        let mut attributes = reading::place(&field);
        attributes.insert("method".to_owned(), json!("share of the known area on which the mask is true"));
        let series = Series {
            name: "area_fraction".to_owned(),
            standard_name: None,
            units: "1".to_owned(),
            axis: axis_of(&field)?,
            values,
            attributes,
        };
        let artifact = series
            .to_artifact()
            .with_variable(along_time("valid_fraction", "1", known, None))
            .with_variable(along_time("area", "m2", sums.value.clone(), None));
        let drafts = evidence::of_series(&series.axis, &series.values, "1", "share of the area", None);
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_source(reading::source(&field, &sums.chunks[0])))
    }
}
