//! Runs a plan and listens while it runs: agents of one layer work at the same time, and the events tell it.
//!
//! A run needs an [`Approval`] that names the digest of the graph; a plan that changed afterwards does not start.
//! [`Run::start`] returns at once. Everybody who asks [`Run::events`] gets every change of state, in one sequence
//! without gaps, however late they ask and however slowly they read.
//!
//! The agents here come from outside: any type that implements [`Agent`] can be registered. To show that a layer is
//! parallel, each of the three waits until all three have begun; one after the other, none would ever end.
//!
//! Run it with `cargo run --example 02_run_in_parallel`.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use leg::core::run::Change;
use leg::core::{AgentAnswer, AgentId, AgentTask, Clock as _, Desk, SystemClock, ToolName, clock};
use leg::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Barrier;

/// Counts the letters of a word.
#[derive(Debug)]
struct Letters;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Word {
    /// The word.
    word: String,
}

#[async_trait]
impl TypedTool for Letters {
    const NAME: &'static str = "letters";
    type Arguments = Word;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("words", "Counts the letters of a word.", Port::of(Kind::Scalar)).evidence(&["letters"])
    }

    async fn run(&self, arguments: Word, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        let count = arguments.word.chars().count();
        let artifact = Artifact::document(Kind::Scalar, "letters", json!({ "letters": count }));
        let evidence =
            EvidenceDraft::new("letters", count, "1", "number of letters").pointer("/content/letters");
        Ok(ToolOutput::of(artifact).with_evidence([evidence]))
    }
}

/// Counts the letters of its task, together with the others.
#[derive(Debug)]
struct Counter {
    id: AgentId,
    tool: ToolName,
    together: Arc<Barrier>,
}

#[async_trait]
impl Agent for Counter {
    fn spec(&self) -> AgentSpec {
        let mut spec = AgentSpec::specialist(self.id.clone(), "Counts the letters of its task.");
        // The only tools that it can call: the desk refuses every other name.
        spec.tools = vec![self.tool.clone()];
        spec
    }

    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        self.together.wait().await;
        let result = desk.call(self.tool.as_str(), json!({ "word": task.task })).await?;
        let counted: Vec<String> =
            result.evidence.iter().map(|evidence| evidence.value.to_string()).collect();
        Ok(AgentAnswer {
            text: format!("{} has {} letters", task.task, counted.join(", ")),
            ..AgentAnswer::default()
        })
    }
}

const AGENTS: [&str; 3] = ["red", "green", "blue"];

const PLAN: &str = r#"{"version": 1, "question": "How long are the words?", "tracks": [
  {"id": "words", "goal": "three words at the same time", "layers": [{"nodes": [
    {"id": "first", "agent": "red", "task": "barrier"},
    {"id": "second", "agent": "green", "task": "layer"},
    {"id": "third", "agent": "blue", "task": "ledger"}]}]}]}"#;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut registry = Registry::default();
    registry.add_tool(Arc::new(Letters))?;
    let together = Arc::new(Barrier::new(AGENTS.len()));
    for id in AGENTS {
        let (id, tool) = (AgentId::new(id)?, ToolName::new(Letters::NAME)?);
        registry.add_agent(Arc::new(Counter { id, tool, together: Arc::clone(&together) }))?;
    }
    let registry = Arc::new(registry);

    let (plan, _) = read_plan(PLAN).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let valid = validate(plan, &registry).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let graph = Arc::new(compile(&valid, &registry)?);
    println!("== the graph\n{}", graph.display().tree());

    let at = clock::iso(SystemClock.now_nanos());
    let approval = Approval::new(&graph, "example", at);
    let options = RunOptions::new(RunId::new("words")?);
    let run = Run::start(graph, &approval, &Engine::new(registry), Recording::Off, options)?;

    let mut events = run.events();
    let listen = async {
        let (mut next, mut running, mut most) = (0, 0, 0);
        let mut ends = Vec::new();
        while let Some(event) = events.next().await {
            // Progress has no number of its own.
            if matches!(event.event, Change::Progress { .. }) {
                continue;
            }
            assert_eq!(event.seq, next, "the sequence has no gap");
            next += 1;
            match &event.event {
                Change::NodeStarted { .. } => running += 1,
                Change::NodeFinished { node, status, .. } => {
                    running -= 1;
                    ends.push(format!("{node}: {status}"));
                }
                _ => {}
            }
            most = most.max(running);
        }
        ends.sort();
        (ends, most)
    };
    let (outcome, (ends, most)) = tokio::join!(run.finish(), listen);

    println!("== heard while it ran");
    println!("{}", ends.join("\n"));
    println!("at most {most} nodes at a time, and no event was missing");
    println!("\n== the report\n{}", outcome.report.to_markdown());
    Ok(())
}
