//! `compute_variable_summary`: what each array of a store holds.

use leg_core::{
    Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec,
};
use ocean_data::cf::{Attribute, Calendar, Packing, TimeUnits};
use ocean_data::dataset::{Store, StoredVariable, Window};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Datasets;
use crate::computation::Computation;

/// Elements read at once.
const PIECE: usize = 4 << 20;

/// Reads every numeric array of a store and says what is in it.
pub(crate) struct ComputeVariableSummary;

/// Arguments of `compute_variable_summary`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Name of an open dataset; the first one if absent.
    #[serde(default)]
    dataset: Option<String>,
    /// Names of the arrays; all numeric ones if absent.
    #[serde(default)]
    variables: Option<Vec<String>>,
}

impl Computation for ComputeVariableSummary {
    const NAME: &'static str = "compute_variable_summary";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Shape, counts, extremes and ends of every array of a dataset.", Port::of(Kind::Table))
            .description(
                "Reads each numeric array as the file holds it, coordinates and bounds too: scale_factor and add_offset \
                 applied in double precision, _FillValue, missing_value, valid_range and the format's own fill values \
                 missing. Times stay numbers, with the first, middle and last decoded by their units and calendar. A row an \
                 array: shape, number of valid elements, mean, extremes, first and last valid element with its position.",
            )
            .evidence(&["n_arrays", "n_values", "n_valid"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let dataset = datasets.open(arguments.dataset.as_deref())?;
        let store = dataset.store();
        let stored = store.variables();
        if let Some(wanted) = &arguments.variables
            && let Some(name) = wanted.iter().find(|name| !stored.iter().any(|one| one.name == **name))
        {
            let names: Vec<&str> = stored.iter().map(|one| one.name.as_str()).collect();
            let message = format!("the dataset has no array `{name}`; it has: {}", names.join(", "));
            return Err(ToolError::new(ToolErrorKind::NotFound, message));
        }
        let is_wanted = |one: &StoredVariable| {
            one.element.is_numeric()
                && arguments.variables.as_ref().is_none_or(|names| names.contains(&one.name))
        };
        let (mut rows, mut values, mut valid) = (Vec::new(), 0_u64, 0_u64);
        for (index, one) in stored.iter().enumerate().filter(|(_, one)| is_wanted(one)) {
            let summary = Summary::read(store, index, context)?;
            values += one.len() as u64;
            valid += summary.n;
            rows.push(summary.row(one));
        }
        let count = |name: &str, count: u64, method: &str| EvidenceDraft::new(name, count, "1", method);
        let drafts = vec![
            count("n_arrays", rows.len() as u64, "number of numeric arrays that were read"),
            count("n_values", values, "number of their elements"),
            count("n_valid", valid, "number of their elements that are not missing"),
        ];
        let columns = [
            "name",
            "dims",
            "shape",
            "stored_type",
            "units",
            "calendar",
            "n_valid",
            "mean",
            "min",
            "max",
            "first_valid",
            "last_valid",
            "times",
        ];
        let artifact = Artifact::document(Kind::Table, "arrays", json!({ "columns": columns, "rows": rows }));
        Ok(ToolOutput::of(artifact).with_evidence(drafts))
    }
}

/// What was seen of an array.
#[derive(Debug, Default)]
struct Summary {
    n: u64,
    sum: f64,
    low: f64,
    high: f64,
    first: Option<(u64, f64)>,
    last: Option<(u64, f64)>,
    /// First, middle and last element.
    ends: [f64; 3],
}

impl Summary {
    fn read(store: &dyn Store, index: usize, context: &ToolContext) -> Result<Self, ToolError> {
        let variable = &store.variables()[index];
        let packing = Packing::from_attributes(&variable.attributes, variable.fill_value);
        let mut summary =
            Self { low: f64::INFINITY, high: f64::NEG_INFINITY, ends: [f64::NAN; 3], ..Self::default() };
        let mut at = 0_u64;
        let middle = variable.len() as u64 / 2;
        for window in windows(variable) {
            if context.is_cancelled() {
                return Err(ToolError::new(
                    ToolErrorKind::Cancelled,
                    "the summary was stopped; call it again",
                ));
            }
            let block = store
                .read(index, &window)
                .map_err(|error| ToolError::new(ToolErrorKind::BadData, error.to_string()))?;
            for &value in &block.values {
                let value = packing.decode(value);
                if at == 0 {
                    summary.ends[0] = value;
                }
                if at == middle {
                    summary.ends[1] = value;
                }
                summary.ends[2] = value;
                if value.is_finite() {
                    summary.n += 1;
                    summary.sum += value;
                    summary.low = summary.low.min(value);
                    summary.high = summary.high.max(value);
                    summary.first.get_or_insert((at, value));
                    summary.last = Some((at, value));
                }
                at += 1;
            }
        }
        Ok(summary)
    }

    fn row(&self, variable: &StoredVariable) -> Value {
        let number = |value: f64| if self.n > 0 { json!(value) } else { Value::Null };
        let text = |key: &str| variable.attributes.get(key).and_then(Attribute::as_text);
        let dims: Vec<&str> = variable.dimensions.iter().map(|dimension| dimension.0.as_str()).collect();
        let place = |found: Option<(u64, f64)>| found.map(|(at, value)| json!([at, value]));
        json!([
            variable.name,
            dims,
            variable.shape(),
            variable.element.to_string(),
            text("units"),
            text("calendar"),
            self.n,
            number(self.sum / self.n as f64),
            number(self.low),
            number(self.high),
            place(self.first),
            place(self.last),
            self.times(text("units"), text("calendar")),
        ])
    }

    /// First, middle and last as dates, to the second.
    fn times(&self, units: Option<&str>, calendar: Option<&str>) -> Option<Vec<Option<String>>> {
        let calendar = Calendar::parse(calendar.unwrap_or("standard")).ok()?;
        let units = TimeUnits::parse(units.filter(|units| units.contains(" since "))?, calendar).ok()?;
        let date = |value: f64| {
            let date = units.decode(value).ok()?;
            Some(date.to_iso(calendar).trim_end_matches('Z').chars().take(19).collect())
        };
        Some(self.ends.map(date).to_vec())
    }
}

/// Slabs of the first dimension, each as large as a piece allows.
fn windows(variable: &StoredVariable) -> Vec<Window> {
    let shape = variable.shape();
    let Some((&length, rest)) = shape.split_first() else { return vec![Window::all(variable)] };
    let row: usize = rest.iter().product::<usize>().max(1);
    let chunk = variable.chunk_shape.first().copied().unwrap_or(1).max(1);
    let step = (PIECE / row / chunk).max(1) * chunk;
    (0..length)
        .step_by(step)
        .map(|start| {
            let mut window = Window::all(variable);
            window.start[0] = start;
            window.shape[0] = step.min(length - start);
            window
        })
        .collect()
}
