//! [`PlannerContext`]: what a planner knows of the data and of the command line.

use std::collections::BTreeMap;

use serde_json::Value;

/// What a planner knows of the data and of the command line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlannerContext {
    /// The datasets, in the order in which they were given.
    pub datasets: Vec<DatasetContext>,
    /// Slots that were filled by flags; they win over the words.
    pub overrides: Overrides,
}

/// What a planner knows of one dataset.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DatasetContext {
    /// The name under which tools find it.
    pub name: String,
    /// Its variables.
    pub variables: Vec<VariableContext>,
    /// Longitudes from west to east, in degrees east, −180..180 or 0..360; `w > e` crosses the date line.
    pub lon: Option<[f64; 2]>,
    /// Latitudes from south to north, in degrees north.
    pub lat: Option<[f64; 2]>,
    /// First and last time, as ISO dates.
    pub time: Option<[String; 2]>,
    /// Shallowest and deepest level, in m.
    pub depth: Option<[f64; 2]>,
    /// Boxes that the dataset names, as regions in JSON.
    pub boxes: BTreeMap<String, Value>,
}

/// What a planner knows of one variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VariableContext {
    /// Its name in the dataset.
    pub name: String,
    /// Its CF standard name.
    pub standard_name: Option<String>,
    /// Its description.
    pub long_name: Option<String>,
    /// Its CF unit.
    pub units: String,
    /// Whether it has levels.
    pub has_depth: bool,
}

/// Slots that were filled by flags, as JSON of FORMS.md.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overrides {
    /// `{"lon": [w, e], "lat": [s, n]}`, `{"point": [lon, lat]}` or `{"name": "…"}`.
    pub region: Option<Value>,
    /// Two ISO dates, or one.
    pub time: Option<Value>,
    /// `"surface"`, `{"at": 50}` …
    pub depth: Option<Value>,
    /// A variable of the dataset, or a word for one.
    pub variable: Option<Value>,
}
