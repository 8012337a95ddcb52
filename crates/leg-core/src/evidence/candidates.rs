//! What numbers a claim may print: what its operation gives from its evidence.

use serde_json::Value;

use super::Operation;
use super::source::Cited;
use super::unit::Unit;
use super::unit_table::Dimensions;

/// A number that a claim may print.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    /// In SI.
    pub base: f64,
    pub dimensions: Dimensions,
    /// The unit in which the evidence has it.
    pub own: Unit,
    /// Of a temperature: whether it is a difference.
    pub is_difference: bool,
    pub kind: Kind,
    /// The evidence that it comes from, by its place among the cited; of a pair, first and second.
    pub sources: (usize, Option<usize>),
}

/// Where a candidate comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The value of one piece of evidence.
    Value,
    /// How sure a value is.
    Spread,
    /// How many values one was made from, or how long its time is.
    Extent,
    /// First minus second.
    Difference,
    /// First minus second, over second.
    RelativeDifference,
    /// First over second.
    Ratio,
    /// Sum, mean or count of all.
    Fold,
    /// A rate over a span of time that the sentence names.
    Product,
}

/// Cited evidence up to this number is paired with each other; beyond it, with the first.
const PAIRED: usize = 24;

/// All numbers that a claim may print, sorted so that one can be looked up.
#[derive(Debug)]
pub(crate) struct Candidates {
    sorted: Vec<Candidate>,
}

