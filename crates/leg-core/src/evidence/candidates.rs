//! What numbers a claim may print: what its operation gives from its evidence, and the same in other units.

use serde_json::Value;

use super::numbers::Number;
use super::prose_units::{canonical, rate_years, split_rate};
use super::{Evidence, Operation};

/// A number that a claim may print.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub value: f64,
    /// CF units.
    pub unit: String,
    /// Whether either sign will do: a difference can be told from both sides.
    pub either_sign: bool,
}

impl Candidate {
    fn new(value: f64, unit: impl Into<String>) -> Self {
        Self { value, unit: unit.into(), either_sign: false }
    }

    /// Whether it is a pure number.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.unit.as_str(), "" | "1")
    }

    /// Whether the printed number stands for it. `falls`: the sentence speaks of a decrease.
    pub(crate) fn fits(&self, number: &Number, falls: bool) -> bool {
        let near =
            |value: f64| (number.value - value).abs() <= number.half * (1.0 + 1e-9) + 1e-12 * value.abs();
        near(self.value)
            || (self.either_sign && near(-self.value))
            || (falls && number.value >= 0.0 && self.value < 0.0 && near(-self.value))
    }
}

/// All numbers that a claim with this operation may print from this evidence.
pub(crate) fn candidates(op: Operation, cited: &[&Evidence]) -> Vec<Candidate> {
    let mut out = Vec::new();
    let mut values = Vec::new();
    for evidence in cited {
        let unit = canonical(&evidence.unit);
        if let Some(value) = evidence.value.as_f64() {
            values.push((value, unit));
            in_other_units(value, unit, evidence.baseline.is_some(), &mut out);
        }
        for value in numbers_in(evidence.uncertainty.as_ref()) {
            in_other_units(value, unit, true, &mut out);
        }
        if let Some(n) = evidence.n {
            out.push(Candidate::new(n as f64, "1"));
            // "120 months": what was counted is named in words.
            for span in ["day", "month", "year", "hour"] {
                out.push(Candidate::new(n as f64, span));
            }
        }
    }
    match op {
        Operation::Diff | Operation::Compare => pairs(&values, |a, b| Some(a - b), None, &mut out),
        Operation::Ratio => pairs(&values, |a, b| (b != 0.0).then(|| a / b), Some("1"), &mut out),
        Operation::Percent => {
            pairs(&values, |a, b| (b != 0.0).then(|| 100.0 * a / b), Some("%"), &mut out);
            pairs(&values, |a, b| (b != 0.0).then(|| 100.0 * (a - b) / b), Some("%"), &mut out);
        }
        Operation::Sum | Operation::Mean => folds(op, &values, &mut out),
        Operation::Count => out.push(Candidate::new(cited.len() as f64, "1")),
        Operation::Quote
        | Operation::Round
        | Operation::Convert
        | Operation::Max
        | Operation::Min
        | Operation::Trend
        | Operation::None => {}
    }
    out
}

fn numbers_in(value: Option<&Value>) -> Vec<f64> {
    match value {
        Some(Value::Number(number)) => number.as_f64().into_iter().collect(),
        Some(Value::Array(items)) => items.iter().flat_map(|item| numbers_in(Some(item))).collect(),
        Some(Value::Object(members)) => {
            members.values().flat_map(|member| numbers_in(Some(member))).collect()
        }
        _ => Vec::new(),
    }
}

/// Values of one unit, two by two. Either order will do.
fn pairs(
    values: &[(f64, &str)],
    of: impl Fn(f64, f64) -> Option<f64>,
    unit: Option<&str>,
    out: &mut Vec<Candidate>,
) {
    for (at, (a, unit_a)) in values.iter().enumerate() {
        for (b_at, (b, unit_b)) in values.iter().enumerate() {
            if at != b_at
                && unit_a == unit_b
                && let Some(value) = of(*a, *b)
            {
                let mut made = Vec::new();
                in_other_units(value, unit.unwrap_or(unit_a), true, &mut made);
                out.extend(
                    made.into_iter().map(|candidate| Candidate { either_sign: unit.is_none(), ..candidate }),
                );
            }
        }
    }
}

/// Sum or mean of all values, when they have one unit.
fn folds(op: Operation, values: &[(f64, &str)], out: &mut Vec<Candidate>) {
    if let Some((_, unit)) = values.first()
        && values.iter().all(|(_, other)| other == unit)
    {
        let sum: f64 = values.iter().map(|(value, _)| value).sum();
        let value = if op == Operation::Sum { sum } else { sum / values.len() as f64 };
        out.push(Candidate::new(value, *unit));
    }
}

/// Factors between units of one dimension: value in the second = value in the first × factor.
const FACTORS: &[(&str, &str, f64)] = &[
    ("m", "cm", 100.0),
    ("m", "mm", 1000.0),
    ("m", "ft", 1.0 / 0.3048),
    ("km", "m", 1000.0),
    ("m s-1", "cm s-1", 100.0),
    ("m s-1", "kt", 3600.0 / 1852.0),
    ("m s-1", "km h-1", 3.6),
    ("1", "%", 100.0),
    ("day", "hour", 24.0),
    ("psu", "1e-3", 1.0),
];

/// The value in its unit and in those that a sentence may use instead. A difference (anomaly, trend) in kelvin and
/// in degrees Celsius is one number; a temperature is not.
fn in_other_units(value: f64, unit: &str, is_difference: bool, out: &mut Vec<Candidate>) {
    let (base, rate) = split_rate(unit);
    let is_difference = is_difference || rate.is_some();
    let mut bases = vec![(value, base.to_owned())];
    for (from, to, factor) in FACTORS {
        if base == *from {
            bases.push((value * factor, (*to).to_owned()));
        } else if base == *to {
            bases.push((value / factor, (*from).to_owned()));
        }
    }
    match (base, is_difference) {
        ("degC", true) => bases.extend([(value, "K".to_owned()), (value * 1.8, "degF".to_owned())]),
        ("K", true) => bases.extend([(value, "degC".to_owned()), (value * 1.8, "degF".to_owned())]),
        ("degC", false) => {
            bases.extend([(value + 273.15, "K".to_owned()), (value * 1.8 + 32.0, "degF".to_owned())]);
        }
        ("K", false) => bases.push((value - 273.15, "degC".to_owned())),
        _ => {}
    }
    let Some(years) = rate.and_then(rate_years) else {
        out.extend(bases.into_iter().map(|(value, unit)| Candidate::new(value, unit)));
        return;
    };
    for (other, span) in [("(10 year)-1", 10.0), ("year-1", 1.0), ("(100 year)-1", 100.0)] {
        for (value, base) in &bases {
            let base = if base == "1" { "" } else { base };
            out.push(Candidate::new(value * span / years, format!("{base} {other}").trim_start()));
        }
    }
}
