//! JSON → [`Plan`], strict: unknown keys are errors, and every error is returned at once.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::nearest::nearest;
use super::reader::{Reader, describe};
use super::{
    AgentStep, Barriers, Body, Code, Comparison, Condition, Diagnostic, ForEach, Items, Join, Layer, Limits,
    PLAN_VERSION, Plan, Policy, Step, Track,
};
use crate::{AgentId, ToolName, TrackId};

const PLAN_KEYS: [&str; 3] = ["question", "tracks", "version"];
const TRACK_KEYS: [&str; 6] = ["barriers", "goal", "id", "layers", "result", "steps"];
const STEP_KEYS: [&str; 8] = ["args", "budget", "for_each", "id", "retries", "timeout_s", "tool", "when"];
const LAYER_KEYS: [&str; 2] = ["nodes", "policy"];
const NODE_KEYS: [&str; 7] = ["agent", "budget", "id", "retries", "task", "timeout_s", "when"];
const FOR_EACH_KEYS: [&str; 4] = ["as", "items", "join", "max"];
const WHEN_KEYS: [&str; 3] = ["op", "ref", "value"];
pub(super) const METERS: [&str; 6] = crate::run::Resource::NAMES;
/// The most items of a fan-out that says nothing else.
pub(super) const DEFAULT_MAX: usize = 50;

pub(super) const COMPARISONS: [(&str, Comparison); 7] = [
    ("eq", Comparison::Eq),
    ("ne", Comparison::Ne),
    ("lt", Comparison::Lt),
    ("le", Comparison::Le),
    ("gt", Comparison::Gt),
    ("ge", Comparison::Ge),
    ("exists", Comparison::Exists),
];

/// Reads a plan from its JSON value.
///
/// ```
/// use leg_core::plan::parse;
///
/// let json = serde_json::json!({"version": 1, "question": "How warm?", "tracks": [
///     {"id": "sea", "steps": [{"id": "sst", "tool": "load_dataset", "args": {}}]}]});
/// assert_eq!(parse(&json).unwrap().tracks.len(), 1);
/// assert_eq!(parse(&serde_json::json!({"version": 1, "quesiton": "?"})).unwrap_err().len(), 2);
/// ```
///
/// # Errors
/// All that is wrong with the shape, each with its place, and with the nearest key or the allowed values.
pub fn parse(value: &Value) -> Result<Plan, Vec<Diagnostic>> {
    let mut reader = Reader::default();
    let plan = reader.plan(value);
    match plan {
        Some(plan) if reader.found.is_empty() => Ok(plan),
        _ => Err(reader.found),
    }
}

impl Reader {
    fn plan(&mut self, value: &Value) -> Option<Plan> {
        let members = self.object(value, "", &PLAN_KEYS, &PLAN_KEYS)?;
        let version = members.get("version").and_then(|version| self.version(version));
        let question = members.get("question").and_then(|text| self.text(text, "/question"));
        let tracks = self.items(members, "", "tracks", Self::track);
        Some(Plan { version: version?, question: question?, tracks: tracks? })
    }

    fn version(&mut self, value: &Value) -> Option<u32> {
        if value.as_u64() == Some(u64::from(PLAN_VERSION)) {
            return Some(PLAN_VERSION);
        }
        let (code, message) = if value.is_number() {
            (Code::UnknownVersion, format!("version {value} of the plan format is not known"))
        } else {
            (Code::WrongType, format!("expected a number, found {}", describe(value)))
        };
        self.found.push(Diagnostic::new("/version", code, message).hint(format!("write {PLAN_VERSION}")));
        None
    }

