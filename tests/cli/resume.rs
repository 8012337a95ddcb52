//! Runs that go on, and runs that are done again: `resume`, `replay` in its modes, limits of a run.

use std::path::Path;

use serde_json::{Value, json};

use crate::ledger::small_run;
use crate::plans::good;
use crate::program::{Desk, demo, text};

/// Leaves of the ledger what a kill in the middle would have left: half of its lines, and a torn one.
fn kill(run: &Path) -> usize {
    let ledger = run.join("ledger.jsonl");
    let whole = std::fs::read_to_string(&ledger).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let half = lines.len() / 2;
    std::fs::write(&ledger, format!("{}\n{{\"core\":{{", lines[..half].join("\n"))).unwrap();
    for file in ["run.json", "report.json", "report.md"] {
        std::fs::remove_file(run.join(file)).unwrap();
    }
    lines.len()
}

#[test]
fn a_killed_run_goes_on_and_ends_as_if_nothing_had_happened() {
    let desk = Desk::new();
    let run = small_run(&desk);
    let report = std::fs::read(run.join("report.json")).unwrap();
    let root = |verified: &Value| verified["content_root"].clone();
    let whole = desk.leg(&["verify", &text(&run), "--json"]).with_code(0).json();
    kill(&run);
    let cut = desk.leg(&["verify", &text(&run), "--json"]).with_code(1).json();
    let kinds: Vec<&Value> = cut["faults"].as_array().unwrap().iter().map(|fault| &fault["kind"]).collect();
    assert!(kinds.contains(&&json!("torn_line")) && kinds.contains(&&json!("unfinished")), "{cut}");
    let resumed = desk.leg(&["resume", &text(&run), "--json"]).with_code(0).json();
    assert_eq!(resumed["status"], "ok");
    assert_eq!(std::fs::read(run.join("report.json")).unwrap(), report);
    let again = desk.leg(&["verify", &text(&run), "--json"]).with_code(0).json();
    assert_eq!(root(&again), root(&whole));
    // Nothing is left to do.
    let nothing = desk.leg(&["resume", &text(&run)]).with_code(2);
    assert!(nothing.err.contains("nothing to resume"), "{}", nothing.err);
}

#[test]
fn a_run_is_computed_again_and_a_source_that_is_gone_is_named() {
    let desk = Desk::new();
    let plan = desk.file("plan.json", good());
    let data = desk.path("ocean.zarr");
    desk.leg(&["data", "demo", &text(&data)]).with_code(0);
    let ran = desk.leg(&["run", &plan, "--data", &text(&data), "--yes", "--json"]).with_code(0).json();
    let run = ran["run_id"].as_str().unwrap();
    for mode in ["strict", "recompute", "live"] {
        let replayed = desk.leg(&["replay", run, "--mode", mode, "--json"]).with_code(0).json();
        assert_eq!(replayed["mode"], mode);
        assert_eq!(replayed["content_root"], ran["content_root"], "{mode}");
        assert_eq!(replayed["not_recomputed"], json!([]));
    }
    std::fs::remove_dir_all(&data).unwrap();
    desk.leg(&["replay", run]).with_code(0);
    let gone = desk.leg(&["replay", run, "--mode", "recompute", "--json"]).with_code(1).json();
    let named: Vec<&Value> = gone["not_recomputed"].as_array().unwrap().iter().map(|r| &r["tool"]).collect();
    assert!(named.contains(&&json!("load_dataset")), "{gone}");
}

#[test]
fn two_runs_are_compared_record_by_record() {
    let desk = Desk::new();
    let one = text(&small_run(&desk));
    let two = text(&small_run(&desk));
    let same = desk.leg(&["replay", &one, "--against", &two, "--json"]).with_code(0).json();
    assert_eq!((&same["mode"], &same["ok"]), (&json!("against"), &json!(true)));
    let other = desk.file("other.json", good().replace("2016", "2015"));
    let ran = desk.leg(&["run", &other, "--data", demo(), "--yes", "--json"]).with_code(0).json();
    let run = ran["run_id"].as_str().unwrap();
    let differs = desk.leg(&["replay", &one, "--against", run, "--json"]).with_code(1).json();
    assert_ne!(differs["divergence"]["recorded"], differs["divergence"]["replayed"]);
}

#[test]
fn limits_are_read_and_a_budget_of_nothing_starts_nothing() {
    let desk = Desk::new();
    let plan = desk.file("plan.json", good());
    let run = |more: &[&str]| {
        let mut all = vec!["run", &plan, "--data", demo(), "--yes", "--json"];
        all.extend(more);
        desk.leg(&all)
    };
    let empty = run(&["--budget", "calls=0"]).with_code(1).json();
    let statuses: Vec<&Value> =
        empty["steps"].as_array().unwrap().iter().map(|step| &step["status"]).collect();
    assert!(statuses.contains(&&json!("budget_exhausted")), "{statuses:?}");
    assert_eq!(empty["usage"]["calls"], json!({"limit": 0, "spent": 0}));
    run(&["--budget", "calls=100", "--timeout", "600", "--durability", "record", "--payload", "minimal"])
        .with_code(0);
    for (wrong, says) in [
        (vec!["--budget", "calls"], "calls=100"),
        (vec!["--budget", "coffee=3"], "bytes, calls, money"),
        (vec!["--timeout", "-1"], "above 0"),
        (vec!["--payload", "some"], "minimal, standard or full"),
    ] {
        let refused = run(&wrong).with_code(2);
        assert!(format!("{}{}", refused.out, refused.err).contains(says), "{wrong:?}: {}", refused.err);
    }
}
