//! [`Samples`]: rows of sensors, currents and predictions, which share a form.

use jiff::civil::DateTime;
use serde::Deserialize;
use serde_json::Value;

use super::water_level::{Metadata, time};
use crate::lenient;

/// The answer to a request for anything but observed levels: rows stand below `data` or `predictions`.
#[derive(Debug, Deserialize)]
pub(crate) struct Samples {
    #[serde(default)]
    pub(crate) metadata: Metadata,
    #[serde(alias = "predictions", deserialize_with = "lenient::list")]
    pub(crate) data: Vec<Value>,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Sample {
    #[serde(deserialize_with = "time")]
    pub(crate) t: DateTime,
    /// The value, of sensors that have one.
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) v: Option<f64>,
    /// The speed of wind or current.
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) s: Option<f64>,
    /// The direction: wind comes from it, a current goes to it.
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) d: Option<f64>,
    /// The gust.
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) g: Option<f64>,
    /// The depth bin.
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) b: String,
    /// `p` preliminary, `v` verified.
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) q: String,
    /// `H` or `L` of a predicted tide; the service pads it with blanks.
    #[serde(default, rename = "type", deserialize_with = "lenient::text")]
    pub(crate) kind: String,
}

/// The answer to a request for predicted currents.
#[derive(Debug, Deserialize)]
pub(crate) struct CurrentPredictions {
    pub(crate) current_predictions: Inner,
}

/// Its rows and units.
#[derive(Debug, Deserialize)]
pub(crate) struct Inner {
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) units: String,
    #[serde(deserialize_with = "lenient::list")]
    pub(crate) cp: Vec<Value>,
}

/// A predicted current along the main axis: floods are positive, ebbs negative.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct CurrentPrediction {
    #[serde(rename = "Time", deserialize_with = "time")]
    pub(crate) t: DateTime,
    #[serde(default, rename = "Velocity_Major", deserialize_with = "lenient::number")]
    pub(crate) velocity: Option<f64>,
    #[serde(default, rename = "meanFloodDir", deserialize_with = "lenient::number")]
    pub(crate) flood: Option<f64>,
    #[serde(default, rename = "meanEbbDir", deserialize_with = "lenient::number")]
    pub(crate) ebb: Option<f64>,
    #[serde(default, rename = "Bin", deserialize_with = "lenient::text")]
    pub(crate) bin: String,
    #[serde(default, rename = "Depth", deserialize_with = "lenient::number")]
    pub(crate) depth: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_all_kinds_are_read() {
        let body =
            r#"{"predictions": [{"t": "2021-01-01 03:40", "v": "0.011", "type": "L "}, {"v": "1"}, 7]}"#;
        let samples: Samples = serde_json::from_str(body).unwrap();
        let (rows, bad) = lenient::rows::<Sample>(samples.data);
        assert_eq!((rows.len(), bad, rows[0].v, rows[0].kind.trim()), (1, 2, Some(0.011), "L"));
        let body = r#"{"data": [{"t": "2021-01-01 00:06", "s": "6.0", "d": 119, "b": 1, "g": ""}]}"#;
        let samples: Samples = serde_json::from_str(body).unwrap();
        let (rows, _) = lenient::rows::<Sample>(samples.data);
        assert_eq!(
            (rows[0].s, rows[0].d, rows[0].g, rows[0].b.as_str()),
            (Some(6.0), Some(119.0), None, "1")
        );
        assert!(
            serde_json::from_str::<Samples>("{}").is_err(),
            "an object of another form is no empty answer"
        );
    }
}
