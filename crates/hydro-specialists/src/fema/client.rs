//! [`Client`]: speaks to the map service: its two bases, its layers by name, pages of rows.

use leg_core::{Source, ToolContext};
use serde_json::Value;

use super::Bbox;
use crate::ServiceError;
use crate::arcgis::{Answer, Feature};
use crate::service::{Reply, Service};

/// The base of the service, and the older one.
const BASES: [&str; 2] =
    ["arcgis/rest/services/public/NFHL/MapServer", "gis/nfhl/rest/services/public/NFHL/MapServer"];

/// The most pages of one call.
const MAX_PAGES: usize = 20;

/// Rows of a page: the service's own limit.
const PAGE: usize = 2_000;

/// A layer: words of its name, and its id of 2026 for a list of layers that does not come.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layer {
    name: &'static str,
    fallback: u32,
}

pub(crate) const AVAILABILITY: Layer = Layer { name: "NFHL Availability", fallback: 0 };
pub(crate) const LOMRS: Layer = Layer { name: "LOMRs", fallback: 1 };
pub(crate) const PANELS: Layer = Layer { name: "FIRM Panels", fallback: 3 };
pub(crate) const BFES: Layer = Layer { name: "Base Flood Elevations", fallback: 16 };
pub(crate) const LIMWA: Layer = Layer { name: "Limit of Moderate Wave Action", fallback: 19 };
pub(crate) const ZONES: Layer = Layer { name: "Flood Hazard Zones", fallback: 28 };

/// Where a query looks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Where {
    Point {
        lat: f64,
        lon: f64,
    },
    Box(Bbox),
    /// Anywhere: a filter says what is meant.
    Anywhere,
}

impl Where {
    fn geometry(&self) -> Option<(String, &'static str)> {
        match self {
            // Longitude comes first.
            Self::Point { lat, lon } => Some((format!("{lon},{lat}"), "esriGeometryPoint")),
            Self::Box(bbox) => Some((bbox.geometry().to_string(), "esriGeometryEnvelope")),
            Self::Anywhere => None,
        }
    }
}

/// What is asked of a layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) layer: Layer,
    pub(crate) at: Where,
    pub(crate) filter: &'a str,
    pub(crate) fields: &'a str,
    pub(crate) shapes: bool,
    pub(crate) most: usize,
}

/// Rows, and whether there are more.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    pub(crate) features: Vec<Feature>,
    pub(crate) truncated: bool,
    pub(crate) skipped: usize,
}

/// A service that was reached: its base and its layers.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    base: &'static str,
    layers: Vec<(u32, String)>,
    /// The version and the most records of an answer, as the service says them.
    pub(crate) version: Option<f64>,
    pub(crate) max_records: Option<u64>,
    pub(crate) sources: Vec<Source>,
    pub(crate) notes: Vec<String>,
}

/// Speaks to the service.
#[derive(Debug, Clone)]
pub struct Client {
    service: Service,
}

impl Client {
    /// A client for the map service.
    pub const fn new(service: Service) -> Self {
        Self { service }
    }

    /// The host that it contacts.
    pub fn host(&self) -> &str {
        self.service.host()
    }

    /// Reads the list of layers, at the older base when the first one is not there.
    pub(crate) async fn open(&self, context: &ToolContext) -> Result<Session, ServiceError> {
        let mut session = Session::at(BASES[0]);
        for base in BASES {
            let reply = self.service.ask(self.service.at(base).with_query("f", "json"), context).await?;
            let (status, source) = (reply.status, reply.source.clone());
            let body: Option<Value> = serde_json::from_slice(&reply.body).ok();
            match Answer::read(reply) {
                Ok(Answer::Layers(layers)) => {
                    let own = |name: &str| body.as_ref().and_then(|body| body.get(name));
                    session.version = own("currentVersion").and_then(Value::as_f64);
                    session.max_records = own("maxRecordCount").and_then(Value::as_u64);
                    session.base = base;
                    session.layers = layers;
                    session.sources.push(source);
                    return Ok(session);
                }
                Err(error) if status != 404 => {
                    session.notes.push(format!(
                        "the list of layers did not come ({error}); layers are taken by number"
                    ));
                    session.base = base;
                    return Ok(session);
                }
                _ => {}
            }
        }
        session.notes.push("the list of layers is at neither base; layers are taken by number".to_owned());
        Ok(session)
    }

    fn url(&self, session: &Session, query: &Query<'_>) -> leg_fetch::Url {
        let id = session.id(query.layer);
        let url = self
            .service
            .at(&format!("{}/{id}/query", session.base))
            .with_query("where", query.filter)
            .with_query("f", "json");
        match query.at.geometry() {
            Some((geometry, kind)) => url
                .with_query("geometry", geometry)
                .with_query("geometryType", kind)
                .with_query("inSR", "4326")
                .with_query("spatialRel", "esriSpatialRelIntersects"),
            None => url,
        }
    }