    fn track(&mut self, value: &Value, at: &str) -> Option<Track> {
        let members = self.object(value, at, &TRACK_KEYS, &["id"])?;
        let id = self.id(members, at, "id", TrackId::new);
        let goal = match members.get("goal") {
            Some(goal) => self.text(goal, &format!("{at}/goal")),
            None => Some(String::new()),
        };
        let barriers = match members.get("barriers") {
            Some(value) => {
                let choices = [("strict", Barriers::Strict), ("dataflow", Barriers::Dataflow)];
                self.choice(value, &format!("{at}/barriers"), &choices)
            }
            None => Some(Barriers::default()),
        };
        let body = match (members.contains_key("steps"), members.contains_key("layers")) {
            (true, false) => self.items(members, at, "steps", Self::step).map(Body::Steps),
            (false, true) => self.items(members, at, "layers", Self::layer).map(Body::Layers),
            (true, true) => {
                self.found.push(
                    Diagnostic::new(at, Code::BadValue, "a track has either `steps` or `layers`, not both")
                        .hint("put the agents into a track of their own"),
                );
                None
            }
            (false, false) => {
                let misspelled = members.keys().any(|key| {
                    !TRACK_KEYS.contains(&key.as_str())
                        && matches!(nearest(key, TRACK_KEYS), Some("steps" | "layers"))
                });
                if !misspelled {
                    self.found.push(
                        Diagnostic::new(at, Code::MissingKey, "the track has neither `steps` nor `layers`")
                            .hint("give tool calls as `steps`, or agents as `layers`"),
                    );
                }
                None
            }
        };
        let result = match members.get("result") {
            Some(value) => self.reference(value, &format!("{at}/result")).map(Some),
            None => Some(None),
        };
        Some(Track { id: id?, goal: goal?, barriers: barriers?, body: body?, result: result? })
    }

    fn step(&mut self, value: &Value, at: &str) -> Option<Step> {
        let members = self.object(value, at, &STEP_KEYS, &["id", "tool"])?;
        let id = self.node_id(members, at);
        let tool = self.id(members, at, "tool", ToolName::new);
        let args = match members.get("args") {
            Some(args @ Value::Object(_)) => self.exact(args, &format!("{at}/args")),
            Some(other) => {
                self.wrong_type(&format!("{at}/args"), "an object of arguments", other);
                None
            }
            None => Some(Value::Object(Map::new())),
        };
        let for_each = match members.get("for_each") {
            Some(value) => self.for_each(value, &format!("{at}/for_each")).map(Some),
            None => Some(None),
        };
        let when = match members.get("when") {
            Some(value) => self.when(value, &format!("{at}/when")).map(Some),
            None => Some(None),
        };
        let limits = self.limits(members, at);
        Some(Step { id: id?, tool: tool?, args: args?, for_each: for_each?, when: when?, limits: limits? })
    }

    fn layer(&mut self, value: &Value, at: &str) -> Option<Layer> {
        let members = self.object(value, at, &LAYER_KEYS, &["nodes"])?;
        let policy = match members.get("policy") {
            Some(value) => {
                let choices = [("settle", Policy::Settle), ("fail_fast", Policy::FailFast)];
                self.choice(value, &format!("{at}/policy"), &choices)
            }
            None => Some(Policy::default()),
        };
        let nodes = self.items(members, at, "nodes", Self::node);
        Some(Layer { policy: policy?, nodes: nodes? })
    }

    fn node(&mut self, value: &Value, at: &str) -> Option<AgentStep> {
        let members = self.object(value, at, &NODE_KEYS, &["id", "agent", "task"])?;
        let id = self.node_id(members, at);
        let agent = self.id(members, at, "agent", AgentId::new);
        let task = members.get("task").and_then(|text| self.text(text, &format!("{at}/task")));
        let when = match members.get("when") {
            Some(value) => self.when(value, &format!("{at}/when")).map(Some),
            None => Some(None),
        };
        let limits = self.limits(members, at);
        Some(AgentStep { id: id?, agent: agent?, task: task?, when: when?, limits: limits? })
    }

