//! The engine's cost for each node, as a ratio to a bare tokio `JoinSet` that does the same in the same process.
//!
//! `cargo bench -p leg-core --bench engine` prints, for each shape, the best time of a run without a ledger and with
//! one in memory, over that of the bare `JoinSet`, and the ratios of the medians; then what a ledger in a folder costs
//! beside its syncs, what it takes to read and verify 100,000 records, and the memory of 10,000 nodes. After `--` one
//! part can be named: `nodes`, `file`, `verify`, `memory`; `profile N [ledger]` runs the first shape N times, for a
//! profiler. `docs/performance.md` has the numbers.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures wall time")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its result")]
#![expect(clippy::unwrap_used, reason = "a benchmark ends at the first error")]

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use leg_core::ledger::{EntryKind, Ledger, MemoryLedger, RunFolder, read, verify};
use leg_core::plan::{AgentStep, Barriers, Body, Layer, Limits, PLAN_VERSION, Policy, Track};
use leg_core::run::{Engine, Recording, Run, RunOptions};
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, Approval, Desk, FolderObjects, LayeredGraph, NodeId,
    Plan, Registry, RunId, ToolError, TrackId, compile, plan::validate,
};
use tokio::runtime::Runtime;
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

fn world() -> Arc<Registry> {
    let mut registry = Registry::default();
    registry.add_agent(Arc::new(Idle)).unwrap();
    Arc::new(registry)
}

fn compiled(shape: &Shape, registry: &Registry) -> Arc<LayeredGraph> {
    let valid = validate(plan(shape), registry).unwrap();
    Arc::new(compile(&valid, registry).unwrap())
}

async fn engine(graph: &Arc<LayeredGraph>, engine: &Engine, recording: Recording) {
    let mut options = RunOptions::new(RunId::new("bench").unwrap());
    options.concurrency = 1 << 20;
    let approval = Approval::new(graph, "bench", "2026-01-01T00:00:00Z");
    let run = Run::start(Arc::clone(graph), &approval, engine, recording, options).unwrap();
    run.finish().await;
}

