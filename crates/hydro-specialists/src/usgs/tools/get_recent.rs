//! `usgs_get_recent`: the values of a gauge of the last hours.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::get_continuous::Parameter;
use crate::ServiceError;
use crate::tool::ServiceTool;
use crate::usgs::observed::{Observed, quantity};
use crate::usgs::{Client, SiteId};

/// The values of a gauge of the last hours.
#[derive(Debug, Clone, Copy)]
pub struct GetRecent;

/// The arguments of [`GetRecent`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetRecentArguments {
    /// `USGS-nnn` or the digits.
    pub site: SiteId,
    /// Parameter code.
    #[serde(default)]
    pub parameter: Parameter,
    /// Hours before now, 1 to 2880.
    #[serde(default = "two")]
    pub hours: u32,
}

const fn two() -> u32 {
    2
}

#[async_trait]
impl ServiceTool for GetRecent {
    const NAME: &'static str = "usgs_get_recent";

    type Client = Client;
    type Arguments = GetRecentArguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]);
        ToolSpec::new("usgs", "Stage or flow of a stream gauge in the last hours.", port)
            .description("NWIS instantaneous values with a period that ends now; mostly provisional.")
            .evidence(&super::SERIES)
            .data_class(DataClass::Observation)
            .hosts(&client.gauge_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let GetRecentArguments { site, parameter, hours } = arguments;
        if !(1..=2880).contains(&hours) {
            return Err(ServiceError::BadArgument("`hours` must be 1 to 2880".to_owned()));
        }
        let parameters = [("parameterCd", parameter.code().to_owned()), ("period", format!("PT{hours}H"))];
        let (answer, source) = client.legacy("iv", &site, &parameters, context).await?;
        let found = Observed::of_legacy(&answer, |_| true);
        let series = found.series_of(&site, parameter.code(), None);
        let mut evidence = series.statistics(0, "", parameter.words());
        evidence.extend(series.counts(parameter.words()));
        let draft = |name: &str, value: serde_json::Value, unit: &str, method: &str| {
            EvidenceDraft::new(name, value, unit, method).place(series.place.clone())
        };
        if found.rows.is_empty() {
            let said = format!("The service has no values of the last {hours} hours.");
            evidence.push(draft("no_data", said.into(), "", "answer of the service"));
        } else {
            let marked =
                found.rows.iter().filter(|(_, value, mark)| value.is_some() && mark.starts_with('P'));
            evidence.push(draft("n_provisional", marked.count().into(), "1", "number of provisional values"));
        }
        let (name, ..) = quantity(parameter.code());
        let mut output =
            ToolOutput::of(series.artifact(name)).with_evidence(evidence).with_notes(found.notes);
        output.sources = vec![source];
        Ok(output)
    }
}
