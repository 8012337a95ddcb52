//! A sentence as the check reads it: numbers with their units, dates, datums, names of places, words and breaks.

use super::dates::{Date, date_at};
use super::datum::datum_at;
use super::month_number;
use super::numbers::{Magnitude, magnitude};
pub(crate) use super::piece::{Number, Piece, Sign, Token};
use super::places::Names;
use super::unit::Unit;

/// Words that begin a new clause.
const CLAUSES: [&str; 16] = [
    "and", "while", "whereas", "but", "against", "than", "versus", "vs", "compared", "then", "with", "when",
    "where", "before", "after", "although",
];

/// Words that may stand before a month that has no year.
const BEFORE_MONTH: [&str; 22] = [
    "in", "on", "of", "during", "since", "until", "till", "by", "from", "to", "through", "between", "and",
    "mid", "early", "late", "each", "every", "for", "around", "last", "this",
];

/// The pieces of a text, in order. `extra` are unit spellings that only the evidence has.
pub(crate) fn tokens(text: &str, names: &Names, extra: &[String]) -> Vec<Token> {
    let mut reader = Reader { text, names, extra, out: Vec::new(), clause: 0 };
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let next = reader.step(at, c);
        // Whatever a reader says, every step goes on.
        at = next.max(at + c.len_utf8());
    }
    reader.out
}

struct Reader<'a> {
    text: &'a str,
    names: &'a Names,
    extra: &'a [String],
    out: Vec<Token>,
    clause: usize,
}

