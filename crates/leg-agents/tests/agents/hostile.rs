//! Questions that no one would ask.

use leg_agents::planner::{Overrides, Planner, PlannerAnswer, PlannerContext};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{context, demo, global, skills};

#[test]
fn no_question_panics() {
    let planner = Planner::new(&skills()).unwrap();
    let contexts = [context([]), context([demo()]), context([demo(), global()])];
    let words = proptest::collection::vec(
        prop_oneof![
            "[ -~]{0,12}",
            any::<String>(),
            proptest::sample::select(vec![
                "temperature",
                "in",
                "2015",
                "-",
                "to",
                "113E",
                "19-22N",
                "°",
                "between",
                "and",
                "versus",
                "coastal",
                "box",
                "0-200 m",
                "at",
                "summer",
                "Niño 3.4",
                "relative to 2010-2019",
                "[",
                "]",
                "lon",
                "99999999999",
                "-0",
                "1e308",
                "31 February 2015",
                "2015-13",
                "~",
                "trend",
            ])
            .prop_map(str::to_owned),
        ],
        0..14,
    );
    let mut runner = proptest::test_runner::TestRunner::default();
    runner
        .run(&words, |words| {
            let question = words.join(" ");
            for context in &contexts {
                if let PlannerAnswer::Plan { plan, .. } = planner.plan(&question, context) {
                    crate::plans::is_valid(&plan);
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_very_long_question_is_cut() {
    let planner = Planner::new(&skills()).unwrap();
    let question = "temperature 113-117E, ".repeat(20_000);
    let _ = planner.plan(&question, &context([demo()]));
}

#[test]
fn flags_that_cannot_be_read_are_asked_for() {
    let planner = Planner::new(&skills()).unwrap();
    let bad = [
        Overrides { region: Some(json!({"lon": [1]})), ..Overrides::default() },
        Overrides { region: Some(json!({"name": "atlantis"})), ..Overrides::default() },
        Overrides { time: Some(json!(["2017", "2015"])), ..Overrides::default() },
        Overrides { depth: Some(json!("deep")), ..Overrides::default() },
        Overrides { variable: Some(json!("vibes")), ..Overrides::default() },
        Overrides { variable: Some(json!(7)), ..Overrides::default() },
    ];
    for overrides in bad {
        let context = PlannerContext { datasets: vec![demo()], overrides };
        let answer = planner.plan("mean temperature in the coastal box in 2016", &context);
        assert!(matches!(answer, PlannerAnswer::Clarification { .. }), "{:?}: {answer:?}", context.overrides);
    }
}
