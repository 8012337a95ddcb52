//! `nhc_list_active_storms`: the storms that are active.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::storm_argument::{Basin, place};
use crate::ServiceError;
use crate::nhc::Client;
use crate::nhc::wire::active::ActiveStorm;
use crate::prose::table;
use crate::tool::ServiceTool;

/// The most storms with evidence of their own: one for each slot of the service.
const SLOTS: usize = 15;

/// What each storm has evidence of: `storm_1_wind` and so on.
const EACH: [&str; 9] = ["name", "id", "wind", "pressure", "lat", "lon", "move_dir", "advisory", "class"];

/// The storms that are active.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListActiveStorms;

/// The arguments of [`ListActiveStorms`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Keep one basin of the id: al, ep or cp.
    #[serde(default)]
    basin: Option<Basin>,
}

#[async_trait]
impl ServiceTool for ListActiveStorms {
    const NAME: &'static str = "nhc_list_active_storms";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let mut names: Vec<String> = [
            "n_active",
            "strongest_wind",
            "strongest_name",
            "strongest_pressure",
            "storms",
            "n_skipped",
            "no_data",
        ]
        .map(str::to_owned)
        .to_vec();
        for slot in 1..=SLOTS {
            names.extend(EACH.iter().map(|what| format!("storm_{slot}_{what}")));
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        ToolSpec::new("nhc", "Storms that are active now, with position, wind and pressure.", Port::of(Kind::Table))
            .description(
                "NHC CurrentStorms.json: id, slot, position, wind (kt), pressure (hPa), motion, advisory number and links of \
                 each active storm. An empty list is an answer. The basin of an id is that of its genesis; a storm that \
                 crossed 140 W has a CP slot. Evidence: `n_active`, the strongest storm, and `storm_1_…` for each.",
            )
            .evidence(&names)
            .data_class(DataClass::Observation)
            .hosts(&[client.pages_host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (mut storms, skipped, source) = client.active(context).await?;
        if let Some(basin) = arguments.basin {
            storms.retain(|storm| storm.id.basin == basin.as_str());
        }
        let columns = [
            "id",
            "bin",
            "name",
            "classification",
            "lat",
            "lon",
            "wind",
            "pressure",
            "move_dir",
            "move_speed",
            "updated",
            "advisory_number",
            "links",
        ];
        let units = [
            ("lat", "degrees_north"),
            ("lon", "degrees_east"),
            ("wind", "knot"),
            ("pressure", "hPa"),
            ("move_dir", "degree"),
        ];
        let rows = storms.iter().map(ActiveStorm::to_json).collect();
        let artifact = table("active_storms", &columns, rows, &units);
        let mut evidence = vec![EvidenceDraft::new(
            "n_active",
            storms.len(),
            "1",
            "number of storms in the list of active storms",
        )];
        if storms.is_empty() {
            let text = "No tropical cyclone is active in the list of the National Hurricane Center.";
            evidence.push(EvidenceDraft::new("no_data", text, "", "the list of active storms is empty"));
        } else {
            let names: Vec<String> =
                storms.iter().map(|storm| format!("{} ({})", storm.name, storm.id)).collect();
            evidence.push(EvidenceDraft::new(
                "storms",
                names.join(", "),
                "",
                "names and ids of the active storms",
            ));
        }
        let winds = storms.iter().filter_map(|storm| Some((storm, storm.wind?)));
        let strongest = winds.fold(None, |best: Option<(&ActiveStorm, f64)>, next| match best {
            Some(own) if next.1 <= own.1 => Some(own),
            _ => Some(next),
        });
        if let Some((storm, wind)) = strongest {
            let draft = |name: &str, value: serde_json::Value, unit: &str, method: &str| {
                dated(EvidenceDraft::new(name, value, unit, method), storm)
            };
            evidence.push(draft(
                "strongest_wind",
                json!(wind),
                "knot",
                "greatest sustained wind of the active storms",
            ));
            evidence.push(draft(
                "strongest_name",
                json!(storm.name),
                "",
                "name of the active storm with the most wind",
            ));
            if let Some(pressure) = storm.pressure {
                let method = "central pressure of the active storm with the most wind";
                evidence.push(draft("strongest_pressure", json!(pressure), "hPa", method));
            }
        }
        for (at, storm) in storms.iter().take(SLOTS).enumerate() {
            evidence.extend(of_storm(at + 1, storm));
        }
        let mut notes = Vec::new();
        if skipped > 0 {
            let method = "entries of the list without an id or a position";
            evidence.push(EvidenceDraft::new("n_skipped", skipped, "1", method));
            notes.push(format!("{skipped} entries of the list have no id or no position and are left out"));
        }
        Ok(ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes).with_source(source))
    }
}

fn of_storm(slot: usize, storm: &ActiveStorm) -> Vec<EvidenceDraft> {
    let draft = |what: &str, value: serde_json::Value, unit: &str, method: &str| {
        dated(EvidenceDraft::new(&format!("storm_{slot}_{what}"), value, unit, method), storm)
    };
    let mut out = vec![
        draft("name", json!(storm.name), "", "name of an active storm"),
        draft("id", json!(storm.id.to_string()), "", "id of an active storm"),
        draft("class", json!(storm.classification), "", "classification of an active storm"),
        draft("lat", json!(storm.lat), "degree_north", "latitude of the center"),
        draft("lon", json!(storm.lon), "degree_east", "longitude of the center"),
    ];
    if let Some(wind) = storm.wind {
        out.push(draft("wind", json!(wind), "knot", "greatest sustained wind"));
    }
    if let Some(pressure) = storm.pressure {
        out.push(draft("pressure", json!(pressure), "hPa", "central pressure"));
    }
    if let Some(dir) = storm.move_dir {
        out.push(draft("move_dir", json!(dir), "degree", "direction of motion, from true north"));
    }
    if let Some(number) = &storm.advisory {
        let mut one = draft("advisory", json!(number), "", "number of the newest public advisory");
        if let Some(issued) = storm.issued {
            one = one.when(format!("{issued}Z"));
        }
        out.push(one);
    }
    out
}

fn dated(draft: EvidenceDraft, storm: &ActiveStorm) -> EvidenceDraft {
    let mut place = place(&storm.name, &storm.id, Some((storm.lat, storm.lon)));
    place["slot"] = json!(storm.bin);
    let draft = draft.place(place);
    match storm.updated {
        Some(at) => draft.when(format!("{at}Z")),
        None => draft,
    }
}
