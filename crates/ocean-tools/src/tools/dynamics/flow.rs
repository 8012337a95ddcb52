//! What tools of a current share: both components in metres a second on one grid, and how they are differentiated.

use leg_core::{ToolContext, ToolError, ToolOutput};
use ndarray::Array2;
use ocean_data::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::derived::{Derived, Place, by_cell, by_map};
use crate::frame::Frame;
use crate::kernels::differences::{Coasts, Plane};
use crate::kernels::kinematics::VelocityGradient;
use crate::outcome::{Quantity, read_from};
use crate::together::{Part, in_units, map_axes, one_grid};

/// How derivatives are taken, for descriptions.
pub(super) const DERIVATIVES: &str = "Derivatives are centred differences on the sphere (R = 6371000 m), of second order for any spacing; at the \
     edges of the grid one-sided, and east joins west where the longitudes go round the globe; a cell beside land is \
     missing unless `coasts` is one_sided. Both components must stand on one grid.";

/// Arguments of tools that combine both components cell by cell.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PairArguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
}

/// Arguments of tools that differentiate a current.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlowArguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// What becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

pub(crate) fn yes() -> bool {
    true
}

/// What becomes of a derivative beside land.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CoastsArgument {
    /// It is missing.
    #[default]
    Missing,
    /// It is the one-sided difference to the other neighbour.
    OneSided,
}

impl CoastsArgument {
    pub(crate) fn coasts(self) -> Coasts {
        match self {
            Self::Missing => Coasts::Missing,
            Self::OneSided => Coasts::OneSided,
        }
    }
}

/// Both components on one grid.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) u: Field,
    pub(crate) v: Field,
    pub(crate) frame: Frame,
}

impl Flow {
    /// Opens both components.
    ///
    /// # Errors
    /// Units that are no speed; different grids.
    pub(crate) fn open(
        part: Part<'_>,
        u: &FieldArgument,
        v: &FieldArgument,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<Self, ToolError> {
        Self::of(&part.open_as_is(u, datasets, context)?, &part.open_as_is(v, datasets, context)?)
    }

    /// Of both components.
    ///
    /// # Errors
    /// Units that are no speed; different grids.
    pub(super) fn of(u: &Field, v: &Field) -> Result<Self, ToolError> {
        let (u, v) = (in_units(u, "m s-1")?, in_units(v, "m s-1")?);
        one_grid(&[&u, &v])?;
        let frame = Frame::of(&u)?;
        Ok(Self { u, v, frame })
    }

    /// Opens both components of the arguments.
    ///
    /// # Errors
    /// As [`Flow::open`].
    pub(super) fn of_pair(
        arguments: &PairArguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<Self, ToolError> {
        let part = Part {
            region: arguments.region.as_ref(),
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
        };
        Self::open(part, &arguments.u, &arguments.v, datasets, context)
    }

    /// Opens both components of the arguments, and the plane on which they are differentiated.
    ///
    /// # Errors
    /// As [`Flow::open`]; fewer than two latitudes or longitudes.
    pub(super) fn of_arguments(
        arguments: &FlowArguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<(Self, Plane), ToolError> {
        let part = Part {
            region: arguments.region.as_ref(),
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
        };
        let flow = Self::open(part, &arguments.u, &arguments.v, datasets, context)?;
        let plane = flow.plane(arguments.wrap, arguments.coasts.coasts())?;
        Ok((flow, plane))
    }

    /// The plane on which the components are differentiated.
    ///
    /// # Errors
    /// Fewer than two latitudes or longitudes.
    pub(crate) fn plane(&self, wrap: bool, coasts: Coasts) -> Result<Plane, ToolError> {
        let (lat, lon) = map_axes(&self.u)?;
        Ok(Plane::new(&lat, &lon, wrap, coasts))
    }

    /// A value of each cell from both components.
    pub(super) fn by_cell(
        &self,
        context: &ToolContext,
        value: impl Fn(f64, f64) -> f64 + Sync + Send,
    ) -> Result<Derived, ToolError> {
        by_cell(&[&self.u, &self.v], context, |_, cell| value(cell[0], cell[1]))
    }

    /// A map from the velocity gradient of each time and level.
    pub(crate) fn by_gradient(
        &self,
        plane: &Plane,
        context: &ToolContext,
        map: impl Fn(Place, &VelocityGradient) -> Array2<f64> + Sync + Send,
    ) -> Result<Derived, ToolError> {
        by_map(&[&self.u, &self.v], context, |place, maps| {
            map(place, &VelocityGradient::of(plane, &maps[0], &maps[1]))
        })
    }

    /// The answer of a tool that made one value of each cell.
    pub(super) fn answer(&self, quantity: &Quantity<'_>, derived: &Derived) -> ToolOutput {
        let output = quantity.output(&self.frame, &derived.values);
        read_from(output, &[&self.u, &self.v], &derived.chunks)
    }
}
