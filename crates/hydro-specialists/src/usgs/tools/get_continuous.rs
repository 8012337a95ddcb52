//! `usgs_get_continuous`: instantaneous stage or flow of a gauge.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tool::ServiceTool;
use crate::usgs::observed::{Observed, Wanted, quantity};
use crate::usgs::{Client, SiteId};
use crate::{Moment, ServiceError, Window};

/// Instantaneous stage or flow of a gauge.
#[derive(Debug, Clone, Copy)]
pub struct GetContinuous;

/// The arguments of [`GetContinuous`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetContinuousArguments {
    /// `USGS-nnn` or the digits.
    pub site: SiteId,
    /// Parameter code.
    #[serde(default)]
    pub parameter: Parameter,
    /// UTC start, RFC 3339 or YYYY-MM-DD; a partial date begins with its first minute.
    pub begin: Moment,
    /// UTC end, inclusive; a partial date ends with its last minute.
    pub end: Moment,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Parameter {
    /// Discharge, cubic feet per second.
    #[serde(rename = "00060")]
    Discharge,
    /// Gage height, feet above the gauge's own zero.
    #[default]
    #[serde(rename = "00065")]
    GageHeight,
    /// Level of an estuary, feet above NAVD88.
    #[serde(rename = "62620")]
    Estuary,
    /// Level of a lake, feet.
    #[serde(rename = "62614")]
    Lake,
    /// Rain, inches.
    #[serde(rename = "00045")]
    Rain,
}

impl Parameter {
    /// The code.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Discharge => "00060",
            Self::GageHeight => "00065",
            Self::Estuary => "62620",
            Self::Lake => "62614",
            Self::Rain => "00045",
        }
    }

    /// What it is in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Discharge => "discharge",
            Self::GageHeight => "gage height",
            Self::Estuary => "estuary level",
            Self::Lake => "lake level",
            Self::Rain => "rain",
        }
    }
}

#[async_trait]
impl ServiceTool for GetContinuous {
    const NAME: &'static str = "usgs_get_continuous";

    type Client = Client;
    type Arguments = GetContinuousArguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]);
        ToolSpec::new("usgs", "Instantaneous stage or flow of a stream gauge.", port)
            .description(
                "Water Data OGC API, continuous values, page after page; the older NWIS service when that fails or has \
                 nothing. A gage height is above the gauge's own zero and is compared with no other level. A window without \
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
        let wanted =
            Wanted { site: &arguments.site, parameter: arguments.parameter.code(), statistic: None, window };
        let found = wanted.ask(client, context).await?;
        Ok(output(&wanted, found, arguments.parameter.words()))
    }
}

/// The output of values of a gauge.
pub(super) fn output(wanted: &Wanted<'_>, found: Observed, what: &str) -> ToolOutput {
    let series = found.series(wanted);
    let mut evidence = series.statistics(0, "", what);
    evidence.extend(series.counts(what));
    let provisional =
        found.rows.iter().filter(|(_, value, mark)| value.is_some() && mark.starts_with('P')).count();
    if found.rows.is_empty() {
        let said = "The service has no values in the window.";
        let draft =
            EvidenceDraft::new("no_data", said, "", "answer of the service").place(series.place.clone());
        evidence.push(draft.when(format!("{}Z/{}Z", wanted.window.begin, wanted.window.end)));
    } else {
        let method = "number of provisional values";
        evidence
            .push(EvidenceDraft::new("n_provisional", provisional, "1", method).place(series.place.clone()));
    }
    let (name, ..) = quantity(wanted.parameter);
    let mut output = ToolOutput::of(series.artifact(name)).with_evidence(evidence).with_notes(found.notes);
    output.sources = found.sources;
    output
}
