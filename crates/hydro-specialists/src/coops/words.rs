//! The words that lead to a topic; they stand in a table, `data/topics/coops.txt`, with a section for each list.

use std::sync::LazyLock;

use super::tools::Sensor;
use crate::question::lists::{List, list};

const TABLE: &str = include_str!("../../data/topics/coops.txt");

pub(super) static NOW: List = LazyLock::new(|| list(TABLE, "now"));
pub(super) static RECORD: List = LazyLock::new(|| list(TABLE, "record"));
pub(super) static EXTREMES: List = LazyLock::new(|| list(TABLE, "extremes"));
pub(super) static FLOODS: List = LazyLock::new(|| list(TABLE, "floods"));
pub(super) static TREND: List = LazyLock::new(|| list(TABLE, "trend"));
pub(super) static CURRENTS: List = LazyLock::new(|| list(TABLE, "currents"));
pub(super) static HARMONICS: List = LazyLock::new(|| list(TABLE, "harmonics"));
pub(super) static RETURN: List = LazyLock::new(|| list(TABLE, "return"));
pub(super) static EVENTS: List = LazyLock::new(|| list(TABLE, "events"));
pub(super) static STATION: List = LazyLock::new(|| list(TABLE, "station"));
pub(super) static LIST: List = LazyLock::new(|| list(TABLE, "list"));
pub(super) static RESIDUAL: List = LazyLock::new(|| list(TABLE, "residual"));
pub(super) static PREDICTIONS: List = LazyLock::new(|| list(TABLE, "predictions"));
pub(super) static DAILY: List = LazyLock::new(|| list(TABLE, "daily"));
pub(super) static LEVEL: List = LazyLock::new(|| list(TABLE, "level"));
pub(super) static NOT_CURRENTS: List = LazyLock::new(|| list(TABLE, "not_currents"));

pub(super) const SENSORS: &[(Sensor, &[&str])] = &[
    (Sensor::Wind, &["gust", "wind", "windy", "gusty", "breezy", "blow", "blowing", "blew"]),
    (
        Sensor::WaterTemperature,
        &[
            "water temperature",
            "temperature of the water",
            "sea temperature",
            "warm was the water",
            "warm is the water",
            "cold was the water",
            "sea surface temperature",
        ],
    ),
    (
        Sensor::AirTemperature,
        &[
            "air temperature",
            "temperature of the air",
            "how warm",
            "how cold",
            "warmest",
            "coldest",
            "temperature",
            "warm was the air",
            "cold",
        ],
    ),
    (
        Sensor::AirPressure,
        &["air pressure", "barometric pressure", "barometer", "atmospheric pressure", "pressure"],
    ),
    (Sensor::Humidity, &["humidity"]),
    (Sensor::Visibility, &["visibility"]),
    (Sensor::Conductivity, &["conductivity"]),
    (Sensor::Salinity, &["salinity"]),
    (Sensor::AirGap, &["air gap", "bridge clearance"]),
];

/// Names of constituents that a text may write.
pub(super) const CONSTITUENTS: [&str; 37] = [
    "M2", "S2", "N2", "K1", "M4", "O1", "M6", "MK3", "S4", "MN4", "NU2", "S6", "MU2", "2N2", "OO1", "LAM2",
    "S1", "M1", "J1", "MM", "SSA", "SA", "MSF", "MF", "RHO", "Q1", "T2", "R2", "2Q1", "P1", "2SM2", "M3",
    "L2", "2MK3", "K2", "M8", "MS4",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_has_phrases() {
        for list in [
            &NOW,
            &RECORD,
            &EXTREMES,
            &FLOODS,
            &TREND,
            &CURRENTS,
            &HARMONICS,
            &RETURN,
            &EVENTS,
            &STATION,
            &LIST,
            &RESIDUAL,
            &PREDICTIONS,
            &DAILY,
            &LEVEL,
            &NOT_CURRENTS,
        ] {
            assert!(list.len() > 2 && list.iter().all(|phrase| phrase.to_lowercase() == *phrase));
        }
    }
}
