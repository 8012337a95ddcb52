//! [`Client`]: speaks to the service: addresses, limits of a request, errors that come with status 200.

use std::collections::BTreeMap;
use std::sync::Arc;

use leg_core::{Digest, Domain, Source, ToolError, ToolErrorKind};
use leg_fetch::{Fetch, FetchError, Request, Response, Url};

use super::wire::{DatumTable, ErrorBody, WaterLevel};
use super::{Datum, Interval, StationId, TimeZone, Units, Window};

/// Where the service is.
pub const PUBLIC_ADDRESS: &str = "https://api.tidesandcurrents.noaa.gov";

/// Speaks to the service.
#[derive(Debug, Clone)]
pub struct Client {
    fetch: Arc<dyn Fetch>,
    address: Url,
}

/// The service does not give what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoopsError {
    /// There was no answer.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The answer has an error status and says nothing more.
    #[error("`{host}` answered with status {status}{advice}")]
    Status {
        /// The host.
        host: String,
        /// The status.
        status: u16,
        /// What to do.
        advice: &'static str,
    },
    /// The station does not have the datum.
    #[error("station `{station}` has no `{datum}` datum; ask for one of: {candidates}")]
    NoDatum {
        /// The station.
        station: StationId,
        /// The datum.
        datum: Datum,
        /// Those that it has, or all there are when the service does not say.
        candidates: String,
    },
    /// The service refuses the request.
    #[error("the service refuses the request for station `{station}`: {message}")]
    Refused {
        /// The station.
        station: StationId,
        /// What the service said.
        message: String,
    },
    /// The answer is not what the service documents.
    #[error(
        "the answer for station `{station}` cannot be read ({source}); report it with the recorded answer"
    )]
    Unreadable {
        /// The station.
        station: StationId,
        /// Where and why.
        source: serde_json::Error,
    },
}

impl From<CoopsError> for ToolError {
    fn from(error: CoopsError) -> Self {
        let kind = match error {
            CoopsError::Fetch(error) => return error.into(),
            CoopsError::Status { status: 429 | 500..=599, .. } => ToolErrorKind::Unavailable,
            CoopsError::Status { .. } | CoopsError::NoDatum { .. } => ToolErrorKind::NotFound,
            CoopsError::Refused { .. } => ToolErrorKind::InvalidArguments,
            CoopsError::Unreadable { .. } => ToolErrorKind::BadData,
        };
        Self::new(kind, error.to_string())
    }
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
    /// A client for the service at `address`.
    pub fn new(fetch: Arc<dyn Fetch>, address: Url) -> Self {
        Self { fetch, address }
    }

    /// The host that it contacts.
    pub fn host(&self) -> &str {
        self.address.host()
    }

    /// Asks for observed levels; the window must be within the service's limit.
    pub(crate) async fn levels(&self, query: &LevelQuery) -> Result<(LevelAnswer, Source), CoopsError> {
        let minute = "%Y%m%d %H:%M";
        let url = self
            .address
            .clone()
            .join("api/prod/datagetter")
            .with_query("product", query.interval.product())
            .with_query("station", query.station.as_str())
            .with_query("begin_date", query.window.begin.strftime(minute).to_string())
            .with_query("end_date", query.window.end.strftime(minute).to_string())
            .with_query("datum", query.datum.in_request())
            .with_query("units", query.units.as_str())
            .with_query("time_zone", query.time_zone.as_str())
            .with_query("format", "json")
            .with_query("application", "leg");
        let (response, mut source) = self.get(url).await?;
        source.facts.insert("station".to_owned(), query.station.to_string());
        source.facts.insert("datum".to_owned(), query.datum.to_string());
        // The error comes first: it is sent with status 200 as well as with 400.
        if let Some(message) = ErrorBody::message_in(&response.body) {
            let lower = message.to_lowercase();
            if lower.contains("no data was found") {
                return Ok((LevelAnswer::Empty(message), source));
            }
            if lower.contains("datum") {
                let candidates = self.datum_names(&query.station).await;
                return Err(CoopsError::NoDatum {
                    station: query.station.clone(),
                    datum: query.datum,
                    candidates,
                });
            }
            return Err(CoopsError::Refused { station: query.station.clone(), message });
        }
        self.check_status(&response)?;
        let rows = serde_json::from_slice(&response.body)
            .map_err(|source| CoopsError::Unreadable { station: query.station.clone(), source })?;
        Ok((LevelAnswer::Rows(rows), source))
    }

    /// The names of the station's datums that can be asked for; all there are when the service does not tell.
    async fn datum_names(&self, station: &StationId) -> String {
        let url = self
            .address
            .clone()
            .join(&format!("mdapi/prod/webapi/stations/{station}/datums.json"))
            .with_query("units", Units::Metric.as_str());
        // This answer only improves a message: when it does not come the message is still right.
        let table = match self.get(url).await {
            Ok((response, _)) if response.is_success() => {
                serde_json::from_slice::<DatumTable>(&response.body).ok()
            }
            _ => None,
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

    async fn get(&self, url: Url) -> Result<(Response, Source), CoopsError> {
        let address = url.to_string();
        let request = Request::get(url).with_header("accept", "application/json");
        let response = self.fetch.fetch(request).await?;
        let source = Source {
            address,
            bytes: response.body.len() as u64,
            parts: 1,
            digest: Digest::of(Domain::Object, &response.body),
            facts: BTreeMap::from([("status".to_owned(), response.status.to_string())]),
        };
        Ok((response, source))
    }

    fn check_status(&self, response: &Response) -> Result<(), CoopsError> {
        let advice = match response.status {
            200..=299 => return Ok(()),
            429 | 500..=599 => "; try again later",
            404 => "; check the station id",
            _ => "; check the arguments",
        };
        Err(CoopsError::Status { host: self.host().to_owned(), status: response.status, advice })
    }
}
