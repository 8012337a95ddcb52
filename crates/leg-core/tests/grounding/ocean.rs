//! True sentences about fields, series and trends of the ocean.

use leg_core::evidence::Operation;
use serde_json::{Value, json};

use super::draft::{Day, Dice, Draft, Part, Shown, write_date};
use super::levels::{day, no_sign, print, signed, text};

const REGIONS: [&str; 6] =
    ["South China Sea", "Bohai Sea", "Niño 3.4", "Gulf Stream", "Sargasso Sea", "North Sea"];
const SUBJECTS: [&str; 4] =
    ["sea surface temperature", "the upper ocean", "ERA5 sea surface temperature", "surface water"];

fn month(day: Day) -> String {
    format!("{}-{:02}", day.year, day.month)
}

fn date(day: Day, shown: Shown) -> Part {
    Part::Date { day, shown }
}

fn word(text: &'static str, opposite: &'static str) -> Part {
    Part::Sign { text, opposite }
}

fn draft(parts: Vec<Part>, op: Operation, evidence: Vec<Value>) -> Draft {
    Draft { parts, op, evidence, ordered: false }
}

/// A warm or cold month against a baseline.
pub(crate) fn anomaly(dice: &mut Dice) -> Draft {
    let when = day(dice);
    let warm = dice.one_in(2);
    let value = dice.between(0.3, 3.4) * if warm { 1.0 } else { -1.0 };
    let first = Day { year: 1981 + i32::try_from(dice.below(5)).unwrap(), month: 1, day: 1 };
    let last = Day { year: first.year + 29, month: 12, day: 31 };
    let evidence = json!({"key": "k", "name": if warm { "max" } else { "min" }, "value": value, "unit": "degC", "when": month(when),
        "baseline": format!("{}-01/{}-12", first.year, last.year), "n": 372, "method": "extreme over time"});
    let subject = text(dice.pick::<&str>(&SUBJECTS));
    let base = || vec![text(" the "), date(first, Shown::Year), text("–"), date(last, Shown::Year)];
    let side = if warm { word("above", "below") } else { word("below", "above") };
    let peak = if warm { " was warmest in " } else { " was coldest in " };
    let unit = Part::Unit(dice.pick::<&str>(&["°C", "°C", "K"]));
    let op = if matches!(unit, Part::Unit("K")) { Operation::Convert } else { Operation::Max };
    let mut parts = match dice.below(4) {
        0 => vec![
            subject,
            text(peak),
            date(when, Shown::Month),
            text(", "),
            print(value, 2),
            unit,
            text(" "),
            side,
        ],
        1 => vec![
            text("in "),
            date(when, Shown::Month),
            text(", "),
            subject,
            text(" was "),
            print(value, 1),
            unit,
            text(" "),
            side,
        ],
        2 => {
            let comparison = if warm { word("warmer", "cooler") } else { word("cooler", "warmer") };
            vec![
                subject,
                text(" was "),
                print(value, 2),
                unit,
                text(" "),
                comparison,
                text(" in "),
                date(when, Shown::Month),
                text(" than"),
            ]
        }
        _ => {
            let mut parts = vec![text("the anomaly was ")];
            parts.extend(signed(value, 2));
            parts.extend([unit, text(" in "), date(when, Shown::Month), text(", relative to")]);
            parts
        }
    };
    parts.extend(base());
    parts.push(text(dice.pick::<&str>(&[" baseline.", " mean.", " climatology."])));
    draft(parts, op, vec![evidence])
}

