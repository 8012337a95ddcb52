//! A plot's frame: two axes with ticks and labels, the heading, the legend, room for a colour bar.

use crate::{
    axis::{self, Degrees, Ticks},
    float::floor_index,
    font,
    plot::{Heading, LABEL_SIZE, Legend, MARGIN, Sample, Span, TICK_SIZE, draw_frame, widest},
    svg::{Anchor, INK, Svg},
    time::TimeAxis,
};

const TICK: f64 = 5.0;

/// What an axis measures, and so how its ticks look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Measure<'a> {
    Number,
    /// As [`Measure::Number`], by ratios.
    Log,
    Time(TimeAxis<'a>),
    Degrees(Degrees),
    /// The caller draws its own labels.
    Bare,
}

/// An axis before it has a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AxisPlan<'a> {
    pub(crate) measure: Measure<'a>,
    /// Its ends; finite and rising.
    pub(crate) span: [f64; 2],
    pub(crate) name: &'a str,
    pub(crate) units: &'a str,
    /// The low end is at the right, or at the top.
    pub(crate) is_turned: bool,
}

/// A frame before it has a place.
#[derive(Debug)]
pub(crate) struct FramePlan<'a> {
    pub(crate) title: &'a str,
    pub(crate) subtitle: &'a str,
    pub(crate) x: AxisPlan<'a>,
    pub(crate) y: AxisPlan<'a>,
    pub(crate) legend: Vec<Sample>,
    /// The width of the drawing and the height of the frame.
    pub(crate) size: [f64; 2],
    /// Room at the right of the frame.
    pub(crate) right: f64,
    /// Room under the labels of the horizontal axis.
    pub(crate) below: f64,
}

/// An axis in its place.
#[derive(Debug)]
pub(crate) struct Axis {
    pub(crate) span: Span,
    pub(crate) ticks: Ticks,
    label: String,
}

/// A frame in its place.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Left, top, width and height in pixels.
    pub(crate) area: [f64; 4],
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    heading: Heading,
    legend: Legend,
    /// Width and height of the drawing.
    size: [f64; 2],
    title: String,
}

impl AxisPlan<'_> {
    /// Ticks for an axis `length` pixels long, and its label. A level axis needs more room for each.
    fn ticks(&self, length: f64, is_level: bool) -> (Ticks, String) {
        let [low, high] = self.span;
        let most = |level: f64| floor_index(length / if is_level { level } else { 48.0 }).clamp(2, 10);
        let (ticks, label) = match self.measure {
            Measure::Number => (axis::linear(low, high, most(80.0)), None),
            Measure::Log => (axis::logarithmic(low, high, most(60.0)), None),
            Measure::Degrees(degrees) => (axis::degrees(low, high, most(80.0), degrees), Some(String::new())),
            Measure::Time(time) => {
                let (ticks, label) = time.ticks(low, high, most(92.0));
                (ticks, Some(label))
            }
            Measure::Bare => (Ticks::default(), None),
        };
        let label = label.unwrap_or_else(|| axis::label(self.name, self.units, ticks.power));
        (ticks, font::shorten(&label, LABEL_SIZE, length))
    }

    fn place(&self, ticks: Ticks, label: String, pixels: [f64; 2]) -> Axis {
        let [low, high] = self.span;
        let pixels = if self.is_turned { [pixels[1], pixels[0]] } else { pixels };
        Axis { span: Span { low, high, pixels, is_log: self.measure == Measure::Log }, ticks, label }
    }
}

impl Frame {
    /// Gives a frame its place.
    pub(crate) fn new(plan: FramePlan<'_>) -> Self {
        let [drawing_width, height] = plan.size;
        let (y_ticks, y_label) = plan.y.ticks(height, false);
        let label_room = if y_label.is_empty() { 0.0 } else { LABEL_SIZE + 10.0 };
        let left = MARGIN + label_room + widest(&y_ticks.labels) + TICK + 5.0;
        let width = (drawing_width - left - MARGIN - 8.0 - plan.right).max(60.0);
        let (x_ticks, x_label) = plan.x.ticks(width, true);
        let heading = Heading::new(plan.title, plan.subtitle, drawing_width);
        let legend = Legend::new(plan.legend, width);
        let top = heading.height() + legend.height() + 4.0;
        let label_room = if x_label.is_empty() { 0.0 } else { LABEL_SIZE + 6.0 };
        let foot = TICK + TICK_SIZE + label_room + 4.0 + plan.below + MARGIN;
        Self {
            area: [left, top, width, height],
            x: plan.x.place(x_ticks, x_label, [left, left + width]),
            y: plan.y.place(y_ticks, y_label, [top + height, top]),
            heading,
            legend,
            size: [drawing_width, top + height + foot],
            title: plan.title.to_owned(),
        }
    }

