//! `stofs_list_cycles`: the cycles that the bucket has.

use async_trait::async_trait;
use jiff::ToSpan as _;
use leg_core::{Artifact, DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::stofs::Client;
use crate::stofs::client::Day;
use crate::stofs::cycle::day;
use crate::stofs::model::Model;
use crate::stofs::series::nothing;
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError};

/// The cycles that the bucket has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListCycles;

/// The arguments of [`ListCycles`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The model.
    #[serde(default)]
    model: Model,
    /// UTC date, such as `2026-02-21`; the newest when absent.
    #[serde(default)]
    date: Option<Moment>,
    /// How many days, counted back from the date, 1 to 7.
    #[serde(default = "two")]
    #[schemars(range(min = 1, max = 7))]
    days: u8,
}

const fn two() -> u8 {
    2
}

#[async_trait]
impl ServiceTool for ListCycles {
    const NAME: &'static str = "stofs_list_cycles";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("stofs", "Forecast cycles that there are, with their products.", Port::of(Kind::Table))
            .description(
                "Reads the listing of the NOAA bucket. A cycle is there when it has at least one file; it is ready some two \
                 to three and a half hours after its hour.",
            )
            .evidence(&["n_cycles", "newest", "n_files", "no_data"])
            .data_class(DataClass::Forecast)
            .hosts(&client.hosts())
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let model = arguments.model;
        let (dates, mut sources) = if let Some(date) = arguments.date {
            let last = day(date)?;
            let back = |n: i64| last.checked_sub(n.days()).ok();
            ((0..i64::from(arguments.days.clamp(1, 7))).filter_map(back).collect(), Vec::new())
        } else {
            let (mut all, sources) = client.days(model, context).await?;
            all.truncate(usize::from(arguments.days.clamp(1, 7)));
            (all, sources)
        };
        let mut cycles = Day::new();
        for date in dates {
            let (day, own) = client.day(model, date, context).await?;
            sources.extend(own);
            cycles.extend(day);
        }
        if cycles.is_empty() {
            let when = arguments
                .date
                .map_or_else(String::new, |date| format!(" on or before {}", date.first().date()));
            let mut output =
                nothing(Kind::Table, &format!("the bucket has no cycle of {}{when}", model.title()));
            output.sources = sources;
            return Ok(output);
        }
        let rows: Vec<_> = cycles
            .iter()
            .rev()
            .map(|(cycle, files)| {
                let products: Vec<_> =
                    files.iter().map(|(name, bytes)| json!({"name": name, "bytes": bytes})).collect();
                json!([cycle.date.to_string(), format!("{:02}", cycle.hour), products])
            })
            .collect();
        let content = json!({ "columns": ["date", "hour", "products"], "rows": rows, "units": {} });
        let files: usize = cycles.values().map(Vec::len).sum();
        let place = json!({ "name": model.title() });
        let draft = |name: &str, value: serde_json::Value, unit: &str, method: &str| {
            EvidenceDraft::new(name, value, unit, method).place(place.clone())
        };
        let mut evidence = vec![
            draft("n_cycles", json!(cycles.len()), "1", "number of cycles in the listing"),
            draft("n_files", json!(files), "1", "number of files of these cycles"),
        ];
        if let Some((newest, own)) = cycles.last_key_value() {
            evidence.push(
                draft(
                    "newest",
                    json!(newest.to_string()),
                    "",
                    "newest cycle in the listing: date and hour, UTC",
                )
                .when(newest.when())
                .n(own.len()),
            );
        }
        let mut output =
            ToolOutput::of(Artifact::document(Kind::Table, "cycles", content)).with_evidence(evidence);
        output.sources = sources;
        Ok(output)
    }
}
