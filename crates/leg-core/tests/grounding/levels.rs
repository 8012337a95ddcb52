//! True sentences about water levels, gauges and storms.

use leg_core::evidence::Operation;
use serde_json::{Value, json};

use super::draft::{Day, Dice, Draft, Part, Shown, measure, write_date};

pub(crate) const STATIONS: [(&str, &str); 12] = [
    ("Fort Myers", "8725520"),
    ("Naples", "8725110"),
    ("Key West", "8724580"),
    ("The Battery", "8518750"),
    ("St. Petersburg", "8726520"),
    ("Clearwater Beach", "8726724"),
    ("Port Manatee", "8726384"),
    ("Toke Point", "9440910"),
    ("Astoria", "9439040"),
    ("Caloosahatchee River", "02292900"),
    ("Galveston Pier 21", "8771450"),
    ("Virginia Key", "8723214"),
];

pub(crate) const DATUMS: [&str; 7] = ["MLLW", "MHHW", "NAVD88", "MSL", "STND", "MHW", "NGVD29"];

/// A value printed in a unit: the digits and what the reader's truth is.
pub(crate) fn print(value: f64, decimals: usize) -> Part {
    let text = format!("{:.decimals$}", value.abs());
    Part::Number { text, truth: value }
}

pub(crate) fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

pub(crate) fn no_sign() -> Part {
    Part::Sign { text: "", opposite: "−" }
}

pub(crate) fn minus() -> Part {
    Part::Sign { text: "−", opposite: "" }
}

/// A signed number: the sign is a part of its own.
pub(crate) fn signed(value: f64, decimals: usize) -> Vec<Part> {
    vec![if value < 0.0 { minus() } else { no_sign() }, print(value, decimals)]
}

pub(crate) fn word(text: &'static str, opposite: &'static str) -> Part {
    Part::Sign { text, opposite }
}

pub(crate) fn day(dice: &mut Dice) -> Day {
    let number = |dice: &mut Dice, n| u8::try_from(dice.below(n)).unwrap() + 1;
    Day {
        year: 1993 + i32::try_from(dice.below(31)).unwrap(),
        month: number(dice, 12),
        day: number(dice, 28),
    }
}

pub(crate) fn shown(dice: &mut Dice) -> Shown {
    *dice.pick(&[
        Shown::Day,
        Shown::DayAmerican,
        Shown::DayOrdinal,
        Shown::DayIso,
        Shown::Month,
        Shown::DayOfYear,
        Shown::DayNoYear,
    ])
}

/// Words before a date.
pub(crate) fn on(shown: Shown) -> &'static str {
    if matches!(shown, Shown::Month | Shown::Year) { " in " } else { " on " }
}

pub(crate) struct Level {
    pub(crate) station: (&'static str, &'static str),
    pub(crate) value: f64,
    datum: &'static str,
    pub(crate) day: Day,
}

impl Level {
    pub(crate) fn new(dice: &mut Dice, taken: &[&str], low: f64, high: f64, datum: &'static str) -> Self {
        let station = loop {
            let one = *dice.pick(&STATIONS);
            if !taken.contains(&one.0) {
                break one;
            }
        };
        Self { station, value: dice.between(low, high), datum, day: day(dice) }
    }

    pub(crate) fn json(&self, name: &str, unit: &str) -> Value {
        let when = format!("{}T{:02}:{:02}Z", write_date(self.day, Shown::DayIso), self.day.day % 24, 30);
        // Services spell a datum in their own way.
        let datum =
            if self.datum == "NAVD88" && self.day.day.is_multiple_of(2) { "NAVD" } else { self.datum };
        json!({"key": "k", "name": name, "value": self.value, "unit": measure(unit).cf, "datum": datum, "when": when,
               "where": {"station": self.station.1, "name": self.station.0, "lon": -81.87, "lat": 26.65}, "n": 240,
               "method": format!("{name} of 6-minute values")})
    }

