//! [`Client`]: speaks to the service: addresses, limits of a request, errors that come with status 200.

use leg_core::{Source, ToolContext};

use super::wire::{DatumTable, ErrorBody, WaterLevel};
use super::{Interval, TimeZone};
use crate::service::Service;
use crate::{Datum, ServiceError, StationId, Units, Window};

/// Speaks to the service.
#[derive(Debug, Clone)]
pub struct Client {
    service: Service,
}

/// What observed levels are asked for.
#[derive(Debug, Clone)]
pub(crate) struct LevelQuery {
    pub(crate) station: StationId,
    pub(crate) window: Window,
    pub(crate) interval: Interval,
    pub(crate) datum: Datum,
    pub(crate) units: Units,
    pub(crate) time_zone: TimeZone,
}

/// What the service says to a [`LevelQuery`].
#[derive(Debug)]
pub(crate) enum LevelAnswer {
    /// There are rows.
    Rows(WaterLevel),
    /// There is no data, in the service's words. A gap, a product that the station does not have and a station
    /// that does not exist all look like this.
    Empty(String),
}

impl Client {
    /// A client for the service.
    pub const fn new(service: Service) -> Self {
        Self { service }
    }

    /// The host that it contacts.
    pub fn host(&self) -> &str {
        self.service.host()
    }

    /// Asks for observed levels; the window must be within the service's limit.
    pub(crate) async fn levels(
        &self,
        query: &LevelQuery,
        context: &ToolContext,
    ) -> Result<(LevelAnswer, Source), ServiceError> {
        let minute = "%Y%m%d %H:%M";
        let url = self
            .service
            .at("api/prod/datagetter")
            .with_query("product", query.interval.product())
            .with_query("station", query.station.as_str())
            .with_query("begin_date", query.window.begin.strftime(minute).to_string())
            .with_query("end_date", query.window.end.strftime(minute).to_string())
            .with_query("datum", query.datum.in_request())
            .with_query("units", query.units.as_str())
            .with_query("time_zone", query.time_zone.as_str())
            .with_query("format", "json")
            .with_query("application", "leg");
        let reply = self.service.ask(url, context).await?;
        let mut source = reply.source.clone();
        source.facts.insert("station".to_owned(), query.station.to_string());
        source.facts.insert("datum".to_owned(), query.datum.to_string());
        // The error comes first: it is sent with status 200 as well as with 400.
        if let Some(message) = ErrorBody::message_in(&reply.body) {
            let lower = message.to_lowercase();
            if lower.contains("no data was found") {
                return Ok((LevelAnswer::Empty(message), source));
            }
            if lower.contains("datum") {
                let candidates = self.datum_names(&query.station, context).await;
                return Err(ServiceError::NotFound(format!(
                    "station `{}` has no `{}` datum; ask for one of: {candidates}",
                    query.station, query.datum
                )));
            }
            return Err(reply.refused(format!("station `{}`: {message}", query.station)));
        }
        let rows = reply.successful()?.json()?;
        Ok((LevelAnswer::Rows(rows), source))
    }

    /// The names of the station's datums that can be asked for; all there are when the service does not tell.
    async fn datum_names(&self, station: &StationId, context: &ToolContext) -> String {
        let url = self
            .service
            .at(&format!("mdapi/prod/webapi/stations/{station}/datums.json"))
            .with_query("units", Units::Metric.as_str());
        // This answer only improves a message: when it does not come the message is still right.
        let table = match self.service.get(url, context).await {
            Ok(reply) => reply.json::<DatumTable>().ok(),
            Err(_) => None,
        };
        let mut known: Vec<Datum> =
            table.iter().flat_map(DatumTable::names).filter_map(Datum::from_name).collect();
        // The station's own zero is always 0 above itself; some tables leave it out.
        if !known.is_empty() && !known.contains(&Datum::Stnd) {
            known.push(Datum::Stnd);
        }
        let names = if known.is_empty() { Datum::ALL.to_vec() } else { known };
        names.into_iter().map(Datum::as_str).collect::<Vec<_>>().join(", ")
    }
}
