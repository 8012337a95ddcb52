//! [`Sentence`]: a claim read once, with its evidence, its numbers and what belongs to them.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::Operation;
use super::binding::{Group, bind};
use super::candidates::{Candidate, Candidates, Kind};
use super::direction::direction;
use super::mentions::{Mention, mentions};
use super::source::Cited;
use super::tokens::{Number, Piece, Token};
use super::unit::Unit;
use super::unit_table::Dimensions;

/// A claim read once.
#[derive(Debug)]
pub(crate) struct Sentence<'a> {
    pub op: Operation,
    pub cited: &'a [Cited<'a>],
    pub tokens: &'a [Token],
    pub candidates: Candidates,
    pub mentions: Vec<Mention>,
    /// Names that stand together.
    places: Vec<Group>,
    /// Where each of the cited is named first, when the name is its own.
    named: Vec<Option<usize>>,
    facets: OnceCell<Facets>,
    /// The largest or the smallest of what measures the same.
    pub(crate) extremes: OnceCell<BTreeMap<Dimensions, f64>>,
}

/// Which groups of names and of dates belong to each number.
#[derive(Debug, Default)]
struct Facets {
    places: BTreeMap<usize, Vec<usize>>,
    times: BTreeMap<usize, Vec<usize>>,
    /// The first number that each of the cited could have given.
    first: Vec<Option<usize>>,
}

/// How a number fits what it may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It does.
    Yes,
    /// Its value does, but its sign, place, time or datum does not.
    Otherwise,
    /// Its value does not.
    No,
}