impl Reader<'_> {
    fn push(&mut self, piece: Piece) {
        let clause = self.clause;
        self.out.push(Token { piece, clause });
    }

    fn last_word(&self) -> &str {
        self.out.last().and_then(Token::word).unwrap_or_default()
    }

    /// Reads one piece and says where the next begins.
    fn step(&mut self, at: usize, c: char) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        if c == '`'
            && let Some(length) = code(rest)
        {
            return at + length;
        }
        if c.is_alphanumeric()
            && let Some((name, length)) = self.names.at(rest)
            && !is_quantity(&name, rest.get(length..).unwrap_or_default())
        {
            self.push(Piece::Place(name));
            return at + length;
        }
        if c.is_alphabetic() {
            return at + self.word(rest);
        }
        if c.is_ascii_digit()
            && let Some((date, length)) = date_at(rest)
        {
            self.push(Piece::Date { date, decade: false, bare_year: false });
            return at + length;
        }
        if let Some(length) = self.number(at, c) {
            return at + length;
        }
        self.punctuation(at, c);
        at + c.len_utf8()
    }

    fn punctuation(&mut self, at: usize, c: char) {
        let after = self.text.get(at + c.len_utf8()..).unwrap_or_default();
        match c {
            '–' | '-' | '−' | '—' => {
                let between = after.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '−' | '-'));
                let joins_word = between && matches!(self.out.last(), Some(token) if token.word().is_some());
                if joins_word {
                    // The hyphen of "mid-2015".
                } else if between {
                    self.push(Piece::Dash);
                } else {
                    self.clause += 1;
                    self.push(Piece::Break(c));
                }
            }
            ',' | ';' | ':' | '!' | '?' | '.' => {
                self.clause += 1;
                self.push(Piece::Break(c));
            }
            _ if c.is_whitespace() || c == '(' || c == ')' || c == '[' || c == ']' => {}
            _ => self.push(Piece::Break(c)),
        }
    }

    /// A word, a month, a datum or a season; digits inside a word belong to it.
    fn word(&mut self, rest: &str) -> usize {
        if let Some((datum, length)) = datum_at(rest, self.last_word()) {
            self.push(Piece::Datum(datum));
            return length;
        }
        if let Some((date, length)) = date_at(rest)
            && (date.year.is_some() || date.day.is_some() || self.may_be_month(rest))
        {
            self.push(Piece::Date { date, decade: false, bare_year: false });
            return length;
        }
        let length = word_length(rest);
        let word = rest.get(..length).unwrap_or_default();
        if let Some(season) =
            ["DJF", "MAM", "JJA", "SON", "JFM", "AMJ", "JAS", "OND"].into_iter().find(|s| *s == word)
        {
            self.push(Piece::Season(season));
            return length;
        }
        let lower = word.to_lowercase();
        if CLAUSES.contains(&lower.as_str()) {
            self.clause += 1;
        }
        self.push(Piece::Word { lower, capital: word.starts_with(char::is_uppercase) });
        length
    }

    /// A month alone is one only where a time is expected: "May" is also a verb and a name.
    fn may_be_month(&self, rest: &str) -> bool {
        let word = rest.get(..rest.bytes().take_while(u8::is_ascii_alphabetic).count()).unwrap_or_default();
        month_number(word).is_some() && BEFORE_MONTH.contains(&self.last_word())
    }

    /// A number with its sign and its unit, or a year; its length.
    fn number(&mut self, at: usize, first: char) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let before = self.text.get(..at)?.chars().next_back();
        let attached =
            before.is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | '%' | '°' | '_' | ']'));
        let mut sign = match first {
            '-' | '−' | '–' if !attached => Some(Sign::Minus),
            '+' if !attached => Some(Sign::Plus),
            _ => None,
        };
        let body = if sign.is_some() { rest.get(first.len_utf8()..)? } else { rest };
        let starts = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let begins =
            starts(body) || (body.starts_with('.') && body.get(1..).is_some_and(starts) && !attached);
        if !begins {
            return None;
        }
        // A number too long to be read is one that nothing can back.
        let digits = body.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let unreadable = Magnitude { value: f64::NAN, half: 0.0, whole: false, length: digits };
        let read = magnitude(body).unwrap_or(unreadable);
        let mut length = rest.len() - body.len() + read.length;
        let after = self.text.get(at + length..)?;
        if sign.is_none() && read.whole && read.length == 4 && (1500.0..2300.0).contains(&read.value) {
            #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
            let date = Date { year: Some(read.value as i32), ..Date::default() };
            if after.starts_with('s') && !after.get(1..)?.starts_with(char::is_alphanumeric) {
                self.push(Piece::Date { date, decade: true, bare_year: false });
                return Some(length + 1);
            }
            if Unit::at(after).is_none() && !after.starts_with(char::is_alphabetic) {
                self.push(Piece::Date { date, decade: false, bare_year: true });
                return Some(length);
            }
        }
        if sign.is_none() && matches!(self.last_word(), "minus" | "negative") {
            sign = Some(Sign::Minus);
            self.out.pop();
        } else if sign.is_none() && matches!(self.last_word(), "plus") {
            sign = Some(Sign::Plus);
            self.out.pop();
        }
        let ordinal = ["st", "nd", "rd", "th"].into_iter().find(|suffix| {
            read.whole
                && after.strip_prefix(*suffix).is_some_and(|tail| !tail.starts_with(char::is_alphanumeric))
        });
        let mut unit = None;
        if let Some(suffix) = ordinal {
            length += suffix.len();
        } else if let Some((found, used)) = self.unit(after) {
            unit = Some(found);
            length += used;
        }
        let is_spread = matches!(self.out.last().map(|token| &token.piece), Some(Piece::Break('±')))
            || matches!(self.last_word(), "plus-minus");
        let backwards = unit.is_some_and(|unit| unit.backwards);
        let negative = (sign == Some(Sign::Minus)) != backwards;
        self.push(Piece::Number(Number {
            value: if negative { -read.value } else { read.value },
            half: read.half,
            whole: read.whole,
            sign,
            unit,
            is_ordinal: ordinal.is_some(),
            is_spread,
            digits: body.get(..read.length)?.to_owned(),
        }));
        Some(length)
    }

    /// The unit behind a number: one that the evidence has for itself, or one of the table.
    fn unit(&self, after: &str) -> Option<(Unit, usize)> {
        let trimmed = after.trim_start_matches([' ', '\u{a0}']);
        let own = self.extra.iter().enumerate().find_map(|(number, spelling)| {
            let rest = trimmed.strip_prefix(spelling.as_str())?;
            (!rest.starts_with(char::is_alphanumeric))
                .then(|| (Unit::unknown(number), after.len() - rest.len()))
        });
        own.or_else(|| Unit::at(after))
    }
}

