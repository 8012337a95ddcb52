//! Bar charts: one value for each of a few names.

use crate::{
    error::ChartError,
    font,
    frame::{AxisPlan, Frame, FramePlan, Measure},
    plot::{Sample, SampleLook, TICK_SIZE, WIDTH, extent, line_colour, pad},
    svg::{Anchor, INK, Svg},
};

const HEIGHT: f64 = 360.0;
/// Names wider than this are turned into rows of a chart with level bars.
const WIDEST_NAME: f64 = 160.0;
const ROW: f64 = 30.0;

/// Bars for a few names: terms of a budget, scores of models, counts of a year.
///
/// Where names are long the bars run from left to right, one below the other.
///
/// # Examples
///
/// ```
/// use ocean_chart::{BarSet, BarSpec};
///
/// let spec = BarSpec {
///     title: "Heat budget of the mixed layer",
///     y_label: "mean of June to August",
///     units: "W m-2",
///     names: &["surface", "advection", "residual"],
///     sets: &[BarSet { label: "2015", values: &[45.0, -12.0, 3.0], errors: &[4.0, 2.0, 5.0] }],
///     ..BarSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("W m⁻²"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct BarSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The name of the quantity.
    pub y_label: &'a str,
    /// The units of the values.
    pub units: &'a str,
    /// The name of each group of bars.
    pub names: &'a [&'a str],
    /// The sets of bars, which stand side by side.
    pub sets: &'a [BarSet<'a>],
}

/// One bar for each name.
#[derive(Debug, Clone, Copy, Default)]
pub struct BarSet<'a> {
    /// Its name in the legend; empty for none.
    pub label: &'a str,
    /// The values; what is not finite has no bar.
    pub values: &'a [f64],
    /// Half the length of each error bar; empty for none.
    pub errors: &'a [f64],
}

