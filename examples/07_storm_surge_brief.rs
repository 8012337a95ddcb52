//! A storm-surge brief as a library: a question to specialists, planned without a model, answered from recorded services.
//!
//! The recordings are ours (a storm that never was); with `Services::open` the same program asks the real services.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::Path;
use std::sync::Arc;

use leg::agents::architect::ArchitectAnswer;
use leg::hydro_specialists::Addresses;
use leg::hydro_specialists::recorded::Recorded;
use leg::prelude::*;
use leg::{Catalog, Services};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Where the services are: here, in a folder of recorded answers.
    let recorded = Recorded::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/recordings"))?;
    let services = Services::new(Arc::new(recorded), Addresses::below(&Recorded::address()?));
    let catalog = Catalog::with_services(leg::ocean_tools::Datasets::from_flags::<&str>(&[])?, &services)?;

    // The graph architect makes layers of agents: the track first, gauges and marks side by side after it.
    let question = "How bad was the surge of Hurricane Tessa in 2022?";
    let ArchitectAnswer::Plan { plan, .. } = catalog.architect().plan(question) else {
        return Err("the question has no plan".into());
    };
    let valid = validate(plan, catalog.registry()).map_err(|faults| format!("{faults:?}"))?;
    let graph = Arc::new(catalog.compile(&valid)?);
    print!("{}", graph.display().indent());

    // Approved, run, reported; every number cites evidence and was checked against it.
    let engine = Engine::new(Arc::clone(catalog.registry()))
        .with_executor(Arc::new(LocalExecutor::new(catalog.roles())))
        .with_router(Arc::new(catalog.router()));
    let approval = Approval::new(&graph, "example".to_owned(), "2026-01-01T00:00:00Z".to_owned());
    let run = Run::start(graph, &approval, &engine, Recording::Off, RunOptions::new(RunId::new("brief")?))?;
    let outcome = run.finish().await;
    for claim in outcome.report.sections.iter().flat_map(|section| &section.claims) {
        println!("{}", claim.text);
    }
    for gap in &outcome.report.gaps {
        println!("gap: {}", gap.reason);
    }
    Ok(())
}
