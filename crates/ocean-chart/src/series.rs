//! Time series: one or several lines with dates, a legend, bands and shaded periods.

use crate::{
    axis::{self, Ticks},
    date,
    error::ChartError,
    float::{floor_index, floor_whole},
    font,
    plot::{
        self, Heading, LABEL_SIZE, Legend, MARGIN, TICK_SIZE, WIDTH, draw_frame, draw_line, extent,
        line_colour, pad, runs,
    },
    svg::{Anchor, INK, Svg},
};

const FRAME_HEIGHT: f64 = 330.0;
const TICK: f64 = 5.0;
/// Lines with more points than this are thinned, for the eye can't tell and the text would be huge.
const MANY_POINTS: usize = 4000;

/// A chart of one or several lines over time.
///
/// # Missing values
/// What is not finite is a gap in the line.
///
/// # Units
/// `units` are CF units as a file has them. `time` says how the x values of the lines and spans are meant.
///
/// # Examples
///
/// ```
/// use ocean_chart::{Line, SeriesSpec, TimeAxis};
///
/// let spec = SeriesSpec {
///     title: "Sea surface temperature",
///     y_label: "temperature",
///     units: "degC",
///     time: TimeAxis::FractionalYears,
///     lines: &[Line { label: "basin", x: &[2015.0, 2016.0, 2017.0], y: &[26.1, 26.4, 26.3], ..Line::default() }],
///     ..SeriesSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("temperature (°C)"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SeriesSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The name of the quantity.
    pub y_label: &'a str,
    /// The units of the values.
    pub units: &'a str,
    /// What the x values are.
    pub time: TimeAxis<'a>,
    /// The lines, in the order of the legend.
    pub lines: &'a [Line<'a>],
    /// Shaded periods, such as events.
    pub spans: &'a [Span<'a>],
}

/// What the x values of a series are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeAxis<'a> {
    /// Seconds since 1970-01-01T00:00:00Z, shown as dates of the proleptic Gregorian calendar.
    #[default]
    UnixSeconds,
    /// Years with fractions, for any calendar.
    FractionalYears,
    /// Plain numbers, such as a lag or a day of the year.
    Number {
        /// The name of the axis.
        label: &'a str,
        /// Its units.
        units: &'a str,
    },
}

/// One line of a series.
#[derive(Debug, Clone, Copy, Default)]
pub struct Line<'a> {
    /// Its name in the legend; empty for none.
    pub label: &'a str,
    /// The x values.
    pub x: &'a [f64],
    /// The y values, as many.
    pub y: &'a [f64],
    /// A band around it, such as a confidence interval.
    pub band: Option<Band<'a>>,
    /// Dashed, for fits and references.
    pub dashed: bool,
}

/// The lower and upper edge of a band, as many values as its line has.
#[derive(Debug, Clone, Copy)]
pub struct Band<'a> {
    /// The lower edge.
    pub low: &'a [f64],
    /// The upper edge.
    pub high: &'a [f64],
}

/// A shaded period.
#[derive(Debug, Clone, Copy)]
pub struct Span<'a> {
    /// Its start, as the x values.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// Its name, written at its top where there is room. May be empty.
    pub label: &'a str,
}

impl SeriesSpec<'_> {
    /// Draws the series as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::NoLines`] without a line, [`ChartError::Length`] if a line's arrays differ in length.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        self.check()?;
        let layout = Layout::new(self);
        let mut svg = Svg::new(WIDTH, layout.height, self.title);
        layout.heading.draw(&mut svg);
        layout.legend.draw(&mut svg, [layout.frame[0], layout.frame[1] - layout.legend.height()]);
        layout.draw_grid(&mut svg);
        svg.open_clip("plot", layout.frame);
        layout.draw_spans(&mut svg, self.spans);
        for (place, line) in self.lines.iter().enumerate() {
            layout.draw_band(&mut svg, line, line_colour(place));
        }
        for (place, line) in self.lines.iter().enumerate() {
            let points = line.x.iter().zip(line.y).map(|(x, y)| [layout.x.place(*x), layout.y.place(*y)]);
            draw_line(&mut svg, &thin(runs(points)), line_colour(place), line.dashed);
        }
        svg.close_clip();
        if self.lines.iter().all(|line| line.y.iter().all(|value| !value.is_finite())) {
            let [x, y, width, height] = layout.frame;
            svg.text([x + width / 2.0, y + height / 2.0], Anchor::Middle, 18.0, "no data");
        }
        draw_frame(&mut svg, layout.frame);
        layout.draw_labels(&mut svg);
        Ok(svg.finish())
    }

    fn check(&self) -> Result<(), ChartError> {
        if self.lines.is_empty() {
            return Err(ChartError::NoLines { title: self.title.to_owned() });
        }
        for line in self.lines {
            let edges = line.band.map_or([line.y, line.y], |band| [band.low, band.high]);
            for values in [line.y, edges[0], edges[1]] {
                if values.len() != line.x.len() {
                    let what = format!("line {}", line.label);
                    return Err(ChartError::Length { what, expected: line.x.len(), found: values.len() });
                }
            }
        }
        Ok(())
    }
}

