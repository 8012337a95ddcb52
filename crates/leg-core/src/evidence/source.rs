//! [`Cited`]: one piece of cited evidence, with everything that a sentence may say of it read once.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Evidence;
use super::dates::{Date, Period};
use super::datum::canonical;
use super::places::{Names, folded, names_of};
use super::tokens::{Piece, Token, tokens};
use super::unit::{Axis, Unit};

/// One piece of cited evidence.
#[derive(Debug)]
pub(crate) struct Cited<'a> {
    pub evidence: &'a Evidence,
    /// Its value, when it is a finite number.
    pub value: Option<f64>,
    pub unit: Unit,
    /// Whether its value is a change, not a state: an anomaly, a rate, a spread.
    pub is_difference: bool,
    /// Whether it is a rate of change over months, years or longer.
    pub is_trend: bool,
    pub datum: Option<&'a str>,
    /// When it is of, its baseline, and what its text and method name.
    pub times: Vec<Time>,
    pub season: Option<&'a str>,
    /// What its place is called, folded.
    pub names: BTreeSet<String>,
    /// Numbers that say what it is, not how much it is.
    pub labels: Vec<Label>,
    /// The words of its key, name and method, folded, with a space at both ends.
    pub words: String,
}

/// A time that evidence knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time {
    pub period: Period,
    pub role: Role,
}

/// What a time is of its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// When the value holds.
    When,
    /// What it is relative to.
    Baseline,
    /// Named in its method.
    Method,
}

/// A number that says what evidence is: a depth, a coordinate, a category, a percentile.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    pub value: f64,
    pub unit: Option<Unit>,
    /// The word before it.
    pub before: String,
    pub is_ordinal: bool,
}

/// Names of quantities that are changes or spreads, whatever their unit.
const CHANGES: [&str; 26] = [
    " anomaly ",
    " anomalies ",
    " difference ",
    " change ",
    " trend ",
    " slope ",
    " std ",
    " deviation ",
    " range ",
    " se ",
    " error ",
    " rmse ",
    " bias ",
    " spread ",
    " amplitude ",
    " departure ",
    " residual ",
    " iqr ",
    " uncertainty ",
    " rise ",
    " drop ",
    " fall ",
    " decrease ",
    " increase ",
    " warming ",
    " cooling ",
];

impl<'a> Cited<'a> {
    pub(crate) fn new(evidence: &'a Evidence, unknown: &[String]) -> Self {
        let unit = unit_of(evidence, unknown);
        let [.., time, _, _, _, _, _, _] = unit.dimensions;
        let slow = evidence.unit.contains("year")
            || evidence.unit.contains("yr")
            || evidence.unit.contains("decade")
            || evidence.unit.contains("century")
            || evidence.unit.contains("month");
        let words =
            format!(" {} ", folded(&format!("{} {} {}", evidence.key, evidence.name, evidence.method)));
        let named = |word: &str| words.contains(word);
        let is_trend = time < 0 && (slow || named(" slope ") || named(" trend "));
        let is_difference = evidence.baseline.is_some() || is_trend || CHANGES.iter().any(|word| named(word));
        let mut cited = Self {
            evidence,
            value: evidence.value.as_f64().filter(|value| value.is_finite()),
            unit,
            is_difference,
            is_trend,
            datum: evidence.datum.as_deref().map(canonical),
            times: Vec::new(),
            season: evidence.when.as_deref().and_then(|when| when.strip_prefix("season ")),
            names: names_of(evidence.place.as_ref()),
            labels: Vec::new(),
            words,
        };
        cited.read_times();
        if let Some(place) = &evidence.place {
            cited.read_place("", place);
        }
        cited.read_name();
        cited
    }

    fn read_times(&mut self) {
        let evidence = self.evidence;
        for (text, role) in [(&evidence.when, Role::When), (&evidence.baseline, Role::Baseline)] {
            if let Some(text) = text {
                match Period::read(text) {
                    Some(period) => self.times.push(Time { period, role }),
                    None => self.read_text(text, role),
                }
            }
        }
        if let Value::String(text) = &evidence.value {
            match Period::read(text) {
                Some(period) => self.times.push(Time { period, role: Role::When }),
                None => self.read_text(text, Role::When),
            }
        }
        self.read_text(&evidence.method, Role::Method);
    }

    /// Dates and numbers of a text that belongs to the evidence.
    fn read_text(&mut self, text: &str, role: Role) {
        let all = tokens(text, &Names::default(), &[]);
        for (at, token) in all.iter().enumerate() {
            match &token.piece {
                Piece::Date { date, .. } => {
                    let to = match (
                        all.get(at + 1).map(|token| &token.piece),
                        all.get(at + 2).map(|token| &token.piece),
                    ) {
                        (Some(Piece::Dash | Piece::Break('/')), Some(Piece::Date { date, .. })) => *date,
                        _ => *date,
                    };
                    self.times.push(Time { period: Period { from: *date, to }, role });
                }
                Piece::Number(number) => self.labels.push(Label {
                    value: number.value,
                    unit: number.unit,
                    before: before(&all, at),
                    is_ordinal: number.is_ordinal,
                }),
                _ => {}
            }
        }
    }

