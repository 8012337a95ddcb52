//! [`Datum`]: the zero of a water level.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The zero of a water level. It is shown as `NAVD88` and `IGLD85`; the service's `NAVD` and `IGLD` are read too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Datum {
    /// Mean higher high water.
    Mhhw,
    /// Mean high water.
    Mhw,
    /// Mean tide level.
    Mtl,
    /// Mean sea level.
    Msl,
    /// Mean low water.
    Mlw,
    /// Mean lower low water: the zero of US nautical charts.
    #[default]
    Mllw,
    /// North American Vertical Datum of 1988.
    Navd88,
    /// The station's own zero.
    Stnd,
    /// International Great Lakes Datum of 1985.
    Igld85,
    /// Low water datum of the Great Lakes.
    Lwd,
    /// Columbia River datum.
    Crd,
}

impl Datum {
    /// All datums that the service takes.
    pub const ALL: [Self; 11] = [
        Self::Mhhw,
        Self::Mhw,
        Self::Mtl,
        Self::Msl,
        Self::Mlw,
        Self::Mllw,
        Self::Navd88,
        Self::Stnd,
        Self::Igld85,
        Self::Lwd,
        Self::Crd,
    ];

    /// Our spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mhhw => "MHHW",
            Self::Mhw => "MHW",
            Self::Mtl => "MTL",
            Self::Msl => "MSL",
            Self::Mlw => "MLW",
            Self::Mllw => "MLLW",
            Self::Navd88 => "NAVD88",
            Self::Stnd => "STND",
            Self::Igld85 => "IGLD85",
            Self::Lwd => "LWD",
            Self::Crd => "CRD",
        }
    }

    /// The spelling in a request for data.
    pub const fn in_request(self) -> &'static str {
        match self {
            Self::Navd88 => "NAVD",
            Self::Igld85 => "IGLD",
            other => other.as_str(),
        }
    }

    /// The datum with this name, in either spelling and any letter case.
    ///
    /// ```
    /// use hydro_specialists::Datum;
    ///
    /// assert_eq!(Datum::from_name("navd"), Some(Datum::Navd88));
    /// assert_eq!(Datum::from_name("LMSL"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|datum| {
            datum.as_str().eq_ignore_ascii_case(name) || datum.in_request().eq_ignore_ascii_case(name)
        })
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Datum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Datum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::from_name(&name).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            serde::de::Error::custom(format!("`{name}` is not a datum; give one of: {known}"))
        })
    }
}

impl JsonSchema for Datum {
    fn schema_name() -> Cow<'static, str> {
        "Datum".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut names: Vec<&str> = Self::ALL.map(Self::as_str).to_vec();
        names.extend([Self::Navd88.in_request(), Self::Igld85.in_request()]);
        json_schema!({ "type": "string", "enum": names })
    }
}
