//! `compute_vertical_stability_timeseries`: squared buoyancy frequency of a region.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use ocean_data::Field;
use ocean_data::field::reduce::{Weighting, cell_weights};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::layer_argument;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::columns::{ColumnView, Columns, Computed, Levels};
use crate::computation::Computation;
use crate::kernels::layers::interface_slope;
use crate::kernels::teos10::sea_water::{gravity, pressure};
use crate::outcome::{Quantity, read_from};
use crate::together::{Part, in_units};
use crate::water::Water;
use crate::{Datasets, evidence};

/// Squared buoyancy frequency of a region along time.
pub(crate) struct ComputeVerticalStabilityTimeseries;

/// Arguments of `compute_vertical_stability_timeseries`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Potential density, or that less 1000 kg m-3; leave it out when temperature and salinity are given.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "kg m-3"}))]
    density: Option<FieldArgument>,
    /// Temperature, for N² that is referenced to the pressure of each pair of levels.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "degC"}))]
    temp: Option<FieldArgument>,
    /// Salinity, with temperature.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: Option<FieldArgument>,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Upper and lower depth, m; the whole column if absent.
    #[serde(default)]
    depth_range: Option<[f64; 2]>,
    /// Weights of the columns.
    #[serde(default)]
    weighting: Weights,
}

/// Weights of the columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Weights {
    /// Cell area.
    #[default]
    AreaWeighted,
    /// All columns alike.
    Equal,
}

impl Computation for ComputeVerticalStabilityTimeseries {
    const NAME: &'static str = "compute_vertical_stability_timeseries";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port { or: vec![Kind::Scalar], ..Port::of(Kind::Series) }.unit("s-2");
        ToolSpec::new("vertical", "Mean squared buoyancy frequency of a region along time.", port)
            .description(
                "The mean of N² over a region and a range of depths for each time, weighted by cell area and by the part of the distance between each two levels that is inside the range. From density N² = g / rho d(rho)/d(depth) between the levels, g of the place and rho the mean of the two; that of sigma0 is too small in the deep ocean, where temperature and salinity give the locally referenced N² of TEOS-10 (equation 3.10.2). Positive when stable, in s-2.",
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
    if let Some(range) = arguments.depth_range {
        layer_argument::check(range, 1.0)?;
    }
    let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
    let open = |field: &FieldArgument| part.open_as_is(field, datasets, context);
    match (&arguments.density, &arguments.temp, &arguments.salt) {
        (None, Some(temp), Some(salt)) => {
            let (temp, salt) = (open(temp)?, open(salt)?);
            let water = Water::new(&temp, &salt, vec![], None, None)?;
            let n2 = |view: &ColumnView<'_>| water.column(view).column().buoyancy_frequency(view.lat);
            let computed = columns_of(arguments, &water.columns, context, n2)?;
            let output = answer(arguments, &temp, &computed, "locally referenced N² of TEOS-10")?;
            Ok(read_from(output, &[&temp, &salt], &computed.chunks).with_notes(water.notes.clone()))
        }
        (Some(density), None, None) => {
            let density = in_units(&open(density)?, "kg m-3")?;
            if density.standard_name() == Some("sea_water_density") {
                return Err(ToolError::invalid(
                    "this is the in-situ density, whose gradient holds the compression of the water; give potential \
                     density (`compute_density` with quantity sigma), or temp and salt",
                ));
            }
            let columns = Columns::of(vec![density.clone()]);
            let computed = columns_of(arguments, &columns, context, of_density)?;
            let of = format!("N² from the gradient of `{}`", density.name());
            let output = answer(arguments, &density, &computed, &of)?;
            Ok(read_from(output, &[&density], &computed.chunks))
        }
        _ => Err(ToolError::invalid("give density, or temp and salt without density")),
    }
}

/// N² between the levels of a column of potential density.
fn of_density(view: &ColumnView<'_>) -> Vec<f64> {
    // Densities less 1000 kg m-3 are below this in any water.
    let rho: Vec<f64> =
        view.values[0].iter().map(|&own| if own > 500.0 { own } else { own + 1000.0 }).collect();
    let lat = if view.lat.is_nan() { 45.0 } else { view.lat };
    let slopes = interface_slope(&rho, view.depth);
    slopes
        .iter()
        .enumerate()
        .map(|(at, slope)| {
            let depth = f64::midpoint(view.depth[at], view.depth[at + 1]);
            -gravity(lat, pressure(depth, lat)) * slope / f64::midpoint(rho[at], rho[at + 1])
        })
        .collect()
}

/// For each column the sum of N² times thickness, and the thickness.
fn columns_of(
    arguments: &Arguments,
    columns: &Columns,
    context: &ToolContext,
    n2: impl Fn(&ColumnView<'_>) -> Vec<f64> + Sync + Send,
) -> Result<Computed, ToolError> {
    columns.need_levels(2)?;
    let [top, bottom] = arguments.depth_range.unwrap_or([0.0, f64::INFINITY]);
    columns.compute(context, &Levels::None, 2, |view| {
        let between = view.depth.windows(2).map(|pair| (pair[1].min(bottom) - pair[0].max(top)).max(0.0));
        let wet =
            n2(view).into_iter().zip(between).filter(|(n2, thickness)| !n2.is_nan() && *thickness > 0.0);
        let (sum, thickness) =
            wet.fold((0.0, 0.0), |(sum, total), (n2, thickness)| (sum + n2 * thickness, total + thickness));
        vec![vec![sum], vec![thickness]]
    })
}

fn answer(
    arguments: &Arguments,
    field: &Field,
    computed: &Computed,
    of: &str,
) -> Result<ToolOutput, ToolError> {
    let frame = crate::frame::Frame::of(field)?.without_depth().without_lat().without_lon();
    let (weighting, how) = match arguments.weighting {
        Weights::AreaWeighted => (Weighting::Area, "area and thickness"),
        Weights::Equal => (Weighting::Equal, "thickness"),
    };
    let weights = cell_weights(field, weighting);
    let times = computed.arrays[0].len_of(ndarray::Axis(0));
    let mut values = Array4::from_elem([times, 1, 1, 1], f64::NAN);
    for (t, value) in values.iter_mut().enumerate() {
        let (mut sum, mut total) = (0.0, 0.0);
        for ((y, x), weight) in weights.indexed_iter() {
            sum += weight * computed.arrays[0][[t, 0, y, x]];
            total += weight * computed.arrays[1][[t, 0, y, x]];
        }
        if total > 0.0 {
            *value = sum / total;
        }
    }
    let range = arguments
        .depth_range
        .map_or_else(|| "the whole column".to_owned(), |[top, bottom]| format!("{top} to {bottom} m"));
    let method = format!("{of}, mean over {range} weighted by {how}");
    let quantity = Quantity {
        name: "squared_buoyancy_frequency",
        standard_name: Some("square_of_brunt_vaisala_frequency_in_sea_water"),
        units: "s-2",
        method: &method,
    };
    Ok(quantity.output(&frame, &values))
}
