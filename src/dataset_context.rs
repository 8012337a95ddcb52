//! What the planner is told of a dataset.

use std::collections::BTreeMap;
use std::path::Path;

use leg_agents::planner::{DatasetContext, VariableContext};
use ocean_data::Dataset;
use ocean_data::dataset::{AxisDescription, Description};
use serde_json::{Value, json};

/// Variables, coverage and named boxes of a dataset.
pub(crate) fn dataset_context(name: &str, dataset: &Dataset) -> DatasetContext {
    let description = dataset.inspect();
    let range = |axis: &str| {
        let axis = axis_of(&description, axis)?;
        Some([axis.from.parse().ok()?, axis.to.parse().ok()?])
    };
    let lat = range("lat").map(|[a, b]: [f64; 2]| [a.min(b), a.max(b)]);
    let time = axis_of(&description, "time").map(|axis| [day(&axis.from), day(&axis.to)]);
    let deep: Vec<&str> =
        description.axes.iter().filter(|axis| axis.axis == "depth").map(|axis| axis.name.as_str()).collect();
    let variables = description
        .variables
        .iter()
        .filter(|variable| variable.selectable)
        .map(|variable| VariableContext {
            name: variable.name.clone(),
            standard_name: variable.standard_name.clone(),
            long_name: variable.long_name.clone(),
            units: variable.units.clone().unwrap_or_default(),
            has_depth: variable
                .dims
                .iter()
                .zip(&variable.shape)
                .any(|(dim, length)| *length > 1 && deep.contains(&dim.as_str())),
        })
        .collect();
    DatasetContext {
        name: name.to_owned(),
        variables,
        lon: range("lon"),
        lat,
        time,
        depth: range("depth"),
        boxes: boxes(&description.uri),
    }
}

fn axis_of<'a>(description: &'a Description, axis: &str) -> Option<&'a AxisDescription> {
    description.axes.iter().find(|one| one.axis == axis)
}

fn day(text: &str) -> String {
    text.split('T').next().unwrap_or(text).to_owned()
}

/// Boxes that a store names in its `truth.json`, as the demo ocean does.
fn boxes(uri: &str) -> BTreeMap<String, Value> {
    let folder = Path::new(uri.strip_prefix("file://").unwrap_or(uri));
    let text = std::fs::read_to_string(folder.join("truth.json")).unwrap_or_default();
    let truth: Value = serde_json::from_str(&text).unwrap_or_default();
    let named = truth.get("boxes").and_then(Value::as_array).into_iter().flatten().filter_map(|one| {
        Some((
            one.get("name")?.as_str()?.to_owned(),
            json!({ "lon": one.get("lon")?, "lat": one.get("lat")? }),
        ))
    });
    named.collect()
}
