//! `nhc_get_watches_warnings`: stretches of coast with a watch or a warning.

use std::collections::BTreeMap;

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::storm_argument::{Storm, place};
use crate::ServiceError;
use crate::arcgis::Page;
use crate::nhc::Client;
use crate::nhc::track::shown;
use crate::nhc::wire::features::{Alert, Slot};
use crate::prose::table;
use crate::tool::ServiceTool;

/// The most kinds with evidence of their own.
const MOST: usize = 8;

/// Watches and warnings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GetWatchesWarnings;

/// The arguments of [`GetWatchesWarnings`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// BBNNYYYY, in any letter case, for example `AL092022`.
    storm_id: Storm,
}

#[async_trait]
impl ServiceTool for GetWatchesWarnings {
    const NAME: &'static str = "nhc_get_watches_warnings";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let mut names: Vec<String> =
            ["n_segments", "kinds", "advisory_number", "no_data"].map(str::to_owned).to_vec();
        names.extend((1..=MOST).flat_map(|at| [format!("kind_{at}_label"), format!("kind_{at}_count")]));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        ToolSpec::new("nhc", "Coastal watches and warnings of a storm that are in force.", Port::of(Kind::Table))
            .description(
                "The watch and warning layer of the storm's slot in the tropical map service, with the coast as longitudes \
                 and latitudes. None in force is an answer (`no_data`). Rows of another storm in the slot are left out.",
            )
            .evidence(&names)
            .data_class(DataClass::Forecast)
            .hosts(&[client.pages_host(), client.maps_host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let id = arguments.storm_id.0;
        let mut notes = Vec::new();
        let mut sources = Vec::new();
        let active = match client.active(context).await {
            Ok((storms, _, source)) => {
                sources.push(source);
                storms.into_iter().find(|storm| storm.id == id)
            }
            Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
            Err(error) => {
                notes.push(format!("the list of active storms did not come: {error}"));
                None
            }
        };
        let layers = client.layers(context).await?;
        sources.extend(layers.sources.iter().cloned());
        notes.extend(layers.note.clone());
        // The storm's own slot first: after that, one that the map service may still hold.
        let mut bins: Vec<String> =
            active.iter().map(|storm| storm.bin.clone()).filter(|bin| bin.len() >= 3).collect();
        bins.extend(Client::slots(&id).into_iter().filter(|bin| !bins.contains(bin)).collect::<Vec<_>>());
        let mut found: Slot<Alert> = Slot::new(&Page::default());
        let mut answered = false;
        for bin in &bins {
            let (slot, source) = match client.alerts_in(&layers, bin, &id, context).await {
                Ok(found) => found,
                Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
                // The own slot of an active storm has answered: the others only make sure.
                Err(_) if active.is_some() && answered => break,
                Err(error) => return Err(error),
            };
            answered = true;
            sources.push(source);
            found.others += slot.others;
            found.skipped += slot.skipped;
            if !slot.rows.is_empty() {
                found = Slot { others: found.others, skipped: found.skipped, ..slot };
                break;
            }
        }
        let name = found.name.as_deref().and_then(shown).or_else(|| active.map(|storm| storm.name));
        let name = name.unwrap_or_else(|| id.to_string());
        if found.others > 0 {
            notes.push(format!("{} rows of the slots are of another storm and are left out", found.others));
        }
        if found.skipped > 0 {
            notes.push(format!("{} rows without a type are left out", found.skipped));
        }
        let rows = found.rows.iter().map(|alert| json!([alert.code, alert.label, alert.paths]));
        let artifact = table(
            "watches_warnings",
            &["type", "label", "path"],
            rows.collect(),
            &[("path", "degrees, lon then lat")],
        )
        .with_attribute("storm_id", id.to_string());
        let dated = |key: &str, value: serde_json::Value, unit: &str, method: &str| {
            let draft = EvidenceDraft::new(key, value, unit, method).place(place(&name, &id, None));
            match found.issued {
                Some(at) => draft.when(format!("{at}Z")),
                None => draft,
            }
        };
        let mut evidence = vec![dated(
            "n_segments",
            json!(found.rows.len()),
            "1",
            "stretches of coast with a watch or a warning",
        )];
        let mut kinds: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for alert in &found.rows {
            *kinds.entry((&alert.code, &alert.label)).or_default() += 1;
        }
        if found.rows.is_empty() {
            let text = "No coastal watch or warning of the storm is in force in the map service.";
            evidence.push(dated("no_data", json!(text), "", "answer of the map service"));
        } else {
            let codes: Vec<&str> = kinds.keys().map(|(code, _)| *code).collect();
            evidence.push(dated("kinds", json!(codes.join(", ")), "", "codes of the watches and warnings"));
        }
        for (at, ((code, label), count)) in (1..=MOST).zip(&kinds) {
            let method = format!("label of the watches and warnings with the code {code}");
            evidence.push(dated(&format!("kind_{at}_label"), json!(label), "", &method));
            let method = format!("stretches of coast with the code {code}");
            evidence.push(dated(&format!("kind_{at}_count"), json!(count), "1", &method));
        }
        if let Some(number) = &found.advisory {
            let value = number.parse::<u32>().map_or_else(|_| json!(number), |number| json!(number));
            evidence.push(dated("advisory_number", value, "1", "number of the advisory"));
        }
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}
