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

fn word(text: &'static str, opposite: &'static str) -> Part {
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

fn shown(dice: &mut Dice) -> Shown {
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
fn on(shown: Shown) -> &'static str {
    if matches!(shown, Shown::Month | Shown::Year) { " in " } else { " on " }
}

struct Level {
    station: (&'static str, &'static str),
    value: f64,
    datum: &'static str,
    day: Day,
}

impl Level {
    fn new(dice: &mut Dice, taken: &[&str], low: f64, high: f64, datum: &'static str) -> Self {
        let station = loop {
            let one = *dice.pick(&STATIONS);
            if !taken.contains(&one.0) {
                break one;
            }
        };
        Self { station, value: dice.between(low, high), datum, day: day(dice) }
    }

    fn json(&self, name: &str, unit: &str) -> Value {
        let when = format!("{}T{:02}:{:02}Z", write_date(self.day, Shown::DayIso), self.day.day % 24, 30);
        // Services spell a datum in their own way.
        let datum = if self.datum == "NAVD88" && self.day.day % 2 == 0 { "NAVD" } else { self.datum };
        json!({"key": "k", "name": name, "value": self.value, "unit": measure(unit).cf, "datum": datum, "when": when,
               "where": {"station": self.station.1, "name": self.station.0, "lon": -81.87, "lat": 26.65}, "n": 240,
               "method": format!("{name} of 6-minute values")})
    }

    fn name(&self, at: usize) -> Part {
        Part::Station { text: self.station.0.to_owned(), at }
    }

    fn number(&self, at: usize) -> Part {
        Part::Station { text: self.station.1.to_owned(), at }
    }
}

fn draft(parts: Vec<Part>, op: Operation, evidence: Vec<Value>) -> Draft {
    Draft { parts, op, evidence, ordered: false }
}

/// One level at one station.
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

/// Several stations together.
pub(crate) fn many_levels(dice: &mut Dice) -> Draft {
    let datum = *dice.pick(&DATUMS);
    let a = Level::new(dice, &[], 3.1, 4.9, datum);
    let b = Level::new(dice, &[a.station.0], 1.6, 2.9, datum);
    let c = Level::new(dice, &[a.station.0, b.station.0], 0.6, 1.5, datum);
    let evidence = vec![a.json("max", "m"), b.json("max", "m"), c.json("max", "m")];
    let sum = a.value + b.value + c.value;
    let tail = || vec![Part::Unit("m"), text(" "), Part::Datum(datum)];
    let (parts, op) = match dice.below(5) {
        0 => {
            let mut parts = vec![text("the highest of the three peaks was "), no_sign(), print(a.value, 2)];
            parts.extend(tail());
            parts.extend([text(", at "), a.name(0), text(".")]);
            (parts, Operation::Max)
        }
        1 => {
            let mut parts = vec![text("the lowest of the 3 peaks was "), no_sign(), print(c.value, 2)];
            parts.extend(tail());
            parts.extend([text(" at "), c.name(0), text(".")]);
            (parts, Operation::Min)
        }
        2 => {
            let mut parts = vec![text("the mean of the three peaks was "), no_sign(), print(sum / 3.0, 2)];
            parts.extend(tail());
            parts.push(text("."));
            (parts, Operation::Mean)
        }
        3 => (
            vec![
                text("a peak was seen at "),
                Part::Number { text: "3".into(), truth: 3.0 },
                text(" stations: "),
                a.name(0),
                text(", "),
                b.name(1),
                text(" and "),
                c.name(2),
                text("."),
            ],
            Operation::Count,
        ),
        _ => (
            vec![
                text("together the three peaks make "),
                no_sign(),
                print(sum, 2),
                Part::Unit("m"),
                text(" "),
                Part::Datum(datum),
                text("."),
            ],
            Operation::Sum,
        ),
    };
    draft(parts, op, evidence)
}

/// Wind, pressure and flow.
pub(crate) fn storm(dice: &mut Dice) -> Draft {
    let one = Level::new(dice, &[], 1.0, 2.0, "MSL");
    let when = shown(dice);
    let date = Part::Date { day: one.day, shown: when };
    let place = json!({"station": one.station.1, "name": one.station.0});
    let evidence = |name: &str, value: f64, unit: &str| json!({"key": "k", "name": name, "value": value, "unit": unit, "when": write_date(one.day, Shown::DayIso), "where": place, "method": name});
    let (parts, op, evidence) = match dice.below(5) {
        0 => {
            let value = dice.between(15.0, 70.0);
            let (unit, factor) = *dice.pick(&[
                ("m/s", 1.0),
                ("knots", 3600.0 / 1852.0),
                ("kt", 3600.0 / 1852.0),
                ("km/h", 3.6),
                ("mph", 1.0 / 0.44704),
            ]);
            (
                vec![
                    text("winds at "),
                    one.name(0),
                    text(" reached "),
                    no_sign(),
                    print(value * factor, 1),
                    Part::Unit(unit),
                    text(on(when)),
                    date,
                    text("."),
                ],
                Operation::Convert,
                evidence("wind_speed", value, "m s-1"),
            )
        }
        1 => {
            let value = dice.between(920.0, 1010.0);
            let (unit, factor, decimals) =
                *dice.pick(&[("hPa", 1.0, 1), ("mb", 1.0, 0), ("inHg", 100.0 / 3386.389, 2)]);
            (
                vec![
                    text("air pressure at "),
                    one.name(0),
                    text(" fell to "),
                    no_sign(),
                    print(value * factor, decimals),
                    Part::Unit(unit),
                    text(on(when)),
                    date,
                    text("."),
                ],
                Operation::Min,
                evidence("pressure", value, "hPa"),
            )
        }
        2 => {
            let value = dice.between(1200.0, 99_000.0).round() + 0.2;
            let plain = format!("{value:.0}");
            let grouped = format!("{},{}", &plain[..plain.len() - 3], &plain[plain.len() - 3..]);
            (
                vec![
                    one.name(0),
                    text(" (USGS "),
                    one.number(0),
                    text(") carried "),
                    no_sign(),
                    Part::Number { text: grouped, truth: value },
                    Part::Unit(*dice.pick(&["ft³/s", "cfs"])),
                    text(on(when)),
                    date,
                    text("."),
                ],
                Operation::Round,
                evidence("discharge", value, "ft3 s-1"),
            )
        }
        3 => {
            let value = dice.between(1.1, 2.9);
            (
                vec![
                    text("the surge at "),
                    one.name(0),
                    text(" rose to "),
                    no_sign(),
                    print(value, 1),
                    Part::Unit("m"),
                    text(", that is "),
                    no_sign(),
                    print(value / 0.3048, 1),
                    Part::Unit("ft"),
                    text(on(when)),
                    date,
                    text("."),
                ],
                Operation::Convert,
                evidence("surge", value, "m"),
            )
        }
        _ => {
            let value = dice.between(0.3, 1.4);
            let falls = dice.one_in(2);
            let sign = if falls { word("fell", "rose") } else { word("rose", "fell") };
            let value = if falls { -value } else { value };
            (
                vec![
                    text("water level at "),
                    one.name(0),
                    text(" "),
                    sign,
                    text(" by "),
                    print(value, 2),
                    Part::Unit("m"),
                    text(on(when)),
                    date,
                    text("."),
                ],
                Operation::Round,
                evidence("change", value, "m"),
            )
        }
    };
    draft(parts, op, vec![evidence])
}
