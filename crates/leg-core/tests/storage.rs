//! What a run takes on the disk grows with what is different in it, not with how often it was seen.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::path::Path;
use std::sync::Arc;

use leg_core::ledger::{LEDGER, RunFolder, usage, verify};
use leg_core::run::{Engine, Recording, Run};
use leg_core::{FolderObjects, Plan, Registry, RunId, Status};
use leg_testkit::FakeTool;
use serde_json::{Value, json};
use support::{approval, graph, options, plan, registry};

/// The binary megabyte, of payload and of limits alike.
const MB: u64 = 1 << 20;

async fn run(runs: &Path, id: &str, plan: &Plan, registry: &Arc<Registry>) -> RunFolder {
    let graph = graph(plan, registry);
    let engine =
        Engine::new(Arc::clone(registry)).with_objects(Arc::new(FolderObjects::new(runs.join("objects"))));
    let mut options = options(plan, 8);
    options.id = RunId::new(id).unwrap();
    let folder = RunFolder::new(runs, &options.id);
    let approval = approval(&graph);
    let recording = Recording::Folder(folder.clone());
    let outcome = Run::start(graph, &approval, &engine, recording, options).unwrap().finish().await;
    assert_eq!(outcome.status, Status::Ok);
    folder
}

/// All bytes below a folder.
fn on_disk(folder: &Path) -> u64 {
    let size = |path: std::path::PathBuf| {
        if path.is_dir() { on_disk(&path) } else { std::fs::metadata(&path).unwrap().len() }
    };
    std::fs::read_dir(folder).unwrap().map(|entry| size(entry.unwrap().path())).sum()
}

/// Layers of steps; each waits for one of the layer before.
fn layered(layers: usize, width: usize, tool: &str) -> Plan {
    let step = |layer: usize, n: usize| {
        let args = match layer {
            0 => json!({}),
            _ => json!({"of": {"$ref": format!("s{}_{n}", layer - 1)}}),
        };
        json!({"id": format!("s{layer}_{n}"), "tool": tool, "args": args})
    };
    let steps: Vec<Value> = (0..layers).flat_map(|layer| (0..width).map(move |n| step(layer, n))).collect();
    plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": steps}]}))
}

/// Distinct payload, a kilobyte a record, 64 kilobytes.
fn bound(folder: &RunFolder, payload: u64) -> u64 {
    let records = folder.read(LEDGER).unwrap().split(|byte| *byte == b'\n').count() as u64;
    payload + 1024 * records + 65_536
}

#[tokio::test]
async fn a_constant_megabyte_through_ten_layers_of_ten_is_stored_once() {
    let runs = tempfile::tempdir().unwrap();
    let world = registry(vec![FakeTool::blob("blob", 1 << 20)]);
    let folder = run(runs.path(), "k1", &layered(10, 10, "blob"), &world).await;
    let taken = on_disk(runs.path());
    assert!(taken <= bound(&folder, MB), "{taken}");
    assert!(taken <= 12 * MB / 10, "{taken}");
    assert!(verify(&folder, None).unwrap().ok);
}

#[tokio::test]
async fn twenty_fresh_megabytes_take_twenty_megabytes() {
    let runs = tempfile::tempdir().unwrap();
    let world = registry(vec![FakeTool::blob("blob", 1 << 20).fresh()]);
    let folder = run(runs.path(), "m1", &layered(20, 1, "blob"), &world).await;
    let taken = on_disk(runs.path());
    assert!(taken > 20 * MB && taken <= 21 * MB && taken <= bound(&folder, 20 * MB + 20_480), "{taken}");
}

#[tokio::test]
async fn a_hundred_runs_share_their_megabyte() {
    let runs = tempfile::tempdir().unwrap();
    let world = registry(vec![FakeTool::blob("blob", 1 << 20)]);
    let plan = layered(1, 1, "blob");
    for n in 0..100 {
        run(runs.path(), &format!("r{n}"), &plan, &world).await;
    }
    let all = usage(runs.path(), None).unwrap().in_all;
    assert!(on_disk(runs.path()) < 2 * MB + all.ledgers, "{all:?}");
    assert!(all.payload < MB + 20_000, "{all:?}");
}
