//! Routing and compiling on random plans: twice is once, nothing is lost, every promise of the graph holds.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use leg_core::graph::{Edge, LayeredGraph, NodeKind};
use leg_core::plan::{
    AgentStep, Barriers, Body, Code, Comparison, Condition, Diagnostic, Layer, Limits, Plan, Policy, Step,
    Track, ValidPlan, validate,
};
use leg_core::routing::{
    Draft, Pass, Position, Rewrite, Router, RoutingError, RoutingRule, RuleApplication, RuleContext, Work,
};
use leg_core::{CompileError, DataClass, NodeId, Registry, compile_with};
use leg_testkit::{FakeAgent, FakeTool, fake_registry, strategies};
use petgraph::visit::EdgeRef as _;
use proptest::prelude::*;
use serde_json::json;

/// The fake world, and agents that need each other's facts in every way.
fn registry() -> Registry {
    let mut registry = fake_registry().unwrap();
    let figure = FakeTool::echo("draw_forecast").with_images().data_class(DataClass::Forecast);
    registry.add_tool(std::sync::Arc::new(figure)).unwrap();
    let class =
        [None, Some(DataClass::Observation), Some(DataClass::Forecast), Some(DataClass::Hypothetical)];
    for number in 0..12_usize {
        let mut agent = FakeAgent::new(&format!("web{number}")).unwrap();
        agent = agent.with_spec(|spec| {
            spec.data_class = class[number % 4];
            spec.provides = vec![format!("fact{}", number % 5)];
            spec.needs = vec![format!("fact{}", (number * 3 + 1) % 5), format!("fact{}", (number + 4) % 6)];
            if number % 3 == 0 {
                spec.needs.truncate(1);
            }
            spec.produces_images = number % 5 == 0;
        });
        registry.add_agent(std::sync::Arc::new(agent)).unwrap();
    }
    registry
}

const AGENTS: [&str; 18] = [
    "tracker",
    "gauge",
    "marks",
    "forecaster",
    "zones",
    "mapper",
    "web0",
    "web1",
    "web2",
    "web3",
    "web4",
    "web5",
    "web6",
    "web7",
    "web8",
    "web9",
    "web10",
    "web11",
];
const TOOLS: [&str; 6] = ["echo", "observe", "forecast", "flood_zone", "draw_forecast", "publish"];

/// Plans with few different steps, so that tracks share many, and with layers of agents that need much.
fn tangled_plan() -> impl Strategy<Value = Plan> {
    let step = (
        0..TOOLS.len(),
        0..2_u8,
        proptest::collection::vec(any::<prop::sample::Index>(), 0..3),
        any::<bool>(),
    );
    let steps = proptest::collection::vec(step, 1..9).prop_map(|choices| {
        let mut steps: Vec<Step> = Vec::new();
        for (at, (tool, value, parents, condition)) in choices.into_iter().enumerate() {
            let mut args = json!({"value": value});
            let mut when = None;
            for (place, parent) in parents.iter().enumerate().filter(|_| at > 0) {
                let target = &steps[parent.index(at)].id;
                args[format!("in{place}")] = json!({"$ref": target.as_str()});
                if condition {
                    let reference = format!("{target}#/status").parse().unwrap();
                    when = Some(Condition { reference, op: Comparison::Exists, value: json!(null) });
                }
            }
            steps.push(Step {
                id: format!("s{at}").parse().unwrap(),
                tool: TOOLS[tool].parse().unwrap(),
                args,
                for_each: None,
                when,
                limits: Limits::default(),
            });
        }
        Body::Steps(steps)
    });
    let node = (0..AGENTS.len(), any::<prop::sample::Index>(), 0..4_u8);
    let layers = proptest::collection::vec(proptest::collection::vec(node, 1..5), 1..5).prop_map(|layers| {
        let mut earlier: Vec<NodeId> = Vec::new();
        let mut done = Vec::new();
        let mut number = 0;
        for layer in layers {
            let mut nodes = Vec::new();
            for (agent, target, condition) in layer {
                let when = (condition == 0 && !earlier.is_empty()).then(|| Condition {
                    reference: format!("{}#/status", earlier[target.index(earlier.len())]).parse().unwrap(),
                    op: Comparison::Exists,
                    value: json!(null),
                });
                nodes.push(AgentStep {
                    id: format!("n{number}").parse().unwrap(),
                    agent: AGENTS[agent].parse().unwrap(),
                    task: "look".to_owned(),
                    when,
                    limits: Limits::default(),
                });
                number += 1;
            }
            earlier.extend(nodes.iter().map(|node| node.id.clone()));
            done.push(Layer { policy: Policy::Settle, nodes });
        }
        Body::Layers(done)
    });
    let body = prop_oneof![2 => steps, 1 => layers];
    (proptest::collection::vec((body, any::<bool>()), 1..5)).prop_map(|bodies| {
        let tracks = bodies.into_iter().enumerate().map(|(t, (body, named))| track(t, body, named));
        Plan { version: 1, question: "q".to_owned(), tracks: tracks.collect() }
    })
}

