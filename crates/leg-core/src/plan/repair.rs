//! Text of a model → JSON value: pure, total, bounded, and each thing it did is logged.
//!
//! A plan is found inside fences and prose; see [`Repair`] for what else is mended. No key and no value is invented:
//! a text that ends inside a value is reported as truncated, `NaN` is an error, and two different plans in one text
//! are an error too. What is valid JSON already comes back as it is.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lenient::{Failure, Lenient, position};
use super::{Code, Diagnostic};

/// The largest text, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// The deepest nesting.
pub const MAX_DEPTH: usize = 127;

/// What was mended.
///
/// ```
/// use leg_core::plan::{RepairKind, repair};
///
/// let (_, repairs) = repair("{\"warm\": True}").unwrap();
/// assert_eq!(repairs[0].kind, RepairKind::Literal);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RepairKind {
    /// Prose or fences around the plan were left out.
    Surroundings,
    /// A comment was left out.
    Comment,
    /// A comma before a closer was left out.
    TrailingComma,
    /// A typographic or single quote was read as a double quote.
    Quote,
    /// A key without quotes was read as a key.
    BareKey,
    /// A raw line break or tab in a text was kept as an escape.
    ControlCharacter,
    /// `True`, `False` or `None` was read as `true`, `false` or `null`.
    Literal,
    /// A space that JSON does not know was read as a space.
    Space,
    /// A closer that was missing at the end of the text was added.
    MissingCloser,
}

/// One kind of repair that was made to a text.
///
/// ```
/// use leg_core::plan::repair;
///
/// let (value, repairs) = repair("{\"depths\": [0, 10,]}").unwrap();
/// assert_eq!(value, serde_json::json!({"depths": [0, 10]}));
/// assert_eq!((repairs[0].count, repairs[0].line), (1, 1));
/// println!("{}", repairs[0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repair {
    /// What was mended.
    pub kind: RepairKind,
    /// How often.
    pub count: usize,
    /// The line of the first place, from 1.
    pub line: usize,
    /// The column of the first place, from 1.
    pub column: usize,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            RepairKind::Surroundings => "left out text around the plan",
            RepairKind::Comment => "left out a comment",
            RepairKind::TrailingComma => "left out a comma before a closer",
            RepairKind::Quote => "read another quote as a double quote",
            RepairKind::BareKey => "put quotes around a key",
            RepairKind::ControlCharacter => "escaped a line break or tab in a text",
            RepairKind::Literal => "read a literal of Python",
            RepairKind::Space => "read an unusual space as a space",
            RepairKind::MissingCloser => "added a closer at the end",
        };
        write!(f, "{what} (line {}, column {}", self.line, self.column)?;
        match self.count {
            0 | 1 => f.write_str(")"),
            count => write!(f, "; {count} times)"),
        }
    }
}

/// Reads the JSON value in a text, mending its form.
///
/// ```
/// use leg_core::plan::repair;
///
/// let text = "Here it is:\n```json\n{“version”: 1, /* one step */ \"tracks\": [],}\n```";
/// let (value, repairs) = repair(text).unwrap();
/// assert_eq!(value, serde_json::json!({"version": 1, "tracks": []}));
/// assert_eq!(repairs.len(), 4);
/// assert!(repair("{\"version\": 1, \"question\": \"How wa").is_err());
/// ```
///
/// # Errors
/// One diagnostic: `truncated`, `not_json`, `no_plan`, `too_large`, `duplicate_key`, or `bad_value` for `NaN`.
pub fn repair(text: &str) -> Result<(Value, Vec<Repair>), Diagnostic> {
    if text.len() > MAX_BYTES {
        let message = format!("the text has {} bytes; at most {MAX_BYTES} are read", text.len());
        return Err(Diagnostic::new("", Code::TooLarge, message).hint("send the plan without other text"));
    }
    if let Ok(value) = serde_json::from_str(text) {
        // Readers differ in which of two equal keys they keep, so they are refused.
        let start = text.len() - text.trim_start().len();
        return match Lenient::new(text, start).value() {
            Err(failure) if failure.code == Code::DuplicateKey => Err(failure.diagnostic(text)),
            _ => Ok((value, Vec::new())),
        };
    }
    let mut search = Search { text, found: Vec::new(), failure: None };
    search.run()?;
    search.choose()
}

struct Found {
    value: Value,
    log: BTreeMap<RepairKind, (usize, usize)>,
    /// Where text begins that is no part of it. Only of the chosen one it is told: there may be many.
    surroundings: Option<usize>,
}

/// Looks for values that start with a brace. Each byte is read once: a search goes on where the last attempt ended.
struct Search<'a> {
    text: &'a str,
    found: Vec<Found>,
    /// The failure of the attempt that came furthest, and how far it came.
    failure: Option<(usize, Failure)>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
        let first = self.text.len() - self.text.trim_start_matches(blank).len();
        let mut next = self.text.get(first..).and_then(|rest| rest.starts_with('[').then_some(first));
        let mut from = 0;
        loop {
            let Some(start) = next.take().or_else(|| Some(from + self.text.get(from..)?.find('{')?)) else {
                return Ok(());
            };
            // Not needed, and quicker for a text of nothing but braces.
            if self.failure.is_some() && self.text.get(start..).is_some_and(|rest| rest.starts_with("{{")) {
                from = start + 1;
                continue;
            }
            let mut reader = Lenient::new(self.text, start);
            match reader.value() {
                Ok(value) => {
                    from = reader.at;
                    let after = self.text.get(from..).unwrap_or_default();
                    let surrounded = start != first || after.contains(|c: char| !blank(c));
                    let surroundings = surrounded.then_some(if start == first { from } else { first });
                    self.found.push(Found { value, log: reader.log, surroundings });
                }
                Err(failure) if failure.code == Code::TooLarge => return Err(failure.diagnostic(self.text)),
                Err(failure) => {
                    from = reader.at.max(start + 1);
                    let reached = reader.at - start;
                    if self.failure.as_ref().is_none_or(|(furthest, _)| reached > *furthest) {
                        self.failure = Some((reached, failure));
                    }
                }
            }
        }
    }

    fn choose(self) -> Result<(Value, Vec<Repair>), Diagnostic> {
        let text = self.text;
        let is_plan = |found: &Found| found.value.get("tracks").is_some();
        let any_plan = self.found.iter().any(is_plan);
        let mut candidates = self.found.into_iter().filter(|found| !any_plan || is_plan(found));
        let none = |message: &str| {
            Diagnostic::new("", Code::NoPlan, message)
                .hint("send the plan as one JSON object with `version`, `question` and `tracks`")
        };
        match (candidates.next(), self.failure) {
            (Some(chosen), failure) if any_plan || failure.is_none() => {
                if candidates.any(|other| other.value != chosen.value) {
                    return Err(none("the text holds more than one JSON object that could be the plan"));
                }
                let mut log = chosen.log;
                log.extend(chosen.surroundings.map(|at| (RepairKind::Surroundings, (1, at))));
                let repairs = log.into_iter().map(|(kind, (count, at))| {
                    let (line, column) = position(text, at);
                    Repair { kind, count, line, column }
                });
                Ok((chosen.value, repairs.collect()))
            }
            (_, Some((_, failure))) => Err(failure.diagnostic(text)),
            (_, None) => Err(none("the text holds no plan")),
        }
    }
}
