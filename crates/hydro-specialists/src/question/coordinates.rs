//! Points and boxes that stand in a text as numbers.

use std::sync::LazyLock;

use regex::Regex;

use super::Point;
use super::boxes::{described, longitude_first};

/// `29.6N 94.8W`, `29.6° N, 94.8° W`.
static LETTERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(\d{1,2}(?:\.\d+)?)\s*°?\s*([NS])\b[\s,/]*(?:and\s+)?(\d{1,3}(?:\.\d+)?)\s*°?\s*([EW])\b",
    )
    .ok()
});

/// `lat 26.4, lon -82.0`, `latitude: 26.4 and longitude: -82`.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(lat|lon|long)(?:itude)?\s*[=:]?\s*(-?\d{1,3}(?:\.\d+)?)[\s,;°]*(?:and\s+|by\s+)?(lat|lon|long)(?:itude)?\s*[=:]?\s*(-?\d{1,3}(?:\.\d+)?)",
    )
    .ok()
});

/// Numbers joined by commas or blanks: `26.4, -82.0`, or four of them for a box.
static NUMBERS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"-?\d{1,3}(?:\.\d+)?(?:\s*,\s*-?\d{1,3}(?:\.\d+)?)+").ok());

/// The points that a text names. Two plain numbers are latitude and longitude, unless only the other order is possible;
/// at least one of them must have a decimal point.
///
/// ```
/// use hydro_specialists::question::coordinates::points;
///
/// let found = points("the flood zone at 26.45, -82.0 and at 27.1N 82.4W");
/// assert_eq!((found[0].lat, found[0].lon), (26.45, -82.0));
/// assert_eq!((found[1].lat, found[1].lon), (27.1, -82.4));
/// assert_eq!(points("at -122.2, 47.48")[0].lat, 47.48);
/// assert!(points("September 28, 2022").is_empty());
/// ```
pub fn points(text: &str) -> Vec<Point> {
    let mut found: Vec<(usize, Point)> = Vec::new();
    let number = |text: &str| text.parse::<f64>().ok();
    for own in LETTERS.iter().flat_map(|regex| regex.captures_iter(text)) {
        let (Some(lat), Some(lon)) = (number(&own[1]), number(&own[3])) else { continue };
        let lat = if own[2].eq_ignore_ascii_case("s") { -lat } else { lat };
        let lon = if own[4].eq_ignore_ascii_case("w") { -lon } else { lon };
        found.push((start(&own), Point { lat, lon }));
    }
    for own in NAMED.iter().flat_map(|regex| regex.captures_iter(text)) {
        let (Some(first), Some(second)) = (number(&own[2]), number(&own[4])) else { continue };
        let lat_first = own[1].eq_ignore_ascii_case("lat");
        if lat_first != own[3].eq_ignore_ascii_case("lat") {
            let (lat, lon) = if lat_first { (first, second) } else { (second, first) };
            found.push((start(&own), Point { lat, lon }));
        }
    }
    for (at, numbers) in plain(text) {
        if let [first, second] = numbers.as_slice() {
            let (lat, lon) =
                if longitude_first(*first, *second) { (*second, *first) } else { (*first, *second) };
            found.push((at, Point { lat, lon }));
        }
    }
    found.retain(|(_, point)| point.lat.abs() <= 90.0 && point.lon.abs() <= 180.0);
    // The corners of a box are no points of their own.
    if let Some((words, _)) = described(text) {
        found.retain(|(at, _)| !words.contains(at));
    }
    found.sort_by_key(|(at, _)| *at);
    let mut points: Vec<Point> = Vec::new();
    for (_, point) in found {
        if !points.contains(&point) {
            points.push(point);
        }
    }
    points
}

/// The boxes that a text names by four numbers, west, south, east, north, or describes by its sides or corners.
///
/// ```
/// use hydro_specialists::question::coordinates::boxes;
///
/// assert_eq!(boxes("zones in -122.22,47.47,-122.19,47.49"), [[-122.22, 47.47, -122.19, 47.49]]);
/// assert_eq!(boxes("from -82,26,-81,27"), [[-82.0, 26.0, -81.0, 27.0]]);
/// assert!(boxes("1, 2, 3").is_empty());
/// ```
pub fn boxes(text: &str) -> Vec<[f64; 4]> {
    let four = plain(text).into_iter().filter_map(|(_, numbers)| <[f64; 4]>::try_from(numbers).ok());
    let mut boxes: Vec<[f64; 4]> = four
        .filter(|[west, south, east, north]| {
            west < east && south < north && south.abs() <= 90.0 && north.abs() <= 90.0
        })
        .collect();
    if boxes.is_empty() {
        boxes.extend(described(text).map(|(_, sides)| sides));
    }
    boxes
}

fn start(own: &regex::Captures<'_>) -> usize {
    own.get(0).map_or(0, |whole| whole.start())
}

/// Lists of plain numbers of which one has a decimal point, with their places.
fn plain(text: &str) -> Vec<(usize, Vec<f64>)> {
    let lists = NUMBERS.iter().flat_map(|regex| regex.find_iter(text));
    lists
        .filter(|list| {
            // Whole numbers may be anything, but four of them with a west or a south are a box.
            let text = list.as_str();
            text.contains('.') || (text.contains('-') && text.split(',').count() == 4)
        })
        .filter_map(|list| {
            // `28, 2022` is a part of a date, `8518750, 28.5` of a list of stations.
            let around = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c.is_alphabetic());
            let before = text.get(..list.start())?.chars().next_back();
            let after = text.get(list.end()..)?.chars().next();
            if around(before) || around(after) {
                return None;
            }
            let numbers: Vec<f64> =
                list.as_str().split(',').map(|one| one.trim().parse().ok()).collect::<Option<_>>()?;
            Some((list.start(), numbers))
        })
        .collect()
}
