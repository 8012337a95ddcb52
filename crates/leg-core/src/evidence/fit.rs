//! Whether a candidate is what a number of a sentence may stand for: its operation, its sign, its part in the claim.

use std::collections::BTreeMap;

use super::Operation;
use super::candidates::{Candidate, Kind};
use super::comparison::is_interval_end;
use super::direction::Direction;
use super::sentence::Sentence;
use super::source::Cited;
use super::tokens::Number;
use super::unit::Unit;
use super::unit_table::Dimensions;

impl Sentence<'_> {
    /// What an operation and the way of printing allow.
    pub(crate) fn allows(&self, number: &Number, unit: &Unit, one: &Candidate) -> bool {
        let spread = || {
            let source = self.cited.get(one.sources.0);
            let names = [" std ", " se ", " error ", " uncertainty ", " deviation ", " spread ", " half "];
            one.kind == Kind::Spread
                || source.is_some_and(|one| names.iter().any(|name| one.words.contains(name)))
        };
        if number.is_spread && !spread() && !self.is_half_width(number, unit) {
            return false;
        }
        // A quote is the value in its own unit.
        self.op != Operation::Quote || one.kind != Kind::Value || one.own.is_same(unit)
    }

    /// Whether a number behind ± is half the width of a cited interval.
    fn is_half_width(&self, number: &Number, unit: &Unit) -> bool {
        let mut ends = self
            .cited
            .iter()
            .filter(|one| is_interval_end(one))
            .filter_map(|one| Some(one.value? * one.unit.factor));
        let (Some(low), Some(high)) = (ends.next(), ends.next()) else { return false };
        ((high - low).abs() / 2.0 / unit.factor - number.value).abs() <= number.half * (1.0 + 1e-9)
    }

    /// Whether the sign is right: the printed one, and the one that the words tell.
    pub(crate) fn has_sign(
        &self,
        number: &Number,
        half: f64,
        one: &Candidate,
        turned: bool,
        direction: Direction,
    ) -> bool {
        let is_pair = matches!(one.kind, Kind::Difference | Kind::RelativeDifference | Kind::Ratio);
        let in_order = match one.sources {
            (first, Some(second)) if is_pair => self.is_first(first, second),
            _ => true,
        };
        if one.kind == Kind::Ratio {
            // "67 % higher" is not 67 % of it.
            let is_share = direction.own.is_none() || number.unit.is_none();
            return in_order && !turned && is_share;
        }
        let zero = one.base.abs() <= half;
        if !matches!(one.kind, Kind::Value | Kind::Difference | Kind::RelativeDifference | Kind::Product)
            || zero
        {
            return !turned;
        }
        let positive = self.sign_of(one);
        let source = self.cited.get(one.sources.0);
        // "the drop was 0.3 m" tells of a fall with a positive number.
        let is_fall = || {
            let falls = [
                " drop ",
                " fall ",
                " decrease ",
                " decline ",
                " loss ",
                " deficit ",
                " reduction ",
                " drawdown ",
            ];
            source.is_some_and(|one| falls.iter().any(|word| one.words.contains(word)))
        };
        if let Some(up) = direction.own {
            return in_order
                && (up == positive || (!up && positive && is_fall()))
                && (turned == (!positive && number.sign.is_none()));
        }
        if turned {
            // Without a word for it, only a difference may be told without its sign.
            return one.kind == Kind::Difference || (one.kind == Kind::Spread);
        }
        let is_trend =
            one.kind == Kind::Product || source.is_some_and(|one| one.is_trend && !is_interval_end(one));
        let against_verb = is_trend && direction.verb.is_some_and(|up| up != positive);
        let needs_order = is_pair && number.sign.is_some();
        !against_verb && (in_order || !needs_order)
    }

    fn sign_of(&self, one: &Candidate) -> bool {
        match self.cited.get(one.sources.0) {
            // Of a temperature in kelvin only the unit's own zero has a sign.
            Some(source) if one.kind == Kind::Value && !one.is_difference => {
                source.value.unwrap_or(one.base) > 0.0
            }
            _ => one.base > 0.0,
        }
    }

    /// Whether a candidate is what the operation is for.
    pub(crate) fn is_main(&self, one: &Candidate) -> bool {
        match self.op {
            Operation::Diff => one.kind == Kind::Difference,
            Operation::Ratio => one.kind == Kind::Ratio,
            Operation::Percent => matches!(one.kind, Kind::Ratio | Kind::RelativeDifference),
            Operation::Sum | Operation::Mean | Operation::Count => one.kind == Kind::Fold,
            Operation::Trend => {
                one.kind == Kind::Product
                    || self
                        .cited
                        .get(one.sources.0)
                        .is_some_and(|one| one.unit.dimensions.get(2).is_some_and(|time| *time < 0))
            }
            Operation::Max | Operation::Min => self.is_extreme(one.sources.0),
            Operation::Quote
            | Operation::Round
            | Operation::Convert
            | Operation::Compare
            | Operation::None => true,
        }
    }

    /// Whether one of the cited is the largest, or the smallest, of those that measure the same.
    pub(crate) fn is_extreme(&self, at: usize) -> bool {
        let si = |one: &Cited<'_>| Some(one.value? * one.unit.factor + one.unit.offset);
        let extremes = self.extremes.get_or_init(|| {
            let mut best: BTreeMap<Dimensions, f64> = BTreeMap::new();
            for one in self.cited {
                let Some(value) = si(one) else { continue };
                let known = best.entry(one.unit.dimensions).or_insert(value);
                *known = if self.op == Operation::Max { known.max(value) } else { known.min(value) };
            }
            best
        });
        self.cited.get(at).is_some_and(|one| {
            let best = extremes.get(&one.unit.dimensions);
            si(one).zip(best).is_some_and(|(value, best)| (value - best).abs() <= 1e-9 * value.abs())
        })
    }
}
