//! The properties of the fuzz targets, on the saved corpus and on random bytes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends at the first surprise")]

mod support;

use std::path::{Path, PathBuf};

use leg_core::Registry;
use leg_testkit::fuzz::{PROPERTIES, Property};
use leg_testkit::{fake_registry, strategies};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::json;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

/// The files of a target, in order.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(corpus().join(target)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: PathBuf| (path.display().to_string(), std::fs::read(path).unwrap());
    files.into_iter().map(read).collect()
}

#[test]
fn every_seed_of_the_corpus_keeps_its_property() {
    let registry = fake_registry().unwrap();
    for (target, property) in PROPERTIES {
        let seeds = seeds(target);
        assert!(seeds.len() >= 5, "{target} has {} seeds", seeds.len());
        for (name, data) in seeds {
            println!("{name}");
            property(&registry, &data);
        }
    }
}

#[test]
fn each_target_has_its_file_and_each_folder_its_target() {
    let targets: Vec<&str> = PROPERTIES.iter().map(|(target, _)| *target).collect();
    let mut folders: Vec<String> = std::fs::read_dir(corpus())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    folders.sort();
    assert_eq!(folders, targets);
    for target in targets {
        let file = corpus().join(format!("../fuzz_targets/{target}.rs"));
        assert!(std::fs::read_to_string(file).unwrap().contains(&format!("fuzz::{target}(")));
    }
}

/// A change of some bytes.
#[derive(Debug, Clone)]
enum Change {
    Set(u8),
    Insert(u8),
    Remove,
    Cut,
    Repeat,
}

/// A seed of the target with a few bytes changed, or bytes at random.
fn data(target: &str) -> impl Strategy<Value = Vec<u8>> + use<> {
    let seeds: Vec<Vec<u8>> = seeds(target).into_iter().map(|(_, data)| data).collect();
    let letter = prop_oneof![
        3 => prop::sample::select(b"{}[]\":,'`/*#\\ \n0e-~%$.nx1".to_vec()),
        1 => any::<u8>(),
    ];
    let change = (0_u8..9, letter).prop_map(|(what, letter)| match what {
        0..=2 => Change::Set(letter),
        3..=5 => Change::Insert(letter),
        6 => Change::Remove,
        7 => Change::Cut,
        _ => Change::Repeat,
    });
    let changes = prop::collection::vec((any::<prop::sample::Index>(), change), 0..8);
    let mutated = (prop::sample::select(seeds), changes).prop_map(|(mut data, changes)| {
        for (place, change) in changes {
            let at = place.index(data.len() + 1);
            match change {
                Change::Set(letter) => {
                    if let Some(byte) = data.get_mut(at) {
                        *byte = letter;
                    }
                }
                Change::Insert(letter) => data.insert(at, letter),
                Change::Remove if at < data.len() => drop(data.drain(at..=at)),
                Change::Cut => data.truncate(at),
                Change::Repeat if data.len() < 4_096 => data.extend_from_within(at..),
                Change::Remove | Change::Repeat => {}
            }
        }
        data
    });
    let text = "[{}\\[\\]\":,'`/*#a0eE.+~%$ \n\\\\“”-]{0,60}".prop_map(String::into_bytes);
    prop_oneof![6 => mutated, 1 => prop::collection::vec(any::<u8>(), 0..200), 1 => text]
}

fn try_cases(cases: u32) {
    let registry = fake_registry().unwrap();
    for (target, property) in PROPERTIES {
        let mut runner = TestRunner::new(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(cases)
        });
        let check = |data: Vec<u8>| {
            property(&registry, &data);
            Ok(())
        };
        runner.run(&data(target), check).unwrap_or_else(|error| panic!("{target}: {error}"));
    }
}

#[test]
fn two_thousand_changed_or_random_inputs_keep_each_property() {
    try_cases(2_000);
}

/// A real ledger, which no seed file could keep in step with the format.
#[test]
fn a_real_ledger_keeps_the_property_with_any_byte_changed() {
    let registry = std::sync::Arc::new(fake_registry().unwrap());
    let steps =
        json!([{"id": "a", "tool": "load"}, {"id": "b", "tool": "mean", "args": {"data": {"$ref": "a"}}}]);
    let plan = json!({"version": 1, "question": "?", "tracks": [{"id": "t", "steps": steps}]});
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (_, ledger) = runtime.block_on(support::run(&support::plan(plan), &registry, 1));
    let bytes = ledger.bytes();
    let property: Property = leg_testkit::fuzz::ledger_line;
    property(&registry, &bytes);
    for at in (0..bytes.len()).step_by(37) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        property(&registry, &changed);
        property(&registry, &bytes[..at]);
    }
}

#[test]
fn random_plans_keep_the_property_of_plans() {
    let registry: Registry = fake_registry().unwrap();
    let mut runner =
        TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) });
    let check = |plan: leg_core::Plan| {
        let text = plan.to_json().to_string();
        leg_testkit::fuzz::plan_json(&registry, text.as_bytes());
        leg_testkit::fuzz::plan_text(&registry, format!("So:\n```json\n{text}\n```").as_bytes());
        Ok(())
    };
    runner.run(&strategies::valid_plan(), check).unwrap();
}
