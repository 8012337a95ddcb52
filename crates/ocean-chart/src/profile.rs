//! Profiles: values against depth, the surface on top, a panel for each quantity.

use crate::{
    axis,
    error::ChartError,
    font,
    plot::{
        Heading, LABEL_SIZE, Legend, MARGIN, Sample, SampleLook, Span, TICK_SIZE, draw_frame, draw_line,
        extent, haloed_text, line_colour, pad, runs, thin_style, widest,
    },
    svg::{Anchor, INK, Svg},
};

/// The width of a panel where there is one, and where there are several.
const PANEL_WIDTHS: [f64; 2] = [460.0, 290.0];
const PANEL_GAP: f64 = 22.0;
const FRAME_HEIGHT: f64 = 520.0;
const TICK: f64 = 5.0;

/// A chart of profiles against depth, which grows downwards: one panel for each quantity, on one axis of depth.
///
/// # Missing values
/// What is not finite is a gap in the line.
///
/// # Examples
///
/// ```
/// use ocean_chart::{DepthMark, ProfileLine, ProfilePanel, ProfileSpec};
///
/// let depth = [0.0, 50.0, 500.0];
/// let spec = ProfileSpec {
///     title: "Basin",
///     panels: &[
///         ProfilePanel {
///             x_label: "temperature",
///             units: "degC",
///             lines: &[ProfileLine { label: "basin", depth: &depth, values: &[28.0, 26.0, 8.0], ..ProfileLine::default() }],
///         },
///         ProfilePanel {
///             x_label: "salinity",
///             units: "g kg-1",
///             lines: &[ProfileLine { depth: &depth, values: &[33.5, 34.2, 34.5], ..ProfileLine::default() }],
///         },
///     ],
///     marks: &[DepthMark { depth: 35.0, label: "mixed layer" }],
///     ..ProfileSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("depth (m)"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ProfileSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The panels, from left to right.
    pub panels: &'a [ProfilePanel<'a>],
    /// Depths marked across all panels.
    pub marks: &'a [DepthMark<'a>],
    /// What depth is measured in; metres if empty.
    pub depth_units: &'a str,
}

/// The profiles of one quantity.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProfilePanel<'a> {
    /// The name of the quantity.
    pub x_label: &'a str,
    /// The units of the values.
    pub units: &'a str,
    /// The profiles, in the order of the legend; the n-th profile has one colour in all panels.
    pub lines: &'a [ProfileLine<'a>],
}

/// One profile.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProfileLine<'a> {
    /// Its name in the legend; empty for none.
    pub label: &'a str,
    /// Depths below the surface, positive.
    pub depth: &'a [f64],
    /// The values, as many.
    pub values: &'a [f64],
    /// Edges of a band around it, as many values each, such as a standard deviation.
    pub band: Option<[&'a [f64]; 2]>,
    /// Dashed, for references.
    pub dashed: bool,
}

/// A depth marked in a chart of profiles, such as that of the mixed layer.
#[derive(Debug, Clone, Copy)]
pub struct DepthMark<'a> {
    /// The depth, as the profiles have it.
    pub depth: f64,
    /// Its name. May be empty.
    pub label: &'a str,
}

/// Where the panels stand.
#[derive(Debug)]
struct Layout {
    heading: Heading,
    legend: Legend,
    depth: Span,
    depth_ticks: axis::Ticks,
    /// Left, top, width and height of each panel.
    areas: Vec<[f64; 4]>,
    size: [f64; 2],
}