/// Whether the digits of a name are the beginning of a number, or have a unit behind them.
fn is_quantity(name: &str, after: &str) -> bool {
    let goes_on =
        after.strip_prefix(['.', ',']).is_some_and(|tail| tail.starts_with(|c: char| c.is_ascii_digit()));
    name.bytes().all(|b| b.is_ascii_digit()) && (goes_on || Unit::at(after).is_some())
}

/// The length of a code span that holds one identifier, such as `` `sst[0]` ``.
fn code(rest: &str) -> Option<usize> {
    let (inner, _) = rest.get(1..)?.split_once('`')?;
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '[' | ']' | '.' | '-' | '#' | '/');
    (inner.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && inner.len() < 200
        && inner.chars().all(fits))
    .then(|| inner.len() + 2)
}

/// How long a word is. A hyphen joins (`SSP5-8.5`, `Jason-3`) but for a prefix before a year (`mid-2015`).
fn word_length(rest: &str) -> usize {
    let mut end = 0;
    let mut has_digit = false;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let joins = match c {
            _ if c.is_alphanumeric() || c == '_' => {
                has_digit |= c.is_ascii_digit();
                true
            }
            '\'' | '’' => next.is_some_and(char::is_alphabetic),
            '-' => {
                let prefix = rest.get(..at).unwrap_or_default().to_lowercase();
                let is_prefix =
                    matches!(prefix.as_str(), "mid" | "early" | "late" | "pre" | "post" | "since");
                next.is_some_and(char::is_alphanumeric) && !is_prefix
            }
            '.' => has_digit && next.is_some_and(|c| c.is_ascii_digit()),
            _ => false,
        };
        if !joins {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        let mut out = String::new();
        for token in tokens(text, &Names::default(), &[]) {
            let _ = match token.piece {
                Piece::Number(n) => write!(out, "{}{} ", n.value, n.unit.map_or("", |_| "u")),
                Piece::Date { date, .. } => {
                    write!(out, "{}/{} ", date.year.unwrap_or(0), date.month.unwrap_or(0))
                }
                Piece::Season(season) => write!(out, "{season} "),
                Piece::Datum(datum) => write!(out, "<{datum}> "),
                Piece::Place(name) => write!(out, "@{name} "),
                Piece::Word { lower, .. } => write!(out, "{lower} "),
                Piece::Dash => write!(out, "~ "),
                Piece::Break(c) => write!(out, "{c} "),
            };
        }
        out.trim_end().to_owned()
    }

    #[test]
    fn sentences_are_read_whole_token_by_whole_token() {
        for (text, expected) in [
            ("CO2 of E12 was −1.5, +2 and (−0.3)", "co2 of e12 was -1.5 , 2 and -0.3"),
            ("ERA5, GFSv16, SSP5-8.5 and Jason-3", "era5 , gfsv16 , ssp5-8.5 and jason-3"),
            ("2.1–3.4 m and 5-7 m", "2.1 ~ 3.4u and 5 ~ 7u"),
            ("1.2 ± 0.3 °C", "1.2 ± 0.3u"),
            ("−2 to −1 m", "-2 to -1u"),
            ("minus 3 °C", "-3u"),
            ("20.5°S", "-20.5u"),
            ("2000 m in 2000, in the 1990s and mid-2015", "2000u in 2000/0 , in the 1990/0 and mid 2015/0"),
            ("It may rise; in May it did", "it may rise ; in 0/5 it did"),
            ("2.13 m NAVD 88.", "2.13u <NAVD88> ."),
            ("the 90th percentile of step `s[0]`", "the 90 percentile of step"),
            ("2010–2019", "2010/0 ~ 2019/0"),
            ("a 10-year mean of 5-7", "a 10u mean of 5 ~ 7"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = tokens(&text, &Names::default(), &["m x".to_owned()]);
        }

        #[test]
        fn no_sentence_panics(text in "[0-9 .,:;/°CmMayNovUTZ×⁻¹²'’`()±–−-]{0,40}") {
            let _ = tokens(&text, &Names::default(), &[]);
        }
    }
}
