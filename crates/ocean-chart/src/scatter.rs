//! Scatter diagrams: points of two quantities, coloured by a third, with a fitted line.

use crate::{
    colour::{Colours, Scale, hex},
    colour_bar::ColourBar,
    error::ChartError,
    float::floor_index,
    frame::{AxisPlan, Frame, FramePlan, Measure},
    plot::{LABEL_SIZE, Sample, SampleLook, draw_line, extent, haloed_text, line_colour, pad, thin_style},
    svg::{Anchor, INK, Svg},
};

const SIDE: f64 = 520.0;
/// More points than this are drawn smaller and paler; of more than a hundred times as many only some are drawn.
const MANY: usize = 2000;

/// Points of two quantities.
///
/// # Shapes
/// `x`, `y` and, if there are any, `colour_values` are as long.
///
/// # Missing values
/// A point of which a number is not finite is left out; one whose colour is missing is grey.
///
/// # Examples
///
/// ```
/// use ocean_chart::{FittedLine, ScatterSpec};
///
/// let spec = ScatterSpec {
///     title: "Model against buoys",
///     x_label: "observed",
///     x_units: "degC",
///     y_label: "modelled",
///     y_units: "degC",
///     x: &[20.0, 22.0, 25.0],
///     y: &[20.4, 21.8, 25.6],
///     fit: Some(FittedLine { slope: 1.05, intercept: -0.9, label: "r = 0.99, n = 3" }),
///     has_identity: true,
///     ..ScatterSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("r = 0.99"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ScatterSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The name of the horizontal quantity.
    pub x_label: &'a str,
    /// Its units.
    pub x_units: &'a str,
    /// The name of the vertical quantity.
    pub y_label: &'a str,
    /// Its units.
    pub y_units: &'a str,
    /// Horizontal places.
    pub x: &'a [f64],
    /// Vertical places.
    pub y: &'a [f64],
    /// A third quantity that colours the points; empty for none.
    pub colour_values: &'a [f64],
    /// The name of the third quantity.
    pub colour_label: &'a str,
    /// Its units.
    pub colour_units: &'a str,
    /// Its colours.
    pub colours: Colours<'a>,
    /// A fitted line.
    pub fit: Option<FittedLine<'a>>,
    /// Whether the line of equal values is drawn, both axes over one range.
    pub has_identity: bool,
}

/// A straight line through the points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedLine<'a> {
    /// Vertical units for each horizontal one.
    pub slope: f64,
    /// The vertical value at zero.
    pub intercept: f64,
    /// What is known of it, such as `r = 0.8`. May be empty.
    pub label: &'a str,
}

