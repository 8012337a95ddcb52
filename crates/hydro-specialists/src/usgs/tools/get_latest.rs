//! `usgs_get_latest`: the newest value of a gauge.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::get_continuous::Parameter;
use crate::ServiceError;
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::usgs::observed::{instant, quantity, unit};
use crate::usgs::{Client, SiteId};

/// The newest value of a gauge.
#[derive(Debug, Clone, Copy)]
pub struct GetLatest;

/// The arguments of [`GetLatest`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetLatestArguments {
    /// `USGS-nnn` or the digits.
    pub site: SiteId,
    /// Parameter code.
    #[serde(default)]
    pub parameter: Parameter,
}

#[async_trait]
impl ServiceTool for GetLatest {
    const NAME: &'static str = "usgs_get_latest";

    type Client = Client;
    type Arguments = GetLatestArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("usgs", "The newest stage or flow of a stream gauge.", Port::of(Kind::Table))
            .description("Water Data OGC API, latest-continuous; mostly provisional.")
            .evidence(&["value", "approval", "n", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&client.gauge_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let site = arguments.site.to_string();
        // Each parameter has a row of its own, few in all.
        let parameters = [("monitoring_location_id", site.clone())];
        let (features, sources) = client.features("latest-continuous", &parameters, context).await?;
        let code = arguments.parameter.code();
        let (rows, _) = features.measured();
        let all = rows.iter().filter(|(own, ..)| own.site == site).count();
        let mut found: Vec<_> = rows
            .into_iter()
            .filter(|(own, ..)| own.site == site && own.parameter == code && own.value.is_some())
            .collect();
        found.sort_by_key(|(own, ..)| instant(&own.time));
        let (name, _, datum) = quantity(code);
        let mut evidence = Vec::new();
        let mut rows = Vec::new();
        let mut cf = String::new();
        if let Some((own, lat, lon)) = found.last() {
            let place = place(arguments.site.digits(), "", *lat, *lon);
            let when = instant(&own.time).map_or_else(|| own.time.clone(), |at| format!("{at}Z"));
            cf = unit(&own.unit);
            let method = format!("newest {}", arguments.parameter.words());
            let value = EvidenceDraft::new("value", json!(own.value), &cf, &method).when(when.as_str());
            let value = value.place(place.clone());
            evidence.push(datum.into_iter().fold(value, EvidenceDraft::datum));
            if !own.approval.is_empty() {
                let draft =
                    EvidenceDraft::new("approval", own.approval.as_str(), "", "approval of the value");
                evidence.push(draft.when(when.as_str()).place(place));
            }
            rows.push(vec![json!(when), json!(own.value), json!(own.approval)]);
        } else {
            let said = format!("The service has no newest {} of this site.", arguments.parameter.words());
            evidence.push(EvidenceDraft::new("no_data", said, "", "answer of the service"));
        }
        evidence.push(EvidenceDraft::new(
            "n",
            all,
            "1",
            "number of newest values of the site, of all parameters",
        ));
        let columns = [("time", ""), ("value", cf.as_str()), ("approval", "")];
        let mut output =
            ToolOutput::of(table(name, &columns, &rows).with_attribute("site", site)).with_evidence(evidence);
        output.sources = sources;
        Ok(output)
    }
}
