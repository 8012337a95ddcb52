//! Texts of advisories: the text inside a page, and what it says.

use std::sync::LazyLock;

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime};
use leg_core::evidence::month_number;
use regex::Regex;

use super::features::ForecastPoint;
use super::hurdat2::{degrees, turned};

/// The most characters of a text that are read.
const MAX_TEXT: usize = 200_000;

/// How high water may stand on a stretch of coast.
#[derive(Debug, Clone, PartialEq)]
pub struct Surge {
    /// The stretch, as the advisory names it.
    pub segment: String,
    /// Feet above ground; `None` when only an upper bound is given.
    pub low_ft: Option<f64>,
    /// Feet above ground.
    pub high_ft: f64,
}

/// What an advisory says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Advisory {
    /// Name of the storm, as the heading has it.
    pub name: Option<String>,
    /// Number, such as `27` or `2A`.
    pub number: Option<String>,
    /// The storm's id, as the heading has it.
    pub id: Option<String>,
    /// When it was issued, UTC.
    pub issued: Option<DateTime>,
    /// Degrees north and east of the center.
    pub center: Option<(f64, f64)>,
    /// Pressure in hPa.
    pub pressure: Option<f64>,
    /// Wind in knots, where the text gives knots.
    pub wind_kt: Option<f64>,
    /// Wind in miles per hour, where the text gives these.
    pub wind_mph: Option<f64>,
    /// Gusts in knots.
    pub gust_kt: Option<f64>,
    /// Degrees from true north towards which it moves.
    pub move_dir: Option<f64>,
    /// Speed in knots.
    pub move_kt: Option<f64>,
    /// Forecast positions.
    pub forecast: Vec<ForecastPoint>,
    /// Surge by stretch of coast.
    pub surge: Vec<Surge>,
}

