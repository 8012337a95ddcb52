//! `coops_get_residual`: observed minus predicted water level: what the weather did, the surge.

use std::collections::BTreeMap;

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::get_water_level::TimeZone;
use crate::coops::Client;
use crate::coops::client::DataQuery;
use crate::coops::samples::{collect, window};
use crate::gauge::{Column, Series, to_millis};
use crate::tool::ServiceTool;
use crate::{Datum, Moment, ServiceError, StationId, Units};

/// The non-tidal residual of a gauge.
#[derive(Debug, Clone, Copy)]
pub struct GetResidual;

/// The arguments of [`GetResidual`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetResidualArguments {
    /// 7 digits, such as `8518750`.
    pub station_id: StationId,
    /// UTC start, RFC 3339 or YYYY-MM-DD; a partial date begins with its first minute.
    pub begin: Moment,
    /// UTC end, inclusive; a partial date ends with its last minute.
    pub end: Moment,
    /// It cancels out, but must exist at the station.
    #[serde(default = "mean_sea_level")]
    pub datum: Datum,
}

const fn mean_sea_level() -> Datum {
    Datum::Msl
}

#[async_trait]
impl ServiceTool for GetResidual {
    const NAME: &'static str = "coops_get_residual";

    type Client = Client;
    type Arguments = GetResidualArguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]);
        ToolSpec::new("coops", "Non-tidal residual (surge) of a tide gauge and its peak.", port)
            .description(
                "NOAA CO-OPS, observed 6-minute water level minus the predicted tide at equal times, in metres. Times \
                 that lack one of the two are left out. `max_residual` is the surge above the predicted tide; \
                 `observed_at_peak` and `predicted_at_peak` are the levels at its time. Gauges fail in storms: compare \
                 the time of `last_residual` with the window.",
            )
            .evidence(&[
                "max_residual",
                "min_residual",
                "last_residual",
                "observed_at_peak",
                "predicted_at_peak",
                "max_observed",
                "n",
                "no_data",
            ])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let observed = DataQuery {
            product: "water_level",
            station: &arguments.station_id,
            window: Some(window(arguments.begin, arguments.end)?),
            datum: Some(arguments.datum),
            units: Units::Metric,
            time_zone: TimeZone::Gmt,
            interval: None,
            bin: None,
        };
        let levels = collect(client, &observed, 31, context).await?;
        let predicted = DataQuery { product: "predictions", interval: Some("6"), ..observed.clone() };
        let tide = collect(client, &predicted, 365, context).await?;
        let tides: BTreeMap<_, f64> = tide.rows.iter().filter_map(|row| Some((row.t, row.v?))).collect();
        let pairs: Vec<(String, f64, f64)> = levels
            .rows
            .iter()
            .filter_map(|row| Some((format!("{}Z", row.t), row.v?, *tides.get(&row.t)?)))
            .collect();
        let values =
            |pick: fn(&(String, f64, f64)) -> f64| pairs.iter().map(|pair| Some(pick(pair))).collect();
        let series = Series {
            times: pairs.iter().map(|(time, ..)| time.clone()).collect(),
            columns: vec![
                Column::new("residual", "m", values(|(_, level, tide)| to_millis(level - tide))),
                Column::new("observed", "m", values(|(_, level, _)| *level)),
                Column::new("predicted", "m", values(|(.., tide)| *tide)),
            ],
            datum: None,
            place: levels.place(&observed),
        };
        let evidence = evidence(&series, &pairs, arguments.datum);
        let mut notes = levels.notes.clone();
        notes.extend(tide.notes.iter().filter(|note| !levels.notes.contains(note)).cloned());
        let mut output = ToolOutput::of(
            series.artifact("residual").with_attribute("datum_of_levels", arguments.datum.as_str()),
        );
        output.evidence = evidence;
        if pairs.is_empty() {
            let lacking = if levels.rows.is_empty() { (&levels, &observed) } else { (&tide, &predicted) };
            output.evidence.push(lacking.0.no_data(lacking.1));
        }
        output.notes = notes;
        output.sources = levels.sources.into_iter().chain(tide.sources).collect();
        Ok(output)
    }
}

fn evidence(series: &Series, pairs: &[(String, f64, f64)], datum: Datum) -> Vec<EvidenceDraft> {
    let place = || series.place.clone();
    let mut drafts: Vec<EvidenceDraft> = series
        .statistics(0, "", "residual: observed minus predicted water level")
        .into_iter()
        .filter(|draft| matches!(draft.name.as_str(), "max" | "min" | "last"))
        .map(|draft| EvidenceDraft { name: format!("{}_residual", draft.name), ..draft })
        .collect();
    let residual = |pair: &(String, f64, f64)| pair.1 - pair.2;
    let peak = pairs.iter().reduce(|best, next| if residual(next) > residual(best) { next } else { best });
    if let Some((time, level, tide)) = peak {
        for (name, value, what) in [
            ("observed_at_peak", level, "observed water level at the time of the highest residual"),
            ("predicted_at_peak", tide, "predicted tide at the time of the highest residual"),
        ] {
            let draft = EvidenceDraft::new(name, *value, "m", what).place(place());
            drafts.push(draft.when(time.as_str()).datum(datum.as_str()));
        }
    }
    if let Some(draft) =
        series.statistics(1, "", "observed water level").into_iter().find(|one| one.name == "max")
    {
        drafts.push(EvidenceDraft {
            name: "max_observed".to_owned(),
            datum: Some(datum.to_string()),
            ..draft
        });
    }
    let method = "number of times with an observed and a predicted level";
    drafts.push(EvidenceDraft::new("n", pairs.len(), "1", method).place(place()));
    drafts
}
