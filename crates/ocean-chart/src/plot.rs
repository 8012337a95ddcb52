//! What all charts share: the heading, the scale of an axis, the legend, lines with gaps.

use crate::{
    font,
    svg::{Anchor, INK, Svg},
};

/// The usual width of a drawing in pixels.
pub(crate) const WIDTH: f64 = 900.0;
/// The white border.
pub(crate) const MARGIN: f64 = 18.0;
pub(crate) const TICK_SIZE: f64 = 13.0;
pub(crate) const LABEL_SIZE: f64 = 14.0;

pub(crate) const TITLE_SIZE: f64 = 19.0;
const SUBTITLE_SIZE: f64 = 13.5;
const SUBTITLE_STYLE: &str = "fill=\"#5a5a5a\"";

/// Colours of lines, told apart by colour-blind readers as well.
///
/// # Source
/// Okabe and Ito 2008, "Color universal design", in an order that puts the strongest first.
pub(crate) const LINE_COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#262626"];

/// Title and subtitle, broken into lines.
#[derive(Debug)]
pub(crate) struct Heading {
    title: Vec<String>,
    subtitle: Vec<String>,
}

impl Heading {
    /// Breaks a title and a subtitle so that they fit into a drawing.
    pub(crate) fn new(title: &str, subtitle: &str, drawing_width: f64) -> Self {
        let limit = drawing_width - 2.0 * MARGIN;
        Self {
            title: font::wrap(title, TITLE_SIZE, limit, 2),
            subtitle: font::wrap(subtitle, SUBTITLE_SIZE, limit, 2),
        }
    }

    /// Returns the height it takes, with the margin above it.
    pub(crate) fn height(&self) -> f64 {
        let title = self.title.len() as f64 * (TITLE_SIZE + 5.0);
        let subtitle = self.subtitle.len() as f64 * (SUBTITLE_SIZE + 4.0);
        MARGIN + title + subtitle + if title + subtitle > 0.0 { 8.0 } else { 0.0 }
    }

    /// Draws it at the top left.
    pub(crate) fn draw(&self, svg: &mut Svg) {
        let mut y = MARGIN - 3.0;
        for line in &self.title {
            y += TITLE_SIZE + 5.0;
            svg.text([MARGIN, y - 5.0], Anchor::Start, TITLE_SIZE, line);
        }
        for line in &self.subtitle {
            y += SUBTITLE_SIZE + 4.0;
            svg.styled_text([MARGIN, y - 4.0], Anchor::Start, SUBTITLE_SIZE, SUBTITLE_STYLE, line);
        }
    }
}

/// Maps numbers to pixels along one axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The pixels of `low` and `high`.
    pub(crate) pixels: [f64; 2],
    /// Equal ratios have equal lengths; both ends lie above zero.
    pub(crate) is_log: bool,
}

impl Span {
    /// Returns the pixel of a number; of one that a logarithmic axis lacks, what is not a number.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let share = if self.is_log {
            if value <= 0.0 {
                return f64::NAN;
            }
            libm::log(value / self.low) / libm::log(self.high / self.low)
        } else {
            // Halved first: the span of two huge ends must not overflow.
            (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0)
        };
        self.pixels[0] + share * (self.pixels[1] - self.pixels[0])
    }
}

/// Returns the least and the greatest finite number, a span about a lone one, or 0 and 1 if there is none.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return [0.0, 1.0];
    }
    let size = low.abs().max(high.abs());
    if high - low > size * 1e-12 {
        return [low, high];
    }
    let reach = if size > 0.0 { size * 0.05 } else { 1.0 };
    [(low - reach).max(f64::MIN), (high + reach).min(f64::MAX)]
}

/// Opens a span by a share of its length at both ends.
pub(crate) fn pad([low, high]: [f64; 2], share: f64) -> [f64; 2] {
    let reach = (high / 2.0 - low / 2.0) * 2.0 * share;
    if reach.is_finite() { [(low - reach).max(f64::MIN), (high + reach).min(f64::MAX)] } else { [low, high] }
}

/// Points with finite coordinates, cut where one is missing.
pub(crate) fn runs(points: impl Iterator<Item = [f64; 2]>) -> Vec<Vec<[f64; 2]>> {
    let mut runs = Vec::new();
    let mut run = Vec::new();
    for point in points {
        if point.iter().all(|part| part.is_finite()) {
            run.push(point);
        } else if !run.is_empty() {
            runs.push(std::mem::take(&mut run));
        }
    }
    if !run.is_empty() {
        runs.push(run);
    }
    runs
}

/// Draws runs of points in pixels as a line; a point alone between two gaps becomes a dot.
pub(crate) fn draw_line(svg: &mut Svg, runs: &[Vec<[f64; 2]>], colour: &str, is_dashed: bool) {
    let dash = if is_dashed { " stroke-dasharray=\"6 4\"" } else { "" };
    let style = format!(
        "fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{dash}"
    );
    svg.path(runs, false, &style);
    for run in runs.iter().filter(|run| run.len() == 1) {
        svg.circle(run[0], 2.8, &format!("fill=\"{colour}\""));
    }
}

/// One entry of a legend.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sample {
    /// Its text; without one there is no entry.
    pub(crate) label: String,
    pub(crate) colour: String,
    pub(crate) look: SampleLook,
}

/// What stands before the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SampleLook {
    Line,
    Dashed,
    /// A thin dashed line, as of a threshold.
    Thin,
    Dot,
    Patch,
}

