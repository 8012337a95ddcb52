//! `usgs_get_peaks`: annual peaks of a gauge.

use std::collections::BTreeMap;

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, Source, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ServiceError;
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::usgs::wire::{Features, Rdb};
use crate::usgs::{Client, SiteId};

/// Annual peaks of a gauge.
#[derive(Debug, Clone, Copy)]
pub struct GetPeaks;

/// The arguments of [`GetPeaks`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetPeaksArguments {
    /// `USGS-nnn` or the digits.
    pub site: SiteId,
    /// First year.
    #[serde(default)]
    pub from_year: Option<i32>,
    /// Last year.
    #[serde(default)]
    pub to_year: Option<i32>,
}

/// A peak: flow, stage, or both.
#[derive(Debug, Clone, Default, PartialEq)]
struct Peak {
    /// Cubic feet per second.
    flow: Option<f64>,
    /// Feet above the gauge's own zero.
    stage: Option<f64>,
    codes: String,
}

#[async_trait]
impl ServiceTool for GetPeaks {
    const NAME: &'static str = "usgs_get_peaks";

    type Client = Client;
    type Arguments = GetPeaksArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("usgs", "Annual peaks of a stream gauge: flow and stage.", Port::of(Kind::Table))
            .description(
                "Water Data OGC API, peaks; the older NWIS service when that fails or has nothing. `largest_flow` is the \
                 largest annual peak with the stage at it (`stage_of_largest`), `highest_stage` the highest stage of a peak. \
                 Flow and stage of a year may peak on different days.",
            )
            .evidence(&["largest_flow", "stage_of_largest", "highest_stage", "first_peak", "last_peak", "n", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&client.gauge_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let site = &arguments.site;
        let parameters = [("monitoring_location_id", site.to_string())];
        let newer = client.features("peaks", &parameters, context).await;
        let mut notes = Vec::new();
        let mut sources: Vec<Source> = Vec::new();
        let mut peaks = BTreeMap::new();
        let failure = match newer {
            Ok((features, own)) => {
                peaks = of_features(&features, site);
                sources = own;
                None
            }
            Err(error) => Some(error),
        };
        if peaks.is_empty() {
            match (client.legacy_peaks(site, context).await, failure) {
                (Ok((list, source)), _) => {
                    peaks = of_list(&list, site);
                    sources.push(source);
                    notes.push("the peaks are of the older NWIS service".to_owned());
                }
                (Err(_), Some(error)) => return Err(error),
                (Err(_), None) => {}
            }
        }
        let in_years = |day: &str| {
            let year: Option<i32> = day.get(..4).and_then(|year| year.parse().ok());
            let from = arguments.from_year.is_none_or(|from| year.is_some_and(|year| year >= from));
            from && arguments.to_year.is_none_or(|to| year.is_some_and(|year| year <= to))
        };
        peaks.retain(|day, _| in_years(day));
        let evidence = evidence(&peaks, site);
        let rows: Vec<Vec<Value>> = peaks
            .iter()
            .map(|(day, peak)| vec![json!(day), json!(peak.flow), json!(peak.stage), json!(peak.codes)])
            .collect();
        let columns = [("date", ""), ("flow", "ft3 s-1"), ("stage", "ft"), ("codes", "")];
        let artifact = table("annual_peaks", &columns, &rows).with_attribute("site", site.to_string());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}

/// Flow and stage have records of their own; those of a day belong together.
fn of_features(features: &Features, site: &SiteId) -> BTreeMap<String, Peak> {
    let mut peaks: BTreeMap<String, Peak> = BTreeMap::new();
    let id = site.to_string();
    for (own, ..) in features.measured().0 {
        let Some(day) = own.time.get(..10).filter(|_| own.site == id) else { continue };
        let peak = peaks.entry(day.to_owned()).or_default();
        match own.parameter.as_str() {
            "00060" => peak.flow = own.value,
            "00065" => peak.stage = own.value,
            _ => {}
        }
    }
    peaks.retain(|_, peak| peak.flow.is_some() || peak.stage.is_some());
    peaks
}

fn of_list(list: &Rdb, site: &SiteId) -> BTreeMap<String, Peak> {
    let mut peaks = BTreeMap::new();
    for at in (0..list.len()).filter(|at| list.text(*at, "site_no") == Some(site.digits())) {
        let Some(day) = list.text(at, "peak_dt") else { continue };
        let peak = Peak {
            flow: list.number(at, "peak_va"),
            stage: list.number(at, "gage_ht"),
            codes: list.text(at, "peak_cd").unwrap_or_default().to_owned(),
        };
        peaks.insert(day.to_owned(), peak);
    }
    peaks
}

fn evidence(peaks: &BTreeMap<String, Peak>, site: &SiteId) -> Vec<EvidenceDraft> {
    let place = place(site.digits(), "", None, None);
    let draft = |name: &str, value: f64, unit: &str, method: &str, day: &str| {
        EvidenceDraft::new(name, value, unit, method).when(day).place(place.clone())
    };
    let mut drafts = Vec::new();
    let flows = || peaks.iter().filter_map(|(day, peak)| Some((day, peak, peak.flow?)));
    if let Some((day, peak, flow)) = flows().reduce(|best, next| if next.2 > best.2 { next } else { best }) {
        drafts.push(draft("largest_flow", flow, "ft3 s-1", "largest annual peak discharge", day));
        if let Some(stage) = peak.stage {
            drafts.push(draft(
                "stage_of_largest",
                stage,
                "ft",
                "gage height of the largest annual peak discharge",
                day,
            ));
        }
    }
    for (name, found, word) in
        [("first_peak", flows().next(), "first"), ("last_peak", flows().next_back(), "last")]
    {
        if let Some((day, _, flow)) = found {
            drafts.push(draft(name, flow, "ft3 s-1", &format!("{word} annual peak discharge"), day));
        }
    }
    let stages = peaks.iter().filter_map(|(day, peak)| Some((day, peak.stage?)));
    if let Some((day, stage)) = stages.reduce(|best, next| if next.1 > best.1 { next } else { best }) {
        drafts.push(draft("highest_stage", stage, "ft", "highest gage height of an annual peak", day));
    }
    let method = "number of annual peaks";
    drafts.push(EvidenceDraft::new("n", peaks.len(), "1", method).place(place.clone()));
    if peaks.is_empty() {
        let said = "No service has annual peaks of this site for these years.";
        drafts.push(EvidenceDraft::new("no_data", said, "", "answer of the services").place(place));
    }
    drafts
}
