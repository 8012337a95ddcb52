//! What the service answers, read leniently: numbers arrive as texts, gaps as empty texts, errors with status 200.

mod datum_table;
mod derived;
mod error_body;
mod sample;
mod station;
mod water_level;

pub(crate) use datum_table::DatumTable;
pub(crate) use derived::{
    AnnualFloods, Extremes, FloodYear, Highest, PeakEvent, PeakEvents, ReturnLevel, ReturnLevels, TopTen,
    Trend, Trends,
};
pub(crate) use error_body::ErrorBody;
pub(crate) use sample::{CurrentPrediction, CurrentPredictions, Sample, Samples};
pub(crate) use station::{Constituent, Constituents, Station, Stations};
pub(crate) use water_level::{Metadata, Quality, Row, WaterLevel};
