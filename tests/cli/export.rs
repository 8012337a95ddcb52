//! A run in the forms that others read.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use leg_testkit::check_run_crate;
use serde_json::{Value, json};

use crate::program::{Desk, demo, each_file, text};

/// The demo's run: two tracks, charts and maps.
fn demo_run(desk: &Desk) -> String {
    let document = desk.leg(&["demo", "--dir", demo(), "--json"]).with_code(0).json();
    document["run_id"].as_str().unwrap().to_owned()
}

fn export(desk: &Desk, run: &str, format: &str, out: &str) -> Value {
    desk.leg(&["export", run, "--format", format, "--out", out, "--json"]).with_code(0).json()
}

/// All files of a folder with their bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    each_file(folder, &mut |path| {
        let name = text(path.strip_prefix(folder).unwrap());
        found.push((name, std::fs::read(path).unwrap()));
    });
    found.sort();
    found
}

#[test]
fn a_bundle_verifies_replays_and_traces_where_nothing_else_is() {
    let desk = Desk::new();
    let run = demo_run(&desk);
    let said = export(&desk, &run, "bundle", "bundle");
    assert_eq!((&said["format"], &said["is_folder"]), (&json!("bundle"), &json!(true)));
    // Another desk: no runs, no objects beside it.
    let elsewhere = Desk::new();
    std::fs::rename(desk.path("bundle"), elsewhere.path("moved")).unwrap();
    drop(desk);
    let verified = elsewhere.leg(&["verify", "moved", "--json"]).with_code(0).json();
    assert_eq!(verified["content_root"], said["content_root"]);
    assert_eq!(verified["log_root"], said["log_root"]);
    let replayed = elsewhere.leg(&["replay", "moved", "--json"]).with_code(0).json();
    assert_eq!((&replayed["ok"], &replayed["content_root"]), (&json!(true), &said["content_root"]));
    assert_eq!(
        elsewhere.leg(&["trace", "moved", "E1", "--json"]).with_code(0).json()["evidence"]["id"],
        "E1"
    );
    let readme = std::fs::read_to_string(elsewhere.path("moved/README.md")).unwrap();
    assert!(
        readme.contains("leg verify .") && readme.contains(said["log_root"].as_str().unwrap()),
        "{readme}"
    );
    assert_eq!(said["files"], files(&elsewhere.path("moved")).len());
}

#[test]
fn every_file_of_a_bundle_is_needed_and_checked() {
    let desk = Desk::new();
    let run = demo_run(&desk);
    export(&desk, &run, "bundle", "bundle");
    for (name, bytes) in files(&desk.path("bundle")) {
        let path = desk.path("bundle").join(&name);
        let mut other = bytes.clone();
        other[bytes.len() / 2] ^= 1;
        std::fs::write(&path, other).unwrap();
        desk.leg(&["verify", "bundle"]).with_code(1);
        std::fs::remove_file(&path).unwrap();
        // The instructions may go; whatever else there is may not.
        let code = i32::from(name != "README.md");
        desk.leg(&["verify", "bundle"]).with_code(code);
        std::fs::write(&path, bytes).unwrap();
    }
    desk.leg(&["verify", "bundle"]).with_code(0);
}

#[test]
fn markdown_has_the_report_and_what_identifies_the_run() {
    let desk = Desk::new();
    let run = demo_run(&desk);
    let said = export(&desk, &run, "md", "answer.md");
    let answer = std::fs::read_to_string(desk.path("answer.md")).unwrap();
    let report = std::fs::read_to_string(desk.path("runs").join(&run).join("report.md")).unwrap();
    let (title, rest) = report.split_once('\n').unwrap();
    assert!(answer.starts_with(title) && answer.contains(rest));
    for known in [run.as_str(), said["content_root"].as_str().unwrap(), said["log_root"].as_str().unwrap()] {
        assert!(answer.contains(known), "no {known}");
    }
    assert!(answer.contains(&format!("leg verify {run}")) && answer.contains("demo.zarr"), "{answer}");
}

#[test]
fn json_has_every_call_and_every_line() {
    let desk = Desk::new();
    let run = demo_run(&desk);
    export(&desk, &run, "json", "run.json");
    let document: Value = serde_json::from_slice(&std::fs::read(desk.path("run.json")).unwrap()).unwrap();
    let ledger = std::fs::read_to_string(desk.path("runs").join(&run).join("ledger.jsonl")).unwrap();
    let lines: Vec<Value> = ledger.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(document["ledger"], json!(lines));
    let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).count();
    let run = &document["run"];
    assert_eq!(run["calls"].as_array().unwrap().len(), of("call_finished"));
    assert_eq!(run["nodes"].as_array().unwrap().len(), of("node_finished"));
    assert_eq!(run["verification"]["ok"], true);
    for item in run["evidence"].as_array().unwrap() {
        assert!(item["call"].as_str().unwrap().starts_with("b3:"), "{item}");
    }
    for node in run["nodes"].as_array().unwrap() {
        assert_ne!(node["kind"], "node", "{node}");
    }
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let desk = Desk::new();
    let run = demo_run(&desk);
    let formats = desk.leg(&["export", "--help"]).with_code(0).out;
    for format in ["ro-crate", "prov-json", "html", "md", "json", "bundle"] {
        assert!(formats.contains(&format!("- {format}:")), "{formats}");
        let said = export(&desk, &run, format, &format!("{format}-1"));
        export(&desk, &run, format, &format!("{format}-2"));
        let (one, two) = (desk.path(&format!("{format}-1")), desk.path(&format!("{format}-2")));
        if said["is_folder"] == true {
            assert_eq!(files(&one), files(&two), "{format}");
        } else {
            assert_eq!(std::fs::read(one).unwrap(), std::fs::read(two).unwrap(), "{format}");
        }
    }
}

