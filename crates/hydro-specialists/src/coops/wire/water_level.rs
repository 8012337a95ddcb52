//! [`WaterLevel`]: rows of observed levels.

use jiff::civil::DateTime;
use serde::{Deserialize, Deserializer};

use crate::lenient;

/// The answer to a request for levels.
#[derive(Debug, Deserialize)]
pub(crate) struct WaterLevel {
    #[serde(default)]
    pub(crate) metadata: Metadata,
    /// Read a row at a time, so that a bad one does not take the others with it.
    #[serde(deserialize_with = "lenient::list")]
    pub(crate) data: Vec<serde_json::Value>,
}

/// The station, as the service describes it beside the rows.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(crate) struct Metadata {
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) name: String,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) lat: Option<f64>,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) lon: Option<f64>,
}

/// A level at a time. An empty `v` is a gap.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Row {
    /// In the time zone of the request: the answer does not say.
    #[serde(deserialize_with = "time")]
    pub(crate) t: DateTime,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) v: Option<f64>,
    /// Standard deviation of the samples behind the value.
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) s: Option<f64>,
    #[serde(default, deserialize_with = "quality")]
    pub(crate) q: Option<Quality>,
    /// `HH`, `H`, `L` or `LL` of a high or low water; the service pads it with blanks.
    #[serde(default, deserialize_with = "lenient::text")]
    pub(crate) ty: String,
}

/// Whether the service has checked a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quality {
    Preliminary,
    Verified,
}

pub(crate) fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateTime, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.trim().parse().map_err(|_| serde::de::Error::custom(format!("`{text}` is not a time")))
}

fn quality<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Quality>, D::Error> {
    Ok(match lenient::text(deserializer)?.trim() {
        "p" => Some(Quality::Preliminary),
        "v" => Some(Quality::Verified),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_texts_and_gaps_from_empty_ones() {
        let body = r#"{"metadata": {"id": "1", "name": "Pier", "lat": "40.7", "lon": -74},
            "data": [{"t": "2021-01-01 00:00", "v": "1.5", "s": "0.02", "f": "0,0,0,0", "q": "v"},
                     {"t": "2021-01-01 00:06", "v": "", "s": null, "f": "1,1,1,1", "q": "p"},
                     {"t": "2021-01-01 00:12", "v": -2, "new": {}},
                     {"t": "2021-01-01 00:18", "v": "NaN"}, {"t": "noon", "v": "1"}]}"#;
        let answer: WaterLevel = serde_json::from_str(body).unwrap();
        assert_eq!((answer.metadata.lat, answer.metadata.lon), (Some(40.7), Some(-74.0)));
        let (rows, bad) = lenient::rows::<Row>(answer.data);
        assert_eq!(bad, 1, "a row without a time is left out");
        let values: Vec<_> = rows.iter().map(|row| (row.v, row.s, row.q)).collect();
        let expected = [
            (Some(1.5), Some(0.02), Some(Quality::Verified)),
            (None, None, Some(Quality::Preliminary)),
            (Some(-2.0), None, None),
            (None, None, None),
        ];
        assert_eq!(values, expected);
        assert!(serde_json::from_str::<WaterLevel>(r#"{"rows": []}"#).is_err());
    }
}
