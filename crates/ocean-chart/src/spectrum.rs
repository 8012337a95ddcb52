//! Spectra: power along frequency on logarithmic axes, with a confidence interval.

use crate::{
    error::ChartError,
    frame::{AxisPlan, Frame, FramePlan, Measure},
    histogram::{ValueMark, draw_value_marks},
    plot::{LABEL_SIZE, Sample, SampleLook, WIDTH, draw_line, line_colour, runs},
    svg::{Anchor, INK, Svg},
};

const HEIGHT: f64 = 430.0;
/// Power this many times below the highest is off the chart: noise of rounding would squeeze the rest.
const DEEPEST: f64 = 1e-12;

/// One or several spectra, log–log.
///
/// # Missing values
/// Points whose frequency or power is not finite and above zero are gaps: a logarithmic axis has no place for them.
///
/// # Examples
///
/// ```
/// use ocean_chart::{SpectrumLine, SpectrumSpec, ValueMark};
///
/// let frequency = [0.01, 0.1, 1.0, 2.0];
/// let spec = SpectrumSpec {
///     title: "Sea level at the gauge",
///     frequency_units: "cpd",
///     power_label: "power spectral density",
///     power_units: "m2 cpd-1",
///     lines: &[SpectrumLine { label: "hourly", frequency: &frequency, power: &[3.0, 0.5, 0.02, 0.4], ..SpectrumLine::default() }],
///     confidence: Some([0.6, 1.9]),
///     marks: &[ValueMark { value: 1.932, label: "M2" }],
///     ..SpectrumSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("95 %"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SpectrumSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The name of the horizontal axis; `frequency` if empty.
    pub frequency_label: &'a str,
    /// Its units, such as `cpd`.
    pub frequency_units: &'a str,
    /// The name of the vertical axis.
    pub power_label: &'a str,
    /// Its units.
    pub power_units: &'a str,
    /// The spectra.
    pub lines: &'a [SpectrumLine<'a>],
    /// What the true power may be as multiples of the estimate, at 95 %: drawn as a bar that fits everywhere.
    pub confidence: Option<[f64; 2]>,
    /// Frequencies marked: tides, the inertial frequency, the year.
    pub marks: &'a [ValueMark<'a>],
}

/// One spectrum.
#[derive(Debug, Clone, Copy, Default)]
pub struct SpectrumLine<'a> {
    /// Its name in the legend; empty for none.
    pub label: &'a str,
    /// Frequencies.
    pub frequency: &'a [f64],
    /// Power, as many.
    pub power: &'a [f64],
    /// Dashed, for a background or a significance level.
    pub dashed: bool,
}

