//! A replay is the run again: on random plans, stopped runs, exhausted budgets, overseers and sub-graphs, without a
//! call of any tool.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use leg_core::ledger::{LEDGER, RunFolder, verify};
use leg_core::replay::{ReplayOutcome, replay};
use leg_core::routing::Router;
use leg_core::run::{Budget, Engine, Recording, Resource, Roles, RulesOverseer, Run, RunOptions, RunOutcome};
use leg_core::{FolderObjects, Status};
use leg_testkit::told_world::{Allowed, Tape, any_plan, any_tape, told_registry, told_tool};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{approval, graph, options, plan};

/// What a run is given beside its plan.
#[derive(Debug, Clone, Default)]
struct Setting {
    budget: Budget,
    overseer: bool,
    run_timeout_s: Option<f64>,
    layer_timeout_s: Option<f64>,
    node_timeout_s: Option<f64>,
    stop_after_ms: Option<u64>,
}

fn setting(tape: &mut Tape) -> Setting {
    let mut setting = Setting::default();
    let ms = |tape: &mut Tape| (1 + tape.pick(120)) as f64 / 1000.0;
    match tape.pick(8) {
        1 => setting.budget = setting.budget.with(Resource::Nodes, tape.pick(8) as f64).unwrap(),
        2 => setting.budget = setting.budget.with(Resource::Calls, tape.pick(8) as f64).unwrap(),
        3 => setting.budget = setting.budget.with(Resource::Tokens, tape.pick(200) as f64).unwrap(),
        4 => setting.run_timeout_s = Some(ms(tape)),
        5 => setting.layer_timeout_s = Some(ms(tape)),
        6 => setting.node_timeout_s = Some(ms(tape)),
        7 => setting.stop_after_ms = Some(tape.pick(120) as u64),
        _ => {}
    }
    setting.overseer = tape.chance(1, 4);
    setting
}

async fn run_in(runs: &Path, json: &Value, setting: &Setting, concurrency: usize) -> (RunOutcome, RunFolder) {
    let plan = plan(json.clone());
    let registry = told_registry(vec![told_tool()]);
    let graph = graph(&plan, &registry);
    let mut engine = Engine::new(registry).with_objects(Arc::new(FolderObjects::new(runs.join("objects"))));
    if setting.overseer {
        engine = engine.with_overseer(Arc::new(RulesOverseer));
    }
    let mut options: RunOptions = options(&plan, concurrency);
    options.durability = leg_core::run::Durability::None;
    options.budget = setting.budget.clone();
    options.run_timeout_s = setting.run_timeout_s;
    options.layer_timeout_s = setting.layer_timeout_s;
    options.node_timeout_s = setting.node_timeout_s.unwrap_or(options.node_timeout_s);
    let folder = RunFolder::new(runs, &options.id);
    let approval = approval(&graph);
    let run = Run::start(graph, &approval, &engine, Recording::Folder(folder.clone()), options).unwrap();
    let stopper = run.stopper();
    let stop = async {
        match setting.stop_after_ms {
            Some(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
            None => std::future::pending().await,
        }
        stopper.cancel();
        std::future::pending::<()>().await;
    };
    tokio::select! {
        outcome = run.finish() => (outcome, folder),
        () = stop => unreachable!(),
    }
}

/// A replay with tools that panic when they are called.
async fn again(folder: &RunFolder, concurrency: usize) -> ReplayOutcome {
    let registry = told_registry(vec![told_tool().panicking()]);
    replay(folder, registry, &Router::default(), Roles::default(), concurrency).await.unwrap()
}

fn paused() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap()
}

fn is_the_run_again(json: &Value, setting: &Setting) -> Result<Status, String> {
    let runs = tempfile::tempdir().unwrap();
    paused().block_on(async {
        let (outcome, folder) = run_in(runs.path(), json, setting, 4).await;
        let told = || format!("{} with {setting:?} of {json}", outcome.status);
        let found = verify(&folder, None).unwrap();
        if !found.ok {
            return Err(format!("{:#?} {}", found.faults, told()));
        }
        let replayed = again(&folder, 16).await;
        if !replayed.ok || replayed.content_root != Some(outcome.content_root) {
            let ledger = String::from_utf8(folder.read(LEDGER).unwrap()).unwrap();
            return Err(format!("{:#?}\n{}\n{ledger}", replayed.divergence, told()));
        }
        Ok(outcome.status)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn a_replay_is_the_run_again_however_it_ended(mut tape in any_tape()) {
        let setting = setting(&mut tape);
        let json = any_plan(&mut tape, Allowed::ANYTHING);
        let found = is_the_run_again(&json, &setting);
        prop_assert!(found.is_ok(), "{}", found.unwrap_err());
    }
}

#[test]
fn twenty_replays_with_any_number_of_workers_give_the_same_bytes() {
    let mut tape = Tape::new((0..260_u16).map(|n| n.wrapping_mul(40_503)).collect());
    let json = any_plan(&mut tape, Allowed::ANYTHING);
    let runs = tempfile::tempdir().unwrap();
    let threads =
        || tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    let (outcome, folder) = threads().block_on(run_in(runs.path(), &json, &Setting::default(), 16));
    let report = folder.read("report.json").unwrap();
    assert_eq!(leg_core::canonical::to_vec(&outcome.report.to_json()).unwrap(), report);
    for n in 0..20 {
        let concurrency = [1, 2, 16][n % 3];
        let runtime = if n % 2 == 0 { threads() } else { paused() };
        let replayed = runtime.block_on(again(&folder, concurrency));
        // The digests of the report's files are part of the last record, which is compared.
        assert!(replayed.ok, "{:#?}", replayed.divergence);
        assert_eq!(replayed.content_root, Some(outcome.content_root));
    }
}

#[test]
fn a_late_result_is_in_no_comparison() {
    let steps = json!([
        {"id": "slow", "tool": "told", "args": {"ms": 500, "deaf": true, "id": "slow"}, "timeout_s": 0.1},
        {"id": "quick", "tool": "told", "args": {"id": "quick", "ms": 400}}]);
    let json = json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": steps}]});
    assert_eq!(is_the_run_again(&json, &Setting::default()), Ok(Status::Ok));
}
