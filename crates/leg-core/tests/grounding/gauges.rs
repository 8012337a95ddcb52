//! True sentences about several gauges together, and about wind, pressure and flow.

use leg_core::evidence::Operation;
use serde_json::json;

use super::draft::{Dice, Draft, Part, Shown, write_date};
use super::levels::{DATUMS, Level, draft, no_sign, on, print, shown, text, word};

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
#[expect(clippy::too_many_lines, reason = "a table of sentences")]
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
                    Part::Unit(dice.pick::<&str>(&["ft³/s", "cfs"])),
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
