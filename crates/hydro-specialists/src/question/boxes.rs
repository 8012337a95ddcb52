//! Boxes that a text describes in words: sides by name, ranges of latitude and longitude, two corners.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// West, south, east, north.
type Sides = [f64; 4];

/// The widest box that two corners make, in degrees.
const WIDEST: f64 = 5.0;

macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

pattern!(WEST, r"(?i)\b(?:west|xmin|min(?:imum)?[\s_]?lon(?:gitude)?)\b\s*[=:]?\s*(-?\d{1,3}(?:\.\d+)?)");
pattern!(EAST, r"(?i)\b(?:east|xmax|max(?:imum)?[\s_]?lon(?:gitude)?)\b\s*[=:]?\s*(-?\d{1,3}(?:\.\d+)?)");
pattern!(SOUTH, r"(?i)\b(?:south|ymin|min(?:imum)?[\s_]?lat(?:itude)?)\b\s*[=:]?\s*(-?\d{1,3}(?:\.\d+)?)");
pattern!(NORTH, r"(?i)\b(?:north|ymax|max(?:imum)?[\s_]?lat(?:itude)?)\b\s*[=:]?\s*(-?\d{1,3}(?:\.\d+)?)");
// `26.4N and 26.5N`, `26.4 to 26.5°N`, `latitudes 26.4 to 26.5`; the same with longitudes.
pattern!(
    LAT_LETTERS,
    r"(?i)(\d{1,2}(?:\.\d+)?)\s*°?\s*([NS])?\s*(?:and|to|through|[-–])\s*(\d{1,2}(?:\.\d+)?)\s*°?\s*([NS])\b"
);
pattern!(
    LON_LETTERS,
    r"(?i)(\d{1,3}(?:\.\d+)?)\s*°?\s*([EW])?\s*(?:and|to|through|[-–])\s*(\d{1,3}(?:\.\d+)?)\s*°?\s*([EW])\b"
);
pattern!(
    LAT_WORDS,
    r"(?i)\blat(?:itude)?s?\s*[=:]?\s*(?:from\s+|between\s+)?(-?\d{1,2}(?:\.\d+)?)\s*°?\s*(?:and|to|through|–|\.\.)\s*(-?\d{1,2}(?:\.\d+)?)"
);
pattern!(
    LON_WORDS,
    r"(?i)\blon(?:g|gitude)?s?\s*[=:]?\s*(?:from\s+|between\s+)?(-?\d{1,3}(?:\.\d+)?)\s*°?\s*(?:and|to|through|–|\.\.)\s*(-?\d{1,3}(?:\.\d+)?)"
);
// `from -122.22, 47.47 to -122.19, 47.49`: two corners.
pattern!(
    CORNERS,
    r"(?i)\(?(-?\d{1,3}\.\d+)\s*°?\s*([NSEW])?\s*,\s*(-?\d{1,3}\.\d+)\s*°?\s*([NSEW])?\)?\s*(?:and|to|through|[-–])\s*\(?(-?\d{1,3}\.\d+)\s*°?\s*([NSEW])?\s*,\s*(-?\d{1,3}\.\d+)\s*°?\s*([NSEW])?\b\)?"
);
pattern!(
    AREA,
    r"(?i)\b(?:box|bbox|rectangle|within|between|corners?|area|region|envelope|extent|from|inside)\b"
);

/// The box that a text describes in words, with where the words stand.
pub(super) fn described(text: &str) -> Option<(Range<usize>, Sides)> {
    let found = sides(text).or_else(|| ranges(text)).or_else(|| corners(text));
    found.filter(|(_, [west, south, east, north])| {
        west < east && south < north && south.abs() <= 90.0 && north.abs() <= 90.0 && west.abs() <= 180.0
    })
}

fn captures<'a>(
    pattern: &'static LazyLock<Option<Regex>>,
    text: &'a str,
) -> Option<(Range<usize>, regex::Captures<'a>)> {
    let own = pattern.as_ref()?.captures(text)?;
    Some((own.get(0)?.range(), own))
}

fn number(own: &regex::Captures<'_>, at: usize) -> Option<f64> {
    own.get(at)?.as_str().parse().ok()
}

