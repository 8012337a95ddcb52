//! Arrows on a map, with one beside it that tells their length.

use super::{grid::Grid, view::View};
use crate::{
    axis,
    error::ChartError,
    float::floor_whole,
    font,
    plot::TICK_SIZE,
    svg::{Anchor, INK, Svg},
};

/// The room of one arrow in pixels, and the length of the one that tells the others' length.
const SPACING: f64 = 26.0;

/// Vectors on a map.
///
/// # Shapes
/// Both have the shape of the map's values. Of many, only as many are drawn as can be told apart.
#[derive(Debug, Clone, Copy, Default)]
pub struct Vectors<'a> {
    /// Eastward parts.
    pub east: &'a [f64],
    /// Northward parts.
    pub north: &'a [f64],
    /// The units of both.
    pub units: &'a str,
    /// The size of the arrow that tells the others' length; a round one if absent.
    pub reference: Option<f64>,
}

/// Arrows that were chosen.
#[derive(Debug)]
pub(super) struct Arrows {
    /// Where each starts, and its reach, in pixels.
    all: Vec<([f64; 2], [f64; 2])>,
    reference: f64,
    units: String,
}

impl Vectors<'_> {
    /// Chooses the arrows of a view.
    pub(super) fn arrows(&self, grid: &Grid<'_>, count: usize, view: &View) -> Result<Arrows, ChartError> {
        for (what, found) in [("eastward vectors", self.east.len()), ("northward vectors", self.north.len())]
        {
            if found != count {
                return Err(ChartError::Length { what: what.to_owned(), expected: count, found });
            }
        }
        if let Some(found) = self.reference.filter(|reference| !(reference.is_finite() && *reference > 0.0)) {
            let what = "reference";
            return Err(ChartError::Number { what, found, wanted: "a length above zero" });
        }
        let [left, top, width, height] = view.frame;
        // In each square of the frame the vector nearest to its middle.
        let mut chosen: std::collections::BTreeMap<(i64, i64), (f64, usize, [f64; 2])> =
            std::collections::BTreeMap::new();
        for (at, [lon, lat]) in grid.places(count).into_iter().enumerate() {
            let lon = view.homed(lon);
            let is_complete = self.east[at].is_finite() && self.north[at].is_finite() && lon.is_finite();
            if !is_complete || lon > view.lon[1] || !(lat >= view.lat[0] && lat <= view.lat[1]) {
                continue;
            }
            let [x, y] = view.place([lon, lat]);
            if x < left || x > left + width || y < top || y > top + height {
                continue;
            }
            let square = [(x - left) / SPACING, (y - top) / SPACING];
            let whole = square.map(floor_whole);
            let off = libm::hypot(square[0] - whole[0] as f64 - 0.5, square[1] - whole[1] as f64 - 0.5);
            let entry = chosen.entry((whole[1], whole[0])).or_insert((off, at, [lon, lat]));
            if off < entry.0 {
                *entry = (off, at, [lon, lat]);
            }
        }
        let mut speeds: Vec<f64> =
            chosen.values().map(|(_, at, _)| libm::hypot(self.east[*at], self.north[*at])).collect();
        speeds.sort_by(f64::total_cmp);
        let fast = speeds.get(speeds.len() * 9 / 10).copied().filter(|speed| *speed > 0.0).unwrap_or(1.0);
        let reference = self.reference.unwrap_or_else(|| round_down(fast));
        let all = chosen
            .values()
            .filter_map(|(_, at, place)| arrow(view, *place, [self.east[*at], self.north[*at]], reference))
            .collect();
        Ok(Arrows { all, reference, units: self.units.to_owned() })
    }
}

/// The start and reach of an arrow; none without a direction.
fn arrow(
    view: &View,
    [lon, lat]: [f64; 2],
    [east, north]: [f64; 2],
    reference: f64,
) -> Option<([f64; 2], [f64; 2])> {
    let speed = libm::hypot(east, north);
    if speed <= 0.0 || lat.abs() > 89.9 {
        return None;
    }
    let here = view.place([lon, lat]);
    // The direction that a small step has on the map.
    let step = 0.01;
    let shrink = libm::cos(lat * std::f64::consts::PI / 180.0);
    let there = view.place([lon + step * east / speed / shrink, lat + step * north / speed]);
    let way = [there[0] - here[0], there[1] - here[1]];
    let length = libm::hypot(way[0], way[1]);
    let reach = (speed / reference * SPACING).min(SPACING * 4.0);
    (length > 0.0 && reach > 0.5).then(|| (here, way.map(|part| part / length * reach)))
}

