//! [`TracerFlow`]: a tracer and the current that carries it, on one grid.

use leg_core::{ToolContext, ToolError};
use ndarray::{Array2, ArrayView2};
use ocean_data::Field;

use super::flow::{CoastsArgument, Flow};
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::derived::{Derived, by_map};
use crate::kernels::differences::Plane;
use crate::kernels::tendency::horizontal_advection;
use crate::together::{Part, one_grid};

/// Defines arguments that name a tracer, a current, a part of them and how they are differentiated, with further members
/// of a tool's own; `part`, and `carried`, which opens them. `or` lists the kinds beside fields, `time` is the axis of
/// time.
macro_rules! tracer_arguments {
    ($(#[$doc:meta])* $name:ident, or: $or:tt, time: $time:literal, { $($own:tt)* }) => {
        $(#[$doc])*
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            /// Tracer.
            #[schemars(extend("x-leg-port" = {"kind": "field", "or": $or, "dims": [$time, "depth?", "lat", "lon"], "unit": "any"}))]
            data: crate::argument::FieldArgument,
            /// Eastward current.
            #[schemars(extend("x-leg-port" = {"kind": "field", "or": $or, "dims": [$time, "depth?", "lat", "lon"], "unit": "m s-1"}))]
            u: crate::argument::FieldArgument,
            /// Northward current.
            #[schemars(extend("x-leg-port" = {"kind": "field", "or": $or, "dims": [$time, "depth?", "lat", "lon"], "unit": "m s-1"}))]
            v: crate::argument::FieldArgument,
            /// A region inside the fields' own.
            #[serde(default)]
            region: Option<crate::argument::RegionArgument>,
            /// A window of the fields' times.
            #[serde(default)]
            time: Option<crate::argument::WindowArgument>,
            /// A depth inside the fields' own.
            #[serde(default)]
            depth: Option<crate::argument::DepthArgument>,
            $($own)*
            /// Whether east joins west where the longitudes go round the globe.
            #[serde(default = "crate::tools::dynamics::flow::yes")]
            wrap: bool,
            /// What becomes of a derivative beside land.
            #[serde(default)]
            coasts: crate::tools::dynamics::flow::CoastsArgument,
        }

        impl $name {
            /// The part of the fields that is asked for.
            pub(crate) fn part(&self) -> crate::together::Part<'_> {
                crate::together::Part {
                    region: self.region.as_ref(),
                    time: self.time.as_ref(),
                    depth: self.depth.as_ref(),
                }
            }

            /// Opens tracer and current.
            ///
            /// # Errors
            /// As [`TracerFlow::open`](crate::tools::dynamics::tracer_flow::TracerFlow::open).
            pub(crate) fn carried(
                &self,
                datasets: &crate::Datasets,
                context: &leg_core::ToolContext,
            ) -> Result<crate::tools::dynamics::tracer_flow::TracerFlow, leg_core::ToolError> {
                crate::tools::dynamics::tracer_flow::TracerFlow::open(
                    self.part(),
                    [&self.data, &self.u, &self.v],
                    (self.wrap, self.coasts),
                    datasets,
                    context,
                )
            }
        }
    };
}

pub(in crate::tools) use tracer_arguments;

tracer_arguments! {
    /// Arguments of tools that differentiate a tracer along a current.
    TracerArguments, or: ["map"], time: "time?", {}
}

/// A tracer and both components of a current on one grid, and how they are differentiated.
#[derive(Debug)]
pub(crate) struct TracerFlow {
    pub(crate) tracer: Field,
    pub(crate) flow: Flow,
    pub(crate) plane: Plane,
}

impl TracerFlow {
    /// Opens tracer, eastward and northward current.
    ///
    /// # Errors
    /// As [`Flow::open`]; a tracer on another grid; fewer than two latitudes or longitudes.
    pub(crate) fn open(
        part: Part<'_>,
        [data, u, v]: [&FieldArgument; 3],
        (wrap, coasts): (bool, CoastsArgument),
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<Self, ToolError> {
        let flow = Flow::open(part, u, v, datasets, context)?;
        let tracer = part.open_as_is(data, datasets, context)?;
        one_grid(&[&tracer, &flow.u, &flow.v])?;
        let plane = flow.plane(wrap, coasts.coasts())?;
        Ok(Self { tracer, flow, plane })
    }

    /// Tracer, eastward and northward current.
    pub(crate) fn fields(&self) -> [&Field; 3] {
        [&self.tracer, &self.flow.u, &self.flow.v]
    }

    /// A map from those of tracer and current at each time and level.
    ///
    /// # Errors
    /// As [`by_map`].
    pub(crate) fn by_map(
        &self,
        context: &ToolContext,
        map: impl Fn(&[ArrayView2<'_, f64>]) -> Array2<f64> + Sync + Send,
    ) -> Result<Derived, ToolError> {
        by_map(&self.fields(), context, |_, maps| map(maps))
    }

    /// The advective tendency `−(u ∂C/∂x + v ∂C/∂y)` per day at each time and level.
    ///
    /// # Errors
    /// As [`by_map`].
    pub(crate) fn advection(&self, context: &ToolContext) -> Result<Derived, ToolError> {
        self.by_map(context, |maps| self.advection_of(maps))
    }

    /// That of the maps of tracer and current.
    pub(crate) fn advection_of(&self, maps: &[ArrayView2<'_, f64>]) -> Array2<f64> {
        horizontal_advection(&self.plane, &maps[0], &maps[1], &maps[2])
    }

    /// The name of the advection.
    pub(crate) fn advection_name(&self) -> String {
        format!("{}_horizontal_advection", self.tracer.variable().identity_name())
    }
}
