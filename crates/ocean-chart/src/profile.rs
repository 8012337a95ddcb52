//! Profiles: values against depth, the surface on top.

use crate::{
    axis,
    error::ChartError,
    font,
    plot::{
        Heading, LABEL_SIZE, Legend, MARGIN, Span, TICK_SIZE, draw_frame, draw_line, extent, line_colour,
        pad, runs,
    },
    svg::{Anchor, INK, Svg},
};

const DRAWING_WIDTH: f64 = 560.0;
const FRAME_HEIGHT: f64 = 520.0;
const TICK: f64 = 5.0;

/// A chart of one or several profiles against depth, which grows downwards.
///
/// # Missing values
/// What is not finite is a gap in the line.
#[derive(Debug, Clone, Default)]
pub struct ProfileSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The name of the quantity.
    pub x_label: &'a str,
    /// The units of the values.
    pub units: &'a str,
    /// The profiles, in the order of the legend.
    pub lines: &'a [ProfileLine<'a>],
}

/// One profile.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProfileLine<'a> {
    /// Its name in the legend; empty for none.
    pub label: &'a str,
    /// Depths in metres below the surface, positive.
    pub depth: &'a [f64],
    /// The values, as many.
    pub values: &'a [f64],
}

impl ProfileSpec<'_> {
    /// Draws the profiles as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::NoLines`] without a profile, [`ChartError::Length`] if a profile's arrays differ in length.
    ///
    /// # Examples
    ///
    /// ```
    /// use ocean_chart::{ProfileLine, ProfileSpec};
    ///
    /// let lines = [ProfileLine { label: "basin", depth: &[0.0, 50.0, 500.0], values: &[28.0, 26.0, 8.0] }];
    /// let spec = ProfileSpec { title: "Temperature", x_label: "temperature", units: "degC", lines: &lines, subtitle: "" };
    /// assert!(spec.to_svg()?.contains("depth (m)"));
    /// # Ok::<(), ocean_chart::ChartError>(())
    /// ```
    pub fn to_svg(&self) -> Result<String, ChartError> {
        if self.lines.is_empty() {
            return Err(ChartError::NoLines { title: self.title.to_owned() });
        }
        if let Some(line) = self.lines.iter().find(|line| line.depth.len() != line.values.len()) {
            let what = format!("profile {}", line.label);
            return Err(ChartError::Length { what, expected: line.depth.len(), found: line.values.len() });
        }
        let left = MARGIN + LABEL_SIZE + 10.0 + font::width("88888", TICK_SIZE) + TICK + 5.0;
        let width = DRAWING_WIDTH - left - MARGIN - 10.0;
        let heading = Heading::new(self.title, self.subtitle, DRAWING_WIDTH);
        let legend = Legend::new(self.lines.iter().map(|line| (line.label, false)), width);
        let top = heading.height() + legend.height() + 4.0;
        let foot = TICK + TICK_SIZE + LABEL_SIZE + 8.0 + MARGIN;
        let frame = [left, top, width, FRAME_HEIGHT];

        let [low, high] = pad(extent(self.lines.iter().flat_map(|line| line.values).copied()), 0.06);
        let [shallow, deep] = extent(self.lines.iter().flat_map(|line| line.depth).copied());
        let x = Span { low, high, pixels: [left, left + width] };
        let depth = Span { low: shallow.min(0.0), high: deep, pixels: [top, top + FRAME_HEIGHT] };

        let mut svg = Svg::new(DRAWING_WIDTH, top + FRAME_HEIGHT + foot, self.title);
        heading.draw(&mut svg);
        legend.draw(&mut svg, [left, top - legend.height()]);
        self.draw_axes(&mut svg, frame, &x, &depth);
        svg.open_clip("plot", frame);
        for (place, line) in self.lines.iter().enumerate() {
            let points =
                line.values.iter().zip(line.depth).map(|(value, at)| [x.place(*value), depth.place(*at)]);
            draw_line(&mut svg, &runs(points), line_colour(place), false);
        }
        svg.close_clip();
        draw_frame(&mut svg, frame);
        Ok(svg.finish())
    }

    fn draw_axes(&self, svg: &mut Svg, frame: [f64; 4], x: &Span, depth: &Span) {
        let [left, top, width, height] = frame;
        let (right, bottom) = (left + width, top + height);
        let style = format!("stroke=\"{INK}\" stroke-width=\"1\"");
        let grid = "stroke=\"#dddddd\" stroke-width=\"0.8\"";
        let ticks = axis::linear(x.low, x.high, 7);
        for (value, label) in ticks.places.iter().zip(&ticks.labels) {
            let place = x.place(*value);
            svg.line([place, top], [place, bottom], grid);
            svg.line([place, bottom], [place, bottom + TICK], &style);
            svg.text([place, bottom + TICK + TICK_SIZE + 1.0], Anchor::Middle, TICK_SIZE, label);
        }
        let label = font::shorten(&axis::label(self.x_label, self.units, ticks.power), LABEL_SIZE, width);
        let below = bottom + TICK + TICK_SIZE + LABEL_SIZE + 7.0;
        svg.text([left + width / 2.0, below], Anchor::Middle, LABEL_SIZE, &label);

        let ticks = axis::linear(depth.low, depth.high, 8);
        for (value, label) in ticks.places.iter().zip(&ticks.labels) {
            let place = depth.place(*value);
            svg.line([left, place], [right, place], grid);
            svg.line([left - TICK, place], [left, place], &style);
            svg.text([left - TICK - 4.0, place + 4.5], Anchor::End, TICK_SIZE, label);
        }
        let label = axis::label("depth", "m", ticks.power);
        svg.upward_text([MARGIN + LABEL_SIZE - 3.0, top + height / 2.0], LABEL_SIZE, &label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surface_is_on_top() {
        let lines = [ProfileLine { label: "a", depth: &[0.0, 1000.0], values: &[20.0, 5.0] }];
        let svg = ProfileSpec { lines: &lines, ..ProfileSpec::default() }.to_svg().unwrap();
        let path = svg.lines().rfind(|line| line.starts_with("<path") && line.contains("#0072b2")).unwrap();
        let heights: Vec<f64> =
            path.split(['M', 'L', '"']).filter_map(|part| part.split_once(' ')?.1.parse().ok()).collect();
        assert!(heights[0] < heights[1], "{path}");
    }

    #[test]
    fn nothing_is_drawn_as_nothing() {
        let lines = [ProfileLine { label: "a", depth: &[f64::NAN], values: &[f64::NAN] }];
        ProfileSpec { lines: &lines, ..ProfileSpec::default() }.to_svg().unwrap();
        let lines = [ProfileLine { label: "a", depth: &[1.0], values: &[] }];
        assert!(ProfileSpec { lines: &lines, ..ProfileSpec::default() }.to_svg().is_err());
        assert!(matches!(ProfileSpec::default().to_svg(), Err(ChartError::NoLines { .. })));
    }
}
