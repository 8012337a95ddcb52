//! `coops_get_harmonics`: the harmonic constituents of the tide at a station.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::coops::Client;
use crate::coops::client::unknown;
use crate::coops::wire::{Constituent, Constituents};
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::{ServiceError, StationId, Units, lenient};

/// The harmonic constituents of the tide at a station.
#[derive(Debug, Clone, Copy)]
pub struct GetHarmonics;

/// The arguments of [`GetHarmonics`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetHarmonicsArguments {
    /// 7 digits, such as `8518750`.
    pub station_id: StationId,
    /// The constituent that the evidence is of, such as `M2` or `K1`.
    #[serde(default = "principal")]
    pub constituent: String,
    /// Unit system; the unit that the answer states wins.
    #[serde(default)]
    pub units: Units,
}

fn principal() -> String {
    "M2".to_owned()
}

#[async_trait]
impl ServiceTool for GetHarmonics {
    const NAME: &'static str = "coops_get_harmonics";

    type Client = Client;
    type Arguments = GetHarmonicsArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("coops", "Harmonic constituents of the tide at a station.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS metadata API, harcon. `amplitude`, `phase` (of Greenwich, degrees) and `speed` (degrees an \
                 hour) are of the named constituent; the table has all. A station without constituents gives `no_data`.",
            )
            .evidence(&["amplitude", "phase", "speed", "n", "largest", "units", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let station = &arguments.station_id;
        let path = format!("stations/{station}/harcon.json");
        let asked =
            client.metadata::<Constituents>(&path, &[("units", arguments.units.as_str())], context).await;
        let (found, source) = asked.map_err(|error| {
            if error.is_missing() { unknown(station, "harmonic constituents") } else { error }
        })?;
        let unit = if found.units.to_lowercase().starts_with("met") { "m" } else { "ft" };
        let (rows, bad) = lenient::rows::<Constituent>(found.rows);
        let place = place(station.as_str(), "", None, None);
        let count = EvidenceDraft::new("n", rows.len(), "1", "number of harmonic constituents");
        let mut evidence = vec![count.place(place.clone())];
        let wanted = arguments.constituent.trim();
        let own = rows.iter().find(|row| row.name.eq_ignore_ascii_case(wanted));
        if rows.is_empty() {
            let said = "The service has no harmonic constituents for this station.";
            evidence
                .push(EvidenceDraft::new("no_data", said, "", "answer of the service").place(place.clone()));
        } else {
            let method = "unit that the answer states";
            evidence.push(EvidenceDraft::new("units", found.units.as_str(), "", method).place(place.clone()));
            let Some(own) = own else {
                let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).take(60).collect();
                return Err(ServiceError::NotFound(format!(
                    "station `{station}` has no constituent `{}`; it has: {}",
                    wanted.chars().take(20).collect::<String>(),
                    names.join(", ")
                )));
            };
            let name = &own.name;
            for (key, value, unit, what) in [
                ("amplitude", own.amplitude, unit, "amplitude"),
                ("phase", own.phase, "degree", "phase of Greenwich"),
                ("speed", own.speed, "degree hour-1", "speed"),
            ] {
                if let Some(value) = value {
                    let method = format!("{what} of the constituent {name}");
                    evidence.push(EvidenceDraft::new(key, value, unit, &method).place(place.clone()));
                }
            }
            let largest =
                rows.iter().reduce(|best, next| if next.amplitude > best.amplitude { next } else { best });
            if let Some(largest) = largest {
                let method = "constituent with the largest amplitude";
                let draft = EvidenceDraft::new("largest", largest.name.as_str(), "", method);
                evidence.push(draft.place(place.clone()));
            }
        }
        let columns = [
            ("name", ""),
            ("amplitude", unit),
            ("phase", "degree"),
            ("speed", "degree hour-1"),
            ("description", ""),
        ];
        let table_rows: Vec<Vec<serde_json::Value>> = rows
            .iter()
            .map(|row| {
                vec![
                    json!(row.name),
                    json!(row.amplitude),
                    json!(row.phase),
                    json!(row.speed),
                    json!(row.description),
                ]
            })
            .collect();
        let artifact = table("harmonics", &columns, &table_rows).with_attribute("station", station.as_str());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence);
        if bad > 0 {
            output.notes.push(format!("{bad} constituents could not be read and are left out"));
        }
        if (unit == "ft") != (arguments.units == Units::English) {
            output.notes.push(format!("the service answered in {}, whatever was asked for", found.units));
        }
        output.sources = vec![source];
        Ok(output)
    }
}
