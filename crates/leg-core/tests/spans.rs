//! The spans of a run, as a listener of `tracing` sees them.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex};

use leg_core::ToolErrorKind;
use leg_testkit::FakeTool;
use serde_json::json;
use support::{plan, registry, run};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// A span that was opened.
#[derive(Debug, Clone, Default)]
struct Seen {
    name: String,
    parent: Option<usize>,
    fields: BTreeMap<String, String>,
}

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.fields.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name().to_owned(), value.to_owned());
    }
}

/// Keeps all spans. Its tests run on one thread, so one stack of entered spans is enough.
#[derive(Debug, Clone, Default)]
struct Listener(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    spans: Vec<Seen>,
    entered: Vec<Id>,
}

fn at(id: &Id) -> usize {
    usize::try_from(id.into_u64()).unwrap() - 1
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "leg"
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut state = self.0.lock().unwrap();
        let parent = match attributes.parent() {
            Some(parent) => Some(at(parent)),
            None if attributes.is_contextual() => state.entered.last().map(at),
            None => None,
        };
        let mut seen = Seen { name: attributes.metadata().name().to_owned(), parent, ..Seen::default() };
        attributes.record(&mut seen);
        state.spans.push(seen);
        Id::from_u64(state.spans.len() as u64)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        values.record(&mut self.0.lock().unwrap().spans[at(id)]);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, id: &Id) {
        self.0.lock().unwrap().entered.push(id.clone());
    }

    fn exit(&self, id: &Id) {
        let entered = &mut self.0.lock().unwrap().entered;
        let place = entered.iter().rposition(|entered| entered == id).unwrap();
        entered.remove(place);
    }
}

impl Listener {
    fn spans(&self) -> Vec<Seen> {
        self.0.lock().unwrap().spans.clone()
    }
}

impl fmt::Display for Seen {
    /// Name and fields in order, ids of calls and runs left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        let unstable = ["gen_ai.tool.call.id", "leg.plan"];
        for (name, value) in self.fields.iter().filter(|(name, _)| !unstable.contains(&name.as_str())) {
            write!(f, " {name}={value}")?;
        }
        Ok(())
    }
}

/// The spans as an indented tree.
fn tree(spans: &[Seen]) -> String {
    fn below(spans: &[Seen], parent: Option<usize>, depth: usize, out: &mut String) {
        let mut children: Vec<(usize, String)> = spans
            .iter()
            .enumerate()
            .filter(|(_, span)| span.parent == parent)
            .map(|(n, span)| (n, span.to_string()))
            .collect();
        children.sort_by(|a, b| a.1.cmp(&b.1));
        for (n, line) in children {
            *out += &"  ".repeat(depth);
            *out += &line;
            out.push('\n');
            below(spans, Some(n), depth + 1, out);
        }
    }
    let mut out = String::new();
    below(spans, None, 0, &mut out);
    out
}

fn two_tracks() -> serde_json::Value {
    json!({"version": 1, "question": "a question that is nobody's business", "tracks": [
        {"id": "sea", "steps": [
            {"id": "sst", "tool": "load", "args": {"offset": 7_654_321}},
            {"id": "bad", "tool": "echo", "args": {"token": "hunter2"}},
            {"id": "m", "tool": "mean", "args": {"data": {"$ref": "sst"}}}]},
        {"id": "surge", "layers": [{"nodes": [
            {"id": "track", "agent": "tracker", "task": "find it"}]}]}]})
}

