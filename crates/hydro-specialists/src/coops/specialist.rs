//! [`Specialist`]: the rules form of the CO-OPS agent.

use async_trait::async_trait;
use leg_core::run::CallResult;
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, DataClass, Desk, Evidence, ToolError, ToolName,
};
use serde_json::json;

use super::task_text::TaskText;
use super::{GetWaterLevel, Interval};
use crate::question::dates::span;
use crate::tool::ServiceTool as _;
use crate::{Moment, StationId, Window};

/// Longer windows are asked for by the hour.
const LONGEST_SIX_MINUTES: i64 = 31;

/// Finds stations, dates and datum in its task, then in the run's question, then in the evidence of earlier
/// layers, and asks for the observed water level. It guesses nothing: what it does not find becomes a gap.
#[derive(Debug, Clone, Copy)]
pub struct Specialist;

#[async_trait]
impl Agent for Specialist {
    #[expect(
        clippy::expect_used,
        reason = "both names are constants of the right form; every test makes them"
    )]
    fn spec(&self) -> AgentSpec {
        let id = AgentId::new("coops").expect("a valid agent id");
        let tool = ToolName::new(GetWaterLevel::NAME).expect("a valid tool name");
        let mut spec = AgentSpec::specialist(id, "NOAA CO-OPS: observed water level of tide gauges.");
        spec.data_class = Some(DataClass::Observation);
        include_str!("../../prompts/coops.md").trim().clone_into(&mut spec.system_prompt);
        spec.capabilities = [
            "observed water level at a NOAA tide gauge, with its highest and lowest value and their times",
            "water levels relative to MLLW, MSL, NAVD88 and the other datums of a station",
        ]
        .map(str::to_owned)
        .to_vec();
        spec.cues = crate::cues(include_str!("../../data/cues/coops.txt"));
        spec.tools = vec![tool];
        spec.provides = vec!["water_level".to_owned()];
        spec.needs = vec!["storm_track".to_owned()];
        spec
    }

    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        let wanted =
            TaskText::read(&task.task).or(TaskText::read(&task.question)).or(from_evidence(&task.evidence));
        let mut answer = AgentAnswer::default();
        if wanted.stations.is_empty() {
            answer.gaps.push(
                "no tide gauge is named; give the CO-OPS station id, seven digits such as `8518750`"
                    .to_owned(),
            );
        }
        let window = wanted.span.map(|(begin, end)| Window::new(begin, end));
        let Some(Ok(window)) = window else {
            answer
                .gaps
                .push("no date is named; give the first and the last day, such as `2022-09-28`".to_owned());
            return Ok(answer);
        };
        let by_length =
            if window.days() > LONGEST_SIX_MINUTES { Interval::Hour } else { Interval::SixMinutes };
        let interval = wanted.interval.unwrap_or(by_length);
        let mut sentences = Vec::new();
        for station in &wanted.stations {
            let arguments = json!({
                "station_id": station,
                "begin": format!("{}Z", window.begin),
                "end": format!("{}Z", window.end),
                "datum": wanted.datum.unwrap_or_default(),
                "units": wanted.units.unwrap_or_default(),
                "interval": interval,
            });
            match desk.call(GetWaterLevel::NAME, arguments).await {
                Ok(result) => match sentence(station, &result) {
                    Some(text) => sentences.push(text),
                    None => answer.gaps.push(without_data(station, &result)),
                },
                Err(error) => answer.gaps.push(error.message),
            }
        }
        answer.text = sentences.join("\n");
        Ok(answer)
    }
}

/// Stations and dates that earlier layers found: the dates of a storm's track, a gauge near it.
fn from_evidence(evidence: &[Evidence]) -> TaskText {
    let mut found = TaskText::default();
    let mut moments: Vec<Moment> = Vec::new();
    for item in evidence {
        let station = item.place.as_ref().and_then(|place| place.get("station")?.as_str()?.parse().ok());
        if let Some(station) = station
            && !found.stations.contains(&station)
        {
            found.stations.push(station);
        }
        let parts = item.when.iter().flat_map(|when| when.split('/'));
        moments.extend(parts.filter_map(|part| part.parse::<Moment>().ok()));
    }
    found.span = span(&moments);
    found
}

fn sentence(station: &StationId, result: &CallResult) -> Option<String> {
    let find = |name: &str| result.evidence.iter().find(|evidence| evidence.name == name);
    let (max, min, last) = (find("max")?, find("min")?, find("last")?);
    let place = max.place.as_ref().and_then(|place| place.get("name")?.as_str());
    let place = place.map(|name| format!(" ({name})")).unwrap_or_default();
    let level = |evidence: &Evidence| {
        let when = evidence.when.as_deref().unwrap_or("an unknown time");
        format!("{} {} at {when}", evidence.value, evidence.unit)
    };
    let datum = max.datum.as_deref().unwrap_or("an unknown datum");
    Some(format!(
        "Station {station}{place}: highest observed water level {}, lowest {}, last value {}, above {datum}.",
        level(max),
        level(min),
        level(last)
    ))
}

fn without_data(station: &StationId, result: &CallResult) -> String {
    let said = result.evidence.iter().find(|evidence| evidence.name == "no_data");
    let said = said.and_then(|evidence| evidence.value.as_str()).unwrap_or("the series is empty");
    format!("station `{station}` has no observed water level in the window: {said}")
}
