//! A field on two axes: what sections, Hovmöller diagrams and two-dimensional histograms share.

use crate::{
    along::Along,
    cells::Cells,
    colour::{Colours, MISSING, Scale, hex},
    colour_bar::ColourBar,
    contour,
    contours::{self, Contours, LevelLines},
    error::ChartError,
    font,
    frame::{AxisPlan, Frame, FramePlan},
    plot::{TICK_SIZE, WIDTH, haloed_text, runs},
    raster::{self, Shading},
    svg::{Anchor, INK, Svg},
};

/// Something marked on a section or a Hovmöller diagram; numbers as those of its axes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PlaneMark<'a> {
    /// A line, such as the depth of the mixed layer along a section.
    Line {
        /// Numbers of the horizontal axis.
        x: &'a [f64],
        /// Numbers of the vertical axis, as many.
        y: &'a [f64],
        /// Its name. May be empty.
        label: &'a str,
    },
    /// A place.
    Point {
        /// Number of the horizontal axis.
        x: f64,
        /// Number of the vertical axis.
        y: f64,
        /// Its name. May be empty.
        label: &'a str,
    },
    /// A box, such as an event.
    Box {
        /// Both ends on the horizontal axis.
        x: [f64; 2],
        /// Both ends on the vertical axis.
        y: [f64; 2],
        /// Its name. May be empty.
        label: &'a str,
    },
}

/// A field on two axes.
#[derive(Debug)]
pub(crate) struct Plane<'a> {
    pub(crate) title: &'a str,
    pub(crate) subtitle: &'a str,
    pub(crate) quantity: &'a str,
    pub(crate) units: &'a str,
    pub(crate) x: (Cells, AxisPlan<'a>),
    pub(crate) y: (Cells, AxisPlan<'a>),
    /// Row-major, vertical axis first.
    pub(crate) values: &'a [f64],
    pub(crate) colours: Colours<'a>,
    pub(crate) shading: Shading,
    pub(crate) contours: &'a [Contours<'a>],
    pub(crate) marks: &'a [PlaneMark<'a>],
    /// The depth of the sea floor at each column, or none.
    pub(crate) floor: &'a [f64],
    pub(crate) height: f64,
}

/// The cells of a coordinate and the axis over all of them.
pub(crate) fn side<'a>(along: &Along<'a>) -> Result<(Cells, AxisPlan<'a>), ChartError> {
    let cells = along.cells()?;
    let plan = along.plan(cells.span());
    Ok((cells, plan))
}

