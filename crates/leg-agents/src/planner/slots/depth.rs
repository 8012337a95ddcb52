//! Depths: surface, bottom, a level, a layer, the mixed layer, the whole column.

use regex::{Captures, Regex};
use serde_json::{Value, json};

use crate::planner::text::{Found, Text};

/// Where in the water column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::planner) enum Depth {
    /// The level nearest to 0 m.
    Surface,
    /// The deepest wet level.
    Bottom,
    /// A depth, in m.
    At(f64),
    /// A layer, in m.
    Layer(f64, f64),
    /// From the surface to the base of the mixed layer.
    MixedLayer,
    /// All levels.
    Column,
}

impl Depth {
    /// The depth in the plan's JSON.
    pub(in crate::planner) fn to_json(self) -> Value {
        match self {
            Self::Surface => json!("surface"),
            Self::Bottom => json!("bottom"),
            Self::At(m) => json!({"at": whole(m)}),
            Self::Layer(top, bottom) => json!({"range": [whole(top), whole(bottom)]}),
            Self::MixedLayer => json!("mixed_layer"),
            Self::Column => json!("column"),
        }
    }

    /// Reads the plan's JSON.
    pub(in crate::planner) fn from_json(value: &Value) -> Option<Self> {
        match value.as_str() {
            Some("surface") => return Some(Self::Surface),
            Some("bottom") => return Some(Self::Bottom),
            Some("mixed_layer") => return Some(Self::MixedLayer),
            Some("column") => return Some(Self::Column),
            _ => {}
        }
        if let Some(m) = value.get("at").and_then(Value::as_f64).or_else(|| value.as_f64()) {
            return Some(Self::At(m));
        }
        match value.get("range")?.as_array()?.as_slice() {
            [top, bottom] => Some(Self::Layer(top.as_f64()?, bottom.as_f64()?)),
            _ => None,
        }
    }

    /// The depth in words, to stand before a variable.
    pub(in crate::planner) fn words(self) -> String {
        match self {
            Self::Surface => "surface".to_owned(),
            Self::Bottom => "bottom".to_owned(),
            Self::At(m) => format!("{m} m"),
            Self::Layer(top, bottom) => format!("{top}–{bottom} m"),
            Self::MixedLayer => "mixed-layer".to_owned(),
            Self::Column => "whole-column".to_owned(),
        }
    }

    /// Its shallowest and deepest point, if they are numbers.
    pub(in crate::planner) const fn metres(self) -> Option<(f64, f64)> {
        match self {
            Self::At(m) => Some((m, m)),
            Self::Layer(top, bottom) => Some((top, bottom)),
            _ => None,
        }
    }
}

/// A number without a needless fraction.
fn whole(x: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "the value is whole and below a hundred thousand")]
    if x.fract() == 0.0 && x.abs() < 1e5 { json!(x as i64) } else { json!(x) }
}

/// Patterns of depths.
#[derive(Debug)]
pub(in crate::planner) struct Depths {
    layer: Regex,
    upper: Regex,
    level: Regex,
    words: Regex,
}

