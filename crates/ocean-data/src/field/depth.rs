//! At what depth.

use serde_json::{Value, json};

use super::selection::SelectionError;

/// A choice of depth, in metres below the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Depth {
    /// The level nearest 0 m.
    Surface,
    /// The deepest wet cell of each column, from a static mask: the union over the whole record.
    ///
    /// Finding it reads the variable once for all times of the region.
    Bottom,
    /// The level nearest a depth.
    At(f64),
    /// The levels whose centres lie between two depths.
    Range([f64; 2]),
    /// The mixed layer, which a tool has to compute first.
    MixedLayer,
    /// All levels.
    Column,
}

impl Depth {
    /// Reads the JSON form; `pointer` is where it stands, for messages.
    ///
    /// # Errors
    /// [`SelectionError`], with the right shape.
    pub fn from_json(value: &Value, pointer: &str) -> Result<Self, SelectionError> {
        let forms = r#""surface", "bottom", "column", "mixed_layer", {"at": 50} or {"range": [0, 200]}"#;
        let wrong = || {
            let expected = match value {
                Value::Number(number) => format!(r#"{{"at": {number}}}"#),
                Value::Array(items) if items.len() == 2 => format!(r#"{{"range": {value}}}"#),
                _ => forms.to_owned(),
            };
            SelectionError::shape(pointer, value, expected)
        };
        match value {
            Value::String(word) => match word.as_str() {
                "surface" => Ok(Self::Surface),
                "bottom" => Ok(Self::Bottom),
                "mixed_layer" => Ok(Self::MixedLayer),
                "column" => Ok(Self::Column),
                _ => Err(wrong()),
            },
            Value::Object(map) if map.len() == 1 => match (map.get("at"), map.get("range")) {
                (Some(at), _) => {
                    let metres = at.as_f64().filter(|m| *m >= 0.0 && m.is_finite());
                    metres.map(Self::At).ok_or_else(|| {
                        SelectionError::shape(
                            &format!("{pointer}/at"),
                            at,
                            "metres below the surface such as 50",
                        )
                    })
                }
                (None, Some(range)) => range_of(range).map(Self::Range).ok_or_else(|| {
                    let expected = "[top, bottom] in metres below the surface such as [0, 200]";
                    SelectionError::shape(&format!("{pointer}/range"), range, expected)
                }),
                _ => Err(wrong()),
            },
            _ => Err(wrong()),
        }
    }

    /// The canonical JSON form.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Surface => json!("surface"),
            Self::Bottom => json!("bottom"),
            Self::At(metres) => json!({ "at": metres }),
            Self::Range(range) => json!({ "range": range }),
            Self::MixedLayer => json!("mixed_layer"),
            Self::Column => json!("column"),
        }
    }

    /// The JSON Schema of the form.
    pub fn json_schema() -> Value {
        json!({"oneOf": [
            {"enum": ["surface", "bottom", "mixed_layer", "column"]},
            {"type": "object", "required": ["at"], "additionalProperties": false,
             "properties": {"at": {"type": "number", "minimum": 0}}},
            {"type": "object", "required": ["range"], "additionalProperties": false,
             "properties": {"range": {"type": "array", "minItems": 2, "maxItems": 2,
                                      "items": {"type": "number", "minimum": 0}}}}
        ]})
    }
}

fn range_of(value: &Value) -> Option<[f64; 2]> {
    let items = value.as_array()?;
    let [top, bottom] = items.as_slice() else { return None };
    let (top, bottom) = (top.as_f64()?, bottom.as_f64()?);
    (top >= 0.0 && bottom >= top && bottom.is_finite()).then_some([top, bottom])
}