/// Where everything stands.
#[derive(Debug)]
struct Layout {
    heading: Heading,
    legend: Legend,
    height: f64,
    frame: [f64; 4],
    x: plot::Span,
    y: plot::Span,
    x_ticks: Ticks,
    y_ticks: Ticks,
    x_label: String,
    y_label: String,
}

impl Layout {
    fn new(spec: &SeriesSpec<'_>) -> Self {
        let bands = spec.lines.iter().filter_map(|line| line.band);
        let edges = bands.flat_map(|band| band.low.iter().chain(band.high));
        let y_values = spec.lines.iter().flat_map(|line| line.y).chain(edges).copied();
        let [low, high] = pad(extent(y_values), 0.06);
        let y_ticks = axis::linear(low, high, 6);
        let y_label =
            font::shorten(&axis::label(spec.y_label, spec.units, y_ticks.power), LABEL_SIZE, FRAME_HEIGHT);
        let widest = y_ticks.labels.iter().map(|label| font::width(label, TICK_SIZE)).fold(0.0, f64::max);
        let label_room = if y_label.is_empty() { 0.0 } else { LABEL_SIZE + 10.0 };
        let left = MARGIN + label_room + widest + TICK + 5.0;
        let width = WIDTH - left - MARGIN - 8.0;

        let [start, end] = pad(extent(spec.lines.iter().flat_map(|line| line.x).copied()), 0.015);
        let (x_ticks, x_label) = spec.time.ticks(start, end, width);
        let heading = Heading::new(spec.title, spec.subtitle, WIDTH);
        let legend = Legend::new(spec.lines.iter().map(|line| (line.label, line.dashed)), width);
        let top = heading.height() + legend.height() + 4.0;
        let label_room = if x_label.is_empty() { 0.0 } else { LABEL_SIZE + 6.0 };
        let frame = [left, top, width, FRAME_HEIGHT];
        Self {
            heading,
            legend,
            height: top + FRAME_HEIGHT + TICK + TICK_SIZE + 6.0 + label_room + MARGIN - 4.0,
            frame,
            x: plot::Span { low: start, high: end, pixels: [left, left + width] },
            y: plot::Span { low, high, pixels: [top + FRAME_HEIGHT, top] },
            x_ticks,
            y_ticks,
            x_label,
            y_label,
        }
    }

    fn draw_grid(&self, svg: &mut Svg) {
        let [x, y, width, height] = self.frame;
        let style = "stroke=\"#dddddd\" stroke-width=\"0.8\"";
        for place in &self.x_ticks.places {
            svg.line([self.x.place(*place), y], [self.x.place(*place), y + height], style);
        }
        for place in &self.y_ticks.places {
            let style = if *place == 0.0 { "stroke=\"#9a9a9a\" stroke-width=\"1\"" } else { style };
            svg.line([x, self.y.place(*place)], [x + width, self.y.place(*place)], style);
        }
    }

