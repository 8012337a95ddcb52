//! Rules that a program adds: what they may do, and what is said about one that does wrong.

use leg_core::plan::{Code, Comparison, Condition, Diagnostic};
use leg_core::routing::{Draft, Position, Rewrite, Router, RoutingError, RoutingRule, RuleContext, Work};
use leg_core::{CompileError, compile_with};
use serde_json::json;

use crate::world::{registry, two_layers, valid};

/// A rule that does what a test tells it.
#[derive(Debug)]
struct Told(Position, fn(&mut Draft), bool);

impl RoutingRule for Told {
    fn name(&self) -> &'static str {
        "told"
    }

    fn position(&self) -> Position {
        self.0
    }

    fn rewrite(&self, mut draft: Draft, _: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        self.1(&mut draft);
        Ok(Rewrite::new(draft, self.2))
    }
}

fn add_marks(draft: &mut Draft) {
    let layer = &mut draft.tracks[0].layers[1];
    if layer.nodes.len() > 1 {
        return;
    }
    let mut marks = layer.nodes[0].clone();
    if let Work::Agent(agent) = &mut marks.work {
        agent.id = "marks".parse().unwrap();
        agent.agent = "marks".parse().unwrap();
    }
    layer.nodes.push(marks);
}

#[test]
fn an_extra_rule_may_add_work_before_the_generic_rules_and_not_after() {
    let registry = registry();
    let content = Router::new(vec![Box::new(Told(Position::Content, add_marks, true))]);
    let graph = compile_with(&valid(), &registry, &content).unwrap();
    assert!(graph.find(&"marks".parse().unwrap()).is_some());
    assert!(graph.tracks()[0].layers[1].consolidator.is_some());
    let rules: Vec<&str> = graph.applications().iter().map(|one| one.rule.as_str()).collect();
    assert_eq!(rules, ["told", "consolidator_after_layer", "reporter_last"]);
    let chain = graph.applications();
    assert!(chain.windows(2).all(|pair| pair[0].after == pair[1].before));

    let last = Router::new(vec![Box::new(Told(Position::Final, add_marks, true))]);
    assert_eq!(last.names().collect::<Vec<_>>()[7..], ["told", "sanity_check"]);
    let error = compile_with(&valid(), &registry, &last).unwrap_err();
    assert_eq!(error.diagnostics()[0].code, Code::BrokenRule);
}

/// What a rule does to a draft, and a part of what is said about it.
type Fault = (&'static str, fn(&mut Draft));

#[test]
fn a_rule_that_tears_the_graph_is_named() {
    let registry = registry();
    let faults: [Fault; 6] = [
        ("`gauges` is lost", |draft| draft.tracks[0].layers.truncate(1)),
        ("two nodes have the id `storm`", |draft| {
            let node = draft.tracks[0].layers[0].nodes[0].clone();
            draft.tracks[0].layers[1].nodes.push(node);
        }),
        ("was the work of `gauge`", |draft| {
            if let Work::Agent(agent) = &mut draft.tracks[0].layers[1].nodes[0].work {
                agent.agent = "marks".parse().unwrap();
            }
        }),
        ("does not come before it", |draft| {
            if let Work::Agent(agent) = &mut draft.tracks[0].layers[0].nodes[0].work {
                let reference = "gauges#/status".parse().unwrap();
                agent.when = Some(Condition { reference, op: Comparison::Exists, value: json!(null) });
            }
        }),
        ("not in a shared track", |draft| {
            draft.tracks[0].layers.truncate(1);
            draft.lifted.insert("gauges".parse().unwrap(), "storm".parse().unwrap());
        }),
        ("which it does not have", |draft| draft.tracks[0].result = Some("nowhere".parse().unwrap())),
    ];
    for (part, fault) in faults {
        let router = Router::new(vec![Box::new(Told(Position::Content, fault, true))]);
        let draft = Draft::of_plan(&two_layers(), &registry).unwrap();
        match router.route(draft, &RuleContext::new(&registry)) {
            Err(RoutingError::Broken { rule, reason }) => {
                assert_eq!(rule, "told");
                assert!(reason.contains(part), "{part}: {reason}");
            }
            other => panic!("{part}: {other:?}"),
        }
    }
}

#[test]
fn a_rule_that_hides_a_change_is_found() {
    let registry = registry();
    let hidden = Told(Position::Final, |draft| draft.question.push('!'), false);
    let error = compile_with(&valid(), &registry, &Router::new(vec![Box::new(hidden)])).unwrap_err();
    assert!(error.to_string().contains("said that it did not"), "{error}");
}

/// Puts a mark on the question, or takes it off.
#[derive(Debug)]
struct Mark {
    name: &'static str,
    from: &'static str,
    to: &'static str,
}

impl RoutingRule for Mark {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rewrite(&self, mut draft: Draft, _: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        let changed = draft.question.ends_with(self.from);
        if changed {
            let rest = draft.question.trim_end_matches(self.from).to_owned();
            draft.question = rest + self.to;
        }
        Ok(Rewrite::new(draft, changed))
    }
}

#[test]
fn rules_that_undo_each_other_are_named() {
    let registry = registry();
    let ask = |name, from, to| -> Box<dyn RoutingRule> { Box::new(Mark { name, from, to }) };
    let route = |rules| compile_with(&valid(), &registry, &Router::new(rules));
    // Each alone comes to rest; the two together go round.
    route(vec![ask("ask", "q", "q?")]).unwrap();
    let error = route(vec![ask("ask", "q", "q?"), ask("plain", "q?", "q")]).unwrap_err();
    let rules = vec!["ask".to_owned(), "plain".to_owned()];
    assert_eq!(error, CompileError::Routing(RoutingError::Conflict { rules }));
    assert!(error.to_string().contains("`ask` and `plain` changed the graph again"), "{error}");
    assert_eq!(error.diagnostics()[0].code, Code::BrokenRule);
    // One that never has enough is named too.
    let error = route(vec![Box::new(Told(Position::Content, |draft| draft.question.push('!'), true))]);
    let rules = vec!["told".to_owned()];
    assert_eq!(error.unwrap_err(), CompileError::Routing(RoutingError::Conflict { rules }));
}
