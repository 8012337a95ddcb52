//! Time series: one or several lines with dates, a legend, bands, thresholds, shaded periods.

use crate::{
    error::ChartError,
    float::floor_whole,
    font,
    frame::{AxisPlan, Frame, FramePlan, Measure},
    plot::{
        Sample, SampleLook, TICK_SIZE, WIDTH, draw_line, extent, haloed_text, line_colour, pad, runs,
        thin_style,
    },
    svg::{Anchor, INK, Svg},
    time::TimeAxis,
};

const FRAME_HEIGHT: f64 = 330.0;
/// Lines with more points than this are thinned, for the eye can't tell and the text would be huge.
const MANY_POINTS: usize = 4000;
/// Colours above and below the base of a filled line: the warm and the cold of `balance`.
const ABOVE: &str = "#c94a3b";
const BELOW: &str = "#3f7fc4";

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
/// use ocean_chart::{Level, Line, SeriesSpec, TimeAxis};
///
/// let spec = SeriesSpec {
///     title: "Sea surface temperature",
///     y_label: "temperature",
///     units: "degC",
///     time: TimeAxis::FractionalYears,
///     lines: &[Line { label: "basin", x: &[2015.0, 2016.0, 2017.0], y: &[26.1, 26.4, 26.3], ..Line::default() }],
///     levels: &[Level { value: 26.2, label: "mean 1991 to 2020" }],
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
    /// Thresholds and baselines: thin lines across the chart.
    pub levels: &'a [Level<'a>],
    /// Moments: thin upright lines, such as a landfall.
    pub moments: &'a [Moment<'a>],
    /// Whether values grow downwards, as depths do.
    pub is_downward: bool,
}

/// One line of a series.
#[derive(Debug, Clone, Copy, Default)]
pub struct Line<'a> {
    /// Its name in the legend; empty for none.
    pub label: &'a str,
    /// The x values, in any order.
    pub x: &'a [f64],
    /// The y values, as many.
    pub y: &'a [f64],
    /// A band around it, such as a confidence interval.
    pub band: Option<Band<'a>>,
    /// Dashed, for fits and references.
    pub dashed: bool,
    /// How it is drawn.
    pub look: LineLook,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum LineLook {
    /// From point to point.
    #[default]
    Joined,
    /// Points only.
    Dots,
    /// From point to point, the area between it and this value filled: red above, blue below.
    Filled(f64),
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

/// A line across the chart at one value.
#[derive(Debug, Clone, Copy)]
pub struct Level<'a> {
    /// The value, in the units of the chart.
    pub value: f64,
    /// Its name, written at its right end. May be empty.
    pub label: &'a str,
}

/// An upright line at one time.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The time, as the x values.
    pub at: f64,
    /// Its name, written beside it. May be empty.
    pub label: &'a str,
}