    fn draw_spans(&self, svg: &mut Svg, spans: &[Span<'_>]) {
        let [x, y, width, height] = self.frame;
        let mut free_from = x;
        for span in spans.iter().filter(|span| span.from.is_finite() && span.to.is_finite()) {
            let from = self.x.place(span.from.min(span.to)).max(x);
            let to = self.x.place(span.from.max(span.to)).min(x + width);
            if to < from {
                continue;
            }
            svg.rect([from, y, (to - from).max(1.0), height], "fill=\"#e69f00\" fill-opacity=\"0.18\"");
            let wide = font::width(span.label, 12.0);
            let at = from + 4.0;
            if !span.label.is_empty() && at >= free_from && at + wide <= x + width {
                svg.styled_text([at, y + 15.0], Anchor::Start, 12.0, "fill=\"#7a5200\"", span.label);
                free_from = at + wide + 8.0;
            }
        }
    }

    fn draw_band(&self, svg: &mut Svg, line: &Line<'_>, colour: &str) {
        let Some(band) = line.band else { return };
        let style = format!("fill=\"{colour}\" fill-opacity=\"0.18\"");
        let mut run: [Vec<[f64; 2]>; 2] = [Vec::new(), Vec::new()];
        let mut flush = |run: &mut [Vec<[f64; 2]>; 2]| {
            let [lower, upper] = std::mem::take(run);
            svg.path(&[lower.into_iter().chain(upper.into_iter().rev()).collect()], true, &style);
        };
        for ((x, low), high) in line.x.iter().zip(band.low).zip(band.high) {
            if x.is_finite() && low.is_finite() && high.is_finite() {
                run[0].push([self.x.place(*x), self.y.place(*low)]);
                run[1].push([self.x.place(*x), self.y.place(*high)]);
            } else {
                flush(&mut run);
            }
        }
        flush(&mut run);
    }

    fn draw_labels(&self, svg: &mut Svg) {
        let [x, y, width, height] = self.frame;
        let style = format!("stroke=\"{INK}\" stroke-width=\"1\"");
        let bottom = y + height;
        let mut free_from = f64::NEG_INFINITY;
        for (place, label) in self.x_ticks.places.iter().zip(&self.x_ticks.labels) {
            let place = self.x.place(*place);
            let wide = font::width(label, TICK_SIZE);
            svg.line([place, bottom], [place, bottom + TICK], &style);
            let is_inside = place + wide / 2.0 < WIDTH - 2.0;
            if is_inside && place - wide / 2.0 >= free_from {
                svg.text([place, bottom + TICK + TICK_SIZE + 1.0], Anchor::Middle, TICK_SIZE, label);
                free_from = place + wide / 2.0 + 8.0;
            }
        }
        for (place, label) in self.y_ticks.places.iter().zip(&self.y_ticks.labels) {
            let place = self.y.place(*place);
            svg.line([x - TICK, place], [x, place], &style);
            svg.text([x - TICK - 4.0, place + 4.5], Anchor::End, TICK_SIZE, label);
        }
        if !self.y_label.is_empty() {
            svg.upward_text([MARGIN + LABEL_SIZE - 3.0, y + height / 2.0], LABEL_SIZE, &self.y_label);
        }
        if !self.x_label.is_empty() {
            let place = [x + width / 2.0, bottom + TICK + TICK_SIZE + LABEL_SIZE + 7.0];
            svg.text(place, Anchor::Middle, LABEL_SIZE, &self.x_label);
        }
    }
}

impl TimeAxis<'_> {
    fn ticks(self, start: f64, end: f64, width: f64) -> (Ticks, String) {
        let most = floor_index(width / 92.0).max(2);
        match self {
            Self::UnixSeconds => (date::ticks(start, end, most), String::new()),
            Self::FractionalYears => {
                let ticks = axis::linear(start, end, most);
                let label =
                    if ticks.power == 0 { String::new() } else { axis::label("year", "", ticks.power) };
                (ticks, label)
            }
            Self::Number { label, units } => {
                let ticks = axis::linear(start, end, most);
                let label = font::shorten(&axis::label(label, units, ticks.power), LABEL_SIZE, width);
                (ticks, label)
            }
        }
    }
}

/// Keeps of each pixel column of a long run its first, lowest, highest and last point.
fn thin(runs: Vec<Vec<[f64; 2]>>) -> Vec<Vec<[f64; 2]>> {
    runs.into_iter().map(|run| if run.len() > MANY_POINTS { thin_run(&run) } else { run }).collect()
}

