//! `compute_zonal_mean`: mean over longitudes.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::field::narrow;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::frame::{Frame, any_grid};
use crate::series::units_of;
use crate::{Datasets, evidence, reading};

/// Averages a field along its parallels.
pub(crate) struct ComputeZonalMean;

/// Arguments of `compute_zonal_mean`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
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
}

impl Computation for ComputeZonalMean {
    const NAME: &'static str = "compute_zonal_mean";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = any_grid().unit("=data");
        ToolSpec::new("field", "Mean over the longitudes of each latitude.", port)
            .description(
                "Mean of the wet cells along each parallel, weighted by their width in longitude, for every time and \
                 level; with the number of cells. A latitude without a wet cell is missing.",
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
        let Some(lons) = field.lons().filter(|_| field.lats().is_some()) else {
            return Err(ToolError::invalid(format!("`{}` has no latitude and longitude axes", field.name())));
        };
        let width: Vec<f64> = lons.bounds.iter().map(|[west, east]| (east - west).abs()).collect();
        let [times, levels, rows, _] = field.full_shape();
        let shape = [times, levels, rows, 1];
        let (mut sum, mut weight, mut count) =
            (Array4::zeros(shape), Array4::zeros(shape), Array4::zeros(shape));
        let chunks = field
            .walk(
                &reading::control(context),
                |block| {
                    let [_, _, _, ox] = block.offset;
                    let (t, z, y, _) = block.values.dim();
                    let mut part = Array4::from_elem((t, z, y, 1), (0.0, 0.0, 0.0));
                    for ((t, z, y, x), &value) in block.values.indexed_iter() {
                        if !value.is_nan() {
                            let own = &mut part[[t, z, y, 0]];
                            *own = (own.0 + value * width[ox + x], own.1 + width[ox + x], own.2 + 1.0);
                        }
                    }
                    (block.offset, part)
                },
                |([ot, oz, oy, _], part)| {
                    for ((t, z, y, _), own) in part.indexed_iter() {
                        let at = [ot + t, oz + z, oy + y, 0];
                        sum[at] += own.0;
                        weight[at] += own.1;
                        count[at] += own.2;
                    }
                },
            )
            .map_err(|error| reading::cannot_read(&error))?;
        let mut values = sum;
        values.zip_mut_with(&weight, |value: &mut f64, &weight: &f64| {
            *value = if weight > 0.0 { *value / weight } else { f64::NAN };
        });
        let frame = Frame::of(&field)?.without_lon();
        let name = field.variable().identity_name();
        let mut variable = frame.variable(name, &units_of(&field), &values);
        variable.standard_name = field.standard_name().map(str::to_owned);
        let drafts = frame.evidence(&variable.values, &variable.units, "zonal mean", None);
        let artifact = frame
            .artifact(name, variable)
            .with_variable(frame.variable("count", "1", &count))
            .with_attribute("method", "mean over longitude");
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&field, &chunks)))
    }
}
