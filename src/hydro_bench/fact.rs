//! Whether a claim says a fact.

use leg_core::Evidence;
use ocean_data::cf::Unit;
use serde_json::Value;

use super::ask::Heard;
use super::case::Fact;

/// How units are written in cases, and their CF form.
const SPELLED: [(&str, &str); 14] = [
    ("mm/yr", "mm year-1"),
    ("inches/decade", "inch (10 year)-1"),
    ("ft3/s", "ft3 s-1"),
    ("ft^3/s", "ft3 s-1"),
    ("cfs", "ft3 s-1"),
    ("m/s", "m s-1"),
    ("cm/s", "cm s-1"),
    ("kt", "knot"),
    ("kn", "knot"),
    ("mb", "hPa"),
    ("mi2", "mile2"),
    ("deg", "degree"),
    ("px", "1"),
    ("days", "1"),
];

const DATUMS: [&str; 12] =
    ["MHHW", "MHW", "MTL", "MSL", "MLW", "MLLW", "NAVD88", "NAVD", "STND", "LMSL", "GMSL", "IGLD85"];

/// The claim and the evidence in it that say a fact.
pub(super) fn find<'a>(fact: &Fact, heard: &'a Heard) -> Option<(&'a str, &'a Evidence)> {
    heard.claims.iter().find_map(|(text, cited)| {
        let one = cited.iter().find(|one| says(fact, text, one))?;
        Some((text.as_str(), one))
    })
}

/// Whether a sentence, by a piece of the evidence that it cites, says a fact.
fn says(fact: &Fact, text: &str, evidence: &Evidence) -> bool {
    match &fact.value {
        Value::Number(number) => {
            number.as_f64().is_some_and(|value| says_number(fact, value, text, evidence))
        }
        Value::String(wanted) => says_text(wanted, text, evidence),
        Value::Bool(wanted) => evidence.value.as_bool() == Some(*wanted),
        Value::Array(items) => says_position(items, text, evidence) || says_list(items, text),
        Value::Null | Value::Object(_) => false,
    }
}

fn says_number(fact: &Fact, value: f64, text: &str, evidence: &Evidence) -> bool {
    let (unit, datum) = split_unit(fact.unit.as_deref().unwrap_or_default());
    if let (Some(wanted), Some(own)) = (datum, evidence.datum.as_deref())
        && wanted.trim_end_matches("88") != own.trim_end_matches("88")
    {
        return false;
    }
    // An angle, a count or an identifier may stand in a place or a text.
    let Some(own) = evidence.value.as_f64().or_else(|| evidence.value.as_str()?.trim().parse().ok()) else {
        return coordinates(evidence).into_iter().any(|own| close(own, value, fact.tolerance))
            && has_number(text, value);
    };
    let Some(converted) = convert(own, &evidence.unit, unit) else {
        return false;
    };
    close(converted, value, fact.tolerance) && (has_number(text, own) || has_number(text, value))
}

/// Equal up to what is allowed, or up to the last digit that is given.
fn close(own: f64, wanted: f64, tolerance: Option<f64>) -> bool {
    let shown = format!("{wanted}");
    let decimals = shown.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let half = 0.5 * 10_f64.powi(-i32::try_from(decimals).unwrap_or(0));
    let least = if decimals == 0 { 1e-9 } else { half };
    (own - wanted).abs() <= tolerance.unwrap_or(0.0).max(least * 1.000_001)
}

/// A unit without the datum after it.
fn split_unit(unit: &str) -> (&str, Option<&str>) {
    let unit = unit.split(',').next().unwrap_or_default().trim();
    match unit.rsplit_once(' ') {
        Some((head, last)) if DATUMS.contains(&last) => (head.trim(), Some(last)),
        _ => (unit, None),
    }
}

/// A value in another unit; `None` when they measure different things.
fn convert(value: f64, from: &str, to: &str) -> Option<f64> {
    let cf = |unit: &str| {
        let unit = SPELLED.iter().find(|(own, _)| *own == unit).map_or(unit, |(_, cf)| cf);
        if unit.is_empty() { "1".to_owned() } else { unit.to_owned() }
    };
    let (from, to) = (cf(from), cf(to));
    // Days that are counted have no unit in some answers.
    if to == "1" && matches!(from.as_str(), "day" | "d") {
        return Some(value);
    }
    if from == to
        || (from.starts_with("degree")
            && to.starts_with("degree")
            && !from.contains('C')
            && !to.contains('C'))
    {
        return Some(value);
    }
    let (from, to): (Unit, Unit) = (from.parse().ok()?, to.parse().ok()?);
    Some(from.to(&to).ok()?.apply(value))
}

/// Whether a sentence has a number, at the digits that it shows.
fn has_number(text: &str, value: f64) -> bool {
    let plain: String = text.chars().filter(|c| *c != ',' || !text.contains(", ")).collect();
    let texts = [text.to_owned(), plain, text.replace(',', "")];
    texts.iter().any(|text| {
        text.split(|c: char| !c.is_ascii_digit() && c != '.').any(|token| {
            let token = token.trim_matches('.');
            let decimals = token.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            let half = 0.5 * 10_f64.powi(-i32::try_from(decimals).unwrap_or(0));
            token.parse::<f64>().is_ok_and(|shown| {
                (shown - value.abs()).abs() <= half * 1.000_001
                    && (decimals > 0 || value.fract() == 0.0 || shown >= 100.0)
            })
        })
    })
}

/// A date in any form that both can be read in; else the same words.
fn says_text(wanted: &str, text: &str, evidence: &Evidence) -> bool {
    let plain = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let moment = |text: &str| text.parse::<hydro_specialists::Moment>().ok();
    if let Some(own) = moment(&wanted.replace('Z', "").replace(' ', "T")).or_else(|| american(wanted)) {
        let times = evidence.when.iter().flat_map(|when| when.split('/'));
        let stated = times.chain(evidence.value.as_str());
        return stated
            .filter_map(moment)
            .any(|when| when.first() <= own.last() && own.first() <= when.last());
    }
    let wanted = plain(wanted);
    let of_evidence = evidence.value.as_str().map(plain).unwrap_or_default();
    plain(text).contains(&wanted)
        && (of_evidence.contains(&wanted) || wanted.contains(&of_evidence) || evidence.place.is_some())
}

/// `09/21/1938`.
fn american(text: &str) -> Option<hydro_specialists::Moment> {
    let parts: Vec<&str> = text.split('/').collect();
    let [month, day, year] = parts.as_slice() else { return None };
    format!("{year}-{month}-{day}").parse().ok()
}

fn coordinates(evidence: &Evidence) -> Vec<f64> {
    let place = evidence.place.as_ref();
    ["lat", "lon"].iter().filter_map(|name| place?.get(name)?.as_f64()).collect()
}

fn says_position(items: &[Value], text: &str, evidence: &Evidence) -> bool {
    let wanted: Vec<f64> = items.iter().filter_map(Value::as_f64).collect();
    let own = coordinates(evidence);
    wanted.len() == 2
        && own.len() == 2
        && wanted.iter().all(|wanted| {
            own.iter().any(|own| close(own.abs(), wanted.abs(), None)) && has_number(text, *wanted)
        })
}

fn says_list(items: &[Value], text: &str) -> bool {
    let lower = text.to_lowercase();
    !items.is_empty()
        && items.iter().all(|item| match item {
            Value::String(word) => lower.contains(&word.to_lowercase()),
            Value::Number(number) => number.as_f64().is_some_and(|value| has_number(text, value)),
            _ => false,
        })
}
