//! The one form of a selection: variable, region, time, season, months, depth.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::depth::Depth;
use super::region::Region;
use super::time_window::{Season, TimeWindow};

/// What to take from a dataset.
///
/// # Examples
/// ```
/// use ocean_data::field::Selection;
///
/// let selection = Selection::from_json(&serde_json::json!({
///     "variable": "temperature",
///     "region": {"lon": [170, -170], "lat": [-5, 5]},
///     "time": ["2015", "2016-03"],
///     "season": "DJF",
///     "depth": {"range": [0, 200]},
/// }))?;
/// assert_eq!(selection.variable, "temperature");
/// # Ok::<(), ocean_data::field::SelectionError>(())
/// ```
///
/// The message for a wrong shape shows the right one:
/// ```
/// use ocean_data::field::Selection;
///
/// let error = Selection::from_json(&serde_json::json!({"variable": "u", "depth": 50})).unwrap_err();
/// assert!(error.to_string().contains(r#"{"at": 50}"#));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The variable, by name, standard name or everyday word.
    pub variable: String,
    /// Where; everywhere if absent.
    pub region: Option<Region>,
    /// When, inclusive; always if absent.
    pub time: Option<TimeWindow>,
    /// Only these months, as a season code.
    pub season: Option<Season>,
    /// Only these months, 1 to 12.
    pub months: Option<Vec<u8>>,
    /// At what depth; all levels if absent.
    pub depth: Option<Depth>,
}

/// A selection whose JSON has the wrong shape.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectionError {
    /// A key that selections do not have.
    #[error(
        "`{pointer}` is not part of a selection; the keys are variable, region, time, season, months, depth"
    )]
    UnknownKey {
        /// JSON pointer.
        pointer: String,
    },
    /// A value of the wrong shape.
    #[error("`{pointer}` is {found}; write {expected}")]
    Shape {
        /// JSON pointer.
        pointer: String,
        /// What was found, shortened.
        found: String,
        /// The right shape.
        expected: String,
    },
}

impl SelectionError {
    pub(crate) fn shape(pointer: &str, found: &Value, expected: impl Into<String>) -> Self {
        let mut text = found.to_string();
        if text.chars().count() > 80 {
            text = text.chars().take(77).chain("...".chars()).collect();
        }
        Self::Shape { pointer: pointer.to_owned(), found: text, expected: expected.into() }
    }
}

impl Selection {
    /// All of a variable.
    pub fn of(variable: impl Into<String>) -> Self {
        Self { variable: variable.into(), region: None, time: None, season: None, months: None, depth: None }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`SelectionError`], with a pointer and the right shape.
    pub fn from_json(value: &Value) -> Result<Self, SelectionError> {
        let Value::Object(map) = value else {
            let expected =
                r#"an object such as {"variable": "temperature", "region": {"lon": [w, e], "lat": [s, n]}}"#;
            return Err(SelectionError::shape("", value, expected));
        };
        for key in map.keys() {
            if !["variable", "region", "time", "season", "months", "depth"].contains(&key.as_str()) {
                return Err(SelectionError::UnknownKey { pointer: format!("/{key}") });
            }
        }
        let given = |key: &str| map.get(key).filter(|value| !value.is_null());
        let variable = match map.get("variable") {
            Some(Value::String(name)) if !name.trim().is_empty() => name.clone(),
            other => {
                let found = other.unwrap_or(&Value::Null);
                return Err(SelectionError::shape("/variable", found, r#"a name such as "temperature""#));
            }
        };
        Ok(Self {
            variable,
            region: given("region").map(|value| Region::from_json(value, "/region")).transpose()?,
            time: given("time").map(|value| TimeWindow::from_json(value, "/time")).transpose()?,
            season: given("season").map(|value| Season::from_json(value, "/season")).transpose()?,
            months: given("months").map(|value| months_from_json(value, "/months")).transpose()?,
            depth: given("depth").map(|value| Depth::from_json(value, "/depth")).transpose()?,
        })
    }

    /// The canonical JSON form; absent parts have no key.
    pub fn to_json(&self) -> Value {
        let mut map = Map::new();
        map.insert("variable".to_owned(), self.variable.clone().into());
        let parts = [
            ("region", self.region.as_ref().map(Region::to_json)),
            ("time", self.time.as_ref().map(TimeWindow::to_json)),
            ("season", self.season.as_ref().map(|season| json!(season.code()))),
            ("months", self.months.as_ref().map(|months| json!(months))),
            ("depth", self.depth.as_ref().map(Depth::to_json)),
        ];
        for (key, value) in parts {
            if let Some(value) = value {
                map.insert(key.to_owned(), value);
            }
        }
        Value::Object(map)
    }

    /// The months that season and list leave, 1 to 12; `None` if all.
    pub fn selected_months(&self) -> Option<Vec<u8>> {
        let season = self.season.as_ref().map(Season::months);
        match (season, &self.months) {
            (None, None) => None,
            (Some(months), None) => Some(months),
            (None, Some(months)) => Some(months.clone()),
            (Some(a), Some(b)) => Some(a.into_iter().filter(|month| b.contains(month)).collect()),
        }
    }

    /// The JSON Schema of the form, for tools that take a selection inline.
    pub fn json_schema() -> Value {
        json!({
            "type": "object",
            "required": ["variable"],
            "additionalProperties": false,
            "properties": {
                "variable": {"type": "string", "minLength": 1,
                    "description": "name, standard name, or a word such as temperature, salinity, u, v, chlorophyll, oxygen, ssh"},
                "region": Region::json_schema(),
                "time": TimeWindow::json_schema(),
                "season": Season::json_schema(),
                "months": {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 1, "maximum": 12}},
                "depth": Depth::json_schema(),
            }
        })
    }
}

fn months_from_json(value: &Value, pointer: &str) -> Result<Vec<u8>, SelectionError> {
    let wrong = || SelectionError::shape(pointer, value, "a list of month numbers such as [6, 7, 8]");
    let items = value.as_array().filter(|items| !items.is_empty()).ok_or_else(wrong)?;
    let mut months = items
        .iter()
        .map(|item| {
            let month = item.as_u64().and_then(|n| u8::try_from(n).ok());
            month.filter(|n| (1..=12).contains(n)).ok_or_else(wrong)
        })
        .collect::<Result<Vec<u8>, _>>()?;
    months.sort_unstable();
    months.dedup();
    Ok(months)
}

impl Serialize for Selection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Selection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_json(&value).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(value: &Value) -> String {
        Selection::from_json(value).unwrap_err().to_string()
    }

