//! `usgs_get_statistics`: statistics of each day of the year over all years of a gauge.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::get_continuous::Parameter;
use crate::ServiceError;
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::usgs::{Client, SiteId};

/// Statistics of each day of the year.
#[derive(Debug, Clone, Copy)]
pub struct GetStatistics;

/// The arguments of [`GetStatistics`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetStatisticsArguments {
    /// `USGS-nnn` or the digits.
    pub site: SiteId,
    /// Parameter code.
    #[serde(default = "discharge")]
    pub parameter: Parameter,
    /// Month that the evidence is of, 1 to 12.
    #[serde(default = "one")]
    pub month: u8,
    /// Day of the month that the evidence is of.
    #[serde(default = "one")]
    pub day: u8,
}

const fn discharge() -> Parameter {
    Parameter::Discharge
}

const fn one() -> u8 {
    1
}

#[async_trait]
impl ServiceTool for GetStatistics {
    const NAME: &'static str = "usgs_get_statistics";

    type Client = Client;
    type Arguments = GetStatisticsArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("usgs", "Daily statistics of a stream gauge over all its years.", Port::of(Kind::Table))
            .description(
                "The older NWIS statistics service, as long as it is there: mean, median, highest and lowest daily mean of a \
                 day of the year over all years. The evidence is of `month` and `day`; the table has all days.",
            )
            .evidence(&["mean", "median", "max", "min", "n_years", "n", "n_columns", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&client.gauge_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let site = &arguments.site;
        let parameters = [
            ("sites", site.digits().to_owned()),
            ("statReportType", "daily".to_owned()),
            ("statTypeCd", "all".to_owned()),
            ("parameterCd", arguments.parameter.code().to_owned()),
        ];
        let (list, source) = client.legacy_table("stat", &parameters, context).await?;
        let place = place(site.digits(), "", None, None);
        let count = |name: &str, count: usize, method: &str| {
            EvidenceDraft::new(name, count, "1", method).place(place.clone())
        };
        let mut evidence = vec![
            count("n", list.len(), "number of days with statistics"),
            count("n_columns", list.columns.len(), "number of columns of the answer"),
        ];
        let unit = if arguments.parameter == Parameter::Discharge { "ft3 s-1" } else { "ft" };
        let is_day = |at: &usize| {
            list.number(*at, "month_nu") == Some(f64::from(arguments.month))
                && list.number(*at, "day_nu") == Some(f64::from(arguments.day))
        };
        if let Some(at) = (0..list.len()).find(is_day) {
            let words = arguments.parameter.words();
            for (name, column, year, what) in [
                ("mean", "mean_va", None, "mean"),
                ("median", "p50_va", None, "median"),
                ("max", "max_va", Some("max_va_yr"), "highest"),
                ("min", "min_va", Some("min_va_yr"), "lowest"),
            ] {
                if let Some(value) = list.number(at, column) {
                    let method = format!(
                        "{what} daily mean {words} of month {} day {} over all years",
                        arguments.month, arguments.day
                    );
                    let draft = EvidenceDraft::new(name, value, unit, &method).place(place.clone());
                    let when = year.and_then(|year| list.text(at, year));
                    evidence.push(when.into_iter().fold(draft, EvidenceDraft::when));
                }
            }
            if let Some(years) = list.number(at, "count_nu") {
                let draft = EvidenceDraft::new("n_years", years, "1", "number of years of the day");
                evidence.push(draft.place(place.clone()));
            }
        } else {
            let said = "The service has no statistics of this day.";
            evidence.push(EvidenceDraft::new("no_data", said, "", "answer of the service").place(place));
        }
        let names = ["month_nu", "day_nu", "count_nu", "mean_va", "p50_va", "max_va", "min_va"];
        let rows: Vec<Vec<Value>> = (0..list.len())
            .map(|at| names.iter().map(|name| json!(list.number(at, name))).collect())
            .collect();
        let columns = [
            ("month", ""),
            ("day", ""),
            ("n_years", ""),
            ("mean", unit),
            ("median", unit),
            ("max", unit),
            ("min", unit),
        ];
        let artifact = table("daily_statistics", &columns, &rows).with_attribute("site", site.to_string());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence);
        output.sources = vec![source];
        Ok(output)
    }
}
