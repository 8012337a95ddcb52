//! Sentences in parts, each of which knows how it could be made false.

use leg_core::EvidenceId;
use leg_core::evidence::{Claim, Evidence, Operation, month_name};
use serde_json::Value;

/// A small generator of pseudo-random numbers: the same on every machine.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = self.0;
        (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd) >> 17
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }

    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Between two values, with five decimals of which the last is never 0 or 5: no rounding is a tie.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        let share = self.below(1_000_000) as f64 / 1e6;
        let value = (low + (high - low) * share) * 1e4;
        (value.round() + 0.37) / 1e4
    }
}

/// A unit as the generator knows it, apart from the one of the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measure {
    pub cf: &'static str,
    pub kind: &'static str,
    pub factor: f64,
    pub offset: f64,
}

/// The generator's own table of units.
pub(crate) const MEASURES: &[(&str, Measure)] = &[
    ("m", m("m", "length", 1.0)),
    ("ft", m("ft", "length", 0.3048)),
    ("feet", m("ft", "length", 0.3048)),
    ("cm", m("cm", "length", 0.01)),
    ("mm", m("mm", "length", 0.001)),
    ("metres", m("m", "length", 1.0)),
    ("km", m("km", "length", 1000.0)),
    ("nautical miles", m("nautical_mile", "length", 1852.0)),
    ("m/s", m("m s-1", "speed", 1.0)),
    ("knots", m("knot", "speed", 1852.0 / 3600.0)),
    ("kt", m("knot", "speed", 1852.0 / 3600.0)),
    ("km/h", m("km h-1", "speed", 1.0 / 3.6)),
    ("mph", m("mph", "speed", 0.44704)),
    ("cm/s", m("cm s-1", "speed", 0.01)),
    ("hPa", m("hPa", "pressure", 100.0)),
    ("mb", m("hPa", "pressure", 100.0)),
    ("inHg", m("inHg", "pressure", 3386.389)),
    ("kPa", m("kPa", "pressure", 1000.0)),
    ("psu", m("psu", "salinity", 1.0)),
    ("g/kg", m("g kg-1", "absolute salinity", 1.0)),
    ("Sv", m("Sv", "transport", 1e6)),
    ("m³/s", m("m3 s-1", "transport", 1.0)),
    ("ft³/s", m("ft3 s-1", "transport", 0.028_316_846_592)),
    ("cfs", m("ft3 s-1", "transport", 0.028_316_846_592)),
    ("mg/m³", m("mg m-3", "density", 1e-6)),
    ("kg/m³", m("kg m-3", "density", 1.0)),
    ("days", m("day", "time", 86_400.0)),
    ("hours", m("hour", "time", 3600.0)),
    ("years", m("year", "time", 31_556_952.0)),
    ("months", m("month", "time", 2_629_746.0)),
    ("%", m("%", "share", 0.01)),
    ("°C per decade", m("degC (10 year)-1", "warming", 0.1)),
    ("°C per year", m("degC year-1", "warming", 1.0)),
    ("°C per century", m("degC (100 year)-1", "warming", 0.01)),
    ("mm per year", m("mm year-1", "rise", 0.001)),
    ("cm per decade", m("cm (10 year)-1", "rise", 0.001)),
    ("cm per year", m("cm year-1", "rise", 0.01)),
    ("mm per month", m("mm month-1", "rise", 0.012)),
    ("m per year", m("m year-1", "rise", 1.0)),
    ("W/m²", m("W m-2", "flux", 1.0)),
    ("J", m("J", "energy", 1.0)),
    ("W", m("W", "power", 1.0)),
    ("°E", m("degree_east", "longitude", 1.0)),
    ("°W", m("degree_east", "longitude", -1.0)),
    ("°N", m("degree_north", "latitude", 1.0)),
    ("°S", m("degree_north", "latitude", -1.0)),
    ("K", Measure { cf: "K", kind: "temperature", factor: 1.0, offset: 0.0 }),
    ("°C", Measure { cf: "degC", kind: "temperature", factor: 1.0, offset: 273.15 }),
    ("°F", Measure { cf: "degF", kind: "temperature", factor: 5.0 / 9.0, offset: 255.372_222_222 }),
];