impl ScatterSpec<'_> {
    /// Draws the points as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::Length`] if the arrays differ in length, [`ChartError::NoData`] if no point is complete.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        let needed = [("y", self.y.len()), ("colour values", self.colour_values.len())];
        for (what, found) in needed {
            if found != self.x.len() && !(what != "y" && found == 0) {
                return Err(ChartError::Length { what: what.to_owned(), expected: self.x.len(), found });
            }
        }
        let is_complete = |place: &usize| self.x[*place].is_finite() && self.y[*place].is_finite();
        let points: Vec<usize> = (0..self.x.len()).filter(is_complete).collect();
        if points.is_empty() {
            return Err(ChartError::NoData { what: format!("the points of `{}`", self.title) });
        }
        let has_colours = self.colour_values.iter().any(|value| value.is_finite());
        let scale = if has_colours {
            Some(Scale::new(self.colour_values, self.colour_units, &self.colours)?)
        } else {
            None
        };
        let bar = scale
            .as_ref()
            .map(|scale| ColourBar::new(scale, self.colour_label, self.colour_units, true, SIDE));
        let frame = self.frame(&points, bar.as_ref().map_or(0.0, ColourBar::thickness));
        let mut svg = frame.open();
        frame.draw_grid(&mut svg);
        if self.has_identity {
            let [low, high] = [frame.x.span.low, frame.x.span.high];
            svg.path(&[vec![frame.place(low, low), frame.place(high, high)]], false, &thin_style(INK));
        }
        self.draw_points(&frame, &mut svg, &points, scale.as_ref());
        self.draw_fit(&frame, &mut svg);
        frame.close(&mut svg);
        if let Some(bar) = bar {
            bar.draw(&mut svg, frame.area, frame.foot())?;
        }
        Ok(svg.finish())
    }

    fn frame(&self, points: &[usize], right: f64) -> Frame {
        let ends = |values: &[f64]| extent(points.iter().map(|place| values[*place]));
        let (mut x, mut y) = (ends(self.x), ends(self.y));
        if self.has_identity {
            x = [x[0].min(y[0]), x[1].max(y[1])];
            y = x;
        }
        let plan = |span, name, units| AxisPlan {
            measure: Measure::Number,
            span: pad(span, 0.05),
            name,
            units,
            is_turned: false,
        };
        let sample = |label: &str, colour: &str, look| Sample {
            label: label.to_owned(),
            colour: colour.to_owned(),
            look,
        };
        let mut legend = Vec::new();
        if let Some(fit) = self.fit {
            legend.push(sample(
                if fit.label.is_empty() { "fit" } else { fit.label },
                line_colour(1),
                SampleLook::Line,
            ));
        }
        if self.has_identity {
            legend.push(sample("equal values", INK, SampleLook::Thin));
        }
        Frame::new(FramePlan {
            title: self.title,
            subtitle: self.subtitle,
            x: plan(x, self.x_label, self.x_units),
            y: plan(y, self.y_label, self.y_units),
            legend,
            size: [SIDE + 110.0 + right, SIDE],
            right,
            below: 0.0,
        })
    }

    fn draw_points(&self, frame: &Frame, svg: &mut Svg, points: &[usize], scale: Option<&Scale>) {
        let step = points.len().div_ceil(MANY * 100).max(1);
        let count = points.len() / step;
        let (radius, opacity) = match floor_index(libm::log10(count as f64 + 1.0)) {
            0 | 1 => (4.5, 0.9),
            2 => (3.6, 0.75),
            3 => (2.4, 0.5),
            _ => (1.6, 0.3),
        };
        for place in points.iter().step_by(step) {
            let colour = match scale {
                Some(scale) => hex(scale.colour(self.colour_values[*place])),
                None => line_colour(0).to_owned(),
            };
            let at = frame.place(self.x[*place], self.y[*place]);
            svg.circle(at, radius, &format!("fill=\"{colour}\" fill-opacity=\"{opacity}\""));
        }
        if step > 1 {
            let [left, top, _, height] = frame.area;
            let note = format!("every {step}th of {} points", points.len());
            haloed_text(svg, [left + 8.0, top + height - 8.0], Anchor::Start, LABEL_SIZE, &note);
        }
    }

    fn draw_fit(&self, frame: &Frame, svg: &mut Svg) {
        let Some(fit) = self.fit.filter(|fit| fit.slope.is_finite() && fit.intercept.is_finite()) else {
            return;
        };
        let end = |x: f64| frame.place(x, fit.intercept + fit.slope * x);
        draw_line(svg, &[vec![end(frame.x.span.low), end(frame.x.span.high)]], line_colour(1), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_points_are_left_out() {
        let spec =
            ScatterSpec { x: &[1.0, f64::NAN, 3.0], y: &[1.0, 2.0, f64::INFINITY], ..ScatterSpec::default() };
        assert_eq!(spec.to_svg().unwrap().matches("<circle").count(), 1);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let spec = ScatterSpec { x: &[1.0, 2.0], y: &[1.0], ..ScatterSpec::default() };
        assert!(matches!(spec.to_svg(), Err(ChartError::Length { .. })));
        let spec = ScatterSpec { x: &[1.0], y: &[1.0], colour_values: &[1.0, 2.0], ..ScatterSpec::default() };
        assert!(matches!(spec.to_svg(), Err(ChartError::Length { .. })));
        assert!(matches!(ScatterSpec::default().to_svg(), Err(ChartError::NoData { .. })));
        let fit = Some(FittedLine { slope: f64::NAN, intercept: 0.0, label: "" });
        ScatterSpec { x: &[1.0], y: &[1.0], fit, ..ScatterSpec::default() }.to_svg().unwrap();
    }
}