impl Depths {
    /// Compiles the patterns.
    pub(in crate::planner) fn new() -> Result<Self, regex::Error> {
        let number = r"(\d{1,5}(?:\.\d+)?)";
        let metres = r"[\s-]*(?:m|metres?|meters?)\b";
        Ok(Self {
            layer: Regex::new(&format!(
                r"(?:^|[^\w.])(?P<span>(?:(?:between|from|in|over)\s+)?(?:the\s+)?(?:depths?\s+(?:of\s+|from\s+|between\s+|range\s+)?)?{number}(?:\s*m)?\s*(?:-|to|and)\s*{number}{metres}(?P<unit>/|\s*s-1|\s+per)?(?:\s+(?:layer|depth|deep))?)"
            ))?,
            upper: Regex::new(&format!(
                r"\b(?P<span>(?:in\s+|over\s+)?(?:the\s+)?(?:upper|top|uppermost|first|down to|(?:from\s+)?(?:the\s+)?surface (?:to|down to))\s+{number}{metres}(?P<unit>/|\s+per)?)"
            ))?,
            level: Regex::new(&format!(
                r"(?:^|[^\w.])(?P<span>(?:at\s+)?(?:a\s+depth\s+of\s+|depth\s+(?:of\s+)?)?{number}{metres}(?P<unit>/|\s*s-1|\s+per)?(?:\s+(?:depth|deep|level|down))?)"
            ))?,
            words: Regex::new(
                r"\b(?:(?P<bottom>(?:near[\s-])?(?:bottom|sea[\s-]?floor|sea[\s-]?bed)(?:\s+(?:layer|level|water))?|(?:lowest|deepest) (?:layer|level))|(?P<mixed>mixed[\s-]layer)|(?P<column>(?:whole|full|entire)?[\s-]*water[\s-]column|(?:whole|full|all) depths?)|(?P<surface>(?:at\s+the\s+|near[\s-]|sea[\s-])?surface(?:\s+(?:layer|level|water))?))\b",
            )?,
        })
    }

    /// Takes depths out of a question.
    pub(in crate::planner) fn read(&self, text: &mut Text) -> Vec<Found<Depth>> {
        let mut found = text.take(&self.upper, |captures| Some(Depth::Layer(0.0, metres(captures, 2)?)));
        found.extend(text.take(&self.layer, |captures| {
            let (top, bottom) = (metres(captures, 2)?, metres(captures, 3)?);
            (top < bottom).then_some(Depth::Layer(top, bottom))
        }));
        found.extend(text.take(&self.level, |captures| metres(captures, 2).map(Depth::At)));
        found.extend(text.take(&self.words, |captures| {
            let is = |name: &str| captures.name(name).is_some();
            if is("bottom") {
                Some(Depth::Bottom)
            } else if is("mixed") {
                Some(Depth::MixedLayer)
            } else if is("column") {
                Some(Depth::Column)
            } else {
                Some(Depth::Surface)
            }
        }));
        found.sort_by_key(|depth| depth.range.start);
        found
    }
}

/// The number in a group, unless the unit is that of a speed.
fn metres(found: &Captures<'_>, group: usize) -> Option<f64> {
    if found.name("unit").is_some() { None } else { found.get(group)?.as_str().parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(question: &str) -> Vec<Depth> {
        let found = Depths::new().unwrap().read(&mut Text::new(question));
        found.into_iter().map(|depth| depth.value).collect()
    }

    #[test]
    fn depths_in_many_spellings() {
        for (question, expected) in [
            ("at 50 m", Depth::At(50.0)),
            ("at a depth of 50 metres", Depth::At(50.0)),
            ("50-m temperature", Depth::At(50.0)),
            ("0–200 m", Depth::Layer(0.0, 200.0)),
            ("between 50 and 100 m", Depth::Layer(50.0, 100.0)),
            ("from 50 m to 100 m", Depth::Layer(50.0, 100.0)),
            ("in the upper 300 m", Depth::Layer(0.0, 300.0)),
            ("down to 100 meters", Depth::Layer(0.0, 100.0)),
            ("surface to 150 m", Depth::Layer(0.0, 150.0)),
            ("near-bottom oxygen", Depth::Bottom),
            ("at the sea floor", Depth::Bottom),
            ("in the mixed layer", Depth::MixedLayer),
            ("over the water column", Depth::Column),
            ("surface salinity", Depth::Surface),
        ] {
            assert_eq!(read(question), [expected], "{question}");
        }
    }

    #[test]
    fn speeds_and_months_are_no_depths() {
        assert!(read("faster than 0.5 m/s").is_empty());
        assert!(read("in the first 3 months of 2015").is_empty());
    }

    #[test]
    fn json_comes_back() {
        for depth in
            [Depth::Surface, Depth::At(12.5), Depth::Layer(0.0, 200.0), Depth::Column, Depth::MixedLayer]
        {
            assert_eq!(Depth::from_json(&depth.to_json()), Some(depth));
        }
    }
}