    #[test]
    fn every_form_round_trips() {
        for region in [
            json!({"lon": [170.0, -170.0], "lat": [-5.0, 5.0]}),
            json!({"polygon": [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]]}),
            json!({"point": [113.5, 20.0]}),
            json!({"path": [[0.0, 0.0], [10.0, 0.0]]}),
            json!({"name": "bohai_sea"}),
        ] {
            for depth in [
                json!("surface"),
                json!("bottom"),
                json!("mixed_layer"),
                json!("column"),
                json!({"at": 50.0}),
                json!({"range": [0.0, 200.0]}),
            ] {
                let value = json!({"variable": "u", "region": region, "time": ["2015", "2016-03-01"],
                                   "season": "DJF", "months": [1, 2], "depth": depth});
                let selection = Selection::from_json(&value).unwrap();
                assert_eq!(serde_json::to_value(&selection).unwrap(), value);
                assert_eq!(serde_json::from_value::<Selection>(value).unwrap(), selection);
            }
        }
    }

    #[test]
    fn wrong_shapes_show_the_right_one() {
        for (value, parts) in [
            (json!([]), vec!["variable"]),
            (json!({"variable": 3}), vec!["/variable", "temperature"]),
            (json!({"variable": "u", "lon_range": [1, 2]}), vec!["/lon_range", "region"]),
            (json!({"variable": "u", "region": {"lon": [0, 10]}}), vec!["/region", "lat"]),
            (
                json!({"variable": "u", "region": {"lat": [10, 0], "lon": [0, 10]}}),
                vec!["/region/lat", "south"],
            ),
            (
                json!({"variable": "u", "region": {"lon": [0, 10], "lat": [0, 10], "name": "x"}}),
                vec!["/region"],
            ),
            (
                json!({"variable": "u", "region": {"polygon": [[0, 0], [1, 1]]}}),
                vec!["/region/polygon", "three"],
            ),
            (json!({"variable": "u", "time": "2015"}), vec!["/time", "[\"2015-01-01\""]),
            (json!({"variable": "u", "time": ["2016", "2015"]}), vec!["/time"]),
            (json!({"variable": "u", "time": ["2015-13", "2016"]}), vec!["/time/0"]),
            (json!({"variable": "u", "season": "XYZ"}), vec!["/season", "JJA"]),
            (json!({"variable": "u", "months": [0]}), vec!["/months"]),
            (json!({"variable": "u", "depth": [0, 10]}), vec!["/depth", "range"]),
            (json!({"variable": "u", "depth": {"at": "deep"}}), vec!["/depth/at"]),
            (json!({"variable": "u", "depth": {"range": [10, 0]}}), vec!["/depth/range"]),
        ] {
            let message = error(&value);
            for part in parts {
                assert!(message.contains(part), "{value}: {message}");
            }
        }
    }

    #[test]
    fn season_and_months_intersect() {
        let mut selection = Selection::of("u");
        assert_eq!(selection.selected_months(), None);
        selection.season = Some("DJF".parse().unwrap());
        selection.months = Some(vec![1, 6]);
        assert_eq!(selection.selected_months(), Some(vec![1]));
    }
}