impl SpectrumSpec<'_> {
    /// Draws the spectra as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::NoLines`] without a spectrum, [`ChartError::Length`] if its arrays differ in length,
    /// [`ChartError::NoData`] if no point lies above zero, [`ChartError::Range`] if the confidence interval is none.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        if self.lines.is_empty() {
            return Err(ChartError::NoLines { title: self.title.to_owned() });
        }
        for line in self.lines {
            if line.frequency.len() != line.power.len() {
                let what = format!("spectrum {}", line.label);
                return Err(ChartError::Length {
                    what,
                    expected: line.frequency.len(),
                    found: line.power.len(),
                });
            }
        }
        if let Some([low, high]) = self.confidence
            && !(low > 0.0 && high.is_finite() && low < high)
        {
            return Err(ChartError::Range { low, high });
        }
        let frame = self.frame()?;
        let mut svg = frame.open();
        frame.draw_grid(&mut svg);
        draw_value_marks(&frame, &mut svg, self.marks);
        for (place, line) in self.lines.iter().enumerate() {
            let points = line.frequency.iter().zip(line.power).map(|(x, y)| frame.place(*x, *y));
            draw_line(&mut svg, &runs(points), line_colour(place), line.dashed);
        }
        if let Some(factors) = self.confidence {
            draw_confidence(&frame, &mut svg, factors);
        }
        frame.close(&mut svg);
        Ok(svg.finish())
    }

    fn frame(&self) -> Result<Frame, ChartError> {
        let points = || {
            let all = self.lines.iter().flat_map(|line| line.frequency.iter().zip(line.power));
            all.filter(|(x, y)| **x > 0.0 && **y > 0.0 && x.is_finite() && y.is_finite())
        };
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold([f64::INFINITY, 0.0_f64], |[low, high], value| [low.min(value), high.max(value)])
        };
        let [first, last] = ends(&mut points().map(|(x, _)| *x));
        let [lowest, highest] = ends(&mut points().map(|(_, y)| *y));
        if last <= 0.0 {
            return Err(ChartError::NoData { what: format!("the spectra of `{}`, above zero,", self.title) });
        }
        let open = |low: f64, high: f64, reach: f64| [low / reach, (high * reach).min(f64::MAX)];
        let plan =
            |span, name, units| AxisPlan { measure: Measure::Log, span, name, units, is_turned: false };
        let name = if self.frequency_label.is_empty() { "frequency" } else { self.frequency_label };
        let legend = self.lines.iter().enumerate().map(|(place, line)| Sample {
            label: line.label.to_owned(),
            colour: line_colour(place).to_owned(),
            look: if line.dashed { SampleLook::Dashed } else { SampleLook::Line },
        });
        Ok(Frame::new(FramePlan {
            title: self.title,
            subtitle: self.subtitle,
            x: plan(open(first, last, 1.15), name, self.frequency_units),
            y: plan(open(lowest.max(highest * DEEPEST), highest, 1.8), self.power_label, self.power_units),
            legend: legend.collect(),
            size: [WIDTH, HEIGHT],
            right: 0.0,
            below: 0.0,
        }))
    }
}

/// Draws the interval at the lower left: on a logarithmic axis it is as long everywhere.
fn draw_confidence(frame: &Frame, svg: &mut Svg, [low, high]: [f64; 2]) {
    let [left, top, _, height] = frame.area;
    let length =
        |factor: f64| frame.y.span.place(frame.y.span.low) - frame.y.span.place(frame.y.span.low * factor);
    // The estimate stands where both arms fit.
    let middle = top + height - 16.0 + length(low).min(0.0);
    let x = left + 26.0;
    let ends = [middle - length(low), middle - length(high)];
    let style = format!("stroke=\"{INK}\" stroke-width=\"1.5\"");
    svg.line([x, ends[0]], [x, ends[1]], &style);
    for end in ends {
        svg.line([x - 6.0, end], [x + 6.0, end], &style);
    }
    svg.circle([x, middle], 3.0, &format!("fill=\"{INK}\""));
    svg.text([x + 12.0, middle + 5.0], Anchor::Start, LABEL_SIZE, "95 %");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_frequency_and_power_are_left_out() {
        let lines = [SpectrumLine {
            frequency: &[0.0, 0.1, 0.2, 0.3],
            power: &[9.0, 1.0, 0.0, 2.0],
            ..SpectrumLine::default()
        }];
        let svg = SpectrumSpec { lines: &lines, ..SpectrumSpec::default() }.to_svg().unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert_eq!(svg.matches("<circle").count(), 2, "two lone points: {svg}");
    }

    #[test]
    fn nothing_above_zero_is_refused() {
        let lines = [SpectrumLine { frequency: &[0.1], power: &[0.0], ..SpectrumLine::default() }];
        let spec = SpectrumSpec { lines: &lines, ..SpectrumSpec::default() };
        assert!(matches!(spec.to_svg(), Err(ChartError::NoData { .. })));
        let lines = [SpectrumLine { frequency: &[0.1], power: &[1.0], ..SpectrumLine::default() }];
        let spec = SpectrumSpec { lines: &lines, confidence: Some([2.0, 1.0]), ..SpectrumSpec::default() };
        assert!(matches!(spec.to_svg(), Err(ChartError::Range { .. })));
    }
}
