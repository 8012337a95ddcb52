//! From text to an [`Expression`].
//!
//! # Grammar
//! ```text
//! or      = and ("or" and)*
//! and     = not ("and" not)*
//! not     = "not" not | comparison
//! comparison = sum (("<" | "<=" | ">" | ">=" | "==" | "!=") sum)?
//! sum     = product (("+" | "-") product)*
//! product = sign (("*" | "/") sign)*
//! sign    = "-" sign | power
//! power   = atom ("**" sign)?
//! atom    = number | name | "abs(" or ")" | "isfinite(" or ")" | "mean(" name "," axis ")"
//!         | "percentile(" name "," number "," axis ")" | "(" or ")"
//! ```

use super::expression::{Along, Expression, Operator, Relation, Statistic};

/// Nesting beyond this is refused.
const DEEPEST: usize = 50;

/// An expression and the statistics in it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::tools::data) struct Condition {
    pub(in crate::tools::data) expression: Expression,
    pub(in crate::tools::data) statistics: Vec<Statistic>,
}

/// Reads a condition over fields of these names.
///
/// # Errors
/// What stands where something else was expected, with the place in the text.
pub(in crate::tools::data) fn parse(text: &str, names: &[&str]) -> Result<Condition, String> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, names, statistics: Vec::new(), depth: 0 };
    let expression = parser.or()?;
    if parser.at < tokens.len() {
        return Err(parser.expected("an operator or the end"));
    }
    if !expression.is_truth() {
        return Err("the expression is a number and no condition; compare it, such as `temp > 25`".to_owned());
    }
    Ok(Condition { expression, statistics: parser.statistics })
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(f64),
    Name(String),
    Mark(&'static str),
}

/// Longer marks first, so that `<=` is not read as `<`.
const MARKS: [&str; 16] =
    ["**", "<=", ">=", "==", "!=", "&", "|", "<", ">", "+", "-", "*", "/", "(", ")", ","];

/// Tokens with the places where they begin, counted from 1.
fn tokens(text: &str) -> Result<Vec<(usize, Token)>, String> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len() + 1;
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else if first.is_ascii_digit() || first == '.' {
            let mut end = 0;
            let bytes = rest.as_bytes();
            while end < bytes.len() {
                let exponent =
                    end > 0 && matches!(bytes[end - 1], b'e' | b'E') && matches!(bytes[end], b'+' | b'-');
                if bytes[end].is_ascii_digit() || matches!(bytes[end], b'.' | b'e' | b'E') || exponent {
                    end += 1;
                } else {
                    break;
                }
            }
            let number =
                rest[..end].parse().map_err(|_| format!("`{}` at {at} is no number", &rest[..end]))?;
            out.push((at, Token::Number(number)));
            rest = &rest[end..];
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            out.push((at, Token::Name(rest[..end].to_owned())));
            rest = &rest[end..];
        } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            out.push((at, Token::Mark(mark)));
            rest = &rest[mark.len()..];
        } else {
            return Err(format!("`{first}` at {at} is not understood"));
        }
    }
    Ok(out)
}

