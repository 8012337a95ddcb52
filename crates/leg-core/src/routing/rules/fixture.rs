//! Small drafts and a registry for the tests of the rules.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde_json::{Value, json};

use crate::agent::{Agent, AgentAnswer, AgentTask, Desk};
use crate::plan::{AgentStep, Barriers, Limits, Policy, Step};
use crate::routing::draft::layer_steps;
use crate::routing::{
    Draft, DraftLayer, DraftNode, DraftTrack, Form, Rewrite, RoutingRule, RuleContext, Work,
};
use crate::{
    AgentSpec, DataClass, Effect, Kind, Port, Registry, Tool, ToolContext, ToolError, ToolOutput, ToolSpec,
};

#[derive(Debug)]
struct Named(ToolSpec);

#[async_trait]
impl Tool for Named {
    fn spec(&self) -> ToolSpec {
        self.0.clone()
    }

    async fn call(&self, _: Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::default())
    }
}

#[derive(Debug)]
struct Quiet(AgentSpec);

#[async_trait]
impl Agent for Quiet {
    fn spec(&self) -> AgentSpec {
        self.0.clone()
    }

    async fn work(&self, _: AgentTask, _: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        Ok(AgentAnswer::default())
    }
}

pub(super) fn registry() -> Registry {
    let mut registry = Registry::default();
    let spec = |name: &str| {
        let mut spec = ToolSpec::new("test", "does something", Port::of(Kind::Scalar));
        spec.name = name.parse().unwrap();
        spec.arguments = json!({"type": "object"});
        spec
    };
    for tool in [
        spec("load"),
        spec("mean"),
        spec("max"),
        spec("plot").produces_images(),
        spec("save").effect(Effect::Write),
        spec("gauge").data_class(DataClass::Observation),
        spec("zone_map").data_class(DataClass::Hypothetical),
    ] {
        registry.add_tool(std::sync::Arc::new(Named(tool))).unwrap();
    }
    let agent = |id: &str, class: Option<DataClass>, provides: &[&str], needs: &[&str]| {
        let mut spec = AgentSpec::specialist(id.parse().unwrap(), "knows something");
        spec.data_class = class;
        spec.provides = provides.iter().map(ToString::to_string).collect();
        spec.needs = needs.iter().map(ToString::to_string).collect();
        spec.produces_images = id == "mapper";
        spec
    };
    for spec in [
        agent("nhc", Some(DataClass::Observation), &["storm_track"], &[]),
        agent("coops", Some(DataClass::Observation), &["levels"], &["storm_track"]),
        agent("usgs", Some(DataClass::Observation), &[], &[]),
        agent("stofs", Some(DataClass::Forecast), &[], &["levels"]),
        agent("fema", Some(DataClass::Hypothetical), &[], &[]),
        agent("plain", None, &[], &[]),
        agent("mapper", None, &[], &[]),
        agent("ping", None, &["ping"], &["pong"]),
        agent("pong", None, &["pong"], &["ping"]),
    ] {
        registry.add_agent(std::sync::Arc::new(Quiet(spec))).unwrap();
    }
    registry
}

fn draft(tracks: Vec<DraftTrack>) -> Draft {
    Draft { question: "q".to_owned(), tracks, merge: None, reporter: None, lifted: BTreeMap::new() }
}

/// One track `t` of agent layers; a node is `id:agent`.
pub(super) fn agents(layers: &[&[&str]]) -> Draft {
    let mut order = 0;
    let layers = layers.iter().map(|nodes| {
        let nodes = nodes.iter().map(|text| {
            let (id, agent) = text.split_once(':').unwrap();
            let work = Work::Agent(AgentStep {
                id: id.parse().unwrap(),
                agent: agent.parse().unwrap(),
                task: "look".to_owned(),
                when: None,
                limits: Limits::default(),
            });
            order += 1;
            DraftNode { order: order - 1, work }
        });
        DraftLayer::of(Policy::Settle, nodes.collect())
    });
    let layers = layers.collect();
    draft(vec![track("t", Form::Layers, layers)])
}

/// Tracks of steps; a step is `id:tool:args`.
pub(super) fn tools(tracks: &[(&str, &[&str])]) -> Draft {
    let tracks = tracks.iter().map(|(id, steps)| {
        let nodes = steps.iter().enumerate().map(|(order, text)| {
            let (id, rest) = text.split_once(':').unwrap();
            let (tool, args) = rest.split_once(':').unwrap();
            let work = Work::Tool(Step {
                id: id.parse().unwrap(),
                tool: tool.parse().unwrap(),
                args: serde_json::from_str(args).unwrap(),
                for_each: None,
                when: None,
                limits: Limits::default(),
            });
            DraftNode { order, work }
        });
        track(id, Form::Steps, layer_steps(nodes.collect()).unwrap())
    });
    draft(tracks.collect())
}

fn track(id: &str, form: Form, layers: Vec<DraftLayer>) -> DraftTrack {
    let id = id.parse().unwrap();
    DraftTrack {
        id,
        goal: String::new(),
        barriers: Barriers::Strict,
        form,
        shared: false,
        layers,
        result: None,
    }
}

/// Applies a rule, checks that it says whether it changed something, that all invariants hold, and that twice is
/// once.
pub(super) fn check_rule(rule: &dyn RoutingRule, draft: &Draft, registry: &Registry, changes: bool) -> Draft {
    let context = RuleContext::new(registry);
    let mut census = crate::routing::invariant::Census::of(draft).unwrap();
    let after = rule.rewrite(draft.clone(), &context).unwrap();
    assert_eq!(after.is_changed(), changes);
    let after = after.into_draft();
    assert_eq!(after != *draft, changes);
    census.check(&after).unwrap();
    match rule.rewrite(after.clone(), &context).unwrap() {
        Rewrite::Unchanged(again) => assert_eq!(again, after),
        Rewrite::Changed(again) => panic!("twice is not once: {again:#?}"),
    }
    after
}

/// What a rule does to a draft, as text; checked as by [`check_rule`].
pub(super) fn sketch(rule: &dyn RoutingRule, draft: &Draft) -> String {
    let registry = registry();
    let changes = rule.rewrite(draft.clone(), &RuleContext::new(&registry)).unwrap().is_changed();
    format!("before\n{draft}after\n{}", check_rule(rule, draft, &registry, changes))
}

/// The work of each layer, in one text.
pub(super) fn layer_texts(draft: &Draft) -> Vec<String> {
    let layers = draft.tracks.iter().flat_map(|track| &track.layers);
    layers.map(|layer| layer.nodes.iter().map(|n| n.id().as_str()).collect::<Vec<_>>().join(" ")).collect()
}
