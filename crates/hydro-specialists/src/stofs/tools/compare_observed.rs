//! `stofs_compare_observed`: how well a forecast fits a gauge.

use async_trait::async_trait;
use jiff::civil::DateTime;
use leg_core::{
    Artifact, Coord, DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec, Variable,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::station_forecast::{Found, levels, points};
use crate::stofs::Client;
use crate::stofs::cycle::{CycleHour, Wanted};
use crate::stofs::model::{Model, Product};
use crate::stofs::observed::observed;
use crate::stofs::scores::Scores;
use crate::stofs::series::{Levels, nothing, rounded};
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError, StationId, Window};

/// The longest window of one request to the gauges, days.
const MAX_DAYS: i64 = 31;

/// How well a forecast fits a gauge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompareObserved;

/// The arguments of [`CompareObserved`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// 7 digits, such as `8452660`.
    station_id: StationId,
    /// UTC start, RFC 3339 or YYYY-MM-DD.
    begin: Moment,
    /// UTC end, inclusive.
    end: Moment,
    /// Day of the cycle, YYYY-MM-DD; the newest cycle when absent.
    #[serde(default)]
    cycle_date: Option<Moment>,
    /// Hour of the cycle, UTC.
    #[serde(default)]
    cycle_hour: Option<CycleHour>,
}

#[async_trait]
impl ServiceTool for CompareObserved {
    const NAME: &'static str = "stofs_compare_observed";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let mut hosts = client.hosts();
        hosts.push(client.coops().host());
        hosts.sort_unstable();
        hosts.dedup();
        ToolSpec::new("stofs", "Forecast against the observed level of a gauge: bias, RMSE, peak error.", Port::of(Kind::Series).dims(&["time"]).unit("m"))
            .description(
                "The total level of the station file (above LMSL) against the 6-minute level of the NOAA CO-OPS gauge above \
                 MSL, at equal times of the window. Errors are forecast minus observed: bias their mean, MAE the mean of \
                 their size, RMSE the root of their mean square; peak error is the highest forecast minus the highest \
                 observed value. MSL and LMSL are within some centimetres of each other. No pair is an answer (`no_data`).",
            )
            .evidence(&[
                "n", "bias", "rmse", "mae", "peak_error", "correlation", "forecast_max", "observed_max", "gauge_max", "cycle", "datum_note",
                "no_data",
            ])
            .data_class(DataClass::Forecast)
            .hosts(&hosts)
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (model, product) = (Model::Global2d, Product::Cwl);
        let window = Window::new(arguments.begin, arguments.end)
            .map_err(|error| ServiceError::BadArgument(error.to_string()))?;
        if window.days() > MAX_DAYS {
            return Err(ServiceError::TooMuch(format!(
                "{} days are compared at once and {MAX_DAYS} are allowed; ask for a shorter window",
                window.days()
            )));
        }
        let wanted = Wanted::of(arguments.cycle_date, arguments.cycle_hour)?;
        let (cycle, points, mut sources) =
            match points(client, model, product, wanted, Kind::Series, context).await? {
                Found::File { cycle, points, sources } => (cycle, points, sources),
                Found::Nothing(output) => return Ok(*output),
            };
        let station = &arguments.station_id;
        let at = points.stations.iter().position(|own| own.id.as_deref() == Some(station.as_str()));
        let at = at.ok_or_else(|| {
            ServiceError::NotFound(format!(
                "station `{station}` is not among the {} stations of the forecast; name another gauge",
                points.stations.len()
            ))
        })?;
        let forecast = levels(client, model, product, cycle, &points, at)?;
        let (gauge, source) = observed(client.coops(), station, window, context).await?;
        sources.push(source);
        let mut rows = Vec::new();
        for (time, level) in forecast.times.iter().zip(&forecast.values) {
            if let (Some(level), Some(observed)) = (level, gauge.levels.get(time)) {
                rows.push((*time, *level, *observed));
            }
        }
        let pairs: Vec<(f64, f64)> = rows.iter().map(|row| (row.1, row.2)).collect();
        let Some(scores) = Scores::of(&pairs) else {
            let said = if gauge.levels.is_empty() {
                format!("station `{station}` has no observed level in {window}: {}", gauge.said)
            } else {
                format!("forecast {cycle} and observations of station `{station}` share no time in {window}")
            };
            let mut output = nothing(Kind::Series, &said);
            output.sources = sources;
            return Ok(output);
        };
        let mut output = output(&rows, &scores, &forecast, station, gauge.skipped);
        let highest = gauge.levels.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
        if let Some((time, level)) = highest {
            let draft =
                EvidenceDraft::new("gauge_max", rounded(*level), "m", "highest observed value of the window");
            let draft = draft.place(forecast.place.clone()).datum("MSL").when(format!("{time}Z"));
            output.evidence.push(draft);
        }
        output.sources = sources;
        Ok(output)
    }
}

