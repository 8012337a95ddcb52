//! The skills of the repository, and what the check finds in broken ones.

use leg_agents::planner::{Planner, PlannerAnswer};
use leg_agents::skills::{check, load_embedded};
use leg_core::plan::Body;

use crate::support::{context, demo, global, registry, skills};

#[test]
fn the_skills_of_the_repository_have_no_problems() {
    let problems: Vec<String> = check(&skills(), &registry()).iter().map(ToString::to_string).collect();
    assert_eq!(problems, Vec::<String>::new());
    assert!(skills().len() >= 10);
}

#[test]
fn each_example_question_gets_the_plan_that_it_shows() {
    let skills = skills();
    let planner = Planner::new(&skills).unwrap();
    let mut wrong = Vec::new();
    for skill in skills.iter() {
        for example in &skill.workflow.examples {
            // A question about an index needs a surface record that covers its box.
            let of_index = skill.workflow.parameters.values().any(|parameter| parameter.slot == "index");
            let context = if of_index { context([global()]) } else { context([demo()]) };
            match planner.plan(&example.question, &context) {
                PlannerAnswer::Plan { plan, skill: chosen, .. } => {
                    let tools: Vec<&str> = plan
                        .tracks
                        .iter()
                        .flat_map(|track| match &track.body {
                            Body::Steps(steps) => steps.as_slice(),
                            Body::Layers(_) => &[],
                        })
                        .map(|step| step.tool.as_str())
                        .collect();
                    if chosen != skill.id || tools != example.plan {
                        wrong.push(format!("{}: {} -> {chosen} {tools:?}", skill.id, example.question));
                    }
                }
                other => wrong.push(format!("{}: {} -> {other:?}", skill.id, example.question)),
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_broken_skill_is_told_all_its_problems() {
    let head = "---\nname: other\ndescription: d\nallowed-tools: load_dataset no_such_tool\n---\n";
    let body = r#"{"version": 1,
        "parameters": {"region": {"type": "region"}, "idle": {"type": "wish"}},
        "steps": [
            {"id": "a", "tool": "load_dataset", "args": {"region": {"$param": "region"}, "colour": 1}},
            {"id": "b", "tool": "compute_trend", "args": {"timeseries": {"$ref": "a"}, "method": {"$param": "nothing"}}},
            {"id": "b", "tool": "render_figure", "args": {"artifact": {"$ref": "later"}}},
            {"id": "c", "tool": "missing_tool", "args": {"x": {"$ref": "a#/outputs/none"}}},
            {"skill": "nowhere", "with": {}, "as": "d"}],
        "branches": {"short": []},
        "result": {"ref": "a", "kind": "map", "type": "spatial_field"},
        "examples": []}"#;
    let words = "[[bind]]\nparameter = \"ghost\"\npattern = '('\n[[branch]]\nname = \"nope\"\n";
    let set = load_embedded([
        ("bad/SKILL.md", head),
        ("bad/workflow.json", body),
        ("bad/phrases.toml", words),
        ("half/SKILL.md", "nothing"),
    ]);
    let problems: Vec<String> = check(&set, &registry()).iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(problems.join("\n"));
}

#[test]
fn skills_that_lead_back_to_themselves_are_found_and_make_no_plan() {
    let head = |name: &str| format!("---\nname: {name}\ndescription: d\n---\n\nmanual\n");
    let body = |other: &str| {
        format!(
            r#"{{"version": 1, "parameters": {{"variable": {{"type": "variable"}}}},
            "steps": [{{"skill": "{other}", "with": {{}}, "as": "x"}}],
            "result": {{"ref": "x", "kind": "map", "type": "t"}}}}"#
        )
    };
    let set = load_embedded([
        ("a/SKILL.md", head("a")),
        ("a/workflow.json", body("b")),
        ("b/SKILL.md", head("b")),
        ("b/workflow.json", body("a")),
    ]);
    let problems = check(&set, &registry());
    assert!(problems.iter().any(|problem| problem.message.contains("leads back")), "{problems:?}");
    let answer = Planner::new(&set).unwrap().plan("temperature in the coastal box", &context([demo()]));
    assert!(matches!(answer, PlannerAnswer::OutOfScope { .. }), "{answer:?}");
}
