//! The engine's cost for each node, as a ratio to a bare tokio `JoinSet` that does the same in the same process.
//!
//! `cargo bench -p leg-core --bench engine` prints, for each shape, the median time of a run without a ledger and
//! with one in memory, over that of the bare `JoinSet`; then compilation alone.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures wall time")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its result")]
#![expect(clippy::unwrap_used, reason = "a benchmark ends at the first error")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use leg_core::ledger::MemoryLedger;
use leg_core::plan::{AgentStep, Barriers, Body, Layer, Limits, PLAN_VERSION, Policy, Track};
use leg_core::run::{Engine, Recording, Run, RunOptions};
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, Approval, Desk, LayeredGraph, NodeId, Plan, Registry,
    RunId, ToolError, TrackId, compile, plan::validate,
};
use tokio::task::JoinSet;

/// Does nothing.
#[derive(Debug)]
struct Idle;

#[async_trait]
impl Agent for Idle {
    fn spec(&self) -> AgentSpec {
        AgentSpec::specialist(AgentId::new("idle").unwrap(), "does nothing")
    }
    async fn work(&self, _: AgentTask, _: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        Ok(AgentAnswer::default())
    }
}

/// Layers of no-op nodes in each track.
struct Shape {
    name: &'static str,
    tracks: usize,
    layers: usize,
    width: usize,
}

fn plan(shape: &Shape) -> Plan {
    let node = |track: usize, layer: usize, n: usize| AgentStep {
        id: NodeId::new(format!("t{track}_l{layer}_n{n}")).unwrap(),
        agent: AgentId::new("idle").unwrap(),
        task: String::new(),
        when: None,
        limits: Limits::default(),
    };
    let layer = |track, layer| Layer {
        policy: Policy::Settle,
        nodes: (0..shape.width).map(|n| node(track, layer, n)).collect(),
    };
    let track = |track| Track {
        id: TrackId::new(format!("t{track}")).unwrap(),
        goal: String::new(),
        barriers: Barriers::Strict,
        body: Body::Layers((0..shape.layers).map(|n| layer(track, n)).collect()),
        result: None,
    };
    Plan { version: PLAN_VERSION, question: "no-op".into(), tracks: (0..shape.tracks).map(track).collect() }
}

/// The same work without an engine: tracks side by side, a barrier after each layer.
async fn bare(shape: &Shape) {
    let mut tracks = JoinSet::new();
    for _ in 0..shape.tracks {
        let (layers, width) = (shape.layers, shape.width);
        tracks.spawn(async move {
            for _ in 0..layers {
                let mut set = JoinSet::new();
                for n in 0..width {
                    set.spawn(async move { n });
                }
                while set.join_next().await.is_some() {}
            }
        });
    }
    while tracks.join_next().await.is_some() {}
}

async fn engine(graph: &Arc<LayeredGraph>, engine: &Engine, recording: Recording) {
    let approval = Approval::new(graph, "bench", "2026-01-01T00:00:00Z");
    let mut options = RunOptions::new(RunId::new("bench").unwrap());
    options.concurrency = 1 << 20;
    let run = Run::start(Arc::clone(graph), &approval, engine, recording, options).unwrap();
    run.finish().await;
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

const ROUNDS: usize = 200;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let mut registry = Registry::default();
    registry.add_agent(Arc::new(Idle)).unwrap();
    let registry = Arc::new(registry);
    let shapes = [
        Shape { name: "110 nodes in 10 layers", tracks: 1, layers: 10, width: 11 },
        Shape { name: "5 tracks of 20 nodes", tracks: 5, layers: 2, width: 10 },
        Shape { name: "1000 nodes in one layer", tracks: 1, layers: 1, width: 1000 },
    ];
    println!("shape                     bare ms  compile ms  run ms (ratio)   with ledger ms (ratio)");
    for shape in &shapes {
        let valid = validate(plan(shape), &registry).unwrap();
        let graph = Arc::new(compile(&valid, &registry).unwrap());
        let own = Engine::new(Arc::clone(&registry));
        let mut times: [Vec<Duration>; 4] = Default::default();
        // The four take turns, so that a busy machine slows them alike.
        for _ in 0..ROUNDS {
            let started = Instant::now();
            runtime.block_on(async { tokio::join!(bare(shape)) });
            times[0].push(started.elapsed());
            let started = Instant::now();
            compile(&valid, &registry).unwrap();
            times[1].push(started.elapsed());
            let started = Instant::now();
            runtime.block_on(engine(&graph, &own, Recording::Off));
            times[2].push(started.elapsed());
            let started = Instant::now();
            runtime.block_on(engine(&graph, &own, Recording::Memory(MemoryLedger::default())));
            times[3].push(started.elapsed());
        }
        let [bare, compile, off, memory] = times.map(median);
        println!(
            "{:24} {bare:8.3}  {compile:10.3}  {off:6.3} ({:5.1})  {memory:9.3} ({:5.1})",
            shape.name,
            off / bare,
            memory / bare,
        );
    }
}