#[tokio::test]
async fn spans_nest_as_the_graph_does_and_carry_names_and_statuses_only() {
    let broken = FakeTool::echo("echo").failing(usize::MAX, ToolErrorKind::NoData);
    let listener = Listener::default();
    let guard = tracing::subscriber::set_default(listener.clone());
    let (outcome, _) = run(&plan(two_tracks()), &registry(vec![broken]), 4).await;
    drop(guard);
    assert!(outcome.status.is_ok());
    let spans = listener.spans();
    insta::assert_snapshot!(tree(&spans), @r#"
invoke_workflow gen_ai.operation.name=invoke_workflow gen_ai.workflow.name=leg leg.run=test leg.status=ok otel.name=invoke_workflow leg
  execute_tool error.type=no_data gen_ai.operation.name=execute_tool gen_ai.tool.name=echo gen_ai.tool.type=function leg.node=bad leg.status=failed leg.track=sea otel.name=execute_tool echo otel.status_code=ERROR
  execute_tool gen_ai.operation.name=execute_tool gen_ai.tool.name=load gen_ai.tool.type=function leg.node=sst leg.status=ok leg.track=sea otel.name=execute_tool load
  execute_tool gen_ai.operation.name=execute_tool gen_ai.tool.name=mean gen_ai.tool.type=function leg.node=m leg.status=ok leg.track=sea otel.name=execute_tool mean
  invoke_agent gen_ai.agent.name=cross_track_merge gen_ai.operation.name=invoke_agent leg.node=merge leg.status=ok otel.name=invoke_agent cross_track_merge
  invoke_agent gen_ai.agent.name=reporter gen_ai.operation.name=invoke_agent leg.node=reporter leg.status=ok otel.name=invoke_agent reporter
  invoke_agent gen_ai.agent.name=tracker gen_ai.operation.name=invoke_agent leg.node=track leg.status=ok leg.track=surge otel.name=invoke_agent tracker
    execute_tool gen_ai.operation.name=execute_tool gen_ai.tool.name=observe gen_ai.tool.type=function leg.node=track leg.status=ok leg.track=surge otel.name=execute_tool observe
"#);
    for span in &spans {
        let call = span.fields.get("gen_ai.tool.call.id");
        assert_eq!(call.is_some_and(|id| id.starts_with("b3:")), span.name == "execute_tool", "{span}");
        for secret in ["hunter2", "7654321", "business", "find it", "as it was told"] {
            assert!(span.fields.values().all(|value| !value.contains(secret)), "`{secret}` in {span}");
        }
    }
}

#[tokio::test]
async fn a_run_stands_below_the_span_that_started_it() {
    let listener = Listener::default();
    let guard = tracing::subscriber::set_default(listener.clone());
    let outer = tracing::info_span!(target: "leg", "request");
    let plan = plan(two_tracks());
    let registry = registry(vec![]);
    let started = outer.in_scope(|| support::start(&plan, &registry, support::options(&plan, 4)));
    started.0.finish().await;
    drop(guard);
    let spans = listener.spans();
    let run = spans.iter().find(|span| span.name == "invoke_workflow").unwrap();
    assert_eq!(spans[run.parent.unwrap()].name, "request");
}

#[tokio::test]
async fn what_an_agent_may_not_call_is_seen_as_denied() {
    let sly = leg_testkit::FakeAgent::new("sly").unwrap().calling_unlisted("publish", json!({"secret": "x"}));
    let mut registry = leg_testkit::fake_registry().unwrap();
    registry.add_agent(Arc::new(sly.calling_unlisted("no such tool", json!({})))).unwrap();
    let listener = Listener::default();
    let guard = tracing::subscriber::set_default(listener.clone());
    let plan = plan(json!({"version": 1, "question": "q", "tracks": [
        {"id": "t", "layers": [{"nodes": [{"id": "s", "agent": "sly", "task": "try"}]}]}]}));
    run(&plan, &Arc::new(registry), 4).await;
    drop(guard);
    let denied: Vec<String> = listener
        .spans()
        .iter()
        .filter(|span| span.fields.get("error.type").is_some_and(|kind| kind == "denied"))
        .map(|span| span.fields["gen_ai.tool.name"].clone())
        .collect();
    assert_eq!(denied, ["publish", "unknown"]);
}

#[tokio::test]
async fn without_a_listener_nothing_is_recorded() {
    let listener = Listener::default();
    let (outcome, _) = run(&plan(two_tracks()), &registry(vec![]), 4).await;
    assert!(outcome.status.is_ok());
    assert!(tracing::Span::current().is_none());
    assert!(listener.spans().is_empty());
    assert!(tracing::dispatcher::get_default(tracing::Dispatch::is::<tracing::subscriber::NoSubscriber>));
}