fn timed(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

/// Milliseconds: the median, and the best. On a machine with other work the best says what the code can do.
fn median_and_best(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort();
    (ms(times[times.len() / 2]), ms(times[0]))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

const ROUNDS: usize = 200;
const SHAPES: [Shape; 3] = [
    Shape { name: "110 nodes in 10 layers", tracks: 1, layers: 10, width: 11 },
    Shape { name: "5 tracks of 20 nodes", tracks: 5, layers: 2, width: 10 },
    Shape { name: "1000 nodes in one layer", tracks: 1, layers: 1, width: 1000 },
];

/// Runs over those of a bare `JoinSet`, in turns, so that a busy machine slows all alike.
fn nodes(runtime: &Runtime) {
    println!(
        "best of {ROUNDS} rounds          bare ms  compile ms  run ms (ratio)   with ledger ms (ratio); ratios of medians"
    );
    for shape in &SHAPES {
        let registry = world();
        let valid = validate(plan(shape), &registry).unwrap();
        let graph = compiled(shape, &registry);
        let own = Engine::new(Arc::clone(&registry));
        let mut times: [Vec<Duration>; 4] = Default::default();
        for _ in 0..ROUNDS {
            let memory = || Recording::Memory(MemoryLedger::default());
            times[0].push(timed(|| runtime.block_on(bare(shape))));
            times[1].push(timed(|| drop(compile(&valid, &registry).unwrap())));
            times[2].push(timed(|| runtime.block_on(engine(&graph, &own, Recording::Off))));
            times[3].push(timed(|| runtime.block_on(engine(&graph, &own, memory()))));
        }
        let measured = times.map(median_and_best);
        let [bare, compile, off, memory] = measured.map(|(_, best)| best);
        let [median, _, median_off, median_memory] = measured.map(|(median, _)| median);
        println!(
            "{:24} {bare:10.3}  {compile:10.3}  {off:6.3} ({:5.1})  {memory:9.3} ({:5.1}); {:.1}, {:.1}",
            shape.name,
            off / bare,
            memory / bare,
            median_off / median,
            median_memory / median,
        );
    }
}

/// A run in a folder, with the usual syncs at barriers, beside as many bare syncs of a growing file on the same disk.
fn file(runtime: &Runtime) {
    let shape = &SHAPES[0];
    let registry = world();
    let graph = compiled(shape, &registry);
    let folder = tempfile::tempdir().unwrap();
    // One for the approval, one before the first layer, one a barrier, one at the end; report and manifest: three.
    let count = shape.layers + 6;
    let (mut syncs, mut runs) = (Vec::new(), Vec::new());
    for n in 0..30 {
        let mut bare = File::create(folder.path().join(format!("bare_{n}"))).unwrap();
        syncs.push(timed(|| {
            for _ in 0..count {
                bare.write_all(&[b'x'; 8192]).unwrap();
                bare.sync_data().unwrap();
            }
        }));
        let runs_folder = folder.path().join(format!("runs_{n}"));
        let objects = Arc::new(FolderObjects::new(runs_folder.join("objects")));
        let own = Engine::new(Arc::clone(&registry)).with_objects(objects);
        let run = RunFolder::new(&runs_folder, &RunId::new("bench").unwrap());
        runs.push(timed(|| runtime.block_on(engine(&graph, &own, Recording::Folder(run)))));
    }
    // Each run beside the syncs that were made just before it: the disk is not the same from second to second.
    let mut beyond: Vec<f64> =
        syncs.iter().zip(&runs).map(|(syncs, run)| ms(*run) - 1.3 * ms(*syncs)).collect();
    beyond.sort_by(f64::total_cmp);
    let (syncs, runs) = (median_and_best(syncs), median_and_best(runs));
    for (what, syncs, run) in [("medians", syncs.0, runs.0), ("best", syncs.1, runs.1)] {
        let allowed = 1.3 * syncs + 5.0;
        println!(
            "{} in a folder, {what}: {run:.1} ms; {count} syncs alone {syncs:.1} ms, aim {allowed:.1} ms",
            shape.name
        );
    }
    let [quarter, median] = [beyond[beyond.len() / 4], beyond[beyond.len() / 2]];
    println!(
        "beyond 1.3 times its own syncs, median: {median:.1} ms, best quarter: {quarter:.1} ms, aim 5.0 ms"
    );
}

/// Reading and checking a ledger of 100,000 records, and verifying the folder of a real run.
fn records(runtime: &Runtime) {
    let store = MemoryLedger::default();
    let ledger = Ledger::new(store.clone());
    for n in 0..100_000 {
        let core = format!(r#"{{"n":{n},"question":"{}"}}"#, "x".repeat(150));
        ledger.append(EntryKind::Decision, core.as_bytes(), br#"{"at":"2026-12-01T00:00:00.000Z"}"#).unwrap();
    }
    let bytes = store.bytes();
    let elapsed = timed(|| assert_eq!(read(&bytes, "ledger.jsonl").entries.len(), 100_000));
    println!(
        "100,000 records of {} MB read and checked: {:.2} s",
        bytes.len() / 1_000_000,
        elapsed.as_secs_f64()
    );
    let folder = tempfile::tempdir().unwrap();
    run_in(runtime, folder.path());
    let run = RunFolder::open(&folder.path().join("bench")).unwrap();
    let elapsed = timed(|| assert!(verify(&run, None).unwrap().faults.is_empty()));
    println!("a run of 10,000 nodes verified: {:.2} s", elapsed.as_secs_f64());
}

/// 10,000 nodes in 10 layers, in a folder.
fn run_in(runtime: &Runtime, folder: &Path) {
    let registry = world();
    let graph = compiled(&Shape { name: "10,000 nodes", tracks: 1, layers: 10, width: 1000 }, &registry);
    let own = Engine::new(registry).with_objects(Arc::new(FolderObjects::new(folder.join("objects"))));
    let run = RunFolder::new(folder, &RunId::new("bench").unwrap());
    let mut options = RunOptions::new(RunId::new("bench").unwrap());
    options.concurrency = 16;
    let approval = Approval::new(&graph, "bench", "2026-01-01T00:00:00Z");
    let elapsed = timed(|| {
        let work = async {
            Run::start(graph, &approval, &own, Recording::Folder(run), options).unwrap().finish().await
        };
        drop(runtime.block_on(work));
    });
    println!("10,000 nodes in a folder: {:.0} ms", elapsed.as_secs_f64() * 1e3);
}

/// The peak of a process that does nothing else; the system must have `/proc`.
fn memory() {
    let child = Command::new(std::env::current_exe().unwrap()).arg("child").output().unwrap();
    print!("{}", String::from_utf8_lossy(&child.stdout));
}

fn child(runtime: &Runtime) {
    let folder = tempfile::tempdir().unwrap();
    run_in(runtime, folder.path());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown");
    println!("10,000 nodes, the most memory: {}", peak.trim());
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    // Cargo adds `--bench`.
    let named: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    match named.first().map(String::as_str) {
        Some("nodes") => nodes(&runtime),
        Some("file") => file(&runtime),
        Some("verify") => records(&runtime),
        Some("memory") => memory(),
        Some("child") => child(&runtime),
        Some("profile") => {
            let registry = world();
            let graph = compiled(&SHAPES[0], &registry);
            let own = Engine::new(registry);
            let times = named.get(1).and_then(|times| times.parse().ok()).unwrap_or(100);
            let with_ledger = named.len() > 2;
            for _ in 0..times {
                let memory = Recording::Memory(MemoryLedger::default());
                let recording = if with_ledger { memory } else { Recording::Off };
                runtime.block_on(engine(&graph, &own, recording));
            }
        }
        _ => {
            nodes(&runtime);
            file(&runtime);
            records(&runtime);
            memory();
        }
    }
}
