//! `stofs_station_forecast`: the forecast at a station.

use async_trait::async_trait;
use leg_core::{DataClass, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::stofs::Client;
use crate::stofs::cycle::{Cycle, CycleHour, Wanted};
use crate::stofs::model::{Model, Product};
use crate::stofs::points::{Points, Station};
use crate::stofs::series::{EVIDENCE, Levels, nothing};
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError, StationId};

/// The forecast at a station.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StationForecast;

/// The arguments of [`StationForecast`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// 7 digits, such as `8452660`.
    station_id: StationId,
    /// Total level, tide alone, or surge alone.
    #[serde(default)]
    product: Product,
    /// Day of the cycle, YYYY-MM-DD; the newest cycle when absent.
    #[serde(default)]
    cycle_date: Option<Moment>,
    /// Hour of the cycle, UTC.
    #[serde(default)]
    cycle_hour: Option<CycleHour>,
    /// The model whose stations are meant.
    #[serde(default)]
    model: Model,
}

/// A file of stations of a cycle, or why there is none.
pub(crate) enum Found {
    File { cycle: Cycle, points: Box<Points>, sources: Vec<leg_core::Source> },
    Nothing(Box<ToolOutput>),
}

/// Reads the file of stations of a cycle.
///
/// # Errors
/// [`ServiceError`] when the bucket fails or the file cannot be read.
pub(crate) async fn points(
    client: &Client,
    model: Model,
    product: Product,
    wanted: Wanted,
    kind: Kind,
    context: &ToolContext,
) -> Result<Found, ServiceError> {
    let file = format!("points.{}.nc", product.as_str());
    let (found, mut sources) = client.file(model, wanted, &file, context).await?;
    let Some((cycle, reply)) = found else {
        let said = format!("{wanted} with a `{file}` of {} is not in the bucket", model.title());
        let mut output = nothing(kind, &said);
        output.sources = sources;
        return Ok(Found::Nothing(Box::new(output)));
    };
    let mut source = reply.source.clone();
    source.facts.insert("cycle".to_owned(), cycle.to_string());
    sources.push(source);
    let body = reply.body.clone();
    let parsed = context.blocking(move |_| Ok(Points::parse(body))).await?;
    let points = parsed.map_err(|reason| reply.unreadable(&reason))?;
    Ok(Found::File { cycle, points: Box::new(points), sources })
}

/// Where a station is, as evidence says it.
pub(crate) fn place(station: &Station) -> Value {
    json!({ "station": station.key(), "name": station.name, "lon": station.lon, "lat": station.lat })
}

#[async_trait]
impl ServiceTool for StationForecast {
    const NAME: &'static str = "stofs_station_forecast";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("m");
        ToolSpec::new("stofs", "Forecast water level, tide or surge at a station.", port)
            .description(
                "Station file of a STOFS cycle: every 6 minutes from six hours before the cycle to 180 hours after it. \
                 Levels are metres above local mean sea level (LMSL) for STOFS-2D-Global, above NAVD88 for \
                 STOFS-3D-Atlantic, whatever the file says. Values that stand for none are missing. A cycle that is not \
                 there is an answer (`no_data`).",
            )
            .evidence(&EVIDENCE)
            .data_class(DataClass::Forecast)
            .hosts(&client.hosts())
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (model, product) = (arguments.model, arguments.product);
        let wanted = Wanted::of(arguments.cycle_date, arguments.cycle_hour)?;
        let (cycle, points, sources) =
            match points(client, model, product, wanted, Kind::Series, context).await? {
                Found::File { cycle, points, sources } => (cycle, points, sources),
                Found::Nothing(output) => return Ok(*output),
            };
        let id = arguments.station_id.as_str();
        let at = points.stations.iter().position(|station| station.id.as_deref() == Some(id)).ok_or_else(|| {
            ServiceError::NotFound(format!(
                "station `{id}` is not among the {} stations of the file; ask for the nearest one by coordinates \
                 (`stofs_point_forecast`)",
                points.stations.len()
            ))
        })?;
        let mut output = levels(client, model, product, cycle, &points, at)?.into_output();
        output.sources = sources;
        Ok(output)
    }
}

/// The levels of a station of a file.
///
/// # Errors
/// [`ServiceError::Unreadable`] when the file cannot be read there.
pub(crate) fn levels(
    client: &Client,
    model: Model,
    product: Product,
    cycle: Cycle,
    points: &Points,
    at: usize,
) -> Result<Levels, ServiceError> {
    let host = client.bucket(model).host().to_owned();
    let values = points.series(at).map_err(|reason| ServiceError::Unreadable { host, reason })?;
    let place = points.stations.get(at).map_or(Value::Null, place);
    Ok(Levels {
        model,
        product,
        cycle,
        datum: model.station_datum(),
        place,
        times: points.times.clone(),
        values,
    })
}
