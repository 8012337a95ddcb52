//! [`WaterMl`]: values of the older services as JSON.

use serde::Deserialize;
use serde_json::Value;

use crate::lenient;

/// An answer; its series lie deep in it.
#[derive(Debug, Deserialize)]
pub(crate) struct WaterMl {
    value: Inner,
}

#[derive(Debug, Deserialize)]
struct Inner {
    #[serde(rename = "timeSeries", deserialize_with = "lenient::list")]
    series: Vec<Value>,
}

/// A value at a time, as written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written {
    pub(crate) time: String,
    pub(crate) value: Option<f64>,
    pub(crate) qualifier: String,
}

/// A series with what stands beside it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Legacy {
    pub(crate) site_name: String,
    pub(crate) lat: Option<f64>,
    pub(crate) lon: Option<f64>,
    pub(crate) unit: String,
    /// What stands for a missing value.
    pub(crate) missing: Option<f64>,
    pub(crate) rows: Vec<Written>,
    /// Rows that could not be read.
    pub(crate) bad: usize,
}

impl WaterMl {
    /// The first series that has rows; a gauge with several methods has several.
    pub(crate) fn series(&self) -> Option<Legacy> {
        let read: Vec<Legacy> = self.value.series.iter().map(legacy).collect();
        let first = read.iter().find(|one| !one.rows.is_empty()).cloned();
        first.or_else(|| read.into_iter().next())
    }
}

fn legacy(series: &Value) -> Legacy {
    let text = |pointer: &str| series.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let number = |pointer: &str| series.pointer(pointer).and_then(Value::as_f64);
    let missing = number("/variable/noDataValue");
    let blocks = series.get("values").and_then(Value::as_array).into_iter().flatten();
    let block = blocks.filter_map(|block| block.get("value")?.as_array()).find(|block| !block.is_empty());
    let mut own = Legacy {
        site_name: text("/sourceInfo/siteName"),
        lat: number("/sourceInfo/geoLocation/geogLocation/latitude"),
        lon: number("/sourceInfo/geoLocation/geogLocation/longitude"),
        unit: text("/variable/unit/unitCode"),
        missing,
        ..Legacy::default()
    };
    for row in block.into_iter().flatten() {
        let Some(time) = row.get("dateTime").and_then(Value::as_str) else {
            own.bad += 1;
            continue;
        };
        let value = match row.get("value") {
            Some(Value::String(text)) => text.trim().parse::<f64>().ok(),
            Some(Value::Number(number)) => number.as_f64(),
            _ => None,
        };
        let is_there =
            |value: &f64| value.is_finite() && missing.is_none_or(|gap| (value - gap).abs() > 1e-6);
        let qualifiers = row.get("qualifiers").and_then(Value::as_array).into_iter().flatten();
        let qualifiers: Vec<&str> = qualifiers.filter_map(Value::as_str).collect();
        own.rows.push(Written {
            time: time.to_owned(),
            value: value.filter(is_there),
            qualifier: qualifiers.join(" "),
        });
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_and_bad_rows_are_told_apart() {
        let body = r#"{"value": {"timeSeries": [{"sourceInfo": {"siteName": "A"}, "variable": {"unit": {"unitCode": "ft"},
            "noDataValue": -999999}, "values": [{"value": []}, {"value": [
            {"value": "1.5", "dateTime": "2026-01-01T00:00:00.000-05:00", "qualifiers": ["P", "e"]},
            {"value": "-999999", "dateTime": "2026-01-01T00:15:00.000-05:00"}, {"value": "2"}, 7]}]}]}}"#;
        let series = serde_json::from_str::<WaterMl>(body).unwrap().series().unwrap();
        let values: Vec<_> = series.rows.iter().map(|row| row.value).collect();
        assert_eq!((values, series.bad), (vec![Some(1.5), None], 2));
        assert_eq!((series.rows[0].qualifier.as_str(), series.unit.as_str()), ("P e", "ft"));
        assert!(serde_json::from_str::<WaterMl>("{}").is_err());
        let none = serde_json::from_str::<WaterMl>(r#"{"value": {"timeSeries": []}}"#).unwrap();
        assert_eq!(none.series(), None);
    }
}