    fn for_each(&mut self, value: &Value, at: &str) -> Option<ForEach> {
        let members = self.object(value, at, &FOR_EACH_KEYS, &["items", "as"])?;
        let items = match members.get("items") {
            Some(list @ Value::Array(items)) => {
                self.exact(list, &format!("{at}/items")).map(|_| Items::List(items.clone()))
            }
            Some(value @ Value::Object(_)) => {
                self.reference(value, &format!("{at}/items")).map(Items::Reference)
            }
            Some(other) => {
                self.wrong_type(&format!("{at}/items"), "a list or `{\"$ref\": \"step\"}`", other);
                None
            }
            None => None,
        };
        let name = members.get("as").and_then(|name| self.text(name, &format!("{at}/as")));
        let max = match members.get("max") {
            Some(value) => self.count(value, &format!("{at}/max")),
            None => Some(DEFAULT_MAX),
        };
        let join = match members.get("join") {
            Some(value) => {
                let choices = [Join::List, Join::Concat, Join::Table].map(|join| (join.as_str(), join));
                self.choice(value, &format!("{at}/join"), &choices)
            }
            None => Some(Join::default()),
        };
        Some(ForEach { items: items?, name: name?, max: max?, join: join? })
    }

    fn when(&mut self, value: &Value, at: &str) -> Option<Condition> {
        let members = self.object(value, at, &WHEN_KEYS, &["ref", "op"])?;
        let reference = match members.get("ref") {
            Some(Value::String(text)) => self.reference_text(text, &format!("{at}/ref")),
            Some(other) => {
                self.wrong_type(&format!("{at}/ref"), "a text such as `\"step#/evidence/n/value\"`", other);
                None
            }
            None => None,
        };
        let op = members.get("op").and_then(|op| self.choice(op, &format!("{at}/op"), &COMPARISONS));
        let value = match (op, members.get("value")) {
            (Some(Comparison::Exists), Some(_)) => {
                self.found.push(
                    Diagnostic::new(
                        format!("{at}/value"),
                        Code::UnknownKey,
                        "`exists` is not compared with a value",
                    )
                    .hint("leave `value` out"),
                );
                None
            }
            (Some(Comparison::Exists), None) => Some(Value::Null),
            (_, Some(value @ (Value::Object(_) | Value::Array(_)))) => {
                self.wrong_type(&format!("{at}/value"), "a number, a text, true, false or null", value);
                None
            }
            (_, Some(value)) => self.exact(value, &format!("{at}/value")),
            (Some(op), None) => {
                self.found.push(
                    Diagnostic::new(at, Code::MissingKey, "the key `value` is missing")
                        .hint(format!("`{}` compares with a value", op.as_str())),
                );
                None
            }
            (None, None) => None,
        };
        Some(Condition { reference: reference?, op: op?, value: value? })
    }

    fn limits(&mut self, members: &Map<String, Value>, at: &str) -> Option<Limits> {
        let timeout_s = match members.get("timeout_s") {
            Some(value) => self.number(value, &format!("{at}/timeout_s"), "a number of seconds").map(Some),
            None => Some(None),
        };
        let retries = match members.get("retries") {
            Some(value) => self.count(value, &format!("{at}/retries")).map(Some),
            None => Some(None),
        };
        let budget = match members.get("budget") {
            Some(value) => self.budget(value, &format!("{at}/budget")).map(Some),
            None => Some(None),
        };
        let retries = retries?.map(|retries| u32::try_from(retries).unwrap_or(u32::MAX));
        Some(Limits { timeout_s: timeout_s?, retries, budget: budget? })
    }

    fn budget(&mut self, value: &Value, at: &str) -> Option<BTreeMap<String, f64>> {
        let members = self.object(value, at, &METERS, &[])?;
        let known = members.iter().filter(|(name, _)| METERS.contains(&name.as_str()));
        let amounts: Vec<Option<(String, f64)>> = known
            .map(|(name, value)| {
                Some((name.clone(), self.number(value, &format!("{at}/{name}"), "an amount")?))
            })
            .collect();
        amounts.into_iter().collect()
    }
}
