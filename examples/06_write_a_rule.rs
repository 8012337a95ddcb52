//! A routing rule of your own: a forecast is never answered without the observation that it can be compared with.
//!
//! A rule is a small, deterministic rewrite of a draft of the graph. It asks for properties of agents and tools (their
//! data class, what they need and provide), never for their names, so that it also holds for agents that nobody has
//! written yet. Applied twice it changes nothing: the router checks that, checks after each rule that no work was
//! lost, and the ledger of a run records each application with the digests before and after.
//!
//! Run it with `cargo run --example 06_write_a_rule`.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use leg::core::plan::{AgentStep, Limits};
use leg::core::routing::{
    Draft, DraftLayer, DraftNode, DraftTrack, Rewrite, Router, RoutingRule, RuleContext, Work,
};
use leg::core::{AgentAnswer, AgentId, AgentTask, DataClass, Desk, Diagnostic, compile_with};
use leg::prelude::*;

/// Puts an observation agent before the forecasts of a track that has none.
#[derive(Debug)]
struct ObserveBeforeForecast;

impl RoutingRule for ObserveBeforeForecast {
    fn name(&self) -> &'static str {
        "observe_before_forecast"
    }

    fn rewrite(&self, mut draft: Draft, context: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        let observer = context.agents().find(|agent| agent.data_class == Some(DataClass::Observation));
        let Some(observer) = observer.map(|agent| agent.id.clone()) else {
            // Without such an agent there is nothing to add; the plan stays as it is.
            return Ok(Rewrite::Unchanged(draft));
        };
        let lacks = |track: &DraftTrack| {
            let has = |class| track.work().any(|node| context.data_class(node) == Some(class));
            has(DataClass::Forecast) && !has(DataClass::Observation)
        };
        let mut changed = false;
        while let Some(at) = draft.tracks.iter().position(lacks) {
            let id = draft
                .free_id("observed")
                .map_err(|error| Diagnostic::new("", leg::core::plan::Code::BadId, error.to_string()))?;
            let Some(track) = draft.tracks.get_mut(at) else { break };
            let task = format!("what was observed, to compare with: {}", track.goal);
            let agent =
                AgentStep { id, agent: observer.clone(), task, when: None, limits: Limits::default() };
            let order = track.work().count();
            let node = DraftNode { order, work: Work::Agent(agent) };
            track.layers.insert(0, DraftLayer { nodes: vec![node], ..DraftLayer::default() });
            changed = true;
        }
        Ok(Rewrite::new(draft, changed))
    }
}

/// An agent with a data class and nothing else.
#[derive(Debug)]
struct Specialist(AgentId, DataClass);

#[async_trait]
impl Agent for Specialist {
    fn spec(&self) -> AgentSpec {
        let spec = AgentSpec::specialist(self.0.clone(), "A specialist of the example.");
        AgentSpec { data_class: Some(self.1), ..spec }
    }

    async fn work(&self, task: AgentTask, _: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        Ok(AgentAnswer { text: format!("{} looked at: {}", self.0, task.task), ..AgentAnswer::default() })
    }
}

const PLAN: &str = r#"{"version": 1, "question": "How high will the water be?", "tracks": [
  {"id": "surge", "goal": "the surge at Naples", "layers": [
    {"nodes": [{"id": "model", "agent": "stofs", "task": "the surge at Naples"},
               {"id": "other_model", "agent": "etss", "task": "the surge at Naples"}]}]}]}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut registry = Registry::default();
    registry.add_agent(Arc::new(Specialist(AgentId::new("gauges")?, DataClass::Observation)))?;
    registry.add_agent(Arc::new(Specialist(AgentId::new("stofs")?, DataClass::Forecast)))?;
    registry.add_agent(Arc::new(Specialist(AgentId::new("etss")?, DataClass::Forecast)))?;
    let (plan, _) = read_plan(PLAN).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let valid = validate(plan, &registry).map_err(|diagnostics| format!("{diagnostics:?}"))?;

    println!("== with the generic rules\n{}", compile(&valid, &registry)?.display().tree());

    let router = Router::new(vec![Box::new(ObserveBeforeForecast)]);
    println!("== the table of rules\n{}", router.names().collect::<Vec<_>>().join("\n"));
    let graph = compile_with(&valid, &registry, &router)?;
    println!("\n== with the rule\n{}", graph.display().tree());
    for application in graph.applications() {
        println!("{} changed the draft", application.rule);
    }

    // A plan that has the observation already is left alone: the rule comes to rest.
    let again =
        validate(graph.plan().clone(), &registry).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let same = compile_with(&again, &registry, &router)?;
    println!("\nonce more: {}", if same.plan() == graph.plan() { "nothing changed" } else { "it changed" });
    Ok(())
}