/// Makes ids unique; half of the steps tracks name their result.
fn track(t: usize, mut body: Body, named: bool) -> Track {
    let prefix = |id: &NodeId| -> NodeId { format!("t{t}_{id}").parse().unwrap() };
    let mut result = None;
    match &mut body {
        Body::Steps(steps) => {
            for step in steps.iter_mut() {
                step.id = prefix(&step.id);
                for value in step.args.as_object_mut().unwrap().values_mut() {
                    if let Some(text) = value.get("$ref").and_then(|text| text.as_str()) {
                        *value = json!({"$ref": format!("t{t}_{text}")});
                    }
                }
                if let Some(when) = &mut step.when {
                    when.reference.node = prefix(&when.reference.node);
                }
            }
            if named {
                result = Some(steps[0].id.as_str().parse().unwrap());
            }
        }
        Body::Layers(layers) => {
            for node in layers.iter_mut().flat_map(|layer| &mut layer.nodes) {
                node.id = prefix(&node.id);
                if let Some(when) = &mut node.when {
                    when.reference.node = prefix(&when.reference.node);
                }
            }
        }
    }
    Track {
        id: format!("t{t}").parse().unwrap(),
        goal: String::new(),
        barriers: Barriers::Strict,
        body,
        result,
    }
}

fn compile(plan: &Plan, registry: &Registry) -> Result<LayeredGraph, CompileError> {
    leg_core::compile(&validate(plan.clone(), registry).unwrap(), registry)
}

fn any_plan() -> impl Strategy<Value = Plan> {
    prop_oneof![1 => strategies::valid_plan(), 3 => tangled_plan()]
}

fn plan_ids(plan: &Plan) -> BTreeSet<NodeId> {
    let ids = plan.tracks.iter().flat_map(|track| match &track.body {
        Body::Steps(steps) => steps.iter().map(|step| step.id.clone()).collect::<Vec<_>>(),
        Body::Layers(layers) => {
            layers.iter().flat_map(|layer| &layer.nodes).map(|node| node.id.clone()).collect()
        }
    });
    ids.collect()
}

fn class_of(
    graph: &LayeredGraph,
    index: leg_core::graph::NodeIndex,
    registry: &Registry,
) -> Option<DataClass> {
    match &graph.node(index).unwrap().kind {
        NodeKind::Agent(agent) => registry.agent(agent.agent.as_str()).unwrap().spec.data_class,
        NodeKind::Tool(step) => registry.tool(step.tool.as_str()).unwrap().spec.data_class,
        _ => None,
    }
}

