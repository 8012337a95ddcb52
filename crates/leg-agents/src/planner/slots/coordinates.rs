//! Boxes and points by their coordinates, in the many ways people write them.

use std::ops::Range;

use regex::{Captures, Regex};

use super::Area;
use crate::planner::text::{Found, Text};

/// Patterns of coordinates.
#[derive(Debug)]
pub(in crate::planner) struct Coordinates {
    lettered: Regex,
    labelled: Regex,
    brackets: Regex,
    point: Regex,
    labelled_point: Regex,
}

/// What coordinates a question has.
#[derive(Debug, Default, PartialEq)]
pub(in crate::planner) struct Coordinated {
    /// Boxes, in text order.
    pub(in crate::planner) boxes: Vec<Found<Area>>,
    /// Points, in text order.
    pub(in crate::planner) points: Vec<Found<Area>>,
    /// What could not be understood, for a question back.
    pub(in crate::planner) unclear: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Span {
    is_lon: bool,
    /// Whether longitudes may cross the date line as they stand.
    crosses: bool,
    ends: [f64; 2],
}

const NUMBER: &str = r"[-+]?\d{1,3}(?:\.\d+)?";
const DEGREES: &str = r"\s*(?:deg(?:rees?|s)?\.?)?\s*";
const SIDE: &str = r"(?:e(?:ast)?|w(?:est)?|n(?:orth)?|s(?:outh)?)";
const RANGE: &str = r"(?:\s*-\s*|\s+to\s+|\s*\.\.+\s*|\s*:\s*|\s+and\s+|\s+through\s+|\s*,\s*)";

impl Coordinates {
    /// Compiles the patterns.
    pub(in crate::planner) fn new() -> Result<Self, regex::Error> {
        let label = r"(?:(lon|lat)(?:gitudes?|itudes?|s)?)";
        let opening = r"\s*(?:=|:|range|from|between|within|in|of)?\s*[\[(]?\s*";
        Ok(Self {
            lettered: Regex::new(&format!(
                r"(?:^|[^\w.])(?P<span>(?:(between|from)\s+)?({NUMBER}){DEGREES}({SIDE})?(?:\s*-\s*|\s+to\s+|\s*\.\.+\s*|\s*:\s*|\s+and\s+|\s+through\s+|\s*,\s*)({NUMBER}){DEGREES}({SIDE}))\b"
            ))?,
            labelled: Regex::new(&format!(
                r"\b(?P<span>{label}{opening}({NUMBER}){DEGREES}({SIDE}\b)?{RANGE}({NUMBER})(?:{DEGREES}({SIDE})\b)?\s*[\])]?)"
            ))?,
            brackets: Regex::new(&format!(
                r"(?P<span>[\[(]?\s*({NUMBER})\s*(?:,|-|to|\.\.)\s*({NUMBER})\s*[\])]?\s*(?:x|by)\s*[\[(]?\s*({NUMBER})\s*(?:,|-|to|\.\.)\s*({NUMBER})\s*[\])]?)"
            ))?,
            point: Regex::new(&format!(
                r"(?:^|[^\w.])(?P<span>\(?({NUMBER}){DEGREES}({SIDE})\s*[,;/]?\s*(?:and\s+)?({NUMBER}){DEGREES}({SIDE})\b\)?)"
            ))?,
            labelled_point: Regex::new(&format!(
                r"\b(?P<span>(lon|lat)(?:gitude|itude)?\s*(?:=|:|of)?\s*({NUMBER}){DEGREES}({SIDE}\b)?\s*[,;/]?\s*(?:and\s+)?(?:lon|lat)(?:gitude|itude)?\s*(?:=|:|of)?\s*({NUMBER})(?:{DEGREES}({SIDE})\b)?)"
            ))?,
        })
    }

