//! The colour bar of a field: beside it, or below it where the field is flat. It ends in a point where values lie
//! beyond.

use crate::{
    axis::{self, Ticks},
    colour::{Scale, hex},
    error::ChartError,
    float::floor_index,
    font,
    palette::{Palette, TABLE_LENGTH},
    png,
    svg::{Anchor, INK, Svg},
};

const THICKNESS: f64 = 18.0;
const GAP: f64 = 22.0;
const TICK: f64 = 5.0;
const TICK_SIZE: f64 = 13.0;
const LABEL_SIZE: f64 = 14.0;
/// The length of the point at an end that some values pass.
const POINT: f64 = 13.0;

/// A colour bar with its ticks, before it has a place.
#[derive(Debug)]
pub(crate) struct ColourBar<'a> {
    scale: &'a Scale,
    ticks: Ticks,
    label: String,
    is_upright: bool,
    is_turned: bool,
}

impl<'a> ColourBar<'a> {
    /// Makes the bar of a scale, `length` pixels long.
    pub(crate) fn new(scale: &'a Scale, quantity: &str, units: &str, is_upright: bool, length: f64) -> Self {
        let most = floor_index(length / if is_upright { 45.0 } else { 90.0 }).clamp(2, 8);
        let ticks = if scale.is_log {
            axis::logarithmic(scale.low, scale.high, most)
        } else {
            axis::linear(scale.low, scale.high, most)
        };
        let label = axis::label(quantity, units, ticks.power);
        let label = font::shorten(&label, LABEL_SIZE, length.max(120.0));
        // Depths grow downwards here too.
        let is_turned = is_upright && scale.palette() == Palette::Deep;
        Self { scale, ticks, label, is_upright, is_turned }
    }

    /// Returns the pixels that it takes at the side of the field where it stands.
    pub(crate) fn thickness(&self) -> f64 {
        let label = if self.label.is_empty() { 0.0 } else { LABEL_SIZE + 8.0 };
        let widest = self.ticks.labels.iter().map(|text| font::width(text, TICK_SIZE)).fold(0.0, f64::max);
        let ticks = if self.is_upright { widest } else { TICK_SIZE };
        GAP + THICKNESS + TICK + 4.0 + ticks + label
    }

    /// Draws the bar along a frame; `below` is the room that the frame's own labels take under it.
    ///
    /// # Errors
    ///
    /// If the colours can't be written.
    pub(crate) fn draw(&self, svg: &mut Svg, frame: [f64; 4], below: f64) -> Result<(), ChartError> {
        let [x, y, width, height] = frame;
        // The points stand inside the length of the frame, so that they never meet its other labels.
        let [low_room, high_room] = self.scale.extends.map(|extends| if extends { POINT } else { 0.0 });
        let bar = if self.is_upright {
            let top = if self.is_turned { low_room } else { high_room };
            [x + width + GAP, y + top, THICKNESS, height - low_room - high_room]
        } else {
            [x + low_room, y + height + below + GAP / 2.0, width - low_room - high_room, THICKNESS]
        };
        self.draw_colours(svg, bar)?;
        if self.is_upright {
            self.draw_upright_ticks(svg, bar);
        } else {
            self.draw_level_ticks(svg, bar);
        }
        Ok(())
    }

    /// The corner of the bar at a share of its length (0 low, 1 high) and of its thickness.
    fn point(&self, [x, y, width, height]: [f64; 4], share: f64, across: f64) -> [f64; 2] {
        match (self.is_upright, self.is_turned) {
            (true, false) => [x + width * across, y + height * (1.0 - share)],
            (true, true) => [x + width * across, y + height * share],
            (false, _) => [x + width * share, y + height * across],
        }
    }