impl ProfileSpec<'_> {
    /// Draws the profiles as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::NoLines`] without a profile, [`ChartError::Length`] if a profile's arrays differ in length,
    /// [`ChartError::NoData`] if no point has a finite place.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        self.check()?;
        let layout = self.layout();
        let mut svg = Svg::new(layout.size[0], layout.size[1], self.title);
        layout.heading.draw(&mut svg);
        let [left, top, ..] = layout.areas[0];
        layout.legend.draw(&mut svg, [left, top - layout.legend.height()]);
        for (place, (panel, area)) in self.panels.iter().zip(&layout.areas).enumerate() {
            self.draw_panel(&mut svg, &layout, panel, *area, place);
        }
        let label = axis::label("depth", self.depth_units(), layout.depth_ticks.power);
        svg.upward_text([MARGIN + LABEL_SIZE - 3.0, top + FRAME_HEIGHT / 2.0], LABEL_SIZE, &label);
        Ok(svg.finish())
    }

    fn depth_units(&self) -> &str {
        if self.depth_units.is_empty() { "m" } else { self.depth_units }
    }

    fn lines(&self) -> impl Iterator<Item = &ProfileLine<'_>> {
        self.panels.iter().flat_map(|panel| panel.lines)
    }

    fn check(&self) -> Result<(), ChartError> {
        if self.panels.is_empty() || self.panels.iter().any(|panel| panel.lines.is_empty()) {
            return Err(ChartError::NoLines { title: self.title.to_owned() });
        }
        for line in self.lines() {
            let edges = line.band.unwrap_or([line.values; 2]);
            for values in [line.values, edges[0], edges[1]] {
                if values.len() != line.depth.len() {
                    let what = format!("profile {}", line.label);
                    return Err(ChartError::Length { what, expected: line.depth.len(), found: values.len() });
                }
            }
        }
        let mut points = self.lines().flat_map(|line| line.depth.iter().zip(line.values));
        if !points.any(|(depth, value)| depth.is_finite() && value.is_finite()) {
            return Err(ChartError::NoData { what: format!("the profiles of `{}`", self.title) });
        }
        Ok(())
    }

    fn layout(&self) -> Layout {
        let panel_width = if self.panels.len() == 1 { PANEL_WIDTHS[0] } else { PANEL_WIDTHS[1] };
        // Depths of missing values would leave the lower part empty.
        let depths = self.lines().flat_map(|line| {
            line.depth.iter().zip(line.values).filter(|(_, value)| value.is_finite()).map(|(depth, _)| *depth)
        });
        let [shallow, deep] = extent(depths);
        let ticks = axis::linear(shallow.min(0.0), deep, 8);
        let left = MARGIN + LABEL_SIZE + 10.0 + widest(&ticks.labels) + TICK + 5.0;
        let count = self.panels.len() as f64;
        let all = count * panel_width + (count - 1.0) * PANEL_GAP;
        let width = left + all + MARGIN + 12.0;
        let heading = Heading::new(self.title, self.subtitle, width);
        let mut entries: Vec<Sample> = Vec::new();
        for panel in self.panels {
            for (place, line) in panel.lines.iter().enumerate() {
                if entries.iter().all(|entry| entry.label != line.label) {
                    let look = if line.dashed { SampleLook::Dashed } else { SampleLook::Line };
                    let colour = self.colour(0, place).to_owned();
                    entries.push(Sample { label: line.label.to_owned(), colour, look });
                }
            }
        }
        let legend = Legend::new(entries, all);
        let top = heading.height() + legend.height() + 4.0;
        let areas = (0..self.panels.len())
            .map(|place| [left + place as f64 * (panel_width + PANEL_GAP), top, panel_width, FRAME_HEIGHT])
            .collect();
        let foot = TICK + TICK_SIZE + LABEL_SIZE + 8.0 + MARGIN;
        let pixels = [top, top + FRAME_HEIGHT];
        Layout {
            heading,
            legend,
            depth: Span { low: shallow.min(0.0), high: deep, pixels, is_log: false },
            depth_ticks: ticks,
            areas,
            size: [width, top + FRAME_HEIGHT + foot],
        }
    }

    /// One colour for each profile; where every panel has one without a name, one for each panel.
    fn colour(&self, panel: usize, place: usize) -> &'static str {
        let is_single = self.panels.len() > 1 && self.panels.iter().all(|panel| panel.lines.len() == 1);
        line_colour(if is_single && self.lines().all(|line| line.label.is_empty()) { panel } else { place })
    }

    fn draw_panel(
        &self,
        svg: &mut Svg,
        layout: &Layout,
        panel: &ProfilePanel<'_>,
        area: [f64; 4],
        place: usize,
    ) {
        let [left, top, width, height] = area;
        let edges = panel.lines.iter().filter_map(|line| line.band).flatten().flatten();
        let [low, high] =
            pad(extent(panel.lines.iter().flat_map(|line| line.values).chain(edges).copied()), 0.06);
        let x = Span { low, high, pixels: [left, left + width], is_log: false };
        draw_axes(svg, panel, area, &x, layout, place == 0);
        svg.open_clip(&format!("panel{place}"), area);
        for (at, line) in panel.lines.iter().enumerate() {
            draw_profile(svg, line, &x, &layout.depth, self.colour(place, at));
        }
        for mark in self.marks.iter().filter(|mark| mark.depth.is_finite()) {
            let y = layout.depth.place(mark.depth);
            svg.path(&[vec![[left, y], [left + width, y]]], false, &thin_style(INK));
            if place + 1 == self.panels.len() {
                let label = font::shorten(mark.label, TICK_SIZE, width - 12.0);
                let y = if y - TICK_SIZE < top + 4.0 { y + TICK_SIZE + 4.0 } else { y - 5.0 };
                haloed_text(svg, [left + width - 6.0, y], Anchor::End, TICK_SIZE, &label);
            }
        }
        svg.close_clip();
        draw_frame(svg, [left, top, width, height]);
    }
}

