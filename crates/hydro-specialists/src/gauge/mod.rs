//! What the specialists of gauges share: series and tables as artifacts with their evidence, places, and prose.

pub(crate) mod asked;
pub(crate) mod prose;
pub(crate) mod say;
mod series;
mod table;

pub(crate) use series::{Column, Series};
pub(crate) use table::table;

use serde_json::{Value, json};

/// Rounds to three decimals what was computed from values with as many: the rest is noise of the arithmetic.
pub(crate) fn to_millis(value: f64) -> f64 {
    // Adding nothing makes -0 a 0.
    (value * 1000.0).round() / 1000.0 + 0.0
}

/// The place of evidence: an id, a name, a point; what is empty is left out.
pub(crate) fn place(station: &str, name: &str, lat: Option<f64>, lon: Option<f64>) -> Value {
    let mut place = json!({});
    if !station.is_empty() {
        place["station"] = json!(station);
    }
    if !name.trim().is_empty() {
        place["name"] = json!(name.trim());
    }
    if let (Some(lon), Some(lat)) = (lon, lat) {
        place["lon"] = json!(lon);
        place["lat"] = json!(lat);
    }
    place
}

/// The great-circle distance between two points, in kilometres, on a sphere of 6371.0088 km.
pub(crate) fn distance_km(from: crate::question::Point, to: crate::question::Point) -> f64 {
    let (lat, other) = (from.lat.to_radians(), to.lat.to_radians());
    let (dlat, dlon) = ((other - lat) / 2.0, (to.lon - from.lon).to_radians() / 2.0);
    let own = dlat.sin().powi(2) + lat.cos() * other.cos() * dlon.sin().powi(2);
    2.0 * 6371.0088 * own.sqrt().min(1.0).asin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Point;

    #[test]
    fn distances_are_those_of_the_sphere() {
        let at = |lat: f64, lon: f64| Point { lat, lon };
        let quarter = std::f64::consts::PI * 6371.0088 / 2.0;
        assert!((distance_km(at(0.0, 0.0), at(90.0, 50.0)) - quarter).abs() < 1e-6);
        assert!((distance_km(at(0.0, 179.0), at(0.0, -91.0)) - quarter).abs() < 1e-6);
        assert!(distance_km(at(12.0, 3.0), at(12.0, 3.0)) < 1e-9);
        assert!((distance_km(at(0.0, 0.0), at(0.0, 180.0)) - 2.0 * quarter).abs() < 1e-6);
    }

    #[test]
    fn millis_have_no_noise() {
        assert_eq!((to_millis(5.282 - 2.543), to_millis(-0.0001)), (2.739, 0.0));
        assert!(to_millis(-0.0001).is_sign_positive());
    }
}
