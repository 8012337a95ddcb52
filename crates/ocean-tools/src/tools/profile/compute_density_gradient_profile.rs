//! `compute_density_gradient_profile`: vertical density gradient of a region.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array4, Axis};
use ocean_data::field::Region;
use ocean_data::field::reduce::{Weighting, cell_weights};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::argument::field::narrow;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::columns::{Columns, Levels};
use crate::computation::Computation;
use crate::kernels::layers::interface_slope;
use crate::outcome::{Quantity, read_from};
use crate::together::in_units;
use crate::{Datasets, evidence};

/// Mean density gradient between the levels.
pub(crate) struct ComputeDensityGradientProfile;

/// Arguments of `compute_density_gradient_profile`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Density, or density less 1000 kg m-3.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "kg m-3"}))]
    density: FieldArgument,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Longitude of the column for method point, degrees east.
    #[serde(default)]
    lon: Option<f64>,
    /// Latitude of the column for method point, degrees north.
    #[serde(default)]
    #[schemars(range(min = -90.0, max = 90.0))]
    lat: Option<f64>,
    /// The mean over the region, or one column.
    #[serde(default)]
    method: Of,
}

/// Of what the gradient is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Of {
    /// The area-weighted mean over the columns of the region.
    #[default]
    RegionalMean,
    /// The column nearest to `lon` and `lat`.
    Point,
}

impl Computation for ComputeDensityGradientProfile {
    const NAME: &'static str = "compute_density_gradient_profile";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port { or: vec![Kind::Scalar], ..Port::of(Kind::Profile) }.unit("kg m-4");
        ToolSpec::new("profile", "Vertical density gradient of a region or of a column.", port)
            .description(
                "d(density)/d(depth) half-way between each two levels, positive when density increases downwards, in kg m-4: the area-weighted mean over the columns that reach both levels, and over all times. Where all columns do, that is the gradient of the area mean; where some end at the sea floor it is free of the jump that their absence makes in the mean. Array n_columns holds the mean number of columns behind each value.",
            )
            .evidence(&evidence::MAP)
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
    let point = match (arguments.method, arguments.lon, arguments.lat) {
        (Of::RegionalMean, None, None) => None,
        (Of::Point, Some(lon), Some(lat)) => Some(json!({"point": [lon, lat]})),
        (Of::Point, ..) => return Err(ToolError::invalid("method point needs lon and lat")),
        (Of::RegionalMean, ..) => {
            return Err(ToolError::invalid(
                "lon and lat are those of a column; set method to point, or give a region",
            ));
        }
    };
    let point = point.map(|point| Region::from_json(&point, "")).transpose();
    let point = point.map_err(|error| ToolError::invalid(error.to_string()))?;
    let region = point.as_ref().or(arguments.region.as_ref().map(|region| &region.0));
    let time = arguments.time.as_ref().map(|window| &window.0);
    let density = in_units(&arguments.density.open(datasets, context)?, "kg m-3")?;
    let density = narrow(&density, region, None, time)?;
    let density = in_units(&density, "kg m-3")?;
    let columns = Columns::of(vec![density.clone()]);
    columns.need_levels(2)?;
    let computed = columns.compute(context, &Levels::Between, 1, |view| {
        vec![interface_slope(&view.values[0], view.depth).into_iter().map(|slope| -slope).collect()]
    })?;
    let weights = cell_weights(&density, Weighting::Area);
    let gradients = &computed.arrays[0];
    let times = gradients.len_of(Axis(0)) as f64;
    let levels = gradients.len_of(Axis(1));
    let (mut mean, mut counts) =
        (Array4::from_elem([1, levels, 1, 1], f64::NAN), Array4::zeros([1, levels, 1, 1]));
    for (z, level) in gradients.axis_iter(Axis(1)).enumerate() {
        let (mut sum, mut total, mut n) = (0.0, 0.0, 0.0);
        for ((_, y, x), gradient) in level.indexed_iter().filter(|(_, gradient)| !gradient.is_nan()) {
            sum += weights[[y, x]] * gradient;
            total += weights[[y, x]];
            n += 1.0;
        }
        if total > 0.0 {
            mean[[0, z, 0, 0]] = sum / total;
        }
        counts[[0, z, 0, 0]] = n / times;
    }
    let frame = columns.frame(&Levels::Between)?.without_time();
    let frame = if arguments.method == Of::Point { frame } else { frame.without_lat().without_lon() };
    let method = match arguments.method {
        Of::RegionalMean => "area-weighted mean of d(density)/d(depth) between the levels",
        Of::Point => "d(density)/d(depth) between the levels of the nearest column",
    };
    let quantity = Quantity { name: "density_gradient", standard_name: None, units: "kg m-4", method };
    let mut output = quantity.output(&frame, &mean);
    if let Some(artifact) = output.artifacts.get_mut("result") {
        artifact.variables.push(frame.variable("n_columns", "1", &counts));
    }
    Ok(read_from(output, &[&density], &computed.chunks))
}