    /// Coordinates, depths and the numbers inside names.
    fn read_place(&mut self, key: &str, value: &Value) {
        let with = |unit: &str| Unit::from_cf(unit);
        match value {
            Value::Number(number) => {
                let unit = match key {
                    "lon" | "longitude" => with("degree_east"),
                    "lat" | "latitude" => with("degree_north"),
                    "depth" | "height" | "elevation" | "level" | "altitude" | "at" | "range" | "top"
                    | "bottom" => with("m"),
                    "pressure" => with("dbar"),
                    _ => None,
                };
                if let Some(value) = number.as_f64() {
                    self.labels.push(Label { value, unit, before: folded(key), is_ordinal: false });
                }
            }
            Value::String(text) => self.read_text(text, Role::Method),
            Value::Array(items) => items.iter().for_each(|item| self.read_place(key, item)),
            Value::Object(members) => {
                for (inner, member) in members {
                    self.read_place(inner, member);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// `temperature_50m`, `p90`, `d20`: what the name itself says.
    fn read_name(&mut self) {
        for part in self.evidence.name.split(['_', '.']) {
            let letters = part.bytes().take_while(u8::is_ascii_alphabetic).count();
            let (head, rest) = part.split_at(letters);
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, tail) = rest.split_at(digits);
            let Ok(value) = number.parse::<f64>() else { continue };
            let unit = match head {
                "" => Unit::at(tail).map(|(unit, _)| unit),
                "d" | "z" => Unit::from_cf("degC"),
                _ => None,
            };
            let is_ordinal = head == "p";
            self.labels.push(Label { value, unit, before: head.to_owned(), is_ordinal });
        }
    }

    /// How long its `when` is, in seconds of whole years or months where it has such.
    pub(crate) fn durations(&self) -> Vec<f64> {
        let whens = self.times.iter().filter(|time| time.role != Role::Method && !time.period.is_instant());
        whens
            .flat_map(|time| {
                let inclusive = time.period.days();
                [inclusive, inclusive.map(|days| days - 1.0), time.period.days_between()]
            })
            .flatten()
            .filter(|days| *days > 0.0)
            .map(|days| days * 86_400.0)
            .collect()
    }

    /// The unit of time in which its `n` values were counted, as CF writes it.
    pub(crate) fn step(&self) -> Vec<&'static str> {
        let instant = self.times.iter().find(|time| time.role == Role::When && time.period.is_instant());
        let of = |date: Date| match date {
            Date { clock: Some(_), .. } => "hour",
            Date { day: Some(_), .. } => "day",
            Date { month: Some(_), .. } => "month",
            _ => "year",
        };
        let mut steps: Vec<&'static str> = instant.map(|time| of(time.period.from)).into_iter().collect();
        let words = [
            (" hourly ", "hour"),
            (" hours ", "hour"),
            (" daily ", "day"),
            (" days ", "day"),
            (" monthly ", "month"),
            (" months ", "month"),
            (" annual ", "year"),
            (" yearly ", "year"),
            (" years ", "year"),
        ];
        steps.extend(words.into_iter().filter(|(word, _)| self.words.contains(word)).map(|(_, unit)| unit));
        if let (Some(n), Some(time)) =
            (self.evidence.n, self.times.iter().find(|time| time.role == Role::When))
            && let Some(days) = time.period.days()
        {
            let exact = time.period.from;
            let fits = |unit: f64| (days / unit - n as f64).abs() <= 1.5;
            let spans =
                [("day", 1.0, exact.day.is_some()), ("month", 30.436_875, true), ("year", 365.2425, true)];
            steps.extend(
                spans.into_iter().filter(|(_, length, fine)| *fine && fits(*length)).map(|(unit, ..)| unit),
            );
        }
        steps
    }

    /// Whether a coordinate of it is this number.
    pub(crate) fn has_label(&self, value: f64, half: f64, unit: Option<Unit>) -> bool {
        self.labels.iter().any(|label| label.fits(value, half, unit))
    }
}

impl Label {
    fn fits(&self, value: f64, half: f64, unit: Option<Unit>) -> bool {
        let near = |a: f64| (a - value).abs() <= half * (1.0 + 1e-9) + 1e-9;
        match (self.unit, unit) {
            // A number in a name is that number or another.
            (None, None) => (self.value - value).abs() < 1e-9,
            (Some(own), Some(said)) if own.axis.is_some() => {
                let turned = own.axis == Some(Axis::Longitude);
                own.axis == said.axis
                    && (near(self.value)
                        || (turned && (near(self.value - 360.0) || near(self.value + 360.0))))
            }
            (Some(own), Some(said)) => own.is_same(&said) && near(self.value),
            // A coordinate without its sign of degrees.
            (Some(own), None) => own.axis.is_some() && half < 0.4 && near(self.value),
            (None, Some(_)) => false,
        }
    }
}

fn before(all: &[Token], at: usize) -> String {
    at.checked_sub(1).and_then(|at| all.get(at)).and_then(Token::word).map(folded).unwrap_or_default()
}

/// The unit of evidence; one that the table does not have is known by its number among such units.
fn unit_of(evidence: &Evidence, unknown: &[String]) -> Unit {
    Unit::from_cf(&evidence.unit).unwrap_or_else(|| {
        Unit::unknown(unknown.iter().position(|unit| *unit == evidence.unit).unwrap_or(unknown.len()))
    })
}