    fn draw_colours(&self, svg: &mut Svg, bar: [f64; 4]) -> Result<(), ChartError> {
        let [x, y, width, height] = bar;
        let length = if self.is_upright { height } else { width };
        if self.scale.edges.is_empty() {
            let mut colours: Vec<[u8; 3]> = (0..TABLE_LENGTH)
                .map(|place| self.scale.tone((place as f64 + 0.5) / TABLE_LENGTH as f64))
                .collect();
            if self.is_upright && !self.is_turned {
                colours.reverse();
            }
            let sides = if self.is_upright { (1, TABLE_LENGTH) } else { (TABLE_LENGTH, 1) };
            svg.image(bar, &png::embed(&colours, sides.0, sides.1)?);
        }
        for (band, pair) in self.scale.edges.windows(2).enumerate() {
            let colour = hex(self.scale.band_colour(band + 1));
            let corners = [pair[0], pair[1]].map(|edge| self.scale.share(edge));
            let outline = [(corners[0], 0.0), (corners[1], 0.0), (corners[1], 1.0), (corners[0], 1.0)];
            let outline = outline.map(|(share, across)| self.point(bar, share, across)).to_vec();
            svg.path(&[outline], true, &format!("fill=\"{colour}\" stroke=\"{INK}\" stroke-width=\"0.5\""));
        }
        let bands = self.scale.edges.len().saturating_sub(1);
        let ends = [(self.scale.extends[0], 0.0, -POINT), (self.scale.extends[1], 1.0, POINT)];
        for (passes, share, reach) in ends {
            if !passes {
                continue;
            }
            let colour = match (bands, share > 0.5) {
                (0, _) => self.scale.tone(share),
                (_, false) => self.scale.band_colour(0),
                (bands, true) => self.scale.band_colour(bands + 1),
            };
            let tip = self.point(bar, share + reach / length, 0.5);
            let outline = vec![self.point(bar, share, 0.0), tip, self.point(bar, share, 1.0)];
            let style = format!(
                "fill=\"{}\" stroke=\"{INK}\" stroke-width=\"0.8\" stroke-linejoin=\"round\"",
                hex(colour)
            );
            svg.path(&[outline], true, &style);
        }
        svg.rect([x, y, width, height], &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"0.8\""));
        Ok(())
    }

    fn draw_upright_ticks(&self, svg: &mut Svg, bar: [f64; 4]) {
        let style = format!("stroke=\"{INK}\" stroke-width=\"0.8\"");
        for (value, label) in self.ticks.places.iter().zip(&self.ticks.labels) {
            let [right, place] = self.point(bar, self.scale.share(*value), 1.0);
            svg.line([right, place], [right + TICK, place], &style);
            svg.text([right + TICK + 4.0, place + 4.5], Anchor::Start, TICK_SIZE, label);
        }
        if !self.label.is_empty() {
            let [x, y, _, height] = bar;
            svg.upward_text([x + self.thickness() - GAP - 2.0, y + height / 2.0], LABEL_SIZE, &self.label);
        }
    }

    fn draw_level_ticks(&self, svg: &mut Svg, bar: [f64; 4]) {
        let style = format!("stroke=\"{INK}\" stroke-width=\"0.8\"");
        for (value, label) in self.ticks.places.iter().zip(&self.ticks.labels) {
            let [place, bottom] = self.point(bar, self.scale.share(*value), 1.0);
            svg.line([place, bottom], [place, bottom + TICK], &style);
            svg.text([place, bottom + TICK + TICK_SIZE + 2.0], Anchor::Middle, TICK_SIZE, label);
        }
        if !self.label.is_empty() {
            let [x, y, width, height] = bar;
            let place = [x + width / 2.0, y + height + TICK + TICK_SIZE + LABEL_SIZE + 7.0];
            svg.text(place, Anchor::Middle, LABEL_SIZE, &self.label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::{Bands, Colours, Range};

    #[test]
    fn a_point_stands_at_the_end_that_values_pass() {
        let bar = |range, bands| {
            let colours = Colours { range, bands, ..Colours::default() };
            let scale = Scale::new(&[1.0, 2.0, 30.0], "", &colours).unwrap();
            let mut svg = Svg::new(200.0, 200.0, "");
            ColourBar::new(&scale, "q", "m", true, 200.0)
                .draw(&mut svg, [0.0, 0.0, 100.0, 200.0], 0.0)
                .unwrap();
            svg.finish()
        };
        assert_eq!(bar(Range::Full, Bands::None).matches("<path").count(), 0);
        assert_eq!(bar(Range::Fixed(1.0, 5.0), Bands::None).matches("<path").count(), 1);
        assert_eq!(bar(Range::Fixed(1.5, 5.0), Bands::None).matches("<path").count(), 2);
        let banded = bar(Range::Full, Bands::Edges(&[0.0, 10.0, 20.0]));
        assert_eq!(banded.matches("<path").count(), 3, "two bands and a point: {banded}");
    }
}
