//! Derived products: trends, flood days, extremes. Their keys at the top differ; some numbers and booleans are texts.

use serde::Deserialize;
use serde_json::Value;

use crate::lenient;

/// Trends of sea level.
#[derive(Debug, Deserialize)]
pub(crate) struct Trends {
    #[serde(rename = "SeaLvlTrends", deserialize_with = "lenient::list")]
    pub(crate) rows: Vec<Value>,
}

/// A trend; its unit stands beside it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Trend {
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) station_name: String,
    #[serde(default, rename = "trendUnits", deserialize_with = "lenient::text")]
    pub(crate) units: String,
    #[serde(default, rename = "trend", deserialize_with = "lenient::number")]
    pub(crate) value: Option<f64>,
    #[serde(default, rename = "trendError", deserialize_with = "lenient::number")]
    pub(crate) error: Option<f64>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) start_date: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) end_date: String,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) latitude: Option<f64>,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) longitude: Option<f64>,
}

/// Flood days by year.
#[derive(Debug, Deserialize)]
pub(crate) struct AnnualFloods {
    #[serde(rename = "AnnualFloodCount", deserialize_with = "lenient::list")]
    pub(crate) rows: Vec<Value>,
}

/// The flood days of a year.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FloodYear {
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) stn_name: String,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) lat: Option<f64>,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) lon: Option<f64>,
    pub(crate) year: i32,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) maj_count: Option<f64>,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) mod_count: Option<f64>,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) min_count: Option<f64>,
    #[serde(default, rename = "percent_completeness", deserialize_with = "lenient::number")]
    pub(crate) completeness: Option<f64>,
}

/// The ten highest waters.
#[derive(Debug, Deserialize)]
pub(crate) struct TopTen {
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) units: String,
    #[serde(rename = "topTenWaterLevels", deserialize_with = "lenient::list")]
    pub(crate) rows: Vec<Value>,
}

/// One of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Highest {
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) station_name: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) peak_date: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) peak_time: String,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) height: Option<f64>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) datum: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) event: String,
}

/// The index of extremes: the days of the events without their levels.
#[derive(Debug, Deserialize)]
pub(crate) struct Extremes {
    #[serde(rename = "ExtremeWaterLevels", deserialize_with = "lenient::list")]
    pub(crate) rows: Vec<Value>,
}

/// Levels by their return period.
#[derive(Debug, Deserialize)]
pub(crate) struct ReturnLevels {
    #[serde(rename = "ExtRfa", deserialize_with = "lenient::list")]
    pub(crate) rows: Vec<Value>,
}

/// A level that is reached once in a return period.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ReturnLevel {
    /// Such as `0.5yr`.
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) rl: String,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) value: Option<f64>,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) ci_low: Option<f64>,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) ci_high: Option<f64>,
}

/// The storms that the service has peak levels of.
#[derive(Debug, Deserialize)]
pub(crate) struct PeakEvents {
    #[serde(rename = "peakWaterLevels", deserialize_with = "lenient::list")]
    pub(crate) rows: Vec<Value>,
}

/// A storm.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PeakEvent {
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) event_id: Option<f64>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) name: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) start_date: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) event_type: String,
}