/// The text of a page: what stands in `<pre>`, without tags; a plain text as it is. `None` for a page without any.
pub fn text_of(page: &str) -> Option<String> {
    let page: String = page.chars().take(MAX_TEXT).collect();
    // ASCII letters keep their places, so that an offset of one is an offset of the other.
    let lower = page.to_ascii_lowercase();
    let inner = match lower.find("<pre") {
        Some(at) => {
            let begin = at + lower.get(at..)?.find('>')? + 1;
            let end = lower.get(begin..)?.find("</pre").map_or(page.len(), |end| begin + end);
            page.get(begin..end)?
        }
        None if lower.contains("<html") || lower.contains("<!doctype") || lower.contains("<body") => {
            return None;
        }
        None => page.as_str(),
    };
    let mut text = String::with_capacity(inner.len());
    let mut in_tag = false;
    for c in inner.chars() {
        match c {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            '\r' => {}
            _ if !in_tag => text.push(c),
            _ => {}
        }
    }
    for (entity, c) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&#39;", "'"), ("&amp;", "&")]
    {
        text = text.replace(entity, c);
    }
    let text = text.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

pattern!(
    NUMBER,
    r"(?im)^\s*(?:BULLETIN\s*)?(.{0,60}?)\s*(?:INTERMEDIATE\s+)?(?:FORECAST/|SPECIAL\s+)?(?:ADVISORY|DISCUSSION|WIND SPEED PROBABILITIES)\s+NUMBER\s+(\d{1,3}[A-Z]?)"
);
pattern!(ID, r"\b((?:AL|EP|CP)\d{6})\b");
pattern!(
    ISSUED,
    r"(?i)\b(\d{3,4}|NOON|MIDNIGHT)\s*(AM|PM)?\s+(UTC|GMT|Z|EDT|EST|CDT|CST|MDT|MST|PDT|PST|AST|HST|CVT)\s+(?:[A-Z]{3}\s+)?([A-Z]{3,9})\s+(\d{1,2})\s+(\d{4})"
);
pattern!(
    CENTER,
    r"(?i)\bCENTER\s+(?:WAS\s+)?LOCATED\s+NEAR\s+(\d{1,2}\.\d)\s*([NS])\s+(\d{1,3}\.\d)\s*([EW])"
);
pattern!(LOCATION, r"(?im)^\s*LOCATION\.\.\.\s*(\d{1,2}\.\d)\s*([NS])\s+(\d{1,3}\.\d)\s*([EW])");
pattern!(PRESSURE, r"(?i)\b(?:ESTIMATED\s+)?MINIMUM\s+CENTRAL\s+PRESSURE(?:\s+|\.\.\.)(\d{3,4})\s*MB");
pattern!(
    WIND_KT,
    r"(?i)\bMAX\s+SUSTAINED\s+WINDS\s+(\d{2,3})\s*KT(?:\s+WITH\s+GUSTS\s+TO\s+(\d{2,3})\s*KT)?"
);
pattern!(WIND_MPH, r"(?i)\bMAXIMUM\s+SUSTAINED\s+WINDS\.\.\.\s*(\d{2,3})\s*MPH");
pattern!(
    MOVING,
    r"(?i)\bPRESENT\s+MOVEMENT\s+TOWARD\b[^\n]{0,60}?\bOR\s+(\d{1,3})\s+DEGREES\s+AT\s+(\d{1,3})\s*KT"
);
pattern!(
    VALID,
    r"(?im)^\s*(?:FORECAST|OUTLOOK)\s+VALID\s+(\d{2})/(\d{2})(\d{2})Z(?:\s+(\d{1,2}\.\d)\s*([NS])\s+(\d{1,3}\.\d)\s*([EW]))?([^\n]*)"
);
pattern!(MAX_WIND, r"(?i)\bMAX\s+WIND\s+(\d{2,3})\s*KT(?:\.\.\.GUSTS\s+(\d{2,3})\s*KT)?");
pattern!(SURGE, r"(?i)^(.*?)\.\.\.\s*(?:up\s+to\s+)?(?:(\d{1,2})\s*(?:-|to)\s*)?(\d{1,2})\s*(?:ft|feet)\b");

/// Hours to add for UTC.
const ZONES: [(&str, i64); 14] = [
    ("UTC", 0),
    ("GMT", 0),
    ("Z", 0),
    ("EDT", 4),
    ("EST", 5),
    ("CDT", 5),
    ("CST", 6),
    ("MDT", 6),
    ("MST", 7),
    ("PDT", 7),
    ("PST", 8),
    ("AST", 4),
    ("HST", 10),
    ("CVT", 1),
];

/// `2100 UTC SAT SEP 26 2026` or `1100 AM EDT Wed Sep 28 2022`, in UTC.
pub fn utc_of(text: &str) -> Option<DateTime> {
    let own = ISSUED.as_ref()?.captures(text)?;
    let clock = own.get(1)?.as_str().to_ascii_uppercase();
    let half = own.get(2).map(|half| half.as_str().to_ascii_uppercase());
    let (mut hour, minute) = match clock.as_str() {
        "NOON" => (12, 0),
        "MIDNIGHT" => (0, 0),
        digits => {
            let number: i8 = digits.get(..digits.len() - 2)?.parse().ok()?;
            (number, digits.get(digits.len() - 2..)?.parse().ok()?)
        }
    };
    match half.as_deref() {
        Some("AM") if hour == 12 => hour = 0,
        Some("PM") if hour < 12 => hour += 12,
        _ => {}
    }
    let zone = own.get(3)?.as_str().to_ascii_uppercase();
    let (_, shift) = ZONES.iter().find(|(name, _)| *name == zone)?;
    let month = i8::try_from(month_number(&own.get(4)?.as_str().to_ascii_lowercase())?).ok()?;
    let date =
        Date::new(own.get(6)?.as_str().parse().ok()?, month, own.get(5)?.as_str().parse().ok()?).ok()?;
    let local = DateTime::new(date.year(), date.month(), date.day(), hour, minute, 0, 0).ok()?;
    local.checked_add(shift.hours()).ok()
}

/// The time with this day of the month, from a day before `issued` on: `01/1800Z` of 26 September is 1 October.
pub fn after(issued: DateTime, day: i8, hour: i8, minute: i8) -> Option<DateTime> {
    let mut date = issued.date().checked_sub(1.day()).ok()?;
    for _ in 0..40 {
        if date.day() == day {
            return DateTime::new(date.year(), date.month(), date.day(), hour, minute, 0, 0).ok();
        }
        date = date.checked_add(1.day()).ok()?;
    }
    None
}

fn position(own: &regex::Captures<'_>, first: usize) -> Option<(f64, f64)> {
    let part = |at: usize| own.get(first + at).map(|part| part.as_str());
    let lat = degrees(&format!("{}{}", part(0)?, part(1)?), 'N', 'S')?;
    let lon = degrees(&format!("{}{}", part(2)?, part(3)?), 'E', 'W')?;
    Some((lat, turned(lon)?)).filter(|(lat, _)| lat.abs() <= 90.0)
}

/// Reads what a text says. What it does not say stays empty.
pub fn read(text: &str) -> Advisory {
    let find = |pattern: &'static LazyLock<Option<Regex>>| pattern.as_ref()?.captures(text);
    let number = |pattern: &'static LazyLock<Option<Regex>>, at: usize| {
        find(pattern)?.get(at)?.as_str().parse::<f64>().ok()
    };
    let heading = find(&NUMBER);
    let name = heading.as_ref().and_then(|own| own.get(1)).and_then(|words| name_of(words.as_str()));
    let issued = utc_of(text);
    Advisory {
        name,
        number: heading.as_ref().and_then(|own| own.get(2)).map(|own| plain_number(own.as_str())),
        id: find(&ID).and_then(|own| own.get(1)).map(|own| own.as_str().to_owned()),
        issued,
        center: find(&CENTER).or_else(|| find(&LOCATION)).and_then(|own| position(&own, 1)),
        pressure: number(&PRESSURE, 1),
        wind_kt: number(&WIND_KT, 1),
        wind_mph: number(&WIND_MPH, 1),
        gust_kt: number(&WIND_KT, 2),
        move_dir: number(&MOVING, 1).filter(|dir| *dir <= 360.0),
        move_kt: number(&MOVING, 2),
        forecast: forecast(text, issued),
        surge: surge(text),
    }
}