/// All that a compiled graph promises, looked at from outside.
fn check_graph(graph: &LayeredGraph, plan: &Plan, registry: &Registry) -> Result<(), TestCaseError> {
    for id in plan_ids(plan) {
        prop_assert!(graph.find(&id).is_some(), "{} is lost", id);
    }
    let mut seen = BTreeSet::new();
    for index in graph.graph().node_indices() {
        let node = graph.node(index).unwrap();
        prop_assert!(seen.insert(node.id.clone()), "{} stands twice", node.id);
        prop_assert_eq!(graph.find(&node.id), Some(index));
    }
    for edge in graph.graph().edge_references() {
        prop_assert!(edge.source() < edge.target());
        let (from, to) = (graph.node(edge.source()).unwrap(), graph.node(edge.target()).unwrap());
        let shared =
            graph.tracks().iter().any(|track| track.shared && Some(&track.id) == from.track.as_ref());
        if matches!(edge.weight(), Edge::Artifact(_)) {
            prop_assert!(shared || (from.track == to.track && from.layer < to.layer));
        }
    }
    let mut counted = 0;
    for track in graph.tracks() {
        prop_assert!(!track.layers.is_empty() || track.result.is_some());
        if let Some(result) = &track.result {
            prop_assert!(graph.find(&result.node).is_some());
        }
        for (at, layer) in track.layers.iter().enumerate() {
            prop_assert!(!layer.nodes.is_empty());
            let classes: BTreeSet<_> =
                layer.nodes.iter().filter_map(|index| class_of(graph, *index, registry)).collect();
            prop_assert!(classes.len() < 2);
            let agents = layer
                .nodes
                .iter()
                .filter(|index| matches!(graph.node(**index).unwrap().kind, NodeKind::Agent(_)))
                .count();
            prop_assert_eq!(layer.consolidator.is_some(), agents > 1);
            let members = layer.nodes.iter().chain(&layer.images).chain(&layer.consolidator);
            for index in members.chain([&layer.barrier]) {
                prop_assert_eq!(graph.node(*index).unwrap().layer, at);
                prop_assert_eq!(graph.node(*index).unwrap().track.as_ref(), Some(&track.id));
                // Everything of a layer reaches its barrier.
                prop_assert!(petgraph::algo::has_path_connecting(graph.graph(), *index, layer.barrier, None));
                counted += 1;
            }
            prop_assert!(petgraph::algo::has_path_connecting(
                graph.graph(),
                layer.barrier,
                graph.reporter(),
                None
            ));
        }
    }
    let joined = graph.tracks().iter().filter(|track| !track.shared).count();
    prop_assert_eq!(graph.merge().is_some(), joined > 1);
    prop_assert_eq!(counted + 1 + usize::from(joined > 1), graph.graph().node_count());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn running_the_rules_twice_changes_nothing(plan in any_plan()) {
        let registry = registry();
        let context = RuleContext::new(&registry);
        let router = Router::default();
        let once = router.route(Draft::of_plan(&plan, &registry).unwrap(), &context).unwrap();
        let twice = router.route(once.draft.clone(), &context).unwrap();
        prop_assert_eq!(twice.applications, Vec::<RuleApplication>::new());
        prop_assert_eq!(twice.draft, once.draft);
    }

    #[test]
    fn the_routed_plan_compiles_to_the_same_graph(plan in any_plan()) {
        let registry = registry();
        let graph = compile(&plan, &registry).unwrap();
        // References into a shared track cross tracks, which no plan of a planner may do.
        if graph.tracks().iter().any(|track| track.shared) {
            return Ok(());
        }
        let again = compile(graph.plan(), &registry).unwrap();
        prop_assert_eq!(again.digest(), graph.digest());
        prop_assert_eq!(again.tracks(), graph.tracks());
        prop_assert!(again.applications().iter().all(|one| one.before != one.after));
    }

    #[test]
    fn every_promise_of_the_graph_holds(plan in any_plan()) {
        let registry = registry();
        let graph = compile(&plan, &registry).unwrap();
        check_graph(&graph, &plan, &registry)?;
        prop_assert_eq!(compile(&plan, &registry).unwrap().digest(), graph.digest());
    }

    #[test]
    fn no_step_is_left_in_two_tracks(plan in tangled_plan()) {
        let registry = registry();
        let graph = compile(&plan, &registry).unwrap();
        // After lifting, equal steps of two tracks are equal by their text: references name the shared steps.
        let mut tracks_of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for track in graph.plan().tracks.iter().filter(|track| !track.id.as_str().starts_with("shared")) {
            let Body::Steps(steps) = &track.body else { continue };
            for step in steps.iter().filter(|step| step.tool.as_str() != "publish") {
                let text = format!("{} {} {:?}", step.tool, step.args, step.when);
                tracks_of.entry(text).or_default().insert(track.id.to_string());
            }
        }
        for (step, tracks) in tracks_of {
            prop_assert_eq!(tracks.len(), 1, "{}", step);
        }
        let writes = |plan: &Plan| {
            let steps = plan.tracks.iter().flat_map(|track| match &track.body {
                Body::Steps(steps) => steps.clone(),
                Body::Layers(_) => Vec::new(),
            });
            steps.filter(|step| step.tool.as_str() == "publish").count()
        };
        prop_assert_eq!(writes(graph.plan()), writes(&plan));
    }

    #[test]
    fn a_need_that_can_be_met_is_met(plan in tangled_plan()) {
        let registry = registry();
        let once = Router::default()
            .route(Draft::of_plan(&plan, &registry).unwrap(), &RuleContext::new(&registry))
            .unwrap();
        for track in &once.draft.tracks {
            let layers_of = |wanted: &str, free: bool| -> Vec<usize> {
                let layers = track.layers.iter().enumerate().filter(|(_, layer)| {
                    layer.nodes.iter().any(|node| match &node.work {
                        Work::Agent(agent) => agent.agent.as_str() == wanted && !(free && agent.when.is_some()),
                        Work::Tool(_) => false,
                    })
                });
                layers.map(|(at, _)| at).collect()
            };
            // A tracker needs nothing: only a condition can make it wait for a gauge that waits for it.
            if layers_of("tracker", true).is_empty() {
                continue;
            }
            if let Some(gauge) = layers_of("gauge", false).first() {
                prop_assert!(layers_of("tracker", false)[0] < *gauge);
            }
        }
    }

    #[test]
    fn a_broken_plan_is_refused_and_never_panics(
        mut plan in tangled_plan(),
        fault in 0..6_u8,
        at in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let registry = registry();
        let t = at.index(plan.tracks.len());
        let code = match (&mut plan.tracks[t].body, fault) {
            (_, 0) => {
                plan.tracks.clear();
                Code::Empty
            }
            (_, 1) => {
                let copy = plan.tracks[t].clone();
                plan.tracks.push(copy);
                Code::DuplicateId
            }
            (_, 2) => {
                plan.tracks[t].result = Some("nowhere".parse().unwrap());
                Code::DanglingReference
            }
            (Body::Steps(steps), 3) => {
                steps[0].tool = "no_such_tool".parse().unwrap();
                Code::UnknownTool
            }
            (Body::Steps(steps), 4) => {
                let own = steps[0].id.to_string();
                steps[0].args = json!({"data": [{"$ref": own}]});
                Code::Cycle
            }
            (Body::Steps(steps), _) => {
                steps[0].args = if cut { json!({"a": {"$ref": "nowhere"}}) } else { json!({"a": {"$ref": "!"}}) };
                Code::DanglingReference
            }
            (Body::Layers(layers), 3) => {
                layers[0].nodes[0].agent = "no_such_agent".parse().unwrap();
                Code::UnknownAgent
            }
            (Body::Layers(layers), 4) => {
                let reference = format!("{}#/status", layers[0].nodes[0].id).parse().unwrap();
                layers[0].nodes[0].when = Some(Condition { reference, op: Comparison::Exists, value: json!(null) });
                Code::BadReference
            }
            (Body::Layers(layers), _) => {
                layers.clear();
                Code::Empty
            }
        };
        let found: Vec<Code> =
            Draft::of_plan(&plan, &registry).unwrap_err().iter().map(|one| one.code).collect();
        prop_assert!(found.contains(&code), "{:?} is not in {:?}", code, found);
    }
}

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

fn two_layers() -> Plan {
    let agent = |id: &str, agent: &str| AgentStep {
        id: id.parse().unwrap(),
        agent: agent.parse().unwrap(),
        task: "look".to_owned(),
        when: None,
        limits: Limits::default(),
    };
    let layers = vec![
        Layer { policy: Policy::Settle, nodes: vec![agent("storm", "tracker")] },
        Layer { policy: Policy::Settle, nodes: vec![agent("gauges", "gauge")] },
    ];
    Plan { version: 1, question: "q".to_owned(), tracks: vec![track_of(layers)] }
}

fn track_of(layers: Vec<Layer>) -> Track {
    Track {
        id: "surge".parse().unwrap(),
        goal: String::new(),
        barriers: Barriers::Strict,
        body: Body::Layers(layers),
        result: None,
    }
}

fn valid() -> ValidPlan {
    validate(two_layers(), &registry()).unwrap()
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
