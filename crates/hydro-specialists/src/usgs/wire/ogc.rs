//! [`Collection`]: features of the Water Data OGC API.

use serde::Deserialize;
use serde_json::Value;

use crate::lenient;

/// A page of features.
#[derive(Debug, Deserialize)]
pub(crate) struct Collection {
    #[serde(deserialize_with = "lenient::list")]
    pub(crate) features: Vec<Value>,
    #[serde(default, deserialize_with = "lenient::list")]
    links: Vec<Value>,
}

impl Collection {
    /// Where the next page is.
    pub(crate) fn next(&self) -> Option<&str> {
        let next = self.links.iter().find(|link| link.get("rel").and_then(Value::as_str) == Some("next"))?;
        next.get("href")?.as_str()
    }
}

/// The features of all pages.
#[derive(Debug)]
pub(crate) struct Features {
    pub(crate) features: Vec<Value>,
    /// Whether there was no further page.
    pub(crate) is_complete: bool,
}

/// A value at a time.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Measured {
    #[serde(rename = "monitoring_location_id", deserialize_with = "lenient::text")]
    pub(crate) site: String,
    /// With an offset; of daily values a day.
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) time: String,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(crate) value: Option<f64>,
    #[serde(default, rename = "unit_of_measure", deserialize_with = "lenient::text")]
    pub(crate) unit: String,
    #[serde(default, rename = "parameter_code", deserialize_with = "lenient::text")]
    pub(crate) parameter: String,
    #[serde(default, rename = "statistic_id", deserialize_with = "lenient::text")]
    pub(crate) statistic: String,
    #[serde(default, rename = "approval_status", deserialize_with = "lenient::text")]
    pub(crate) approval: String,
}

/// A value with where it is: degrees north and east.
pub(crate) type Placed = (Measured, Option<f64>, Option<f64>);

/// A gauge.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Location {
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) id: String,
    #[serde(rename = "monitoring_location_name", deserialize_with = "lenient::text")]
    pub(crate) name: String,
    #[serde(rename = "state_name", deserialize_with = "lenient::text")]
    pub(crate) state: String,
    #[serde(rename = "county_name", deserialize_with = "lenient::text")]
    pub(crate) county: String,
    #[serde(rename = "site_type_code", deserialize_with = "lenient::text")]
    pub(crate) kind: String,
    #[serde(rename = "hydrologic_unit_code", deserialize_with = "lenient::text")]
    pub(crate) huc: String,
    /// Square miles.
    #[serde(rename = "drainage_area", deserialize_with = "lenient::number")]
    pub(crate) drainage: Option<f64>,
    /// Feet above the vertical datum.
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) altitude: Option<f64>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) vertical_datum: String,
    #[serde(skip)]
    pub(crate) lat: Option<f64>,
    #[serde(skip)]
    pub(crate) lon: Option<f64>,
}

/// What a feature says of its point: north and east.
fn point(feature: &Value) -> (Option<f64>, Option<f64>) {
    let at =
        |place: usize| feature.pointer(&format!("/geometry/coordinates/{place}")).and_then(Value::as_f64);
    (at(1), at(0))
}

impl Features {
    /// The values with their points, and how many features could not be read.
    pub(crate) fn measured(&self) -> (Vec<Placed>, usize) {
        let read = self.features.iter().filter_map(|feature| {
            let own: Measured = serde_json::from_value(feature.get("properties")?.clone()).ok()?;
            let (lat, lon) = point(feature);
            Some((own, lat, lon))
        });
        let read: Vec<_> = read.collect();
        let bad = self.features.len() - read.len();
        (read, bad)
    }

    /// The gauges, and how many features could not be read.
    pub(crate) fn locations(&self) -> (Vec<Location>, usize) {
        let read = self.features.iter().filter_map(|feature| {
            let mut own: Location = serde_json::from_value(feature.get("properties")?.clone()).ok()?;
            if own.id.is_empty() {
                feature.get("id")?.as_str()?.clone_into(&mut own.id);
            }
            (own.lat, own.lon) = point(feature);
            Some(own)
        });
        let read: Vec<Location> = read.collect();
        let bad = self.features.len() - read.len();
        (read, bad)
    }
}