impl<'a> Sentence<'a> {
    pub(crate) fn new(op: Operation, cited: &'a [Cited<'a>], tokens: &'a [Token]) -> Self {
        let spans: Vec<f64> = tokens
            .iter()
            .filter_map(Token::number)
            .filter_map(|number| Some(number.value * number.unit.filter(Unit::is_time)?.factor))
            .collect();
        let mut sentence = Self {
            op,
            cited,
            tokens,
            candidates: Candidates::of(op, cited, &spans),
            mentions: mentions(tokens),
            places: Vec::new(),
            named: vec![None; cited.len()],
            facets: OnceCell::new(),
            extremes: OnceCell::new(),
        };
        sentence.read_places();
        sentence
    }

    fn read_places(&mut self) {
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, one) in self.cited.iter().enumerate() {
            for name in &one.names {
                by_name.entry(name).or_default().push(at);
            }
        }
        let mut broken = true;
        for (at, token) in self.tokens.iter().enumerate() {
            if token.number().is_some() {
                broken = true;
            }
            let Piece::Place(name) = &token.piece else { continue };
            let owners = by_name.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
            if let [only] = owners
                && let Some(first) = self.named.get_mut(*only)
            {
                first.get_or_insert(at);
            }
            // Name and identifier of one station are one group; so is a name with that of a larger place.
            let joins = !broken
                && self.places.last().is_some_and(|group| {
                    group.members.iter().any(|&member| {
                        let other = self.place_name(member);
                        let others = by_name.get(other).map(Vec::as_slice).unwrap_or_default();
                        others.iter().any(|owner| owners.contains(owner))
                            || (owners.is_empty() && at == member + 2)
                    })
                });
            if joins && let Some(group) = self.places.last_mut() {
                group.last = at;
                group.members.push(at);
            } else {
                self.places.push(Group { first: at, last: at, members: vec![at] });
            }
            broken = false;
        }
    }

    fn place_name(&self, token: usize) -> &str {
        match self.tokens.get(token).map(|token| &token.piece) {
            Some(Piece::Place(name)) => name,
            _ => "",
        }
    }

    /// The unit of a number: its own, or that of the next in a list or a range.
    pub(crate) fn unit_of(&self, at: usize) -> Option<Unit> {
        let number = self.tokens.get(at)?.number()?;
        if number.unit.is_some() {
            return number.unit;
        }
        let mut steps = 0;
        for token in self.tokens.iter().skip(at + 1) {
            steps += 1;
            match &token.piece {
                Piece::Number(next) if next.unit.is_some() => return next.unit,
                Piece::Number(next) if next.is_ordinal => return None,
                Piece::Number(_) | Piece::Dash | Piece::Break(',' | '±' | '/') => {}
                Piece::Word { lower, .. } if matches!(lower.as_str(), "to" | "and" | "or" | "through") => {}
                _ => return None,
            }
            if steps > 64 {
                return None;
            }
        }
        None
    }

    /// Whether the sentence speaks of one of the cited before the other: by name, else by number, else as they are cited.
    pub(crate) fn is_first(&self, a: usize, b: usize) -> bool {
        let place = |list: &[Option<usize>], at: usize| list.get(at).copied().flatten();
        if let (Some(x), Some(y)) = (place(&self.named, a), place(&self.named, b)) {
            return x < y;
        }
        let first = &self.facets().first;
        match (place(first, a), place(first, b)) {
            (Some(x), Some(y)) if x != y => x < y,
            _ => a < b,
        }
    }

    fn facets(&self) -> &Facets {
        self.facets.get_or_init(|| {
            let mut numbers = Vec::new();
            let mut first = vec![None; self.cited.len()];
            for (at, token) in self.tokens.iter().enumerate() {
                let Some(number) = token.number() else { continue };
                let unit = self.unit_of(at).unwrap_or(Unit::ONE);
                let mut any = false;
                for value in [number.value, -number.value] {
                    for one in
                        self.candidates.near(value, number.half, &unit).filter(|one| one.kind == Kind::Value)
                    {
                        any = true;
                        if let Some(slot) = first.get_mut(one.sources.0) {
                            slot.get_or_insert(at);
                        }
                    }
                }
                // A number that no value gives belongs nowhere, but it must not shift the others.
                let is_measure = any
                    || (number.unit.is_some_and(|unit| !unit.is_time())
                        && !self.candidates.any(|one| one.kind == Kind::Difference));
                if is_measure {
                    numbers.push(at);
                }
            }
            let times: Vec<Group> = self
                .mentions
                .iter()
                .enumerate()
                .map(|(at, one)| Group { first: one.first, last: one.last, members: vec![at] })
                .collect();
            Facets {
                places: bind(self.tokens, &numbers, &self.places),
                times: bind(self.tokens, &numbers, &times),
                first,
            }
        })
    }

    /// Whether the names, dates and datums that belong to a number are those of the evidence that would give it.
    fn belongs(&self, at: usize, source: usize) -> bool {
        let Some(one) = self.cited.get(source) else { return false };
        let facets = self.facets();
        let place = facets.places.get(&at).is_none_or(|groups| {
            let mut members =
                groups.iter().filter_map(|&group| self.places.get(group)).flat_map(|group| &group.members);
            one.names.is_empty() || members.any(|&member| one.names.contains(self.place_name(member)))
        });
        let time = facets.times.get(&at).is_none_or(|groups| {
            one.times.is_empty()
                || groups.iter().any(|&at| self.mentions.get(at).is_some_and(|mention| mention.is_of(one)))
        });
        place && time && self.has_datum(at, one)
    }

    /// A level wants its datum named, and no other one beside it.
    fn has_datum(&self, at: usize, one: &Cited<'_>) -> bool {
        let Some(datum) = one.datum.filter(|_| one.unit.is_length()) else { return true };
        let clause = self.tokens.get(at).map(|token| token.clause);
        let named = |token: &Token| match token.piece {
            Piece::Datum(name) => Some(name),
            _ => None,
        };
        let beside = self
            .tokens
            .iter()
            .skip(at + 1)
            .take_while(|token| token.number().is_none())
            .take(4)
            .find_map(named);
        if let Some(name) = beside {
            return name == datum;
        }
        let mut in_clause =
            self.tokens.iter().filter(|token| Some(token.clause) == clause).filter_map(named).peekable();
        if in_clause.peek().is_some() {
            return in_clause.any(|name| name == datum);
        }
        let known = |token: &Token| named(token) == Some(datum);
        self.tokens.iter().any(known) || self.spells(datum)
    }

    /// A datum that the table does not have stands as a word.
    fn spells(&self, datum: &str) -> bool {
        let datum = datum.to_lowercase();
        self.tokens.iter().filter_map(Token::word).any(|word| word == datum)
    }

    /// How a number fits what the operation gives, and whether that is what the operation is for.
    pub(crate) fn fit(&self, at: usize, number: &Number, unit: &Unit) -> (Fit, bool) {
        let direction = direction(self.tokens, at);
        let mut best = (Fit::No, false);
        let mut weigh = |one: &Candidate, turned: bool| {
            let fits = self.allows(number, unit, one)
                && self.has_sign(number, number.half * unit.factor, one, turned, direction)
                && self.is_placed(at, one);
            let main = self.is_main(one);
            if fits {
                best = (Fit::Yes, main || (best.0 == Fit::Yes && best.1));
            } else if best.0 == Fit::No {
                best.0 = Fit::Otherwise;
            }
        };
        for one in self.candidates.near(number.value, number.half, unit) {
            weigh(one, false);
        }
        if number.sign.is_none() && number.value > 0.0 {
            for one in self.candidates.near(-number.value, number.half, unit) {
                weigh(one, true);
            }
        }
        best
    }

    fn is_placed(&self, at: usize, one: &Candidate) -> bool {
        match (one.kind, one.sources) {
            (Kind::Value, (source, _)) => self.belongs(at, source) && self.is_called(at, source),
            (Kind::Difference | Kind::RelativeDifference | Kind::Ratio, (first, Some(second))) => {
                let datum = |at: usize| self.cited.get(at).and_then(|one| one.datum);
                datum(first) == datum(second)
            }
            _ => true,
        }
    }

    /// Of counts that stand side by side, "5 warm and 3 cold episodes", each has its own word behind it.
    fn is_called(&self, at: usize, source: usize) -> bool {
        let Some(one) = self.cited.get(source).filter(|one| one.unit.is_pure() && self.cited.len() > 1)
        else {
            return true;
        };
        let has = |one: &Cited<'_>, word: &str| one.evidence.name.split('_').any(|part| part == word);
        let clause = self.tokens.get(at).map(|token| token.clause);
        let behind = self.tokens.iter().skip(at + 1).take(4);
        let mut words = behind
            .take_while(|token| token.number().is_none() && Some(token.clause) == clause)
            .filter_map(Token::word)
            .filter(|word| word.len() > 2);
        let of_another =
            |word: &str| self.cited.iter().take(64).any(|other| other.unit.is_pure() && has(other, word));
        words.find(|word| of_another(word)).is_none_or(|word| has(one, word))
    }
}
