//! `coops_list_stations`: stations by type and state.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::coops::Client;
use crate::coops::wire::{Station, Stations};
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::{ServiceError, lenient};

/// Stations by type and state.
#[derive(Debug, Clone, Copy)]
pub struct ListStations;

/// The arguments of [`ListStations`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListStationsArguments {
    /// Station type.
    #[serde(default, rename = "type")]
    pub kind: StationType,
    /// Two letters.
    #[serde(default)]
    pub state: Option<String>,
    /// Most rows.
    #[serde(default = "fifty")]
    pub limit: u32,
    /// Rows to skip.
    #[serde(default)]
    pub offset: u32,
}

const fn fifty() -> u32 {
    50
}

/// What a station measures or predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StationType {
    /// Water levels, now.
    #[default]
    WaterLevels,
    /// Water levels, once.
    HistoricWl,
    /// Predicted tides.
    TidePredictions,
    /// Predicted currents.
    CurrentPredictions,
    /// Observed currents.
    Currents,
    /// Weather.
    Met,
    /// Water levels each minute.
    #[serde(rename = "1minute")]
    OneMinute,
    /// Datums.
    Datums,
    /// Harmonic constituents.
    Harcon,
}

impl StationType {
    /// The name in a request.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::WaterLevels => "waterlevels",
            Self::HistoricWl => "historicwl",
            Self::TidePredictions => "tidepredictions",
            Self::CurrentPredictions => "currentpredictions",
            Self::Currents => "currents",
            Self::Met => "met",
            Self::OneMinute => "1minute",
            Self::Datums => "datums",
            Self::Harcon => "harcon",
        }
    }
}

#[async_trait]
impl ServiceTool for ListStations {
    const NAME: &'static str = "coops_list_stations";

    type Client = Client;
    type Arguments = ListStationsArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("coops", "Stations of CO-OPS by type and state.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS metadata API. `n` is the number of stations that fit, of which the table has `limit` after \
                 `offset`; `first_id`, `first_name` and `first_shefcode` are of the first row.",
            )
            .evidence(&["n", "first_id", "first_name", "first_shefcode", "first_lat", "names", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (list, source) = client
            .metadata::<Stations>("stations.json", &[("type", arguments.kind.as_str())], context)
            .await?;
        let (mut stations, bad) = lenient::rows::<Station>(list.stations);
        stations.retain(|own| {
            arguments.state.as_deref().is_none_or(|state| own.state.eq_ignore_ascii_case(state.trim()))
        });
        let count = |own: u32| usize::try_from(own).unwrap_or(usize::MAX);
        let (offset, limit) = (count(arguments.offset), count(arguments.limit));
        let shown: Vec<&Station> = stations.iter().skip(offset).take(limit).collect();
        let scope = arguments.state.as_deref().map_or_else(String::new, |state| format!(" in {state}"));
        let method = format!("number of stations of type {}{scope}", arguments.kind.as_str());
        let mut evidence = vec![EvidenceDraft::new("n", stations.len(), "1", &method)];
        if let Some(first) = shown.first() {
            let place = place(&first.id, &first.name, first.lat, first.lng);
            for (name, text) in
                [("first_id", &first.id), ("first_name", &first.name), ("first_shefcode", &first.shefcode)]
            {
                if !text.is_empty() {
                    let draft = EvidenceDraft::new(name, text.as_str(), "", "first station of the list");
                    evidence.push(draft.place(place.clone()));
                }
            }
            if let Some(lat) = first.lat {
                let draft =
                    EvidenceDraft::new("first_lat", lat, "degree_north", "latitude of the first station");
                evidence.push(draft.place(place.clone()));
            }
            let names: Vec<String> =
                shown.iter().take(20).map(|own| format!("{} ({})", own.name, own.id)).collect();
            evidence.push(EvidenceDraft::new(
                "names",
                names.join("; "),
                "",
                "stations of the list, at most 20",
            ));
        } else {
            let said = "No station fits.";
            evidence.push(EvidenceDraft::new("no_data", said, "", "answer of the service"));
        }
        let mut output = ToolOutput::of(station_table(&shown)).with_evidence(evidence);
        if bad > 0 {
            output.notes.push(format!("{bad} stations could not be read and are left out"));
        }
        output.sources = vec![source];
        Ok(output)
    }
}

/// Stations as a table.
fn station_table(stations: &[&Station]) -> leg_core::Artifact {
    let columns = [
        ("id", ""),
        ("name", ""),
        ("state", ""),
        ("lat", "degree_north"),
        ("lon", "degree_east"),
        ("tidal", ""),
        ("shefcode", ""),
    ];
    let rows: Vec<Vec<Value>> = stations
        .iter()
        .map(|own| {
            vec![
                json!(own.id),
                json!(own.name),
                json!(own.state),
                json!(own.lat),
                json!(own.lng),
                own.tidal.clone(),
                json!(own.shefcode),
            ]
        })
        .collect();
    table("stations", &columns, &rows)
}