/// A trend with its interval, over its period, or since its beginning.
pub(crate) fn trend(dice: &mut Dice) -> Draft {
    let first = Day { month: 1, day: 1, ..day(dice) };
    let years = 10 + i32::try_from(dice.below(15)).unwrap();
    let last = Day { year: first.year + years - 1, month: 12, day: 31 };
    let up = dice.one_in(2);
    let slope = dice.between(0.11, 0.89) * if up { 1.0 } else { -1.0 };
    let half = dice.between(0.02, 0.08);
    let when = format!("{}-01/{}-12", first.year, last.year);
    let evidence = |name: &str, value: f64, unit: &str| json!({"key": "k", "name": name, "value": value, "unit": unit, "when": when, "n": years * 12, "method": "Theil-Sen slope of monthly means"});
    let decade = "degC (10 year)-1";
    let subject = text(dice.pick::<&str>(&SUBJECTS));
    let verb = if up { word("warmed", "cooled") } else { word("cooled", "warmed") };
    let span =
        || vec![text(" from "), date(first, Shown::Month), text(" to "), date(last, Shown::Month), text(".")];
    let since = || vec![text(" since "), date(first, Shown::Year), text(".")];
    let (mut parts, evidence) = match dice.below(6) {
        0 => (
            vec![subject, text(" "), verb, text(" by "), print(slope, 2), Part::Unit("°C per decade")],
            vec![evidence("slope", slope, decade)],
        ),
        1 => (
            vec![subject, text(" "), verb, text(" at "), print(slope / 10.0, 4), Part::Unit("°C per year")],
            vec![evidence("slope", slope, decade)],
        ),
        2 => {
            let mut parts = vec![subject, text(" "), verb, text(": the trend is ")];
            parts.extend(signed(slope, 2));
            parts.extend([Part::Unit("°C per decade"), text(", with a 95% confidence interval of ")]);
            parts.extend(signed(slope - half, 2));
            parts.push(text(" to "));
            parts.extend(signed(slope + half, 2));
            parts.push(Part::Unit("°C per decade"));
            (
                parts,
                vec![
                    evidence("slope", slope, decade),
                    evidence("ci_low", slope - half, decade),
                    evidence("ci_high", slope + half, decade),
                ],
            )
        }
        3 => {
            let total = slope * f64::from(years) / 10.0;
            let years = Part::Number { text: years.to_string(), truth: f64::from(years) };
            (
                vec![
                    text("over "),
                    years,
                    Part::Unit("years"),
                    text(", "),
                    subject,
                    text(" "),
                    verb,
                    text(" by "),
                    print(total, 1),
                    Part::Unit("°C"),
                ],
                vec![evidence("slope", slope, decade)],
            )
        }
        4 => {
            let rate = dice.between(1.2, 4.8);
            let (unit, factor, decimals) =
                *dice.pick(&[("mm per year", 1.0, 1), ("cm per decade", 1.0, 2), ("mm per year", 1.0, 2)]);
            (
                vec![
                    text("mean sea level "),
                    word("rose", "fell"),
                    text(" by "),
                    print(rate * factor, decimals),
                    Part::Unit(unit),
                ],
                vec![evidence("slope", rate, "mm year-1")],
            )
        }
        _ => (
            vec![
                subject,
                text(" has a trend of "),
                if up { no_sign() } else { super::levels::minus() },
                print(slope, 3),
                Part::Unit("°C per decade"),
            ],
            vec![evidence("slope", slope, decade)],
        ),
    };
    parts.extend(if dice.one_in(2) { span() } else { since() });
    draft(parts, Operation::Trend, evidence)
}

/// The course of a series: its mean, its first and its last value.
pub(crate) fn series(dice: &mut Dice) -> Draft {
    let first = Day { month: 2, ..day(dice) };
    let last = Day { year: first.year + 6, month: 11, day: 30 };
    let region = *dice.pick(&REGIONS);
    let [mean, begin, end] = [dice.between(22.1, 24.9), dice.between(15.1, 19.9), dice.between(26.1, 29.9)];
    let evidence = |name: &str, value: f64, when: String| json!({"key": "k", "name": name, "value": value, "unit": "degC", "when": when, "where": {"region": region}, "method": name});
    let all = vec![
        evidence("mean", mean, format!("{}/{}", month(first), month(last))),
        evidence("first", begin, month(first)),
        evidence("last", end, month(last)),
    ];
    let parts = if dice.one_in(2) {
        vec![
            text("the "),
            Part::Station { text: region.to_owned(), at: 0 },
            text(" was "),
            no_sign(),
            print(mean, 2),
            Part::Unit("°C"),
            text(" on average from "),
            date(first, Shown::Month),
            text(" to "),
            date(last, Shown::Month),
            text("; it began at "),
            no_sign(),
            print(begin, 2),
            Part::Unit("°C"),
            text(" in "),
            date(first, Shown::Month),
            text(" and ended at "),
            no_sign(),
            print(end, 2),
            Part::Unit("°C"),
            text(" in "),
            date(last, Shown::Month),
            text("."),
        ]
    } else {
        let unit = *dice.pick(&["°C", "°F"]);
        let show = |value: f64| if unit == "°F" { value * 1.8 + 32.0 } else { value };
        vec![
            text("temperature in the "),
            Part::Station { text: region.to_owned(), at: 0 },
            text(" went from "),
            print(show(begin), 1),
            Part::Unit(unit),
            text(" in "),
            date(first, Shown::Month),
            text(" to "),
            print(show(end), 1),
            Part::Unit(unit),
            text(" in "),
            date(last, Shown::Month),
            text("."),
        ]
    };
    draft(parts, Operation::Round, all)
}

