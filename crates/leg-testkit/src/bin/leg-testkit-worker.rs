//! A worker process over the tools of the executor suite: `leg-testkit-worker OBJECTS TRAIL [more]`. With a third
//! argument its tools are others than those of the suite.

use std::path::Path;
use std::sync::Arc;

use leg_core::FolderObjects;
use leg_core::run::{WorkerParts, serve};
use leg_testkit::FakeTool;
use leg_testkit::conformance::executor_registry;
use leg_testkit::told_world::hush_told_panics;

#[tokio::main]
async fn main() {
    hush_told_panics();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (objects, trail) = match args.as_slice() {
        [objects, trail, ..] => (Path::new(objects), Path::new(trail)),
        _ => std::process::exit(2),
    };
    let mut registry = executor_registry(trail);
    if args.len() > 2 && registry.add_tool(Arc::new(FakeTool::echo("another"))).is_err() {
        std::process::exit(2);
    }
    let parts = WorkerParts::new(Arc::new(registry), Arc::new(FolderObjects::new(objects)));
    let ended = serve(std::io::stdin(), std::io::stdout(), parts).await;
    std::process::exit(i32::from(ended.is_err()));
}
