//! Contour lines as a chart asks for them, and their labels.

use crate::{
    axis,
    error::ChartError,
    font,
    plot::{extent, haloed_text},
    svg::{Anchor, INK, Svg},
};

const LABEL_SIZE: f64 = 12.0;

/// Contour lines over a field.
///
/// # Shapes
/// `values` has the shape of the field; without any, the contours are those of the field itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Contours<'a> {
    /// The values, or none for those of the field.
    pub values: &'a [f64],
    /// The levels; without any, about eight round ones.
    pub levels: &'a [f64],
    /// Thick lines, for one that matters, such as the edge of a region.
    pub is_bold: bool,
}

impl Contours<'_> {
    /// Returns the values that are contoured, checked against the shape of the field.
    pub(crate) fn values_of<'b>(&'b self, field: &'b [f64]) -> Result<&'b [f64], ChartError> {
        if self.values.is_empty() {
            return Ok(field);
        }
        if self.values.len() != field.len() {
            let what = "contours".to_owned();
            return Err(ChartError::Length { what, expected: field.len(), found: self.values.len() });
        }
        Ok(self.values)
    }

    /// Returns the levels of values.
    pub(crate) fn levels_of(&self, values: &[f64]) -> Vec<f64> {
        if !self.levels.is_empty() {
            return self.levels.iter().copied().filter(|level| level.is_finite()).collect();
        }
        let [low, high] = extent(values.iter().copied());
        axis::linear(low, high, 8).places
    }
}

/// Lines of one level in pixels.
#[derive(Debug)]
pub(crate) struct LevelLines {
    pub(crate) level: f64,
    pub(crate) lines: Vec<Vec<[f64; 2]>>,
}

/// Draws lines, and the level of each in the middle of its longest line where there is room in `area`.
pub(crate) fn draw(
    svg: &mut Svg,
    levels: &[LevelLines],
    is_bold: bool,
    area: [f64; 4],
    taken: &mut Vec<[f64; 4]>,
) {
    let width = if is_bold { 1.8 } else { 0.9 };
    for LevelLines { lines, .. } in levels {
        let style = format!(
            "fill=\"none\" stroke=\"{INK}\" stroke-opacity=\"0.8\" stroke-width=\"{width}\" stroke-linejoin=\"round\""
        );
        svg.path(lines, false, &style);
    }
    for LevelLines { level, lines } in levels {
        let text = axis::brief(*level);
        let wide = font::width(&text, LABEL_SIZE);
        let length = |line: &[[f64; 2]]| -> f64 {
            line.windows(2).map(|pair| libm::hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1])).sum()
        };
        let longest = lines.iter().max_by(|left, right| length(left).total_cmp(&length(right)));
        let Some(longest) = longest.filter(|line| length(line) > 3.0 * wide) else { continue };
        let boxed = |[x, y]: [f64; 2]| [x - wide / 2.0 - 3.0, y - 9.0, x + wide / 2.0 + 3.0, y + 8.0];
        let is_free = |place: &&[f64; 2]| {
            let [left, top, right, bottom] = boxed(**place);
            left > area[0]
                && right < area[0] + area[2]
                && top > area[1]
                && bottom < area[1] + area[3]
                && taken
                    .iter()
                    .all(|other| right < other[0] || left > other[2] || bottom < other[1] || top > other[3])
        };
        // From the middle outwards.
        let middle = longest.len() / 2;
        let (before, after) = longest.split_at(middle);
        let Some(place) = after.iter().find(is_free).or_else(|| before.iter().rev().find(is_free)) else {
            continue;
        };
        taken.push(boxed(*place));
        haloed_text(svg, [place[0], place[1] + 4.0], Anchor::Middle, LABEL_SIZE, &text);
    }
}