/// Extremes of a map, depths, and other quantities.
#[expect(clippy::too_many_lines, reason = "a table of sentences")]
pub(crate) fn field(dice: &mut Dice) -> Draft {
    let when = day(dice);
    let iso = write_date(when, Shown::DayIso);
    let lon = dice.below(150) as f64 + 20.5;
    let lat = dice.below(60) as f64 + 5.25;
    let evidence = |name: &str, value: f64, unit: &str, place: Value| json!({"key": "k", "name": name, "value": value, "unit": unit, "when": iso, "where": place, "method": name});
    let dated = |mut parts: Vec<Part>, dice: &mut Dice| {
        let shown = *dice.pick(&[Shown::Day, Shown::Month, Shown::DayIso, Shown::DayAmerican]);
        parts.push(text(if shown == Shown::Month { " in " } else { " on " }));
        parts.extend([date(when, shown), text(".")]);
        parts
    };
    let (parts, op, evidence) = match dice.below(9) {
        0 => {
            let (value, west) = (dice.between(26.0, 31.0), dice.one_in(2));
            let side = if west { "°W" } else { "°E" };
            let place = json!({"lon": if west { -lon } else { lon }, "lat": lat});
            (
                vec![
                    text("it was warmest at "),
                    print(lon, 1),
                    Part::Unit(side),
                    text(", "),
                    print(lat, 2),
                    Part::Unit("°N"),
                    text(", at "),
                    no_sign(),
                    print(value, 2),
                    Part::Unit("°C"),
                ],
                Operation::Max,
                evidence("max", value, "degC", place),
            )
        }
        1 => {
            let value = dice.between(11.0, 19.0);
            let depth = *dice.pick(&[50.0, 100.0, 200.0]);
            (
                vec![
                    text("at "),
                    print(depth, 0),
                    Part::Unit("m"),
                    text(" the water was "),
                    no_sign(),
                    print(value, 1),
                    Part::Unit("°C"),
                ],
                Operation::Round,
                evidence("mean", value, "degC", json!({"depth": {"at": depth}})),
            )
        }
        2 => {
            let value = dice.between(288.0, 303.0);
            (
                vec![text("the surface was at "), no_sign(), print(value - 273.15, 2), Part::Unit("°C")],
                Operation::Convert,
                evidence("mean", value, "K", Value::Null),
            )
        }
        3 => {
            let value = dice.between(33.0, 36.9);
            (
                vec![text("salinity averaged "), no_sign(), print(value, 2), Part::Unit("psu")],
                Operation::Mean,
                evidence("mean", value, "psu", json!({"depth": "surface"})),
            )
        }
        4 => {
            let value = dice.between(28.0, 33.0);
            let mut one = evidence("transport", value, "Sv", Value::Null);
            one["uncertainty"] = json!({"se": 1.412_37});
            (
                vec![
                    text("the transport was "),
                    no_sign(),
                    print(value, 1),
                    text(" ± "),
                    print(1.412_37, 1),
                    Part::Unit("Sv"),
                ],
                Operation::Round,
                one,
            )
        }
        5 => {
            let value = dice.between(0.11, 2.4);
            (
                vec![text("chlorophyll reached "), no_sign(), print(value, 2), Part::Unit("mg/m³")],
                Operation::Max,
                evidence("max", value, "mg m-3", Value::Null),
            )
        }
        6 => {
            let value = dice.between(1.1, 9.8);
            (
                vec![text("heat content was "), no_sign(), print(value, 2), text(" × 10²²"), Part::Unit("J")],
                Operation::Quote,
                evidence("heat", value * 1e22, "J", Value::Null),
            )
        }
        7 => {
            let value = dice.between(0.31, 0.94);
            (
                vec![text("ice covered "), print(value * 100.0, 1), Part::Unit("%"), text(" of the area")],
                Operation::Percent,
                evidence("share", value, "1", Value::Null),
            )
        }
        _ => {
            let value = dice.between(0.21, 1.2);
            let (unit, factor, decimals) =
                *dice.pick(&[("m/s", 1.0, 3), ("cm/s", 100.0, 1), ("knots", 3600.0 / 1852.0, 2)]);
            (
                vec![text("currents ran at "), no_sign(), print(value * factor, decimals), Part::Unit(unit)],
                Operation::Max,
                evidence("max", value, "m s-1", Value::Null),
            )
        }
    };
    draft(dated(parts, dice), op, vec![evidence])
}

/// Counts, with and without separators.
pub(crate) fn count(dice: &mut Dice) -> Draft {
    let (n, missing) = (dice.below(90) + 13, dice.below(8) + 1);
    let (warm, cold) = (dice.below(5) + 5, dice.below(4) + 1);
    let whole = |n: usize| Part::Number { text: n.to_string(), truth: n as f64 };
    let evidence = |name: &str, value: usize| json!({"key": "k", "name": name, "value": value, "unit": "1", "method": "number of daily values"});
    let (parts, evidence) = match dice.below(3) {
        0 => (
            vec![
                text("there are "),
                whole(n),
                text(" values, and "),
                whole(missing),
                text(" more are missing."),
            ],
            vec![evidence("n", n), evidence("n_missing", missing)],
        ),
        1 => (
            vec![text("there were "), whole(warm), text(" warm and "), whole(cold), text(" cold episodes.")],
            vec![evidence("n_warm", warm), evidence("n_cold", cold)],
        ),
        _ => (
            vec![
                text("the record has "),
                Part::Number { text: format!("10,{:03}", n + 100), truth: (10_100 + n) as f64 },
                text(" days."),
            ],
            vec![evidence("n", 10_100 + n)],
        ),
    };
    draft(parts, Operation::Quote, evidence)
}
