//! `usgs_get_collection`: the first features of a collection of the Water Data API.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::get_schema::CollectionName;
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::usgs::Client;
use crate::usgs::observed::{instant, unit};
use crate::{Moment, ServiceError};

/// The first features of a collection.
#[derive(Debug, Clone, Copy)]
pub struct GetCollection;

/// The arguments of [`GetCollection`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetCollectionArguments {
    /// The collection.
    #[serde(default)]
    pub collection: CollectionName,
    /// UTC start of the times of the features; only with `end`.
    #[serde(default)]
    pub begin: Option<Moment>,
    /// UTC end, inclusive.
    #[serde(default)]
    pub end: Option<Moment>,
    /// Most features, 1 to 1000.
    #[serde(default = "ten")]
    pub limit: u32,
}

const fn ten() -> u32 {
    10
}

/// A feature: location, time, value, unit, and its point.
struct Row {
    site: String,
    name: String,
    time: String,
    value: Option<f64>,
    unit: String,
    lat: Option<f64>,
    lon: Option<f64>,
}

#[async_trait]
impl ServiceTool for GetCollection {
    const NAME: &'static str = "usgs_get_collection";

    type Client = Client;
    type Arguments = GetCollectionArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("usgs", "The first features of a collection of the Water Data API.", Port::of(Kind::Table))
            .description(
                "Water Data OGC API, one page of a collection without a gauge: how many features came (`n`, at most `limit`), \
                 their locations, and location and value of the first. For values of a gauge there are other tools.",
            )
            .evidence(&["n", "ids", "first_location", "first_value", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&client.gauge_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        if !(1..=1000).contains(&arguments.limit) {
            return Err(ServiceError::BadArgument("`limit` must be 1 to 1000".to_owned()));
        }
        let name = arguments.collection.as_str();
        let mut parameters = Vec::new();
        if let (Some(begin), Some(end)) = (arguments.begin, arguments.end) {
            let (begin, end) = (begin.first(), end.last());
            parameters.push(("time", format!("{begin}Z/{end}Z")));
        }
        let (features, source) = client.page(name, arguments.limit, &parameters, context).await?;
        let locations = arguments.collection == CollectionName::MonitoringLocations;
        let rows: Vec<Row> = if locations {
            let sites = features.locations().0.into_iter().map(|own| Row {
                site: own.id,
                name: own.name,
                time: String::new(),
                value: None,
                unit: String::new(),
                lat: own.lat,
                lon: own.lon,
            });
            sites.collect()
        } else {
            let values = features.measured().0.into_iter().map(|(own, lat, lon)| Row {
                site: own.site,
                name: String::new(),
                time: instant(&own.time)
                    .filter(|_| own.time.len() > 10)
                    .map_or(own.time, |at| format!("{at}Z")),
                value: own.value,
                unit: unit(&own.unit),
                lat,
                lon,
            });
            values.collect()
        };
        let evidence = evidence(&rows, name);
        let cells: Vec<Vec<Value>> = rows
            .iter()
            .map(|row| {
                vec![json!(row.site), json!(row.name), json!(row.time), json!(row.value), json!(row.unit)]
            })
            .collect();
        let columns = [("location", ""), ("name", ""), ("time", ""), ("value", ""), ("unit", "")];
        let mut output =
            ToolOutput::of(table("features", &columns, &cells).with_attribute("collection", name))
                .with_evidence(evidence);
        output.sources = vec![source];
        Ok(output)
    }
}

fn evidence(rows: &[Row], collection: &str) -> Vec<EvidenceDraft> {
    let whole = json!({ "collection": collection });
    let draft =
        |name: &str, value: Value, unit: &str, method: &str| EvidenceDraft::new(name, value, unit, method);
    let mut drafts =
        vec![draft("n", json!(rows.len()), "1", "number of features that came").place(whole.clone())];
    let Some(first) = rows.first() else {
        let said = format!("The collection {collection} has no feature for this.");
        drafts.push(draft("no_data", json!(said), "", "answer of the service").place(whole));
        return drafts;
    };
    let mut ids: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| !row.site.is_empty()) {
        if !ids.contains(&row.site.as_str()) && ids.len() < 20 {
            ids.push(&row.site);
        }
    }
    drafts
        .push(draft("ids", json!(ids.join(", ")), "", "locations of the features, at most 20").place(whole));
    let at = place(first.site.trim_start_matches("USGS-"), &first.name, first.lat, first.lon);
    let one = draft("first_location", json!(first.site), "", "location of the first feature");
    drafts.push(one.place(at.clone()));
    if let Some(value) = first.value {
        let one = draft("first_value", json!(value), &first.unit, "value of the first feature").place(at);
        drafts.push(if first.time.is_empty() { one } else { one.when(first.time.as_str()) });
    }
    drafts
}
