//! `regrid_conservative`: a field on another grid.

use leg_core::{Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec};
use ndarray::{Array2, Array4, ArrayView2};
use ocean_data::Field;
use ocean_data::field::reduce::EARTH_RADIUS;
use ocean_data::field::{Horizontal, SpaceAxis, WalkControl, WholeAxes};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::frame::{Frame, Side, any_grid};
use crate::kernels::places::Places;
use crate::kernels::regrid::{GridAxis, Method, RectilinearGrid, regrid};
use crate::kernels::remap::{Missing, Weights};
use crate::series::units_of;
use crate::{Datasets, evidence, reading};

/// The largest result, in values.
const MAX_VALUES: usize = 250_000_000;

/// Puts a field on another rectilinear grid.
pub(crate) struct Regrid;

/// Arguments of `regrid_conservative`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    data: FieldArgument,
    /// A regular grid by its first centres, steps and lengths.
    target: Target,
    /// How values are found.
    #[serde(default)]
    method: MethodArgument,
    /// Target cells of which a smaller part has values are missing, for `conservative`.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_fraction: f64,
}

/// A regular grid in longitude and latitude, in degrees.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Target {
    /// Number of longitudes.
    #[schemars(range(min = 1, max = 36_000))]
    nlon: usize,
    /// Number of latitudes.
    #[schemars(range(min = 1, max = 18_000))]
    nlat: usize,
    /// First longitude.
    lon0: f64,
    /// Step of the longitudes, eastwards.
    dlon: f64,
    /// First latitude.
    lat0: f64,
    /// Step of the latitudes; negative from north to south, which is turned.
    dlat: f64,
}

/// How values are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum MethodArgument {
    /// First-order conservative.
    #[default]
    Conservative,
    /// Bilinear between centres.
    Bilinear,
    /// The nearest centre.
    Nearest,
}

impl MethodArgument {
    fn parts(self) -> (Method, &'static str) {
        match self {
            Self::Conservative => (Method::Conservative, "first-order conservative remapping"),
            Self::Bilinear => (Method::Bilinear, "bilinear interpolation"),
            Self::Nearest => (Method::Nearest, "nearest cell"),
        }
    }
}

impl Target {
    fn grid(self) -> Result<RectilinearGrid, ToolError> {
        let wrong = |what: &str| Err(ToolError::invalid(format!("`target` {what}")));
        if !(self.dlon > 0.0 && self.dlon * self.nlon as f64 <= 360.0 + 1e-6) {
            return wrong("must go eastwards by `dlon` > 0 and at most once round the globe");
        }
        let step = self.dlat.abs();
        let last = self.lat0 + self.dlat * (self.nlat - 1) as f64;
        let (south, north) = (self.lat0.min(last), self.lat0.max(last));
        if !(step > 0.0 && south >= -90.0 - 1e-9 && north <= 90.0 + 1e-9) {
            return wrong("must have latitudes between -90 and 90 and a `dlat` that is not 0");
        }
        let axis = |n: usize, first: f64, step: f64, limit: f64| {
            let centres: Vec<f64> = (0..n).map(|index| first + step * index as f64).collect();
            let edge = |value: f64| value.clamp(-limit, limit);
            let bounds = centres.iter().map(|c| [edge(c - step / 2.0), edge(c + step / 2.0)]).collect();
            GridAxis { centres, bounds }
        };
        Ok(RectilinearGrid {
            lat: axis(self.nlat, south, step, 90.0),
            lon: axis(self.nlon, self.lon0, self.dlon, f64::INFINITY),
        })
    }
}

impl Computation for Regrid {
    const NAME: &'static str = "regrid_conservative";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = any_grid().unit("=data");
        ToolSpec::new("data", "Field on another rectilinear grid.", port)
            .description(
                "Conservative: overlap areas on the sphere, normalised by the part of a target cell that has values (Jones \
                 1999, fracarea). Bilinear: between the four centres around, missing if one of them is; a place on a row or \
                 column of centres belongs to the cell north and east of it. Nearest: the nearest centre by great circle, \
                 of equal ones the western. Longitudes are met on any turn, and a global grid is closed.",
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
        let target = arguments.target.grid()?;
        let way = Way::of(&field, &target, arguments)?;
        let [times, levels, ..] = field.full_shape();
        let shape = [times, levels, target.lat.centres.len(), target.lon.centres.len()];
        let size = shape.iter().fold(1_usize, |n, &length| n.saturating_mul(length));
        if size > MAX_VALUES {
            return Err(ToolError::new(
                ToolErrorKind::LimitExceeded,
                format!(
                    "the result would have {size} values and the limit is {MAX_VALUES}; narrow time or depth"
                ),
            ));
        }
        let (_, noun) = arguments.method.parts();
        let mut values = Array4::from_elem(shape, f64::NAN);
        let whole = WholeAxes { horizontal: true, ..WholeAxes::default() };
        let chunks = field
            .walk(
                &WalkControl { whole, ..reading::control(context) },
                |block| {
                    let (t, z, ..) = block.values.dim();
                    let mut part = Vec::with_capacity(t * z);
                    for time in block.values.outer_iter() {
                        for map in time.outer_iter() {
                            part.push(way.map(&map));
                        }
                    }
                    (block.offset, z, part)
                },
                |([ot, oz, ..], z, part)| {
                    for (index, map) in part.into_iter().enumerate() {
                        let mut time = values.index_axis_mut(ndarray::Axis(0), ot + index / z);
                        time.index_axis_mut(ndarray::Axis(0), oz + index % z).assign(&map);
                    }
                },
            )
            .map_err(|error| reading::cannot_read(&error))?;
        let frame = frame_on(&field, &target)?;
        let name = field.variable().identity_name();
        let mut variable = frame.variable(name, &units_of(&field), &values);
        variable.standard_name = field.standard_name().map(str::to_owned);
        let drafts = frame.evidence(&variable.values, &variable.units, noun, None);
        let artifact = frame.artifact(name, variable).with_attribute("method", noun);
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&field, &chunks)))
    }
}