    pub(crate) fn name(&self, at: usize) -> Part {
        Part::Station { text: self.station.0.to_owned(), at }
    }

    pub(crate) fn number(&self, at: usize) -> Part {
        Part::Station { text: self.station.1.to_owned(), at }
    }
}

pub(crate) fn draft(parts: Vec<Part>, op: Operation, evidence: Vec<Value>) -> Draft {
    Draft { parts, op, evidence, ordered: false }
}

/// One level at one station.
#[expect(clippy::too_many_lines, reason = "a table of sentences")]
pub(crate) fn level(dice: &mut Dice) -> Draft {
    let datum = *dice.pick(&DATUMS);
    let (own, printed, factor, decimals, op) = *dice.pick(&[
        ("m", "m", 1.0, 2, Operation::Max),
        ("m", "m", 1.0, 3, Operation::Quote),
        ("m", "metres", 1.0, 1, Operation::Round),
        ("m", "ft", 1.0 / 0.3048, 2, Operation::Convert),
        ("m", "cm", 100.0, 0, Operation::Convert),
        ("ft", "ft", 1.0, 2, Operation::Max),
        ("ft", "m", 0.3048, 2, Operation::Convert),
        ("ft", "feet", 1.0, 1, Operation::Round),
    ]);
    let one = Level::new(dice, &[], 0.6, 9.5, datum);
    let when = shown(dice);
    let value = one.value * factor;
    let date = Part::Date { day: one.day, shown: when };
    let number = print(value, decimals);
    let unit = Part::Unit(printed);
    let datum = Part::Datum(datum);
    let parts = match dice.below(6) {
        0 => vec![
            one.name(0),
            text(" reached "),
            no_sign(),
            number,
            unit,
            text(" "),
            datum,
            text(on(when)),
            date,
            text("."),
        ],
        1 => vec![
            text("the highest water level at "),
            one.name(0),
            text(" ("),
            one.number(0),
            text(") was "),
            no_sign(),
            number,
            unit,
            text(" "),
            word("above", "below"),
            text(" "),
            datum,
            text(","),
            text(on(when)),
            date,
            text("."),
        ],
        2 => vec![
            text("water level peaked at "),
            no_sign(),
            number,
            unit,
            text(" "),
            datum,
            text(" at "),
            one.name(0),
            text(on(when)),
            date,
            text(&format!(" at {:02}:30 UTC.", one.day.day % 24)),
        ],
        3 => vec![
            text("at "),
            one.name(0),
            text(" (station "),
            one.number(0),
            text("), the peak was "),
            no_sign(),
            number,
            unit,
            text(" ("),
            datum,
            text(")"),
            text(on(when)),
            date,
            text("."),
        ],
        4 => vec![
            text("station "),
            one.number(0),
            text(" recorded "),
            no_sign(),
            number,
            unit,
            text(" "),
            datum,
            text("."),
        ],
        _ => vec![
            text("relative to "),
            datum,
            text(", "),
            one.name(0),
            text(" stood at "),
            no_sign(),
            number,
            unit,
            text(on(when)),
            date,
            text("."),
        ],
    };
    draft(parts, op, vec![one.json("max", own)])
}

/// A level below its datum.
pub(crate) fn low_level(dice: &mut Dice) -> Draft {
    let datum = *dice.pick(&DATUMS);
    let mut one = Level::new(dice, &[], 0.12, 1.9, datum);
    one.value = -one.value;
    let when = shown(dice);
    let date = Part::Date { day: one.day, shown: when };
    let mut parts = vec![text("the lowest water level at "), one.name(0), text(" was ")];
    if dice.one_in(2) {
        parts.extend([
            print(one.value, 2),
            Part::Unit("m"),
            text(" "),
            word("below", "above"),
            text(" "),
            Part::Datum(datum),
        ]);
    } else {
        parts.extend(signed(one.value, 2));
        parts.extend([Part::Unit("m"), text(" "), Part::Datum(datum)]);
    }
    parts.extend([text(on(when)), date, text(".")]);
    draft(parts, Operation::Min, vec![one.json("min", "m")])
}

