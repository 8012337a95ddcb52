//! `usgs_get_schema`: the members that a collection of the Water Data OGC API has.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::ServiceError;
use crate::gauge::table;
use crate::tool::ServiceTool;
use crate::usgs::Client;

/// The members of a collection.
#[derive(Debug, Clone, Copy)]
pub struct GetSchema;

/// The arguments of [`GetSchema`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetSchemaArguments {
    /// The collection.
    #[serde(default)]
    pub collection: CollectionName,
}

/// A collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CollectionName {
    /// Gauges.
    MonitoringLocations,
    /// Instantaneous values.
    #[default]
    Continuous,
    /// Daily values.
    Daily,
    /// Newest values.
    LatestContinuous,
    /// Annual peaks.
    Peaks,
}

impl CollectionName {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::MonitoringLocations => "monitoring-locations",
            Self::Continuous => "continuous",
            Self::Daily => "daily",
            Self::LatestContinuous => "latest-continuous",
            Self::Peaks => "peaks",
        }
    }
}

#[async_trait]
impl ServiceTool for GetSchema {
    const NAME: &'static str = "usgs_get_schema";

    type Client = Client;
    type Arguments = GetSchemaArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("usgs", "Members of a collection of the Water Data API.", Port::of(Kind::Table))
            .description("Water Data OGC API: names and types of the members that its answers have.")
            .evidence(&["n", "members"])
            .data_class(DataClass::Observation)
            .hosts(&client.gauge_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let name = arguments.collection.as_str();
        let (schema, source) = client.schema(name, context).await?;
        let Some(members) = schema.get("properties").and_then(Value::as_object) else {
            return Err(ServiceError::NotFound(format!("the service states no members of `{name}`")));
        };
        let kind = |own: &Value| own.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        let rows: Vec<Vec<Value>> =
            members.iter().map(|(name, own)| vec![json!(name), json!(kind(own))]).collect();
        let names: Vec<&str> = members.keys().map(String::as_str).collect();
        let place = json!({ "collection": name });
        let evidence = vec![
            EvidenceDraft::new("n", members.len(), "1", "number of members").place(place.clone()),
            EvidenceDraft::new("members", names.join(", "), "", "names of the members").place(place),
        ];
        let mut output =
            ToolOutput::of(table("members", &[("name", ""), ("type", "")], &rows)).with_evidence(evidence);
        output.sources = vec![source];
        Ok(output)
    }
}
