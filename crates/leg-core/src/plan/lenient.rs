//! A JSON reader that forgives what models get wrong in form, and nothing that would change the meaning.
//!
//! It forgives comments, trailing commas, typographic and single quotes, keys without quotes, raw line breaks in
//! texts, the literals of Python, and closers that are missing at the end of the text. Each forgiven thing is logged.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

use super::nearest::clip;
use super::repair::{MAX_DEPTH, RepairKind};
use super::{Code, Diagnostic};

/// Reads one value that starts at a place of a text.
pub(super) struct Lenient<'a> {
    text: &'a str,
    pub(super) at: usize,
    depth: usize,
    /// How often each kind of repair was made, and where first.
    pub(super) log: BTreeMap<RepairKind, (usize, usize)>,
}

/// Why there is no value.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) code: Code,
    /// The byte that is to blame. What was read may reach further, so that no byte is read twice.
    at: usize,
    pub(super) message: String,
    pub(super) hint: Option<&'static str>,
}

impl Failure {
    /// The diagnostic, with line and column.
    pub(super) fn diagnostic(self, text: &str) -> Diagnostic {
        let (line, column) = position(text, self.at);
        let diagnostic =
            Diagnostic::new("", self.code, format!("{} (line {line}, column {column})", self.message));
        match self.hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }
}

/// Line and column of a byte, from 1.
pub(super) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    (line, before.get(start..).unwrap_or_default().chars().count() + 1)
}

