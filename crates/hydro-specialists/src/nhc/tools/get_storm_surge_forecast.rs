//! `nhc_get_storm_surge_forecast`: peak surge by stretch of coast, out of the public advisory.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::get_advisory::{self, Product};
use super::storm_argument::{Storm, place};
use crate::ServiceError;
use crate::nhc::Client;
use crate::nhc::track::shown;
use crate::prose::table;
use crate::tool::ServiceTool;

/// The most stretches with evidence of their own.
const MOST: usize = 20;

/// Peak surge by stretch of coast.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GetStormSurgeForecast;

/// The arguments of [`GetStormSurgeForecast`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// BBNNYYYY, in any letter case, for example `AL092022`.
    storm_id: Storm,
    /// Number of the public advisory, such as `24` or `24A`; default the newest of an active storm.
    #[serde(default)]
    number: Option<String>,
}

#[async_trait]
impl ServiceTool for GetStormSurgeForecast {
    const NAME: &'static str = "nhc_get_storm_surge_forecast";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let mut names: Vec<String> =
            ["n_surge", "max_surge", "max_surge_from", "max_surge_segment", "advisory_number", "no_data"]
                .map(str::to_owned)
                .to_vec();
        names.extend((1..=MOST).flat_map(|at| [format!("surge_{at}_low"), format!("surge_{at}_high")]));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        ToolSpec::new("nhc", "Peak storm surge by stretch of coast, out of the public advisory.", Port::of(Kind::Table))
            .description(
                "The lines `segment...low-high ft` of the public advisory: feet of water above ground level, which is not a \
                 level above a datum. An advisory without them is an answer (`no_data`).",
            )
            .evidence(&names)
            .data_class(DataClass::Forecast)
            .hosts(&[client.pages_host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let id = arguments.storm_id.0;
        let number = arguments.number.as_deref().map(str::trim).filter(|number| !number.is_empty());
        let (_, read, sources) = get_advisory::text(&id, Product::Public, number, client, context).await?;
        let name = read.name.as_deref().and_then(shown).unwrap_or_else(|| id.to_string());
        let rows = read.surge.iter().map(|one| json!([one.segment, one.low_ft, one.high_ft]));
        let artifact =
            table("surge", &["segment", "low", "high"], rows.collect(), &[("low", "ft"), ("high", "ft")])
                .with_attribute("reference", "above ground level")
                .with_attribute("storm_id", id.to_string());
        let draft = |key: &str, value: serde_json::Value, unit: &str, method: &str, segment: Option<&str>| {
            let mut spot = place(&name, &id, None);
            if let Some(segment) = segment {
                spot["area"] = json!(segment);
            }
            let draft = EvidenceDraft::new(key, value, unit, method).place(spot);
            match read.issued {
                Some(at) => draft.when(format!("{at}Z")),
                None => draft,
            }
        };
        let mut evidence = vec![draft(
            "n_surge",
            json!(read.surge.len()),
            "1",
            "stretches of coast with a surge in the advisory",
            None,
        )];
        if read.surge.is_empty() {
            let text = "The advisory states no storm surge by stretch of coast.";
            evidence.push(draft("no_data", json!(text), "", "reading of the public advisory", None));
        }
        let above = "feet above ground level in the public advisory";
        for (at, one) in (1..=MOST).zip(&read.surge) {
            let segment = Some(one.segment.as_str());
            if let Some(low) = one.low_ft {
                evidence.push(draft(&format!("surge_{at}_low"), json!(low), "ft", above, segment));
            }
            evidence.push(draft(&format!("surge_{at}_high"), json!(one.high_ft), "ft", above, segment));
        }
        let highest = read.surge.iter().fold(
            None,
            |best: Option<&crate::nhc::wire::advisory::Surge>, next| match best {
                Some(own) if next.high_ft <= own.high_ft => Some(own),
                _ => Some(next),
            },
        );
        if let Some(one) = highest {
            let segment = Some(one.segment.as_str());
            evidence.push(draft("max_surge", json!(one.high_ft), "ft", above, segment));
            if let Some(low) = one.low_ft {
                evidence.push(draft("max_surge_from", json!(low), "ft", above, segment));
            }
            let method = "the stretch of coast with the highest surge";
            evidence.push(draft("max_surge_segment", json!(one.segment), "", method, segment));
        }
        if let Some(number) = &read.number {
            let value = number.parse::<u32>().map_or_else(|_| json!(number), |number| json!(number));
            evidence.push(draft("advisory_number", value, "1", "number of the advisory", None));
        }
        let mut output = ToolOutput::of(artifact).with_evidence(evidence);
        output.sources = sources;
        Ok(output)
    }
}
