//! `$ref` in a tool's JSON Schema: local JSON Pointers (RFC 6901) in a URI fragment, and nothing else.
//!
//! A reference that goes nowhere must not turn a check off, so all of a schema's references are looked at when the
//! tool is registered: `~0`, `~1` and `%XX` are read strictly, remote documents are never fetched, and a circle that
//! consumes no data is an error. A schema may refer to itself below a member or an item, as trees do.

use std::collections::BTreeMap;
use std::fmt;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use serde_json::Value;

/// The deepest nesting of a schema.
pub const MAX_SCHEMA_DEPTH: usize = 128;

/// A reference of a schema cannot be followed.
///
/// ```
/// use leg_core::tool::{SchemaReferenceError, resolve_reference};
///
/// let schema = serde_json::json!({"$defs": {"depth": {"type": "number"}}});
/// let elsewhere = resolve_reference(&schema, "https://example.org/schema.json");
/// assert!(matches!(elsewhere, Err(SchemaReferenceError::Remote { .. })));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaReferenceError {
    /// It names another document.
    #[error("`{text}` is not in this schema; copy what it means to `$defs` and refer to `#/$defs/NAME`")]
    Remote {
        /// The reference.
        text: String,
    },
    /// It is no JSON Pointer.
    #[error("`{text}` is no JSON Pointer: {reason}; write `#/$defs/NAME` with `~0` for `~` and `~1` for `/`")]
    Pointer {
        /// The reference.
        text: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// Nothing is there.
    #[error("nothing is at `{text}`; add it to `$defs`, or refer to what is there")]
    Dangling {
        /// The reference.
        text: String,
    },
    /// A schema is asked again for the same value before any of it was consumed.
    #[error("the schema refers to itself without a member or an item between: {}", .through.join(" -> "))]
    Cycle {
        /// The places of the circle.
        through: Vec<String>,
    },
    /// It is nested too deep.
    #[error("the schema is nested deeper than {MAX_SCHEMA_DEPTH}; name parts of it in `$defs`")]
    TooDeep,
    /// A keyword that moves the base of references.
    #[error("`{keyword}` is not read; write `$ref` with a JSON Pointer")]
    Unsupported {
        /// The keyword.
        keyword: &'static str,
    },
}

/// One thing that is wrong with a schema's references.
///
/// ```
/// use leg_core::tool::schema_faults;
///
/// let schema = serde_json::json!({"properties": {"depth": {"$ref": "#/$defs/nowhere"}}});
/// let faults = schema_faults(&schema);
/// assert_eq!(faults.len(), 1);
/// assert!(faults[0].to_string().contains("nowhere"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFault {
    /// JSON Pointer to the schema that refers.
    pub at: String,
    /// What is wrong.
    pub error: SchemaReferenceError,
}

impl fmt::Display for SchemaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.at.is_empty() { "the schema" } else { &self.at };
        write!(f, "{at}: {}", self.error)
    }
}

/// Follows one reference.
///
/// ```
/// use leg_core::tool::resolve_reference;
///
/// let schema = serde_json::json!({"$defs": {"a/b": {"type": "string"}}});
/// assert_eq!(resolve_reference(&schema, "#/$defs/a~1b").unwrap()["type"], "string");
/// assert_eq!(resolve_reference(&schema, "#/%24defs/a~1b").unwrap()["type"], "string");
/// assert!(resolve_reference(&schema, "#/$defs/a~2b").is_err());
/// assert!(resolve_reference(&schema, "https://example.org/schema.json").is_err());
/// ```
///
/// # Errors
/// [`SchemaReferenceError`]: remote, not a pointer, or nothing is there.
pub fn resolve_reference<'a>(root: &'a Value, text: &str) -> Result<&'a Value, SchemaReferenceError> {
    let dangling = || SchemaReferenceError::Dangling { text: clip(text) };
    tokens(text)?.iter().try_fold(root, |value, token| child(value, token).ok_or_else(dangling))
}

