//! [`Specialist`]: the rules form of the NHC agent.

use async_trait::async_trait;
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, DataClass, Desk, Evidence, Expectation, ToolError,
    ToolName,
};
use serde_json::Value;

use super::tools::NAMES;
use super::wanted::Wanted;
use super::work::Work;
use crate::question::behind;
use crate::question::storms::Storm;

/// Finds the storm in its task, then in the run's question, then in the evidence of earlier layers, looks its id up when it
/// has none, and asks for what the words ask. It guesses nothing: what it does not find becomes a gap.
#[derive(Debug, Clone, Copy)]
pub struct Specialist;

#[async_trait]
impl Agent for Specialist {
    #[expect(
        clippy::expect_used,
        reason = "the names are constants of the right form; every test makes them"
    )]
    fn spec(&self) -> AgentSpec {
        let id = AgentId::new("nhc").expect("a valid agent id");
        let summary = "National Hurricane Center: storms, best tracks, advisories, forecasts.";
        let mut spec = AgentSpec::specialist(id, summary);
        spec.data_class = Some(DataClass::Observation);
        include_str!("../../prompts/nhc.md").trim().clone_into(&mut spec.system_prompt);
        spec.capabilities = [
            "peak wind, lowest pressure, category, landfalls and positions of a storm by its best track",
            "storms of a season by name, strength and category",
            "storms that are active now, official forecasts, watches and warnings, advisories and their surge",
        ]
        .map(str::to_owned)
        .to_vec();
        spec.cues = crate::cues(include_str!("../../data/cues/nhc.txt"));
        spec.tools = NAMES.iter().map(|name| ToolName::new(*name).expect("a valid tool name")).collect();
        spec.provides = vec!["storm_track".to_owned()];
        spec.expects = Some(Expectation { calls: 6, tokens: 0 });
        spec
    }

    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        let mut wanted = Wanted::read(&task.task).or(Wanted::read(behind(&task)));
        let words = format!("{} {}", task.task, behind(&task));
        if wanted.storms.is_empty() && !wanted.active && !wanted.of_season() {
            wanted.storms = of_evidence(&task.evidence);
        }
        let mut work = Work::new(wanted, words, desk);
        work.all().await;
        Ok(work.findings.into_answer())
    }
}

/// The most storms that are taken from earlier layers: a search may have found dozens.
const MOST_STORMS: usize = 3;

/// Storms of the evidence of earlier layers.
fn of_evidence(evidence: &[Evidence]) -> Vec<Storm> {
    let mut found: Vec<Storm> = Vec::new();
    for place in evidence.iter().filter_map(|one| one.place.as_ref()) {
        let text = |name: &str| place.get(name).and_then(Value::as_str);
        if let Some(Ok(id)) = text("storm_id").map(str::parse::<crate::question::storms::StormId>)
            && found.len() < MOST_STORMS
            && !found.iter().any(|own| own.id.as_ref() == Some(&id))
        {
            let name = text("name").map_or_else(|| id.to_string(), str::to_owned);
            found.push(Storm { name, season: Some(id.season), id: Some(id) });
        }
    }
    found
}
