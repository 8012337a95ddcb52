//! Grids without axes: curvilinear, unstructured, staggered, terrain-following; in stores in memory.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_cmp,
    reason = "a test may fail loudly, and its numbers are exact by construction"
)]

mod curvilinear;
mod limits;
mod staggered;
#[path = "../support/mod.rs"]
mod support;
mod terrain;
mod unstructured;

use ocean_data::field::{SelectError, Selection};
use serde_json::Value;

fn select(
    dataset: &std::sync::Arc<ocean_data::Dataset>,
    value: &Value,
) -> Result<ocean_data::Field, SelectError> {
    dataset.select(&Selection::from_json(value).unwrap())
}
