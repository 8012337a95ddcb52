//! `stofs_point_forecast`: the forecast at the nearest station of a point.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::station_forecast::{Found, levels, place, points};
use crate::stofs::Client;
use crate::stofs::cycle::{CycleHour, Wanted};
use crate::stofs::mesh::distance;
use crate::stofs::model::{Model, Product};
use crate::stofs::series::{EVIDENCE, nothing};
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError};

/// The forecast at the nearest station of a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointForecast;

/// The arguments of [`PointForecast`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Latitude, degrees north.
    #[schemars(range(min = -90, max = 90))]
    lat: f64,
    /// Longitude, degrees east, -180 to 180.
    #[schemars(range(min = -180, max = 180))]
    lon: f64,
    /// Farther stations are not taken, km.
    #[serde(default = "fifty")]
    max_distance_km: f64,
    /// Total level, tide alone, or surge alone.
    #[serde(default)]
    product: Product,
    /// Day of the cycle, YYYY-MM-DD; the newest cycle when absent.
    #[serde(default)]
    cycle_date: Option<Moment>,
    /// Hour of the cycle, UTC.
    #[serde(default)]
    cycle_hour: Option<CycleHour>,
}

const fn fifty() -> f64 {
    50.0
}

#[async_trait]
impl ServiceTool for PointForecast {
    const NAME: &'static str = "stofs_point_forecast";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("m");
        let names: Vec<&str> = EVIDENCE.into_iter().chain(["distance"]).collect();
        ToolSpec::new("stofs", "Forecast water level, tide or surge at the station nearest to a point.", port)
            .description(
                "As `stofs_station_forecast`, for the nearest station that has a value, by great-circle distance. No \
                 station within the distance is an answer (`no_data`). For the model's own point take `stofs_node_series`.",
            )
            .evidence(&names)
            .data_class(DataClass::Forecast)
            .hosts(&client.hosts())
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (model, product) = (Model::Global2d, arguments.product);
        let wanted = Wanted::of(arguments.cycle_date, arguments.cycle_hour)?;
        let (cycle, points, sources) =
            match points(client, model, product, wanted, Kind::Series, context).await? {
                Found::File { cycle, points, sources } => (cycle, points, sources),
                Found::Nothing(output) => return Ok(*output),
            };
        let host = client.bucket(model).host().to_owned();
        let peaks = points.peaks().map_err(|reason| ServiceError::Unreadable { host, reason })?;
        let far = |at: usize| {
            points.stations.get(at).map(|own| distance(arguments.lat, arguments.lon, own.lat, own.lon))
        };
        let mut near: Vec<(f64, usize)> = (0..points.stations.len())
            .filter(|at| peaks.get(*at).is_some_and(Option::is_some))
            .filter_map(|at| Some((far(at)?, at)))
            .filter(|(far, _)| *far <= arguments.max_distance_km)
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let Some((km, at)) = near.first().copied() else {
            let said = format!(
                "no station of the file with values lies within {} km of {}, {}",
                arguments.max_distance_km, arguments.lat, arguments.lon
            );
            let mut output = nothing(Kind::Series, &said);
            output.sources = sources;
            return Ok(output);
        };
        let own = points.stations.get(at).map_or(serde_json::Value::Null, place);
        let mut output = levels(client, model, product, cycle, &points, at)?.into_output();
        let km = (km * 10.0).round() / 10.0;
        output.evidence.push(
            EvidenceDraft::new("distance", km, "km", "great-circle distance from the point to the station")
                .place(own),
        );
        output.sources = sources;
        Ok(output)
    }
}
