//! Evidence passes consolidators and merges as a union: nothing is lost but what is dropped with a reason.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use leg_core::ledger::{EntryKind, MemoryLedger, read, trace};
use leg_core::role::{Brief, PlainReporter};
use leg_core::run::{Engine, LocalExecutor, Recording, Roles, Run, RunOutcome};
use leg_core::{
    Evidence, Fold, FoldInput, Plan, Registry, ReportInput, Reporter, Section, ToolError, Verdict,
};
use leg_testkit::{FakeAgent, fake_tools};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Drops what the test names, whatever the reason, and things that are not there.
#[derive(Debug)]
struct Dropping(BTreeMap<String, String>);

#[async_trait]
impl Fold for Dropping {
    fn name(&self) -> String {
        "dropping/1".into()
    }

    async fn fold(&self, input: FoldInput) -> Result<Brief, ToolError> {
        let keys = input.parts.iter().flat_map(|part| &part.evidence).map(|evidence| &evidence.key);
        let brief = Brief::new("in short").drop("nobody.has_this", "it is not there");
        Ok(keys.fold(brief, |brief, key| match self.0.get(key) {
            Some(reason) => brief.drop(key, reason),
            None => brief,
        }))
    }
}

/// Keeps what it was given.
#[derive(Debug, Default)]
struct Spy(Mutex<Vec<Evidence>>);

#[async_trait]
impl Reporter for Spy {
    fn name(&self) -> String {
        "spy/1".into()
    }

    async fn report(&self, input: &ReportInput) -> Result<Vec<Section>, ToolError> {
        let parts = input.tracks.iter().flat_map(|track| &track.parts);
        *self.0.lock().unwrap() = parts.flat_map(|part| part.evidence.iter().cloned()).collect();
        PlainReporter.report(input).await
    }
}

fn world() -> (Arc<Registry>, FakeAgent) {
    let mut registry = Registry::default();
    for tool in fake_tools() {
        registry.add_tool(Arc::new(tool)).unwrap();
    }
    let reader = FakeAgent::new("reader").unwrap().calling("load", json!({"values": [1.5, 2.5, 0.5]}));
    registry.add_agent(Arc::new(reader.clone())).unwrap();
    (Arc::new(registry), reader)
}

/// `depth` layers of two readers a track: each layer is consolidated, and two tracks are merged.
fn layered(depth: usize, tracks: usize) -> Plan {
    let node = |track: usize, layer: usize, n: usize| json!({"id": format!("n{track}_{layer}_{n}"), "agent": "reader", "task": "read"});
    let layer = |track, layer| json!({"nodes": [node(track, layer, 0), node(track, layer, 1)]});
    let track =
        |t| json!({"id": format!("t{t}"), "layers": (0..depth).map(|l| layer(t, l)).collect::<Vec<_>>()});
    support::plan(
        json!({"version": 1, "question": "q", "tracks": (0..tracks).map(track).collect::<Vec<_>>()}),
    )
}

async fn run(
    plan: &Plan,
    registry: &Arc<Registry>,
    at_layers: &BTreeMap<String, String>,
    at_merge: &BTreeMap<String, String>,
) -> (RunOutcome, MemoryLedger, Vec<Evidence>) {
    let spy = Arc::new(Spy::default());
    let roles = Roles {
        consolidator: Arc::new(Dropping(at_layers.clone())),
        merge: Arc::new(Dropping(at_merge.clone())),
        reporter: Arc::clone(&spy) as Arc<dyn Reporter>,
        ..Roles::default()
    };
    let graph = support::graph(plan, registry);
    let engine = Engine::new(Arc::clone(registry)).with_executor(Arc::new(LocalExecutor::new(roles)));
    let ledger = MemoryLedger::default();
    let recording = Recording::Memory(ledger.clone());
    let approval = support::approval(&graph);
    let run = Run::start(graph, &approval, &engine, recording, support::options(plan, 4)).unwrap();
    let outcome = run.finish().await;
    let seen = spy.0.lock().unwrap().clone();
    (outcome, ledger, seen)
}

fn merges(ledger: &MemoryLedger) -> Vec<Value> {
    let entries = read(&ledger.bytes(), "ledger").entries;
    entries.into_iter().filter(|entry| entry.kind == EntryKind::Merge).map(|entry| entry.core).collect()
}

