//! How evidence is written in sentences: dates, places, numbers.

use jiff::civil::DateTime;
use leg_core::Evidence;
use leg_core::evidence::prose_unit;
use serde_json::Value;

/// `28 September 2022 at 19:05 UTC`, or the day alone; what is no time stays as it is.
pub(crate) fn date(when: &str) -> String {
    let plain = when.trim_end_matches('Z');
    match plain.parse::<DateTime>() {
        Ok(time) if plain.len() > 10 => time.strftime("%-d %B %Y at %H:%M UTC").to_string(),
        Ok(time) => time.strftime("%-d %B %Y").to_string(),
        Err(_) => when.to_owned(),
    }
}

/// ` on 28 September 2022 at 19:05 UTC`, where evidence says when.
pub(crate) fn on(one: &Evidence) -> String {
    one.when.as_deref().map_or_else(String::new, |when| format!(" on {}", date(when)))
}

/// A number as it was delivered, with its unit as prose writes it.
pub(crate) fn amount(one: &Evidence) -> String {
    let number = match &one.value {
        Value::String(text) => text.clone(),
        other => other.as_f64().map_or_else(|| other.to_string(), |number| number.to_string()),
    };
    let unit = prose_unit(&one.unit);
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// ` above LMSL`, where evidence names a datum; a level below it is said to be relative to it.
pub(crate) fn above(one: &Evidence) -> String {
    let side = if one.value.as_f64().is_some_and(|value| value < 0.0) { "relative to" } else { "above" };
    one.datum.as_deref().map_or_else(String::new, |datum| format!(" {side} {datum}"))
}

/// `26.7°N, 82.2°W`, where evidence says where.
pub(crate) fn position(one: &Evidence) -> Option<String> {
    let place = one.place.as_ref()?;
    let part = |name: &str, plus: &str, minus: &str| {
        let number = (place.get(name)?.as_f64()? * 1e4).round() / 1e4;
        Some(format!("{}°{}", number.abs(), if number < 0.0 { minus } else { plus }))
    };
    Some(format!("{}, {}", part("lat", "N", "S")?, part("lon", "E", "W")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_places_are_english() {
        assert_eq!(date("2022-09-28T19:05:00Z"), "28 September 2022 at 19:05 UTC");
        assert_eq!((date("2020-08-19"), date("soon")), ("19 August 2020".to_owned(), "soon".to_owned()));
        let one: Evidence = serde_json::from_value(serde_json::json!({
            "key": "a.max", "name": "max", "value": 1.25, "unit": "m", "datum": "LMSL", "method": "m",
            "when": "2022-09-28T19:05:00Z", "where": {"lat": 26.7, "lon": -82.08199}, "pointer": ""
        }))
        .unwrap();
        assert_eq!(
            format!("{}{}{}", amount(&one), above(&one), on(&one)),
            "1.25 m above LMSL on 28 September 2022 at 19:05 UTC"
        );
        assert_eq!(position(&one).as_deref(), Some("26.7°N, 82.082°W"));
    }
}
