//! `usgs_get_daily`: daily statistics of a gauge.

use async_trait::async_trait;
use leg_core::{DataClass, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_continuous::{Parameter, output};
use crate::tool::ServiceTool;
use crate::usgs::observed::Wanted;
use crate::usgs::{Client, SiteId};
use crate::{Moment, ServiceError, Window};

/// Daily statistics of a gauge.
#[derive(Debug, Clone, Copy)]
pub struct GetDaily;

/// The arguments of [`GetDaily`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetDailyArguments {
    /// `USGS-nnn` or the digits.
    pub site: SiteId,
    /// Parameter code.
    #[serde(default = "discharge")]
    pub parameter: Parameter,
    /// The statistic of a day.
    #[serde(default)]
    pub statistic: Statistic,
    /// First day, YYYY-MM-DD.
    pub begin: Moment,
    /// Last day, inclusive.
    pub end: Moment,
}

const fn discharge() -> Parameter {
    Parameter::Discharge
}

/// The statistic of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Statistic {
    /// Largest value.
    #[serde(rename = "00001")]
    Max,
    /// Least value.
    #[serde(rename = "00002")]
    Min,
    /// Mean.
    #[default]
    #[serde(rename = "00003")]
    Mean,
}

impl Statistic {
    const fn code(self) -> (&'static str, &'static str) {
        match self {
            Self::Max => ("00001", "maximum"),
            Self::Min => ("00002", "minimum"),
            Self::Mean => ("00003", "mean"),
        }
    }
}

#[async_trait]
impl ServiceTool for GetDaily {
    const NAME: &'static str = "usgs_get_daily";

    type Client = Client;
    type Arguments = GetDailyArguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]);
        ToolSpec::new("usgs", "Daily mean, highest or lowest value of a stream gauge.", port)
            .description(
                "Water Data OGC API, daily values; the older NWIS service when that fails or has nothing. A window without \
                 values is an answer (`no_data`).",
            )
            .evidence(&super::SERIES)
            .data_class(DataClass::Observation)
            .hosts(&client.gauge_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let window = Window::new(arguments.begin, arguments.end)
            .map_err(|error| ServiceError::BadArgument(error.to_string()))?;
        let (code, word) = arguments.statistic.code();
        let wanted = Wanted {
            site: &arguments.site,
            parameter: arguments.parameter.code(),
            statistic: Some(code),
            window,
        };
        let found = wanted.ask(client, context).await?;
        Ok(output(&wanted, found, &format!("daily {word} {}", arguments.parameter.words())))
    }
}
