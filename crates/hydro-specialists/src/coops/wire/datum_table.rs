//! [`DatumTable`]: the datums of a station, metres or feet above its own zero.

use serde::Deserialize;
use serde_json::Value;

use crate::{Units, lenient};

/// The datums of a station.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct DatumTable {
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) units: String,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) epoch: String,
    #[serde(deserialize_with = "lenient::list")]
    datums: Vec<Value>,
    /// The highest water that was observed.
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) max: Option<f64>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) maxdate: String,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) maxtime: String,
    /// The lowest.
    #[serde(deserialize_with = "lenient::number")]
    pub(crate) min: Option<f64>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) mindate: String,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) mintime: String,
    /// The highest and the lowest astronomical tide.
    #[serde(rename = "HAT", deserialize_with = "lenient::number")]
    pub(crate) hat: Option<f64>,
    #[serde(rename = "LAT", deserialize_with = "lenient::number")]
    pub(crate) lat: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(default, deserialize_with = "lenient::text")]
    name: String,
    #[serde(default, deserialize_with = "lenient::number")]
    value: Option<f64>,
}

impl DatumTable {
    /// The datums that have a value, by name.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, f64)> {
        self.datums.iter().filter_map(|entry| {
            let name = entry.get("name")?.as_str()?.trim();
            let own: Entry = serde_json::from_value(entry.clone()).ok()?;
            Some((name, own.value?)).filter(|_| !own.name.is_empty())
        })
    }

    /// Their names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries().map(|(name, _)| name)
    }

    /// How high a datum lies above the station's zero. The zero itself is always there.
    pub(crate) fn get(&self, datum: crate::Datum) -> Option<f64> {
        let own = |name: &str| crate::Datum::from_name(name) == Some(datum);
        let found = self.entries().find(|(name, _)| own(name)).map(|(_, value)| value);
        found.or((datum == crate::Datum::Stnd).then_some(0.0))
    }

    /// The units that the table states; the service's default is feet.
    pub(crate) fn unit(&self) -> &'static str {
        if self.units.to_lowercase().starts_with("met") {
            Units::Metric.length()
        } else {
            Units::English.length()
        }
    }
}
