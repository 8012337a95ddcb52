//! Times, places and baselines in words.

use leg_core::evidence::month_name;
use serde_json::Value;

/// `in November 2015`, `on 3 May 2016`, `in 2015`, `from January 2010 to December 2019`.
pub(super) fn when(text: &str) -> String {
    if let Some((from, to)) = text.split_once('/') {
        return if from == to { when(from) } else { format!("from {} to {}", date(from), date(to)) };
    }
    if let Some(month) = text.strip_prefix("month ") {
        let name = month.parse().ok().and_then(month_name);
        return format!("in {}", name.unwrap_or(month));
    }
    if let Some(season) = text.strip_prefix("season ") {
        return format!("in {season}");
    }
    let day = text.split('T').next().unwrap_or_default().matches('-').count() == 2;
    format!("{} {}", if day { "on" } else { "in" }, date(text))
}

/// Whether a `when` is one time, not an interval.
pub(super) fn is_one_time(text: &str) -> bool {
    !text.contains('/') && !text.is_empty()
}

/// `November 2015`, `3 May 2016`, `2015`.
pub(super) fn date(text: &str) -> String {
    let text = text.split('T').next().unwrap_or_default();
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let month = month.and_then(|month| month.parse().ok()).and_then(month_name);
    match (month, day.map(|day| day.trim_start_matches('0'))) {
        (Some(month), Some(day)) => format!("{day} {month} {year}"),
        (Some(month), None) => format!("{month} {year}"),
        _ => text.to_owned(),
    }
}

/// `2010–2019` out of `2010/2019`, `2010-01/2019-12` and the like.
pub(super) fn baseline(text: &str) -> String {
    let year = |text: &str, whole_year: &str| {
        let (year, rest) = text.split_at_checked(4)?;
        let fits = rest.is_empty() || rest.get(1..3) == Some(whole_year);
        (fits && year.bytes().all(|b| b.is_ascii_digit())).then(|| year.to_owned())
    };
    let Some((from, to)) = text.split_once('/') else { return text.to_owned() };
    match (year(from, "01"), year(to, "12")) {
        (Some(from), Some(to)) if from == to => from,
        (Some(from), Some(to)) => format!("{from}–{to}"),
        _ => format!("{} to {}", date(from), date(to)),
    }
}

/// `at 114.5°E, 20.5°N`. Numbers are printed as they are, so that they can be checked.
pub(super) fn place(place: &Value) -> Option<String> {
    let degrees = |key: &str| {
        let value = place.get(key)?;
        value.as_f64()?;
        Some(value.to_string().replace('-', "−").trim_end_matches(".0").to_owned())
    };
    Some(format!("at {}°E, {}°N", degrees("lon")?, degrees("lat")?))
}

/// A text with its first letter large.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_places_and_baselines() {
        assert_eq!(when("2015-11"), "in November 2015");
        assert_eq!(when("2016-05-03T00:00:00Z"), "on 3 May 2016");
        assert_eq!(when("2015"), "in 2015");
        assert_eq!(when("2010-01/2019-12"), "from January 2010 to December 2019");
        assert_eq!(when("month 8"), "in August");
        assert_eq!(when("season JJA"), "in JJA");
        assert_eq!(baseline("2010-01/2019-12"), "2010–2019");
        assert_eq!(baseline("2010/2019"), "2010–2019");
        assert_eq!(baseline("2010-03/2019-12"), "March 2010 to December 2019");
        assert_eq!(place(&json!({"lon": 114.5, "lat": -20})).as_deref(), Some("at 114.5°E, −20°N"));
        assert_eq!(place(&json!("here")), None);
    }
}
