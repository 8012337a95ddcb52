//! Fields that belong together: in known units and on one grid.

use leg_core::ToolError;
use ocean_data::Field;
use ocean_data::field::SpaceAxis;

use crate::Datasets;
use crate::argument::field::narrow;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use leg_core::ToolContext;

/// Slack when coordinates are compared, in degrees or as a share of a depth: both may be stored in single precision.
const SAME: f64 = 1e-4;

/// The part of the fields that a tool works on.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Part<'a> {
    pub(crate) region: Option<&'a RegionArgument>,
    pub(crate) time: Option<&'a WindowArgument>,
    pub(crate) depth: Option<&'a DepthArgument>,
}

impl Part<'_> {
    /// Opens a field, takes the part of it, and gives it in these units.
    ///
    /// # Errors
    /// A selection that cannot be answered; a part beyond the field; units that are missing or measure something else.
    pub(crate) fn open(
        &self,
        argument: &FieldArgument,
        units: &str,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<Field, ToolError> {
        in_units(&self.open_as_is(argument, datasets, context)?, units)
    }

    /// As [`Part::open`], in the field's own units.
    ///
    /// # Errors
    /// A selection that cannot be answered; a part beyond the field.
    pub(crate) fn open_as_is(
        &self,
        argument: &FieldArgument,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<Field, ToolError> {
        self.of(&argument.open(datasets, context)?)
    }

    /// This part of a field that is open.
    ///
    /// # Errors
    /// A part beyond the field.
    pub(crate) fn of(&self, field: &Field) -> Result<Field, ToolError> {
        narrow(
            field,
            self.region.map(|region| &region.0),
            self.depth.map(|depth| &depth.0),
            self.time.map(|window| &window.0),
        )
    }
}

/// A field in these units.
///
/// # Errors
/// When its own are missing or measure something else.
pub(crate) fn in_units(field: &Field, units: &str) -> Result<Field, ToolError> {
    if field.units().is_empty() {
        return Err(ToolError::invalid(format!(
            "the data state no units for `{}`, and `{units}` or the like is needed; add the attribute `units` to the \
             data",
            field.name()
        )));
    }
    field.with_units(units).map_err(|error| {
        ToolError::invalid(format!("`{}` cannot be given in `{units}`: {error}", field.name()))
    })
}

/// Refuses fields that do not stand on one grid.
///
/// # Errors
/// A message that names the axis which differs.
pub(crate) fn one_grid(fields: &[&Field]) -> Result<(), ToolError> {
    on_one(fields, true)
}

/// As [`one_grid`], but columns and maps may meet: only latitudes, longitudes and times must agree.
///
/// # Errors
/// A message that names the axis which differs.
pub(crate) fn one_map_grid(fields: &[&Field]) -> Result<(), ToolError> {
    on_one(fields, false)
}

/// As [`one_map_grid`], of fields with one level at most, whatever its depth: the surface of a sea and the air above.
///
/// # Errors
/// A message that names the axis which differs, or the field with several levels.
pub(crate) fn one_surface(fields: &[&Field]) -> Result<(), ToolError> {
    if let Some(deep) = fields.iter().find(|field| field.full_shape()[1] > 1) {
        return Err(ToolError::invalid(format!(
            "`{}` has several levels and one is needed; choose one, such as depth \"surface\"",
            deep.name()
        )));
    }
    one_map_grid(fields)
}

fn on_one(fields: &[&Field], with_depths: bool) -> Result<(), ToolError> {
    let Some((first, others)) = fields.split_first() else { return Ok(()) };
    for other in others {
        let counts = |axis: &&str| with_depths || *axis != "depths";
        if let Some(axis) = differing(first, other).into_iter().find(counts) {
            return Err(ToolError::invalid(format!(
                "`{}` and `{}` do not stand on one grid: their {axis} differ; select both by one region, time and \
                 depth, move staggered components to the cell centres, or regrid one to the other",
                first.name(),
                other.name()
            )));
        }
    }
    Ok(())
}

/// Refuses fields that do not share the axes that they have in common, one that only some have aside.
///
/// # Errors
/// A message that names the axis which differs.
pub(crate) fn exact(fields: &[(&str, &Field)]) -> Result<(), ToolError> {
    for (at, (name, field)) in fields.iter().enumerate() {
        for (other_name, other) in &fields[at + 1..] {
            let lacks = |has: &dyn Fn(&Field) -> bool| !(has(field) && has(other));
            let ignored = [
                ("latitudes", lacks(&|field| field.lats().is_some())),
                ("longitudes", lacks(&|field| field.lons().is_some())),
                ("depths", lacks(&|field| field.depths().is_some())),
                ("times", lacks(&|field| field.times().is_some())),
            ];
            let calendars = |field: &Field| field.times().map(|axis| axis.calendar);
            let differing = differing(field, other)
                .into_iter()
                .find(|axis| !ignored.iter().any(|(name, lacking)| name == axis && *lacking))
                .or_else(|| (calendars(field) != calendars(other) && !ignored[3].1).then_some("calendars"));
            if let Some(axis) = differing {
                return Err(ToolError::invalid(format!(
                    "`{name}` and `{other_name}` cannot be put together: their {axis} differ; select both by one region, \
                     time and depth, or bring one to the other with `regrid_conservative`, `regrid_vertical` or \
                     `resample_timeseries`"
                )));
            }
        }
    }
    Ok(())
}

/// The axes that differ.
pub(crate) fn differing(a: &Field, b: &Field) -> Vec<&'static str> {
    let space = |a: Option<&SpaceAxis>, b: Option<&SpaceAxis>, turn: bool| {
        let empty: &[f64] = &[];
        let values = |axis: Option<&SpaceAxis>| axis.map_or(empty, |axis| &axis.values).to_vec();
        let (a, b) = (values(a), values(b));
        let near = |a: f64, b: f64| {
            let off = if turn { (a - b) - 360.0 * ((a - b) / 360.0).round() } else { a - b };
            off.abs() <= SAME * a.abs().max(1.0)
        };
        a.len() != b.len() || !a.iter().zip(&b).all(|(&a, &b)| near(a, b))
    };
    let times = |field: &Field| field.times().map(|axis| axis.nanoseconds.clone());
    [
        ("latitudes", space(a.lats(), b.lats(), false)),
        ("longitudes", space(a.lons(), b.lons(), true)),
        ("depths", space(a.depths(), b.depths(), false)),
        ("times", times(a) != times(b)),
    ]
    .into_iter()
    .filter(|axis| axis.1)
    .map(|axis| axis.0)
    .collect()
}

/// The latitudes and longitudes of a field that has to be a map at each time and level.
///
/// # Errors
/// When it has fewer than two of either.
pub(crate) fn map_axes(field: &Field) -> Result<(Vec<f64>, Vec<f64>), ToolError> {
    let side = |axis: Option<&SpaceAxis>, name: &str| {
        axis.filter(|axis| axis.values.len() > 1).map(|axis| axis.values.clone()).ok_or_else(|| {
            ToolError::invalid(format!(
                "`{}` has fewer than two {name}s, so it has no horizontal derivatives; give a wider region",
                field.name()
            ))
        })
    };
    Ok((side(field.lats(), "latitude")?, side(field.lons(), "longitude")?))
}

/// The levels of a field that has to be a column.
///
/// # Errors
/// When it has fewer than two.
pub(crate) fn column_axis(field: &Field) -> Result<Vec<f64>, ToolError> {
    field.depths().filter(|axis| axis.values.len() > 1).map(|axis| axis.values.clone()).ok_or_else(|| {
        ToolError::invalid(format!(
            "`{}` has fewer than two levels, so it has no vertical derivative or integral; choose a depth such as \
             \"column\" or {{\"range\": [0, 200]}}",
            field.name()
        ))
    })
}
