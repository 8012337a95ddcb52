//! The expressions inside the double braces of a template.

use std::collections::BTreeMap;

use super::template::{Templates, render_at};

/// What an expression gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// A whole number.
    Int(i64),
    /// Text.
    Text(String),
}

impl Value {
    /// As text, the form that goes into the place of the braces.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Int(number) => number.to_string(),
            Self::Text(text) => text,
        }
    }
}

/// Parentheses deeper than this are refused.
const MAX_DEPTH: usize = 32;

/// Evaluates an expression over variables and templates. `depth` counts templates inside templates.
pub(super) fn evaluate(
    text: &str,
    variables: &BTreeMap<String, Value>,
    templates: &Templates,
    depth: usize,
) -> Result<Value, String> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, variables, templates, depth };
    let value = parser.sum(0)?;
    match parser.peek() {
        None => Ok(value),
        Some(token) => Err(format!("`{text}` goes on with {token:?} where it should end")),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Int(i64),
    Text(String),
    Name(String),
    Sign(&'static str),
}

const SIGNS: [&str; 10] = ["//", "+", "-", "*", "/", "%", "(", ")", ",", "="];

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number =
                rest[..end].parse().map_err(|_| format!("`{}` is too large a number", &rest[..end]))?;
            out.push(Token::Int(number));
            end
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            out.push(Token::Name(rest[..end].to_owned()));
            end
        } else if first == '\'' || first == '"' {
            let inside = &rest[1..];
            let end = inside.find(first).ok_or_else(|| format!("`{text}` has a quote without end"))?;
            out.push(Token::Text(inside[..end].to_owned()));
            end + 2
        } else {
            let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
            let sign = sign.ok_or_else(|| format!("`{text}` has `{first}`, which is not understood"))?;
            out.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(out)
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    variables: &'a BTreeMap<String, Value>,
    templates: &'a Templates,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// Takes one of the signs.
    fn take(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        match self.peek() {
            Some(Token::Sign(sign)) if signs.contains(sign) => {
                let sign = *sign;
                self.at += 1;
                Some(sign)
            }
            _ => None,
        }
    }

    fn sum(&mut self, depth: usize) -> Result<Value, String> {
        let mut value = self.product(depth)?;
        while let Some(sign) = self.take(&["+", "-"]) {
            let other = self.product(depth)?;
            value = match (value, sign, other) {
                (Value::Int(a), "+", Value::Int(b)) => Value::Int(a.checked_add(b).ok_or(OVERFLOW)?),
                (Value::Int(a), "-", Value::Int(b)) => Value::Int(a.checked_sub(b).ok_or(OVERFLOW)?),
                (Value::Text(a), "+", Value::Text(b)) => Value::Text(a + &b),
                (a, sign, b) => return Err(format!("{a:?} {sign} {b:?} is not understood")),
            };
        }
        Ok(value)
    }

    fn product(&mut self, depth: usize) -> Result<Value, String> {
        let mut value = self.unary(depth)?;
        while let Some(sign) = self.take(&["*", "//", "/", "%"]) {
            let other = self.unary(depth)?;
            value = match (value, sign, other) {
                (Value::Int(a), "*", Value::Int(b)) => Value::Int(a.checked_mul(b).ok_or(OVERFLOW)?),
                (Value::Int(_), _, Value::Int(0)) => return Err("it divides by zero".to_owned()),
                (Value::Int(a), "//", Value::Int(b)) => Value::Int(floor_division(a, b)?),
                (Value::Int(a), "/", Value::Int(b)) if a.checked_rem(b) == Some(0) => Value::Int(a / b),
                (Value::Int(a), "%", Value::Int(b)) => {
                    let whole = floor_division(a, b)?.checked_mul(b).ok_or(OVERFLOW)?;
                    Value::Int(a.checked_sub(whole).ok_or(OVERFLOW)?)
                }
                (Value::Text(form), "%", Value::Int(number)) => Value::Text(formatted(&form, number)?),
                (a, sign, b) => return Err(format!("{a:?} {sign} {b:?} is no whole number")),
            };
        }
        Ok(value)
    }

    fn unary(&mut self, depth: usize) -> Result<Value, String> {
        let mut negative = false;
        while self.take(&["-"]).is_some() {
            negative = !negative;
        }
        match (self.primary(depth)?, negative) {
            (Value::Int(number), true) => Ok(Value::Int(number.checked_neg().ok_or(OVERFLOW)?)),
            (Value::Text(_), true) => Err("text has no sign".to_owned()),
            (value, false) => Ok(value),
        }
    }

    fn primary(&mut self, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err("its parentheses are nested too deeply".to_owned());
        }
        let token = self.peek().cloned().ok_or("it ends where a value should be")?;
        self.at += 1;
        match token {
            Token::Int(number) => Ok(Value::Int(number)),
            Token::Text(text) => Ok(Value::Text(text)),
            Token::Sign("(") => {
                let value = self.sum(depth + 1)?;
                self.take(&[")"]).ok_or("a parenthesis is not closed")?;
                Ok(value)
            }
            Token::Name(name) => self.named(&name, depth),
            Token::Sign(sign) => Err(format!("`{sign}` stands where a value should be")),
        }
    }

    /// A variable, a template, or a template with arguments.
    fn named(&mut self, name: &str, depth: usize) -> Result<Value, String> {
        let mut arguments = BTreeMap::new();
        if self.take(&["("]).is_some() {
            while self.take(&[")"]).is_none() {
                let Some(Token::Name(key)) = self.peek().cloned() else {
                    return Err(format!("the arguments of `{name}` are written as `name=value`"));
                };
                self.at += 1;
                self.take(&["="]).ok_or_else(|| format!("the argument `{key}` has no value"))?;
                arguments.insert(key, self.sum(depth + 1)?);
                if self.take(&[","]).is_none() && self.peek() != Some(&Token::Sign(")")) {
                    return Err(format!("the arguments of `{name}` are not closed"));
                }
            }
        } else if let Some(value) = self.variables.get(name) {
            return Ok(value.clone());
        }
        let template = self.templates.get(name).ok_or_else(|| format!("there is no `{name}`"))?;
        render_at(template, &arguments, self.templates, self.depth + 1).map(Value::Text)
    }
}

const OVERFLOW: &str = "a number is too large";

fn floor_division(a: i64, b: i64) -> Result<i64, String> {
    let quotient = a.checked_div(b).ok_or(OVERFLOW)?;
    Ok(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// Puts a number into a text at `%d`, `%5d` or `%05d`.
fn formatted(form: &str, number: i64) -> Result<String, String> {
    let wrong = || format!("`{form}` is not understood; write `%d` or `%04d`");
    let (before, rest) = form.split_once('%').ok_or_else(wrong)?;
    let (width, after) = rest.split_once('d').ok_or_else(wrong)?;
    let zeros = width.starts_with('0');
    let places: usize = if width.is_empty() { 0 } else { width.parse().map_err(|_| wrong())? };
    if places > 64 || after.contains('%') {
        return Err(wrong());
    }
    let digits = if zeros { format!("{number:0places$}") } else { format!("{number:places$}") };
    Ok(format!("{before}{digits}{after}"))
}
