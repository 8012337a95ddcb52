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
    let file = desk.file("plan.json", &two_tracks());
    let shown = desk.leg(&["graph", &file, "--explain", "--json"]).with_code(0).json();
    let passes = shown["passes"].as_array().unwrap();
    let rules: Vec<&str> = passes.iter().map(|pass| pass["rule"].as_str().unwrap()).collect();
    assert_eq!(rules.first(), Some(&"lift_shared_steps"));
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
    assert!(!passes[0]["graph"].as_str().unwrap().contains("again"), "lifted: {}", passes[0]["graph"]);

    let text = desk.leg(&["graph", &file, "--explain"]).with_code(0).out;
    for pass in passes {
        let (rule, after) = (pass["rule"].as_str().unwrap(), pass["after"].as_str().unwrap());
        assert!(text.contains(&format!("after {rule}, ")) && text.contains(after), "{rule}: {text}");
    }
    assert!(!desk.leg(&["graph", &file]).with_code(0).out.contains("after lift_shared_steps"));
}