const fn m(cf: &'static str, kind: &'static str, factor: f64) -> Measure {
    Measure { cf, kind, factor, offset: 0.0 }
}

pub(crate) fn measure(unit: &str) -> Measure {
    MEASURES.iter().find(|(name, _)| *name == unit).unwrap().1
}

/// A day, as the generator knows it.
#[expect(clippy::struct_field_names, reason = "a day has a day")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day {
    pub year: i32,
    pub month: u8,
    pub day: u8,
}

/// How a sentence writes a date: the parts that are shown, in what form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Year,
    Month,
    Day,
    DayAmerican,
    DayOrdinal,
    DayIso,
    DayOfYear,
    DayNoYear,
}

pub(crate) fn write_date(day: Day, shown: Shown) -> String {
    let Day { year, month, day: d } = day;
    let name = month_name(month).unwrap();
    let ordinal = match d {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    };
    match shown {
        Shown::Year => format!("{year}"),
        Shown::Month => format!("{name} {year}"),
        Shown::Day => format!("{d} {name} {year}"),
        Shown::DayAmerican => format!("{name} {d}, {year}"),
        Shown::DayOrdinal => format!("the {d}{ordinal} of {name} {year}"),
        Shown::DayIso => format!("{year}-{month:02}-{d:02}"),
        Shown::DayOfYear => {
            let lengths = [31, if year % 4 == 0 { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30];
            let before: i32 = lengths.iter().take(usize::from(month) - 1).sum();
            format!("{year}-{:03}", before + i32::from(d))
        }
        Shown::DayNoYear => format!("{d} {name}"),
    }
}

/// A part of a sentence.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    /// Digits without a sign, and the true value in the printed unit.
    Number {
        text: String,
        truth: f64,
    },
    /// A unit behind the number before it.
    Unit(&'static str),
    /// A station by its name or number; the place of the station among those of the claim.
    Station {
        text: String,
        at: usize,
    },
    Datum(&'static str),
    /// A sign or a word for one, and the word for the other.
    Sign {
        text: &'static str,
        opposite: &'static str,
    },
    Date {
        day: Day,
        shown: Shown,
    },
}

/// A sentence with its evidence.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub parts: Vec<Part>,
    pub op: Operation,
    pub evidence: Vec<Value>,
    /// Changing the order of its stations makes it false.
    pub ordered: bool,
}

impl Draft {
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) | Part::Number { text, .. } | Part::Station { text, .. } => {
                    out.push_str(text);
                }
                Part::Unit(unit) => {
                    if !matches!(*unit, "%" | "°E" | "°W" | "°N" | "°S") {
                        out.push(' ');
                    }
                    out.push_str(unit);
                }
                Part::Datum(text) | Part::Sign { text, .. } => out.push_str(text),
                Part::Date { day, shown } => out.push_str(&write_date(*day, *shown)),
            }
        }
        let mut chars = out.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
    }
}

/// A true report: its evidence, and its claims with the place of their first evidence.
pub(crate) struct TrueReport {
    pub drafts: Vec<(usize, Draft)>,
    pub evidence: Vec<Evidence>,
}

impl TrueReport {
    pub(crate) fn of(drafts: Vec<Draft>) -> Self {
        let mut evidence: Vec<Evidence> = Vec::new();
        let mut out = Vec::new();
        for (number, draft) in drafts.into_iter().enumerate() {
            out.push((evidence.len(), draft.clone()));
            for (at, json) in draft.evidence.into_iter().enumerate() {
                let mut one: Evidence = serde_json::from_value(json).unwrap();
                one.key = format!("n{number}_{at}.{}", one.name);
                one.id = Some(EvidenceId::numbered(evidence.len() + 1));
                evidence.push(one);
            }
        }
        Self { drafts: out, evidence }
    }

    pub(crate) fn claim(&self, at: usize, text: String) -> Claim {
        let (first, draft) = &self.drafts[at];
        let ids = (1..=draft.evidence.len()).map(|n| EvidenceId::numbered(first + n)).collect();
        Claim::new(text, ids, draft.op)
    }
}