struct Parser<'a> {
    tokens: &'a [(usize, Token)],
    at: usize,
    names: &'a [&'a str],
    statistics: Vec<Statistic>,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|token| &token.1)
    }

    fn takes(&mut self, wanted: &str) -> bool {
        let found = match self.peek() {
            Some(Token::Mark(mark)) => *mark == wanted,
            Some(Token::Name(name)) => name == wanted,
            _ => false,
        };
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, wanted: &str) -> Result<(), String> {
        if self.takes(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }

    fn expected(&self, what: &str) -> String {
        match self.tokens.get(self.at) {
            Some((at, Token::Number(number))) => {
                format!("{what} is expected at {at}, where `{number}` stands")
            }
            Some((at, Token::Name(name))) => format!("{what} is expected at {at}, where `{name}` stands"),
            Some((at, Token::Mark(mark))) => format!("{what} is expected at {at}, where `{mark}` stands"),
            None => format!("{what} is expected at the end"),
        }
    }

    fn truth(&self, expression: Expression) -> Result<Box<Expression>, String> {
        if expression.is_truth() {
            return Ok(Box::new(expression));
        }
        Err(format!("before {} a condition is needed and not a number", self.expected("what follows")))
    }

    fn number(&self, expression: Expression) -> Result<Box<Expression>, String> {
        if !expression.is_truth() {
            return Ok(Box::new(expression));
        }
        Err(format!("before {} a number is needed and not a condition", self.expected("what follows")))
    }

    fn or(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("the expression is nested more than {DEEPEST} deep; make it simpler"));
        }
        let mut left = self.and()?;
        while self.takes("or") || self.takes("|") {
            let right = self.and()?;
            left = Expression::Or(self.truth(left)?, self.truth(right)?);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn and(&mut self) -> Result<Expression, String> {
        let mut left = self.not()?;
        while self.takes("and") || self.takes("&") {
            let right = self.not()?;
            left = Expression::And(self.truth(left)?, self.truth(right)?);
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expression, String> {
        let mut turns = 0;
        while self.takes("not") {
            turns += 1;
        }
        let mut inner = self.comparison()?;
        if turns > 0 {
            self.truth(inner.clone())?;
        }
        for _ in 0..turns % 2 {
            inner = Expression::Not(Box::new(inner));
        }
        Ok(inner)
    }

    fn comparison(&mut self) -> Result<Expression, String> {
        let left = self.sum()?;
        let relations = [
            ("<=", Relation::LessOrEqual),
            (">=", Relation::GreaterOrEqual),
            ("==", Relation::Equal),
            ("!=", Relation::NotEqual),
            ("<", Relation::Less),
            (">", Relation::Greater),
        ];
        for (mark, relation) in relations {
            if self.takes(mark) {
                let right = self.sum()?;
                return Ok(Expression::Comparison(relation, self.number(left)?, self.number(right)?));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut left = self.product()?;
        loop {
            let operator = if self.takes("+") {
                Operator::Add
            } else if self.takes("-") {
                Operator::Subtract
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = Expression::Arithmetic(operator, self.number(left)?, self.number(right)?);
        }
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut left = self.sign()?;
        loop {
            let operator = if self.takes("*") {
                Operator::Multiply
            } else if self.takes("/") {
                Operator::Divide
            } else {
                return Ok(left);
            };
            let right = self.sign()?;
            left = Expression::Arithmetic(operator, self.number(left)?, self.number(right)?);
        }
    }

    fn sign(&mut self) -> Result<Expression, String> {
        let mut turns = 0;
        while self.takes("-") {
            turns += 1;
        }
        let inner = self.power()?;
        if turns % 2 == 0 {
            return Ok(inner);
        }
        Ok(Expression::Negative(self.number(inner)?))
    }

    fn power(&mut self) -> Result<Expression, String> {
        let base = self.atom()?;
        if !self.takes("**") {
            return Ok(base);
        }
        let negative = self.takes("-");
        let exponent = self.atom()?;
        let exponent = if negative { Expression::Negative(self.number(exponent)?) } else { exponent };
        Ok(Expression::Arithmetic(Operator::Power, self.number(base)?, self.number(exponent)?))
    }

    fn atom(&mut self) -> Result<Expression, String> {
        if self.takes("(") {
            let inner = self.or()?;
            self.need(")")?;
            return Ok(inner);
        }
        match self.peek().cloned() {
            Some(Token::Number(number)) => {
                self.at += 1;
                Ok(Expression::Number(number))
            }
            Some(Token::Name(name)) => {
                self.at += 1;
                if matches!(self.peek(), Some(Token::Mark("("))) {
                    return self.function(&name);
                }
                self.at -= 1;
                let field = self.field()?;
                Ok(Expression::Field(field))
            }
            _ => Err(self.expected("a number, a field or a parenthesis")),
        }
    }

    fn function(&mut self, name: &str) -> Result<Expression, String> {
        let at = self.tokens[self.at - 1].0;
        self.need("(")?;
        let made = match name {
            "abs" => {
                let inner = self.or()?;
                Expression::Absolute(self.number(inner)?)
            }
            "isfinite" => {
                let inner = self.or()?;
                Expression::IsFinite(self.number(inner)?)
            }
            "mean" | "percentile" => {
                let field = self.field()?;
                self.need(",")?;
                let percentile = if name == "percentile" {
                    let Some(Token::Number(number)) = self.peek().cloned() else {
                        return Err(self.expected("a percentile from 0 to 100"));
                    };
                    if !(0.0..=100.0).contains(&number) {
                        return Err(self.expected("a percentile from 0 to 100"));
                    }
                    self.at += 1;
                    self.need(",")?;
                    Some(number)
                } else {
                    None
                };
                let along = match self.peek() {
                    Some(Token::Name(name)) => Along::from_name(name),
                    _ => None,
                };
                let along = along.ok_or_else(|| self.expected("one of time, depth, lat, lon"))?;
                self.at += 1;
                self.statistics.push(Statistic { field, percentile, along });
                Expression::Statistic(self.statistics.len() - 1)
            }
            _ => {
                return Err(format!(
                    "`{name}` at {at} is no function; there are abs, isfinite, mean and percentile"
                ));
            }
        };
        self.need(")")?;
        Ok(made)
    }

    fn field(&mut self) -> Result<usize, String> {
        let Some(Token::Name(name)) = self.peek() else { return Err(self.expected("the name of a field")) };
        let found = self.names.iter().position(|own| own == name).ok_or_else(|| {
            format!("there is no field `{name}`; the fields are: {}", self.names.join(", "))
        })?;
        self.at += 1;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_say_where_they_are() {
        for (text, words) in [
            ("temp >", "at the end"),
            ("temp + 1", "no condition"),
            ("temp > 1 )", "expected at 10"),
            ("heat > 1", "there is no field `heat`; the fields are: temp, salt"),
            ("sqrt(temp) > 1", "`sqrt` at 1 is no function"),
            ("(temp > 1) + 2 > 3", "a number is needed"),
            ("temp and salt > 1", "a condition is needed"),
            ("percentile(temp, 120, time) > 1", "from 0 to 100"),
            ("mean(temp, x) > 1", "one of time, depth, lat, lon"),
            ("temp > 1 $", "`$` at 10"),
            ("temp > 1..2", "is no number"),
        ] {
            let error = parse(text, &["temp", "salt"]).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
        let deep = format!("{}temp > 1{}", "(".repeat(80), ")".repeat(80));
        assert!(parse(&deep, &["temp"]).unwrap_err().contains("nested"));
    }

    #[test]
    fn powers_bind_more_than_signs_and_and_more_than_or() {
        let parsed = parse("-temp ** 2 < 1 or temp > 2 and not temp == 3", &["temp"]).unwrap().expression;
        let Expression::Or(left, right) = parsed else { panic!("{parsed:?}") };
        assert!(matches!(*right, Expression::And(..)));
        let Expression::Comparison(_, left, _) = *left else { panic!("{left:?}") };
        assert!(matches!(*left, Expression::Negative(_)));
    }
}