/// A time with a forecast and an observed level.
type Pair = (DateTime, f64, f64);

fn output(
    rows: &[Pair],
    scores: &Scores,
    forecast: &Levels,
    station: &StationId,
    skipped: usize,
) -> ToolOutput {
    let period = rows.first().zip(rows.last()).map(|(a, b)| format!("{}Z/{}Z", a.0, b.0)).unwrap_or_default();
    let place = forecast.place.clone();
    let draft = |name: &str, value: f64, unit: &str, method: &str| {
        EvidenceDraft::new(name, rounded(value), unit, method)
            .place(place.clone())
            .when(period.clone())
            .n(scores.n)
    };
    let peak = |name: &str, value: f64, datum: &str, method: &str, of: &dyn Fn(&Pair) -> f64| {
        let when =
            rows.iter().find(|row| of(row) >= value).map_or(period.clone(), |row| format!("{}Z", row.0));
        EvidenceDraft::new(name, rounded(value), "m", method).place(place.clone()).datum(datum).when(when)
    };
    let note = "the forecast is above LMSL and the observation above MSL; the two differ by some centimetres, which is part of the bias";
    let mut evidence = vec![
        EvidenceDraft::new("n", scores.n, "1", "number of pairs at equal times")
            .place(place.clone())
            .when(period.clone()),
        draft("bias", scores.bias, "m", "mean of forecast minus observed"),
        draft("rmse", scores.rmse, "m", "root mean square of forecast minus observed"),
        draft("mae", scores.mae, "m", "mean size of forecast minus observed"),
        draft(
            "peak_error",
            scores.peak_error,
            "m",
            "highest forecast minus highest observed value of the pairs",
        ),
        peak("forecast_max", scores.forecast_peak, "LMSL", "highest forecast value of the pairs", &|row| {
            row.1
        }),
        peak("observed_max", scores.observed_peak, "MSL", "highest observed value of the pairs", &|row| {
            row.2
        }),
        EvidenceDraft::new(
            "cycle",
            forecast.cycle.to_string(),
            "",
            "cycle of the forecast: date and hour, UTC",
        )
        .place(place.clone())
        .when(forecast.cycle.when()),
        EvidenceDraft::new("datum_note", note, "", "datums of the two series").place(place.clone()),
    ];
    evidence.extend(scores.correlation.map(|value| draft("correlation", value, "1", "Pearson correlation")));
    let variable = |name: &str, value: &dyn Fn(&Pair) -> f64| Variable {
        name: name.to_owned(),
        standard_name: Some("water_surface_height_above_reference_datum".to_owned()),
        units: "m".to_owned(),
        dims: vec!["time".to_owned()],
        shape: vec![rows.len()],
        values: rows.iter().map(value).collect(),
    };
    let artifact = Artifact::array(Kind::Series, "comparison", variable("forecast", &|row| row.1))
        .with_variable(variable("observed", &|row| row.2))
        .with_coord("time", Coord::texts(rows.iter().map(|row| format!("{}Z", row.0))))
        .with_attribute("datum", json!({ "forecast": "LMSL", "observed": "MSL" }))
        .with_attribute("station", station.as_str())
        .with_attribute("cycle", forecast.cycle.to_string());
    let mut notes = vec![note.to_owned()];
    if skipped > 0 {
        notes.push(format!("{skipped} rows of the gauge could not be read and are left out"));
    }
    ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes)
}