/// All that is wrong with the references of a schema.
///
/// ```
/// use leg_core::tool::schema_faults;
///
/// let tree = serde_json::json!({"$ref": "#/$defs/tree", "$defs": {"tree": {
///     "type": "object", "properties": {"parts": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}}});
/// assert!(schema_faults(&tree).is_empty());
/// let circle = serde_json::json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}});
/// assert_eq!(schema_faults(&circle).len(), 1);
/// ```
pub fn schema_faults(schema: &Value) -> Vec<SchemaFault> {
    if is_too_deep(schema) {
        return vec![SchemaFault { at: String::new(), error: SchemaReferenceError::TooDeep }];
    }
    let mut walk = Walk {
        root: schema,
        graph: DiGraph::new(),
        places: BTreeMap::new(),
        open: Vec::new(),
        faults: Vec::new(),
    };
    walk.run();
    walk.cycles();
    walk.faults
}

/// Keywords that hold a schema for a part of the value.
const PARTS: [&str; 7] = [
    "additionalProperties",
    "contains",
    "items",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];
/// Keywords that hold schemas for parts of the value, by name or by place.
const MANY_PARTS: [&str; 3] = ["properties", "patternProperties", "prefixItems"];
/// Keywords that hold a schema for the same value.
const SAME: [&str; 4] = ["not", "if", "then", "else"];
/// Keywords that hold schemas for the same value.
const MANY_SAME: [&str; 4] = ["allOf", "anyOf", "oneOf", "dependentSchemas"];
/// Keywords that hold schemas that apply to nothing by themselves.
const NAMED: [&str; 2] = ["$defs", "definitions"];

struct Walk<'a> {
    root: &'a Value,
    graph: DiGraph<String, ()>,
    places: BTreeMap<String, NodeIndex>,
    open: Vec<(NodeIndex, &'a Value)>,
    faults: Vec<SchemaFault>,
}

impl<'a> Walk<'a> {
    fn run(&mut self) {
        self.place(String::new(), self.root);
        while let Some((index, schema)) = self.open.pop() {
            let Value::Object(members) = schema else { continue };
            let at = self.graph.node_weight(index).cloned().unwrap_or_default();
            for keyword in ["$dynamicRef", "$recursiveRef"] {
                if members.contains_key(keyword) {
                    self.fault(&at, SchemaReferenceError::Unsupported { keyword });
                }
            }
            if members.contains_key("$id") && !at.is_empty() {
                self.fault(&at, SchemaReferenceError::Unsupported { keyword: "$id" });
            }
            for (keyword, value) in members {
                let keyword = keyword.as_str();
                let here = format!("{at}/{}", escape(keyword));
                if PARTS.contains(&keyword) {
                    self.place(here, value);
                } else if SAME.contains(&keyword) {
                    self.same(index, here, value);
                } else if MANY_PARTS.contains(&keyword) || NAMED.contains(&keyword) {
                    for (token, value) in children(value) {
                        self.place(format!("{here}/{token}"), value);
                    }
                } else if MANY_SAME.contains(&keyword) {
                    for (token, value) in children(value) {
                        self.same(index, format!("{here}/{token}"), value);
                    }
                }
            }
            if let Some(reference) = members.get("$ref") {
                self.reference(index, &at, reference);
            }
        }
    }

    fn reference(&mut self, from: NodeIndex, at: &str, reference: &Value) {
        let Some(text) = reference.as_str() else {
            let text = clip(&reference.to_string());
            return self.fault(at, SchemaReferenceError::Pointer { text, reason: "it is no text" });
        };
        match (tokens(text), resolve_reference(self.root, text)) {
            (Ok(tokens), Ok(target)) => {
                let place = tokens.iter().fold(String::new(), |place, token| place + "/" + &escape(token));
                self.same(from, place, target);
            }
            (Err(error), _) | (_, Err(error)) => self.fault(at, error),
        }
    }

