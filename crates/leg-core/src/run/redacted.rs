//! What tools and nodes say, without credentials: it passes here before it is hashed, recorded or told.

use serde_json::Value;

use crate::ledger::{SHORTEST, redact, redact_named, secret_in};
use crate::plan::{AgentStep, Body, Condition, ForEach, Items, Step, Track};
use crate::run::NodeOutput;
use crate::run::runner::StartError;
use crate::{LayeredGraph, Plan, Status, ToolError, ToolErrorKind, ToolOutput};

/// A tool's answer. Its artifacts are data and stay as they are.
pub(crate) fn answer(answer: Result<ToolOutput, ToolError>) -> Result<ToolOutput, ToolError> {
    let mut output = answer.map_err(error)?;
    output.notes.iter_mut().for_each(text);
    for evidence in &mut output.evidence {
        text(&mut evidence.method);
        value(&mut evidence.value);
        evidence.when.iter_mut().chain(&mut evidence.baseline).for_each(text);
        evidence.place.iter_mut().chain(&mut evidence.uncertainty).for_each(value);
    }
    for source in &mut output.sources {
        text(&mut source.address);
        for (name, fact) in &mut source.facts {
            *fact = redact_named(name, fact);
        }
    }
    output.renderings.iter_mut().for_each(|rendering| text(&mut rendering.name));
    Ok(output)
}

/// What a node left. What its calls left has passed the gate; its own words have not.
pub(crate) fn output(output: &mut NodeOutput) {
    output.error = output.error.take().map(error);
    text(&mut output.text);
    output.notes.iter_mut().chain(&mut output.gaps).for_each(text);
    output.dropped.iter_mut().for_each(|dropped| text(&mut dropped.reason));
    for section in &mut output.sections {
        text(&mut section.heading);
        section.claims.iter_mut().for_each(|claim| text(&mut claim.text));
    }
    if let Some(place) = output.graph.as_ref().and_then(secret_in) {
        let message = format!(
            "the plan that the agent answered with holds a credential at `{place}`; name the credential in the configuration"
        );
        output.graph = None;
        output.status = Status::Failed;
        output.error = Some(ToolError::new(ToolErrorKind::InvalidArguments, message));
    }
}

/// Facts for the log, under their names.
pub(crate) fn facts(mut facts: Value) -> Value {
    value(&mut facts);
    facts
}

/// A call whose arguments hold a credential is not made: arguments are recorded and hashed as they are.
pub(crate) fn check_arguments(tool: &str, arguments: &Value) -> Result<(), ToolError> {
    secret_in(arguments).map_or(Ok(()), |place| {
        Err(ToolError::invalid(format!(
            "the arguments of `{tool}` hold a credential at `{place}`, and arguments are recorded; name the credential in the configuration"
        )))
    })
}

/// A plan that holds a credential does not start: it would be recorded.
pub(crate) fn check_plan(graph: &LayeredGraph, proposed: Option<&Plan>) -> Result<(), StartError> {
    // As JSON a plan takes many times its size: it is only made to name the place.
    let mut plans = std::iter::once(graph.plan()).chain(proposed).filter(|plan| !is_clean(plan));
    let place = plans.find_map(|plan| secret_in(&plan.to_json()));
    place.map_or(Ok(()), |place| Err(StartError::Secret { place }))
}

/// Whether no text of a plan holds a credential.
fn is_clean(plan: &Plan) -> bool {
    let text = |text: &str| matches!(redact(text), std::borrow::Cow::Borrowed(_));
    // An id is one word of letters, digits and marks that join them: only its length makes it a token.
    let id = |id: &str| id.len() < SHORTEST || text(id);
    let value = |value: &Value| secret_in(value).is_none();
    let when = |when: &Option<Condition>| {
        when.as_ref().is_none_or(|when| text(&when.reference.to_string()) && value(&when.value))
    };
    let for_each = |for_each: &ForEach| {
        text(&for_each.name)
            && match &for_each.items {
                Items::List(items) => items.iter().all(value),
                Items::Reference(reference) => text(&reference.to_string()),
            }
    };
    let step = |step: &Step| {
        id(step.id.as_str())
            && id(step.tool.as_str())
            && value(&step.args)
            && step.for_each.as_ref().is_none_or(for_each)
            && when(&step.when)
    };
    let agent = |step: &AgentStep| {
        id(step.id.as_str()) && id(step.agent.as_str()) && text(&step.task) && when(&step.when)
    };
    let track = |track: &Track| {
        id(track.id.as_str())
            && text(&track.goal)
            && track.result.as_ref().is_none_or(|result| text(&result.to_string()))
            && match &track.body {
                Body::Steps(steps) => steps.iter().all(step),
                Body::Layers(layers) => layers.iter().flat_map(|layer| &layer.nodes).all(agent),
            }
    };
    text(&plan.question) && plan.tracks.iter().all(track)
}

fn error(mut error: ToolError) -> ToolError {
    text(&mut error.message);
    error
}

fn text(text: &mut String) {
    if let std::borrow::Cow::Owned(clean) = redact(text) {
        *text = clean;
    }
}

fn value(value: &mut Value) {
    match value {
        Value::String(own) => text(own),
        Value::Array(items) => items.iter_mut().for_each(self::value),
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                match member {
                    Value::String(own) => *own = redact_named(name, own),
                    other => self::value(other),
                }
            }
        }
        _ => {}
    }
}
