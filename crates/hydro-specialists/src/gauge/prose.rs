//! How evidence reads in a sentence: numbers with their units and datums, dates, places.

use jiff::civil::Date;
use leg_core::Evidence;
use leg_core::evidence::{month_name, prose_unit};
use serde_json::Value;

/// The value of evidence without its unit: a number as short as it is exact, a text as it stands.
pub(crate) fn bare(evidence: &Evidence) -> String {
    match &evidence.value {
        Value::String(text) => text.trim().to_owned(),
        value => value.as_f64().map_or_else(|| value.to_string(), number),
    }
}

/// A number as short as it is exact; means and the like are rounded to three decimals.
pub(crate) fn number(value: f64) -> String {
    format!("{}", super::to_millis(value))
}

/// `3.41 m above MLLW`, `-0.2 m relative to MLLW`, `4.1 °C`, `12 knots`.
pub(crate) fn quantity(evidence: &Evidence) -> String {
    let unit = prose_unit(&evidence.unit);
    let value = bare(evidence);
    let value = match unit.as_str() {
        "" => value,
        "%" | "°" => format!("{value}{unit}"),
        _ => format!("{value} {unit}"),
    };
    match &evidence.datum {
        Some(datum) if evidence.value.as_f64().is_some_and(|value| value < 0.0) => {
            format!("{value} relative to {datum}")
        }
        Some(datum) => format!("{value} above {datum}"),
        None => value,
    }
}

/// ` on 28 September 2022 at 19:05 UTC`, ` on 19 March 1936`, ` in 2012`; nothing when it has no time.
pub(crate) fn when(evidence: &Evidence) -> String {
    evidence.when.as_deref().map(time).filter(|text| !text.is_empty()).map_or_else(String::new, |text| {
        let word =
            if text.len() <= 4 || !text.starts_with(|c: char| c.is_ascii_digit()) { "in" } else { "on" };
        format!(" {word} {text}")
    })
}

/// A time of evidence in words.
pub(crate) fn time(text: &str) -> String {
    if let Some((begin, end)) = text.split_once('/') {
        let (begin, end) = (time(begin), time(end));
        return if begin == end { begin } else { format!("{begin} to {end}") };
    }
    let day = text.get(..10).and_then(|day| day.parse::<Date>().ok());
    let Some(day) = day else {
        // A year, or a month.
        let mut parts = text.splitn(2, '-');
        let year = parts.next().unwrap_or_default();
        let month = parts.next().and_then(|month| month_name(month.parse().ok()?));
        return month.map_or_else(|| text.to_owned(), |month| format!("{month} {year}"));
    };
    let date = date(day);
    let clock = text.get(11..16).filter(|clock| clock.is_ascii());
    match clock {
        Some(clock) if text.ends_with('Z') || text.ends_with("+00:00") => format!("{date} at {clock} UTC"),
        Some(clock) => format!("{date} at {clock} local time"),
        None => date,
    }
}

fn date(day: Date) -> String {
    let month = u8::try_from(day.month()).ok().and_then(month_name).unwrap_or_default();
    format!("{} {month} {}", day.day(), day.year())
}

/// A member of the evidence's place.
pub(crate) fn of_place<'a>(evidence: &'a Evidence, name: &str) -> Option<&'a str> {
    evidence.place.as_ref()?.get(name)?.as_str().filter(|text| !text.trim().is_empty())
}

/// `Seattle (station 9447130)`, `station 9447130`.
pub(crate) fn station(evidence: &Evidence) -> String {
    match (of_place(evidence, "name"), of_place(evidence, "station")) {
        (Some(name), Some(id)) => format!("{name} (station {id})"),
        (Some(name), None) => name.to_owned(),
        (None, Some(id)) => format!("station {id}"),
        (None, None) => "the place".to_owned(),
    }
}

/// `1 value`, `2 values`.
pub(crate) fn counted(evidence: &Evidence, one: &str, many: &str) -> String {
    let number = bare(evidence);
    let word = if number == "1" { one } else { many };
    format!("{number} {word}")
}

/// `is` or `are`, to a count.
pub(crate) fn be(evidence: &Evidence) -> &'static str {
    if bare(evidence) == "1" { "is" } else { "are" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_prose() {
        for (text, expected) in [
            ("2015-01-01T21:12:00Z", "1 January 2015 at 21:12 UTC"),
            ("2015-01-01T21:12:00", "1 January 2015 at 21:12 local time"),
            ("1936-03-19", "19 March 1936"),
            ("2012", "2012"),
            ("2012-10", "October 2012"),
            ("2012-10-01/2012-10-02", "1 October 2012 to 2 October 2012"),
            ("2012-10-01/2012-10-01", "1 October 2012"),
            ("soon", "soon"),
            ("", ""),
        ] {
            assert_eq!(time(text), expected, "{text}");
        }
    }
}