/// Two stations against each other.
#[expect(clippy::too_many_lines, reason = "a table of sentences")]
pub(crate) fn two_levels(dice: &mut Dice) -> Draft {
    let datum = *dice.pick(&DATUMS);
    let mut high = Level::new(dice, &[], 2.2, 4.9, datum);
    let low = Level::new(dice, &[high.station.0], 0.6, 1.8, datum);
    high.day.year = high.day.year.max(low.day.year + 1);
    let difference = high.value - low.value;
    let (a, b) = (high.name(0), low.name(1));
    let levels = |one: &Level| vec![no_sign(), print(one.value, 2), Part::Unit("m")];
    let both = vec![high.json("max", "m"), low.json("max", "m")];
    let turned = vec![low.json("max", "m"), high.json("max", "m")];
    let mut ordered = true;
    let (parts, op, evidence) = match dice.below(11) {
        0 => (
            vec![
                a,
                text(" was "),
                print(difference, 2),
                Part::Unit("m"),
                text(" "),
                word("higher", "lower"),
                text(" than "),
                b,
                text("."),
            ],
            Operation::Diff,
            both,
        ),
        1 => (
            vec![
                b,
                text(" was "),
                print(difference * 100.0, 0),
                Part::Unit("cm"),
                text(" "),
                word("lower", "higher"),
                text(" than "),
                a,
                text("."),
            ],
            Operation::Diff,
            both,
        ),
        2 => (
            vec![
                a,
                text(" exceeded "),
                b,
                text(" by "),
                no_sign(),
                print(difference, 2),
                Part::Unit("m"),
                text("."),
            ],
            Operation::Diff,
            turned,
        ),
        3 => {
            ordered = false;
            (
                vec![
                    text("the peaks at "),
                    a,
                    text(" and "),
                    b,
                    text(" differed by "),
                    print(difference, 2),
                    Part::Unit("m"),
                    text("."),
                ],
                Operation::Diff,
                both,
            )
        }
        4 => {
            let mut parts = vec![a, text(" was "), word("higher", "lower"), text(" than "), b, text(": ")];
            parts.extend(levels(&high));
            parts.push(text(" against "));
            parts.extend(levels(&low));
            parts.extend([text(" "), Part::Datum(datum), text(".")]);
            (parts, Operation::Compare, turned)
        }
        5 => {
            let mut parts = vec![a, text(" peaked at ")];
            parts.extend(levels(&high));
            parts.extend([text(" "), Part::Datum(datum), text(" and "), b, text(" at ")]);
            parts.extend(levels(&low));
            parts.push(text("."));
            (parts, Operation::Compare, both)
        }
        6 => (
            vec![a, text(" was "), word("higher", "lower"), text(" than "), b, text(".")],
            Operation::Compare,
            both,
        ),
        7 => (
            vec![b, text(" peaked "), word("earlier", "later"), text(" than "), a, text(".")],
            Operation::Compare,
            both,
        ),
        8 => (
            vec![
                text("the peak at "),
                a,
                text(" was "),
                print(high.value / low.value, 2),
                text(" times that at "),
                b,
                text("."),
            ],
            Operation::Ratio,
            both,
        ),
        9 => (
            vec![
                text("the peak at "),
                b,
                text(" was "),
                print(100.0 * low.value / high.value, 1),
                Part::Unit("%"),
                text(" of that at "),
                a,
                text("."),
            ],
            Operation::Percent,
            turned,
        ),
        _ => (
            vec![
                text("the peak at "),
                a,
                text(" was "),
                print(100.0 * difference / low.value, 0),
                Part::Unit("%"),
                text(" "),
                word("higher", "lower"),
                text(" than at "),
                b,
                text("."),
            ],
            Operation::Percent,
            both,
        ),
    };
    Draft { parts, op, evidence, ordered }
}
