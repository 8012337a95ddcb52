//! [`fake_registry`]: a small world of tools and agents that plans can be written against.

use std::sync::Arc;

use leg_core::{Agent, DataClass, Effect, Registry, RegistryError, Tool};
use serde_json::json;

use crate::{FakeAgent, FakeTool};

/// The tools of the small world.
///
/// | name | takes | gives |
/// | --- | --- | --- |
/// | `load` | `values?`, `offset?` | a series of three months |
/// | `mean` | `data`: a series | a scalar |
/// | `add` | `a`, `b`: series | a series |
/// | `draw` | `data`: a series | a figure, with a picture |
/// | `echo` | anything | a table |
/// | `observe` | anything | a table; external, class observation |
/// | `forecast` | anything | a table; external, class forecast |
/// | `flood_zone` | anything | a table; external, class hypothetical |
/// | `publish` | anything | a table; its effect is a write |
pub fn fake_tools() -> Vec<FakeTool> {
    vec![
        FakeTool::series("load", &[18.0, 21.5, 20.0]),
        FakeTool::mean("mean"),
        FakeTool::sum("add"),
        FakeTool::draw("draw"),
        FakeTool::echo("echo"),
        FakeTool::echo("observe").data_class(DataClass::Observation).external("observe.example"),
        FakeTool::echo("forecast").data_class(DataClass::Forecast).external("forecast.example"),
        FakeTool::echo("flood_zone").data_class(DataClass::Hypothetical).external("zones.example"),
        FakeTool::echo("publish").effect(Effect::Write),
    ]
}

/// The agents of the small world: `tracker` (provides `storm_track`), `gauge` and `marks` (need it; all three
/// observation), `forecaster` (forecast), `zones` (hypothetical), `mapper` (pictures, no class).
pub fn fake_agents() -> Vec<FakeAgent> {
    let agent = |id: &str| FakeAgent::new(id).ok();
    [
        agent("tracker").map(|agent| {
            agent
                .data_class(DataClass::Observation)
                .providing("storm_track")
                .calling("observe", json!({"what": "track"}))
        }),
        agent("gauge").map(|agent| {
            agent
                .data_class(DataClass::Observation)
                .needing("storm_track")
                .calling("observe", json!({"what": "level"}))
        }),
        agent("marks").map(|agent| {
            agent
                .data_class(DataClass::Observation)
                .needing("storm_track")
                .calling("observe", json!({"what": "marks"}))
        }),
        agent("forecaster")
            .map(|agent| agent.data_class(DataClass::Forecast).calling("forecast", json!({"hours": 48}))),
        agent("zones").map(|agent| {
            agent.data_class(DataClass::Hypothetical).calling("flood_zone", json!({"place": "here"}))
        }),
        agent("mapper").map(|agent| agent.producing_images().calling("echo", json!({"map": true}))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A registry with [`fake_tools`] and [`fake_agents`].
///
/// # Errors
/// [`RegistryError`] when one of them cannot be registered, which is a fault of this crate.
pub fn fake_registry() -> Result<Registry, RegistryError> {
    let mut registry = Registry::default();
    for tool in fake_tools() {
        registry.add_tool(Arc::new(tool) as Arc<dyn Tool>)?;
    }
    for agent in fake_agents() {
        registry.add_agent(Arc::new(agent) as Arc<dyn Agent>)?;
    }
    Ok(registry)
}
