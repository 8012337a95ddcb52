//! What is marked on a map: boxes, places and lines with their names.

use super::view::View;
use crate::{
    font,
    plot::haloed_text,
    svg::{Anchor, INK, Svg},
};

const SIZE: f64 = 14.0;

/// Something marked on a map.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MapMark<'a> {
    /// A box in longitude and latitude.
    Box {
        /// West and east edge in degrees; west may be the greater across the date line.
        lon: [f64; 2],
        /// South and north edge in degrees.
        lat: [f64; 2],
        /// Its name. May be empty.
        label: &'a str,
    },
    /// A place.
    Point {
        /// Longitude in degrees.
        lon: f64,
        /// Latitude in degrees.
        lat: f64,
        /// Its name. May be empty.
        label: &'a str,
    },
    /// A line: a section, a track, the edge of a region.
    Line {
        /// Longitudes in degrees; may jump by whole turns.
        lon: &'a [f64],
        /// Latitudes, as many.
        lat: &'a [f64],
        /// Its name, at its first point. May be empty.
        label: &'a str,
    },
}

/// Draws marks, each name at the first place around its mark that is in the frame and free of other names.
pub(super) fn draw(svg: &mut Svg, view: &View, marks: &[MapMark<'_>]) {
    let mut taken: Vec<[f64; 4]> = Vec::new();
    for mark in marks {
        let (points, label) = match *mark {
            MapMark::Box { lon: [west, east], lat: [south, north], label } => {
                let east = if east < west { east + 360.0 } else { east };
                (vec![[west, south], [east, south], [east, north], [west, north], [west, south]], label)
            }
            MapMark::Point { lon, lat, label } => (vec![[lon, lat]], label),
            MapMark::Line { lon, lat, label } => {
                let mut points: Vec<[f64; 2]> = Vec::new();
                for (lon, lat) in lon.iter().zip(lat).filter(|(lon, lat)| lon.is_finite() && lat.is_finite())
                {
                    let turns = points.last().map_or(0.0, |last| libm::round((last[0] - lon) / 360.0));
                    points.push([lon + 360.0 * turns, *lat]);
                }
                (points, label)
            }
        };
        for points in shown(view, &points) {
            let is_point = points.len() == 1;
            let pixels = view.line(&points);
            if is_point {
                let style = format!("fill=\"{INK}\" stroke=\"#ffffff\" stroke-width=\"1.5\"");
                svg.circle(pixels[0], 5.0, &style);
            } else {
                let style = |colour: &str, width: f64| {
                    format!(
                        "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\""
                    )
                };
                let run = [pixels.clone()];
                svg.path(&run, false, &format!("{} stroke-opacity=\"0.85\"", style("#ffffff", 4.0)));
                svg.path(&run, false, &style(INK, 2.0));
            }
            if label.is_empty() {
                continue;
            }
            let ends = |part: usize| {
                let values = || pixels.iter().map(|pixel| pixel[part]);
                (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
            };
            let ((left, right), (top, bottom)) = (ends(0), ends(1));
            let shape = match mark {
                MapMark::Line { .. } => [pixels[0][0], pixels[0][1], pixels[0][0], pixels[0][1]],
                _ => [left, top, right, bottom],
            };
            draw_name(svg, view.frame, shape, label, &mut taken);
        }
    }
}

/// Returns a shape once for each turn of longitude in which it is seen.
fn shown(view: &View, points: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    let finite = points.iter().flatten().all(|part| part.is_finite());
    if points.is_empty() || !finite {
        return Vec::new();
    }
    let ends = |part: usize| {
        let values = || points.iter().map(|point| point[part]);
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((west, east), (south, north)) = (ends(0), ends(1));
    let home = libm::floor((view.lon[0] - west) / 360.0);
    (0..3)
        .map(|turn| (home + f64::from(turn)) * 360.0)
        .filter(|turn| west + turn <= view.lon[1] && east + turn >= view.lon[0])
        .filter(|_| south <= view.lat[1] && north >= view.lat[0])
        .map(|turn| points.iter().map(|point| [point[0] + turn, point[1]]).collect())
        .collect()
}

fn draw_name(svg: &mut Svg, frame: [f64; 4], shape: [f64; 4], label: &str, taken: &mut Vec<[f64; 4]>) {
    let [x, y, width, height] = frame;
    let [left, top, right, bottom] = shape;
    let label = font::shorten(label, SIZE, width - 16.0);
    let wide = font::width(&label, SIZE);
    let near = left.clamp(x + 6.0, (x + width - wide - 6.0).max(x + 6.0));
    let corners = [
        [near, top - 8.0],
        [near, bottom + SIZE + 5.0],
        [right + 8.0, top + SIZE],
        [left - wide - 8.0, top + SIZE],
        [left.max(x) + 7.0, top.max(y) + SIZE + 5.0],
    ];
    let area = |[at, base]: [f64; 2]| [at - 2.0, base - SIZE, at + wide + 2.0, base + 4.0];
    let is_free = |corner: &&[f64; 2]| {
        let [west, north, east, south] = area(**corner);
        west >= x
            && east <= x + width
            && north >= y
            && south <= y + height
            && taken
                .iter()
                .all(|other| east < other[0] || west > other[2] || south < other[1] || north > other[3])
    };
    let Some(corner) = corners.iter().find(is_free) else { return };
    taken.push(area(*corner));
    haloed_text(svg, *corner, Anchor::Start, SIZE, &label);
}
