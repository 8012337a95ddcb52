//! Distances.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;

/// The family `geo`.
#[derive(Debug)]
pub(super) struct Geo;

#[async_trait]
impl Adapter for Geo {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        capability == "great-circle and geodesic distance"
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        let session = bench.open(&[])?;
        let radius = case.params.number("sphere_radius")?;
        let pairs: Vec<[[f64; 2]; 2]> = serde_json::from_value(case.input.need("points_lat_lon")?.clone())
            .map_err(|error| format!("`input/points_lat_lon`: {error}"))?;
        let (mut sphere, mut ellipsoid, mut azimuth) = (Vec::new(), Vec::new(), Vec::new());
        for pair in pairs {
            let points = pair.map(|[lat, lon]| [lon, lat]);
            let step =
                session.call("compute_distance", json!({ "points": points, "radius": radius })).await?;
            sphere.push(json!(step.number("great_circle_distance")?));
            ellipsoid.push(json!(step.number("distance")?));
            azimuth.push(json!(step.number("azimuth")?));
        }
        Ok(json!({ "haversine_m": sphere, "wgs84_m": ellipsoid, "forward_azimuth": azimuth }))
    }
}
