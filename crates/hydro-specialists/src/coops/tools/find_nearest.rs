//! `coops_find_nearest`: the stations nearest to a point.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::list_stations::StationType;
use crate::coops::Client;
use crate::coops::wire::{Station, Stations};
use crate::gauge::{distance_km, place, table, to_millis};
use crate::question::Point;
use crate::tool::ServiceTool;
use crate::{ServiceError, lenient};

/// The stations nearest to a point.
#[derive(Debug, Clone, Copy)]
pub struct FindNearest;

/// The arguments of [`FindNearest`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindNearestArguments {
    /// Latitude, degrees north.
    pub lat: f64,
    /// Longitude, degrees east, -180 to 180.
    pub lon: f64,
    /// Search radius, kilometres.
    #[serde(default = "fifty")]
    pub radius_km: f64,
    /// Station type.
    #[serde(default, rename = "type")]
    pub kind: StationType,
    /// Most rows.
    #[serde(default = "five")]
    pub limit: u32,
}

const fn fifty() -> f64 {
    50.0
}

const fn five() -> u32 {
    5
}

#[async_trait]
impl ServiceTool for FindNearest {
    const NAME: &'static str = "coops_find_nearest";

    type Client = Client;
    type Arguments = FindNearestArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("coops", "Stations nearest to a point, by great-circle distance.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS metadata API: the list of stations of a type, sorted by distance here. No station within \
                 the radius is an answer (`no_data`).",
            )
            .evidence(&["nearest", "distance", "n", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let FindNearestArguments { lat, lon, radius_km, kind, limit } = arguments;
        if !(-90.0..=90.0).contains(&lat) || !(-180.0..=180.0).contains(&lon) {
            return Err(ServiceError::BadArgument(format!(
                "({lat}, {lon}) is no point; give degrees north, -90 to 90, and degrees east, -180 to 180"
            )));
        }
        if !radius_km.is_finite() || radius_km <= 0.0 {
            return Err(ServiceError::BadArgument("`radius_km` must be a positive number".to_owned()));
        }
        let (list, source) =
            client.metadata::<Stations>("stations.json", &[("type", kind.as_str())], context).await?;
        let (stations, bad) = lenient::rows::<Station>(list.stations);
        let from = Point { lat, lon };
        let mut near: Vec<(f64, &Station)> = stations
            .iter()
            .filter_map(|own| Some((distance_km(from, Point { lat: own.lat?, lon: own.lng? }), own)))
            .filter(|(distance, _)| *distance <= radius_km)
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.id.cmp(&b.1.id)));
        let count = near.len();
        near.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let mut evidence =
            vec![EvidenceDraft::new("n", count, "1", &format!("number of stations within {radius_km} km"))];
        if let Some((distance, own)) = near.first() {
            let place = place(&own.id, &own.name, own.lat, own.lng);
            let draft = EvidenceDraft::new("nearest", own.id.as_str(), "", "id of the nearest station");
            evidence.push(draft.place(place.clone()));
            let method = "great-circle distance to the nearest station";
            let distance = EvidenceDraft::new("distance", to_millis(*distance), "km", method);
            evidence.push(distance.place(place).pointer("/content/rows/0/2"));
        } else {
            let said = format!("No station of type {} lies within {radius_km} km.", kind.as_str());
            evidence.push(EvidenceDraft::new("no_data", said, "", "answer of the service"));
        }
        let columns =
            [("id", ""), ("name", ""), ("distance", "km"), ("lat", "degree_north"), ("lon", "degree_east")];
        let rows: Vec<Vec<serde_json::Value>> = near
            .iter()
            .map(|(distance, own)| {
                vec![
                    json!(own.id),
                    json!(own.name),
                    json!(to_millis(*distance)),
                    json!(own.lat),
                    json!(own.lng),
                ]
            })
            .collect();
        let mut output = ToolOutput::of(table("nearest_stations", &columns, &rows)).with_evidence(evidence);
        if bad > 0 {
            output.notes.push(format!("{bad} stations could not be read and are left out"));
        }
        output.sources = vec![source];
        Ok(output)
    }
}
