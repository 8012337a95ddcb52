//! `compute_transport_streamfunction_map`: the streamfunction of the transport summed over depth.

use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array3, Axis, Slice};
use ocean_data::field::Depth;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::frame::Frame;
use crate::kernels::sphere::{EARTH_RADIUS, RADIANS};
use crate::kernels::transport::streamfunction;
use crate::outcome::{Quantity, any_array, read_from};
use crate::sections::layers;
use crate::together::{Part, map_axes};
use crate::{Datasets, evidence, reading};

/// The barotropic streamfunction.
pub(crate) struct ComputeTransportStreamfunctionMap;

/// Arguments of `compute_transport_streamfunction_map`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Depths between which the water is counted: {"range": [0, 200]}.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// A place `[lon, lat]` whose nearest cell gets the value 0; by default the southern edge has it.
    #[serde(default)]
    zero_at: Option<[f64; 2]>,
}

impl Computation for ComputeTransportStreamfunctionMap {
    const NAME: &'static str = "compute_transport_streamfunction_map";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("transport", "Streamfunction of the transport summed over depth.", any_array("Sv"))
            .description(
                "ψ with u h = −∂ψ/∂y and v h = ∂ψ/∂x in Sv (1e6 m3 s-1), the mean over time of −Σ u h dy summed from the \
                 southern edge of the region, at the northern face of each cell; land counts nothing, so that ψ is \
                 constant across it from south to north. The northward current is not used: where the flow diverges, ψ \
                 holds the eastward part only. The mean of each cell is over the times at which it has a value. Rows are R Δφ long, R = 6371000 m.",
            )
            .evidence(&evidence::SERIES)
            .purity(leg_core::Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
        let u = part.open(&arguments.u, "m s-1", datasets, context)?;
        let (lat, lon) = map_axes(&u)?;
        let range = match arguments.depth.as_ref().map(|depth| &depth.0) {
            None | Some(Depth::Column) => None,
            Some(Depth::Range(range)) => Some(*range),
            Some(_) => {
                return Err(ToolError::invalid(
                    "a transport needs layers; write depth as {\"range\": [0, 200]}, or leave it out for the whole column",
                ));
            }
        };
        let thickness = layers(&u, range);
        let height: Vec<f64> = u.lats().map_or_else(Vec::new, |axis| {
            axis.bounds.iter().map(|[south, north]| EARTH_RADIUS * RADIANS * (north - south).abs()).collect()
        });
        let [_, levels, rows, columns] = u.full_shape();
        // The mean of each cell is over the times at which it has a value: a missing one is no current of zero.
        let mut sum = Array3::<f64>::zeros([levels, rows, columns]);
        let mut n = Array3::<f64>::zeros([levels, rows, columns]);
        let chunks = u
            .walk(
                &reading::control(context),
                |block| {
                    let present = block.values.mapv(|value| if value.is_nan() { 0.0 } else { value });
                    let counted = block.values.mapv(|value| f64::from(u8::from(!value.is_nan())));
                    (block.offset, present.sum_axis(Axis(0)), counted.sum_axis(Axis(0)))
                },
                |(offset, present, counted)| {
                    for (whole, part) in [(&mut sum, &present), (&mut n, &counted)] {
                        let mut own = whole.slice_each_axis_mut(|axis| {
                            let at = axis.axis.index();
                            Slice::from(offset[at + 1]..offset[at + 1] + part.shape()[at])
                        });
                        own += part;
                    }
                },
            )
            .map_err(|error| reading::cannot_read(&error))?;
        let psi = streamfunction(&(sum / n).view(), &thickness, &height) / 1e6;
        let mut map = psi.insert_axis(Axis(0)).insert_axis(Axis(0));
        let mut gauge = "0 at the southern edge".to_owned();
        if let Some([east, north]) = arguments.zero_at {
            let near = |values: &[f64], at: f64, turn: bool| {
                let off = |value: f64| {
                    if turn { (value - at + 180.0).rem_euclid(360.0) - 180.0 } else { value - at }
                };
                let best = values.iter().enumerate().map(|(i, &value)| (i, off(value).abs()));
                best.reduce(|best, own| if own.1 < best.1 { own } else { best }).map_or(0, |best| best.0)
            };
            let (y, x) = (near(&lat, north, false), near(&lon, east, true));
            let zero = map[[0, 0, y, x]];
            map.mapv_inplace(|value| value - zero);
            gauge = format!("0 at {}°E {}°N", lon[x], lat[y]);
        }
        let mut frame = Frame::of(&u)?.without_depth();
        if let Some(time) = &frame.time {
            frame.facts.insert("time".to_owned(), time.window().into());
        }
        frame = frame.without_time();
        let method = format!("transport streamfunction summed from the south, {gauge}");
        let quantity = Quantity {
            name: "transport_streamfunction",
            standard_name: Some("ocean_barotropic_streamfunction"),
            units: "Sv",
            method: &method,
        };
        Ok(read_from(quantity.output(&frame, &map), &[&u], &[chunks]))
    }
}
