//! A run that was cut anywhere goes on to the same end: on random plans, with overseers, sub-graphs and budgets.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::path::Path;
use std::sync::Arc;

use leg_core::ledger::{EntryKind, LEDGER, RunFolder, read, verify};
use leg_core::replay::replay;
use leg_core::routing::Router;
use leg_core::run::{Budget, Durability, Engine, Recording, Resource, Roles, RulesOverseer, Run};
use leg_core::{FolderObjects, Registry};
use leg_testkit::told_world::{Allowed, Tape, any_plan, any_tape, told_registry, told_tool};
use proptest::prelude::*;
use serde_json::Value;
use support::{approval, graph, options, plan};

fn engine(runs: &Path, overseer: bool, registry: &Arc<Registry>) -> Engine {
    let engine =
        Engine::new(Arc::clone(registry)).with_objects(Arc::new(FolderObjects::new(runs.join("objects"))));
    if overseer { engine.with_overseer(Arc::new(RulesOverseer)) } else { engine }
}

/// A plan that was run whole, cut, and run on; says what is wrong with it.
async fn cut_and_run_on(json: &Value, budget: &Budget, tape: &mut Tape) -> Result<(), String> {
    let overseer = tape.chance(1, 3);
    let runs = tempfile::tempdir().unwrap();
    let plan = plan(json.clone());
    let registry = told_registry(vec![told_tool()]);
    let mut options = options(&plan, 4);
    options.durability = Durability::None;
    options.budget = budget.clone();
    let folder = RunFolder::new(runs.path(), &options.id);
    let graph = graph(&plan, &registry);
    let approval = approval(&graph);
    let recording = Recording::Folder(folder.clone());
    let run =
        Run::start(graph, &approval, &engine(runs.path(), overseer, &registry), recording, options).unwrap();
    let whole = run.finish().await;
    let bytes = folder.read(LEDGER).unwrap();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let opened = read(&bytes, LEDGER).entries.iter().position(|e| e.kind == EntryKind::PlanApproved).unwrap();
    let told = |what: &str| format!("{what} with {budget:?}, overseer {overseer}, of {json}");
    // Cut twice: a resumed run can be killed too.
    let mut until = lines.len() - 1;
    for _ in 0..2 {
        until = opened + 1 + tape.pick(until - opened);
        let ledger = folder.read(LEDGER).unwrap();
        let now: Vec<&[u8]> = ledger.split_inclusive(|byte| *byte == b'\n').collect();
        until = until.min(now.len() - 1);
        std::fs::write(folder.path().join(LEDGER), now[..until].concat()).unwrap();
        let tool = told_tool();
        let registry = told_registry(vec![tool.clone()]);
        let run = Run::resume(folder.clone(), &engine(runs.path(), overseer, &registry), 1 + tape.pick(16));
        let outcome = run.map_err(|error| told(&error.to_string()))?.finish().await;
        if let Some(error) = outcome.error {
            return Err(told(&format!("cut at {until}: {error}")));
        }
        let found = verify(&folder, None).unwrap();
        if !found.ok {
            return Err(told(&format!("cut at {until}: {:#?}", found.faults)));
        }
        // Who gets the last of a budget depends on who comes first.
        if budget.is_unlimited() && outcome.content_root != whole.content_root {
            return Err(told(&format!("cut at {until}: another root")));
        }
        until = until.max(opened + 2);
    }
    let dead = told_registry(vec![told_tool().panicking()]);
    let again = replay(&folder, dead, &Router::default(), Roles::default(), 3).await.unwrap();
    if again.ok { Ok(()) } else { Err(told(&format!("{:#?}", again.divergence))) }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn a_run_cut_anywhere_and_cut_again_ends_as_the_whole_one(mut tape in any_tape()) {
        let budget = match tape.pick(5) {
            2 => Budget::default().with(Resource::Nodes, tape.pick(8) as f64).unwrap(),
            3 => Budget::default().with(Resource::Calls, tape.pick(8) as f64).unwrap(),
            4 => Budget::default().with(Resource::Tokens, tape.pick(200) as f64).unwrap(),
            _ => Budget::default(),
        };
        let json = any_plan(&mut tape, Allowed { fail_fast: false, ..Allowed::ANYTHING });
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let found = runtime.block_on(cut_and_run_on(&json, &budget, &mut tape));
        prop_assert!(found.is_ok(), "{}", found.unwrap_err());
    }
}
