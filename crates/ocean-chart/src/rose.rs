//! Roses: how often a wind or a current has which direction and speed.

use crate::{
    axis,
    colour::hex,
    error::ChartError,
    font,
    palette::Palette,
    plot::{Heading, LABEL_SIZE, MARGIN, TICK_SIZE},
    svg::{Anchor, INK, Svg},
};

const RADIUS: f64 = 215.0;
const WIDTH: f64 = 660.0;

/// A rose: shares of directions, each divided by classes of speed.
///
/// # Shapes
/// `shares` is `(direction, class)`, row-major: the n-th direction is n turns of 360° over their number, clockwise from
/// north; there is one edge more than classes.
///
/// # Examples
///
/// ```
/// use ocean_chart::RoseSpec;
///
/// let spec = RoseSpec {
///     title: "Wind at the buoy",
///     quantity: "wind speed",
///     units: "m s-1",
///     edges: &[0.0, 5.0, 10.0],
///     shares: &[0.1, 0.2, 0.2, 0.1, 0.05, 0.1, 0.15, 0.1],
///     ..RoseSpec::default()
/// };
/// assert!(spec.to_svg()?.contains(">N<"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct RoseSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it, such as whether directions are those that it comes from. May be empty.
    pub subtitle: &'a str,
    /// The name of the speed.
    pub quantity: &'a str,
    /// The units of the speed.
    pub units: &'a str,
    /// Edges of the classes of speed, rising.
    pub edges: &'a [f64],
    /// Shares of all values, 0 to 1.
    pub shares: &'a [f64],
}

impl RoseSpec<'_> {
    /// Draws the rose as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::Axis`] if the edges do not rise, [`ChartError::Length`] if the shares are not those of three or
    /// more directions, [`ChartError::NoData`] if no share is above zero.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        crate::cells::Cells::between(self.edges, "speed")?;
        let classes = self.edges.len() - 1;
        let directions = self.shares.len() / classes;
        if !self.shares.len().is_multiple_of(classes) || directions < 3 {
            let expected = classes * directions.max(3);
            return Err(ChartError::Length { what: "shares".to_owned(), expected, found: self.shares.len() });
        }
        let share = |at: usize| if self.shares[at].is_finite() { self.shares[at].max(0.0) } else { 0.0 };
        let sums =
            (0..directions).map(|way| (0..classes).map(|class| share(way * classes + class)).sum::<f64>());
        let longest = sums.fold(0.0, f64::max);
        if longest <= 0.0 {
            return Err(ChartError::NoData { what: format!("the shares of `{}`, above zero,", self.title) });
        }
        let heading = Heading::new(self.title, self.subtitle, WIDTH);
        let middle = [MARGIN + RADIUS + 30.0, heading.height() + RADIUS + 34.0];
        let mut svg = Svg::new(WIDTH, middle[1] + RADIUS + 34.0 + MARGIN, self.title);
        heading.draw(&mut svg);
        let rings = axis::linear(0.0, longest * 100.0, 4);
        let reach = rings.places.last().copied().unwrap_or(0.0).max(longest * 100.0) / 100.0;
        draw_web(&mut svg, middle, &rings, reach);
        let colours: Vec<String> = (0..classes)
            .map(|class| hex(Palette::Speed.colours()[(class * 2 + 1) * 255 / (classes * 2)]))
            .collect();
        for way in 0..directions {
            let turn = 360.0 / directions as f64;
            let (from, to) = ((way as f64 - 0.42) * turn, (way as f64 + 0.42) * turn);
            let mut inner = 0.0;
            for (class, colour) in colours.iter().enumerate() {
                let outer = inner + share(way * classes + class) / reach * RADIUS;
                if outer > inner {
                    let style = format!("fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"0.6\"");
                    svg.path(&[wedge(middle, [inner, outer], [from, to])], true, &style);
                }
                inner = outer;
            }
        }
        for (place, ring) in rings.places.iter().enumerate().filter(|(_, ring)| **ring > 0.0) {
            let at = spot(middle, ring / 100.0 / reach * RADIUS, 67.5);
            let text = format!("{} %", rings.labels[place]);
            crate::plot::haloed_text(&mut svg, at, Anchor::Middle, 12.0, &text);
        }
        self.draw_classes(&mut svg, middle, &colours);
        Ok(svg.finish())
    }

    fn draw_classes(&self, svg: &mut Svg, middle: [f64; 2], colours: &[String]) {
        let left = middle[0] + RADIUS + 42.0;
        let mut y = middle[1] - colours.len() as f64 * 11.0;
        let label = font::shorten(&axis::label(self.quantity, self.units, 0), LABEL_SIZE, WIDTH - left - 6.0);
        svg.text([left, y - 12.0], Anchor::Start, LABEL_SIZE, &label);
        for (pair, colour) in self.edges.windows(2).zip(colours).rev() {
            svg.rect([left, y, 18.0, 16.0], &format!("fill=\"{colour}\""));
            let text = format!("{} to {}", axis::brief(pair[0]), axis::brief(pair[1]));
            svg.text([left + 25.0, y + 13.0], Anchor::Start, TICK_SIZE, &text);
            y += 22.0;
        }
    }
}