/// Returns the greatest of 1, 2 or 5 times a power of ten that is not above a size.
fn round_down(size: f64) -> f64 {
    let unit = libm::pow(10.0, libm::floor(libm::log10(size)));
    [5.0, 2.0, 1.0]
        .into_iter()
        .map(|factor| factor * unit)
        .find(|round| *round <= size * (1.0 + 1e-9))
        .unwrap_or(unit)
}

impl Arrows {
    /// The height of the line above the frame in which the reference stands.
    pub(super) const HEIGHT: f64 = 24.0;

    /// Draws the arrows, each about the middle of its place.
    pub(super) fn draw(&self, svg: &mut Svg) {
        let moved = |([x, y], [across, down]): &([f64; 2], [f64; 2])| {
            ([x - across / 2.0, y - down / 2.0], [*across, *down])
        };
        draw_arrows(svg, self.all.iter().map(moved));
    }

    /// Draws the arrow of known length at the right above the frame.
    pub(super) fn draw_reference(&self, svg: &mut Svg, frame: [f64; 4]) {
        let text = axis::label(&axis::brief(self.reference), "", 0);
        let units = axis::pretty_units(&self.units);
        let text = if units.is_empty() { text } else { format!("{text} {units}") };
        let right = frame[0] + frame[2];
        let y = frame[1] - Self::HEIGHT / 2.0 - 1.0;
        let start = right - font::width(&text, TICK_SIZE) - SPACING - 8.0;
        draw_arrows(svg, std::iter::once(([start, y], [SPACING, 0.0])));
        svg.text([right, y + 4.5], Anchor::End, TICK_SIZE, &text);
    }
}

fn draw_arrows(svg: &mut Svg, arrows: impl Iterator<Item = ([f64; 2], [f64; 2])>) {
    let (mut shafts, mut heads) = (Vec::new(), Vec::new());
    for ([x, y], [across, down]) in arrows {
        let length = libm::hypot(across, down);
        let tip = [x + across, y + down];
        let head = (length * 0.4).clamp(2.0, 7.0).min(length);
        let way = [across / length, down / length];
        let foot = [tip[0] - way[0] * head, tip[1] - way[1] * head];
        let side = [-way[1] * head * 0.4, way[0] * head * 0.4];
        shafts.push(vec![[x, y], foot]);
        heads.push(vec![tip, [foot[0] + side[0], foot[1] + side[1]], [foot[0] - side[0], foot[1] - side[1]]]);
    }
    svg.path(&shafts, false, &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.3\""));
    svg.path(&heads, true, &format!("fill=\"{INK}\""));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Projection, grid::MapGrid};

    #[test]
    fn an_eastward_current_points_east_also_near_the_pole() {
        for (projection, lat) in [
            (Projection::PlateCarree, 10.0),
            (Projection::Mercator, 60.0),
            (Projection::PolarStereographic, 80.0),
        ] {
            let mut view = View::new(projection, [-20.0, 20.0], [lat - 5.0, lat + 5.0]);
            view.set_frame([0.0, 0.0, 200.0, 200.0 * view.aspect()]);
            let values = [1.0];
            let lats = [lat];
            let grid = Grid::new(MapGrid::Points { lon: &[0.0], lat: &lats }, &values).unwrap();
            let vectors = Vectors { east: &[0.3], north: &[0.0], units: "m s-1", reference: None };
            let arrows = vectors.arrows(&grid, 1, &view).unwrap();
            let (_, [across, down]) = arrows.all[0];
            assert!(across > 20.0 && down.abs() < 0.5, "{projection:?}: {across} {down}");
            assert!((arrows.reference - 0.2).abs() < 1e-12);
        }
    }

    #[test]
    fn lengths_and_references_are_checked() {
        let grid = Grid::new(MapGrid::Points { lon: &[0.0], lat: &[0.0] }, &[1.0]).unwrap();
        let view = View::new(Projection::Auto, [-1.0, 1.0], [-1.0, 1.0]);
        let short = Vectors { east: &[], north: &[0.0], ..Vectors::default() };
        assert!(matches!(short.arrows(&grid, 1, &view), Err(ChartError::Length { .. })));
        let none = Vectors { east: &[0.0], north: &[0.0], reference: Some(0.0), ..Vectors::default() };
        assert!(matches!(none.arrows(&grid, 1, &view), Err(ChartError::Number { .. })));
        for (size, round) in [(0.37, 0.2), (5.0, 5.0), (9.9e-6, 5e-6)] {
            assert!((round_down(size) / round - 1.0).abs() < 1e-12, "{size}");
        }
    }
}