impl Candidates {
    /// Those of an operation. `spans` are the spans of time that the sentence names, in seconds.
    pub(crate) fn of(op: Operation, cited: &[Cited<'_>], spans: &[f64]) -> Self {
        let mut all = Vec::new();
        if op != Operation::None {
            for (at, one) in cited.iter().enumerate() {
                single(at, one, &mut all);
            }
        }
        match op {
            Operation::Diff => pairs(cited, &mut all, &[Kind::Difference]),
            Operation::Ratio => pairs(cited, &mut all, &[Kind::Ratio]),
            Operation::Percent => pairs(cited, &mut all, &[Kind::Ratio, Kind::RelativeDifference]),
            Operation::Compare => {
                pairs(cited, &mut all, &[Kind::Difference, Kind::Ratio, Kind::RelativeDifference]);
            }
            Operation::Sum | Operation::Mean => folds(op, cited, &mut all),
            Operation::Count if cited.is_empty() => {}
            Operation::Count => all.push(pure(cited.len() as f64, Kind::Fold, 0)),
            Operation::Trend => products(cited, spans, &mut all),
            Operation::Quote
            | Operation::Round
            | Operation::Convert
            | Operation::Max
            | Operation::Min
            | Operation::None => {}
        }
        all.sort_by(|a, b| key(a).cmp(&key(b)).then(a.base.total_cmp(&b.base)));
        Self { sorted: all }
    }

    /// Those whose value in this unit lies within half a unit of the number.
    pub(crate) fn near(&self, value: f64, half: f64, unit: &Unit) -> impl Iterator<Item = &Candidate> {
        let variants: &[bool] = if unit.is_temperature() { &[false, true] } else { &[false] };
        variants.iter().flat_map(move |&is_difference| {
            let offset = if unit.is_temperature() && !is_difference { unit.offset } else { 0.0 };
            let slack = half * (1.0 + 1e-9) + 1e-9 * value.abs().min(half * 1e3) + f64::MIN_POSITIVE;
            let low = (value - slack) * unit.factor + offset;
            let high = (value + slack) * unit.factor + offset;
            let group = (unit.dimensions, is_difference);
            let noise = 4.0 * f64::EPSILON * low.abs().max(high.abs());
            let from = self.sorted.partition_point(|one| (key(one), one.base) < (group, low - noise));
            let tail = self.sorted.get(from..).unwrap_or_default();
            tail.iter().take_while(move |one| key(one) == group && one.base <= high + noise)
        })
    }

    /// Whether some of them measure the same.
    pub(crate) fn measure(&self, unit: &Unit) -> bool {
        let from = self.sorted.partition_point(|one| key(one).0 < unit.dimensions);
        self.sorted.get(from).is_some_and(|one| one.dimensions == unit.dimensions)
    }

    /// Values of evidence that measure the same, whatever they are.
    pub(crate) fn values(&self, unit: &Unit) -> impl Iterator<Item = &Candidate> {
        let dimensions = unit.dimensions;
        let from = self.sorted.partition_point(|one| key(one).0 < dimensions);
        let tail = self.sorted.get(from..).unwrap_or_default();
        tail.iter().take_while(move |one| one.dimensions == dimensions).filter(|one| one.kind == Kind::Value)
    }

    pub(crate) fn any(&self, fits: impl Fn(&Candidate) -> bool) -> bool {
        self.sorted.iter().any(fits)
    }
}

fn key(one: &Candidate) -> (Dimensions, bool) {
    (one.dimensions, one.is_difference)
}

fn pure(value: f64, kind: Kind, at: usize) -> Candidate {
    measured(value, Unit::ONE, kind, (at, None))
}

/// A value in a unit. A temperature may be a state, whose zero counts, or a difference.
fn measured(value: f64, unit: Unit, kind: Kind, sources: (usize, Option<usize>)) -> Candidate {
    let base = value * unit.factor;
    Candidate {
        base,
        dimensions: unit.dimensions,
        own: unit,
        is_difference: unit.is_temperature(),
        kind,
        sources,
    }
}

fn state(value: f64, unit: Unit, at: usize) -> Candidate {
    let mut one = measured(value, unit, Kind::Value, (at, None));
    if unit.is_temperature() {
        one.is_difference = false;
        one.base += unit.offset;
    }
    one
}

/// What one piece of evidence says by itself.
fn single(at: usize, one: &Cited<'_>, all: &mut Vec<Candidate>) {
    if let Some(value) = one.value {
        if one.is_difference || !one.unit.is_temperature() {
            all.push(measured(value, one.unit, Kind::Value, (at, None)));
        } else {
            all.push(state(value, one.unit, at));
        }
        // Older papers give practical salinity in ‰.
        if one.unit.dimensions == Unit::from_cf("psu").unwrap_or(Unit::ONE).dimensions {
            let mut other = pure(value * 1e-3, Kind::Value, at);
            other.own = Unit::from_cf("1e-3").unwrap_or(Unit::ONE);
            all.push(other);
        }
    }
    let spreads = numbers_in("", one.evidence.uncertainty.as_ref());
    for (value, is_level) in &spreads {
        let unit = if *is_level { Unit::ONE } else { one.unit };
        all.push(measured(*value, unit, Kind::Spread, (at, None)));
    }
    let ends: Vec<f64> = spreads.iter().filter(|(_, is_level)| !is_level).map(|(value, _)| *value).collect();
    if let [low, high] = ends.as_slice() {
        all.push(measured((high - low).abs() / 2.0, one.unit, Kind::Spread, (at, None)));
    }
    // "10,957 days": what a count counts may stand in its method.
    if let Some(value) = one.value.filter(|value| one.unit.is_pure() && value.fract() == 0.0) {
        for step in one.step() {
            all.push(measured(value, Unit::from_cf(step).unwrap_or(Unit::ONE), Kind::Extent, (at, None)));
        }
    }
    if let Some(n) = one.evidence.n {
        all.push(pure(n as f64, Kind::Extent, at));
        for step in one.step() {
            let unit = Unit::from_cf(step).unwrap_or(Unit::ONE);
            all.push(measured(n as f64, unit, Kind::Extent, (at, None)));
        }
    }
    let second = Unit::from_cf("s").unwrap_or(Unit::ONE);
    all.extend(one.durations().into_iter().map(|span| measured(span, second, Kind::Extent, (at, None))));
}

/// Numbers of an uncertainty; `true` with those that say how certain, not how far.
fn numbers_in(key: &str, value: Option<&Value>) -> Vec<(f64, bool)> {
    match value {
        Some(Value::Number(number)) => {
            let is_level = ["conf", "level", "alpha", "p_", "prob"].iter().any(|word| key.contains(word));
            number.as_f64().map(|value| (value, is_level)).into_iter().collect()
        }
        Some(Value::Array(items)) => items.iter().flat_map(|item| numbers_in(key, Some(item))).collect(),
        Some(Value::Object(members)) => {
            members.iter().flat_map(|(key, member)| numbers_in(key, Some(member))).collect()
        }
        _ => Vec::new(),
    }
}

/// Values of one kind, two by two, in the order in which they are cited.
fn pairs(cited: &[Cited<'_>], all: &mut Vec<Candidate>, kinds: &[Kind]) {
    let values: Vec<(usize, f64, &Cited<'_>)> =
        cited.iter().enumerate().filter_map(|(at, one)| Some((at, one.value?, one))).collect();
    for (place, first) in values.iter().enumerate() {
        if place > 0 && values.len() > PAIRED {
            break;
        }
        for second in values.iter().skip(place + 1) {
            for (a, b) in [(first, second), (second, first)] {
                if a.2.unit.dimensions == b.2.unit.dimensions {
                    pair(a, b, kinds, all);
                }
            }
        }
    }
}

fn pair(
    a: &(usize, f64, &Cited<'_>),
    b: &(usize, f64, &Cited<'_>),
    kinds: &[Kind],
    all: &mut Vec<Candidate>,
) {
    let si = |one: &(usize, f64, &Cited<'_>)| {
        let offset = if one.2.is_difference { 0.0 } else { one.2.unit.offset };
        one.1 * one.2.unit.factor + offset
    };
    let (x, y) = (si(a), si(b));
    let sources = (a.0, Some(b.0));
    for kind in kinds {
        let made = match kind {
            Kind::Difference => {
                let mut one = measured((x - y) / a.2.unit.factor, a.2.unit, Kind::Difference, sources);
                one.base = x - y;
                Some(one)
            }
            // Twice as warm is no quantity: only amounts have ratios, and differences of temperature.
            Kind::Ratio if y != 0.0 => Some(measured(x / y, Unit::ONE, Kind::Ratio, sources)),
            Kind::RelativeDifference if y != 0.0 => {
                Some(measured((x - y) / y, Unit::ONE, Kind::RelativeDifference, sources))
            }
            _ => None,
        };
        all.extend(made);
    }
}

/// Sum or mean of all values, when they measure the same.
fn folds(op: Operation, cited: &[Cited<'_>], all: &mut Vec<Candidate>) {
    let values: Vec<(f64, &Cited<'_>)> = cited.iter().filter_map(|one| Some((one.value?, one))).collect();
    let Some((_, first)) = values.first() else { return };
    let same = values.iter().all(|(_, one)| {
        one.unit.dimensions == first.unit.dimensions && one.is_difference == first.is_difference
    });
    if !same {
        return;
    }
    let offset = |one: &Cited<'_>| if one.is_difference { 0.0 } else { one.unit.offset };
    let sum: f64 = values.iter().map(|(value, one)| value * one.unit.factor + offset(one)).sum();
    let base = if op == Operation::Sum { sum } else { sum / values.len() as f64 };
    let mut made = measured(base, first.unit, Kind::Fold, (0, None));
    made.base = base;
    made.is_difference = first.is_difference && first.unit.is_temperature();
    all.push(made);
}

/// A rate over each span of time that the sentence names, and over that of the evidence.
fn products(cited: &[Cited<'_>], spans: &[f64], all: &mut Vec<Candidate>) {
    for (at, one) in cited.iter().enumerate() {
        let Some(rate) = one.value.filter(|_| one.unit.dimensions.get(2).is_some_and(|time| *time < 0))
        else {
            continue;
        };
        let mut unit = one.unit;
        if let Some(time) = unit.dimensions.get_mut(2) {
            *time += 1;
        }
        unit.factor = 1.0;
        for span in spans.iter().copied().take(64).chain(one.durations()) {
            all.push(measured(rate * one.unit.factor * span, unit, Kind::Product, (at, None)));
        }
    }
}
