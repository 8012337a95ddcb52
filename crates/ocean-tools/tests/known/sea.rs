//! Small seas in memory, given by formulas.

use std::sync::Arc;

use ndarray::{Array, IxDyn};
use ocean_data::Dataset;
use ocean_data::dataset::{MemoryStore, MemoryVariable};
use ocean_tools::Datasets;
use serde_json::{Value, json};

use crate::fixture::Bench;

/// Radius of the Earth in metres.
pub(crate) const RADIUS: f64 = 6_371_000.0;

/// The axes of a sea and its variables.
pub(crate) struct Sea {
    /// Days since 2000-01-01.
    pub(crate) days: Vec<f64>,
    pub(crate) depth: Vec<f64>,
    pub(crate) lat: Vec<f64>,
    pub(crate) lon: Vec<f64>,
    variables: Vec<MemoryVariable>,
}

/// Where a value stands: days, metres, degrees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At {
    pub(crate) day: f64,
    pub(crate) depth: f64,
    pub(crate) lat: f64,
    pub(crate) lon: f64,
}

/// `n` values from `from` by `step`.
pub(crate) fn axis(from: f64, step: f64, n: usize) -> Vec<f64> {
    (0..n).map(|i| from + step * i as f64).collect()
}

impl Sea {
    pub(crate) fn new(days: Vec<f64>, depth: Vec<f64>, lat: Vec<f64>, lon: Vec<f64>) -> Self {
        let axis = |name: &str, values: &[f64], units: &str, standard_name: &str| {
            MemoryVariable::new(name, &[name], Array::from_vec(values.to_vec()).into_dyn())
                .with("units", units)
                .with("standard_name", standard_name)
        };
        let variables = vec![
            axis("time", &days, "days since 2000-01-01", "time"),
            axis("depth", &depth, "m", "depth").with("positive", "down"),
            axis("lat", &lat, "degrees_north", "latitude"),
            axis("lon", &lon, "degrees_east", "longitude"),
        ];
        Self { days, depth, lat, lon, variables }
    }

    /// Adds a variable on all four axes.
    pub(crate) fn column(self, name: &str, units: &str, value: impl Fn(At) -> f64) -> Self {
        let shape = [self.days.len(), self.depth.len(), self.lat.len(), self.lon.len()];
        let values = Array::from_shape_fn(IxDyn(&shape), |at| {
            value(At {
                day: self.days[at[0]],
                depth: self.depth[at[1]],
                lat: self.lat[at[2]],
                lon: self.lon[at[3]],
            })
        });
        self.with(MemoryVariable::new(name, &["time", "depth", "lat", "lon"], values).with("units", units))
    }

    /// Adds a variable without depth.
    pub(crate) fn map(self, name: &str, units: &str, value: impl Fn(At) -> f64) -> Self {
        let shape = [self.days.len(), self.lat.len(), self.lon.len()];
        let values = Array::from_shape_fn(IxDyn(&shape), |at| {
            value(At { day: self.days[at[0]], depth: 0.0, lat: self.lat[at[1]], lon: self.lon[at[2]] })
        });
        self.with(MemoryVariable::new(name, &["time", "lat", "lon"], values).with("units", units))
    }

    fn with(mut self, variable: MemoryVariable) -> Self {
        self.variables.push(variable);
        self
    }

    /// All tools over this sea, which is called `sea`.
    pub(crate) fn bench(self) -> Bench {
        let store = MemoryStore::new("memory", self.variables).unwrap();
        let dataset = Dataset::from_store("memory:sea", Arc::new(store)).unwrap();
        Bench::over(Datasets::default().with_dataset("sea", dataset).unwrap())
    }
}

/// A variable as a selection.
pub(crate) fn of(variable: &str) -> Value {
    json!({"variable": variable, "dataset": "sea"})
}

/// The values of an output.
#[track_caller]
pub(crate) fn part<'a>(output: &'a leg_core::ToolOutput, name: &str) -> &'a [f64] {
    &output.artifacts.get(name).unwrap_or_else(|| panic!("no output `{name}`")).primary().unwrap().values
}

/// A count among the evidence.
#[track_caller]
pub(crate) fn count(output: &leg_core::ToolOutput, name: &str) -> u64 {
    crate::fixture::draft(output, name).value.as_u64().unwrap()
}

/// Whether all values are this one within a tolerance.
#[track_caller]
pub(crate) fn all_near(values: &[f64], exact: f64, tolerance: f64) {
    assert!(!values.is_empty());
    for value in values {
        assert!((value - exact).abs() <= tolerance, "{value} is not {exact} ± {tolerance}");
    }
}
