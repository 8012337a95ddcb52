//! Agents: what they are, how they work, and how they reach their tools.

mod port;
mod spec;

pub use port::{Agent, AgentAnswer, AgentTask, Desk};
pub use spec::{AgentKind, AgentSpec, Expectation};
