//! [`SiteId`]: the number of a stream gauge.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of a gauge of the USGS: 8 to 15 digits, with or without `USGS-` before them.
///
/// ```
/// use hydro_specialists::usgs::SiteId;
///
/// let site: SiteId = "USGS-01646500".parse().unwrap();
/// assert_eq!((site.digits(), site.to_string().as_str()), ("01646500", "USGS-01646500"));
/// assert!("Potomac".parse::<SiteId>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(String);

/// A text is not the number of a gauge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a USGS site; write 8 to 15 digits such as `01646500`, or `USGS-01646500`")]
pub struct SiteIdError {
    text: String,
}

impl SiteId {
    /// The digits alone, as the older services want them.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl FromStr for SiteId {
    type Err = SiteIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let own = text.trim();
        let head = own.get(..5).filter(|head| head.eq_ignore_ascii_case("usgs-"));
        let digits = head.and_then(|head| own.get(head.len()..)).unwrap_or(own);
        if (8..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            Ok(Self(digits.to_owned()))
        } else {
            Err(SiteIdError { text: text.chars().take(40).collect() })
        }
    }
}

impl fmt::Display for SiteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "USGS-{}", self.0)
    }
}

impl Serialize for SiteId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SiteId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for SiteId {
    fn schema_name() -> Cow<'static, str> {
        "SiteId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^([Uu][Ss][Gg][Ss]-)?[0-9]{8,15}$" })
    }
}
