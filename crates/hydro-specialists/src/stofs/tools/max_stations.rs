//! `stofs_max_stations`: the stations with the highest peaks.

use async_trait::async_trait;
use leg_core::{Artifact, DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::station_forecast::{Found, place, points};
use crate::stofs::Client;
use crate::stofs::cycle::{CycleHour, Wanted};
use crate::stofs::mesh::{Bounds, holds};
use crate::stofs::model::{Model, Product};
use crate::stofs::series::rounded;
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError};

/// Higher peaks are faults of the model at a station.
const FAULT: f64 = 15.0;

/// Names of the evidence of the first rows.
const PEAKS: [&str; 10] =
    ["peak_1", "peak_2", "peak_3", "peak_4", "peak_5", "peak_6", "peak_7", "peak_8", "peak_9", "peak_10"];

/// The stations with the highest peaks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MaxStations;

/// The arguments of [`MaxStations`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The most rows.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 2000))]
    top_n: u32,
    /// The coast; all when absent.
    #[serde(default)]
    region: Option<Region>,
    /// Day of the cycle, YYYY-MM-DD; the newest cycle when absent.
    #[serde(default)]
    cycle_date: Option<Moment>,
    /// Hour of the cycle, UTC.
    #[serde(default)]
    cycle_hour: Option<CycleHour>,
}

const fn twenty() -> u32 {
    20
}

/// A coast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Region {
    /// From Florida's Atlantic side to Maine.
    EastCoast,
    /// The US coast of the Gulf.
    Gulf,
    /// California, Oregon, Washington.
    WestCoast,
    /// Alaska with the Aleutians.
    Alaska,
    /// Hawaii.
    Hawaii,
    /// Puerto Rico and the Virgin Islands.
    PuertoRico,
}

impl Region {
    /// Boxes: ours, around the US stations of the coast.
    const fn bounds(self) -> Bounds {
        match self {
            Self::EastCoast => [-81.7, 24.5, -66.5, 45.5],
            Self::Gulf => [-98.0, 24.0, -81.7, 31.0],
            Self::WestCoast => [-125.5, 32.0, -117.0, 49.5],
            Self::Alaska => [170.0, 51.0, -130.0, 72.0],
            Self::Hawaii => [-160.5, 18.7, -154.6, 22.4],
            Self::PuertoRico => [-67.6, 17.6, -64.4, 18.8],
        }
    }

    /// Its name in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::EastCoast => "East coast",
            Self::Gulf => "Gulf coast",
            Self::WestCoast => "West coast",
            Self::Alaska => "Alaska",
            Self::Hawaii => "Hawaii",
            Self::PuertoRico => "Puerto Rico",
        }
    }
}

#[async_trait]
impl ServiceTool for MaxStations {
    const NAME: &'static str = "stofs_max_stations";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let names: Vec<&str> =
            ["n_stations", "n_dropped", "n_without", "cycle", "no_data"].into_iter().chain(PEAKS).collect();
        ToolSpec::new("stofs", "Stations with the highest forecast peaks.", Port::of(Kind::Table))
            .description(
                "Total water level (tide and surge) of the station file, metres above LMSL. Peaks over 15 m are faults and \
                 are dropped and counted; stations without any value are counted too.",
            )
            .evidence(&names)
            .data_class(DataClass::Forecast)
            .hosts(&client.hosts())
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let model = Model::Global2d;
        let wanted = Wanted::of(arguments.cycle_date, arguments.cycle_hour)?;
        let (cycle, points, sources) =
            match points(client, model, Product::Cwl, wanted, Kind::Table, context).await? {
                Found::File { cycle, points, sources } => (cycle, points, sources),
                Found::Nothing(output) => return Ok(*output),
            };
        let host = client.bucket(model).host().to_owned();
        let peaks = points.peaks().map_err(|reason| ServiceError::Unreadable { host, reason })?;
        let (mut rows, mut dropped, mut without) = (Vec::new(), 0_usize, 0_usize);
        for (station, peak) in points.stations.iter().zip(peaks) {
            if arguments.region.is_some_and(|region| !holds(region.bounds(), station.lon, station.lat)) {
                continue;
            }
            match peak {
                None => without += 1,
                Some((level, _)) if level > FAULT => dropped += 1,
                Some((level, at)) => {
                    rows.push((station, rounded(level), points.times.get(at).map(|time| format!("{time}Z"))));
                }
            }
        }
        rows.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.key().cmp(b.0.key())));
        let count = rows.len();
        rows.truncate(usize::try_from(arguments.top_n).unwrap_or(usize::MAX));
        let datum = model.station_datum();
        let area = arguments.region.map_or("all coasts", Region::words);
        let draft = |name: &str, value: usize, method: &str| {
            EvidenceDraft::new(name, value, "1", method).place(json!({ "region": area })).when(cycle.when())
        };
        let mut evidence = vec![
            draft("n_stations", count, "number of stations with a peak"),
            draft("n_dropped", dropped, "number of stations whose peak is over 15 m, which is a fault"),
            draft("n_without", without, "number of stations without any value"),
            EvidenceDraft::new("cycle", cycle.to_string(), "", "cycle of the forecast: date and hour, UTC")
                .when(cycle.when()),
        ];
        for (place_of, (name, (station, level, when))) in PEAKS.iter().zip(&rows).enumerate() {
            let method =
                format!("highest forecast water level at the station, place {} of {count}", place_of + 1);
            let draft = EvidenceDraft::new(name, *level, "m", &method)
                .datum(datum)
                .place(place(station))
                .pointer(format!("/content/rows/{place_of}/2"));
            evidence.push(when.iter().cloned().fold(draft, EvidenceDraft::when));
        }
        if rows.is_empty() {
            let said = format!("no station of {area} has a peak in the cycle {cycle}");
            evidence.push(EvidenceDraft::new("no_data", said, "", "values of the file"));
        }
        let rows: Vec<_> = rows
            .iter()
            .map(|(own, level, when)| json!([own.key(), own.name, level, when, own.lon, own.lat]))
            .collect();
        let content = json!({
            "columns": ["station", "name", "peak", "time", "lon", "lat"],
            "rows": rows,
            "units": {"peak": "m", "lon": "degrees_east", "lat": "degrees_north"},
            "datum": datum,
            "cycle": cycle.to_string(),
        });
        let mut output =
            ToolOutput::of(Artifact::document(Kind::Table, "peaks", content)).with_evidence(evidence);
        output.sources = sources;
        Ok(output)
    }
}
