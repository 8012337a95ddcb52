//! The verdict on one number of a sentence.

use super::candidates::Kind;
use super::places::folded;
use super::sentence::{Fit, Sentence};
use super::tokens::{Number, Piece, Token};
use super::unit::Unit;
use super::{Operation, Verdict};

/// Whole numbers up to this, without a unit, may stand in prose by themselves: "in 2 of 3 regions".
const SMALL_COUNT: f64 = 12.0;

/// Words whose number names something: "Figure 3", "Niño 3.4", "category 4".
pub(crate) const NAMING: [&str; 46] = [
    "figure", "fig", "table", "section", "sec", "step", "track", "chapter", "appendix", "equation", "eq",
    "version", "category", "cat", "class", "type", "grade", "nino", "rcp", "ssp", "phase", "part", "number",
    "no", "zone", "panel", "note", "item", "run", "site", "station", "gauge", "gage", "buoy", "id", "usgs",
    "noaa", "advisory", "invest", "band", "level", "member", "mode", "eof", "cluster", "landsat",
];

/// Of these the number is a place of its own.
pub(crate) const STATIONS: [&str; 10] =
    ["number", "no", "site", "station", "gauge", "gage", "buoy", "id", "usgs", "noaa"];

/// What is found of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub verdict: Verdict,
    /// Whether it is what the claim's operation is for.
    pub is_main: bool,
    /// Whether it is a quantity at all.
    pub is_measure: bool,
}

impl Found {
    const fn aside(verdict: Verdict) -> Self {
        Self { verdict, is_main: false, is_measure: false }
    }

    const fn measure(verdict: Verdict) -> Self {
        Self { verdict, is_main: false, is_measure: true }
    }
}

