//! Arguments against a tool's JSON Schema, with the places left out that are known only when the plan runs.

use std::collections::BTreeSet;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::links::Hole;
use super::nearest::{clip, hint, list, nearest};
use super::ports::{forms, members, port_at, schema_at};
use super::reader::{describe, escape};
use super::{Code, Diagnostic};
use crate::ToolSpec;

/// One fault of the arguments, by the token path inside them.
struct Fault {
    code: Code,
    message: String,
    hint: Option<String>,
}

/// Checks the arguments of a step; `at` is the place of the arguments in the plan.
pub(super) fn check_arguments(
    spec: &ToolSpec,
    validator: &Validator,
    args: &Value,
    holes: &[Hole],
    at: &str,
) -> Vec<Diagnostic> {
    let places: BTreeSet<&str> = holes.iter().map(|hole| hole.pointer.as_str()).collect();
    let check = Check { spec, places };
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut seen = BTreeSet::new();
    for error in validator.iter_errors(args) {
        for error in check.leaves(&error) {
            for (pointer, fault) in check.faults(error) {
                // Keywords of one schema may all refuse one value; one of them is enough.
                let name = matches!(fault.code, Code::MissingArgument).then(|| fault.message.clone());
                if seen.insert((pointer.clone(), name)) {
                    found.push(Diagnostic {
                        pointer: format!("{at}{pointer}"),
                        code: fault.code,
                        message: fault.message,
                        hint: fault.hint,
                    });
                }
            }
        }
    }
    found.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    found
}

struct Check<'a> {
    spec: &'a ToolSpec,
    /// Pointers of the holes.
    places: BTreeSet<&'a str>,
}

impl Check<'_> {
    /// The errors that say most: of alternatives, those of the one that was meant. None if a hole decides.
    fn leaves<'e, 'i>(&self, error: &'e ValidationError<'i>) -> Vec<&'e ValidationError<'i>> {
        let place = error.instance_path().as_str();
        if self.is_hole(place) {
            return Vec::new();
        }
        match error.kind() {
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                let branches: Vec<Vec<&ValidationError<'static>>> = context
                    .iter()
                    .map(|branch| branch.iter().flat_map(|error| self.leaves(error)).collect())
                    .collect();
                if branches.iter().any(Vec::is_empty) {
                    return Vec::new();
                }
                match meant(place, branches) {
                    Some(branch) => branch,
                    None => vec![error],
                }
            }
            ValidationErrorKind::Constant { .. }
            | ValidationErrorKind::Enum { .. }
            | ValidationErrorKind::Not { .. }
            | ValidationErrorKind::Contains
            | ValidationErrorKind::UniqueItems
            | ValidationErrorKind::OneOfMultipleValid { .. }
                if self.has_hole_below(place) =>
            {
                Vec::new()
            }
            _ => vec![error],
        }
    }

    fn is_hole(&self, place: &str) -> bool {
        self.places.contains(place)
            || place
                .match_indices('/')
                .any(|(end, _)| place.get(..end).is_some_and(|p| self.places.contains(p)))
    }

    fn has_hole_below(&self, place: &str) -> bool {
        let prefix = format!("{place}/");
        self.places.range(prefix.as_str()..).next().is_some_and(|hole| hole.starts_with(&prefix))
    }

    fn faults(&self, error: &ValidationError<'_>) -> Vec<(String, Fault)> {
        let place = error.instance_path().as_str();
        let path = tokens(place);
        let schema = schema_at(&self.spec.arguments, &path);
        let known = schema.map(|schema| members(&self.spec.arguments, schema)).unwrap_or_default();
        let present = |name: &str| error.instance().get(name).is_some();
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
                .iter()
                .map(|name| {
                    (format!("{place}/{}", escape(name)), self.unknown(name, &path, &known, &present))
                })
                .collect(),
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                let misspelled = error.instance().as_object().is_some_and(|members| {
                    members.keys().any(|key| {
                        !known.contains(&key.as_str())
                            && nearest(key, known.iter().copied().filter(|name| !present(name))) == Some(name)
                    })
                });
                if misspelled { Vec::new() } else { vec![(place.to_owned(), self.missing(name, &path))] }
            }
            _ => vec![(place.to_owned(), self.misfit(error, &path))],
        }
    }

    fn unknown(&self, name: &str, path: &[String], known: &[&str], present: &dyn Fn(&str) -> bool) -> Fault {
        let (code, message) = if path.is_empty() {
            let tool = &self.spec.name;
            (Code::UnknownArgument, format!("tool `{tool}` has no argument `{}`", clip(name)))
        } else {
            (Code::BadArgument, format!("the key `{}` is not known here", clip(name)))
        };
        let absent: Vec<&str> = known.iter().copied().filter(|name| !present(name)).collect();
        let hint = match nearest(name, absent) {
            Some(name) => format!("did you mean `{name}`?"),
            None if path.is_empty() => hint(name, known.iter().copied(), "arguments"),
            None => hint(name, known.iter().copied(), "allowed keys"),
        };
        Fault { code, message, hint: Some(hint) }
    }

    fn missing(&self, name: &str, path: &[String]) -> Fault {
        let below: Vec<String> = path.iter().cloned().chain([name.to_owned()]).collect();
        let hint = self.wanted(&below);
        if path.is_empty() {
            let message = format!("argument `{name}` of `{}` is missing", self.spec.name);
            return Fault { code: Code::MissingArgument, message, hint };
        }
        Fault { code: Code::BadArgument, message: format!("the key `{name}` is missing"), hint }
    }

    /// What the place takes, in words.
    fn wanted(&self, path: &[String]) -> Option<String> {
        if let Some(port) = port_at(self.spec, path) {
            let kinds: Vec<&str> = port.kinds().iter().map(|kind| kind.as_str()).collect();
            return Some(match kinds.as_slice() {
                [] => "give a `{\"$ref\": \"step\"}`".to_owned(),
                kinds => format!("give a `{{\"$ref\": \"step\"}}` to a `{}`", kinds.join("` or `")),
            });
        }
        let root = &self.spec.arguments;
        let schema = schema_at(root, path)?;
        let types: Vec<&str> = forms(root, schema)
            .filter_map(|form| form.get("type")?.as_str())
            .filter(|t| *t != "null")
            .collect();
        let allowed = allowed_values(root, schema);
        match (allowed.is_empty(), types.first()) {
            (false, _) => Some(list(allowed.iter().map(String::as_str), "allowed")),
            (true, Some(first)) => Some(format!("expected type: {first}")),
            (true, None) => None,
        }
    }

    fn misfit(&self, error: &ValidationError<'_>, path: &[String]) -> Fault {
        let found = describe(error.instance());
        let argument = path.first().map_or(String::new(), |name| format!(" of argument `{}`", clip(name)));
        let message = match error.kind() {
            ValidationErrorKind::AnyOf { .. }
            | ValidationErrorKind::OneOfNotValid { .. }
            | ValidationErrorKind::Constant { .. }
            | ValidationErrorKind::Enum { .. } => format!("{found} is none of the allowed forms{argument}"),
            _ => clip_long(&error.masked_with(found).to_string()),
        };
        let hint = self.wanted(path).or_else(|| {
            let schema = schema_at(&self.spec.arguments, path)?;
            Some(schema.get("description")?.as_str()?.lines().next()?.to_owned())
        });
        Fault { code: Code::BadArgument, message, hint }
    }
}

