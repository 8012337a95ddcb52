//! `compute_field_anomaly`: departures of a field from its climatology.

use leg_core::{Kind, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::compute_field_climatology::read_cycle;
use crate::argument::{ArtifactArgument, FieldArgument};
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::{Frame, any_grid};
use crate::series::{axis_of, units_of};
use crate::{Datasets, evidence, reading};

/// Takes the annual cycle of each cell away.
pub(crate) struct ComputeFieldAnomaly;

/// Arguments of `compute_field_anomaly`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// What `compute_field_climatology` returned for the same region and depth.
    #[schemars(extend("x-leg-port" = {"kind": "climatology", "unit": "=data"}))]
    climatology: ArtifactArgument,
}

impl Computation for ComputeFieldAnomaly {
    const NAME: &'static str = "compute_field_anomaly";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = any_grid().unit("=data");
        ToolSpec::new("climatology", "Departure of a field from its climatology.", port)
            .description(
                "Value less the climatological mean of its month, season or day of the year, for every cell and level. \
                 Missing where either is missing.",
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
        let hint = "make one with `compute_field_climatology`";
        let climatology = arguments.climatology.read_kind(context, Kind::Climatology, hint)?;
        let frame = Frame::of(&field)?;
        let (period, cycle) = read_cycle(&climatology, &frame.clone().without_time())?;
        let axis = axis_of(&field)?;
        period.fits(&axis)?;
        let bins = period.cycle().bin_of(&axis);
        let anomaly = by_cell(&[&field], context, |place, cell| {
            cell[0] - cycle[[bins[place.time], place.depth, place.lat, place.lon]]
        })?;
        let baseline = climatology.attributes.get("baseline").and_then(Value::as_str);
        let name = format!("{}_anomaly", field.variable().identity_name());
        let variable = frame.variable(&name, &units_of(&field), &anomaly.values);
        let method = format!("departure from the {} climatology", period.as_str());
        let drafts = frame.evidence(&variable.values, &variable.units, &method, baseline);
        let artifact = frame.artifact(&name, variable).with_attribute("method", method);
        let artifact = match baseline {
            Some(baseline) => artifact.with_attribute("baseline", baseline),
            None => artifact,
        };
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&field, &anomaly.chunks[0])))
    }
}