fn draw_profile(svg: &mut Svg, line: &ProfileLine<'_>, x: &Span, depth: &Span, colour: &str) {
    if let Some([low, high]) = line.band {
        let complete = |place: &usize| {
            [low[*place], high[*place], line.depth[*place]].iter().all(|value| value.is_finite())
        };
        let kept: Vec<usize> = (0..line.depth.len()).filter(complete).collect();
        let edge = |values: &[f64], at: usize| [x.place(values[at]), depth.place(line.depth[at])];
        let outline = kept.iter().map(|at| edge(low, *at)).chain(kept.iter().rev().map(|at| edge(high, *at)));
        svg.path(&[outline.collect()], true, &format!("fill=\"{colour}\" fill-opacity=\"0.18\""));
    }
    let points = line.values.iter().zip(line.depth).map(|(value, at)| [x.place(*value), depth.place(*at)]);
    draw_line(svg, &runs(points), colour, line.dashed);
}

fn draw_axes(
    svg: &mut Svg,
    panel: &ProfilePanel<'_>,
    area: [f64; 4],
    x: &Span,
    layout: &Layout,
    is_first: bool,
) {
    let [left, top, width, height] = area;
    let bottom = top + height;
    let style = format!("stroke=\"{INK}\" stroke-width=\"1\"");
    let grid = "stroke=\"#dddddd\" stroke-width=\"0.8\"";
    let ticks = axis::linear(x.low, x.high, crate::float::floor_index(width / 62.0).max(2));
    let mut free_from = f64::NEG_INFINITY;
    for (value, label) in ticks.places.iter().zip(&ticks.labels) {
        let place = x.place(*value);
        svg.line([place, top], [place, bottom], grid);
        svg.line([place, bottom], [place, bottom + TICK], &style);
        let wide = font::width(label, TICK_SIZE);
        if place - wide / 2.0 >= free_from {
            svg.text([place, bottom + TICK + TICK_SIZE + 1.0], Anchor::Middle, TICK_SIZE, label);
            free_from = place + wide / 2.0 + 6.0;
        }
    }
    let label = font::shorten(&axis::label(panel.x_label, panel.units, ticks.power), LABEL_SIZE, width);
    let below = bottom + TICK + TICK_SIZE + LABEL_SIZE + 7.0;
    svg.text([left + width / 2.0, below], Anchor::Middle, LABEL_SIZE, &label);
    for (value, label) in layout.depth_ticks.places.iter().zip(&layout.depth_ticks.labels) {
        let place = layout.depth.place(*value);
        svg.line([left, place], [left + width, place], grid);
        if is_first {
            svg.line([left - TICK, place], [left, place], &style);
            svg.text([left - TICK - 4.0, place + 4.5], Anchor::End, TICK_SIZE, label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(lines: &[ProfileLine<'_>]) -> Result<String, ChartError> {
        let panels = [ProfilePanel { x_label: "t", units: "degC", lines }];
        ProfileSpec { panels: &panels, ..ProfileSpec::default() }.to_svg()
    }

    #[test]
    fn the_surface_is_on_top() {
        let lines = [ProfileLine {
            label: "a",
            depth: &[0.0, 1000.0],
            values: &[20.0, 5.0],
            ..ProfileLine::default()
        }];
        let svg = chart(&lines).unwrap();
        let path = svg.lines().rfind(|line| line.starts_with("<path") && line.contains("#0072b2")).unwrap();
        let heights: Vec<f64> =
            path.split(['M', 'L', '"']).filter_map(|part| part.split_once(' ')?.1.parse().ok()).collect();
        assert!(heights[0] < heights[1], "{path}");
    }

    #[test]
    fn nothing_is_refused() {
        let line = ProfileLine { depth: &[1.0], values: &[f64::NAN], ..ProfileLine::default() };
        assert!(matches!(chart(&[line]), Err(ChartError::NoData { .. })));
        let line = ProfileLine { depth: &[1.0], values: &[], ..ProfileLine::default() };
        assert!(matches!(chart(&[line]), Err(ChartError::Length { .. })));
        assert!(matches!(chart(&[]), Err(ChartError::NoLines { .. })));
        assert!(matches!(ProfileSpec::default().to_svg(), Err(ChartError::NoLines { .. })));
    }

    #[test]
    fn panels_share_their_depths() {
        let line = |values| [ProfileLine { depth: &[0.0, 10.0], values, ..ProfileLine::default() }];
        let (one, two) = (line(&[1.0, 2.0]), line(&[30.0, 31.0]));
        let panel = |lines| ProfilePanel { x_label: "x", units: "m", lines };
        let panels = [panel(&one), panel(&two)];
        let marks = [DepthMark { depth: 5.0, label: "mixed layer" }];
        let svg = ProfileSpec { panels: &panels, marks: &marks, ..ProfileSpec::default() }.to_svg().unwrap();
        assert_eq!(svg.matches("mixed layer").count(), 1);
        assert_eq!(svg.matches(">depth (m)<").count(), 1);
        assert_eq!(svg.matches("stroke-dasharray=\"3 3\"").count(), 2);
    }
}