impl Plane<'_> {
    /// Draws the field as SVG text.
    pub(crate) fn to_svg(&self) -> Result<String, ChartError> {
        let expected = self.x.0.len() * self.y.0.len();
        let length = |what: &str, expected: usize, found: usize| {
            let what = what.to_owned();
            if expected == found { Ok(()) } else { Err(ChartError::Length { what, expected, found }) }
        };
        length("values", expected, self.values.len())?;
        if !self.floor.is_empty() {
            length("floor", self.x.0.len(), self.floor.len())?;
        }
        for mark in self.marks {
            if let PlaneMark::Line { x, y, label } = mark {
                length(&format!("line {label}"), x.len(), y.len())?;
            }
        }
        let scale = Scale::new(self.values, self.units, &self.colours)?;
        let bar = ColourBar::new(&scale, self.quantity, self.units, true, self.height);
        let frame = Frame::new(FramePlan {
            title: self.title,
            subtitle: self.subtitle,
            x: self.x.1,
            y: self.y.1,
            legend: Vec::new(),
            size: [WIDTH, self.height],
            right: bar.thickness(),
            below: 0.0,
        });
        let mut svg = frame.open();
        svg.rect(frame.area, &format!("fill=\"{}\"", hex(MISSING)));
        self.draw_values(&frame, &mut svg, &scale)?;
        let mut taken = Vec::new();
        self.draw_contours(&frame, &mut svg, &mut taken)?;
        self.draw_floor(&frame, &mut svg);
        self.draw_marks(&frame, &mut svg);
        frame.close(&mut svg);
        bar.draw(&mut svg, frame.area, frame.foot())?;
        Ok(svg.finish())
    }

    fn draw_values(&self, frame: &Frame, svg: &mut Svg, scale: &Scale) -> Result<(), ChartError> {
        let [.., width, height] = frame.area;
        let columns = raster::pixel_numbers(&self.x.0, turned(&self.x.1, false), width, self.shading);
        let rows = raster::pixel_numbers(&self.y.0, turned(&self.y.1, true), height, self.shading);
        let picture =
            raster::separable((&self.x.0, &columns), (&self.y.0, &rows), self.values, scale, self.shading);
        picture.draw(svg, frame.area)
    }

    fn draw_contours(
        &self,
        frame: &Frame,
        svg: &mut Svg,
        taken: &mut Vec<[f64; 4]>,
    ) -> Result<(), ChartError> {
        for contours in self.contours {
            let values = contours.values_of(self.values)?;
            let levels: Vec<LevelLines> = contours
                .levels_of(values)
                .into_iter()
                .map(|level| {
                    let traced = contour::on_grid([self.y.0.len(), self.x.0.len()], values, level);
                    let place = |[column, row]: [f64; 2]| {
                        frame.place(self.x.0.number_at(column), self.y.0.number_at(row))
                    };
                    let lines =
                        traced.into_iter().map(|line| line.into_iter().map(place).collect()).collect();
                    LevelLines { level, lines }
                })
                .collect();
            contours::draw(svg, &levels, contours.is_bold, frame.area, taken);
        }
        Ok(())
    }

    fn draw_floor(&self, frame: &Frame, svg: &mut Svg) {
        if self.floor.is_empty() {
            return;
        }
        let [left, top, width, height] = frame.area;
        let bottom = top + height + 2.0;
        let mut places: Vec<[f64; 2]> = (0..self.floor.len())
            .filter(|column| self.floor[*column].is_finite())
            .map(|column| frame.place(self.x.0.centre(column), self.floor[column]))
            .map(|[x, y]| [x, y.clamp(top, bottom)])
            .collect();
        places.sort_by(|left, right| left[0].total_cmp(&right[0]));
        let (Some(first), Some(last)) = (places.first().copied(), places.last().copied()) else { return };
        let mut outline = vec![[left, bottom], [left, first[1]]];
        outline.extend(places);
        outline.extend([[left + width, last[1]], [left + width, bottom]]);
        svg.path(&[outline], true, &format!("fill=\"#9a9a98\" stroke=\"{INK}\" stroke-width=\"1\""));
    }

    fn draw_marks(&self, frame: &Frame, svg: &mut Svg) {
        for mark in self.marks {
            let (corner, label) = match *mark {
                PlaneMark::Line { x, y, label } => {
                    let lines = runs(x.iter().zip(y).map(|(x, y)| frame.place(*x, *y)));
                    svg.path(
                        &lines,
                        false,
                        "fill=\"none\" stroke=\"#ffffff\" stroke-width=\"4\" stroke-opacity=\"0.8\"",
                    );
                    svg.path(&lines, false, &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\""));
                    let last = lines.iter().flatten().last().copied();
                    (last.map(|[x, y]| [x - font::width(label, TICK_SIZE) - 6.0, y - 6.0]), label)
                }
                PlaneMark::Point { x, y, label } => {
                    let place = frame.place(x, y);
                    let style = format!("fill=\"{INK}\" stroke=\"#ffffff\" stroke-width=\"1.5\"");
                    svg.circle(place, 5.0, &style);
                    (Some([place[0] + 9.0, place[1] + 5.0]), label)
                }
                PlaneMark::Box { x, y, label } => {
                    let (from, to) = (frame.place(x[0], y[0]), frame.place(x[1], y[1]));
                    let corner = [from[0].min(to[0]), from[1].min(to[1])];
                    let area = [corner[0], corner[1], (to[0] - from[0]).abs(), (to[1] - from[1]).abs()];
                    svg.rect(
                        area,
                        "fill=\"none\" stroke=\"#ffffff\" stroke-width=\"4\" stroke-opacity=\"0.85\"",
                    );
                    svg.rect(area, &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\""));
                    (Some([corner[0] + 5.0, corner[1] + TICK_SIZE + 4.0]), label)
                }
            };
            if let Some([x, y]) = corner.filter(|_| !label.is_empty()) {
                let [left, top, width, height] = frame.area;
                let most = (left + width - font::width(label, TICK_SIZE) - 6.0).max(left + 6.0);
                let place = [x.clamp(left + 6.0, most), y.clamp(top + TICK_SIZE + 2.0, top + height - 6.0)];
                haloed_text(svg, place, Anchor::Start, TICK_SIZE, label);
            }
        }
    }
}

/// The span from the left or the top.
fn turned(plan: &AxisPlan<'_>, is_upright: bool) -> [f64; 2] {
    let [low, high] = plan.span;
    if plan.is_turned == is_upright { [low, high] } else { [high, low] }
}