impl BarSpec<'_> {
    /// Draws the bars as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::NoLines`] without names or sets, [`ChartError::Length`] if a set has not one value for each name,
    /// [`ChartError::NoData`] if no value is finite.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        self.check()?;
        let slot = (WIDTH - 120.0) / self.names.len() as f64;
        let widest = self.names.iter().map(|name| font::width(name, TICK_SIZE)).fold(0.0, f64::max);
        // Two lines of a name fit under its bar.
        let is_level = widest > WIDEST_NAME || widest > slot * 1.7;
        let rows = (self.names.len() * self.sets.len().max(1)) as f64;
        let size = if is_level { [WIDTH, (rows * ROW).max(120.0)] } else { [WIDTH, HEIGHT] };
        let ends = self.sets.iter().flat_map(|set| {
            set.values.iter().enumerate().flat_map(|(place, value)| {
                let error = set.errors.get(place).copied().filter(|error| error.is_finite()).unwrap_or(0.0);
                [value - error, value + error]
            })
        });
        let [low, high] = extent(ends.filter(|end| end.is_finite()).chain([0.0]));
        let [padded_low, padded_high] = pad([low, high], 0.06);
        let span = [if low < 0.0 { padded_low } else { 0.0 }, if high > 0.0 { padded_high } else { 0.0 }];
        let values = AxisPlan {
            measure: Measure::Number,
            span,
            name: self.y_label,
            units: self.units,
            is_turned: false,
        };
        let names = AxisPlan {
            measure: Measure::Bare,
            span: [0.0, self.names.len() as f64],
            name: "",
            units: "",
            is_turned: is_level,
        };
        let legend = self.sets.iter().enumerate().map(|(place, set)| Sample {
            label: set.label.to_owned(),
            colour: line_colour(place).to_owned(),
            look: SampleLook::Patch,
        });
        let room = widest.min(WIDTH * 0.45);
        let (x, y) = if is_level { (values, names) } else { (names, values) };
        let mut frame = Frame::new(FramePlan {
            title: self.title,
            subtitle: self.subtitle,
            x,
            y,
            legend: legend.collect(),
            size,
            right: if is_level { room } else { 0.0 },
            below: if is_level { 0.0 } else { TICK_SIZE + 4.0 },
        });
        if is_level {
            frame.shift(room);
        }
        let mut svg = frame.open();
        frame.draw_grid(&mut svg);
        for (place, set) in self.sets.iter().enumerate() {
            self.draw_set(&frame, &mut svg, set, place, is_level);
        }
        let zero = if is_level { frame.x.span.place(0.0) } else { frame.y.span.place(0.0) };
        let [left, top, width, height] = frame.area;
        let line =
            if is_level { [[zero, top], [zero, top + height]] } else { [[left, zero], [left + width, zero]] };
        svg.line(line[0], line[1], &format!("stroke=\"{INK}\" stroke-width=\"1\""));
        frame.close(&mut svg);
        self.draw_names(&frame, &mut svg, is_level, room);
        Ok(svg.finish())
    }

    fn check(&self) -> Result<(), ChartError> {
        if self.names.is_empty() || self.sets.is_empty() {
            return Err(ChartError::NoLines { title: self.title.to_owned() });
        }
        for set in self.sets {
            let errors = if set.errors.is_empty() { set.values.len() } else { set.errors.len() };
            for found in [set.values.len(), errors] {
                if found != self.names.len() {
                    let what = format!("bars {}", set.label);
                    return Err(ChartError::Length { what, expected: self.names.len(), found });
                }
            }
        }
        if !self.sets.iter().flat_map(|set| set.values).any(|value| value.is_finite()) {
            return Err(ChartError::NoData { what: format!("the bars of `{}`", self.title) });
        }
        Ok(())
    }

    fn draw_set(&self, frame: &Frame, svg: &mut Svg, set: &BarSet<'_>, place: usize, is_level: bool) {
        let share = 0.72 / self.sets.len() as f64;
        let thin = format!("stroke=\"{INK}\" stroke-width=\"1.3\"");
        for (name, value) in set.values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
            let from = name as f64 + 0.14 + place as f64 * share;
            let spot = |across: f64, value: f64| {
                if is_level { frame.place(value, across) } else { frame.place(across, value) }
            };
            let (one, other) = (spot(from, 0.0), spot(from + share, *value));
            let corner = [one[0].min(other[0]), one[1].min(other[1])];
            let area = [corner[0], corner[1], (one[0] - other[0]).abs(), (one[1] - other[1]).abs()];
            svg.rect(area, &format!("fill=\"{}\"", line_colour(place)));
            if let Some(error) = set.errors.get(name).copied().filter(|error| error.is_finite()) {
                let middle = from + share / 2.0;
                svg.line(spot(middle, value - error), spot(middle, value + error), &thin);
            }
        }
    }

    fn draw_names(&self, frame: &Frame, svg: &mut Svg, is_level: bool, room: f64) {
        let [left, top, width, height] = frame.area;
        let slot = width / self.names.len() as f64;
        for (place, name) in self.names.iter().enumerate() {
            let middle = place as f64 + 0.5;
            if is_level {
                let y = frame.y.span.place(middle) + 4.5;
                svg.text([left - 8.0, y], Anchor::End, TICK_SIZE, &font::shorten(name, TICK_SIZE, room));
            } else {
                let x = frame.x.span.place(middle);
                for (line, text) in font::wrap(name, TICK_SIZE, slot - 4.0, 2).iter().enumerate() {
                    let y = top + height + TICK_SIZE + 6.0 + line as f64 * (TICK_SIZE + 3.0);
                    svg.text([x, y], Anchor::Middle, TICK_SIZE, text);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::rasterise;

    #[test]
    fn long_names_make_level_bars() {
        let chart = |names: &[&str]| {
            let sets = [BarSet { label: "", values: &[3.0, -1.0], errors: &[] }];
            BarSpec { names, sets: &sets, ..BarSpec::default() }.to_svg().unwrap()
        };
        let bars = |svg: &str| -> Vec<String> {
            svg.lines()
                .filter(|line| line.starts_with("<rect") && line.contains("#0072b2"))
                .map(str::to_owned)
                .collect()
        };
        let short = chart(&["a", "b"]);
        let long = chart(&["a name that is much too long to stand under a bar", "b"]);
        assert_eq!((bars(&short).len(), bars(&long).len()), (2, 2));
        assert!(long.contains("under a bar</text>"));
        rasterise(&long, 300).unwrap();
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let chart = |values| {
            let sets = [BarSet { label: "", values, errors: &[] }];
            BarSpec { names: &["a", "b"], sets: &sets, ..BarSpec::default() }.to_svg()
        };
        assert!(matches!(chart(&[1.0]), Err(ChartError::Length { expected: 2, found: 1, .. })));
        assert!(matches!(chart(&[f64::NAN; 2]), Err(ChartError::NoData { .. })));
        chart(&[0.0, f64::NAN]).unwrap();
        assert!(matches!(BarSpec::default().to_svg(), Err(ChartError::NoLines { .. })));
    }
}
