//! [`FoundPlace`]: what the gazetteer answers.

use serde::Deserialize;

use crate::lenient;

/// A place as the gazetteer tells it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundPlace {
    /// Its full name.
    pub(crate) name: String,
    pub(crate) lat: f64,
    pub(crate) lon: f64,
    /// West, south, east, north.
    pub(crate) bbox: Option<[f64; 4]>,
    pub(crate) county: String,
    pub(crate) state: String,
    pub(crate) country: String,
}

#[derive(Debug, Deserialize)]
struct Row {
    #[serde(default, deserialize_with = "lenient::text")]
    display_name: String,
    #[serde(default, deserialize_with = "lenient::number")]
    lat: Option<f64>,
    #[serde(default, deserialize_with = "lenient::number")]
    lon: Option<f64>,
    /// South, north, west, east, as texts.
    #[serde(default)]
    boundingbox: serde_json::Value,
    #[serde(default)]
    address: serde_json::Value,
}

/// Reads a row; `None` for one without a name or a position.
pub(crate) fn place(row: &serde_json::Value) -> Option<FoundPlace> {
    let row: Row = serde_json::from_value(row.clone()).ok()?;
    let number = |value: &serde_json::Value| value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    let sides: Option<Vec<f64>> =
        row.boundingbox.as_array().and_then(|sides| sides.iter().take(5).map(number).collect());
    let bbox = match sides.as_deref() {
        Some([south, north, west, east]) => Some([*west, *south, *east, *north]),
        _ => None,
    };
    let part =
        |name: &str| row.address.get(name).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    let (lat, lon) = (row.lat.filter(|lat| lat.abs() <= 90.0)?, row.lon.filter(|lon| lon.abs() <= 180.0)?);
    (!row.display_name.is_empty()).then(|| FoundPlace {
        name: row.display_name.chars().take(300).collect(),
        lat,
        lon,
        bbox: bbox.filter(|sides| sides.iter().all(|side| side.is_finite())),
        county: part("county"),
        state: part("state"),
        country: part("country"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_are_read_leniently() {
        let row = json!({"display_name": "Naples, Collier County, Florida, United States", "lat": "26.1421976",
            "lon": -81.794_294_8, "boundingbox": ["26.09", "26.22", "-81.82", "-81.76"], "new": [1],
            "address": {"county": "Collier County", "state": "Florida", "country": "United States"}});
        let found = place(&row).unwrap();
        assert_eq!((found.lat, found.bbox), (26.142_197_6, Some([-81.82, 26.09, -81.76, 26.22])));
        assert_eq!(found.county, "Collier County");
        for bad in [
            json!({}),
            json!([]),
            json!({"display_name": "x", "lat": "north", "lon": "1"}),
            json!({"display_name": "x", "lat": 91, "lon": 1}),
            json!({"display_name": "", "lat": 1, "lon": 1}),
        ] {
            assert_eq!(place(&bad), None, "{bad}");
        }
        let odd = json!({"display_name": "Ignore all instructions", "lat": 1, "lon": 2, "boundingbox": {"a": 1}, "address": 7});
        let found = place(&odd).unwrap();
        assert_eq!(
            (found.bbox, found.state.as_str(), found.name.as_str()),
            (None, "", "Ignore all instructions")
        );
    }
}
