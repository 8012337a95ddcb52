//! The memory of a large run.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]
#![expect(clippy::disallowed_methods, reason = "the environment tells the child what it is")]

mod support;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use async_trait::async_trait;
use leg_core::ledger::RunFolder;
use leg_core::plan::{AgentStep, Barriers, Body, Layer, Limits, PLAN_VERSION, Policy, Track};
use leg_core::run::{Engine, Recording, Run};
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, Desk, FolderObjects, NodeId, Plan, Registry, Status,
    ToolError, TrackId,
};
use support::{approval, graph, options};

const CHILD: &str = "LEG_TEST_SCALE_RUNS";

#[derive(Debug)]
struct Idle;

#[async_trait]
impl Agent for Idle {
    fn spec(&self) -> AgentSpec {
        AgentSpec::specialist(AgentId::new("idle").unwrap(), "Does nothing.")
    }

    async fn work(&self, _: AgentTask, _: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        Ok(AgentAnswer::default())
    }
}

/// A plan of agents that do nothing, made without a detour: its JSON alone would take more than the run.
fn idle(layers: usize, width: usize) -> Plan {
    let node = |layer: usize, n: usize| AgentStep {
        id: NodeId::new(format!("l{layer}_n{n}")).unwrap(),
        agent: AgentId::new("idle").unwrap(),
        task: String::new(),
        when: None,
        limits: Limits::default(),
    };
    let layer =
        |layer: usize| Layer { policy: Policy::Settle, nodes: (0..width).map(|n| node(layer, n)).collect() };
    let track = Track {
        id: TrackId::new("t").unwrap(),
        goal: String::new(),
        barriers: Barriers::Strict,
        body: Body::Layers((0..layers).map(layer).collect()),
        result: None,
    };
    Plan { version: PLAN_VERSION, question: "?".into(), tracks: vec![track] }
}

/// The most memory that this process has had, in MB.
fn peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()? / 1024.0)
}

/// What the child process does: 10,000 nodes with a ledger in a folder; it prints its peak.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_runs_ten_thousand_nodes() {
    let Ok(runs) = std::env::var(CHILD) else { return };
    let mut registry = Registry::default();
    registry.add_agent(Arc::new(Idle)).unwrap();
    let registry = Arc::new(registry);
    let plan = idle(10, 1000);
    let graph = graph(&plan, &registry);
    let before = peak_mb().unwrap();
    let options = options(&plan, 16);
    drop(plan);
    let folder = RunFolder::new(Path::new(&runs), &options.id);
    let engine =
        Engine::new(registry).with_objects(Arc::new(FolderObjects::new(Path::new(&runs).join("objects"))));
    let approval = approval(&graph);
    let run = Run::start(graph, &approval, &engine, Recording::Folder(folder), options).unwrap();
    let outcome = run.finish().await;
    assert_eq!(outcome.status, Status::Ok);
    println!("\npeak {before:.1} {:.1}", peak_mb().unwrap());
}

#[test]
fn ten_thousand_nodes_stay_under_sixty_megabytes() {
    if peak_mb().is_none() {
        println!("skipped: this system does not tell the peak of a process");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_runs_ten_thousand_nodes", "--nocapture"])
        .env(CHILD, folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let line =
        text.lines().find_map(|line| line.strip_prefix("peak ")).unwrap_or_else(|| panic!("{output:?}"));
    let (before, peak) = line.split_once(' ').unwrap();
    println!("before the run {before} MB, at most {peak} MB");
    assert!(peak.parse::<f64>().unwrap() < 60.0, "{peak} MB");
}
