//! What a sentence is made of for the check.

use super::dates::Date;
use super::unit::Unit;

/// A number in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Number {
    /// Its value, with its sign.
    pub value: f64,
    /// Half a unit of its last printed digit.
    pub half: f64,
    /// Whether it is printed as digits alone.
    pub whole: bool,
    /// Its printed sign.
    pub sign: Option<Sign>,
    /// The unit behind it.
    pub unit: Option<Unit>,
    /// `3rd`, `90th`.
    pub is_ordinal: bool,
    /// It follows a plus-minus sign.
    pub is_spread: bool,
    /// Its digits, as printed.
    pub digits: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

/// One piece of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    Number(Number),
    /// A date; `decade` when it stands for ten years, as in `the 1990s`.
    Date {
        date: Date,
        decade: bool,
        /// A year alone might also be a count.
        bare_year: bool,
    },
    Season(&'static str),
    Datum(&'static str),
    /// A known name, folded.
    Place(String),
    /// A word in lower case, and whether it is written with a capital.
    Word {
        lower: String,
        capital: bool,
    },
    /// A dash between two numbers.
    Dash,
    /// Punctuation.
    Break(char),
}

/// A piece with the clause that it stands in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub piece: Piece,
    pub clause: usize,
}

impl Token {
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.piece {
            Piece::Word { lower, .. } => Some(lower),
            _ => None,
        }
    }

    pub(crate) const fn number(&self) -> Option<&Number> {
        match &self.piece {
            Piece::Number(number) => Some(number),
            _ => None,
        }
    }
}
