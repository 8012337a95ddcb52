//! Safe fixes of arguments against their schema, each recorded.
//!
//! A fix is made only where the schema leaves one reading: `"50"` for a number, `"true"` for a boolean, the year `2015`
//! for a date, one value for a list of such values, and the spellings of older catalogs. `"NaN"` is never a number.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value, json};

use super::ports::{members as known, schema_at, types};
use super::reader::escape;
use super::{Body, Plan};
use crate::{Registry, ToolSpec};

/// Deeper values are left as they are.
const DEEPEST: usize = 64;

/// A value that was fixed.
///
/// ```
/// use leg_core::plan::Normalization;
///
/// let note = Normalization {
///     pointer: "/tracks/0/steps/0/args/depth".to_owned(),
///     from: "10".into(),
///     to: 10.into(),
///     reason: "the schema wants a number".to_owned(),
/// };
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Normalization {
    /// JSON pointer to the place in the plan.
    pub pointer: String,
    /// What stood there; for an older spelling, the older members.
    pub from: Value,
    /// What stands there now.
    pub to: Value,
    /// Why it is the same.
    pub reason: String,
}

/// Fixes the arguments of all steps whose tool is known.
pub(super) fn normalize(plan: &mut Plan, registry: &Registry) -> Vec<Normalization> {
    let mut done = Vec::new();
    for (t, track) in plan.tracks.iter_mut().enumerate() {
        let Body::Steps(steps) = &mut track.body else { continue };
        for (s, step) in steps.iter_mut().enumerate() {
            let Some(tool) = registry.tool(step.tool.as_str()) else { continue };
            let at = format!("/tracks/{t}/steps/{s}/args");
            let mut walk = Walk { spec: &tool.spec, path: Vec::new(), done: &mut done };
            walk.value(&mut step.args, &at);
        }
    }
    done
}

struct Walk<'a> {
    spec: &'a ToolSpec,
    path: Vec<String>,
    done: &'a mut Vec<Normalization>,
}

