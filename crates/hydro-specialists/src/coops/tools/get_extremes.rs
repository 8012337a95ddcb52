//! `coops_get_extremes`: the ten highest waters of a station, and its ten-year events.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::coops::Client;
use crate::coops::dates::american;
use crate::coops::wire::{Extremes, Highest, TopTen};
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::{Datum, ServiceError, StationId, Units, lenient};

const RANKS: [&str; 10] =
    ["rank_1", "rank_2", "rank_3", "rank_4", "rank_5", "rank_6", "rank_7", "rank_8", "rank_9", "rank_10"];

/// The ten highest waters of a station.
#[derive(Debug, Clone, Copy)]
pub struct GetExtremes;

/// The arguments of [`GetExtremes`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetExtremesArguments {
    /// 7 digits, such as `8518750`.
    pub station_id: StationId,
    /// Vertical datum.
    #[serde(default)]
    pub datum: Datum,
    /// Unit system.
    #[serde(default)]
    pub units: Units,
}

#[async_trait]
impl ServiceTool for GetExtremes {
    const NAME: &'static str = "coops_get_extremes";

    type Client = Client;
    type Arguments = GetExtremesArguments;

    fn describe(client: &Client) -> ToolSpec {
        let mut names = RANKS.to_vec();
        names.extend([
            "highest_event",
            "n",
            "n_events",
            "n_high_events",
            "n_low_events",
            "first_event",
            "no_data",
        ]);
        ToolSpec::new("coops", "The ten highest water levels of a station with their dates.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS derived products toptenwaterlevels and extremewaterlevels. `rank_1` is the highest level \
                 ever observed. The ten-year events are days of which the service gives no level here. One of the two \
                 lists may be missing.",
            )
            .evidence(&names)
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let station = arguments.station_id.as_str();
        let (datum, units) = (arguments.datum.in_request(), arguments.units.as_str());
        let ask = |name: &'static str, datum: &'static str| {
            [("name", name), ("station", station), ("datum", datum), ("units", units)]
        };
        let top = client.derived::<TopTen>("product.json", &ask("toptenwaterlevels", datum), context).await;
        // Events have no level, so that their datum does not matter.
        let index =
            client.derived::<Extremes>("product.json", &ask("extremewaterlevels", "MHHW"), context).await;
        let (mut evidence, mut rows, mut notes, mut sources) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        match (&top, &index) {
            (Err(_), Err(_)) => {
                return Err(top.err().unwrap_or_else(|| ServiceError::NotFound(station.to_owned())));
            }
            (Err(error), _) => notes.push(format!("the ten highest levels are missing: {error}")),
            (_, Err(error)) => notes.push(format!("the ten-year events are missing: {error}")),
            _ => {}
        }
        if let Ok((top, source)) = top {
            sources.push(source);
            highest(top, arguments.datum, station, (&mut evidence, &mut rows, &mut notes));
        }
        if let Ok((index, source)) = index {
            sources.push(source);
            events(&index, station, &mut evidence, &mut rows);
        }
        if evidence.is_empty() {
            let said = "The service has no extremes for this station.";
            evidence.push(EvidenceDraft::new("no_data", said, "", "answer of the service"));
        }
        let columns =
            [("rank", ""), ("date", ""), ("height", arguments.units.length()), ("datum", ""), ("event", "")];
        let artifact = table("extremes", &columns, &rows).with_attribute("station", station);
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}

type Parts<'a> = (&'a mut Vec<EvidenceDraft>, &'a mut Vec<Vec<Value>>, &'a mut Vec<String>);

fn highest(top: TopTen, asked: Datum, station: &str, (evidence, rows, notes): Parts<'_>) {
    let unit = if top.units.to_lowercase().starts_with("met") { "m" } else { "ft" };
    let (mut found, bad) = lenient::rows::<Highest>(top.rows);
    if bad > 0 {
        notes.push(format!("{bad} of the highest levels could not be read and are left out"));
    }
    // The service sorts them already; a rank must not hang on that.
    found.sort_by(|a, b| b.height.partial_cmp(&a.height).unwrap_or(std::cmp::Ordering::Equal));
    for (at, one) in found.iter().enumerate() {
        let Some(height) = one.height else { continue };
        let datum = Datum::from_name(&one.datum).unwrap_or(asked);
        let when = if one.peak_time.is_empty() {
            one.peak_date.clone()
        } else {
            format!("{}T{}:00Z", one.peak_date, one.peak_time)
        };
        rows.push(vec![json!(at + 1), json!(when), json!(height), json!(datum), json!(one.event)]);
        let place = place(station, &one.station_name, None, None);
        if let Some(name) = RANKS.get(at) {
            let method = format!("observed peak water level, number {} of the highest", at + 1);
            let draft =
                EvidenceDraft::new(name, height, unit, &method).datum(datum.as_str()).when(when.as_str());
            evidence.push(draft.place(place.clone()));
        }
        if at == 0 && !one.event.is_empty() {
            let method = "what the service names as cause of the highest level";
            evidence.push(
                EvidenceDraft::new("highest_event", one.event.as_str(), "", method).when(when).place(place),
            );
        }
    }
    if !found.is_empty() {
        let name = found.first().map(|one| one.station_name.as_str()).unwrap_or_default();
        let method = "number of highest levels in the list";
        evidence
            .push(EvidenceDraft::new("n", found.len(), "1", method).place(place(station, name, None, None)));
    }
}

fn events(index: &Extremes, station: &str, evidence: &mut Vec<EvidenceDraft>, rows: &mut Vec<Vec<Value>>) {
    let Some(own) = index.rows.first() else { return };
    let text = |name: &str| own.get(name).and_then(Value::as_str).unwrap_or_default();
    let place = place(
        station,
        text("stationName"),
        own.get("latitude").and_then(Value::as_f64),
        own.get("longitude").and_then(Value::as_f64),
    );
    let Some(events) = own.get("tenYearEvents") else { return };
    let dates = |name: &str| -> Vec<String> {
        let list = events.get(name).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(|event| event.get("date").and_then(Value::as_str))
            .map(american)
            .collect()
    };
    let (high, low) = (dates("highs"), dates("lows"));
    for (kind, dates) in [("high", &high), ("low", &low)] {
        for date in dates {
            rows.push(vec![
                Value::Null,
                json!(date),
                Value::Null,
                Value::Null,
                json!(format!("ten-year {kind}")),
            ]);
        }
    }
    let mut count = |name: &str, count: usize, method: &str| {
        evidence.push(EvidenceDraft::new(name, count, "1", method).place(place.clone()));
    };
    count("n_high_events", high.len(), "number of days with a high level of a ten-year event");
    count("n_low_events", low.len(), "number of days with a low level of a ten-year event");
    let stated = events.get("count").and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
    count(
        "n_events",
        stated.unwrap_or(high.len() + low.len()),
        "number of ten-year events that the service counts",
    );
    if let Some(first) = high.first() {
        let method = "first high ten-year event of the list, a date";
        let draft = EvidenceDraft::new("first_event", first.as_str(), "", method).when(first.as_str());
        evidence.push(draft.place(place.clone()));
    }
}
