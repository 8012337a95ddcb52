//! [`Stations`]: what the service knows of its stations.

use serde::Deserialize;
use serde_json::Value;

use crate::lenient;

/// A list of stations; a single one comes as a list too.
#[derive(Debug, Deserialize)]
pub(crate) struct Stations {
    #[serde(deserialize_with = "lenient::list")]
    pub(crate) stations: Vec<Value>,
}

/// A station. Blocks that were not asked for hold only a link.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Station {
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) id: String,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) name: String,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) state: String,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) lat: Option<f64>,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) lng: Option<f64>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) shefcode: String,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) timezonecorr: Option<f64>,
    pub(crate) tidal: Value,
    pub(crate) details: Value,
    pub(crate) sensors: Value,
    pub(crate) floodlevels: Value,
    #[serde(rename = "harmonicConstituents")]
    pub(crate) harmonics: Value,
    pub(crate) datums: Value,
}

/// The harmonic constituents of a station.
#[derive(Debug, Deserialize)]
pub(crate) struct Constituents {
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) units: String,
    #[serde(rename = "HarmonicConstituents", deserialize_with = "lenient::list")]
    pub(crate) rows: Vec<Value>,
}

/// A constituent.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Constituent {
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) name: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) description: String,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) amplitude: Option<f64>,
    #[serde(default, rename = "phase_GMT", deserialize_with = "lenient::number")]
    pub(crate) phase: Option<f64>,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) speed: Option<f64>,
}
