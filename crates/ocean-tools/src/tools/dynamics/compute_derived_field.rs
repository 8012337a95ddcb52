//! `compute_derived_field`: vorticity, speed, gradients or stratification, by one argument.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use ocean_data::cf::Quantity as Word;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::{CoastsArgument, Flow, yes};
use crate::argument::dataset::member;
use crate::argument::{ArtifactArgument, DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::columns::{self, Levels};
use crate::computation::Computation;
use crate::derived::{by_column, by_map};
use crate::frame::Frame;
use crate::kernels::differences::Plane;
use crate::kernels::gradient::{magnitude, sobel};
use crate::kernels::layers::upward_slope;
use crate::kernels::sphere::GRAVITY;
use crate::outcome::{Quantity, any_array, read_from};
use crate::series::units_of;
use crate::together::{Part, column_axis, map_axes};
use crate::water::{Water, WaterPair};
use crate::{Datasets, evidence};

/// Reference density of a stratification from densities, kg m-3.
const RHO_0: f64 = 1025.0;

/// A field made from others by differentiation.
pub(crate) struct ComputeDerivedField;

/// Arguments of `compute_derived_field`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What is derived.
    field_type: FieldType,
    /// For a gradient: the field; or else `dataset`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "profile", "section"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: Option<FieldArgument>,
    /// A dataset that holds what is needed, in place of the fields: as `assemble_dataset` makes it.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "dataset"}))]
    dataset: Option<ArtifactArgument>,
    /// For vorticity and speed: eastward current.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: Option<FieldArgument>,
    /// For vorticity and speed: northward current.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: Option<FieldArgument>,
    /// For a buoyancy frequency: potential density or its anomaly, where temperature and salinity are not at hand.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section"], "dims": ["time?", "depth", "lat?", "lon?"], "unit": "kg m-3"}))]
    density: Option<FieldArgument>,
    /// For a gradient of a dataset's field: its name there.
    #[serde(default)]
    variable: Option<String>,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// For vorticity and a horizontal gradient: whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// For vorticity and a horizontal gradient: what becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

/// What is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum FieldType {
    /// Relative vorticity.
    Vorticity,
    /// Length of the current vector.
    Speed,
    /// Length of the horizontal gradient per metre.
    HorizontalGradient,
    /// Response of the Sobel masks per cell.
    Sobel,
    /// Upward change per metre.
    VerticalGradient,
    /// Squared buoyancy frequency.
    BuoyancyFrequency,
}

impl Computation for ComputeDerivedField {
    const NAME: &'static str = "compute_derived_field";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Vorticity, speed, gradient or buoyancy frequency.", any_array("any"))
            .description(
                "`vorticity`: v_x − u_y + u tan φ / R. `speed`: √(u² + v²). `horizontal_gradient`: √(C_x² + C_y²) per metre. \
                 Horizontal derivatives are centred differences on the sphere (R = 6371000 m), one-sided at the edges of the \
                 grid, missing beside land unless `coasts` is one_sided. `sobel`: length of the two raw 3 x 3 Sobel responses \
                 in units of the data, missing cells filled with the map's mean and the edge repeated. `vertical_gradient`: \
                 ∂C/∂z per metre at the levels, z upwards, one-sided at the ends of a column. `buoyancy_frequency`: N² in s-2; of \
                 a dataset's temperature and salinity by TEOS-10 half-way between the levels, as \
                 `compute_brunt_vaisala_frequency`; of a potential density −(g/ρ₀) ∂ρ/∂z at the levels with g = 9.80665 m s-2 \
                 and ρ₀ = 1025 kg m-3, which is right near its reference pressure only.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        arguments.check()?;
        match arguments.field_type {
            FieldType::Vorticity | FieldType::Speed => of_current(arguments, datasets, context),
            FieldType::BuoyancyFrequency => match &arguments.density {
                Some(density) => of_density(arguments, density, datasets, context),
                None => of_water(arguments, datasets, context),
            },
            FieldType::HorizontalGradient | FieldType::Sobel | FieldType::VerticalGradient => {
                gradient(arguments, datasets, context)
            }
        }
    }
}

impl Arguments {
    fn part(&self) -> Part<'_> {
        Part { region: self.region.as_ref(), time: self.time.as_ref(), depth: self.depth.as_ref() }
    }

    /// Refuses what the type does not take, and no or several sources.
    fn check(&self) -> Result<(), ToolError> {
        let (needed, sources): (&str, [bool; 4]) = match self.field_type {
            FieldType::Vorticity | FieldType::Speed => {
                ("u and v, or a dataset with both", [false, true, true, false])
            }
            FieldType::BuoyancyFrequency => {
                ("a dataset with temperature and salinity, or density", [false, false, false, true])
            }
            _ => ("data, or a dataset and the name of its variable", [true, false, false, false]),
        };
        let given = [self.data.is_some(), self.u.is_some(), self.v.is_some(), self.density.is_some()];
        let expected = if self.dataset.is_some() { [false; 4] } else { sources };
        if given == expected { Ok(()) } else { Err(ToolError::invalid(format!("this type takes {needed}"))) }
    }

    /// A field of the dataset, in its part.
    fn member(
        &self,
        name: Option<&str>,
        what: &str,
        is_it: impl Fn(&str, &Field) -> bool,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<Field, ToolError> {
        let dataset = self.dataset.as_ref().ok_or_else(|| ToolError::invalid("give a dataset"))?;
        self.part().of(&member(dataset, name, what, is_it, datasets, context)?)
    }
}

