//! [`also`]: a sentence with its amounts in the unit that was asked for too.

use std::sync::LazyLock;

use regex::Regex;

use crate::question::says;

static AMOUNT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(-?\d+(?:\.\d+)?) (m/s|cm/s|m|°C)( |,|\.$|$)").ok());

/// A unit beside that of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Also {
    Feet,
    Inches,
    Knots,
    MilesPerHour,
    Fahrenheit,
}

const WORDS: [(Also, &[&str]); 5] = [
    (Also::Feet, &["feet", "foot", "ft"]),
    (Also::Inches, &["inches", "inch"]),
    (Also::Knots, &["knots", "knot", "kn", "kt"]),
    (Also::MilesPerHour, &["mph", "miles per hour"]),
    (Also::Fahrenheit, &["fahrenheit", "°f"]),
];

impl Also {
    /// The units that a text asks for.
    pub(super) fn read(text: &str) -> Vec<Self> {
        WORDS.iter().filter(|(_, words)| says(text, words)).map(|(unit, _)| *unit).collect()
    }

    fn of(self, value: f64, unit: &str) -> Option<String> {
        let (value, name) = match (self, unit) {
            (Self::Feet, "m") => (value / 0.3048, "ft"),
            (Self::Inches, "m") => (value / 0.0254, "inches"),
            (Self::Knots, "m/s") => (value * 3600.0 / 1852.0, "knots"),
            (Self::Knots, "cm/s") => (value * 36.0 / 1852.0, "knots"),
            (Self::MilesPerHour, "m/s") => (value / 0.447_04, "mph"),
            (Self::Fahrenheit, "°C") => (value * 1.8 + 32.0, "°F"),
            _ => return None,
        };
        Some(format!("{value:.2} {name}"))
    }
}

/// A sentence with its first amount in other units too, in brackets.
pub(super) fn also(sentence: &str, units: &[Also]) -> Option<String> {
    let found = AMOUNT.as_ref()?.captures(sentence)?;
    let value: f64 = found.get(1)?.as_str().parse().ok()?;
    let unit = found.get(2)?;
    let other = units.iter().find_map(|own| own.of(value, unit.as_str()))?;
    let (head, tail) = sentence.split_at(unit.end());
    Some(format!("{head} ({other}){tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_stand_beside_metres() {
        let text = "The highest level was 3.414 m above MLLW on 1 January 2015.";
        let said = also(text, &Also::read("how high in feet?"));
        assert_eq!(
            said.as_deref(),
            Some("The highest level was 3.414 m (11.20 ft) above MLLW on 1 January 2015.")
        );
        assert_eq!(also(text, &[Also::Knots]), None);
    }
}
