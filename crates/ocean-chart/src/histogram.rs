//! Histograms: counts or densities in bins.

use crate::{
    error::ChartError,
    frame::{AxisPlan, Frame, FramePlan, Measure},
    plot::{Sample, SampleLook, TICK_SIZE, WIDTH, draw_line, haloed_text, line_colour, thin_style},
    svg::{Anchor, INK},
};

const HEIGHT: f64 = 360.0;

/// Counts in bins, of one or several samples.
///
/// # Shapes
/// Each set has one value for each bin; there is one edge more than bins.
///
/// # Examples
///
/// ```
/// use ocean_chart::{HistogramSet, HistogramSpec, ValueMark};
///
/// let spec = HistogramSpec {
///     title: "Surface temperature",
///     x_label: "temperature",
///     units: "degC",
///     edges: &[24.0, 26.0, 28.0, 30.0],
///     sets: &[HistogramSet { label: "2015", values: &[12.0, 80.0, 35.0] }],
///     marks: &[ValueMark { value: 27.1, label: "mean" }],
///     ..HistogramSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("number of values"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct HistogramSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The name of the quantity.
    pub x_label: &'a str,
    /// Its units.
    pub units: &'a str,
    /// The edges of the bins, rising.
    pub edges: &'a [f64],
    /// The samples: the first as filled bars, others as outlines.
    pub sets: &'a [HistogramSet<'a>],
    /// What is counted; `number of values` if empty.
    pub y_label: &'a str,
    /// The units of the bars; none for counts.
    pub y_units: &'a str,
    /// Values marked by upright lines: means, percentiles, thresholds.
    pub marks: &'a [ValueMark<'a>],
}

/// The counts or densities of one sample.
#[derive(Debug, Clone, Copy, Default)]
pub struct HistogramSet<'a> {
    /// Its name in the legend; empty for none.
    pub label: &'a str,
    /// The height of each bar, zero or more.
    pub values: &'a [f64],
}

/// A value of the horizontal axis that is marked.
#[derive(Debug, Clone, Copy)]
pub struct ValueMark<'a> {
    /// The value.
    pub value: f64,
    /// Its name. May be empty.
    pub label: &'a str,
}

impl HistogramSpec<'_> {
    /// Draws the histogram as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::NoLines`] without a sample, [`ChartError::Axis`] if the edges do not rise,
    /// [`ChartError::Length`] if a sample does not fit them, [`ChartError::NoData`] if it has no finite value.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        let span = self.check()?;
        let all = self.sets.iter().flat_map(|set| set.values).copied().filter(|value| value.is_finite());
        let highest = all.fold(0.0, f64::max);
        let legend = self.sets.iter().enumerate().map(|(place, set)| Sample {
            label: set.label.to_owned(),
            colour: line_colour(place).to_owned(),
            look: if place == 0 { SampleLook::Patch } else { SampleLook::Line },
        });
        let y_name = if self.y_label.is_empty() { "number of values" } else { self.y_label };
        let frame = Frame::new(FramePlan {
            title: self.title,
            subtitle: self.subtitle,
            x: AxisPlan {
                measure: Measure::Number,
                span,
                name: self.x_label,
                units: self.units,
                is_turned: false,
            },
            y: AxisPlan {
                measure: Measure::Number,
                span: [0.0, if highest > 0.0 { highest * 1.08 } else { 1.0 }],
                name: y_name,
                units: self.y_units,
                is_turned: false,
            },
            legend: legend.collect(),
            size: [WIDTH, HEIGHT],
            right: 0.0,
            below: 0.0,
        });
        let mut svg = frame.open();
        frame.draw_grid(&mut svg);
        for (place, set) in self.sets.iter().enumerate() {
            if place == 0 {
                let style =
                    format!("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.8\"", line_colour(place));
                for (pair, value) in self.edges.windows(2).zip(set.values).filter(|(_, value)| **value > 0.0)
                {
                    let ([left, top], [right, bottom]) =
                        (frame.place(pair[0], *value), frame.place(pair[1], 0.0));
                    svg.rect([left, top, right - left, bottom - top], &style);
                }
            } else {
                let steps = self.edges.windows(2).zip(set.values).flat_map(|(pair, value)| {
                    let value = if value.is_finite() { *value } else { 0.0 };
                    [frame.place(pair[0], value), frame.place(pair[1], value)]
                });
                draw_line(&mut svg, &[steps.collect()], line_colour(place), false);
            }
        }
        draw_value_marks(&frame, &mut svg, self.marks);
        frame.close(&mut svg);
        Ok(svg.finish())
    }

    fn check(&self) -> Result<[f64; 2], ChartError> {
        if self.sets.is_empty() {
            return Err(ChartError::NoLines { title: self.title.to_owned() });
        }
        let span = crate::cells::Cells::between(self.edges, "bin")?.span();
        if self.edges[0] > self.edges[1] {
            return Err(ChartError::Axis { axis: "bin", problem: "falls" });
        }
        for set in self.sets {
            if set.values.len() + 1 != self.edges.len() {
                let what = format!("sample {}", set.label);
                return Err(ChartError::Length {
                    what,
                    expected: self.edges.len() - 1,
                    found: set.values.len(),
                });
            }
            if !set.values.iter().any(|value| value.is_finite()) {
                return Err(ChartError::NoData { what: format!("the bars of `{}`", self.title) });
            }
        }
        Ok(span)
    }
}