impl Walk<'_> {
    fn value(&mut self, value: &mut Value, at: &str) {
        let root = &self.spec.arguments;
        let Some(schema) = schema_at(root, &self.path).filter(|_| self.path.len() < DEEPEST) else { return };
        if let Value::Object(members) = value {
            if members.contains_key("$ref") || members.contains_key("$item") {
                return;
            }
            self.spellings(members, &known(root, schema), at);
        } else if let Some((to, reason)) = self.fixed(value, schema) {
            let from = std::mem::replace(value, to.clone());
            self.done.push(Normalization { pointer: at.to_owned(), from, to, reason: reason.to_owned() });
        }
        match value {
            Value::Object(members) => {
                for (key, value) in members.iter_mut() {
                    self.below(key.clone(), value, at);
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter_mut().enumerate() {
                    self.below(index.to_string(), value, at);
                }
            }
            _ => {}
        }
    }

    fn below(&mut self, token: String, value: &mut Value, at: &str) {
        let at = format!("{at}/{}", escape(&token));
        self.path.push(token);
        self.value(value, &at);
        self.path.pop();
    }

    fn fixed(&self, value: &Value, schema: &Value) -> Option<(Value, &'static str)> {
        let root = &self.spec.arguments;
        let wanted = types(root, schema)?;
        let only = |name: &str| wanted.iter().all(|wanted| *wanted == name);
        if wanted.is_empty() {
            return None;
        }
        if let Value::String(text) = value {
            if wanted.iter().all(|wanted| matches!(*wanted, "number" | "integer")) {
                let number: Number = serde_json::from_str(text.trim()).ok()?;
                let fits = wanted.contains(&"number") || number.is_i64() || number.is_u64();
                return fits.then_some((Value::Number(number), "the schema wants a number"));
            }
            if only("boolean") {
                let truth = match text.trim() {
                    "true" => true,
                    "false" => false,
                    _ => return None,
                };
                return Some((Value::Bool(truth), "the schema wants true or false"));
            }
        }
        if let Some(year) = value.as_u64()
            && (1000..=9999).contains(&year)
            && only("string")
            && self.is_date(schema)
        {
            return Some((Value::String(year.to_string()), "a year stands for a date"));
        }
        if only("array") && !value.is_array() && !value.is_null() {
            let item = schema.get("items")?;
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or_default();
            let prefix = schema.get("prefixItems").is_some();
            let fits = fits(value, &types(root, item)?);
            return (fits && least <= 1 && !prefix).then(|| (json!([value]), "the schema wants a list"));
        }
        None
    }

    /// A date says so by its format, or by the name of its argument.
    fn is_date(&self, schema: &Value) -> bool {
        const NAMES: [&str; 8] = ["baseline", "date", "end", "period", "start", "time", "year", "years"];
        schema.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("date"))
            || self.path.iter().any(|token| NAMES.contains(&token.as_str()))
    }

    /// The spellings of older catalogs, where the schema has the new name and lacks the old one.
    fn spellings(&mut self, args: &mut Map<String, Value>, known: &[&str], at: &str) {
        let open = |args: &Map<String, Value>, new: &str, old: &[&str]| {
            known.contains(&new) && !args.contains_key(new) && !old.iter().any(|name| known.contains(name))
        };
        for (old, new) in [("time_range", "time"), ("season_filter", "season")] {
            if open(args, new, &[old])
                && let Some(value) = args.get(old).cloned()
            {
                self.respell(args, &[old], new, value, at);
            }
        }
        let box_names = ["lon_range", "lat_range"];
        if open(args, "region", &box_names)
            && let (Some(lon), Some(lat)) = (args.get("lon_range"), args.get("lat_range"))
        {
            let region =
                if lon.is_null() && lat.is_null() { Value::Null } else { json!({"lon": lon, "lat": lat}) };
            self.respell(args, &box_names, "region", region, at);
        }
        let depth_names = ["vertical_mode", "depth_value", "depth_range"];
        if open(args, "depth", &depth_names)
            && let Some(depth) = depth(args)
        {
            self.respell(args, &depth_names, "depth", depth, at);
        }
    }

    /// A value of null was never set, so that its member is only taken out.
    fn respell(&mut self, args: &mut Map<String, Value>, old: &[&str], new: &str, to: Value, at: &str) {
        let from: Map<String, Value> = old
            .iter()
            .filter_map(|name| args.remove(*name).map(|value| ((*name).to_owned(), value)))
            .collect();
        if !to.is_null() {
            args.insert(new.to_owned(), to.clone());
        }
        self.done.push(Normalization {
            pointer: format!("{at}/{new}"),
            from: Value::Object(from),
            to,
            reason: format!("`{new}` is the name in this catalog"),
        });
    }
}

/// The depth that the three older arguments say; `None` when they contradict each other or say too little.
fn depth(args: &Map<String, Value>) -> Option<Value> {
    let set = |name: &str| args.get(name).filter(|value| !value.is_null());
    let mentioned =
        ["vertical_mode", "depth_value", "depth_range"].iter().any(|name| args.contains_key(*name));
    match (set("vertical_mode"), set("depth_value"), set("depth_range")) {
        (None, None, None) if mentioned => Some(Value::Null),
        (None, Some(value), None) => Some(json!({"at": value})),
        (None, None, Some(range)) => Some(json!({"range": range})),
        (Some(mode), value, range) => match (mode.as_str()?, value, range) {
            (mode @ ("surface" | "bottom" | "mixed_layer" | "column"), None, None) => Some(json!(mode)),
            ("fixed_depth", Some(value), None) => Some(json!({"at": value})),
            ("depth_range", None, Some(range)) => Some(json!({"range": range})),
            _ => None,
        },
        _ => None,
    }
}

fn fits(value: &Value, types: &[&str]) -> bool {
    types.iter().any(|name| match *name {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        _ => false,
    })
}