impl Sentence<'_> {
    /// The verdict on the number at a place.
    pub(crate) fn number(&self, at: usize, number: &Number) -> Found {
        if let Some(verdict) = self.ordinal(number).or_else(|| self.confidence(at, number)) {
            return Found::aside(verdict);
        }
        let unit = self.unit_of(at);
        if unit.is_none()
            && let Some(verdict) = self.naming(at, number)
        {
            return Found::aside(verdict);
        }
        let mut best = (Fit::No, false);
        // A bare number in a list has the unit of the list, or none.
        let units = [unit.unwrap_or(Unit::ONE), Unit::ONE];
        let tried = if number.unit.is_none() && unit.is_some() { 2 } else { 1 };
        for unit in units.iter().take(tried) {
            let (fit, main) = self.fit(at, number, unit);
            if fit == Fit::Yes {
                return Found { verdict: Verdict::Grounded, is_main: main, is_measure: true };
            }
            if fit == Fit::Otherwise {
                best.0 = fit;
            }
        }
        if self.is_bound(at, number, unit) {
            return Found { verdict: Verdict::Grounded, is_main: true, is_measure: true };
        }
        if self.cited.iter().any(|one| one.has_label(number.value, number.half.min(0.5), unit)) {
            return Found::aside(Verdict::Grounded);
        }
        if self.is_free_span(at, number, unit) {
            return Found::aside(Verdict::Grounded);
        }
        if best.0 == Fit::Otherwise {
            return Found::measure(Verdict::Contradicted);
        }
        let is_small = unit.is_none()
            && number.sign.is_none()
            && number.whole
            && (0.0..=SMALL_COUNT).contains(&number.value);
        if is_small && !self.counts() {
            return Found::aside(Verdict::Uncheckable);
        }
        let known = self.candidates.measure(&unit.unwrap_or(Unit::ONE));
        Found::measure(if known { Verdict::Contradicted } else { Verdict::Ungrounded })
    }

    /// Whether the claim is about a count, so that a small number is one too.
    fn counts(&self) -> bool {
        self.op == Operation::Count
            || self.cited.iter().any(|one| {
                one.unit.is_pure()
                    && one.evidence.name != "n"
                    && one.value.is_some_and(|value| value.fract() == 0.0)
            })
    }

    /// "90th percentile" must be that of the evidence, where that has one; other ordinals are words.
    fn ordinal(&self, number: &Number) -> Option<Verdict> {
        if !number.is_ordinal {
            return None;
        }
        let mut known =
            self.cited.iter().flat_map(|one| &one.labels).filter(|label| label.is_ordinal).peekable();
        let Some(_) = known.peek() else { return Some(Verdict::Uncheckable) };
        let fits = known.any(|label| (label.value - number.value).abs() < 1e-9);
        Some(if fits { Verdict::Grounded } else { Verdict::Contradicted })
    }

    /// "95 % confidence interval" says how an interval is meant.
    fn confidence(&self, at: usize, number: &Number) -> Option<Verdict> {
        let percent = number.unit.is_some_and(|unit| unit.is_pure() && unit.factor < 1.0);
        let next = self.tokens.get(at + 1).and_then(Token::word)?;
        let words = [
            "confidence",
            "ci",
            "credible",
            "significance",
            "interval",
            "level",
            "probability",
            "uncertainty",
        ];
        if !percent || !words.contains(&next) {
            return None;
        }
        let mut levels = self
            .cited
            .iter()
            .filter_map(|one| one.evidence.uncertainty.as_ref())
            .filter_map(|value| {
                let members = value.as_object()?;
                members.iter().find(|(key, _)| key.contains("conf") || key.contains("level"))?.1.as_f64()
            })
            .peekable();
        if levels.peek().is_none() {
            return Some(Verdict::Uncheckable);
        }
        let fits = levels.any(|level| {
            [level, level * 100.0].iter().any(|level| (level - number.value).abs() <= number.half)
        });
        Some(if fits { Verdict::Grounded } else { Verdict::Contradicted })
    }

    /// "Figure 3", "Niño 3.4", "station 8725520", "category 4".
    fn naming(&self, at: usize, number: &Number) -> Option<Verdict> {
        let before = self.tokens.get(at.checked_sub(1)?).and_then(Token::word).map(folded)?;
        if number.sign.is_some() || !NAMING.contains(&before.as_str()) {
            return None;
        }
        let near = |value: f64| (value - number.value).abs() < 1e-9;
        let same = |label: &&super::source::Label| label.before == before;
        let mut labels = self.cited.iter().flat_map(|one| &one.labels).filter(same).peekable();
        if labels.peek().is_some() {
            return Some(if labels.any(|label| near(label.value)) {
                Verdict::Grounded
            } else {
                Verdict::Contradicted
            });
        }
        let word = format!(" {before} ");
        let mut named =
            self.cited.iter().filter(|one| one.words.contains(&word)).filter_map(|one| one.value).peekable();
        if named.peek().is_some() {
            return Some(if named.any(near) { Verdict::Grounded } else { Verdict::Contradicted });
        }
        if STATIONS.contains(&before.as_str()) && number.whole && number.digits.len() >= 5 {
            // It would have been found among the names.
            let known = self.cited.iter().any(|one| !one.names.is_empty());
            return Some(if known { Verdict::Contradicted } else { Verdict::Ungrounded });
        }
        (number.digits.len() < 5).then_some(Verdict::Uncheckable)
    }

    /// "more than 2 m", "below 5 °C": a bound that the value keeps.
    fn is_bound(&self, at: usize, number: &Number, unit: Option<Unit>) -> bool {
        let unit = unit.unwrap_or(Unit::ONE);
        let back = |n: usize| at.checked_sub(n).and_then(|at| self.tokens.get(at));
        let word = |n: usize| back(n).and_then(Token::word).unwrap_or_default();
        let over = match (word(2), word(1), back(1).map(|token| &token.piece)) {
            ("more" | "greater" | "higher", "than", _)
            | ("at", "least", _)
            | (_, "above" | "over" | "exceeding" | "exceeded" | "exceeds", _)
            | (_, _, Some(Piece::Break('>' | '≥'))) => true,
            ("less" | "fewer" | "lower" | "smaller", "than", _)
            | ("at", "most", _)
            | (_, "below" | "under", _)
            | (_, _, Some(Piece::Break('<' | '≤'))) => false,
            _ => return false,
        };
        if unit.is_time() {
            return false;
        }
        self.candidates.values(&unit).any(|one| {
            let offset = if unit.is_temperature() && !one.is_difference { unit.offset } else { 0.0 };
            let value = (one.base - offset) / unit.factor;
            if over { value >= number.value } else { value <= number.value }
        })
    }

    /// "0.9 °C over 30 years" of a rate without a time of its own: the span is the sentence's, and its product is checked.
    fn is_free_span(&self, at: usize, number: &Number, unit: Option<Unit>) -> bool {
        let Some(unit) = unit.filter(|unit| self.op == Operation::Trend && unit.is_time()) else {
            return false;
        };
        if self.cited.iter().any(|one| one.is_trend && !one.durations().is_empty()) {
            return false;
        }
        let span = number.value * unit.factor;
        self.tokens.iter().enumerate().filter(|(other, _)| *other != at).any(|(other, token)| {
            let Some(product) = token.number() else { return false };
            let own = self.unit_of(other).unwrap_or(Unit::ONE);
            [product.value, -product.value].into_iter().any(|value| {
                self.candidates.near(value, product.half, &own).any(|one| {
                    let rate =
                        self.cited.get(one.sources.0).and_then(|one| Some(one.value? * one.unit.factor));
                    one.kind == Kind::Product
                        && rate.is_some_and(|rate| (rate * span - one.base).abs() <= 1e-9 * one.base.abs())
                })
            })
        })
    }
}
