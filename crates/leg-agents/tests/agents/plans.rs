//! Plans of questions, as compact text.

use std::fmt::Write as _;

use leg_agents::planner::{Planner, PlannerAnswer, PlannerContext};
use leg_core::Plan;
use leg_core::plan::Body;
use serde_json::Value;

use crate::support::{context, demo, global, registry, skills};

/// `track "goal": id=tool(args) … -> result`, a line a step.
pub(crate) fn skeleton(plan: &Plan) -> String {
    let mut out = String::new();
    for track in &plan.tracks {
        let _ = writeln!(out, "{} \"{}\"", track.id, track.goal);
        let Body::Steps(steps) = &track.body else { continue };
        for step in steps {
            let args: Vec<String> = step
                .args
                .as_object()
                .into_iter()
                .flatten()
                .filter(|(name, _)| name.as_str() != "title")
                .map(|(name, value)| format!("{name}: {}", short(value)))
                .collect();
            let _ = writeln!(out, "  {} = {}({})", step.id, step.tool, args.join(", "));
        }
        if let Some(result) = &track.result {
            let _ = writeln!(out, "  -> {result}");
        }
    }
    out
}

fn short(value: &Value) -> String {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => format!("@{reference}"),
        None => value.to_string().replace('"', ""),
    }
}

pub(crate) fn render(answer: &PlannerAnswer) -> String {
    match answer {
        PlannerAnswer::Plan { plan, skill, assumptions, .. } => {
            let notes: Vec<String> = assumptions.iter().map(|text| format!("  ~ {text}\n")).collect();
            format!("[{skill}]\n{}{}", skeleton(plan), notes.concat())
        }
        PlannerAnswer::Clarification { missing, .. } => {
            let asks: Vec<String> = missing
                .iter()
                .map(|one| format!("  ? {}: {} {:?}\n", one.slot, one.ask, one.choices))
                .collect();
            format!("[clarification]\n{}", asks.concat())
        }
        PlannerAnswer::OutOfScope { reason } => {
            format!("[out of scope]\n  {}\n", reason.split(" The skills").next().unwrap_or_default())
        }
    }
}

fn table(questions: &str, context: &PlannerContext) -> String {
    let planner = Planner::new(&skills()).unwrap();
    let mut out = String::new();
    for question in questions.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let answer = planner.plan(question, context);
        let _ = writeln!(out, "# {question}\n{}", render(&answer));
    }
    out
}

#[test]
fn the_demo_question_has_two_tracks_with_a_chart_and_a_map() {
    let question = "How did surface temperature change from 2015 to 2017 in the coastal box and in the basin box, and which warmed faster?";
    insta::assert_snapshot!(table(question, &context([demo()])));
}

#[test]
fn the_nino_question_has_an_index_with_its_baseline() {
    let question = "How did the Niño 3.4 sea surface temperature anomaly evolve from 2010 to 2019 relative to 2010-2019, and when was it warmest?";
    insta::assert_snapshot!(table(question, &context([global()])));
}

#[test]
fn questions_of_the_four_families() {
    insta::assert_snapshot!(table(include_str!("questions/demo.txt"), &context([demo()])));
}

#[test]
fn questions_of_a_global_surface_record() {
    insta::assert_snapshot!(table(include_str!("questions/global.txt"), &context([global()])));
}

#[test]
fn what_is_missing_is_asked_for() {
    insta::assert_snapshot!(table(include_str!("questions/clarifications.txt"), &context([demo()])));
}

/// Ids are unique, results and references are there.
pub(crate) fn is_valid(plan: &Plan) {
    let mut ids = std::collections::BTreeSet::new();
    for track in &plan.tracks {
        let Body::Steps(steps) = &track.body else { panic!("rules plans have steps") };
        let mut own = std::collections::BTreeSet::new();
        for step in steps {
            assert!(ids.insert(step.id.clone()), "{} stands twice", step.id);
            let mut stack = vec![&step.args];
            while let Some(value) = stack.pop() {
                if let Some(text) = leg_core::plan::Reference::text_in(value) {
                    let reference: leg_core::plan::Reference = text.parse().unwrap();
                    assert!(own.contains(&reference.node), "{reference} is not before {}", step.id);
                }
                assert!(value.get("$param").is_none(), "a parameter was left in {}", step.id);
                stack.extend(value.as_object().into_iter().flat_map(|members| members.values()));
                stack.extend(value.as_array().into_iter().flatten());
            }
            own.insert(step.id.clone());
        }
        assert!(!track.goal.is_empty());
        assert!(own.contains(&track.result.as_ref().unwrap().node));
    }
    let valid = leg_core::plan::validate(plan.clone(), &registry());
    assert!(valid.is_ok(), "{:?}", valid.err());
}

#[test]
fn every_plan_of_the_tables_is_valid() {
    let planner = Planner::new(&skills()).unwrap();
    let mut plans = 0;
    for (questions, context) in [
        (include_str!("questions/demo.txt"), context([demo()])),
        (include_str!("questions/global.txt"), context([global()])),
    ] {
        for question in questions.lines() {
            match planner.plan(question, &context) {
                PlannerAnswer::Plan { plan, .. } => {
                    is_valid(&plan);
                    plans += 1;
                }
                other => panic!("{question}: {other:?}"),
            }
        }
    }
    assert!(plans >= 60, "{plans}");
}

#[test]
fn flags_win_over_the_words() {
    let planner = Planner::new(&skills()).unwrap();
    let context = PlannerContext {
        datasets: vec![demo()],
        overrides: leg_agents::planner::Overrides {
            region: Some(serde_json::json!({"name": "basin"})),
            time: Some(serde_json::json!(["2016-01-01", "2016-06-30"])),
            depth: Some(serde_json::json!({"at": 50})),
            variable: Some(serde_json::json!("salinity")),
        },
    };
    let answer = planner.plan("mean surface temperature of 113-117E, 19-22N in 2015", &context);
    insta::assert_snapshot!(render(&answer));
}

#[test]
fn one_of_several_datasets_is_chosen_by_variable_place_and_name() {
    let questions = "Salinity of the coastal box in 2016\nSST in the North Sea in 2016\nSST in the coastal box in 2016\nSST of 113-117E, 19-22N in 2016 from ersst\nWhich variables does the data have?\nWhich variables does the dataset demo have?";
    insta::assert_snapshot!(table(questions, &context([demo(), global()])));
}
