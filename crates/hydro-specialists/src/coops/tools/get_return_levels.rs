//! `coops_get_return_levels`: levels by their return period, from regional frequency analysis.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::coops::Client;
use crate::coops::client::unknown;
use crate::coops::dates::american;
use crate::coops::wire::{ReturnLevel, ReturnLevels};
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::{ServiceError, StationId, Units, lenient};

/// Levels by their return period.
#[derive(Debug, Clone, Copy)]
pub struct GetReturnLevels;

/// The arguments of [`GetReturnLevels`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetReturnLevelsArguments {
    /// 7 digits, such as `1611347`.
    pub station_id: StationId,
    /// The return period that the evidence is of, in years, such as 10.
    #[serde(default = "ten")]
    pub years: f64,
    /// Unit system; the unit that the answer states wins.
    #[serde(default)]
    pub units: Units,
}

const fn ten() -> f64 {
    10.0
}

#[async_trait]
impl ServiceTool for GetReturnLevels {
    const NAME: &'static str = "coops_get_return_levels";

    type Client = Client;
    type Arguments = GetReturnLevelsArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("coops", "Extreme levels of a station by their return period.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS derived product extrfa: regional frequency analysis. `level` is reached once in `years` on \
                 average, `low` and `high` bound it. The answer states no datum, so that these levels are not to be \
                 compared with observed ones.",
            )
            .evidence(&["level", "low", "high", "n", "name", "start", "end", "members", "station"])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let station = &arguments.station_id;
        let parameters = [("station", station.as_str()), ("units", arguments.units.as_str())];
        let (found, source) = client.derived::<ReturnLevels>("extrfa.json", &parameters, context).await?;
        let Some(own) = found.rows.first().and_then(Value::as_object) else {
            return Err(unknown(station, "return levels"));
        };
        let text = |name: &str| own.get(name).and_then(Value::as_str).unwrap_or_default();
        let number = |name: &str| match own.get(name) {
            Some(Value::String(text)) => text.trim().parse::<f64>().ok().filter(|value| value.is_finite()),
            other => other.and_then(Value::as_f64),
        };
        let unit = if text("probabilitiesUnit").starts_with('f') { "ft" } else { "m" };
        let list = own.get("ewlProbabilities").and_then(Value::as_array).cloned().unwrap_or_default();
        let (levels, bad) = lenient::rows::<ReturnLevel>(list);
        let place = place(station.as_str(), text("name"), number("lat"), number("lon"));
        let years = |level: &ReturnLevel| level.rl.trim_end_matches("yr").trim().parse::<f64>().ok();
        let wanted = levels
            .iter()
            .find(|level| years(level).is_some_and(|years| (years - arguments.years).abs() < 1e-6));
        let Some(level) = wanted else {
            let periods: Vec<&str> = levels.iter().map(|level| level.rl.as_str()).take(60).collect();
            return Err(ServiceError::NotFound(format!(
                "station `{station}` has no level for a return period of {} years; it has: {}",
                arguments.years,
                periods.join(", ")
            )));
        };
        let mut evidence = Vec::new();
        for (name, value, what) in [
            ("level", level.value, "level"),
            ("low", level.ci_low, "lower bound of the level"),
            ("high", level.ci_high, "upper bound of the level"),
        ] {
            if let Some(value) = value {
                let method = format!("{what} with a return period of {} years", arguments.years);
                evidence.push(EvidenceDraft::new(name, value, unit, &method).place(place.clone()));
            }
        }
        let mut say = |name: &str, value: Value, unit: &str, method: &str| {
            evidence.push(EvidenceDraft::new(name, value, unit, method).place(place.clone()));
        };
        say("n", json!(levels.len()), "1", "number of return periods");
        say("station", json!(text("stationId")), "", "id of the station");
        say("name", json!(text("name")), "", "name of the station");
        for (name, key, what) in [("start", "startDate", "first"), ("end", "endDate", "last")] {
            say(name, json!(american(text(key))), "", &format!("{what} day of the record, a date"));
        }
        let members: Vec<&str> = own.keys().map(String::as_str).collect();
        say("members", json!(members.join(", ")), "", "members of the answer");
        let columns = [("years", "year"), ("level", unit), ("low", unit), ("high", unit)];
        let rows: Vec<Vec<Value>> = levels
            .iter()
            .map(|level| {
                vec![json!(years(level)), json!(level.value), json!(level.ci_low), json!(level.ci_high)]
            })
            .collect();
        let artifact = table("return_levels", &columns, &rows).with_attribute("station", station.as_str());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence);
        output.notes.push("the answer states no datum for its levels".to_owned());
        if bad > 0 {
            output.notes.push(format!("{bad} levels could not be read and are left out"));
        }
        output.sources = vec![source];
        Ok(output)
    }
}