impl SeriesSpec<'_> {
    /// Draws the series as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::NoLines`] without a line, [`ChartError::Length`] if a line's arrays differ in length,
    /// [`ChartError::NoData`] if no point has a finite place.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        self.check()?;
        let frame = self.frame();
        let mut svg = frame.open();
        frame.draw_grid(&mut svg);
        self.draw_spans(&frame, &mut svg);
        for (place, line) in self.lines.iter().enumerate() {
            draw_band(&frame, &mut svg, line, line_colour(place));
        }
        for level in self.levels.iter().filter(|level| level.value.is_finite()) {
            let [left, _, width, _] = frame.area;
            let y = frame.y.span.place(level.value);
            svg.path(&[vec![[left, y], [left + width, y]]], false, &thin_style(INK));
        }
        for (place, line) in self.lines.iter().enumerate() {
            draw_series(&frame, &mut svg, line, line_colour(place));
        }
        self.draw_names(&frame, &mut svg);
        frame.close(&mut svg);
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
        let mut points = self.lines.iter().flat_map(|line| line.x.iter().zip(line.y));
        if !points.any(|(x, y)| x.is_finite() && y.is_finite()) {
            return Err(ChartError::NoData { what: format!("the lines of `{}`", self.title) });
        }
        Ok(())
    }

    fn frame(&self) -> Frame {
        let bands = self.lines.iter().filter_map(|line| line.band);
        let edges = bands.flat_map(|band| band.low.iter().chain(band.high)).copied();
        let bases = self.lines.iter().filter_map(|line| match line.look {
            LineLook::Filled(base) => Some(base),
            _ => None,
        });
        let levels = self.levels.iter().map(|level| level.value);
        let y = self.lines.iter().flat_map(|line| line.y).copied().chain(edges).chain(bases).chain(levels);
        let x = self.lines.iter().flat_map(|line| line.x).copied();
        let (x, y) = (pad(extent(x), 0.015), pad(extent(y), 0.06));
        let legend = self.lines.iter().enumerate().map(|(place, line)| Sample {
            label: line.label.to_owned(),
            colour: line_colour(place).to_owned(),
            look: match (line.look, line.dashed) {
                (LineLook::Dots, _) => SampleLook::Dot,
                (_, true) => SampleLook::Dashed,
                _ => SampleLook::Line,
            },
        });
        Frame::new(FramePlan {
            title: self.title,
            subtitle: self.subtitle,
            x: AxisPlan { measure: Measure::Time(self.time), span: x, name: "", units: "", is_turned: false },
            y: AxisPlan {
                measure: Measure::Number,
                span: y,
                name: self.y_label,
                units: self.units,
                is_turned: self.is_downward,
            },
            legend: legend.collect(),
            size: [WIDTH, FRAME_HEIGHT],
            right: 0.0,
            below: 0.0,
        })
    }

    fn draw_spans(&self, frame: &Frame, svg: &mut Svg) {
        let [left, top, width, height] = frame.area;
        for span in self.spans.iter().filter(|span| span.from.is_finite() && span.to.is_finite()) {
            let ends = [span.from.min(span.to), span.from.max(span.to)].map(|end| frame.x.span.place(end));
            let from = ends[0].max(left);
            // An event of one step is still seen.
            let to = ends[1].min(left + width).max(from + 1.5);
            if from < left + width && ends[1] >= left {
                svg.rect([from, top, to - from, height], "fill=\"#e69f00\" fill-opacity=\"0.22\"");
            }
        }
    }

    /// Writes the names of periods, moments and levels where there is room.
    fn draw_names(&self, frame: &Frame, svg: &mut Svg) {
        let [left, top, width, height] = frame.area;
        let mut free_from = left;
        for span in self.spans.iter().filter(|span| !span.label.is_empty()) {
            let from = frame.x.span.place(span.from.min(span.to)).max(left);
            let at = from + 4.0;
            let room = left + width - at;
            if at >= free_from && room > 40.0 {
                let label = font::shorten(span.label, TICK_SIZE, room);
                haloed_text(svg, [at, top + TICK_SIZE + 4.0], Anchor::Start, TICK_SIZE, &label);
                free_from = at + font::width(&label, TICK_SIZE) + 8.0;
            }
        }
        for moment in self.moments.iter().filter(|moment| moment.at.is_finite()) {
            let at = frame.x.span.place(moment.at);
            if at < left || at > left + width {
                continue;
            }
            svg.path(&[vec![[at, top], [at, top + height]]], false, &thin_style("#7a1f1f"));
            let wide = font::width(moment.label, TICK_SIZE);
            let is_right = at + wide + 8.0 < left + width;
            let (at, anchor) = if is_right { (at + 5.0, Anchor::Start) } else { (at - 5.0, Anchor::End) };
            haloed_text(svg, [at, top + height - 8.0], anchor, TICK_SIZE, moment.label);
        }
        let mut taken: Vec<f64> = Vec::new();
        for level in self.levels.iter().filter(|level| level.value.is_finite() && !level.label.is_empty()) {
            let line = frame.y.span.place(level.value);
            let above = line - 5.0;
            let y = if above - TICK_SIZE < top { line + TICK_SIZE + 3.0 } else { above };
            if taken.iter().all(|other| (other - y).abs() > TICK_SIZE + 2.0) {
                let label = font::shorten(level.label, TICK_SIZE, width - 12.0);
                haloed_text(svg, [left + width - 6.0, y], Anchor::End, TICK_SIZE, &label);
                taken.push(y);
            }
        }
    }
}

fn draw_series(frame: &Frame, svg: &mut Svg, line: &Line<'_>, colour: &str) {
    let points = || line.x.iter().zip(line.y).map(|(x, y)| frame.place(*x, *y));
    match line.look {
        LineLook::Dots => {
            for point in points().filter(|point| point.iter().all(|part| part.is_finite())) {
                svg.circle(point, 2.6, &format!("fill=\"{colour}\""));
            }
        }
        LineLook::Filled(base) => {
            let base = frame.y.span.place(base);
            // Upwards is a lesser pixel, unless the axis is turned.
            for (is_above, colour) in [(!frame_is_turned(frame), ABOVE), (frame_is_turned(frame), BELOW)] {
                let areas: Vec<_> = runs(points())
                    .iter()
                    .map(|run| side(run, base, is_above))
                    .filter(|area| !area.is_empty())
                    .collect();
                svg.path(&areas, true, &format!("fill=\"{colour}\" fill-opacity=\"0.75\""));
            }
            draw_line(svg, &thin(runs(points())), INK, line.dashed);
        }
        LineLook::Joined => draw_line(svg, &thin(runs(points())), colour, line.dashed),
    }
}

fn frame_is_turned(frame: &Frame) -> bool {
    frame.y.span.pixels[0] < frame.y.span.pixels[1]
}

