//! [`Client`]: speaks to the four services: paging, the key, errors.

use leg_core::{Source, ToolContext};
use leg_fetch::{Request, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::site_id::SiteId;
use super::wire::{Collection, Features, Rdb, WaterMl};
use crate::ServiceError;
use crate::service::{Reply, Service};

/// The most pages of one answer.
const MAX_PAGES: usize = 20;
/// The most features of a page; the service gives no more.
const PAGE: &str = "50000";

/// Speaks to the services of the USGS.
#[derive(Clone)]
pub struct Client {
    stn: Service,
    ogc: Service,
    nwis: Service,
    peak: Service,
    key: Option<String>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key stays out.
        formatter.debug_struct("usgs::Client").field("ogc", &self.ogc.host()).finish_non_exhaustive()
    }
}

impl Client {
    /// A client for the Short-Term Network, the Water Data OGC API, and the older services for values and for peaks.
    pub const fn new(stn: Service, ogc: Service, nwis: Service, peak: Service) -> Self {
        Self { stn, ogc, nwis, peak, key: None }
    }

    /// With a key for the Water Data OGC API, which raises the number of requests that it allows. It comes from configuration.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into()).filter(|key| !key.is_empty());
        self
    }

    /// The host of the Short-Term Network.
    pub(crate) fn stn_hosts(&self) -> [&str; 1] {
        [self.stn.host()]
    }

    /// The hosts of stream gauges.
    pub(crate) fn gauge_hosts(&self) -> Vec<&str> {
        let mut hosts = vec![self.ogc.host(), self.nwis.host(), self.peak.host()];
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    }

    /// A list of the Short-Term Network: a bare array.
    pub(crate) async fn stn(
        &self,
        path: &str,
        parameters: &[(&str, String)],
        context: &ToolContext,
    ) -> Result<(Vec<Value>, Source), ServiceError> {
        let url = query(self.stn.at(&format!("STNServices/{path}")), parameters);
        let reply = self.stn.get(url, context).await?;
        let rows = match reply.json::<Value>()? {
            Value::Array(rows) => rows,
            // Nothing is sent as null too.
            Value::Null => Vec::new(),
            _ => return Err(reply.unreadable("a list is due, and another thing came")),
        };
        Ok((rows, reply.source))
    }

    /// All features of a collection, page after page.
    pub(crate) async fn features(
        &self,
        collection: &str,
        parameters: &[(&str, String)],
        context: &ToolContext,
    ) -> Result<(Features, Vec<Source>), ServiceError> {
        let path = format!("ogcapi/v0/collections/{collection}/items");
        let mut all: Vec<(&str, String)> = vec![("f", "json".to_owned())];
        all.extend(parameters.iter().cloned());
        if !parameters.iter().any(|(name, _)| *name == "limit") {
            all.push(("limit", PAGE.to_owned()));
        }
        let mut url = query(self.ogc.at(&path), &all);
        let (mut features, mut sources) = (Vec::new(), Vec::new());
        let mut is_complete = false;
        for _ in 0..MAX_PAGES {
            let reply = self.keyed(url.clone(), context).await?.successful()?;
            let page: Collection = reply.json()?;
            sources.push(reply.source.clone());
            let is_empty = page.features.is_empty();
            let next = page.next().and_then(|href| self.below(href)).filter(|next| *next != url);
            features.extend(page.features);
            match next {
                Some(next) if !is_empty => url = next,
                _ => {
                    is_complete = true;
                    break;
                }
            }
        }
        Ok((Features { features, is_complete }, sources))
    }

    /// The first page of a collection.
    pub(crate) async fn page(
        &self,
        collection: &str,
        limit: u32,
        parameters: &[(&str, String)],
        context: &ToolContext,
    ) -> Result<(Features, Source), ServiceError> {
        let mut all = vec![("f", "json".to_owned()), ("limit", limit.to_string())];
        all.extend(parameters.iter().cloned());
        let url = query(self.ogc.at(&format!("ogcapi/v0/collections/{collection}/items")), &all);
        let reply = self.keyed(url, context).await?.successful()?;
        let page: Collection = reply.json()?;
        let is_complete = page.next().is_none();
        Ok((Features { features: page.features, is_complete }, reply.source))
    }

    /// The schema of a collection.
    pub(crate) async fn schema(
        &self,
        collection: &str,
        context: &ToolContext,
    ) -> Result<(Value, Source), ServiceError> {
        let url = self.ogc.at(&format!("ogcapi/v0/collections/{collection}/schema"));
        let reply = self.keyed(url, context).await?.successful()?;
        Ok((reply.json()?, reply.source))
    }

    /// Values of an older service: `iv` or `dv`.
    pub(crate) async fn legacy(
        &self,
        service: &str,
        site: &SiteId,
        parameters: &[(&str, String)],
        context: &ToolContext,
    ) -> Result<(WaterMl, Source), ServiceError> {
        let mut all = vec![("format", "json".to_owned()), ("sites", site.digits().to_owned())];
        all.extend(parameters.iter().cloned());
        let url = query(self.nwis.at(&format!("nwis/{service}/")), &all);
        let reply = self.nwis.get(url, context).await?;
        Ok((read_json(&reply)?, reply.source))
    }

    /// A table of an older service: `site` or `stat`.
    pub(crate) async fn legacy_table(
        &self,
        service: &str,
        parameters: &[(&str, String)],
        context: &ToolContext,
    ) -> Result<(Rdb, Source), ServiceError> {
        let mut all = vec![("format", "rdb".to_owned())];
        all.extend(parameters.iter().cloned());
        let url = query(self.nwis.at(&format!("nwis/{service}/")), &all);
        table(&self.nwis.get(url, context).await?)
    }

    /// Annual peaks of the older service.
    pub(crate) async fn legacy_peaks(
        &self,
        site: &SiteId,
        context: &ToolContext,
    ) -> Result<(Rdb, Source), ServiceError> {
        let parameters = [("site_no", site.digits().to_owned()), ("format", "rdb".to_owned())];
        let url = query(self.peak.at("nwis/peak"), &parameters);
        table(&self.peak.get(url, context).await?)
    }

    async fn keyed(&self, url: Url, context: &ToolContext) -> Result<Reply, ServiceError> {
        let request = Request::get(url);
        let request = match &self.key {
            Some(key) => request.with_header("x-api-key", key.clone()),
            None => request,
        };
        self.ogc.send(request, context).await
    }

    /// The address of a next page on our own host: what an answer names is followed nowhere else.
    fn below(&self, href: &str) -> Option<Url> {
        let next = Url::parse(href).ok()?;
        let path = next.path();
        let own = path.get(path.find("ogcapi/")?..)?;
        Some(
            next.query()
                .iter()
                .fold(self.ogc.at(own), |url, (name, value)| url.with_query(name, value.clone())),
        )
    }
}

fn query(url: Url, parameters: &[(&str, String)]) -> Url {
    parameters.iter().fold(url, |url, (name, value)| url.with_query(name, value.clone()))
}

fn read_json<T: DeserializeOwned>(reply: &Reply) -> Result<T, ServiceError> {
    reply.json()
}

fn table(reply: &Reply) -> Result<(Rdb, Source), ServiceError> {
    let rdb = Rdb::read(&reply.text()).map_err(|reason| reply.unreadable(&reason))?;
    Ok((rdb, reply.source.clone()))
}
