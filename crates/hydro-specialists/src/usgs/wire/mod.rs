//! What the services answer, read leniently: numbers arrive as texts, null members are left out.

mod ogc;
mod rdb;
mod stn;
mod water_ml;

pub(crate) use ogc::{Collection, Features, Location};
pub(crate) use rdb::Rdb;
pub(crate) use stn::{Event, Instrument, Mark, Peak};
pub(crate) use water_ml::WaterMl;