    /// How many studies cover a place: none means that nothing is known there.
    pub(crate) async fn coverage(
        &self,
        session: &mut Session,
        at: Where,
        context: &ToolContext,
    ) -> Result<u64, ServiceError> {
        let query = Query { layer: AVAILABILITY, at, filter: "1=1", fields: "", shapes: false, most: 0 };
        let url = self.url(session, &query).with_query("returnCountOnly", "true");
        let reply = self.service.ask(url, context).await?;
        let source = reply.source.clone();
        let unreadable = reply.unreadable("there is no count in it");
        let count = match Answer::read(reply)? {
            Answer::Count(count) => count,
            // A service that does not count sends the rows.
            Answer::Page(page) => page.features.len() as u64,
            _ => return Err(unreadable),
        };
        session.sources.push(source);
        Ok(count)
    }

    /// The rows of a layer at a place, page by page in a fixed order.
    pub(crate) async fn rows(
        &self,
        session: &mut Session,
        query: &Query<'_>,
        context: &ToolContext,
    ) -> Result<Rows, ServiceError> {
        let mut rows = Rows::default();
        for _ in 0..MAX_PAGES {
            let wanted = PAGE.min(query.most.saturating_add(1).saturating_sub(rows.features.len()).max(1));
            let mut url = self
                .url(session, query)
                .with_query("outFields", query.fields)
                .with_query("outSR", "4326")
                .with_query("orderByFields", "OBJECTID")
                .with_query("resultOffset", (rows.features.len() + rows.skipped).to_string())
                .with_query("resultRecordCount", wanted.to_string())
                .with_query("returnGeometry", if query.shapes { "true" } else { "false" });
            if query.shapes {
                url = url.with_query("geometryPrecision", "6").with_query("maxAllowableOffset", "0.0001");
            }
            let reply = self.service.ask(url, context).await?;
            session.sources.push(reply.source.clone());
            let page = Answer::page(reply)?;
            let came = page.features.len() + page.skipped;
            rows.skipped += page.skipped;
            rows.features.extend(page.features);
            if rows.features.len() > query.most {
                rows.features.truncate(query.most);
                rows.truncated = true;
                return Ok(rows);
            }
            if !page.exceeded {
                return Ok(rows);
            }
            if came == 0 {
                break;
            }
        }
        rows.truncated = true;
        Ok(rows)
    }

    /// A picture of the map.
    pub(crate) async fn image(
        &self,
        session: &mut Session,
        bbox: &Bbox,
        size: (u32, u32),
        layers: &[Layer],
        context: &ToolContext,
    ) -> Result<Reply, ServiceError> {
        let [west, south, east, north] = bbox.sides();
        let ids: Vec<String> = layers.iter().map(|layer| session.id(*layer).to_string()).collect();
        let url = self
            .service
            .at(&format!("{}/export", session.base))
            .with_query("bbox", format!("{west},{south},{east},{north}"))
            .with_query("bboxSR", "4326")
            .with_query("imageSR", "3857")
            .with_query("size", format!("{},{}", size.0, size.1))
            .with_query("layers", format!("show:{}", ids.join(",")))
            .with_query("format", "png32")
            .with_query("transparent", "true")
            .with_query("f", "image");
        let reply = self.service.ask(url, context).await?;
        session.sources.push(reply.source.clone());
        if let Ok(body) = serde_json::from_slice::<Value>(&reply.body)
            && let Some(Answer::Error(code, message)) = Answer::of(&body)
        {
            return Err(reply.refused(format!("{message} (code {code})")));
        }
        reply.successful()
    }
}

impl Session {
    const fn at(base: &'static str) -> Self {
        Self {
            base,
            layers: Vec::new(),
            version: None,
            max_records: None,
            sources: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Ids and names of the layers that the service lists.
    pub(crate) fn layers(&self) -> &[(u32, String)] {
        &self.layers
    }

    fn id(&self, layer: Layer) -> u32 {
        let exact = self.layers.iter().find(|(_, name)| name.trim().eq_ignore_ascii_case(layer.name));
        let part =
            || self.layers.iter().find(|(_, name)| name.to_lowercase().contains(&layer.name.to_lowercase()));
        exact.or_else(part).map_or(layer.fallback, |(id, _)| *id)
    }

    /// The id of a layer by the service's own list; `None` when the list does not have it.
    pub(crate) fn listed(&self, layer: Layer) -> Option<u32> {
        let found =
            self.layers.iter().any(|(_, name)| name.to_lowercase().contains(&layer.name.to_lowercase()));
        (found || self.layers.is_empty()).then(|| self.id(layer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_found_by_name_and_else_by_number() {
        let session = |layers: Vec<(u32, String)>| Session { layers, ..Session::at(BASES[0]) };
        let own = session(vec![(7, "Flood Hazard Zones".to_owned()), (8, "The LOMRs".to_owned())]);
        assert_eq!((own.id(ZONES), own.id(LOMRS), own.id(PANELS)), (7, 8, 3));
        assert_eq!((own.listed(LIMWA), session(Vec::new()).listed(LIMWA)), (None, Some(19)));
    }
}