    /// A schema that stands somewhere; each is walked once.
    fn place(&mut self, at: String, schema: &'a Value) -> NodeIndex {
        if let Some(index) = self.places.get(&at) {
            return *index;
        }
        let index = self.graph.add_node(at.clone());
        self.places.insert(at, index);
        self.open.push((index, schema));
        index
    }

    /// A schema that is asked about the same value as `from`.
    fn same(&mut self, from: NodeIndex, at: String, schema: &'a Value) {
        let to = self.place(at, schema);
        self.graph.add_edge(from, to, ());
    }

    fn cycles(&mut self) {
        let mut found: Vec<Vec<String>> = Vec::new();
        for group in kosaraju_scc(&self.graph) {
            let alone = matches!(group.as_slice(), [one] if !self.graph.contains_edge(*one, *one));
            if !alone {
                let place = |index: &NodeIndex| {
                    format!("#{}", self.graph.node_weight(*index).map_or("", String::as_str))
                };
                let mut through: Vec<String> = group.iter().map(place).collect();
                through.sort();
                found.push(through);
            }
        }
        found.sort();
        for through in found {
            let at = through.first().and_then(|at| at.get(1..)).unwrap_or_default().to_owned();
            self.faults.push(SchemaFault { at, error: SchemaReferenceError::Cycle { through } });
        }
    }

    fn fault(&mut self, at: &str, error: SchemaReferenceError) {
        self.faults.push(SchemaFault { at: at.to_owned(), error });
    }
}

/// The members or items of a value, with their tokens, escaped.
fn children(value: &Value) -> Vec<(String, &Value)> {
    match value {
        Value::Object(members) => members.iter().map(|(key, value)| (escape(key), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        _ => Vec::new(),
    }
}

fn child<'a>(value: &'a Value, token: &str) -> Option<&'a Value> {
    match value {
        Value::Object(members) => members.get(token),
        Value::Array(items) => {
            // An index has no sign and no leading zero.
            let plain =
                token == "0" || (!token.starts_with('0') && token.bytes().all(|b| b.is_ascii_digit()));
            items.get(token.parse::<usize>().ok().filter(|_| plain)?)
        }
        _ => None,
    }
}

/// The tokens of a reference, without escapes.
fn tokens(text: &str) -> Result<Vec<String>, SchemaReferenceError> {
    let wrong = |reason| SchemaReferenceError::Pointer { text: clip(text), reason };
    let Some(fragment) = text.strip_prefix('#') else {
        return Err(SchemaReferenceError::Remote { text: clip(text) });
    };
    let pointer = percent_decoded(fragment).map_err(wrong)?;
    if pointer.is_empty() {
        return Ok(Vec::new());
    }
    let Some(pointer) = pointer.strip_prefix('/') else { return Err(wrong("it does not begin with `#/`")) };
    pointer.split('/').map(|token| unescaped(token).map_err(wrong)).collect()
}

fn percent_decoded(text: &str) -> Result<String, &'static str> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first != b'%' {
            bytes.push(first);
            rest = after;
            continue;
        }
        let hex = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let (Some(high), Some(low)) = (after.first().and_then(hex), after.get(1).and_then(hex)) else {
            return Err("`%` is not followed by two hexadecimal digits");
        };
        bytes.push(high * 16 + low);
        rest = after.get(2..).unwrap_or_default();
    }
    String::from_utf8(bytes).map_err(|_| "its `%` escapes are not UTF-8")
}

fn unescaped(token: &str) -> Result<String, &'static str> {
    let mut plain = String::with_capacity(token.len());
    let mut letters = token.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '~' => match letters.next() {
                Some('0') => '~',
                Some('1') => '/',
                _ => return Err("`~` is not followed by `0` or `1`"),
            },
            letter => letter,
        });
    }
    Ok(plain)
}

fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

fn clip(text: &str) -> String {
    text.chars().take(80).collect()
}

fn is_too_deep(value: &Value) -> bool {
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_SCHEMA_DEPTH {
            return true;
        }
        open.extend(children(value).into_iter().map(|(_, value)| (value, depth + 1)));
    }
    false
}