impl<'a> Lenient<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, depth: 0, log: BTreeMap::new() }
    }

    pub(super) fn value(&mut self) -> Result<Value, Failure> {
        match self.peek() {
            Some('{') => self.nested(Self::object),
            Some('[') => self.nested(Self::array),
            Some(quote) if is_quote(quote) => self.string(quote).map(Value::String),
            Some(c) if c == '-' || c == '+' || c == '.' || c.is_ascii_digit() => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.word(),
            Some(c) => Err(self.fail(format!("expected a value, found `{c}`"))),
            None => Err(self.truncated("where a value should stand")),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, Failure>) -> Result<Value, Failure> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Failure {
                code: Code::TooLarge,
                at: self.at,
                message: format!("the text is nested deeper than {MAX_DEPTH}"),
                hint: Some("write a flatter plan"),
            });
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Value, Failure> {
        self.advance('{');
        let mut members = Map::new();
        loop {
            self.blank()?;
            match self.peek() {
                Some('}') if members.is_empty() => {
                    self.advance('}');
                    return Ok(Value::Object(members));
                }
                None if self.depth > 0 => return Err(self.truncated("inside an object")),
                _ => {}
            }
            let start = self.at;
            let key = self.key()?;
            self.blank()?;
            match self.peek() {
                Some(':') => self.advance(':'),
                Some(c) => return Err(self.fail(format!("expected `:` after a key, found `{c}`"))),
                None => return Err(self.truncated("after a key")),
            }
            self.blank()?;
            let value = self.value()?;
            if members.contains_key(&key) {
                return Err(duplicate(start, &key));
            }
            members.insert(key, value);
            if self.close('}')? {
                return Ok(Value::Object(members));
            }
        }
    }

    fn array(&mut self) -> Result<Value, Failure> {
        self.advance('[');
        let mut items = Vec::new();
        loop {
            self.blank()?;
            match self.peek() {
                Some(']') if items.is_empty() => {
                    self.advance(']');
                    return Ok(Value::Array(items));
                }
                None => return Err(self.truncated("inside a list")),
                _ => {}
            }
            items.push(self.value()?);
            if self.close(']')? {
                return Ok(Value::Array(items));
            }
        }
    }

    /// After a member or an item: whether the object or list ends here. A comma is stepped over.
    fn close(&mut self, closer: char) -> Result<bool, Failure> {
        self.blank()?;
        match self.peek() {
            Some(',') => {
                let comma = self.at;
                self.advance(',');
                self.blank()?;
                if self.peek() == Some(closer) {
                    self.note(RepairKind::TrailingComma, comma);
                    self.advance(closer);
                    return Ok(true);
                }
                Ok(false)
            }
            Some(c) if c == closer => {
                self.advance(c);
                Ok(true)
            }
            Some(c) => Err(self.fail(format!("expected `,` or `{closer}`, found `{c}`"))),
            None => {
                self.note(RepairKind::MissingCloser, self.at);
                Ok(true)
            }
        }
    }

    fn key(&mut self) -> Result<String, Failure> {
        match self.peek() {
            Some(quote) if is_quote(quote) => self.string(quote),
            Some(c) if c.is_ascii_alphabetic() || c == '_' || c == '$' => {
                let start = self.at;
                let key = self.run(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$').to_owned();
                if self.peek() == Some(':') {
                    self.note(RepairKind::BareKey, start);
                    return Ok(key);
                }
                Err(self.fail(format!("expected `:` after `{}`", clip(&key))))
            }
            Some(c) => Err(self.fail(format!("expected a key, found `{c}`"))),
            None => Err(self.truncated("inside an object")),
        }
    }

    /// A text. Only the plain double quote ends at the next one; any other ends where structure follows, because
    /// it may be an apostrophe or a quotation in the text.
    fn string(&mut self, quote: char) -> Result<String, Failure> {
        let start = self.at;
        if quote != '"' {
            self.note(RepairKind::Quote, start);
        }
        self.advance(quote);
        let mut json = String::from('"');
        loop {
            let special = |c: char| c == '"' || c == '\\' || c < ' ' || (quote != '"' && is_quote(c));
            json.push_str(self.run(|c| !special(c)));
            let Some(c) = self.rest().chars().next() else { break };
            let here = self.at;
            self.advance(c);
            match c {
                '"' if quote == '"' => {
                    json.push('"');
                    return self.unescape(start, &json);
                }
                c if quote != '"' && same_family(quote, c) && self.structure_follows() => {
                    json.push('"');
                    return self.unescape(start, &json);
                }
                '\\' => match self.rest().chars().next() {
                    Some('\'') => {
                        self.note(RepairKind::Quote, here);
                        self.advance('\'');
                        json.push('\'');
                    }
                    Some(escaped) => {
                        self.advance(escaped);
                        json.push('\\');
                        json.push(escaped);
                    }
                    None => {}
                },
                '"' => json.push_str("\\\""),
                c if u32::from(c) < 0x20 => {
                    self.note(RepairKind::ControlCharacter, here);
                    let _ = write!(json, "\\u{:04x}", u32::from(c));
                }
                c => json.push(c),
            }
        }
        Err(self.truncated("inside a text"))
    }

    fn unescape(&self, start: usize, json: &str) -> Result<String, Failure> {
        let fail = |_| Failure { at: start, ..self.fail("a text has an escape that JSON does not know") };
        serde_json::from_str(json).map_err(fail)
    }

    fn number(&mut self) -> Result<Value, Failure> {
        let start = self.at;
        let text = self.run(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_'));
        if self.peek().is_none() && self.depth > 0 {
            return Err(self.truncated("inside or right after a number"));
        }
        if let Ok(number) = serde_json::from_str::<Number>(text) {
            return Ok(Value::Number(number));
        }
        if is_not_finite(text.trim_start_matches(['-', '+'])) {
            return Err(not_finite(start, text));
        }
        Err(Failure { at: start, ..self.fail(format!("`{}` is not a number of JSON", clip(text))) })
    }

    fn word(&mut self) -> Result<Value, Failure> {
        let start = self.at;
        let word = self.run(|c| c.is_ascii_alphanumeric() || c == '_');
        let value = match word {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" => Value::Null,
            word => {
                let cut = self.peek().is_none()
                    && ["true", "false", "null"].iter().any(|literal| literal.starts_with(word));
                return Err(match word {
                    _ if cut => self.truncated("inside a value"),
                    word if is_not_finite(word) => not_finite(start, word),
                    word => {
                        Failure { at: start, ..self.fail(format!("`{}` is not a value of JSON", clip(word))) }
                    }
                });
            }
        };
        if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            self.note(RepairKind::Literal, start);
        }
        Ok(value)
    }

    /// Steps over white space and comments.
    fn blank(&mut self) -> Result<(), Failure> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            let skipped = rest.len() - trimmed.len();
            if rest.get(..skipped).is_some_and(|blank| !blank.is_ascii()) {
                self.note(RepairKind::Space, self.at);
            }
            self.at += skipped;
            let comment = if trimmed.starts_with("//") || trimmed.starts_with('#') {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                let Some(end) = trimmed.find("*/") else {
                    self.at = self.text.len();
                    return Err(self.truncated("inside a comment"));
                };
                end + 2
            } else {
                return Ok(());
            };
            self.note(RepairKind::Comment, self.at);
            self.at += comment;
        }
    }

    /// Whether what comes next can only stand after a text: `,`, `:`, a closer, a fence, or the end.
    fn structure_follows(&self) -> bool {
        let rest = self.rest().trim_start();
        rest.is_empty() || rest.starts_with("```") || rest.starts_with([',', ':', '}', ']'])
    }

    /// The next character outside of a text. A fence is the end of the text.
    fn peek(&self) -> Option<char> {
        let rest = self.rest();
        if rest.starts_with("```") { None } else { rest.chars().next() }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn advance(&mut self, c: char) {
        self.at += c.len_utf8();
    }

    fn run(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn fail(&self, message: impl Into<String>) -> Failure {
        Failure { code: Code::NotJson, at: self.at, message: message.into(), hint: None }
    }

    fn truncated(&self, place: &str) -> Failure {
        Failure {
            code: Code::Truncated,
            at: self.at,
            message: format!("the text ends {place}"),
            hint: Some("send the whole plan; a shorter one if it does not fit"),
        }
    }

    fn note(&mut self, kind: RepairKind, at: usize) {
        self.log.entry(kind).or_insert((0, at)).0 += 1;
    }
}

fn duplicate(at: usize, key: &str) -> Failure {
    Failure {
        code: Code::DuplicateKey,
        at,
        message: format!("the key `{}` stands twice in one object", clip(key)),
        hint: Some("keep one of the two"),
    }
}

fn not_finite(at: usize, text: &str) -> Failure {
    Failure {
        code: Code::BadValue,
        at,
        message: format!("`{}` is not a number of JSON", clip(text)),
        hint: Some("leave the key out, or write null where null is allowed"),
    }
}

fn is_not_finite(word: &str) -> bool {
    ["nan", "inf", "infinity"].iter().any(|name| name.eq_ignore_ascii_case(word))
}

const DOUBLE: [char; 5] = ['"', '“', '”', '„', '‟'];
const SINGLE: [char; 4] = ['\'', '‘', '’', '‚'];

fn is_quote(c: char) -> bool {
    DOUBLE.contains(&c) || SINGLE.contains(&c)
}

fn same_family(a: char, b: char) -> bool {
    (DOUBLE.contains(&a) && DOUBLE.contains(&b)) || (SINGLE.contains(&a) && SINGLE.contains(&b))
}