    /// Takes boxes and points out of a question.
    pub(in crate::planner) fn read(&self, text: &mut Text) -> Coordinated {
        let mut out = Coordinated::default();
        let mut ambiguous = false;
        out.boxes = text.take(&self.brackets, |found| {
            let area = bracket_box(found);
            ambiguous |= area.is_none() && found.get(0).is_some_and(|m| m.as_str().contains(['[', '(']));
            area
        });
        out.points = text.take(&self.labelled_point, labelled_point);
        let mut spans = text.take(&self.labelled, labelled_span);
        spans.extend(text.take(&self.lettered, lettered_span));
        // The ends of two ranges would look like a point, so points come last.
        out.points.extend(text.take(&self.point, lettered_point));
        spans.sort_by_key(|span| span.range.start);
        out.points.sort_by_key(|point| point.range.start);
        pair(text, spans, &mut out);
        out.boxes.sort_by_key(|area| area.range.start);
        if ambiguous && out.boxes.is_empty() {
            out.unclear =
                Some("which pair is longitude and which is latitude; write 113-117E, 19-22N".to_owned());
        }
        out
    }
}

/// Joins neighbouring spans of the two axes to boxes.
fn pair(text: &Text, spans: Vec<Found<Span>>, out: &mut Coordinated) {
    let mut waiting: Option<Found<Span>> = None;
    for span in spans {
        let Some(first) = waiting.take() else {
            waiting = Some(span);
            continue;
        };
        let near = span.range.start.saturating_sub(first.range.end) <= 24;
        if first.value.is_lon == span.value.is_lon || !near {
            out.unclear = Some(half(text, &first));
            waiting = Some(span);
            continue;
        }
        let (lon, lat) =
            if first.value.is_lon { (first.value, span.value) } else { (span.value, first.value) };
        let range: Range<usize> = first.range.start..span.range.end;
        match Area::boxed(longitudes(lon), lat.ends) {
            Some(area) => out.boxes.push(Found { value: area, range }),
            None => {
                out.unclear = Some(format!(
                    "`{}` is no box on the sphere; latitudes go from -90 to 90",
                    text.between(range.start, range.end)
                ));
            }
        }
    }
    if let Some(first) = waiting {
        out.unclear = Some(half(text, &first));
    }
}

fn half(text: &Text, span: &Found<Span>) -> String {
    let (given, missing) =
        if span.value.is_lon { ("longitudes", "latitudes") } else { ("latitudes", "longitudes") };
    let words = text.between(span.range.start, span.range.end);
    format!("the {missing} of the box; `{words}` gives its {given} only")
}

/// West before east, unless the range says that it crosses the date line.
fn longitudes(span: Span) -> [f64; 2] {
    let [west, east] = span.ends;
    if west > east && !span.crosses { [east, west] } else { [west, east] }
}

fn lettered_span(found: &Captures<'_>) -> Option<Span> {
    let [first, second] = [number(found, 3)?, number(found, 5)?];
    let last = letter(found, 6)?;
    let lists = found.get(1).is_some_and(|m| m.as_str().contains(',') || m.as_str().contains(" and "));
    let first_letter = letter(found, 4);
    if first_letter.is_none() && lists && found.get(2).is_none() {
        return None;
    }
    span(first, first_letter.unwrap_or(last), second, last)
}

fn labelled_span(found: &Captures<'_>) -> Option<Span> {
    let is_lon = found.get(2)?.as_str() == "lon";
    let plain = if is_lon { 'e' } else { 'n' };
    let last = letter(found, 6).unwrap_or(plain);
    let first = letter(found, 4).or_else(|| letter(found, 6)).unwrap_or(plain);
    let span = span(number(found, 3)?, first, number(found, 5)?, last)?;
    (span.is_lon == is_lon).then_some(span)
}

fn span(first: f64, first_letter: char, second: f64, last: char) -> Option<Span> {
    let is_lon = matches!(last, 'e' | 'w');
    if is_lon != matches!(first_letter, 'e' | 'w') {
        return None;
    }
    let ends = [signed(first, first_letter), signed(second, last)];
    let limit = if is_lon { 360.0 } else { 90.0 };
    let crosses = ends[0] > 0.0 && ends[1] < 0.0;
    (ends.iter().all(|x| x.abs() <= limit)).then_some(Span { is_lon, crosses, ends })
}

fn signed(value: f64, letter: char) -> f64 {
    // `-94 W` is a slip for 94 W, never 94 E.
    if matches!(letter, 'w' | 's') { -value.abs() } else { value }
}

fn bracket_box(found: &Captures<'_>) -> Option<Area> {
    let a = [number(found, 2)?, number(found, 3)?];
    let b = [number(found, 4)?, number(found, 5)?];
    let wide = |pair: [f64; 2]| pair.iter().any(|x| x.abs() > 90.0);
    match (wide(a), wide(b)) {
        (true, false) => Area::boxed(a, b),
        (false, true) => Area::boxed(b, a),
        _ => None,
    }
}

fn lettered_point(found: &Captures<'_>) -> Option<Area> {
    let (first, second) = (letter(found, 3)?, letter(found, 5)?);
    let a = signed(number(found, 2)?, first);
    let b = signed(number(found, 4)?, second);
    match (matches!(first, 'e' | 'w'), matches!(second, 'e' | 'w')) {
        (true, false) => Area::point(a, b),
        (false, true) => Area::point(b, a),
        _ => None,
    }
}

fn labelled_point(found: &Captures<'_>) -> Option<Area> {
    let lon_first = found.get(2)?.as_str() == "lon";
    let (plain_a, plain_b) = if lon_first { ('e', 'n') } else { ('n', 'e') };
    let a = signed(number(found, 3)?, letter(found, 4).unwrap_or(plain_a));
    let b = signed(number(found, 5)?, letter(found, 6).unwrap_or(plain_b));
    if lon_first { Area::point(a, b) } else { Area::point(b, a) }
}

fn number(found: &Captures<'_>, group: usize) -> Option<f64> {
    found.get(group)?.as_str().parse().ok()
}

fn letter(found: &Captures<'_>, group: usize) -> Option<char> {
    found.get(group)?.as_str().chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(question: &str) -> Coordinated {
        Coordinates::new().unwrap().read(&mut Text::new(question))
    }

    #[test]
    fn boxes_in_many_spellings() {
        for (question, expected) in [
            ("113E-117E, 19-22N", "113–117°E, 19–22°N"),
            ("113–117°E, 19–22°N", "113–117°E, 19–22°N"),
            ("19-22N 113-117E", "113–117°E, 19–22°N"),
            ("from 121 to 124 E and 30 to 32.5 N", "121–124°E, 30–32.5°N"),
            ("lon 123..127, lat [19,22]", "123–127°E, 19–22°N"),
            ("lat between 19 and 22, lon between 113 and 117", "113–117°E, 19–22°N"),
            ("longitudes 113 to 117, latitudes 19 to 22", "113–117°E, 19–22°N"),
            ("94-90W, 25-28N", "94–90°W, 25–28°N"),
            ("94°W–90°W × 25°N–28°N", "94–90°W, 25–28°N"),
            ("-94 to -90 E, 25 to 28 N", "94–90°W, 25–28°N"),
            ("175E to 175W, 3S to 3N", "175°E–175°W, 3°S–3°N"),
            ("lon [175, -175], lat [-3, 3]", "175°E–175°W, 3°S–3°N"),
            ("170W-120W, 5S-5N", "170–120°W, 5°S–5°N"),
            ("190-240E, 5S-5N", "170–120°W, 5°S–5°N"),
            ("30S-26S, 12E-16E", "12–16°E, 30–26°S"),
            ("[113, 117] x [19, 22]", "113–117°E, 19–22°N"),
            ("19-22 by 113-117", "113–117°E, 19–22°N"),
            (
                "113 degrees east to 117 degrees east, 19 degrees north to 22 degrees north",
                "113–117°E, 19–22°N",
            ),
            ("76.5–75.5°W, 36.8–38.4°N", "76.5–75.5°W, 36.8–38.4°N"),
        ] {
            let found = read(question);
            assert_eq!(found.boxes.len(), 1, "{question}: {found:?}");
            assert_eq!(found.boxes[0].value.words(), expected, "{question}");
            assert_eq!(found.unclear, None, "{question}");
            assert!(found.points.is_empty(), "{question}: {found:?}");
        }
    }

    #[test]
    fn points_in_many_spellings() {
        for (question, expected) in [
            ("at 115E, 20N", "115°E, 20°N"),
            ("at 20N 115E", "115°E, 20°N"),
            ("(120.5E, 18.5N)", "120.5°E, 18.5°N"),
            ("lon=125 lat=30", "125°E, 30°N"),
            ("at lat -30, lon 14", "14°E, 30°S"),
            ("at 30°S, 14°E", "14°E, 30°S"),
            ("at 155W and 20N", "155°W, 20°N"),
        ] {
            let found = read(question);
            assert_eq!(found.points.len(), 1, "{question}: {found:?}");
            assert_eq!(found.points[0].value.words(), expected, "{question}");
            assert!(found.boxes.is_empty() && found.unclear.is_none(), "{question}: {found:?}");
        }
    }

    #[test]
    fn two_boxes_are_two_boxes() {
        let found = read("compare 113-117E, 19-22N with 119-123E, 14-17N");
        let words: Vec<String> = found.boxes.iter().map(|area| area.value.words()).collect();
        assert_eq!(words, ["113–117°E, 19–22°N", "119–123°E, 14–17°N"]);
    }

    #[test]
    fn half_a_box_and_unnamed_axes_are_unclear() {
        assert!(read("between 113E and 117E").unclear.unwrap().contains("latitudes"));
        assert!(read("19-22N").unclear.unwrap().contains("longitudes"));
        assert!(read("[10, 20] x [30, 40]").unclear.unwrap().contains("longitude"));
    }

    #[test]
    fn other_numbers_are_no_coordinates() {
        for question in
            ["in 2015", "0-200 m", "from 2010 to 2019", "5 mode", "95% confidence", "the 3 warmest events"]
        {
            let found = read(question);
            assert!(
                found.boxes.is_empty() && found.points.is_empty() && found.unclear.is_none(),
                "{question}: {found:?}"
            );
        }
    }
}
