//! [`StationId`]: the name of a gauge.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Seven digits for a water-level station, or letters and digits for a current meter (`cb1401`).
///
/// ```
/// use hydro_specialists::StationId;
///
/// assert_eq!("8518750".parse::<StationId>().unwrap().to_string(), "8518750");
/// assert!("The Battery".parse::<StationId>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StationId(String);

/// A text is not a station id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a station id; write seven digits such as `8518750`, or letters and digits such as `cb1401`"
)]
pub struct StationIdError {
    text: String,
}

impl StationId {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for StationId {
    type Err = StationIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let letters = text.len() - digits.len();
        let numeric = digits.bytes().all(|b| b.is_ascii_digit());
        if numeric && matches!((letters, digits.len()), (0, 7) | (1..=4, 4 | 5)) {
            Ok(Self(text.to_owned()))
        } else {
            Err(StationIdError { text: text.chars().take(40).collect() })
        }
    }
}

impl fmt::Display for StationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for StationId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for StationId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for StationId {
    fn schema_name() -> Cow<'static, str> {
        "StationId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^([0-9]{7}|[A-Za-z]{1,4}[0-9]{4,5})$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_station_ids_are_taken() {
        for good in ["9447130", "cb1401", "CB0102", "s08010"] {
            assert!(good.parse::<StationId>().is_ok(), "{good}");
        }
        for bad in ["", "944713", "94471300", "9447 30", "9447130&datum=x", "abcde1234", "９447130"] {
            assert!(bad.parse::<StationId>().is_err(), "{bad}");
        }
    }
}