fn of_current(
    arguments: &Arguments,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let flow = if let (Some(u), Some(v)) = (&arguments.u, &arguments.v) {
        Flow::open(arguments.part(), u, v, datasets, context)?
    } else {
        let component = |what: &str, short: &str, word: Word| {
            let is_it = |name: &str, field: &Field| field.variable().quantity == Some(word) || name == short;
            arguments.member(None, what, is_it, datasets, context)
        };
        let u = component("eastward current", "u", Word::Eastward)?;
        Flow::of(&u, &component("northward current", "v", Word::Northward)?)?
    };
    let (derived, quantity) = if arguments.field_type == FieldType::Speed {
        let quantity = Quantity {
            name: "speed",
            standard_name: Some("sea_water_speed"),
            units: "m s-1",
            method: "speed √(u² + v²)",
        };
        (flow.by_cell(context, libm::hypot)?, quantity)
    } else {
        let plane = flow.plane(arguments.wrap, arguments.coasts.coasts())?;
        let quantity = Quantity {
            name: "relative_vorticity",
            standard_name: Some("ocean_relative_vorticity"),
            units: "s-1",
            method: "relative vorticity v_x − u_y + u tan φ / R",
        };
        (flow.by_gradient(&plane, context, |_, gradient| gradient.vorticity())?, quantity)
    };
    Ok(flow.answer(&quantity, &derived))
}

fn of_water(
    arguments: &Arguments,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let pair = WaterPair { dataset: arguments.dataset.as_ref(), ..WaterPair::default() };
    let (temp, salt) = pair.open(datasets, context)?;
    let (temp, salt) = (arguments.part().of(&temp)?, arguments.part().of(&salt)?);
    let water = Water::new(&temp, &salt, vec![], None, None)?;
    water.columns.need_levels(2)?;
    let computed = water.columns.compute(context, &Levels::Between, 1, |view| {
        vec![water.column(view).column().buoyancy_frequency(view.lat)]
    })?;
    let quantity = columns::Quantity::standard("square_of_brunt_vaisala_frequency_in_sea_water", "s-2");
    let method = "TEOS-10 squared buoyancy frequency";
    water.columns.output(&Levels::Between, &[quantity], &computed, method, water.notes.clone())
}

fn of_density(
    arguments: &Arguments,
    density: &FieldArgument,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let field = arguments.part().open(density, "kg m-3", datasets, context)?;
    let depth = column_axis(&field)?;
    let derived = by_column(&[&field], context, depth.len(), |_, columns, out| {
        for (own, slope) in out.iter_mut().zip(upward_slope(&columns[0], &depth)) {
            *own = -GRAVITY / RHO_0 * slope;
        }
    })?;
    let quantity = Quantity {
        name: "square_of_brunt_vaisala_frequency_in_sea_water",
        standard_name: Some("square_of_brunt_vaisala_frequency_in_sea_water"),
        units: "s-2",
        method: "squared buoyancy frequency −(g/ρ₀) ∂ρ/∂z of a potential density, ρ₀ = 1025 kg m-3",
    };
    let output = read_from(quantity.output(&Frame::of(&field)?, &derived.values), &[&field], &derived.chunks);
    Ok(output.with_notes(vec![format!(
        "`{}` is taken as a potential density; its slope is the stratification near its reference pressure only, so give \
         temperature and salinity for deep water",
        field.name()
    )]))
}

fn gradient(
    arguments: &Arguments,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let field = match &arguments.data {
        Some(data) => arguments.part().open_as_is(data, datasets, context)?,
        None => arguments.member(
            arguments.variable.as_deref(),
            "field (name it as `variable`)",
            |_, _| true,
            datasets,
            context,
        )?,
    };
    let own = units_of(&field);
    let per_metre = if own == "1" { "m-1".to_owned() } else { format!("{own} m-1") };
    let (derived, suffix, units, method) = match arguments.field_type {
        FieldType::VerticalGradient => {
            let depth = column_axis(&field)?;
            let derived = by_column(&[&field], context, depth.len(), |_, columns, out| {
                out.copy_from_slice(&upward_slope(&columns[0], &depth));
            })?;
            (derived, "vertical_gradient", per_metre, "upward change per metre")
        }
        FieldType::Sobel => {
            map_axes(&field)?;
            let derived = by_map(&[&field], context, |_, maps| sobel(&maps[0]))?;
            (derived, "sobel", own, "length of the Sobel responses")
        }
        _ => {
            let (lat, lon) = map_axes(&field)?;
            let plane = Plane::new(&lat, &lon, arguments.wrap, arguments.coasts.coasts());
            let derived = by_map(&[&field], context, |_, maps| magnitude(&plane, &maps[0]))?;
            (derived, "gradient", per_metre, "length of the horizontal gradient")
        }
    };
    let name = format!("{}_{suffix}", field.variable().identity_name());
    let quantity = Quantity { name: &name, standard_name: None, units: &units, method };
    Ok(read_from(quantity.output(&Frame::of(&field)?, &derived.values), &[&field], &derived.chunks))
}