/// The legend above a plot: one entry a line, in as many rows as it takes.
#[derive(Debug)]
pub(crate) struct Legend {
    entries: Vec<(Sample, [f64; 2])>,
    rows: usize,
}

impl Legend {
    const SAMPLE: f64 = 26.0;
    const ROW: f64 = 20.0;

    /// Lays out entries in rows `limit` pixels wide. Those without a label are left out.
    pub(crate) fn new(samples: Vec<Sample>, limit: f64) -> Self {
        let mut legend = Self { entries: Vec::new(), rows: 0 };
        let mut x = 0.0;
        for mut sample in samples.into_iter().filter(|sample| !sample.label.is_empty()) {
            sample.label = font::shorten(&sample.label, TICK_SIZE, limit - Self::SAMPLE - 6.0);
            let width = Self::SAMPLE + 6.0 + font::width(&sample.label, TICK_SIZE);
            if legend.rows == 0 || x + width > limit {
                legend.rows += 1;
                x = 0.0;
            }
            let y = (legend.rows - 1) as f64 * Self::ROW;
            legend.entries.push((sample, [x, y]));
            x += width + 22.0;
        }
        legend
    }

    /// Returns the height it takes.
    pub(crate) fn height(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { self.rows as f64 * Self::ROW + 6.0 }
    }

    /// Draws it with its top left corner at a place.
    pub(crate) fn draw(&self, svg: &mut Svg, [x, y]: [f64; 2]) {
        for (sample, place) in &self.entries {
            let (left, middle) = (x + place[0], y + place[1] + 9.0);
            let line = vec![[left, middle], [left + Self::SAMPLE, middle]];
            let patch = [left + 4.0, middle - 6.0, Self::SAMPLE - 8.0, 12.0];
            let colour = &sample.colour;
            match sample.look {
                SampleLook::Line => draw_line(svg, &[line], colour, false),
                SampleLook::Dashed => draw_line(svg, &[line], colour, true),
                SampleLook::Thin => svg.path(&[line], false, &thin_style(colour)),
                SampleLook::Dot => {
                    svg.circle([left + Self::SAMPLE / 2.0, middle], 4.0, &format!("fill=\"{colour}\""));
                }
                SampleLook::Patch => svg.rect(patch, &format!("fill=\"{colour}\"")),
            }
            svg.text([left + Self::SAMPLE + 6.0, middle + 4.5], Anchor::Start, TICK_SIZE, &sample.label);
        }
    }
}

/// The style of a thin dashed line, as of a threshold.
pub(crate) fn thin_style(colour: &str) -> String {
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.3\" stroke-dasharray=\"3 3\"")
}

/// Writes a text with a white rim, readable on any ground.
pub(crate) fn haloed_text(svg: &mut Svg, place: [f64; 2], anchor: Anchor, size: f64, text: &str) {
    let halo = format!(
        "fill=\"{INK}\" stroke=\"#ffffff\" stroke-width=\"3.5\" stroke-linejoin=\"round\" paint-order=\"stroke\""
    );
    svg.styled_text(place, anchor, size, &halo, text);
}

/// Returns the colour of the line at a place among the lines.
pub(crate) fn line_colour(place: usize) -> &'static str {
    LINE_COLOURS[place % LINE_COLOURS.len()]
}

/// Returns the greatest extent of labels in pixels.
pub(crate) fn widest(labels: &[String]) -> f64 {
    labels.iter().map(|label| font::width(label, TICK_SIZE)).fold(0.0, f64::max)
}

/// Draws the frame of a plot.
pub(crate) fn draw_frame(svg: &mut Svg, frame: [f64; 4]) {
    svg.rect(frame, &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1\""));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_cut_a_line() {
        let values = [1.0, 2.0, f64::NAN, 3.0, f64::INFINITY, f64::NAN, 4.0, 5.0];
        let cut = runs(values.into_iter().map(|value| [0.0, value]));
        assert_eq!(cut.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 2]);
    }

    #[test]
    fn a_legend_never_leaves_its_width() {
        let labels = ["coastal box", "basin box", "a label that is much longer than the others are", "d", ""];
        let sample =
            |label: &str| Sample { label: label.to_owned(), colour: INK.to_owned(), look: SampleLook::Line };
        let legend = Legend::new(labels.iter().map(|label| sample(label)).collect(), 300.0);
        assert_eq!(legend.entries.len(), 4);
        for (sample, place) in &legend.entries {
            let right = place[0] + Legend::SAMPLE + 6.0 + font::width(&sample.label, TICK_SIZE);
            assert!(right <= 300.0, "{} ends at {right}", sample.label);
        }
    }

    #[test]
    fn a_logarithmic_span_has_no_place_for_zero() {
        let span = Span { low: 0.1, high: 10.0, pixels: [0.0, 100.0], is_log: true };
        assert!((span.place(1.0) - 50.0).abs() < 1e-9);
        assert!(span.place(0.0).is_nan() && span.place(-3.0).is_nan());
    }

    #[test]
    fn extents_are_never_empty() {
        for values in [vec![], vec![3.0], vec![0.0, 0.0], vec![f64::NAN], vec![f64::MAX, f64::MAX]] {
            let [low, high] = pad(extent(values.iter().copied()), 0.05);
            assert!(low < high && low.is_finite() && high.is_finite(), "{values:?}: {low} {high}");
        }
    }
}
