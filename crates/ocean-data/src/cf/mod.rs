//! The CF conventions: calendars, units, names, axes, packing and bounds, without any file format.

mod attribute;
mod axis;
mod bounds;
mod calendar;
mod date_time;
mod packing;
mod parametric;
mod standard_name;
mod time_units;
mod unit_table;
mod units;

pub use attribute::{Attribute, Attributes};
pub use axis::{Axis, AxisEvidence};
pub(crate) use bounds::{midpoint_bounds, thicknesses};
pub use calendar::{Calendar, CalendarError};
pub use date_time::DateTime;
pub use packing::Packing;
pub use parametric::{OceanFormula, OceanLevel};
pub use standard_name::Quantity;
pub(crate) use standard_name::base_name;
pub use time_units::{TimeUnits, TimeUnitsError};
pub use units::{Conversion, Unit, UnitError};
