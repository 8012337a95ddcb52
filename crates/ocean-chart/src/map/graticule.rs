//! Meridians and parallels with their names.

use super::view::View;
use crate::{
    axis::{self, Degrees, Ticks},
    float::floor_index,
    font,
    plot::{TICK_SIZE, haloed_text},
    svg::{Anchor, INK, Svg},
};

pub(super) const TICK: f64 = 5.0;

/// The meridians and parallels of a view.
#[derive(Debug)]
pub(super) struct Graticule {
    lon: Ticks,
    lat: Ticks,
}

impl Graticule {
    /// Chooses the lines for the size of the frame.
    pub(super) fn new(view: &View) -> Self {
        let [_, _, width, height] = view.frame;
        let most = |length: f64, room: f64, most: usize| floor_index(length / room).clamp(1, most);
        let is_round = !view.formula.is_straight();
        let lon = axis::degrees(
            view.lon[0],
            view.lon[1],
            most(width, if is_round { 70.0 } else { 85.0 }, 8),
            Degrees::Longitude,
        );
        let lat = axis::degrees(
            view.lat[0],
            view.lat[1],
            most(height, 50.0, if is_round { 6 } else { 8 }),
            Degrees::Latitude,
        );
        Self { lon, lat }
    }

    /// Draws the lines.
    pub(super) fn draw(&self, svg: &mut Svg, view: &View, ink: &str) {
        let [south, north] = view.lat;
        let meridians = self.lon.places.iter().map(|lon| view.line(&[[*lon, south], [*lon, north]]));
        let parallels =
            self.lat.places.iter().map(|lat| view.line(&[[view.lon[0], *lat], [view.lon[1], *lat]]));
        let style = format!("fill=\"none\" stroke=\"{ink}\" stroke-opacity=\"0.2\" stroke-width=\"0.7\"");
        svg.path(&meridians.chain(parallels).collect::<Vec<_>>(), false, &style);
    }

    /// Writes the names outside of the frame; those of parallels about a pole inside.
    pub(super) fn draw_names(&self, svg: &mut Svg, view: &View) {
        if view.formula.is_straight() {
            self.draw_straight_names(svg, view);
        } else if matches!(view.formula, super::projection::Formula::Polar { .. }) {
            self.draw_polar_names(svg, view);
        } else {
            self.draw_round_names(svg, view);
        }
    }

    fn draw_straight_names(&self, svg: &mut Svg, view: &View) {
        let [x, y, _, height] = view.frame;
        let style = format!("stroke=\"{INK}\" stroke-width=\"1\"");
        for (lon, label) in self.lon.places.iter().zip(&self.lon.labels) {
            let (place, bottom) = (view.place([*lon, view.lat[0]])[0], y + height);
            svg.line([place, bottom], [place, bottom + TICK], &style);
            svg.text([place, bottom + TICK + TICK_SIZE + 1.0], Anchor::Middle, TICK_SIZE, label);
        }
        for (lat, label) in self.lat.places.iter().zip(&self.lat.labels) {
            let place = view.place([view.lon[0], *lat])[1];
            svg.line([x - TICK, place], [x, place], &style);
            svg.text([x - TICK - 3.0, place + 4.5], Anchor::End, TICK_SIZE, label);
        }
    }

    fn draw_round_names(&self, svg: &mut Svg, view: &View) {
        for (lat, label) in self.lat.places.iter().zip(&self.lat.labels).filter(|(lat, _)| lat.abs() < 85.0) {
            let [x, y] = view.place([view.lon[0], *lat]);
            svg.text([x - 6.0, y + 4.5], Anchor::End, TICK_SIZE, label);
        }
        let mut free_from = f64::NEG_INFINITY;
        for (lon, label) in self.lon.places.iter().zip(&self.lon.labels) {
            let [x, y] = view.place([*lon, view.lat[0]]);
            let wide = font::width(label, TICK_SIZE);
            if x - wide / 2.0 >= free_from {
                svg.text([x, y + TICK_SIZE + 4.0], Anchor::Middle, TICK_SIZE, label);
                free_from = x + wide / 2.0 + 6.0;
            }
        }
    }

    fn draw_polar_names(&self, svg: &mut Svg, view: &View) {
        let is_north = view.lat[0] + view.lat[1] >= 0.0;
        let (outer, inner) = if is_north { (view.lat[0], view.lat[1]) } else { (view.lat[1], view.lat[0]) };
        let is_whole = view.lon[1] - view.lon[0] >= 359.0;
        let mut named: Vec<[f64; 2]> = Vec::new();
        for (lon, label) in self.lon.places.iter().zip(&self.lon.labels) {
            let [x, y] = view.place([*lon, outer]);
            let towards = view.place([*lon, outer + (inner - outer) * 0.05]);
            let length = libm::hypot(x - towards[0], y - towards[1]).max(1e-9);
            let out = [(x - towards[0]) / length, (y - towards[1]) / length];
            let reach = 9.0 + font::width(label, TICK_SIZE) / 2.0 * out[0].abs() + 5.0 * out[1].abs();
            let place = [x + out[0] * reach, y + out[1] * reach];
            // The first and the last meridian of a whole turn are one.
            if named.iter().all(|other| libm::hypot(other[0] - place[0], other[1] - place[1]) > 20.0) {
                svg.text([place[0], place[1] + 4.5], Anchor::Middle, TICK_SIZE, label);
                named.push(place);
            }
        }
        // Between two meridians, where no line crosses the names.
        let step = self.lon.places.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(30.0);
        let lon = if is_whole {
            self.lon.places.first().map_or(0.0, |first| first + step / 2.0)
        } else {
            view.lon[0]
        };
        for (lat, label) in self.lat.places.iter().zip(&self.lat.labels) {
            // Where the name would stand on the edge.
            let at_edge = is_whole && (lat - outer).abs() < 0.06 * (inner - outer).abs();
            if at_edge || (lat - outer).abs() < 1e-9 || lat.abs() > 89.0 {
                continue;
            }
            let [x, y] = view.place([lon, *lat]);
            if is_whole {
                haloed_text(svg, [x, y + 4.5], Anchor::Middle, TICK_SIZE - 1.0, label);
            } else {
                svg.text([x - 6.0, y + 4.5], Anchor::End, TICK_SIZE, label);
            }
        }
    }
}
