//! `compute_ftle`: how fast a current pulls neighbours apart.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::drift::{Drift, steps, unless_stopped};
use super::flow::{Flow, yes};
use crate::argument::{DepthArgument, FieldArgument, RegionArgument};
use crate::computation::Computation;
use crate::kernels::trajectories::State;
use crate::outcome::{Quantity, any_array};
use crate::together::{Part, map_axes};
use crate::{Datasets, evidence, reading};

/// Finite-time Lyapunov exponent.
pub(crate) struct ComputeFtle;

/// Arguments of `compute_ftle`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// When the drift begins: a date or time.
    start: String,
    /// How long it takes, in days.
    #[serde(default = "fifteen")]
    #[schemars(range(min = 0.01, max = 3650))]
    days: f64,
    /// Forward in time for what repels, backward for what attracts.
    #[serde(default)]
    direction: Direction,
    /// Longest step in minutes.
    #[serde(default = "hour")]
    #[schemars(range(min = 1, max = 1440))]
    dt_minutes: f64,
    /// A region inside the fields' own; particles that leave it are lost.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
}

fn fifteen() -> f64 {
    15.0
}

fn hour() -> f64 {
    60.0
}

/// Which way time runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Direction {
    /// As it does.
    Forward,
    /// Back.
    #[default]
    Backward,
}

impl Computation for ComputeFtle {
    const NAME: &'static str = "compute_ftle";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Finite-time Lyapunov exponent of a current.", any_array("day-1"))
            .description(
                "ln √λ / |T| per day with λ the larger eigenvalue of the Cauchy-Green tensor (Haller 2015), at each cell, from four \
                 particles a tenth of a cell away: Runge-Kutta of fourth order on the sphere (R = 6371000 m), the current bilinear \
                 in space and linear in time, dry corners as still water. Backward: where water has come together; forward: \
                 where it will part. Missing on land and where a particle beaches or leaves the grid.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part { region: arguments.region.as_ref(), time: None, depth: arguments.depth.as_ref() };
        let flow = Flow::open(part, &arguments.u, &arguments.v, datasets, context)?;
        let backward = arguments.direction == Direction::Backward;
        let days = if backward { -arguments.days } else { arguments.days };
        let (length, count) = steps(days, arguments.dt_minutes)?;
        let drift = Drift::of(&flow, &arguments.start, days, arguments.wrap)?;
        let (lat, lon) = map_axes(&flow.u)?;
        let cell = (lat[1] - lat[0]).abs().min((lon[1] - lon[0]).abs());
        let mut values = Array4::from_elem((1, 1, lat.len(), lon.len()), f64::NAN);
        for (y, lat) in lat.iter().enumerate() {
            unless_stopped(context)?;
            for (x, lon) in lon.iter().enumerate() {
                if drift.current.state(0.0, *lon, *lat) == State::Afloat {
                    let place = [*lon, *lat];
                    values[[0, 0, y, x]] = drift.current.lyapunov(place, 0.1 * cell, 0.0, length, count);
                }
            }
        }
        let way = if backward { "backward" } else { "forward" };
        let method = format!(
            "finite-time Lyapunov exponent {way} over {} days from {}, steps of {:.0} s",
            arguments.days,
            arguments.start,
            length.abs()
        );
        let quantity = Quantity { name: "ftle", standard_name: None, units: "day-1", method: &method };
        let frame = flow.frame.clone().without_time().without_depth();
        let notes: Vec<String> = [&flow.u, &flow.v].iter().flat_map(|field| reading::notes(field)).collect();
        Ok(quantity.output(&frame, &values).with_notes(notes))
    }
}