/// How maps get from the grid of a field to the target.
enum Way<'a> {
    /// From axes to axes.
    Axes { source: RectilinearGrid, target: &'a RectilinearGrid, method: Method, min_fraction: f64 },
    /// By weights that were found beforehand.
    Weights(Weights),
}

impl<'a> Way<'a> {
    fn of(field: &Field, target: &'a RectilinearGrid, arguments: &Arguments) -> Result<Self, ToolError> {
        let (method, _) = arguments.method.parts();
        let min_fraction = arguments.min_fraction;
        match field.horizontal() {
            Horizontal::Rectilinear { lat, lon } => {
                let axis =
                    |side: &SpaceAxis| GridAxis { centres: side.values.clone(), bounds: side.bounds.clone() };
                let source = RectilinearGrid { lat: axis(lat), lon: axis(lon) };
                Ok(Self::Axes { source, target, method, min_fraction })
            }
            Horizontal::Curvilinear { .. } | Horizontal::Unstructured { .. } => {
                weights(field, target, method, min_fraction).map(Self::Weights)
            }
            Horizontal::None => {
                Err(ToolError::invalid(format!("`{}` has no latitude and longitude axes", field.name())))
            }
        }
    }

    fn map(&self, map: &ArrayView2<'_, f64>) -> Array2<f64> {
        match self {
            Self::Axes { source, target, method, min_fraction } => {
                regrid(map, source, target, *method, *min_fraction)
            }
            Self::Weights(weights) => weights.apply(map),
        }
    }
}

/// Weights from cells that have positions of their own.
fn weights(
    field: &Field,
    target: &RectilinearGrid,
    method: Method,
    min_fraction: f64,
) -> Result<Weights, ToolError> {
    let bad = |error: String| ToolError::invalid(error);
    if method == Method::Conservative {
        let mut corners = field.cell_corners().map_err(|error| bad(error.to_string()))?;
        let inside = field.mask().map(|mask| mask.iter().copied().collect::<Vec<bool>>());
        for (at, ring) in corners.iter_mut().enumerate() {
            // What repeats another cell would count twice.
            if inside.as_ref().is_some_and(|inside| !inside[at]) {
                ring.clear();
            }
        }
        return Ok(Weights::conservative(&corners, target, min_fraction));
    }
    if method == Method::Bilinear && matches!(field.horizontal(), Horizontal::Unstructured { .. }) {
        return Err(bad(format!(
            "`{}` is on a mesh without rows, which has no bilinear interpolation; use nearest or conservative",
            field.name()
        )));
    }
    let [_, _, rows, columns] = field.full_shape();
    let places = Places::new((0..rows * columns).map(|at| {
        let (y, x) = (at / columns, at % columns);
        let inside = field.mask().is_none_or(|mask| mask[[y, x]]);
        field.cell_centre(y, x).filter(|_| inside).unwrap_or([f64::NAN; 2])
    }));
    let position = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let shape = (target.lat.centres.len(), target.lon.centres.len());
    let cells = (0..shape.0 * shape.1)
        .map(|at| {
            let (lat, lon) = (target.lat.centres[at / shape.1], target.lon.centres[at % shape.1]);
            let Some(&(near, _)) = places.nearest([lon, lat], 1).first() else { return vec![] };
            if method == Method::Nearest {
                return vec![(position(near), 1.0)];
            }
            let corners = field.corners_around(lon, lat, (near / columns, near % columns));
            let corners = corners.into_iter().flatten().filter(|own| own.2 > 0.0);
            corners.map(|(y, x, weight)| (position(y * columns + x), weight)).collect()
        })
        .collect();
    Ok(Weights::given(shape, cells, Missing::Any))
}

fn frame_on(field: &Field, target: &RectilinearGrid) -> Result<Frame, ToolError> {
    let side = |axis: &GridAxis| Side {
        values: axis.centres.clone(),
        bounds: axis.bounds.clone(),
        is_scalar: false,
    };
    let radians = std::f64::consts::PI / 180.0;
    let areas = Array2::from_shape_fn((target.lat.bounds.len(), target.lon.bounds.len()), |(y, x)| {
        let ([south, north], [west, east]) = (target.lat.bounds[y], target.lon.bounds[x]);
        let band = libm::sin(north * radians) - libm::sin(south * radians);
        EARTH_RADIUS * EARTH_RADIUS * band * (east - west) * radians
    });
    Frame::over(field, side(&target.lat), side(&target.lon), areas)
}
