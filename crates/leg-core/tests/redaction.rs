//! Secrets reach neither the run folder nor the events, whoever says them.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use leg_core::ledger::{RunFolder, verify};
use leg_core::run::{Engine, Recording, Run, RunOptions, StartError};
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, Artifact, Desk, Digest, Domain, EvidenceDraft,
    FolderObjects, Kind, Port, Registry, Source, Tool, ToolContext, ToolError, ToolErrorKind, ToolName,
    ToolOutput, ToolSpec,
};
use serde_json::{Value, json};
use support::{approval, graph, options, plan};

const CANARY: &str = "c4narysecret";

/// A tool that says its credential wherever it can, or fails with it.
#[derive(Debug)]
struct Leaky {
    fails: bool,
}

#[async_trait]
impl Tool for Leaky {
    fn spec(&self) -> ToolSpec {
        let mut spec =
            ToolSpec::new("fake", "Leaks.", Port::of(Kind::Table)).evidence(&["n"]).hosts(&["h.example"]);
        spec.name = ToolName::new(if self.fails { "fail" } else { "leak" }).unwrap();
        spec.arguments = json!({"type": "object"});
        spec
    }

    async fn call(&self, _: Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        let address = format!("https://me:{CANARY}@h.example/v1?station=1&token={CANARY}");
        if self.fails {
            let message = format!("{address} said 401: Authorization: Bearer {CANARY} is unknown");
            return Err(ToolError::new(ToolErrorKind::Unavailable, message));
        }
        let table = Artifact::document(Kind::Table, "rows", json!({"rows": [1]}));
        let mut output = ToolOutput::of(table).with_evidence([EvidenceDraft::new(
            "n",
            1,
            "1",
            &format!("rows of {address}"),
        )]);
        output.notes.push(format!("read with api_key={CANARY}"));
        output.sources.push(Source {
            address: address.clone(),
            bytes: 3,
            parts: 1,
            digest: Digest::of(Domain::Chunk, b"rows"),
            facts: BTreeMap::from([
                ("asked".to_owned(), address),
                ("authorization".to_owned(), CANARY.to_owned()),
                ("header".to_owned(), format!("Authorization: Basic {CANARY}==")),
            ]),
        });
        Ok(output)
    }
}

/// An agent that repeats what it hears, and hands a credential on in its arguments.
#[derive(Debug)]
struct Talker;

#[async_trait]
impl Agent for Talker {
    fn spec(&self) -> AgentSpec {
        let mut spec = AgentSpec::specialist(AgentId::new("talker").unwrap(), "Talks.");
        spec.tools = vec![ToolName::new("leak").unwrap()];
        spec
    }

    async fn work(&self, _: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        let refused = desk.call("leak", json!({"url": format!("https://h.example/?key={CANARY}")})).await;
        let refused = refused.unwrap_err();
        assert_eq!(refused.kind, ToolErrorKind::InvalidArguments, "{refused}");
        assert!(refused.message.contains("`/url`"), "{refused}");
        desk.call("leak", json!({})).await?;
        let text = format!("I used password={CANARY} and it worked");
        Ok(AgentAnswer {
            text,
            gaps: vec![format!("no answer to Bearer {CANARY}")],
            ..AgentAnswer::default()
        })
    }
}

fn world() -> Arc<Registry> {
    let mut registry = Registry::default();
    registry.add_tool(Arc::new(Leaky { fails: false })).unwrap();
    registry.add_tool(Arc::new(Leaky { fails: true })).unwrap();
    registry.add_agent(Arc::new(Talker)).unwrap();
    Arc::new(registry)
}

/// Every file below a folder that holds the canary.
fn leaks(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            leaks(&path, found);
        } else if String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(CANARY) {
            found.push(path.display().to_string());
        }
    }
}

#[tokio::test]
async fn no_file_and_no_event_holds_a_secret() {
    let runs = tempfile::tempdir().unwrap();
    let plan = plan(json!({"version": 1, "question": "How many?", "tracks": [
        {"id": "steps", "steps": [
            {"id": "a", "tool": "leak", "args": {}}, {"id": "b", "tool": "fail", "args": {}, "retries": 1}]},
        {"id": "talk", "layers": [{"nodes": [{"id": "c", "agent": "talker", "task": "talk"}]}]}]}));
    let registry = world();
    let graph = graph(&plan, &registry);
    let engine = Engine::new(Arc::clone(&registry))
        .with_objects(Arc::new(FolderObjects::new(runs.path().join("objects"))));
    let mut options: RunOptions = options(&plan, 4);
    options
        .facts
        .insert("ocean".into(), json!({"address": format!("s3://me:{CANARY}@store/x"), "password": CANARY}));
    let folder = RunFolder::new(runs.path(), &options.id);
    let approval = approval(&graph);
    let run = Run::start(graph, &approval, &engine, Recording::Folder(folder.clone()), options).unwrap();
    let mut events = run.events();
    let mut told = String::new();
    let outcome = run.finish().await;
    while let Some(event) = events.next().await {
        told += &serde_json::to_string(&*event).unwrap();
    }
    assert!(told.contains("REDACTED") && !told.contains(CANARY), "{told}");
    let mut found = Vec::new();
    leaks(runs.path(), &mut found);
    assert_eq!(found, [] as [String; 0]);
    assert!(!outcome.to_json(&plan).to_string().contains(CANARY));
    let markdown = outcome.report.to_markdown();
    assert!(markdown.contains("REDACTED"), "what was said is told without its secret: {markdown}");
    let verified = verify(&folder, None).unwrap();
    assert!(verified.ok, "{:#?}", verified.faults);
}

#[tokio::test]
async fn a_plan_that_holds_a_secret_does_not_start() {
    let runs = tempfile::tempdir().unwrap();
    let registry = world();
    for (question, args) in [
        ("How many?", json!({"url": format!("https://h.example/?token={CANARY}")})),
        ("How many?", json!({"deep": [{"api_key": CANARY}]})),
        ("What is at https://me:c4narysecret@h.example/?", json!({})),
    ] {
        let plan = plan(json!({"version": 1, "question": question, "tracks": [
            {"id": "t", "steps": [{"id": "a", "tool": "leak", "args": args}]}]}));
        let graph = graph(&plan, &registry);
        let engine = Engine::new(Arc::clone(&registry))
            .with_objects(Arc::new(FolderObjects::new(runs.path().join("objects"))));
        let options = options(&plan, 1);
        let folder = RunFolder::new(runs.path(), &options.id);
        let approval = approval(&graph);
        let refused = Run::start(graph, &approval, &engine, Recording::Folder(folder), options).unwrap_err();
        assert!(matches!(refused, StartError::Secret { .. }), "{refused}");
        assert!(!refused.to_string().contains(CANARY), "{refused}");
    }
    let mut found = Vec::new();
    leaks(runs.path(), &mut found);
    assert_eq!(found, [] as [String; 0]);
    assert!(!runs.path().join("test").exists(), "nothing was begun");
}
