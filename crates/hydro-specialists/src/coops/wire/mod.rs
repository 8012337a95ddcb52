//! What the service answers, read leniently: numbers arrive as texts, gaps as empty texts, errors with status 200.

mod datum_table;
mod error_body;
mod water_level;

pub(crate) use datum_table::DatumTable;
pub(crate) use error_body::ErrorBody;
pub(crate) use water_level::{Metadata, Quality, Row, WaterLevel};
