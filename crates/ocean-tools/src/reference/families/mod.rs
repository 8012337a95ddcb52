//! The adapters: one file a family, and [`all`], the one table.

mod area_mean;
mod climate_index;
mod climatology;
mod columns;
mod composite;
mod correlation;
mod currents;
mod decoding;
mod distribution;
mod eof;
mod filter;
mod geo;
mod interp;
mod percentile_climatology;
mod regrid;
mod resample;
mod sections;
mod series_inputs;
mod skill;
mod spectrum;
mod subset;
mod teos10;
mod tide;
mod trend;
mod watermass;

use async_trait::async_trait;
use serde_json::Value;

use super::bench::Bench;
use super::case::Case;

/// Turns the cases of a family into calls of tools.
#[async_trait]
pub(super) trait Adapter: Send + Sync {
    /// Whether it knows this capability of this family.
    fn knows(&self, family: &str, capability: &str) -> bool;

    /// The answer in the shape of the expected values. It reads every member of the input and the parameters.
    ///
    /// # Errors
    /// A message: an unknown value of a parameter, or what a tool said.
    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String>;
}

/// Every adapter.
pub(super) fn all() -> Vec<Box<dyn Adapter>> {
    vec![
        Box::new(area_mean::AreaMean),
        Box::new(climatology::Climatology),
        Box::new(currents::Currents),
        Box::new(decoding::Decoding),
        Box::new(geo::Geo),
        Box::new(interp::Interp),
        Box::new(regrid::Regrid),
        Box::new(resample::Resample),
        Box::new(sections::Sections),
        Box::new(subset::Subset),
        Box::new(climate_index::ClimateIndex),
        Box::new(composite::Composite),
        Box::new(correlation::Correlation),
        Box::new(distribution::Distribution),
        Box::new(eof::Eof),
        Box::new(filter::Filter),
        Box::new(percentile_climatology::PercentileClimatology),
        Box::new(skill::Skill),
        Box::new(spectrum::Spectrum),
        Box::new(tide::Tide),
        Box::new(trend::Trend),
        Box::new(columns::Columns),
        Box::new(teos10::Teos10),
        Box::new(watermass::WaterMass),
    ]
}
