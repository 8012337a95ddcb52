//! The Short-Term Network: events, marks, sensors, peaks. Members that are null are left out; names of people are not read.

use serde::Deserialize;

use crate::lenient;

/// A flood event.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Event {
    #[serde(rename = "event_id", deserialize_with = "lenient::number")]
    pub(crate) id: Option<f64>,
    #[serde(rename = "event_name", deserialize_with = "lenient::text")]
    pub(crate) name: String,
    #[serde(rename = "event_start_date", deserialize_with = "lenient::text")]
    pub(crate) start: String,
    #[serde(rename = "event_end_date", deserialize_with = "lenient::text")]
    pub(crate) end: String,
    /// 1 riverine, 2 hurricane, 3 drought, 4 nor'easter.
    #[serde(rename = "event_type_id", deserialize_with = "lenient::number")]
    pub(crate) kind: Option<f64>,
    /// 1 active, 2 completed.
    #[serde(rename = "event_status_id", deserialize_with = "lenient::number")]
    pub(crate) status: Option<f64>,
}

/// A high-water mark.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Mark {
    #[serde(rename = "hwm_id", deserialize_with = "lenient::number")]
    pub(crate) id: Option<f64>,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) latitude: Option<f64>,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) longitude: Option<f64>,
    /// The water surface above the vertical datum, feet.
    #[serde(rename = "elev_ft", deserialize_with = "lenient::number")]
    pub(crate) elevation: Option<f64>,
    /// The depth of the water above the ground, feet: another thing than the elevation.
    #[serde(rename = "height_above_gnd", deserialize_with = "lenient::number")]
    pub(crate) height_above_ground: Option<f64>,
    #[serde(rename = "verticalDatumName", deserialize_with = "lenient::text")]
    pub(crate) datum: String,
    #[serde(rename = "hwmQualityName", deserialize_with = "lenient::text")]
    pub(crate) quality: String,
    #[serde(rename = "hwm_quality_id", deserialize_with = "lenient::number")]
    pub(crate) quality_id: Option<f64>,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) uncertainty: Option<f64>,
    #[serde(rename = "hwmTypeName", deserialize_with = "lenient::text")]
    pub(crate) kind: String,
    #[serde(rename = "hwm_environment", deserialize_with = "lenient::text")]
    pub(crate) environment: String,
    #[serde(rename = "stateName", deserialize_with = "lenient::text")]
    pub(crate) state: String,
    #[serde(rename = "countyName", deserialize_with = "lenient::text")]
    pub(crate) county: String,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) waterbody: String,
    #[serde(rename = "siteDescription", deserialize_with = "lenient::text")]
    pub(crate) site: String,
    #[serde(rename = "eventName", deserialize_with = "lenient::text")]
    pub(crate) event: String,
    #[serde(rename = "survey_date", deserialize_with = "lenient::text")]
    pub(crate) surveyed: String,
    #[serde(rename = "flag_date", deserialize_with = "lenient::text")]
    pub(crate) flagged: String,
    #[serde(rename = "stillwater", deserialize_with = "lenient::number")]
    pub(crate) still_water: Option<f64>,
    #[serde(rename = "hwm_notes", deserialize_with = "lenient::text")]
    pub(crate) notes: String,
}

/// A sensor that was deployed for an event.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Instrument {
    #[serde(rename = "instrument_id", deserialize_with = "lenient::number")]
    pub(crate) id: Option<f64>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) site_no: String,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) latitude: Option<f64>,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) longitude: Option<f64>,
    #[serde(rename = "sensorType", deserialize_with = "lenient::text")]
    pub(crate) kind: String,
    #[serde(rename = "statusType", deserialize_with = "lenient::text")]
    pub(crate) status: String,
    #[serde(rename = "stateName", deserialize_with = "lenient::text")]
    pub(crate) state: String,
    #[serde(rename = "countyName", deserialize_with = "lenient::text")]
    pub(crate) county: String,
}

/// The peak of a sensor or a mark.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Peak {
    #[serde(rename = "peak_summary_id", deserialize_with = "lenient::number")]
    pub(crate) id: Option<f64>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) site_no: String,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) latitude: Option<f64>,
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) longitude: Option<f64>,
    /// Feet above the datum.
    #[serde(rename = "peak_stage", deserialize_with = "lenient::number")]
    pub(crate) stage: Option<f64>,
    #[serde(rename = "vdatum", deserialize_with = "lenient::text")]
    pub(crate) datum: String,
    #[serde(rename = "peak_date", deserialize_with = "lenient::text")]
    pub(crate) time: String,
    #[serde(rename = "countyName", deserialize_with = "lenient::text")]
    pub(crate) county: String,
}