/// Draws upright thin lines with their names, each a row below the last.
pub(crate) fn draw_value_marks(frame: &Frame, svg: &mut crate::svg::Svg, marks: &[ValueMark<'_>]) {
    let [left, top, width, height] = frame.area;
    let mut row = 0.0;
    for mark in marks {
        let at = frame.x.span.place(mark.value);
        if !(at >= left && at <= left + width) {
            continue;
        }
        svg.path(&[vec![[at, top], [at, top + height]]], false, &thin_style(INK));
        if mark.label.is_empty() {
            continue;
        }
        let is_right = at + crate::font::width(mark.label, TICK_SIZE) + 8.0 < left + width;
        let (x, anchor) = if is_right { (at + 5.0, Anchor::Start) } else { (at - 5.0, Anchor::End) };
        haloed_text(svg, [x, top + TICK_SIZE + 4.0 + row], anchor, TICK_SIZE, mark.label);
        row += TICK_SIZE + 4.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_on_zero() {
        let sets = [HistogramSet { label: "a", values: &[0.0, 4.0, 2.0] }];
        let spec = HistogramSpec { edges: &[0.0, 1.0, 2.0, 3.0], sets: &sets, ..HistogramSpec::default() };
        let svg = spec.to_svg().unwrap();
        let bars: Vec<(f64, f64)> = svg
            .lines()
            .filter(|line| line.starts_with("<rect") && line.contains("stroke=\"#ffffff\""))
            .map(|line| {
                let number =
                    |key: &str| line.split(key).nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
                (number(" y=\""), number(" height=\""))
            })
            .collect();
        assert_eq!(bars.len(), 2, "an empty bin has no bar");
        assert!((bars[0].0 + bars[0].1 - bars[1].0 - bars[1].1).abs() < 0.02, "{bars:?}");
        assert!((bars[0].1 / bars[1].1 - 2.0).abs() < 0.01);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let spec = |edges, values| {
            let sets = [HistogramSet { label: "", values }];
            HistogramSpec { edges, sets: &sets, ..HistogramSpec::default() }.to_svg().unwrap_err()
        };
        assert!(matches!(spec(&[0.0, 1.0], &[]), ChartError::Length { .. }));
        assert!(matches!(spec(&[1.0, 0.0], &[1.0]), ChartError::Axis { .. }));
        assert!(matches!(spec(&[0.0, 1.0], &[f64::NAN]), ChartError::NoData { .. }));
        assert!(matches!(HistogramSpec::default().to_svg(), Err(ChartError::NoLines { .. })));
    }
}
