//! `leg graph`: what the rules make of a plan, and what it will cost.

use serde_json::{Value, json};

use super::plans;
use super::program::Desk;

/// Two tracks that load the same field, and one that draws it.
fn two_tracks() -> String {
    let map =
        json!({ "id": "map", "tool": "compute_spatial_field", "args": { "data": { "$ref": "field" } } });
    let again = json!({ "id": "again", "tool": "load_dataset", "args": plans::load()["args"] });
    let top =
        json!({ "id": "top", "tool": "compute_area_weighted_mean", "args": { "data": { "$ref": "again" } } });
    let tracks = json!([
        { "id": "maps", "goal": "a map", "steps": [plans::load(), map], "result": { "$ref": "map" } },
        { "id": "means", "goal": "a mean", "steps": [again, top], "result": { "$ref": "top" } },
    ]);
    json!({ "version": 1, "question": "How warm was it?", "tracks": tracks }).to_string()
}

#[test]
fn explain_shows_the_graph_after_each_pass_with_its_digests() {
    let desk = Desk::new();
    let file = desk.file("plan.json", two_tracks());
    let shown = desk.leg(&["graph", &file, "--explain", "--json"]).with_code(0).json();
    let passes = shown["passes"].as_array().unwrap();
    let rules: Vec<&str> = passes.iter().map(|pass| pass["rule"].as_str().unwrap()).collect();
    // Rules of a domain add and move work before the generic ones make a graph of it.
    assert_eq!(rules.first(), Some(&"widen_underspecified"));
    assert_eq!(rules.get(3), Some(&"lift_shared_steps"));
    assert_eq!(rules.last(), Some(&"sanity_check"));
    // Each pass begins where the last one ended, and a digest changes exactly where the rule did something.
    for pair in passes.windows(2) {
        assert_eq!(pair[0]["after"], pair[1]["before"]);
    }
    let changed = |pass: &&Value| pass["changed"] == true;
    for pass in passes {
        assert_eq!(changed(&pass), pass["before"] != pass["after"], "{pass}");
        assert!(pass["after"].as_str().unwrap().starts_with("b3:"));
    }
    let names: Vec<&Value> = passes.iter().filter(changed).map(|pass| &pass["rule"]).collect();
    assert_eq!(json!(names), json!(["lift_shared_steps", "merge_after_tracks", "reporter_last"]));
    // What is recorded in the ledger is what was shown.
    let recorded: Vec<Value> = passes
        .iter()
        .filter(changed)
        .map(|pass| json!({ "rule": pass["rule"], "before": pass["before"], "after": pass["after"] }))
        .collect();
    assert_eq!(shown["rules"], json!(recorded));
    assert!(shown["start"].as_str().unwrap().contains("again"), "the plan as it was written");
    assert!(!passes[3]["graph"].as_str().unwrap().contains("again"), "lifted: {}", passes[3]["graph"]);

    let text = desk.leg(&["graph", &file, "--explain"]).with_code(0).out;
    for pass in passes {
        let (rule, after) = (pass["rule"].as_str().unwrap(), pass["after"].as_str().unwrap());
        assert!(text.contains(&format!("after {rule}, ")) && text.contains(after), "{rule}: {text}");
    }
    assert!(!desk.leg(&["graph", &file]).with_code(0).out.contains("after lift_shared_steps"));
}

#[test]
fn a_plan_without_its_last_closers_runs_only_when_somebody_looked_at_it() {
    let desk = Desk::new();
    let whole = plans::good();
    let file = desk.file("cut.json", whole.trim_end_matches('}'));
    // Agreed to unseen: no.
    let refused = desk.leg(&["run", &file, "--data", super::program::demo(), "--yes"]).with_code(2);
    assert!(refused.err.contains("the text ends before the plan does"), "{}", refused.err);
    assert!(refused.err.contains("--approve"), "{}", refused.err);
    assert!(desk.runs().is_empty());
    // Looked at and approved by its digest: yes, and the repair is recorded.
    let shown = desk.leg(&["graph", &file, "--json"]).with_code(0);
    assert!(shown.err.contains("closing brackets are missing"), "{}", shown.err);
    let digest = shown.json()["plan_digest"].as_str().unwrap().to_owned();
    let arguments =
        ["run", file.as_str(), "--data", super::program::demo(), "--approve", digest.as_str(), "--json"];
    let ran = desk.leg(&arguments).with_code(0).json();
    assert_eq!(ran["status"], "ok");
    let ledger = std::fs::read_to_string(desk.runs()[0].join("ledger.jsonl")).unwrap();
    assert!(ledger.contains("missing_closer"));
    // A digest approves anew each time; what it approved once is used up.
    desk.leg(&arguments).with_code(0);
    assert_eq!(std::fs::read_dir(desk.path("runs/approvals")).unwrap().count(), 2);
}

#[test]
fn the_cost_is_shown_before_anybody_approves() {
    let desk = Desk::new();
    let file = desk.file("plan.json", plans::good());
    let cost = desk.leg(&["graph", &file, "--json"]).with_code(0).json()["cost"].clone();
    assert_eq!((&cost["calls_at_most"], &cost["critical_path"]), (&json!(2), &json!(3)));
    // Nothing is known of what these tools will read, and that is said.
    assert_eq!(cost["bytes_unknown"], json!(["field", "mean"]));
    let line =
        "cost: 2 calls, 3 nodes in 2 layers, longest path 3, bytes read by `field`, `mean` unknown, no hosts";
    assert!(desk.leg(&["graph", &file]).with_code(0).out.contains(line));
    let refused = desk.leg(&["run", &file, "--data", super::program::demo()]).with_code(2);
    assert!(refused.err.contains(line), "{}", refused.err);
    let question = "Map the mean surface temperature of 2015 in the coastal box";
    for command in ["plan", "ask"] {
        let shown = desk.leg(&[command, question, "--data", super::program::demo()]);
        assert!(shown.err.contains("cost: "), "{command}: {}", shown.err);
    }
}
