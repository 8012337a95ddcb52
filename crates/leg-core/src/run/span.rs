//! Spans of a run for whoever listens through `tracing`, named by OpenTelemetry's conventions for generative AI:
//! `invoke_workflow` ⊃ `invoke_agent` ⊃ `execute_tool`. A tool step's `execute_tool` stands directly below the run.
//!
//! They carry names, ids and statuses: never a question, an argument, a result or an error's text. Without a
//! subscriber nothing is worked out. `docs/exports.md` says how to send them to a collector.

use tracing::Span;
use tracing::field::{Empty, display};

use crate::graph::{Node, NodeKind};
use crate::run::RunScope;
use crate::run::task::NodeOutput;
use crate::{Digest, NodeId, RunId, Status, ToolError, TrackId};

/// The span of a run; its parent is the span in which the run was started.
pub(crate) fn workflow(run: &RunId, plan: &Digest) -> Span {
    tracing::info_span!(
        target: "leg",
        "invoke_workflow",
        otel.name = "invoke_workflow leg",
        otel.status_code = Empty,
        gen_ai.operation.name = "invoke_workflow",
        gen_ai.workflow.name = "leg",
        leg.run = %run,
        leg.plan = %plan,
        leg.status = Empty,
        "error.type" = Empty,
    )
}

/// The span in which a node's work goes on: its own for an agent, a fold or the reporter; the run's for a tool step.
pub(crate) fn node(scope: &RunScope, node: &Node) -> Span {
    let agent = match &node.kind {
        NodeKind::Tool(_) => return scope.span.clone(),
        NodeKind::Agent(step) => step.agent.as_str(),
        other => other.name(),
    };
    tracing::info_span!(
        target: "leg",
        parent: &scope.span,
        "invoke_agent",
        otel.name = %format_args!("invoke_agent {agent}"),
        otel.status_code = Empty,
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.name = agent,
        leg.node = %node.id,
        leg.track = node.track.as_ref().map(TrackId::as_str),
        leg.status = Empty,
        "error.type" = Empty,
    )
}

/// The span of a call, below the span of its node. A tool that nobody registered has no name here: it is whatever
/// text an agent made up.
pub(crate) fn call(tool: Option<&str>, node: &NodeId, track: Option<&TrackId>) -> Span {
    let tool = tool.unwrap_or("unknown");
    tracing::info_span!(
        target: "leg",
        "execute_tool",
        otel.name = %format_args!("execute_tool {tool}"),
        otel.status_code = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = tool,
        "gen_ai.tool.type" = "function",
        gen_ai.tool.call.id = Empty,
        leg.node = %node,
        leg.track = track.map(TrackId::as_str),
        leg.status = Empty,
        "error.type" = Empty,
    )
}

/// Names the call in its span.
pub(crate) fn call_id(span: &Span, id: &Digest) {
    span.record("gen_ai.tool.call.id", display(id));
}

/// How it ended. A kind of error is a name of a closed list.
pub(crate) fn end(span: &Span, status: Status, error: Option<&ToolError>) {
    if span.is_disabled() {
        return;
    }
    span.record("leg.status", status.as_str());
    if !matches!(status, Status::Ok | Status::Skipped) {
        span.record("otel.status_code", "ERROR");
        span.record("error.type", error.map_or(status.as_str(), |error| error.kind.as_str()));
    }
}

/// How a node ended, in its own span; a tool step says it in that of its call.
pub(crate) fn end_node(span: &Span, node: &Node, output: &NodeOutput) {
    if !matches!(node.kind, NodeKind::Tool(_)) {
        end(span, output.status, output.error.as_ref());
    }
}
