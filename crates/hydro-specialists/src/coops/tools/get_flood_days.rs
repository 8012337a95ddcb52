//! `coops_get_flood_days`: high-tide-flood days a year by class.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::coops::Client;
use crate::coops::wire::{AnnualFloods, FloodYear};
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::{ServiceError, StationId, lenient};

/// High-tide-flood days a year by class.
#[derive(Debug, Clone, Copy)]
pub struct GetFloodDays;

/// The arguments of [`GetFloodDays`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetFloodDaysArguments {
    /// 7 digits, such as `8518750`.
    pub station_id: StationId,
    /// One year; all years without it.
    #[serde(default)]
    pub year: Option<i32>,
}

#[async_trait]
impl ServiceTool for GetFloodDays {
    const NAME: &'static str = "coops_get_flood_days";

    type Client = Client;
    type Arguments = GetFloodDaysArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("coops", "High-tide-flood days a year: minor, moderate, major.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS derived product htf_annual. With a `year` the evidence is of that year; without one, \
                 `n_years`, `first_year`, `last_year` and `most_minor` (the year with most minor flood days) are given \
                 and the table has all years. A class counts days of its own: a major day is no minor day too.",
            )
            .evidence(&[
                "minor",
                "moderate",
                "major",
                "completeness",
                "n_years",
                "first_year",
                "last_year",
                "most_minor",
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
        let station = arguments.station_id.as_str();
        let year = arguments.year.map(|year| year.to_string());
        let mut parameters = vec![("station", station)];
        parameters.extend(year.as_deref().map(|year| ("year", year)));
        let (floods, source) =
            client.derived::<AnnualFloods>("htf/htf_annual.json", &parameters, context).await?;
        let (mut years, bad) = lenient::rows::<FloodYear>(floods.rows);
        years.retain(|own| arguments.year.is_none_or(|year| own.year == year));
        years.sort_by_key(|own| own.year);
        let place = years.first().map_or_else(
            || place(station, "", None, None),
            |own| place(station, &own.stn_name, own.lat, own.lon),
        );
        let draft = |name: &str, value: Value, unit: &str, method: &str, when: String| {
            EvidenceDraft::new(name, value, unit, method).place(place.clone()).when(when)
        };
        let mut evidence = Vec::new();
        if let (Some(_), Some(own)) = (arguments.year, years.first()) {
            let when = || own.year.to_string();
            for (name, count) in
                [("minor", own.min_count), ("moderate", own.mod_count), ("major", own.maj_count)]
            {
                if let Some(count) = count {
                    let method = format!("days of {name} high-tide flooding in the year");
                    evidence.push(draft(name, json!(count), "day", &method, when()));
                }
            }
            if let Some(part) = own.completeness {
                evidence.push(draft(
                    "completeness",
                    json!(part),
                    "%",
                    "completeness of the year's record",
                    when(),
                ));
            }
        }
        if let (None, Some(first), Some(last)) = (arguments.year, years.first(), years.last()) {
            let span = format!("{}/{}", first.year, last.year);
            let method = "number of years in the list";
            evidence.push(draft("n_years", json!(years.len()), "1", method, span));
            for (name, own, what) in [("first_year", first, "first"), ("last_year", last, "last")] {
                let method = format!("{what} year of the list");
                evidence.push(draft(name, json!(own.year.to_string()), "", &method, own.year.to_string()));
            }
            let most = years.iter().filter(|own| own.min_count.is_some());
            let most = most.reduce(|best, next| if next.min_count > best.min_count { next } else { best });
            if let Some((own, count)) = most.and_then(|own| Some((own, own.min_count?))) {
                let method = "most days of minor high-tide flooding in a year";
                evidence.push(draft("most_minor", json!(count), "day", method, own.year.to_string()));
            }
        }
        if evidence.is_empty() {
            let said = year.as_deref().map_or_else(
                || "The service has no flood days for this station.".to_owned(),
                |year| format!("The service has no flood days for {year}."),
            );
            evidence
                .push(EvidenceDraft::new("no_data", said, "", "answer of the service").place(place.clone()));
        }
        let rows: Vec<Vec<Value>> = years
            .iter()
            .map(|own| {
                vec![
                    json!(own.year),
                    json!(own.min_count),
                    json!(own.mod_count),
                    json!(own.maj_count),
                    json!(own.completeness),
                ]
            })
            .collect();
        let columns =
            [("year", ""), ("minor", "day"), ("moderate", "day"), ("major", "day"), ("completeness", "%")];
        let mut output =
            ToolOutput::of(table("flood_days", &columns, &rows).with_attribute("station", station))
                .with_evidence(evidence);
        if bad > 0 {
            output.notes.push(format!("{bad} years could not be read and are left out"));
        }
        output.sources = vec![source];
        Ok(output)
    }
}
