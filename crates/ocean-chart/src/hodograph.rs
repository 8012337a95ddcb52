//! Hodographs: the tips of velocity vectors, joined in the order of depth or time.

use crate::{
    axis,
    colour::{Colours, Scale, hex},
    colour_bar::ColourBar,
    error::ChartError,
    frame::{AxisPlan, Frame, FramePlan, Measure},
    plot::{TICK_SIZE, draw_line, haloed_text, runs},
    svg::{Anchor, INK, Svg},
};

const SIDE: f64 = 500.0;

/// A hodograph: eastward against northward velocity, equally scaled, coloured by depth or time.
///
/// # Shapes
/// `east`, `north` and, if there are any, `colour_values` are as long.
///
/// # Examples
///
/// ```
/// use ocean_chart::HodographSpec;
///
/// let spec = HodographSpec {
///     title: "Ekman spiral",
///     units: "m s-1",
///     east: &[0.2, 0.1, 0.0],
///     north: &[0.1, 0.05, 0.0],
///     colour_values: &[0.0, 20.0, 60.0],
///     colour_label: "depth",
///     colour_units: "m",
///     ..HodographSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("eastward (m s⁻¹)"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct HodographSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The units of both velocities.
    pub units: &'a str,
    /// Eastward velocities.
    pub east: &'a [f64],
    /// Northward velocities.
    pub north: &'a [f64],
    /// What colours the points; empty for none.
    pub colour_values: &'a [f64],
    /// Its name.
    pub colour_label: &'a str,
    /// Its units.
    pub colour_units: &'a str,
    /// Its colours.
    pub colours: Colours<'a>,
}

impl HodographSpec<'_> {
    /// Draws the hodograph as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::Length`] if the arrays differ in length, [`ChartError::NoData`] if no vector is complete.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        let colours = if self.colour_values.is_empty() { self.east.len() } else { self.colour_values.len() };
        for (what, found) in [("north", self.north.len()), ("colour values", colours)] {
            if found != self.east.len() {
                return Err(ChartError::Length { what: what.to_owned(), expected: self.east.len(), found });
            }
        }
        let complete =
            self.east.iter().zip(self.north).filter(|(east, north)| east.is_finite() && north.is_finite());
        let speeds: Vec<f64> = complete.map(|(east, north)| libm::hypot(*east, *north)).collect();
        if speeds.is_empty() {
            return Err(ChartError::NoData { what: format!("the vectors of `{}`", self.title) });
        }
        let fastest = speeds.iter().copied().fold(0.0, f64::max);
        let reach = if fastest > 0.0 { fastest * 1.12 } else { 1.0 };
        let has_colours = self.colour_values.iter().any(|value| value.is_finite());
        let scale = if has_colours {
            Some(Scale::new(self.colour_values, self.colour_units, &self.colours)?)
        } else {
            None
        };
        let bar = scale
            .as_ref()
            .map(|scale| ColourBar::new(scale, self.colour_label, self.colour_units, true, SIDE));
        let right = bar.as_ref().map_or(0.0, ColourBar::thickness);
        let plan = |name| AxisPlan {
            measure: Measure::Number,
            span: [-reach, reach],
            name,
            units: self.units,
            is_turned: false,
        };
        let frame = Frame::new(FramePlan {
            title: self.title,
            subtitle: self.subtitle,
            x: plan("eastward"),
            y: plan("northward"),
            legend: Vec::new(),
            size: [SIDE + 118.0 + right, SIDE],
            right,
            below: 0.0,
        });
        let mut svg = frame.open();
        draw_rings(&frame, &mut svg, reach);
        let points: Vec<[f64; 2]> =
            self.east.iter().zip(self.north).map(|(east, north)| frame.place(*east, *north)).collect();
        draw_line(&mut svg, &runs(points.iter().copied()), INK, false);
        for (place, point) in
            points.iter().enumerate().filter(|(_, point)| point.iter().all(|part| part.is_finite()))
        {
            let fill =
                scale.as_ref().map_or(INK.to_owned(), |scale| hex(scale.colour(self.colour_values[place])));
            svg.circle(*point, 4.0, &format!("fill=\"{fill}\" stroke=\"#ffffff\" stroke-width=\"0.7\""));
        }
        frame.close(&mut svg);
        if let Some(bar) = bar {
            bar.draw(&mut svg, frame.area, frame.foot())?;
        }
        Ok(svg.finish())
    }
}

/// Rings of equal speed and the axes through zero.
fn draw_rings(frame: &Frame, svg: &mut Svg, reach: f64) {
    let [left, top, width, height] = frame.area;
    let middle = frame.place(0.0, 0.0);
    let style = "fill=\"none\" stroke=\"#c8c8c8\" stroke-width=\"0.9\"";
    let ticks = axis::linear(0.0, reach, 4);
    for (speed, label) in ticks.places.iter().zip(&ticks.labels).filter(|(speed, _)| **speed > 0.0) {
        // Both axes are scaled alike but for a pixel: a ring is a circle.
        let radius = frame.place(*speed, 0.0)[0] - middle[0];
        svg.circle(middle, radius, style);
        let at = [middle[0] + radius * 0.71, middle[1] - radius * 0.71];
        haloed_text(svg, at, Anchor::Middle, TICK_SIZE - 1.0, label);
    }
    svg.line([left, middle[1]], [left + width, middle[1]], style);
    svg.line([middle[0], top], [middle[0], top + height], style);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused() {
        let chart = |east, north| HodographSpec { east, north, ..HodographSpec::default() }.to_svg();
        assert!(matches!(chart(&[1.0], &[]), Err(ChartError::Length { .. })));
        assert!(matches!(chart(&[f64::NAN], &[0.0]), Err(ChartError::NoData { .. })));
        chart(&[0.0], &[0.0]).unwrap();
    }
}
