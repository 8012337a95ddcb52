//! The registry and the small plans of these tests.

use std::sync::Arc;

use leg_core::graph::LayeredGraph;
use leg_core::plan::{AgentStep, Barriers, Body, Layer, Limits, Plan, Policy, Track, ValidPlan, validate};
use leg_core::{CompileError, DataClass, Registry};
use leg_testkit::{FakeAgent, FakeTool, fake_registry};

/// The fake world, and agents that need each other's facts in every way.
pub(crate) fn registry() -> Registry {
    let mut registry = fake_registry().unwrap();
    let figure = FakeTool::echo("draw_forecast").with_images().data_class(DataClass::Forecast);
    registry.add_tool(Arc::new(figure)).unwrap();
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
        registry.add_agent(Arc::new(agent)).unwrap();
    }
    registry
}

/// Compiles a plan that is valid.
pub(crate) fn compile(plan: &Plan, registry: &Registry) -> Result<LayeredGraph, CompileError> {
    leg_core::compile(&validate(plan.clone(), registry).unwrap(), registry)
}

/// A gauge that needs what a tracker provides, in the layer after it.
pub(crate) fn two_layers() -> Plan {
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

/// A track of these layers.
pub(crate) fn track_of(layers: Vec<Layer>) -> Track {
    Track {
        id: "surge".parse().unwrap(),
        goal: String::new(),
        barriers: Barriers::Strict,
        body: Body::Layers(layers),
        result: None,
    }
}

/// [`two_layers`], validated.
pub(crate) fn valid() -> ValidPlan {
    validate(two_layers(), &registry()).unwrap()
}