fn thin_run(run: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut kept = Vec::new();
    for column in run.chunk_by(|left, right| floor_whole(left[0]) == floor_whole(right[0])) {
        let by_height = |left: &&[f64; 2], right: &&[f64; 2]| left[1].total_cmp(&right[1]);
        let extremes = [column.iter().min_by(by_height), column.iter().max_by(by_height)];
        let mut points: Vec<[f64; 2]> =
            [column.first(), column.last()].into_iter().chain(extremes).flatten().copied().collect();
        points.sort_by(|left, right| left[0].total_cmp(&right[0]));
        points.dedup();
        kept.extend(points);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::rasterise;

    fn spec<'a>(lines: &'a [Line<'a>]) -> SeriesSpec<'a> {
        SeriesSpec { title: "t", y_label: "temperature", units: "degC", lines, ..SeriesSpec::default() }
    }

    #[test]
    fn a_missing_value_is_a_gap() {
        let x: Vec<f64> = (0..6).map(|day| f64::from(day) * 86_400.0).collect();
        let y = [1.0, 2.0, f64::NAN, 4.0, f64::NAN, 6.0];
        let svg = spec(&[Line { x: &x, y: &y, ..Line::default() }]).to_svg().unwrap();
        let path = svg.lines().find(|line| line.starts_with("<path")).unwrap();
        assert_eq!(path.matches('M').count(), 1, "one run of two points: {path}");
        assert_eq!(svg.matches("<circle").count(), 2, "two lone points");
    }

    #[test]
    fn nothing_and_constants_are_drawn() {
        for y in [[f64::NAN; 3], [5.0; 3], [0.0; 3], [f64::MAX, f64::MIN, 0.0]] {
            for x in [[0.0, 1.0, 2.0], [7.0; 3], [f64::NAN; 3]] {
                let svg = spec(&[Line { x: &x, y: &y, ..Line::default() }]).to_svg().unwrap();
                rasterise(&svg, 200).unwrap();
                assert!(!svg.contains("NaN") && !svg.contains("inf"));
            }
        }
        spec(&[Line::default()]).to_svg().unwrap();
    }

    #[test]
    fn a_long_line_keeps_its_extremes() {
        let x: Vec<f64> = (0..50_000).map(f64::from).collect();
        let mut y = vec![0.0; 50_000];
        (y[12_345], y[40_000]) = (9.0, -9.0);
        let line = Line { x: &x, y: &y, ..Line::default() };
        let chart = SeriesSpec { time: TimeAxis::Number { label: "place", units: "" }, ..spec(&[]) };
        let chart = SeriesSpec { lines: &[line], ..chart };
        let layout = Layout::new(&chart);
        let svg = chart.to_svg().unwrap();
        for value in [9.0, -9.0] {
            let height = crate::svg::number(layout.y.place(value));
            assert!(svg.contains(&format!(" {height}L")), "{value} is lost");
        }
        assert!(svg.len() < 100_000, "{} bytes", svg.len());
    }

    #[test]
    fn labels_of_dates_do_not_overlap() {
        let year = 365.25 * 86_400.0;
        for years in [0.001, 0.01, 0.1, 0.5, 1.0, 3.0, 10.0, 60.0, 150.0, 900.0] {
            let x = [40.0 * year, (40.0 + years) * year];
            let chart = spec(&[]);
            let line = Line { x: &x, y: &[0.0, 1.0], ..Line::default() };
            let layout = Layout::new(&SeriesSpec { lines: &[line], ..chart });
            let places: Vec<f64> = layout.x_ticks.places.iter().map(|place| layout.x.place(*place)).collect();
            assert!((2..=10).contains(&places.len()), "{years} years: {:?}", layout.x_ticks.labels);
            for (pair, labels) in places.windows(2).zip(layout.x_ticks.labels.windows(2)) {
                let wide =
                    f64::midpoint(font::width(&labels[0], TICK_SIZE), font::width(&labels[1], TICK_SIZE));
                assert!(pair[1] - pair[0] > wide + 4.0, "{years} years: {labels:?}");
            }
        }
    }

    #[test]
    fn arrays_must_be_as_long() {
        let lines = [Line { label: "a", x: &[0.0], y: &[0.0, 1.0], ..Line::default() }];
        assert!(matches!(spec(&lines).to_svg(), Err(ChartError::Length { expected: 1, found: 2, .. })));
        let band = Some(Band { low: &[], high: &[1.0] });
        let lines = [Line { label: "a", x: &[0.0], y: &[0.0], band, ..Line::default() }];
        assert!(matches!(spec(&lines).to_svg(), Err(ChartError::Length { expected: 1, found: 0, .. })));
        assert!(matches!(spec(&[]).to_svg(), Err(ChartError::NoLines { .. })));
    }
}