/// A point at a distance and an angle clockwise from north.
fn spot([x, y]: [f64; 2], distance: f64, degrees: f64) -> [f64; 2] {
    let angle = degrees * std::f64::consts::PI / 180.0;
    [x + distance * libm::sin(angle), y - distance * libm::cos(angle)]
}

fn wedge(middle: [f64; 2], [inner, outer]: [f64; 2], [from, to]: [f64; 2]) -> Vec<[f64; 2]> {
    let steps = 8;
    let angle = |step: i32| from + (to - from) * f64::from(step) / f64::from(steps);
    let there = (0..=steps).map(|step| spot(middle, outer, angle(step)));
    let back = (0..=steps).rev().map(|step| spot(middle, inner, angle(step)));
    there.chain(back).collect()
}

fn draw_web(svg: &mut Svg, middle: [f64; 2], rings: &axis::Ticks, reach: f64) {
    for ring in rings.places.iter().filter(|ring| **ring > 0.0) {
        let radius = ring / 100.0 / reach * RADIUS;
        svg.circle(middle, radius, "fill=\"none\" stroke=\"#d0d0d0\" stroke-width=\"0.8\"");
    }
    svg.circle(middle, RADIUS, &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1\""));
    for (place, name) in ["N", "NE", "E", "SE", "S", "SW", "W", "NW"].into_iter().enumerate() {
        let angle = place as f64 * 45.0;
        svg.line(middle, spot(middle, RADIUS, angle), "stroke=\"#d0d0d0\" stroke-width=\"0.8\"");
        let [x, y] = spot(middle, RADIUS + 15.0, angle);
        svg.text([x, y + 5.0], Anchor::Middle, LABEL_SIZE, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn north_is_up_and_east_is_right() {
        let [x, y] = spot([0.0, 0.0], 1.0, 90.0);
        assert!((x - 1.0).abs() < 1e-12 && y.abs() < 1e-12);
        assert!(spot([0.0, 0.0], 1.0, 0.0)[1] < 0.0);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let rose = |shares| RoseSpec { edges: &[0.0, 1.0, 2.0], shares, ..RoseSpec::default() }.to_svg();
        assert!(matches!(rose(&[0.1; 5]), Err(ChartError::Length { .. })));
        assert!(matches!(rose(&[0.0; 8]), Err(ChartError::NoData { .. })));
        assert!(rose(&[0.1, f64::NAN, 0.1, 0.1, 0.1, 0.1, 0.0, 0.0]).is_ok());
        assert!(matches!(RoseSpec::default().to_svg(), Err(ChartError::Axis { .. })));
    }
}