/// `027` is `27`, `002a` is `2A`.
pub(crate) fn plain_number(text: &str) -> String {
    let trimmed = text.trim().trim_start_matches('0').to_ascii_uppercase();
    if trimmed.is_empty() { "0".to_owned() } else { trimmed }
}

/// The name in a heading: the word before `ADVISORY` and such, behind the stage.
fn name_of(words: &str) -> Option<String> {
    const KINDS: [&str; 16] = [
        "HURRICANE",
        "TROPICAL",
        "SUBTROPICAL",
        "STORM",
        "DEPRESSION",
        "CYCLONE",
        "POST-TROPICAL",
        "POTENTIAL",
        "REMNANTS",
        "OF",
        "SPECIAL",
        "INTERMEDIATE",
        "FORECAST",
        "FORECAST/",
        "BULLETIN",
        "REMNANT",
    ];
    let name = words.split_whitespace().rfind(|word| !KINDS.contains(&word.to_ascii_uppercase().as_str()))?;
    name.chars().all(|c| c.is_alphabetic() || c == '-').then(|| name.chars().take(30).collect())
}

fn forecast(text: &str, issued: Option<DateTime>) -> Vec<ForecastPoint> {
    let Some(pattern) = VALID.as_ref() else { return Vec::new() };
    let all: Vec<regex::Captures<'_>> = pattern.captures_iter(text).take(60).collect();
    let mut out = Vec::new();
    for (at, own) in all.iter().enumerate() {
        let digits = |group: usize| own.get(group).and_then(|part| part.as_str().parse::<i8>().ok());
        let (Some(day), Some(hour), Some(minute)) = (digits(1), digits(2), digits(3)) else { continue };
        let valid = issued.and_then(|issued| after(issued, day, hour, minute));
        let tail = own.get(8).map(|tail| tail.as_str().trim().trim_matches('.').trim()).unwrap_or_default();
        let position = position(own, 4);
        // What stands before the next period is of this one.
        let begin = own.get(0).map_or(0, |whole| whole.end());
        let end = all.get(at + 1).and_then(|next| next.get(0)).map_or(text.len(), |whole| whole.start());
        let body = text.get(begin..end).unwrap_or_default();
        let winds = MAX_WIND.as_ref().and_then(|pattern| pattern.captures(body));
        let wind = |group: usize| winds.as_ref()?.get(group)?.as_str().parse::<f64>().ok();
        let hours = issued.zip(valid).map(|(issued, valid)| issued.duration_until(valid).as_hours());
        out.push(ForecastPoint {
            tau: hours.and_then(|hours| i32::try_from(hours).ok()),
            valid,
            position,
            wind: wind(1),
            gust: wind(2),
            pressure: None,
            kind: tail.chars().take(60).collect(),
        });
    }
    out
}

