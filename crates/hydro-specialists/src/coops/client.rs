//! [`Client`]: speaks to the service: addresses, limits of a request, errors that come with status 200.

use leg_core::{Source, ToolContext};
use serde::de::DeserializeOwned;

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

/// What one of the products of the data service is asked for.
#[derive(Debug, Clone)]
pub(crate) struct DataQuery<'a> {
    pub(crate) product: &'a str,
    pub(crate) station: &'a StationId,
    /// The newest value when there is none.
    pub(crate) window: Option<Window>,
    pub(crate) datum: Option<Datum>,
    pub(crate) units: Units,
    pub(crate) time_zone: TimeZone,
    /// The step of predictions.
    pub(crate) interval: Option<&'a str>,
    /// The depth bin of a current meter.
    pub(crate) bin: Option<u32>,
}

/// What the service says.
#[derive(Debug)]
pub(crate) enum Answer<T> {
    /// There are rows.
    Rows(T),
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
    ) -> Result<(Answer<WaterLevel>, Source), ServiceError> {
        let query = DataQuery {
            product: query.interval.product(),
            station: &query.station,
            window: Some(query.window),
            datum: Some(query.datum),
            units: query.units,
            time_zone: query.time_zone,
            interval: None,
            bin: None,
        };
        self.data(&query, context).await
    }

    /// Asks for data of any product; the window must be within the service's limit.
    pub(crate) async fn data<T: DeserializeOwned>(
        &self,
        query: &DataQuery<'_>,
        context: &ToolContext,
    ) -> Result<(Answer<T>, Source), ServiceError> {
        let minute = "%Y%m%d %H:%M";
        let mut url = self
            .service
            .at("api/prod/datagetter")
            .with_query("product", query.product)
            .with_query("station", query.station.as_str());
        url = match query.window {
            Some(window) => url
                .with_query("begin_date", window.begin.strftime(minute).to_string())
                .with_query("end_date", window.end.strftime(minute).to_string()),
            None => url.with_query("date", "latest"),
        };
        if let Some(datum) = query.datum {
            url = url.with_query("datum", datum.in_request());
        }
        if let Some(interval) = query.interval {
            url = url.with_query("interval", interval);
        }
        if let Some(bin) = query.bin {
            url = url.with_query("bin", bin.to_string());
        }
        let url = url
            .with_query("units", query.units.as_str())
            .with_query("time_zone", query.time_zone.as_str())
            .with_query("format", "json")
            .with_query("application", "leg");
        let reply = self.service.ask(url, context).await?;
        let mut source = reply.source.clone();
        source.facts.insert("station".to_owned(), query.station.to_string());
        if let Some(datum) = query.datum {
            source.facts.insert("datum".to_owned(), datum.to_string());
        }
        // The error comes first: it is sent with status 200 as well as with 400.
        if let Some(message) = ErrorBody::message_in(&reply.body) {
            let lower = message.to_lowercase();
            let is_empty = lower.contains("data was found");
            // A missing prediction may be a missing datum too: only the table of the station tells.
            if let Some(datum) = query.datum
                && lower.contains("datum")
            {
                let known = self.datum_names(query.station, context).await;
                let candidates = known.as_deref().unwrap_or(&Datum::ALL);
                if !is_empty || known.as_ref().is_some_and(|known| !known.contains(&datum)) {
                    let names: Vec<&str> = candidates.iter().map(|datum| datum.as_str()).collect();
                    return Err(ServiceError::NotFound(format!(
                        "station `{}` has no `{datum}` datum; ask for one of: {}",
                        query.station,
                        names.join(", ")
                    )));
                }
            }
            if is_empty {
                return Ok((Answer::Empty(message), source));
            }
            return Err(reply.refused(format!("station `{}`: {message}", query.station)));
        }
        let rows = reply.successful()?.json()?;
        Ok((Answer::Rows(rows), source))
    }

    /// Asks for stations or a block of one.
    pub(crate) async fn metadata<T: DeserializeOwned>(
        &self,
        path: &str,
        parameters: &[(&str, &str)],
        context: &ToolContext,
    ) -> Result<(T, Source), ServiceError> {
        self.json(&format!("mdapi/prod/webapi/{path}"), parameters, context).await
    }

    /// Asks for a derived product.
    pub(crate) async fn derived<T: DeserializeOwned>(
        &self,
        path: &str,
        parameters: &[(&str, &str)],
        context: &ToolContext,
    ) -> Result<(T, Source), ServiceError> {
        self.json(&format!("dpapi/prod/webapi/{path}"), parameters, context).await
    }

    async fn json<T: DeserializeOwned>(
        &self,
        path: &str,
        parameters: &[(&str, &str)],
        context: &ToolContext,
    ) -> Result<(T, Source), ServiceError> {
        let url = parameters
            .iter()
            .fold(self.service.at(path), |url, (name, value)| url.with_query(name, (*value).to_owned()));
        let reply = self.service.ask(url, context).await?;
        if let Some(message) = ErrorBody::message_in(&reply.body) {
            return Err(reply.refused(message));
        }
        let reply = reply.successful()?;
        Ok((reply.json()?, reply.source))
    }

    /// The datum table of a station.
    pub(crate) async fn datums(
        &self,
        station: &StationId,
        units: Units,
        context: &ToolContext,
    ) -> Result<(DatumTable, Source), ServiceError> {
        let path = format!("stations/{station}/datums.json");
        let found = self.metadata(&path, &[("units", units.as_str())], context).await;
        found.map_err(|error| if error.is_missing() { unknown(station, "datum table") } else { error })
    }

    /// The station's datums that can be asked for, if the service tells.
    async fn datum_names(&self, station: &StationId, context: &ToolContext) -> Option<Vec<Datum>> {
        // This answer only improves a message: when it does not come the message is still right.
        let (table, _) = self.datums(station, Units::Metric, context).await.ok()?;
        let mut known: Vec<Datum> = table.names().filter_map(Datum::from_name).collect();
        // The station's own zero is always 0 above itself; some tables leave it out.
        if !known.is_empty() && !known.contains(&Datum::Stnd) {
            known.push(Datum::Stnd);
        }
        Some(known).filter(|known| !known.is_empty())
    }
}

/// A station, or a thing of it, that the service does not know.
pub(crate) fn unknown(station: &StationId, what: &str) -> ServiceError {
    ServiceError::NotFound(format!(
        "the service has no {what} for station `{station}`; check the id with `coops_list_stations`"
    ))
}
