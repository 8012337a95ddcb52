//! What runs take on the disk, and what may be removed of it.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use leg_core::ledger::{
    Collect, CollectError, LEDGER, LOCK, RunFolder, change_pins, collect, pins, usage, verify,
};
use leg_core::run::{Engine, Recording, Run};
use leg_core::{FixedClock, FolderObjects, Plan, RunId, SystemClock};
use proptest::prelude::*;
use serde_json::json;
use support::{approval, graph, options, plan, registry};

/// Two steps; runs with the same number share all they can.
fn small(number: u32) -> Plan {
    plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": [
        {"id": "x", "tool": "load", "args": {"values": [1.0, f64::from(number)]}},
        {"id": "m", "tool": "mean", "args": {"data": {"$ref": "x"}}}]}]}))
}

async fn run(runs: &Path, id: &str, plan: &Plan) -> RunFolder {
    let registry = registry(vec![]);
    let graph = graph(plan, &registry);
    let engine = Engine::new(registry).with_objects(Arc::new(FolderObjects::new(runs.join("objects"))));
    let mut options = options(plan, 2);
    options.id = RunId::new(id).unwrap();
    let folder = RunFolder::new(runs, &options.id);
    let approval = approval(&graph);
    Run::start(graph, &approval, &engine, Recording::Folder(folder.clone()), options).unwrap().finish().await;
    folder
}

fn ok(folder: &RunFolder) -> bool {
    let found = verify(folder, None).unwrap();
    assert!(found.ok, "{:#?}", found.faults);
    found.ok
}

fn keep(ids: &[&str]) -> Collect {
    Collect { keep: Some(ids.iter().map(|&id| id.to_owned()).collect()), dry_run: false }
}

#[tokio::test]
async fn only_what_no_kept_run_leads_to_is_removed() {
    let runs = tempfile::tempdir().unwrap();
    let (first, twin, other) = (
        run(runs.path(), "first", &small(1)).await,
        run(runs.path(), "twin", &small(1)).await,
        run(runs.path(), "other", &small(2)).await,
    );
    let before = usage(runs.path(), None).unwrap();
    assert_eq!(before.in_all.unused, 0);
    let of = |id: &str| before.runs.iter().find(|run| run.run == id).unwrap();
    assert!(of("first").payload > of("first").alone && of("other").alone > 0);
    assert_eq!((of("first").payload, of("first").alone), (of("twin").payload, 0), "twins share all objects");
    let nothing = collect(runs.path(), &Collect::default(), &SystemClock).unwrap();
    assert_eq!((nothing.objects, nothing.bytes, nothing.kept.len()), (0, 0, 3));
    let freed = collect(runs.path(), &Collect { dry_run: true, ..keep(&["twin"]) }, &SystemClock).unwrap();
    assert_eq!(freed.runs, ["first", "other"]);
    assert!(ok(&first) && ok(&twin) && ok(&other), "a dry run removes nothing");
    change_pins(runs.path(), &["first".to_owned()], &[]).unwrap();
    let freed = collect(runs.path(), &keep(&["twin"]), &SystemClock).unwrap();
    assert_eq!((freed.kept, freed.runs), (vec!["first".to_owned(), "twin".into()], vec!["other".to_owned()]));
    assert!(freed.objects > 0 && ok(&first) && ok(&twin) && !other.path().exists());
    change_pins(runs.path(), &[], &["first".to_owned()]).unwrap();
    assert_eq!(pins(runs.path()).unwrap(), BTreeSet::new());
    assert!(matches!(
        collect(runs.path(), &keep(&["nobody"]), &SystemClock),
        Err(CollectError::NoRun { .. })
    ));
    // A run whose folder was deleted by hand.
    fs::remove_dir_all(twin.path()).unwrap();
    fs::remove_dir_all(first.path()).unwrap();
    let left = usage(runs.path(), None).unwrap().in_all;
    assert_eq!(left.total, left.unused);
    let freed = collect(runs.path(), &Collect::default(), &SystemClock).unwrap();
    assert_eq!(freed.bytes, left.unused);
    assert_eq!(usage(runs.path(), None).unwrap().in_all.total, 0);
}