/// Returns the outline of the area between a run and a level, on one side of it.
fn side(run: &[[f64; 2]], base: f64, is_lesser: bool) -> Vec<[f64; 2]> {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return Vec::new() };
    let held = |y: f64| if is_lesser { y.min(base) } else { y.max(base) };
    let mut area = vec![[first[0], base]];
    for pair in run.windows(2) {
        area.push([pair[0][0], held(pair[0][1])]);
        let (before, after) = (pair[0][1] - base, pair[1][1] - base);
        if before * after < 0.0 {
            let share = before / (before - after);
            area.push([pair[0][0] + share * (pair[1][0] - pair[0][0]), base]);
        }
    }
    area.push([last[0], held(last[1])]);
    area.push([last[0], base]);
    area
}

fn draw_band(frame: &Frame, svg: &mut Svg, line: &Line<'_>, colour: &str) {
    let Some(band) = line.band else { return };
    let style = format!("fill=\"{colour}\" fill-opacity=\"0.18\"");
    let mut run: [Vec<[f64; 2]>; 2] = [Vec::new(), Vec::new()];
    let mut flush = |run: &mut [Vec<[f64; 2]>; 2]| {
        let [lower, upper] = std::mem::take(run);
        svg.path(&[lower.into_iter().chain(upper.into_iter().rev()).collect()], true, &style);
    };
    for ((x, low), high) in line.x.iter().zip(band.low).zip(band.high) {
        if x.is_finite() && low.is_finite() && high.is_finite() {
            run[0].push(frame.place(*x, *low));
            run[1].push(frame.place(*x, *high));
        } else {
            flush(&mut run);
        }
    }
    flush(&mut run);
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
        let path = svg.lines().find(|line| line.starts_with("<path") && line.contains("#0072b2")).unwrap();
        assert_eq!(path.matches('M').count(), 1, "one run of two points: {path}");
        assert_eq!(svg.matches("<circle").count(), 2, "two lone points");
    }

    #[test]
    fn constants_are_drawn_and_nothing_is_refused() {
        for y in [[f64::NAN, 1e-5, f64::NAN], [5.0; 3], [0.0; 3], [f64::MAX, f64::MIN, 0.0]] {
            for x in [[0.0, 1.0, 2.0], [7.0; 3]] {
                let svg = spec(&[Line { x: &x, y: &y, ..Line::default() }]).to_svg().unwrap();
                rasterise(&svg, 200).unwrap();
                assert!(!svg.contains("NaN") && !svg.contains("inf"));
            }
        }
        for (x, y) in [(&[0.0][..], &[f64::NAN][..]), (&[f64::NAN], &[0.0]), (&[], &[])] {
            let refused = spec(&[Line { x, y, ..Line::default() }]).to_svg();
            assert!(matches!(refused, Err(ChartError::NoData { .. })), "{x:?} {y:?}");
        }
    }

    #[test]
    fn a_long_line_keeps_its_extremes() {
        let x: Vec<f64> = (0..50_000).map(f64::from).collect();
        let mut y = vec![0.0; 50_000];
        (y[12_345], y[40_000]) = (9.0, -9.0);
        let line = Line { x: &x, y: &y, ..Line::default() };
        let chart = SeriesSpec { time: TimeAxis::Number { label: "place", units: "" }, ..spec(&[]) };
        let chart = SeriesSpec { lines: &[line], ..chart };
        let frame = chart.frame();
        let svg = chart.to_svg().unwrap();
        for value in [9.0, -9.0] {
            let height = crate::svg::number(frame.y.span.place(value));
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
            let axis = SeriesSpec { lines: &[line], ..chart }.frame().x;
            let places: Vec<f64> = axis.ticks.places.iter().map(|place| axis.span.place(*place)).collect();
            assert!((2..=10).contains(&places.len()), "{years} years: {:?}", axis.ticks.labels);
            for (pair, labels) in places.windows(2).zip(axis.ticks.labels.windows(2)) {
                let wide =
                    f64::midpoint(font::width(&labels[0], TICK_SIZE), font::width(&labels[1], TICK_SIZE));
                assert!(pair[1] - pair[0] > wide + 4.0, "{years} years: {labels:?}");
            }
        }
    }

    #[test]
    fn a_filled_line_is_red_above_its_base_and_blue_below() {
        let (x, y) = ([0.0, 1.0, 2.0], [1.0, -1.0, -1.0]);
        let look = LineLook::Filled(0.0);
        let svg = spec(&[Line { x: &x, y: &y, look, ..Line::default() }]).to_svg().unwrap();
        let area =
            |colour: &str| svg.lines().find(|line| line.contains(colour)).unwrap().matches('L').count();
        assert_eq!((area(ABOVE), area(BELOW)), (5, 5));
        assert_eq!(
            side(&[[0.0, 5.0], [2.0, 15.0]], 10.0, true),
            [[0.0, 10.0], [0.0, 5.0], [1.0, 10.0], [2.0, 10.0], [2.0, 10.0]]
        );
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
