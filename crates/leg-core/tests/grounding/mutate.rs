//! False reports: one part of one sentence of a true report is changed, and the change is proved to matter.

use super::draft::{Day, Dice, Draft, MEASURES, Part, Shown, TrueReport, measure, write_date};
use super::levels::{DATUMS, STATIONS};

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    Digit,
    Unit,
    Station,
    Datum,
    Sign,
    Date,
}

pub(crate) const SORTS: [Sort; 6] =
    [Sort::Digit, Sort::Unit, Sort::Station, Sort::Datum, Sort::Sign, Sort::Date];

const fn sort_of(part: &Part) -> Option<Sort> {
    match part {
        Part::Text(_) => None,
        Part::Number { .. } => Some(Sort::Digit),
        Part::Unit(_) => Some(Sort::Unit),
        Part::Station { .. } => Some(Sort::Station),
        Part::Datum(_) => Some(Sort::Datum),
        Part::Sign { .. } => Some(Sort::Sign),
        Part::Date { .. } => Some(Sort::Date),
    }
}

/// A claim of the report with one part changed so that it is false; `None` when the dice found no such part.
pub(crate) fn mutate(report: &TrueReport, sort: Sort, dice: &mut Dice) -> Option<(usize, String)> {
    let claim = dice.below(report.drafts.len());
    let draft = &report.drafts[claim].1;
    let parts: Vec<usize> =
        (0..draft.parts.len()).filter(|&at| sort_of(&draft.parts[at]) == Some(sort)).collect();
    if parts.is_empty() {
        return None;
    }
    let at = *dice.pick(&parts);
    let mut changed = draft.clone();
    let is_false = match draft.parts[at].clone() {
        Part::Number { text, truth } => {
            let new = digit(&text, dice)?;
            let is_false = differs(&new, &text, truth);
            changed.parts[at] = Part::Number { text: new, truth };
            is_false
        }
        Part::Unit(unit) => {
            let new = *dice.pick(MEASURES);
            changed.parts[at] = Part::Unit(new.0);
            is_another_quantity(draft, at, unit, new.0)
        }
        Part::Station { text, at: own } => station(draft, &mut changed, at, &text, own, dice),
        Part::Datum(old) => {
            let new = *dice.pick(&DATUMS);
            changed.parts[at] = Part::Datum(new);
            new != old
        }
        Part::Sign { text, opposite } => {
            changed.parts[at] = Part::Sign { text: opposite, opposite: text };
            // A word and its number may both be turned only once; a zero has no sign.
            draft.parts.iter().any(|part| matches!(part, Part::Number { truth, .. } if truth.abs() > 1e-9))
                || !draft.parts.iter().any(|part| matches!(part, Part::Number { .. }))
        }
        Part::Date { day, shown } => {
            let new = another_day(day, shown, dice);
            changed.parts[at] = Part::Date { day: new, shown };
            write_date(new, shown) != write_date(day, shown)
        }
        Part::Text(_) => false,
    };
    let text = changed.text();
    (is_false && text != draft.text()).then_some((claim, text))
}

/// One digit becomes another; a number does not begin with a new zero.
fn digit(text: &str, dice: &mut Dice) -> Option<String> {
    let places: Vec<usize> =
        text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = *dice.pick(&places);
    let old = text.as_bytes()[at];
    let new = b'0' + u8::try_from(dice.below(10)).unwrap();
    let leads = at == 0 && text.len() > 1 && !text.starts_with('0') && !text[1..].starts_with('.');
    if new == old || (leads && new == b'0') {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    bytes[at] = new;
    String::from_utf8(bytes).ok()
}

/// Whether the truth lies outside of what the new digits stand for.
fn differs(new: &str, old: &str, truth: f64) -> bool {
    let read = |text: &str| -> (f64, f64) {
        let plain = text.replace(',', "");
        let decimals = plain.split_once('.').map_or(0, |(_, tail)| tail.len());
        (plain.parse().unwrap(), 0.5 / 10_f64.powi(i32::try_from(decimals).unwrap()))
    };
    let ((new, half), (old, _)) = (read(new), read(old));
    assert!((old - truth.abs()).abs() <= half * 1.000_001, "{old} is not {truth}");
    (new - truth.abs()).abs() > half * 1.001
}

/// Whether the number before the unit is no longer the same quantity.
fn is_another_quantity(draft: &Draft, at: usize, old: &str, new: &str) -> bool {
    let Some(Part::Number { truth, text }) = draft.parts[..at].last() else { return false };
    let (a, b) = (measure(old), measure(new));
    if a.kind != b.kind {
        return true;
    }
    let decimals = text.split_once('.').map_or(0, |(_, tail)| tail.len());
    let half = 0.5 / 10_f64.powi(i32::try_from(decimals).unwrap());
    // In the new unit the truth is far from the printed number, as a state and as a difference.
    let state = (truth * a.factor + a.offset - b.offset) / b.factor;
    let difference = truth * a.factor / b.factor;
    [state, difference].iter().all(|there| (there.abs() - truth.abs()).abs() > 2.0 * half)
}

/// Another station: one of the same claim where the order matters, one of the report, or one from elsewhere.
fn station(draft: &Draft, changed: &mut Draft, at: usize, text: &str, own: usize, dice: &mut Dice) -> bool {
    let is_number = text.bytes().all(|b| b.is_ascii_digit());
    let others: Vec<(usize, usize, String)> = draft
        .parts
        .iter()
        .enumerate()
        .filter_map(|(part, one)| match one {
            Part::Station { text, at } if *at != own => Some((part, *at, text.clone())),
            _ => None,
        })
        .collect();
    if draft.ordered
        && dice.one_in(2)
        && let [(part, other, name)] = others.as_slice()
    {
        // The two change places.
        changed.parts[at] = Part::Station { text: name.clone(), at: *other };
        changed.parts[*part] = Part::Station { text: text.to_owned(), at: own };
        return true;
    }
    let (name, number) = dice.pick(&STATIONS);
    let new = if is_number { *number } else { *name };
    let is_own =
        |one: &serde_json::Value| one["where"]["name"] == *name || one["where"]["station"] == *number;
    changed.parts[at] = Part::Station { text: new.to_owned(), at: usize::MAX };
    new != text && !draft.evidence.iter().any(is_own)
}

fn another_day(day: Day, shown: Shown, dice: &mut Dice) -> Day {
    let mut new = day;
    let fields: &[u8] = match shown {
        Shown::Year => &[0],
        Shown::Month => &[0, 1],
        Shown::DayNoYear => &[1, 2],
        _ => &[0, 1, 2],
    };
    match *dice.pick(fields) {
        0 => new.year += *dice.pick(&[-10, -3, -2, -1, 1, 2, 3, 10]),
        1 => new.month = u8::try_from(dice.below(12)).unwrap() + 1,
        _ => new.day = u8::try_from(dice.below(28)).unwrap() + 1,
    }
    new
}