#[test]
fn nothing_is_overwritten_and_nothing_half_written_is_left() {
    let desk = Desk::new();
    let run = demo_run(&desk);
    let refused = |out: &str, code: i32, words: &str| {
        let ended = desk.leg(&["export", &run, "--format", "bundle", "--out", out]).with_code(code);
        assert!(ended.err.contains(words), "{}", ended.err);
    };
    desk.file("there", "kept");
    refused("there", 2, "exists already");
    assert_eq!(std::fs::read_to_string(desk.path("there")).unwrap(), "kept");
    std::fs::create_dir(desk.path("empty")).unwrap();
    refused("empty", 2, "exists already");
    refused("no/such/folder", 2, "is not there");
    refused(&format!("runs/{run}/inside"), 2, "own folder");
    let wrong = desk.leg(&["export", &run, "--format", "pdf", "--out", "x"]).with_code(2);
    assert!(wrong.err.contains("bundle"), "{}", wrong.err);
    desk.leg(&["export", "no-such-run", "--format", "md", "--out", "x"]).with_code(2);
    desk.leg(&["export", &run, "--format", "md"]).with_code(2);
    // A run that was altered is not passed on.
    let report = desk.path("runs").join(&run).join("report.md");
    std::fs::write(&report, "all is well").unwrap();
    refused("altered", 1, "report.md");
    let names = std::fs::read_dir(desk.path(".")).unwrap().flatten().map(|entry| entry.file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["empty", "runs", "there"]);
}

/// Runs a script of the project with the Python of this machine.
fn script(name: &str, arguments: &[&Path]) -> Option<Output> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name);
    let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("venv-{name}"));
    let ended = Command::new("python3").arg(script).args(arguments).arg("--venv").arg(venv).output();
    match ended {
        Ok(ended) if ended.status.code() != Some(3) => Some(ended),
        Ok(ended) => {
            println!("skipped: {}", String::from_utf8_lossy(&ended.stdout));
            None
        }
        Err(error) => {
            println!("skipped: python3: {error}");
            None
        }
    }
}

fn demo_crate(desk: &Desk) -> PathBuf {
    let run = demo_run(desk);
    export(desk, &run, "ro-crate", "crate");
    desk.path("crate")
}

#[test]
fn the_demo_is_a_strict_run_crate_and_still_a_run() {
    let desk = Desk::new();
    let path = demo_crate(&desk);
    assert_eq!(check_run_crate(&path), Vec::<String>::new());
    desk.leg(&["verify", "crate"]).with_code(0);
    desk.leg(&["replay", "crate"]).with_code(0);
    let plan = path.join("plan.json");
    let changed = std::fs::read_to_string(&plan).unwrap().replace("surface", "bottom");
    std::fs::write(&plan, changed).unwrap();
    assert!(desk.leg(&["verify", "crate"]).with_code(1).out.contains("plan.json"));
}

#[test]
fn the_public_validator_takes_the_crate_and_refuses_a_broken_one() {
    let desk = Desk::new();
    let path = demo_crate(&desk);
    let Some(ended) = script("check_ro_crate.py", &[&path]) else { return };
    let said = String::from_utf8_lossy(&ended.stdout);
    let report: Value = serde_json::from_str(&said)
        .unwrap_or_else(|error| panic!("{error}: {said}\n{}", String::from_utf8_lossy(&ended.stderr)));
    assert_eq!((&report["conforms"], ended.status.code()), (&json!(true), Some(0)), "{report:#}");
    assert!(report["checks"].as_u64().unwrap() > 50, "{report:#}");

    let metadata = path.join("ro-crate-metadata.json");
    let mut document: Value = serde_json::from_slice(&std::fs::read(&metadata).unwrap()).unwrap();
    for entity in document["@graph"].as_array_mut().unwrap() {
        if entity["@type"] == "ControlAction" {
            entity.as_object_mut().unwrap().remove("instrument");
        }
    }
    std::fs::write(&metadata, document.to_string()).unwrap();
    let ended = script("check_ro_crate.py", &[&path]).unwrap();
    let said = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("ControlAction must reference a HowToStep"), "{said}");
}