#[tokio::test]
async fn nothing_is_removed_beside_a_run_that_goes_on() {
    let runs = tempfile::tempdir().unwrap();
    let folder = run(runs.path(), "done", &small(1)).await;
    // A run that has its lock, and one whose ledger is open.
    let lock = fs::File::create(folder.path().join(LOCK)).unwrap();
    lock.lock().unwrap();
    let refused = collect(runs.path(), &Collect::default(), &SystemClock).unwrap_err();
    assert!(refused.to_string().contains("run `done` goes on"), "{refused}");
    drop(lock);
    collect(runs.path(), &Collect::default(), &SystemClock).unwrap();
    let begun = RunFolder::new(runs.path(), &RunId::new("begun").unwrap()).begin().unwrap();
    assert!(matches!(
        collect(runs.path(), &Collect::default(), &SystemClock),
        Err(CollectError::Running { .. })
    ));
    drop(begun);
    collect(runs.path(), &Collect::default(), &SystemClock).unwrap();
    assert!(ok(&folder), "a lock that nobody holds is no fault");
}

#[tokio::test]
async fn half_written_files_go_when_nobody_can_still_write_them() {
    let runs = tempfile::tempdir().unwrap();
    let folder = run(runs.path(), "done", &small(1)).await;
    let halves = [runs.path().join("objects/ab/.77-0.part"), folder.path().join("report.md.part")];
    let now = SystemTime::UNIX_EPOCH + Duration::from_hours(500_000);
    for half in &halves {
        fs::create_dir_all(half.parent().unwrap()).unwrap();
        let file = fs::File::create(half).unwrap();
        file.set_modified(now).unwrap();
    }
    let clock = FixedClock::at(1_800_000_000_000_000_000);
    assert_eq!(collect(runs.path(), &Collect::default(), &clock).unwrap().leftovers, 0);
    clock.advance(2 * 3600 * 1_000_000_000);
    assert_eq!(collect(runs.path(), &Collect::default(), &clock).unwrap().leftovers, 2);
    assert!(halves.iter().all(|half| !half.exists()) && ok(&folder));
}

#[test]
fn a_run_without_a_readable_ledger_keeps_what_its_lines_name() {
    let runs = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let folder = runtime.block_on(run(runs.path(), "torn", &small(3)));
    let whole = folder.read(LEDGER).unwrap();
    let mut torn = whole.clone();
    for byte in torn.iter_mut().filter(|byte| **byte == b'{') {
        *byte = b'?';
    }
    fs::write(folder.path().join(LEDGER), &torn).unwrap();
    assert_eq!(collect(runs.path(), &Collect::default(), &SystemClock).unwrap().objects, 0);
    fs::write(folder.path().join(LEDGER), &whole).unwrap();
    assert!(ok(&folder));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random runs that share objects: whatever is deleted by hand, pinned or kept, every kept run verifies.
    #[test]
    fn every_kept_run_verifies(
        numbers in proptest::collection::vec(0_u32..4, 1..6),
        fates in proptest::collection::vec(0_u8..4, 6),
    ) {
        let runs = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let folders: Vec<RunFolder> = numbers
            .iter()
            .enumerate()
            .map(|(at, number)| runtime.block_on(run(runs.path(), &format!("r{at}"), &small(*number))))
            .collect();
        let fate = |wanted: u8| {
            let is = move |(at, fate): (usize, &u8)| (*fate == wanted).then(|| format!("r{at}"));
            fates.iter().take(folders.len()).enumerate().filter_map(is).collect::<Vec<String>>()
        };
        for id in fate(0) {
            fs::remove_dir_all(runs.path().join(id)).unwrap();
        }
        change_pins(runs.path(), &fate(1), &[]).unwrap();
        let what = Collect { keep: Some(fate(2)), dry_run: false };
        let before = usage(runs.path(), None).unwrap().in_all.total;
        let found = collect(runs.path(), &what, &SystemClock).unwrap();
        prop_assert_eq!(found.runs, fate(3));
        let mut kept = [fate(1), fate(2)].concat();
        kept.sort();
        prop_assert_eq!(&found.kept, &kept);
        for id in &kept {
            let found = verify(&RunFolder::open(&runs.path().join(id)).unwrap(), None).unwrap();
            prop_assert!(found.ok, "{:#?}", found.faults);
        }
        let after = usage(runs.path(), None).unwrap().in_all;
        prop_assert_eq!(after.unused, 0);
        prop_assert_eq!(after.total + found.bytes, before);
    }
}
