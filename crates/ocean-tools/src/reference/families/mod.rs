//! The adapters: one file a family, and [`all`], the one table.

mod area_mean;
mod climatology;
mod currents;
mod decoding;
mod geo;
mod interp;
mod regrid;
mod resample;
mod sections;
mod subset;

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
    ]
}
