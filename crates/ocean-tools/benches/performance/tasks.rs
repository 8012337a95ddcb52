//! The tasks: plain decoding, and calls of the real tools.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use leg_core::tool::Workbench;
use leg_core::{AllowList, MemoryObjects, ObjectStore, Registry, ToolOutput};
use ocean_tools::{Datasets, tools};
use rayon::prelude::*;
use serde_json::{Value, json};
use zarrs::array::{Array, CodecOptions};
use zarrs::filesystem::FilesystemStore;

/// One task.
pub(crate) struct Task {
    pub(crate) name: &'static str,
    /// The tool; none for plain decoding.
    pub(crate) tool: Option<&'static str>,
    /// Whether it reads the long record.
    pub(crate) is_long: bool,
}

/// In the order of the table: each after the decoding that it is compared with.
pub(crate) const TASKS: [Task; 9] = [
    Task { name: "decode", tool: None, is_long: false },
    Task { name: "a", tool: Some("compute_area_weighted_mean"), is_long: false },
    Task { name: "b", tool: Some("compute_field_climatology"), is_long: false },
    Task { name: "c", tool: Some("compute_field_trend"), is_long: false },
    Task { name: "d", tool: Some("compute_percentile_climatology"), is_long: false },
    Task { name: "e", tool: Some("perform_eof_analysis"), is_long: false },
    Task { name: "f", tool: Some("compute_ocean_heat_content"), is_long: false },
    Task { name: "decode_long", tool: None, is_long: true },
    Task { name: "d_long", tool: Some("compute_percentile_climatology"), is_long: true },
];

/// What each tool is asked for.
fn call(task: &str, root: &Path) -> Value {
    let surface = json!({ "variable": "thetao", "depth": "surface" });
    // The cells 40 to 130 by 60 to 180.
    let boxed = json!({
        "variable": "thetao", "depth": "surface",
        "region": { "lon": [-45.01, -15.24], "lat": [19.99, 42.26] },
    });
    match task {
        "a" => json!({ "data": surface, "weighting": "cos_lat" }),
        "b" => json!({ "data": { "variable": "thetao" }, "spread": false, "baseline": record(root) }),
        "c" => json!({ "data": surface, "deseasonalise": false, "autocorrelation": "none", "per": "year" }),
        "d" => json!({ "data": boxed, "percentile": 90, "baseline": record(root) }),
        "d_long" => json!({ "data": { "variable": "sst" }, "percentile": 90 }),
        "e" => json!({ "data": boxed, "n_modes": 10, "cycle": "monthly", "baseline": record(root) }),
        "f" => json!({
            "temp": { "variable": "thetao", "depth": { "range": [0, 250] } },
            "depth_range": [0, 200], "time_mean": true,
        }),
        other => panic!("no task `{other}`"),
    }
}

/// The first and last day of the record.
fn record(root: &Path) -> [String; 2] {
    let dataset = ocean_data::Dataset::open(&root.to_string_lossy()).unwrap();
    let time = dataset.times().first().unwrap();
    let day = |at: usize| time.dates[at].to_iso(time.calendar)[..10].to_owned();
    [day(0), day(time.dates.len() - 1)]
}

/// Runs one task and tells how it went.
pub(crate) fn run(name: &str, store: &Path) -> Value {
    let task = TASKS.iter().find(|task| task.name == name).unwrap();
    let root = if task.is_long { store.join("long") } else { store.to_owned() };
    let begin = Instant::now();
    let digest = match task.tool {
        None => decode(&root, if task.is_long { "/sst" } else { "/thetao" }),
        Some(tool) => summary(&answer(tool, call(name, &root), &root)),
    };
    let wall = begin.elapsed().as_secs_f64();
    json!({ "wall_s": wall, "rss_mb": peak_megabytes(), "digest": digest })
}

/// Decodes every chunk and keeps none.
fn decode(root: &Path, array: &str) -> Value {
    let store = Arc::new(FilesystemStore::new(root).unwrap());
    let array = Array::open(store, array).unwrap();
    let grid = array.chunk_grid_shape().to_vec();
    let count: u64 = grid.iter().product();
    let options = CodecOptions::default().with_concurrent_target(1);
    let bytes: usize = (0..count)
        .into_par_iter()
        .map(|at| {
            let mut rest = at;
            let mut place: Vec<u64> = grid
                .iter()
                .rev()
                .map(|length| {
                    let own = rest % length;
                    rest /= length;
                    own
                })
                .collect();
            place.reverse();
            array.retrieve_chunk_opt::<Vec<f32>>(&place, &options).unwrap().len() * 4
        })
        .sum();
    json!({ "chunks": count, "bytes": bytes })
}

fn answer(tool: &str, arguments: Value, root: &Path) -> ToolOutput {
    let datasets = Datasets::from_flags(&[format!("store={}", root.display())]).unwrap();
    let mut registry = Registry::default();
    let mut names = Vec::new();
    for tool in tools::all(&Arc::new(datasets)) {
        names.push(tool.spec().name);
        registry.add_tool(tool).unwrap();
    }
    let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
    let bench = Workbench::new(Arc::new(registry), names.into_iter().collect::<AllowList>(), objects);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    runtime.block_on(bench.call(tool, arguments)).unwrap()
}

/// The evidence, by which results are compared with those of peers.
fn summary(output: &ToolOutput) -> Value {
    output
        .evidence
        .iter()
        .map(|draft| (draft.name.clone(), draft.value.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// Peak resident memory of this process.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}