/// The lines `Segment...8-12 ft` of a public advisory; a segment may begin on the line before.
fn surge(text: &str) -> Vec<Surge> {
    let Some(pattern) = SURGE.as_ref() else { return Vec::new() };
    let mut out = Vec::new();
    let mut pending = String::new();
    let mut in_block = false;
    for line in text.lines() {
        let line = line.trim();
        let upper = line.to_ascii_uppercase();
        if upper.starts_with("STORM SURGE") {
            in_block = true;
        } else if ["RAINFALL", "WIND:", "TORNADOES", "SURF", "HAZARDS"]
            .iter()
            .any(|head| upper.starts_with(head))
        {
            in_block = false;
        }
        if line.is_empty() {
            pending.clear();
            continue;
        }
        match pattern.captures(line).filter(|_| in_block) {
            Some(own) => {
                let head = own.get(1).map(|head| head.as_str().trim()).unwrap_or_default();
                let segment = if pending.is_empty() { head.to_owned() } else { format!("{pending} {head}") };
                let feet = |group: usize| own.get(group).and_then(|part| part.as_str().parse::<f64>().ok());
                if let Some(high_ft) = feet(3)
                    && !segment.trim().is_empty()
                    && out.len() < 200
                {
                    out.push(Surge {
                        segment: segment.trim().chars().take(160).collect(),
                        low_ft: feet(2),
                        high_ft,
                    });
                }
                pending.clear();
            }
            None => line.chars().take(160).collect::<String>().clone_into(&mut pending),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: &str = "\nBULLETIN\nHurricane Ann Intermediate Advisory Number  24A\n\
        NWS National Hurricane Center Miami FL       AL012030\n200 PM EDT Mon Dec 30 2030\n\n\
        LOCATION...26.6N 82.3W\nMAXIMUM SUSTAINED WINDS...155 MPH...250 KM/H\n\
        MINIMUM CENTRAL PRESSURE...937 MB...27.67 INCHES\n\nSTORM SURGE:  The water could reach these heights above\n\
        ground...\n\nEast Point to Long Beach, FL\nincluding Old Harbor...12-18 ft\nLong Beach...up to 4 feet\n\nRAINFALL: Bay...3-5 ft of mud\n";

    #[test]
    fn a_public_advisory_is_read() {
        let text =
            text_of(&format!("<html><body><PRE class='x'>{PUBLIC} &amp; <b>more</b></pre></body>")).unwrap();
        let advisory = read(&text);
        assert_eq!((advisory.name.as_deref(), advisory.number.as_deref()), (Some("Ann"), Some("24A")));
        assert_eq!(advisory.issued.unwrap().to_string(), "2030-12-30T18:00:00");
        assert_eq!(
            (advisory.center, advisory.pressure, advisory.wind_mph),
            (Some((26.6, -82.3)), Some(937.0), Some(155.0))
        );
        let surge: Vec<(&str, Option<f64>, f64)> =
            advisory.surge.iter().map(|one| (one.segment.as_str(), one.low_ft, one.high_ft)).collect();
        assert_eq!(
            surge,
            [
                ("East Point to Long Beach, FL including Old Harbor", Some(12.0), 18.0),
                ("Long Beach", None, 4.0)
            ]
        );
        assert!(text.ends_with("& more"));
        assert_eq!(text_of("<html><body>Not found</body></html>"), None);
    }

    #[test]
    fn days_roll_over_months_and_years() {
        let issued = "2030-12-30T21:00:00".parse().unwrap();
        for (day, expected) in [(29, "2030-12-29"), (31, "2030-12-31"), (1, "2031-01-01"), (4, "2031-01-04")]
        {
            assert_eq!(after(issued, day, 18, 0).unwrap().date().to_string(), expected);
        }
        assert_eq!(after(issued, 40, 18, 0), None);
        let text = "2100 UTC TUE DEC 31 2030\nFORECAST VALID 01/0600Z 29.6N  43.9W\nMAX WIND  30 KT...GUSTS  40 KT.\n\
                    OUTLOOK VALID 03/1800Z...DISSIPATED\n";
        let advisory = read(text);
        assert_eq!(advisory.forecast[0].tau, Some(9));
        assert_eq!((advisory.forecast[0].wind, advisory.forecast[0].gust), (Some(30.0), Some(40.0)));
        assert_eq!((advisory.forecast[1].position, advisory.forecast[1].kind.as_str()), (None, "DISSIPATED"));
        assert_eq!(advisory.forecast[1].valid.unwrap().to_string(), "2031-01-03T18:00:00");
    }
}