/// The alternative that was meant: the one with fewest faults, those of another type left out.
fn meant<'e>(
    place: &str,
    branches: Vec<Vec<&'e ValidationError<'static>>>,
) -> Option<Vec<&'e ValidationError<'static>>> {
    let weight = |branch: &[&ValidationError<'_>]| -> usize {
        branch
            .iter()
            .map(|error| match error.kind() {
                ValidationErrorKind::AdditionalProperties { unexpected } => unexpected.len(),
                _ => 1,
            })
            .sum()
    };
    let other_type = |error: &&ValidationError<'_>| {
        error.instance_path().as_str() == place
            && matches!(
                error.kind(),
                ValidationErrorKind::Type { .. }
                    | ValidationErrorKind::Constant { .. }
                    | ValidationErrorKind::AnyOf { .. }
                    | ValidationErrorKind::OneOfNotValid { .. }
            )
    };
    let mut weighed: Vec<_> = branches
        .into_iter()
        .filter(|branch| !branch.iter().any(other_type))
        .map(|branch| (weight(&branch), branch))
        .collect();
    weighed.sort_by_key(|(weight, _)| *weight);
    let mut weighed = weighed.into_iter();
    let (least, best) = weighed.next()?;
    weighed.next().is_none_or(|(next, _)| next > least).then_some(best)
}

/// The constants and enumerations of a schema and its alternatives.
fn allowed_values(root: &Value, schema: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut allowed: Vec<String> = Vec::new();
    for form in forms(root, schema) {
        allowed.extend(form.get("const").map(text));
        allowed.extend(form.get("enum").and_then(Value::as_array).into_iter().flatten().map(text));
        if let Some(required) = form.get("required").and_then(Value::as_array)
            && form.get("type").and_then(Value::as_str) == Some("object")
            && !allowed.is_empty()
        {
            let keys: Vec<String> = required.iter().map(|key| format!("{key}: …")).collect();
            allowed.push(format!("{{{}}}", keys.join(", ")));
        }
    }
    allowed
}

fn clip_long(text: &str) -> String {
    text.chars().take(200).collect()
}

fn tokens(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect()
}