    /// Moves the frame to the right within its drawing.
    pub(crate) fn shift(&mut self, right: f64) {
        self.area[0] += right;
        for end in &mut self.x.span.pixels {
            *end += right;
        }
    }

    /// Returns the pixels of a point.
    pub(crate) fn place(&self, x: f64, y: f64) -> [f64; 2] {
        [self.x.span.place(x), self.y.span.place(y)]
    }

    /// Starts the drawing: heading, legend, and what follows cut to the frame.
    pub(crate) fn open(&self) -> Svg {
        let mut svg = Svg::new(self.size[0], self.size[1], &self.title);
        self.heading.draw(&mut svg);
        let [left, top, ..] = self.area;
        self.legend.draw(&mut svg, [left, top - self.legend.height()]);
        svg.open_clip("plot", self.area);
        svg
    }

    /// Draws the grid lines of both axes.
    pub(crate) fn draw_grid(&self, svg: &mut Svg) {
        let [x, y, width, height] = self.area;
        let style = |weight: &str| format!("stroke=\"{weight}\" stroke-width=\"0.8\"");
        for (places, weight) in [(&self.x.ticks.minor, "#f0f0f0"), (&self.x.ticks.places, "#dddddd")] {
            for place in places {
                let at = self.x.span.place(*place);
                svg.line([at, y], [at, y + height], &style(weight));
            }
        }
        for (places, weight) in [(&self.y.ticks.minor, "#f0f0f0"), (&self.y.ticks.places, "#dddddd")] {
            for place in places {
                let at = self.y.span.place(*place);
                svg.line([x, at], [x + width, at], &style(weight));
            }
        }
    }

    /// Ends what is cut to the frame, and draws the frame and the axes.
    pub(crate) fn close(&self, svg: &mut Svg) {
        svg.close_clip();
        draw_frame(svg, self.area);
        let [x, y, width, height] = self.area;
        let style = format!("stroke=\"{INK}\" stroke-width=\"1\"");
        let bottom = y + height;
        let mut places: Vec<(f64, &str)> = self.x.labelled().collect();
        places.sort_by(|left, right| left.0.total_cmp(&right.0));
        let mut free_from = f64::NEG_INFINITY;
        for (place, label) in places {
            let wide = font::width(label, TICK_SIZE);
            svg.line([place, bottom], [place, bottom + TICK], &style);
            let is_inside = place + wide / 2.0 < self.size[0] - 2.0;
            if is_inside && place - wide / 2.0 >= free_from {
                svg.text([place, bottom + TICK + TICK_SIZE + 1.0], Anchor::Middle, TICK_SIZE, label);
                free_from = place + wide / 2.0 + 8.0;
            }
        }
        for (place, label) in self.y.labelled() {
            svg.line([x - TICK, place], [x, place], &style);
            svg.text([x - TICK - 4.0, place + 4.5], Anchor::End, TICK_SIZE, label);
        }
        if !self.y.label.is_empty() {
            svg.upward_text([MARGIN + LABEL_SIZE - 3.0, y + height / 2.0], LABEL_SIZE, &self.y.label);
        }
        if !self.x.label.is_empty() {
            let place = [x + width / 2.0, bottom + TICK + TICK_SIZE + LABEL_SIZE + 7.0];
            svg.text(place, Anchor::Middle, LABEL_SIZE, &self.x.label);
        }
    }

    /// Returns the room that the labels under the frame take.
    pub(crate) fn foot(&self) -> f64 {
        TICK + TICK_SIZE + if self.x.label.is_empty() { 0.0 } else { LABEL_SIZE + 6.0 } + 4.0
    }
}

impl Axis {
    /// Returns the pixel and the label of each tick.
    fn labelled(&self) -> impl Iterator<Item = (f64, &str)> {
        self.ticks
            .places
            .iter()
            .zip(&self.ticks.labels)
            .map(|(place, label)| (self.span.place(*place), label.as_str()))
    }
}
