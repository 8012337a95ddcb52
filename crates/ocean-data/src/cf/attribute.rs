//! Attributes of variables and files.

use std::collections::BTreeMap;

/// Attributes by name.
pub type Attributes = BTreeMap<String, Attribute>;

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Attribute {
    /// Text.
    Text(String),
    /// One or several numbers; integers beyond 2^53 are rounded to the nearest double.
    Numbers(Vec<f64>),
    /// Several texts.
    Texts(Vec<String>),
    /// Anything else, described.
    Other(String),
}

impl Attribute {
    /// The text, without surrounding blanks and NUL padding.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text.trim_matches(|c: char| c.is_whitespace() || c == '\0')),
            Self::Texts(texts) => texts.first().map(String::as_str),
            Self::Numbers(_) | Self::Other(_) => None,
        }
    }

    /// The first number.
    pub fn as_number(&self) -> Option<f64> {
        self.as_numbers().and_then(|numbers| numbers.first().copied())
    }

    /// All numbers.
    pub fn as_numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Numbers(numbers) => Some(numbers),
            Self::Text(_) | Self::Texts(_) | Self::Other(_) => None,
        }
    }

    /// As JSON, for descriptions.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) | Self::Other(text) => text.as_str().into(),
            Self::Texts(texts) => texts.clone().into(),
            Self::Numbers(numbers) if numbers.len() == 1 => numbers[0].into(),
            Self::Numbers(numbers) => numbers.clone().into(),
        }
    }
}
