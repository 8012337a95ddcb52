//! How values, times and places are written in sentences, and how evidence of a call is found for them.

use jiff::civil::DateTime;
use leg_core::evidence::{month_name, prose_unit};
use leg_core::{Artifact, Evidence, Kind};
use serde_json::{Value, json};

use crate::findings::find;

/// Evidence of a call by the name that the tool gave. In a run the second call of an agent has `max_2` for a `max`.
pub(crate) fn named<'a>(evidence: &'a [Evidence], name: &str) -> Option<&'a Evidence> {
    let again = |own: &str| {
        let number = own.strip_prefix(name).and_then(|rest| rest.strip_prefix('_'));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    find(evidence, name).or_else(|| evidence.iter().find(|one| again(&one.name) && !one.value.is_null()))
}

/// A value as it was delivered, with its unit in prose.
pub(crate) fn measure(one: &Evidence) -> String {
    let unit = prose_unit(&one.unit);
    let number = match one.value.as_f64() {
        // The shortest text that gives the number back.
        Some(number) => plain(number),
        None => one.value.as_str().unwrap_or_default().to_owned(),
    };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// A number without a needless `.0`.
pub(crate) fn plain(number: f64) -> String {
    let rounded = (number * 1e6).round() / 1e6;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

/// `28 September 2022 at 19:05 UTC`, or `28 September 2022` for a day.
pub(crate) fn date(text: &str) -> String {
    let time = text.trim_end_matches('Z');
    if let Ok(day) = time.parse::<jiff::civil::Date>()
        && time.len() == 10
    {
        return day_text(day);
    }
    match time.parse::<DateTime>() {
        Ok(at) => format!("{} at {:02}:{:02} UTC", day_text(at.date()), at.hour(), at.minute()),
        Err(_) => text.to_owned(),
    }
}

fn day_text(day: jiff::civil::Date) -> String {
    let month = u8::try_from(day.month()).ok().and_then(month_name).unwrap_or("month");
    format!("{} {month} {}", day.day(), day.year())
}

/// ` on 28 September 2022 at 19:05 UTC` when evidence says when.
pub(crate) fn on(one: &Evidence) -> String {
    one.when.as_deref().map_or_else(String::new, |when| format!(" on {}", date(when)))
}

/// `26.7°N, 82.2°W`.
pub(crate) fn degrees(lat: f64, lon: f64) -> String {
    let part = |value: f64, plus: &str, minus: &str| {
        let number = plain(value.abs());
        // Positions are given in tenths: a whole degree is one of these too.
        let number = if number.contains('.') { number } else { format!("{number}.0") };
        format!("{number}°{}", if value < 0.0 { minus } else { plus })
    };
    format!("{}, {}", part(lat, "N", "S"), part(lon, "E", "W"))
}

/// Where evidence says it is, as [`degrees`].
pub(crate) fn at(one: &Evidence) -> Option<String> {
    let place = one.place.as_ref()?;
    Some(degrees(place.get("lat")?.as_f64()?, place.get("lon")?.as_f64()?))
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Rows and columns as an artifact; `units` for the columns that have some.
pub(crate) fn table(name: &str, columns: &[&str], rows: Vec<Value>, units: &[(&str, &str)]) -> Artifact {
    let units: serde_json::Map<String, Value> =
        units.iter().map(|(column, unit)| ((*column).to_owned(), json!(unit))).collect();
    let content = json!({ "columns": columns, "rows": Value::Array(rows), "units": units });
    Artifact::document(Kind::Table, name, content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_places_and_lists_are_english() {
        assert_eq!(date("2022-09-28T19:05:00Z"), "28 September 2022 at 19:05 UTC");
        assert_eq!(date("2020-08-19"), "19 August 2020");
        assert_eq!(degrees(-26.7, -82.2), "26.7°S, 82.2°W");
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!((list(&items), list(&items[..1])), ("a, b and c".to_owned(), "a".to_owned()));
        assert_eq!(
            (plain(9.0), plain(-0.0), plain(4.25)),
            ("9".to_owned(), "0".to_owned(), "4.25".to_owned())
        );
    }
}
