//! The table of rules: its form, its order, what an observer sees of it, and how it bears a long plan.

use leg_core::plan::{AgentStep, Comparison, Condition, Layer, Limits, Plan, Policy};
use leg_core::routing::{Draft, Pass, Router, RuleContext};
use serde_json::json;

use crate::world::{compile, registry, track_of, two_layers};

/// What every rule of the table must have, read from its source.
#[test]
fn each_rule_is_one_file_with_a_sketch_a_snapshot_and_a_test_that_twice_is_once() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/routing/rules");
    let table = std::fs::read_to_string(folder.join("mod.rs")).unwrap();
    let lines: Vec<&str> = table.lines().map(str::trim).collect();
    for name in Router::default().names() {
        let source = std::fs::read_to_string(folder.join(format!("{name}.rs"))).unwrap();
        for part in ["/// before", "after", "assert_snapshot!(", "sketch(&"] {
            assert!(source.contains(part), "{name} has no `{part}`");
        }
        // A rule asks for properties, never for a name.
        let code = source.split("#[cfg(test)]").next().unwrap();
        assert!(!code.contains("agent.as_str() ==") && !code.contains("tool.as_str() =="), "{name}");
        let place = format!("{name}::");
        let line = lines.iter().position(|line| line.contains(&place)).unwrap();
        let reason = lines[..line].iter().rev().find(|line| !line.starts_with("pub")).unwrap();
        assert!(reason.starts_with("//"), "{name} stands in the table without a reason: {reason}");
    }
}

#[test]
fn an_observer_sees_each_pass() {
    let registry = registry();
    let mut seen = Vec::new();
    let draft = Draft::of_plan(&two_layers(), &registry).unwrap();
    let mut observer = |pass: &Pass<'_>| {
        seen.push((pass.rule.to_owned(), pass.draft.reporter.is_some(), pass.changed()));
        assert_eq!(pass.after, pass.draft.digest().unwrap());
    };
    Router::default().route_observed(draft, &RuleContext::new(&registry), &mut observer).unwrap();
    assert_eq!(seen.len(), Router::default().names().count());
    assert_eq!(seen[6], ("reporter_last".to_owned(), true, true));
    assert_eq!(seen[7], ("sanity_check".to_owned(), true, false));
    assert!(!seen[5].1);
}

#[test]
fn a_chain_of_ten_thousand_agents_neither_overflows_nor_takes_for_ever() {
    let registry = registry();
    let agent = |at: usize| AgentStep {
        id: format!("n{at}").parse().unwrap(),
        agent: if at == 0 { "gauge" } else { "marks" }.parse().unwrap(),
        task: "look".to_owned(),
        when: (at > 0).then(|| Condition {
            reference: format!("n{}#/status", at - 1).parse().unwrap(),
            op: Comparison::Exists,
            value: json!(null),
        }),
        limits: Limits::default(),
    };
    let layers = (0..10_000).map(|at| Layer { policy: Policy::Settle, nodes: vec![agent(at)] });
    let plan = Plan { version: 1, question: "q".to_owned(), tracks: vec![track_of(layers.collect())] };
    let graph = compile(&plan, &registry).unwrap();
    assert_eq!(graph.tracks()[0].layers.len(), 10_000);
}
