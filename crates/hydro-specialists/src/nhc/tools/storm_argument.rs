//! Arguments that several tools have.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

use crate::question::storms::StormId;

/// The id of a storm as an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Storm(pub(crate) StormId);

impl<'de> Deserialize<'de> for Storm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Self).map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Storm {
    fn schema_name() -> Cow<'static, str> {
        "Storm".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[A-Za-z]{2}[0-9]{6}$" })
    }
}

/// A basin that the service warns for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Basin {
    /// Atlantic.
    Al,
    /// Northeast Pacific.
    Ep,
    /// Central Pacific.
    Cp,
}

impl Basin {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Al => "al",
            Self::Ep => "ep",
            Self::Cp => "cp",
        }
    }
}

/// A place with the name and the id of a storm.
pub(crate) fn place(name: &str, id: &StormId, position: Option<(f64, f64)>) -> serde_json::Value {
    let mut place = serde_json::json!({ "name": name, "storm_id": id.to_string() });
    if let Some((lat, lon)) = position {
        place["lon"] = serde_json::json!(lon);
        place["lat"] = serde_json::json!(lat);
    }
    place
}

/// A product of the text service, and the number of an advisory: `24`, `024` or `2A`.
pub(crate) fn checked_number(number: &str) -> Result<String, crate::ServiceError> {
    let number = crate::nhc::wire::advisory::plain_number(number);
    let digits = number.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let fits = (1..=3).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && number.len() - digits.len() <= 1;
    if fits {
        return Ok(number);
    }
    let shown: String = number.chars().take(20).collect();
    Err(crate::ServiceError::BadArgument(format!(
        "`{shown}` is no number of an advisory; write up to three digits and at most one letter, such as `24` or `2A`"
    )))
}
