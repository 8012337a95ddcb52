//! The colour bar of a map: beside it, or below it where the map is flat.

use crate::{
    axis::{self, Ticks},
    colour::{MISSING, Scale, hex},
    font,
    svg::{Anchor, INK, Svg},
};

const THICKNESS: f64 = 18.0;
const GAP: f64 = 22.0;
const TICK: f64 = 5.0;
const TICK_SIZE: f64 = 13.0;
const LABEL_SIZE: f64 = 14.0;

/// A colour bar with its ticks, before it has a place.
#[derive(Debug)]
pub(crate) struct ColourBar<'a> {
    scale: &'a Scale,
    ticks: Ticks,
    label: String,
    is_upright: bool,
}

impl<'a> ColourBar<'a> {
    /// Makes the bar of a scale, `length` pixels long.
    pub(crate) fn new(scale: &'a Scale, quantity: &str, units: &str, is_upright: bool, length: f64) -> Self {
        let most = crate::float::floor_index(length / if is_upright { 45.0 } else { 90.0 }).clamp(2, 8);
        let ticks = axis::linear(scale.low, scale.high, most);
        let label = axis::label(quantity, units, ticks.power);
        let label = font::shorten(&label, LABEL_SIZE, length.max(120.0));
        Self { scale, ticks, label, is_upright }
    }

    /// Returns the pixels that it takes at the side of the map where it stands.
    pub(crate) fn thickness(&self) -> f64 {
        let label = if self.label.is_empty() { 0.0 } else { LABEL_SIZE + 8.0 };
        let widest = self.ticks.labels.iter().map(|text| font::width(text, TICK_SIZE)).fold(0.0, f64::max);
        let ticks = if self.is_upright { widest } else { TICK_SIZE };
        GAP + THICKNESS + TICK + 4.0 + ticks + label
    }

    /// Draws the bar along a frame; `below` is the room that the frame's own labels take under it.
    pub(crate) fn draw(&self, svg: &mut Svg, frame: [f64; 4], below: f64) {
        let [x, y, width, height] = frame;
        let bar = if self.is_upright {
            [x + width + GAP, y, THICKNESS, height]
        } else {
            [x, y + height + below + GAP / 2.0, width, THICKNESS]
        };
        self.draw_colours(svg, bar);
        if self.is_upright { self.draw_upright_ticks(svg, bar) } else { self.draw_level_ticks(svg, bar) }
    }

    fn draw_colours(&self, svg: &mut Svg, [x, y, width, height]: [f64; 4]) {
        let colours = self.scale.colours();
        let outline = format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"0.8\"");
        if self.scale.is_empty {
            svg.rect([x, y, width, height], &format!("fill=\"{}\"", hex(MISSING)));
            svg.rect([x, y, width, height], &outline);
            return;
        }
        for (place, colour) in colours.iter().enumerate() {
            let from = place as f64 / colours.len() as f64;
            // Half a pixel over the next one, or seams show.
            let length = 1.0 / colours.len() as f64;
            let cell = if self.is_upright {
                let top = y + height * (1.0 - from - length);
                [x, (top - 0.5).max(y), width, height * length + 0.5]
            } else {
                let left = x + width * from;
                [left, y, (width * length + 0.5).min(x + width - left), height]
            };
            svg.rect(cell, &format!("fill=\"{}\"", hex(*colour)));
        }
        // An arrow at an end that some values pass.
        let style = |colour| {
            format!(
                "fill=\"{}\" stroke=\"{INK}\" stroke-width=\"0.8\" stroke-linejoin=\"round\"",
                hex(colour)
            )
        };
        let reach = 11.0;
        let [passes_low, passes_high] = self.scale.extends;
        if passes_low {
            let tip = if self.is_upright {
                vec![[x, y + height], [x + width / 2.0, y + height + reach], [x + width, y + height]]
            } else {
                vec![[x, y], [x - reach, y + height / 2.0], [x, y + height]]
            };
            svg.path(&[tip], true, &style(colours[0]));
        }
        if passes_high {
            let tip = if self.is_upright {
                vec![[x, y], [x + width / 2.0, y - reach], [x + width, y]]
            } else {
                vec![[x + width, y], [x + width + reach, y + height / 2.0], [x + width, y + height]]
            };
            svg.path(&[tip], true, &style(colours[colours.len() - 1]));
        }
        svg.rect([x, y, width, height], &outline);
    }

    fn draw_upright_ticks(&self, svg: &mut Svg, [x, y, width, height]: [f64; 4]) {
        let style = format!("stroke=\"{INK}\" stroke-width=\"0.8\"");
        let right = x + width;
        if !self.scale.is_empty {
            for (share, label) in self.tick_shares() {
                let place = y + height * (1.0 - share);
                svg.line([right, place], [right + TICK, place], &style);
                svg.text([right + TICK + 4.0, place + 4.5], Anchor::Start, TICK_SIZE, label);
            }
        }
        let label_at = x + self.thickness() - GAP - 2.0;
        if !self.label.is_empty() {
            svg.upward_text([label_at, y + height / 2.0], LABEL_SIZE, &self.label);
        }
    }

    fn draw_level_ticks(&self, svg: &mut Svg, [x, y, width, height]: [f64; 4]) {
        let style = format!("stroke=\"{INK}\" stroke-width=\"0.8\"");
        let bottom = y + height;
        if !self.scale.is_empty {
            for (share, label) in self.tick_shares() {
                let place = x + width * share;
                svg.line([place, bottom], [place, bottom + TICK], &style);
                svg.text([place, bottom + TICK + TICK_SIZE + 2.0], Anchor::Middle, TICK_SIZE, label);
            }
        }
        if !self.label.is_empty() {
            let place = [x + width / 2.0, bottom + TICK + TICK_SIZE + LABEL_SIZE + 7.0];
            svg.text(place, Anchor::Middle, LABEL_SIZE, &self.label);
        }
    }

    fn tick_shares(&self) -> impl Iterator<Item = (f64, &str)> {
        let (low, high) = (self.scale.low, self.scale.high);
        self.ticks
            .places
            .iter()
            .zip(&self.ticks.labels)
            .map(move |(place, label)| ((place / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0), label.as_str()))
    }
}