fn drops() -> impl Strategy<Value = BTreeMap<String, String>> {
    let key = (0..2_usize, 0..5_usize, 0..2_usize, prop::sample::select(vec!["first", "last", "max", "n"]))
        .prop_map(|(track, layer, n, name)| format!("n{track}_{layer}_{n}.{name}"));
    let reason = prop::sample::select(vec!["", "  ", "said twice", "nobody asked"]).prop_map(str::to_owned);
    prop::collection::btree_map(key, reason, 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn evidence_survives_any_number_of_folds_unless_dropped_with_a_reason(
        depth in 1..=5_usize, tracks in 1..=2_usize, at_layers in drops(), at_merge in drops(),
    ) {
        let (registry, _) = world();
        let plan = layered(depth, tracks);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (outcome, ledger, seen) = runtime.block_on(run(&plan, &registry, &at_layers, &at_merge));
        let all: BTreeSet<String> = outcome.report.evidence.iter().map(|one| one.key.clone()).collect();
        prop_assert_eq!(all.len(), 8 * depth * tracks);
        let counts = |drops: &BTreeMap<String, String>, key: &String| drops.get(key).is_some_and(|reason| !reason.trim().is_empty());
        let expected: Vec<&Evidence> = outcome.report.evidence.iter()
            .filter(|one| !counts(&at_layers, &one.key) && (tracks == 1 || !counts(&at_merge, &one.key)))
            .collect();
        // What reaches the reporter is what the calls gave, value by value.
        prop_assert_eq!(seen.iter().collect::<Vec<_>>(), expected.clone());
        let found = outcome.report.attribution;
        prop_assert_eq!((found.emitted, found.reached, found.dropped), (all.len(), expected.len(), all.len() - expected.len()));
        prop_assert_eq!(found.cited, expected.len());
        prop_assert!((found.survival - expected.len() as f64 / all.len() as f64).abs() < 1e-12);
        prop_assert!(found.dropped > 0 || (found.survival - 1.0).abs() < 1e-12);
        prop_assert_eq!(outcome.report.to_markdown().contains("\nAttribution: "), found.dropped > 0);
        // Each record counts for itself.
        let records = merges(&ledger);
        prop_assert_eq!(records.len(), depth * tracks + usize::from(tracks > 1));
        for record in &records {
            let dropped = record["dropped"].as_array().map_or(0, Vec::len);
            let had = if record["role"] == "merge" {
                all.iter().filter(|key| !counts(&at_layers, key)).count()
            } else {
                8
            };
            prop_assert_eq!(usize::try_from(record["kept"].as_u64().unwrap_or(0)).unwrap() + dropped, had);
        }
    }
}

#[tokio::test]
async fn what_a_layer_drops_is_not_seen_after_it_and_can_still_be_traced() {
    let (registry, reader) = world();
    let at_layers = BTreeMap::from([
        ("n0_0_0.max".to_owned(), "the other gauge stands for both".to_owned()),
        ("n0_0_1.n".to_owned(), String::new()),
    ]);
    let (outcome, ledger, _) = run(&layered(2, 1), &registry, &at_layers, &BTreeMap::new()).await;
    let later: Vec<Vec<String>> = reader
        .tasks()
        .into_iter()
        .map(|task| task.evidence.into_iter().map(|evidence| evidence.key).collect::<Vec<_>>())
        .filter(|keys| !keys.is_empty())
        .collect();
    assert_eq!(later.len(), 2);
    assert!(
        later.iter().all(|keys| keys.len() == 7 && !keys.contains(&"n0_0_0.max".to_owned())),
        "{later:?}"
    );
    let record = merges(&ledger).remove(0);
    insta::assert_snapshot!(record, @r#"{"dropped":[{"key":"n0_0_0.max","reason":"the other gauge stands for both"}],"kept":7,"node":"consolidator_t0_1","role":"consolidator","text":"in short"}"#);
    let report = &outcome.report;
    assert!(report.evidence.iter().any(|one| one.key == "n0_0_0.max" && one.id.is_some()));
    assert!(report.claims().all(|claim| claim.verdict == Some(Verdict::Grounded)));
    insta::assert_snapshot!(report.to_json()["attribution"], @r#"{"emitted":16,"reached":15,"dropped":1,"cited":15,"survival":0.9375}"#);
    insta::assert_snapshot!(report.to_markdown().lines().last().unwrap(), @"Attribution: 15 of 16 pieces of evidence reached the reporter; dropped: `n0_0_0.max` (the other gauge stands for both).");
}

#[tokio::test]
async fn dropped_evidence_of_a_run_folder_is_traced_to_its_call() {
    let (registry, _) = world();
    let plan = layered(1, 1);
    let runs = tempfile::tempdir().unwrap();
    let roles = Roles {
        consolidator: Arc::new(Dropping(BTreeMap::from([("n0_0_0.max".into(), "not asked".into())]))),
        ..Roles::default()
    };
    let graph = support::graph(&plan, &registry);
    let engine = Engine::new(Arc::clone(&registry))
        .with_objects(Arc::new(leg_core::FolderObjects::new(runs.path().join("objects"))))
        .with_executor(Arc::new(LocalExecutor::new(roles)));
    let options = support::options(&plan, 4);
    let folder = leg_core::ledger::RunFolder::new(runs.path(), &options.id);
    let approval = support::approval(&graph);
    let run = Run::start(graph, &approval, &engine, Recording::Folder(folder.clone()), options).unwrap();
    run.finish().await;
    let found = trace(&folder, "n0_0_0.max").unwrap();
    assert!(found.claims.is_empty());
    assert_eq!(found.calls[0].tool.as_str(), "load");
    assert!(leg_core::ledger::verify(&folder, None).unwrap().ok);
}
