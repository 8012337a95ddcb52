//! The dates of a sentence, and whether what evidence knows of its time agrees.

use super::dates::Date;
use super::source::{Cited, Role, Time};
use super::tokens::{Piece, Token};

/// A date or a stretch of time in a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mention {
    pub from: Date,
    pub to: Date,
    pub form: Form,
    /// The tokens that it is made of.
    pub first: usize,
    pub last: usize,
    /// A year alone, which might also be a count.
    pub bare_year: bool,
    /// It stands in a clause about what something is relative to.
    pub of_baseline: bool,
    /// The sentence tells where something begins or ends.
    pub of_edge: bool,
}

/// How a sentence names a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// At it.
    At,
    /// From one date to another.
    Range,
    /// Since it.
    Start,
    /// Until it.
    End,
    /// Ten years.
    Decade,
}

/// The dates of a sentence, in order; two that make a range are one.
pub(crate) fn mentions(tokens: &[Token]) -> Vec<Mention> {
    let mut out = Vec::new();
    let of_edge = tokens.iter().filter_map(Token::word).any(|word| {
        let edges = [
            "begin", "began", "begun", "start", "ended", "ends", "ending", "end", "since", "until", "from",
            "first", "last", "through",
        ];
        edges.iter().any(|edge| word == *edge || (edge.len() > 4 && word.starts_with(edge)))
    });
    let mut baselines: Vec<usize> = Vec::new();
    for token in tokens {
        let names = [
            "baseline",
            "reference",
            "climatology",
            "climatological",
            "normal",
            "normals",
            "relative",
            "mean",
            "average",
        ];
        if token.word().is_some_and(|word| names.contains(&word)) {
            baselines.push(token.clause);
        }
    }
    let date_at = |at: usize| match tokens.get(at).map(|token| &token.piece) {
        Some(Piece::Date { date, decade, bare_year }) => Some((*date, *decade, *bare_year)),
        _ => None,
    };
    let word_at =
        |at: Option<usize>| at.and_then(|at| tokens.get(at)).and_then(Token::word).unwrap_or_default();
    let mut at = 0;
    while at < tokens.len() {
        let Some((date, decade, bare_year)) = date_at(at) else {
            at += 1;
            continue;
        };
        let of_baseline = tokens.get(at).is_some_and(|token| baselines.binary_search(&token.clause).is_ok());
        let before = word_at(at.checked_sub(1));
        let joins = match tokens.get(at + 1).map(|token| &token.piece) {
            Some(Piece::Dash | Piece::Break('/' | '–')) => true,
            Some(Piece::Word { lower, .. }) => match lower.as_str() {
                "to" | "through" | "until" | "till" => true,
                "and" => before == "between",
                _ => false,
            },
            _ => false,
        };
        let mention = |from: Date, to: Date, form, last, bare_year| Mention {
            from,
            to,
            form,
            first: at,
            last,
            bare_year,
            of_baseline,
            of_edge,
        };
        // A clock time behind a date belongs to it.
        if let Some((end, ..)) =
            date_at(at + 2).filter(|(end, ..)| joins && end.clock.is_none() == date.clock.is_none())
        {
            let from = Date { year: date.year.or(end.year), ..date };
            out.push(mention(from, end, Form::Range, at + 2, false));
            at += 3;
            continue;
        }
        let form = match before {
            _ if decade => Form::Decade,
            "since" | "from" | "starting" | "beginning" => Form::Start,
            "until" | "till" | "through" | "by" | "to" => Form::End,
            _ => Form::At,
        };
        out.push(mention(date, date, form, at, bare_year));
        at += 1;
    }
    out
}

impl Mention {
    /// Whether a time that evidence knows is the one that the sentence names.
    pub(crate) fn fits(&self, time: &Time) -> bool {
        let (from, to) = (time.period.from, time.period.to);
        if time.role == Role::Baseline && !self.of_baseline && self.form == Form::At {
            return false;
        }
        match self.form {
            Form::At if time.period.is_instant() || !self.of_edge => {
                self.from.holds(from) && self.from.holds(to)
            }
            Form::At => self.from.holds(from) || self.from.holds(to),
            Form::Range => {
                self.from.holds(from)
                    && self.to.holds(to)
                    && (!time.period.is_instant() || self.from == self.to)
            }
            Form::Start => self.from.holds(from),
            Form::End => self.from.holds(to),
            Form::Decade => {
                let year = self.from.year.unwrap_or(0);
                let inside = |date: Date| date.year.is_some_and(|own| (year..year + 10).contains(&own));
                inside(from) && inside(to)
            }
        }
    }

    /// Whether one of the cited knows it.
    pub(crate) fn is_known(&self, cited: &[Cited<'_>]) -> bool {
        let times = || cited.iter().flat_map(|one| &one.times);
        let instant = |date: Date| {
            let one = Self { from: date, to: date, form: Form::At, ..*self };
            times().any(|time| time.period.is_instant() && one.fits(time))
        };
        times().any(|time| self.fits(time))
            || (self.form == Form::Range && instant(self.from) && instant(self.to))
    }

    /// Whether it is a time of this evidence, or the evidence has none.
    pub(crate) fn is_of(&self, one: &Cited<'_>) -> bool {
        one.times.iter().any(|time| self.fits(time))
    }
}
