//! The parts that the plans name.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::sync::{Arc, Once};

use leg_core::{Registry, Tool as _};

use crate::{ToldAgent, ToldTool};

/// These tools, and a new agent `told` that may call them.
///
/// # Panics
/// When two tools have one name.
pub fn told_registry(tools: Vec<ToldTool>) -> Arc<Registry> {
    let mut registry = Registry::default();
    let names: Vec<String> = tools.iter().map(|tool| tool.spec().name.to_string()).collect();
    for tool in tools {
        registry.add_tool(Arc::new(tool)).unwrap();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    registry.add_agent(Arc::new(ToldAgent::new("told", &names).unwrap())).unwrap();
    Arc::new(registry)
}

/// A new tool `told`, external.
pub fn told_tool() -> ToldTool {
    ToldTool::new("told").external(&["told.example"])
}

/// Says nothing of the panics that parts were told to have, in this process: a random plan has many.
pub fn hush_told_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !panic.payload_as_str().is_some_and(|text| text.ends_with("as it was told")) {
                usual(panic);
            }
        }));
    });
}
