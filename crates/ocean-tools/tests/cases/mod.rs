//! Calls of every tool, one file a family. A tool without a call here fails the suite.

mod budget;
mod climatology;
mod column_structure;
mod data;
mod dynamics;
mod eddies;
mod field;
mod fields;
mod inference;
mod pairs;
mod patterns;
mod profile;
mod section;
mod statistic;
mod synthesis;
mod timeseries;
mod transport;
mod vertical;
mod water_masses;
mod watermass;

use serde_json::{Value, json};

use crate::fixture::Bench;

/// A name and arguments.
pub(crate) type Case = (&'static str, Value);

/// Results that several families start from. The dataset `grid` holds `sst(time, lat, lon)`; `ocean` holds all
/// quantities on (time, depth, lat, lon).
pub(crate) struct Inputs {
    /// The whole of `sst` as a selection.
    pub(crate) ask: Value,
    /// And loaded.
    pub(crate) field: Value,
    /// Its area mean.
    pub(crate) series: Value,
    /// The annual cycle of that.
    pub(crate) climatology: Value,
    /// Its mean over time.
    pub(crate) map: Value,
    /// The trend of the series.
    pub(crate) trend: Value,
}

impl Inputs {
    pub(crate) async fn new(bench: &Bench) -> Self {
        let ask = json!({"variable": "sst"});
        let (_, field) = bench.step("load_dataset", ask.clone()).await;
        let (_, series) = bench.step("compute_area_weighted_mean", json!({"data": field})).await;
        let (_, climatology) = bench.step("compute_climatology", json!({"timeseries": series})).await;
        let (_, map) = bench.step("compute_spatial_field", json!({"data": field})).await;
        let (_, trend) = bench.step("compute_trend", json!({"timeseries": series})).await;
        Self { ask, field, series, climatology, map, trend }
    }
}

/// A variable of the dataset `ocean` as a selection.
pub(crate) fn ocean(variable: &str) -> Value {
    json!({"variable": variable, "dataset": "ocean"})
}

/// The calls of a tool.
pub(crate) async fn of(tool: &str, bench: &Bench, inputs: &Inputs) -> Vec<Case> {
    let found = [
        data::cases(tool, bench, inputs).await,
        fields::cases(tool, bench, inputs).await,
        pairs::cases(tool, bench, inputs),
        timeseries::cases(tool, bench, inputs).await,
        climatology::cases(tool, bench, inputs).await,
        budget::cases(tool, bench).await,
        dynamics::cases(tool, bench).await,
        eddies::cases(tool, bench).await,
        transport::cases(tool, bench, inputs).await,
        section::cases(tool, bench).await,
        field::cases(tool, inputs),
        statistic::cases(tool, bench, inputs).await,
        inference::cases(tool, bench, inputs),
        patterns::cases(tool, bench, inputs).await,
        synthesis::cases(tool, inputs),
        watermass::cases(tool),
        water_masses::cases(tool, bench).await,
        vertical::cases(tool, bench).await,
        column_structure::cases(tool, bench).await,
        profile::cases(tool, bench).await,
    ];
    found.into_iter().flatten().next().unwrap_or_else(|| panic!("give calls of `{tool}` in tests/cases"))
}
