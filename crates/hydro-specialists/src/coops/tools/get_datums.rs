//! `coops_get_datums`: the datum table of a station, with its record high and low.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::coops::Client;
use crate::coops::client::unknown;
use crate::gauge::{place, table, to_millis};
use crate::tool::ServiceTool;
use crate::{Datum, ServiceError, StationId, Units};

/// The names under which datums stand in the evidence.
const DATUMS: [&str; 17] = [
    "STND", "MHHW", "MHW", "DTL", "MTL", "MSL", "MLW", "MLLW", "NAVD88", "IGLD85", "LWD", "CRD", "GT", "MN",
    "DHQ", "DLQ", "PRVD02",
];

/// The record levels and the datums that they are given above.
const RECORDS: [(&str, Datum); 4] = [
    ("record_high", Datum::Stnd),
    ("record_high_MHHW", Datum::Mhhw),
    ("record_high_MLLW", Datum::Mllw),
    ("record_high_NAVD88", Datum::Navd88),
];

/// The datum table of a station.
#[derive(Debug, Clone, Copy)]
pub struct GetDatums;

/// The arguments of [`GetDatums`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetDatumsArguments {
    /// 7 digits, such as `8518750`.
    pub station_id: StationId,
    /// Unit system.
    #[serde(default)]
    pub units: Units,
}

#[async_trait]
impl ServiceTool for GetDatums {
    const NAME: &'static str = "coops_get_datums";

    type Client = Client;
    type Arguments = GetDatumsArguments;

    fn describe(client: &Client) -> ToolSpec {
        let mut names = DATUMS.to_vec();
        names.extend(RECORDS.iter().map(|(name, _)| *name));
        names.extend(["record_low", "HAT", "LAT", "epoch", "n"]);
        ToolSpec::new("coops", "Datums of a station above its own zero; record high and low.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS metadata API. Evidence such as `MHHW` is the height of that datum above station datum \
                 (STND). `record_high` is the highest water that the gauge has observed, above STND; \
                 `record_high_MHHW` and others are the same water above other datums.",
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
        let station = &arguments.station_id;
        let (datums, source) = client.datums(station, arguments.units, context).await?;
        let unit = datums.unit();
        let place = place(station.as_str(), "", None, None);
        let draft = |name: &str, value: f64, method: &str| {
            EvidenceDraft::new(name, value, unit, method).place(place.clone())
        };
        let mut evidence: Vec<EvidenceDraft> = Vec::new();
        let mut rows: Vec<Vec<Value>> = Vec::new();
        for (name, value) in datums.entries() {
            rows.push(vec![json!(name), json!(value)]);
            let own = Datum::from_name(name).map_or(name, |datum| datum.as_str());
            let is_new = !evidence.iter().any(|draft: &EvidenceDraft| draft.name == own);
            if DATUMS.contains(&own) && is_new {
                // The great diurnal range and the like are differences and stand above nothing.
                let is_height = !matches!(own, "GT" | "MN" | "DHQ" | "DLQ");
                let method = format!("{own} above station datum");
                let one = draft(own, value, if is_height { &method } else { "difference of datums" });
                evidence.push(if is_height { one.datum("STND") } else { one });
            }
        }
        if rows.is_empty() {
            return Err(unknown(station, "datum table"));
        }
        let count = rows.len();
        for (name, value) in [("HAT", datums.hat), ("LAT", datums.lat)] {
            if let Some(value) = value {
                let method = format!("{name}, astronomical tide above station datum");
                evidence.push(draft(name, value, &method).datum("STND"));
                rows.push(vec![json!(name), json!(value)]);
            }
        }
        if let Some(max) = datums.max {
            for (name, datum) in RECORDS {
                if let Some(zero) = datums.get(datum) {
                    let method = format!("highest observed water level above {datum}");
                    let one = draft(name, to_millis(max - zero), &method).datum(datum.as_str());
                    evidence.push(dated(one, &datums.maxdate, &datums.maxtime));
                }
            }
        }
        if let Some(min) = datums.min {
            let one = draft("record_low", min, "lowest observed water level above STND").datum("STND");
            evidence.push(dated(one, &datums.mindate, &datums.mintime));
        }
        if !datums.epoch.is_empty() {
            let method = "tidal epoch of the datums";
            evidence
                .push(EvidenceDraft::new("epoch", datums.epoch.as_str(), "", method).place(place.clone()));
        }
        evidence.push(EvidenceDraft::new("n", count, "1", "number of datums").place(place.clone()));
        let artifact = table("datums", &[("datum", ""), ("above_STND", unit)], &rows)
            .with_attribute("station", station.as_str());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence);
        output.sources = vec![source];
        Ok(output)
    }
}

/// `20121030` and `01:12` as a time; the service gives records in UTC.
fn dated(draft: EvidenceDraft, date: &str, clock: &str) -> EvidenceDraft {
    let digits = date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit());
    let Some((year, month, day)) = digits.then(|| (&date[..4], &date[4..6], &date[6..])) else {
        return draft;
    };
    let is_clock = clock.len() == 5 && clock.bytes().all(|b| b.is_ascii_digit() || b == b':');
    if is_clock {
        draft.when(format!("{year}-{month}-{day}T{clock}:00Z"))
    } else {
        draft.when(format!("{year}-{month}-{day}"))
    }
}