fn hull(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

fn sides(text: &str) -> Option<(Range<usize>, Sides)> {
    let side = |pattern| captures(pattern, text).and_then(|(at, own)| Some((at, number(&own, 1)?)));
    let (west, south, east, north) = (side(&WEST)?, side(&SOUTH)?, side(&EAST)?, side(&NORTH)?);
    let whole = [&south.0, &east.0, &north.0].into_iter().fold(west.0.clone(), |all, own| hull(&all, own));
    Some((whole, [west.1, south.1, east.1, north.1]))
}

/// A number with the sign that its letter says.
fn signed(value: f64, letter: Option<regex::Match<'_>>) -> f64 {
    let minus = letter.is_some_and(|own| matches!(own.as_str(), "S" | "s" | "W" | "w"));
    if minus { -value.abs() } else { value }
}

fn ranges(text: &str) -> Option<(Range<usize>, Sides)> {
    let range = |letters, words| {
        if let Some((at, own)) = captures(letters, text) {
            let second = signed(number(&own, 3)?, own.get(4));
            let first = signed(number(&own, 1)?, own.get(2).or_else(|| own.get(4)));
            return Some((at, first.min(second), first.max(second)));
        }
        let (at, own) = captures(words, text)?;
        let (first, second) = (number(&own, 1)?, number(&own, 2)?);
        Some((at, first.min(second), first.max(second)))
    };
    let (at_lat, south, north) = range(&LAT_LETTERS, &LAT_WORDS)?;
    let (at_lon, west, east) = range(&LON_LETTERS, &LON_WORDS)?;
    Some((hull(&at_lat, &at_lon), [west, south, east, north]))
}

fn corners(text: &str) -> Option<(Range<usize>, Sides)> {
    let (at, own) = captures(&CORNERS, text)?;
    if !AREA.as_ref()?.is_match(text) {
        return None;
    }
    let point = |from: usize| {
        let (a, b) = (own.get(from + 1), own.get(from + 3));
        let (first, second) = (signed(number(&own, from)?, a), signed(number(&own, from + 2)?, b));
        let is_lon = a.is_some_and(|own| matches!(own.as_str(), "E" | "e" | "W" | "w"));
        Some(if is_lon || (a.is_none() && longitude_first(first, second)) {
            (second, first)
        } else {
            (first, second)
        })
    };
    let ((lat, lon), (other_lat, other_lon)) = (point(1)?, point(5)?);
    // Two places far apart are two places.
    if (lat - other_lat).abs() > WIDEST || (lon - other_lon).abs() > WIDEST {
        return None;
    }
    Some((at, [lon.min(other_lon), lat.min(other_lat), lon.max(other_lon), lat.max(other_lat)]))
}

/// Whether the first of two plain numbers can only be the longitude: beyond a pole, or in the ice of the far south where the
/// other reading is in North America.
pub(super) fn longitude_first(first: f64, second: f64) -> bool {
    (first.abs() > 90.0 && second.abs() <= 90.0) || (first <= -60.0 && (5.0..=75.0).contains(&second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_read_in_words() {
        for (text, expected) in [
            ("west -122.22 south 47.47 east -122.19 north 47.49", [-122.22, 47.47, -122.19, 47.49]),
            ("between 26.4N and 26.5N, 82.0W and 81.9W", [-82.0, 26.4, -81.9, 26.5]),
            ("26.4 to 26.5°N and 82 to 81.9°W", [-82.0, 26.4, -81.9, 26.5]),
            ("latitude 26.4 to 26.5, longitude -82.0 to -81.9", [-82.0, 26.4, -81.9, 26.5]),
            ("within -122.22, 47.47 to -122.19, 47.49", [-122.22, 47.47, -122.19, 47.49]),
            ("the area from (47.47, -122.22) to (47.49, -122.19)", [-122.22, 47.47, -122.19, 47.49]),
            ("between (-82.0, 26.4) and (-81.9, 26.5)", [-82.0, 26.4, -81.9, 26.5]),
        ] {
            assert_eq!(described(text).map(|own| own.1), Some(expected), "{text}");
        }
        for text in ["the zones at 26.45, -82.0 and 27.1, -82.4", "2012 to 2014 W", ""] {
            assert_eq!(described(text), None, "{text}");
        }
    }
}
