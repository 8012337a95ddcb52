//! Runs as PROV-JSON and as HTML.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test ends at the first surprise, and says when it is skipped"
)]

#[path = "support/exported_runs.rs"]
mod exported_runs;
mod support;

use std::path::Path;
use std::process::Command;

use exported_runs::{eventful, rich};
use leg_core::export::export;
use leg_core::ledger::RunFolder;
use serde_json::Value;
use tempfile::TempDir;

fn exported(folder: &TempDir, run: &RunFolder, format: &str) -> String {
    let path = folder.path().join(format!("export.{format}"));
    export(run, format, &path).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// Each end of each relation, with the element that it must be.
const ENDS: [(&str, [(&str, &str); 2]); 7] = [
    ("used", [("prov:activity", "activity"), ("prov:entity", "entity")]),
    ("wasGeneratedBy", [("prov:entity", "entity"), ("prov:activity", "activity")]),
    ("wasDerivedFrom", [("prov:generatedEntity", "entity"), ("prov:usedEntity", "entity")]),
    ("wasAssociatedWith", [("prov:activity", "activity"), ("prov:agent", "agent")]),
    ("wasAttributedTo", [("prov:entity", "entity"), ("prov:agent", "agent")]),
    ("wasInformedBy", [("prov:informed", "activity"), ("prov:informant", "activity")]),
    ("actedOnBehalfOf", [("prov:delegate", "agent"), ("prov:responsible", "agent")]),
];

#[tokio::test]
async fn prov_ties_every_number_to_its_call_its_tool_and_its_source() {
    let (folder, run) = rich().await;
    let prov: Value = serde_json::from_str(&exported(&folder, &run, "prov-json")).unwrap();
    for (relation, ends) in ENDS {
        let all = prov[relation].as_object().unwrap();
        assert!(!all.is_empty(), "{relation}");
        for one in all.values() {
            for (role, sort) in ends {
                let id = one[role].as_str().unwrap();
                assert!(prov[sort].get(id).is_some(), "{relation}: `{id}` is no {sort}");
            }
        }
    }
    let find = |relation: &str, role: &str, id: &str, other: &str| -> Vec<String> {
        let all = prov[relation].as_object().unwrap().values();
        all.filter(|one| one[role] == id).map(|one| one[other].as_str().unwrap().to_owned()).collect()
    };
    // The mean: by a call of `mean`, from an artifact that a call of `load` gave.
    let mean = "run:evidence/m.mean";
    let calls = find("wasGeneratedBy", "prov:entity", mean, "prov:activity");
    assert_eq!(calls.len(), 1);
    assert_eq!(find("wasAssociatedWith", "prov:activity", &calls[0], "prov:agent"), ["leg:tool/mean"]);
    let used = find("used", "prov:activity", &calls[0], "prov:entity");
    let made = find("wasGeneratedBy", "prov:entity", &used[0], "prov:activity");
    assert!(
        made.iter().any(|call| {
            find("wasAssociatedWith", "prov:activity", call, "prov:agent") == ["leg:tool/load"]
        })
    );
    // The report rests on it.
    assert!(
        find("wasDerivedFrom", "prov:usedEntity", mean, "prov:generatedEntity")
            .contains(&"run:file/report.md".into())
    );
    // What failed is there, and made nothing.
    let failed: Vec<&String> = prov["activity"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(id, what)| id.starts_with("run:call/") && what["leg:status"] == "failed")
        .map(|(id, _)| id)
        .collect();
    assert_eq!(failed.len(), 1);
    assert!(find("wasGeneratedBy", "prov:activity", failed[0], "prov:entity").is_empty());
    let sources = prov["entity"].as_object().unwrap().values();
    let sources = sources.filter(|one| one["prov:type"]["$"] == "leg:source");
    assert!(sources.count() > 0);
}

#[tokio::test]
async fn the_prov_package_gives_back_what_it_reads() {
    for (folder, run) in [rich().await, eventful().await] {
        exported(&folder, &run, "prov-json");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/check_prov_json.py");
        let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("venv-prov");
        let file = folder.path().join("export.prov-json");
        let ended = Command::new("python3").arg(script).arg(&file).arg("--venv").arg(venv).output();
        let Ok(ended) = ended else { return println!("skipped: no python3") };
        let said = String::from_utf8_lossy(&ended.stdout);
        if ended.status.code() == Some(3) {
            return println!("skipped: {said}");
        }
        assert!(ended.status.success(), "{said}{}", String::from_utf8_lossy(&ended.stderr));
        let found: Value = serde_json::from_str(&said).unwrap();
        let ours: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        for (theirs, own) in [
            ("Entity", "entity"),
            ("Activity", "activity"),
            ("Agent", "agent"),
            ("Usage", "used"),
            ("Generation", "wasGeneratedBy"),
            ("Derivation", "wasDerivedFrom"),
            ("Association", "wasAssociatedWith"),
            ("Attribution", "wasAttributedTo"),
            ("Communication", "wasInformedBy"),
            ("Delegation", "actedOnBehalfOf"),
        ] {
            let count = ours[own].as_object().unwrap().len();
            assert_eq!(found["counts"][theirs], count, "{theirs}");
        }
    }
}
