//! Maps: cells of a longitude and latitude grid, coast, degrees, a colour bar.

use crate::{
    axis::{self, Degrees},
    coast,
    colour::{MISSING, Palette, Range, Scale, hex},
    colour_bar::ColourBar,
    error::ChartError,
    float::floor_index,
    font,
    mesh::{self, Cells},
    plot::{Heading, MARGIN, Span, TICK_SIZE, WIDTH, draw_frame},
    png,
    svg::{Anchor, INK, Svg},
};

const MAX_FRAME_HEIGHT: f64 = 560.0;
const TICK: f64 = 5.0;
/// Room under the frame for the labels of longitude.
const BELOW: f64 = TICK + TICK_SIZE + 6.0;
/// A frame flatter than this has its colour bar below it.
const FLAT: f64 = 0.35;

/// A map of a field in plate carrée projection, stretched so that the middle latitude is true to scale.
///
/// # Shapes
/// `values` is `(lat, lon)`, row-major. `lon` and `lat` are cell centres in degrees; each may rise or fall, `lon` may be
/// 0 to 360 or -180 to 180, and may jump by a whole turn where it crosses the date line.
///
/// # Missing values
/// What is not finite is drawn grey, as land is.
///
/// # Units
/// `units` are CF units as a file has them; `degC` and `m s-1` are set as in print.
#[derive(Debug, Clone, Default)]
pub struct MapSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it: period, depth, dataset. May be empty.
    pub subtitle: &'a str,
    /// The name of the quantity, beside the colour bar. May be empty.
    pub quantity: &'a str,
    /// The units of the values.
    pub units: &'a str,
    /// Longitudes of the cell centres, in degrees east.
    pub lon: &'a [f64],
    /// Latitudes of the cell centres, in degrees north.
    pub lat: &'a [f64],
    /// The values.
    pub values: &'a [f64],
    /// Which values the colours span.
    pub range: Range,
    /// The colour table.
    pub palette: Palette,
    /// Boxes and places to mark.
    pub marks: &'a [MapMark<'a>],
    /// Whether coastlines are drawn.
    pub coast: Coast,
}

/// Whether a map has coastlines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coast {
    /// Coastlines of Natural Earth.
    #[default]
    Draw,
    /// None, for invented geographies and very small windows.
    Omit,
}

/// Something marked on a map.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MapMark<'a> {
    /// A box in longitude and latitude.
    Box {
        /// West and east edge in degrees; west may be the greater across the date line.
        lon: [f64; 2],
        /// South and north edge in degrees.
        lat: [f64; 2],
        /// Its name. May be empty.
        label: &'a str,
    },
    /// A place.
    Point {
        /// Longitude in degrees.
        lon: f64,
        /// Latitude in degrees.
        lat: f64,
        /// Its name. May be empty.
        label: &'a str,
    },
}

impl MapSpec<'_> {
    /// Draws the map as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::Length`] if `values` does not fit the axes, [`ChartError::Axis`] if an axis is empty, not finite or
    /// runs back and forth, [`ChartError::Range`] if a fixed range is empty.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        let (lon, lat) = (Cells::of_longitudes(self.lon)?, Cells::of_latitudes(self.lat)?);
        let expected = self.lon.len() * self.lat.len();
        if self.values.len() != expected {
            let what = "values".to_owned();
            return Err(ChartError::Length { what, expected, found: self.values.len() });
        }
        let scale = Scale::new(self.values, self.range, self.palette)?;
        let layout = Layout::new(self, &scale, lon.span(), lat.span());
        let mut svg = Svg::new(layout.width, layout.height, self.title);
        layout.heading.draw(&mut svg);
        let [x, y, width, height] = layout.frame;
        svg.rect(layout.frame, &format!("fill=\"{}\"", hex(MISSING)));
        svg.open_clip("map", layout.frame);
        let raster = mesh::rasterise(&lon, &lat, self.values, &scale, [width, height]);
        svg.image(layout.frame, &png::embed(&raster.colours, raster.width, raster.height)?);
        if self.coast == Coast::Draw {
            let runs: Vec<_> = coast::lines(lon.span(), lat.span())
                .into_iter()
                .map(|run| run.into_iter().map(|point| layout.place(point)).collect())
                .collect();
            svg.path(
                &runs,
                false,
                "fill=\"none\" stroke=\"#1a1a1a\" stroke-width=\"0.9\" stroke-linejoin=\"round\"",
            );
        }
        layout.draw_grid(&mut svg);
        layout.draw_marks(&mut svg, self.marks);
        svg.close_clip();
        if scale.is_empty {
            let middle = [x + width / 2.0, y + height / 2.0];
            svg.text(middle, Anchor::Middle, 18.0, "no data");
        }
        draw_frame(&mut svg, layout.frame);
        layout.draw_ticks(&mut svg);
        layout.bar.draw(&mut svg, layout.frame, BELOW);
        Ok(svg.finish())
    }
}

/// Where everything stands.
#[derive(Debug)]
struct Layout<'a> {
    heading: Heading,
    bar: ColourBar<'a>,
    width: f64,
    height: f64,
    frame: [f64; 4],
    lon: Span,
    lat: Span,
}

impl<'a> Layout<'a> {
    fn new(spec: &MapSpec<'_>, scale: &'a Scale, lon: [f64; 2], lat: [f64; 2]) -> Self {
        let left = MARGIN + font::width("88.88°N", TICK_SIZE) + TICK + 2.0;
        // At 80 degrees a degree of longitude is already a sixth as long: beyond, maps would become needles.
        let middle = f64::midpoint(lat[0], lat[1]).abs().min(80.0);
        let stretch =
            if lat[1] - lat[0] > 60.0 { 1.0 } else { 1.0 / libm::cos(middle * std::f64::consts::PI / 180.0) };
        let aspect = ((lat[1] - lat[0]) * stretch / (lon[1] - lon[0])).clamp(0.08, 8.0);
        let is_upright = aspect >= FLAT;
        let bar = |length| ColourBar::new(scale, spec.quantity, spec.units, is_upright, length);
        let room = |bar: &ColourBar<'_>| if is_upright { bar.thickness() } else { 18.0 };
        let most = WIDTH - left - MARGIN;
        let width = (most - room(&bar(MAX_FRAME_HEIGHT))).min(MAX_FRAME_HEIGHT / aspect).max(90.0);
        let height = width * aspect;
        let bar = bar(if is_upright { height } else { width });
        let drawing_width = (left + width + room(&bar) + MARGIN).max(480.0);
        let heading = Heading::new(spec.title, spec.subtitle, drawing_width);
        let top = heading.height() + 12.0;
        let foot = if is_upright { 12.0 } else { bar.thickness() };
        // A narrow map stands in the middle of its drawing.
        let spare = drawing_width - (left + width + room(&bar) + MARGIN);
        let frame = [left + spare / 2.0, top, width, height];
        Self {
            heading,
            bar,
            width: drawing_width,
            height: top + height + BELOW + foot,
            frame,
            lon: Span { low: lon[0], high: lon[1], pixels: [frame[0], frame[0] + width] },
            lat: Span { low: lat[0], high: lat[1], pixels: [top + height, top] },
        }
    }

    fn place(&self, [lon, lat]: [f64; 2]) -> [f64; 2] {
        [self.lon.place(lon), self.lat.place(lat)]
    }

    fn lon_ticks(&self) -> axis::Ticks {
        let most = floor_index(self.frame[2] / 85.0).clamp(1, 8);
        axis::degrees(self.lon.low, self.lon.high, most, Degrees::Longitude)
    }

    fn lat_ticks(&self) -> axis::Ticks {
        let most = floor_index(self.frame[3] / 50.0).clamp(1, 8);
        axis::degrees(self.lat.low, self.lat.high, most, Degrees::Latitude)
    }

    fn draw_grid(&self, svg: &mut Svg) {
        let [x, y, width, height] = self.frame;
        let style = "stroke=\"#000000\" stroke-opacity=\"0.13\" stroke-width=\"0.7\"";
        for lon in self.lon_ticks().places {
            svg.line([self.lon.place(lon), y], [self.lon.place(lon), y + height], style);
        }
        for lat in self.lat_ticks().places {
            svg.line([x, self.lat.place(lat)], [x + width, self.lat.place(lat)], style);
        }
    }

    fn draw_ticks(&self, svg: &mut Svg) {
        let [x, y, _, height] = self.frame;
        let style = format!("stroke=\"{INK}\" stroke-width=\"1\"");
        let ticks = self.lon_ticks();
        for (lon, label) in ticks.places.iter().zip(&ticks.labels) {
            let (place, bottom) = (self.lon.place(*lon), y + height);
            svg.line([place, bottom], [place, bottom + TICK], &style);
            svg.text([place, bottom + TICK + TICK_SIZE + 1.0], Anchor::Middle, TICK_SIZE, label);
        }
        let ticks = self.lat_ticks();
        for (lat, label) in ticks.places.iter().zip(&ticks.labels) {
            let place = self.lat.place(*lat);
            svg.line([x - TICK, place], [x, place], &style);
            svg.text([x - TICK - 3.0, place + 4.5], Anchor::End, TICK_SIZE, label);
        }
    }

    fn draw_marks(&self, svg: &mut Svg, marks: &[MapMark<'_>]) {
        let mut taken: Vec<[f64; 4]> = Vec::new();
        for mark in marks {
            let (corners, label) = match *mark {
                MapMark::Box { lon: [west, east], lat, label } => {
                    let east = if east < west { east + 360.0 } else { east };
                    (self.shapes([west, east], lat), label)
                }
                MapMark::Point { lon, lat, label } => (self.shapes([lon, lon], [lat, lat]), label),
            };
            for [left, top, right, bottom] in corners {
                if matches!(mark, MapMark::Box { .. }) {
                    let outline = [left, top, right - left, bottom - top];
                    svg.rect(
                        outline,
                        "fill=\"none\" stroke=\"#ffffff\" stroke-width=\"4\" stroke-opacity=\"0.85\"",
                    );
                    svg.rect(outline, &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\""));
                } else {
                    svg.circle(
                        [left, top],
                        5.0,
                        &format!("fill=\"{INK}\" stroke=\"#ffffff\" stroke-width=\"1.5\""),
                    );
                }
                if !label.is_empty() {
                    self.draw_mark_label(svg, [left, top, right, bottom], label, &mut taken);
                }
            }
        }
    }

    /// Returns left, top, right and bottom in pixels of a shape, once for each turn of longitude that shows it.
    fn shapes(&self, lon: [f64; 2], lat: [f64; 2]) -> Vec<[f64; 4]> {
        let home = libm::floor((self.lon.low - lon[0]) / 360.0);
        (0..3)
            .map(|turn| (home + f64::from(turn)) * 360.0)
            .filter(|turn| lon[0] + turn <= self.lon.high && lon[1] + turn >= self.lon.low)
            .filter(|_| lat[0] <= self.lat.high && lat[1] >= self.lat.low)
            .map(|turn| {
                let [left, bottom] = self.place([lon[0] + turn, lat[0]]);
                let [right, top] = self.place([lon[1] + turn, lat[1]]);
                [left, top, right, bottom]
            })
            .collect()
    }

    /// Writes a label at the first place around its shape that is in the frame and free of other labels.
    fn draw_mark_label(&self, svg: &mut Svg, shape: [f64; 4], label: &str, taken: &mut Vec<[f64; 4]>) {
        const SIZE: f64 = 14.0;
        let [x, y, width, height] = self.frame;
        let [left, top, right, bottom] = shape;
        let label = font::shorten(label, SIZE, width - 16.0);
        let wide = font::width(&label, SIZE);
        let near = left.clamp(x + 6.0, (x + width - wide - 6.0).max(x + 6.0));
        let corners = [
            [near, top - 8.0],
            [near, bottom + SIZE + 5.0],
            [right + 8.0, top + SIZE],
            [left - wide - 8.0, top + SIZE],
            [left.max(x) + 7.0, top.max(y) + SIZE + 5.0],
        ];
        let area = |[at, base]: [f64; 2]| [at - 2.0, base - SIZE, at + wide + 2.0, base + 4.0];
        let is_free = |corner: &&[f64; 2]| {
            let [west, north, east, south] = area(**corner);
            west >= x
                && east <= x + width
                && north >= y
                && south <= y + height
                && taken
                    .iter()
                    .all(|other| east < other[0] || west > other[2] || south < other[1] || north > other[3])
        };
        let Some(corner) = corners.iter().find(is_free) else { return };
        taken.push(area(*corner));
        let halo = format!(
            "fill=\"{INK}\" stroke=\"#ffffff\" stroke-width=\"3.5\" stroke-linejoin=\"round\" paint-order=\"stroke\""
        );
        svg.styled_text(*corner, Anchor::Start, SIZE, &halo, &label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::rasterise;

    fn wave(lon: &[f64], lat: &[f64]) -> Vec<f64> {
        lat.iter()
            .flat_map(|lat| lon.iter().map(move |lon| libm::cos(lat / 30.0) * 20.0 + lon / 60.0))
            .collect()
    }

    fn steps(from: f64, step: f64, count: u32) -> Vec<f64> {
        (0..count).map(|place| from + f64::from(place) * step).collect()
    }

    #[test]
    fn land_stays_grey() {
        let values = [f64::NAN; 6].map(|_: f64| f64::NAN);
        let mut values = values.to_vec();
        values[0] = 20.0;
        let spec = MapSpec {
            lon: &[-140.0, -139.0, -138.0],
            lat: &[0.0, 1.0],
            values: &values,
            coast: Coast::Omit,
            ..MapSpec::default()
        };
        let pixels = rasterise(&spec.to_svg().unwrap(), 900).unwrap();
        let grey = |pixel: &&resvg::tiny_skia::PremultipliedColorU8| {
            [pixel.red(), pixel.green(), pixel.blue()] == MISSING
        };
        let share = pixels.pixels().iter().filter(grey).count() as f64 / pixels.pixels().len() as f64;
        // Five of six cells, but for the grid lines over them; the frame is about seven tenths of the drawing.
        assert!((0.45..0.7).contains(&share), "{share} is grey");
    }

    #[test]
    fn falling_latitudes_and_both_longitude_forms_give_equal_maps() {
        let (lon, lat) = (steps(170.0, 2.0, 11), steps(-10.0, 2.0, 11));
        let values = wave(&lon, &lat);
        let map = |lon: &[f64], lat: &[f64], values: &[f64]| {
            MapSpec { title: "t", units: "degC", lon, lat, values, ..MapSpec::default() }.to_svg().unwrap()
        };
        let reference = map(&lon, &lat, &values);
        let jumping: Vec<f64> = lon.iter().map(|lon| if *lon > 180.0 { lon - 360.0 } else { *lon }).collect();
        assert_eq!(map(&jumping, &lat, &values), reference);
        let falling: Vec<f64> = lat.iter().rev().copied().collect();
        let turned: Vec<f64> = values.chunks(lon.len()).rev().flatten().copied().collect();
        assert_eq!(map(&lon, &falling, &turned), reference);
        assert!(reference.contains(">180°</text>") && reference.contains(">175°W</text>"), "{reference}");
    }

    #[test]
    fn nothing_and_constants_are_drawn() {
        for values in [[f64::NAN; 4], [0.0; 4], [21.5; 4], [f64::INFINITY; 4], [f64::MAX, f64::MIN, 0.0, 1.0]]
        {
            for palette in [Palette::Auto, Palette::Balance] {
                let spec = MapSpec {
                    lon: &[0.0, 1.0],
                    lat: &[0.0, 1.0],
                    values: &values,
                    palette,
                    ..MapSpec::default()
                };
                let svg = spec.to_svg().unwrap();
                rasterise(&svg, 300).unwrap();
                assert_eq!(svg.contains("no data"), !values[0].is_finite());
            }
        }
        let lone = MapSpec { lon: &[5.0], lat: &[50.0], values: &[1.0], ..MapSpec::default() };
        rasterise(&lone.to_svg().unwrap(), 300).unwrap();
    }

    #[test]
    fn hostile_text_is_only_text() {
        let evil = "</text><script>alert('x')</script>&\"\u{0}\u{8}";
        let spec = MapSpec {
            title: evil,
            subtitle: evil,
            quantity: evil,
            units: evil,
            lon: &[0.0, 1.0],
            lat: &[0.0, 1.0],
            values: &[1.0, 2.0, 3.0, 4.0],
            marks: &[MapMark::Box { lon: [0.0, 1.0], lat: [0.0, 1.0], label: evil }],
            ..MapSpec::default()
        };
        let svg = spec.to_svg().unwrap();
        assert!(!svg.contains("<script"));
        rasterise(&svg, 300).unwrap();
    }

    #[test]
    fn a_mark_is_drawn_once_in_either_form_of_longitude() {
        let (lon, lat) = (steps(0.5, 1.0, 360), steps(-89.5, 1.0, 180));
        let values = wave(&lon, &lat);
        let boxes = |edges: [f64; 2]| {
            let marks = [MapMark::Box { lon: edges, lat: [-5.0, 5.0], label: "Niño 3.4" }];
            MapSpec { lon: &lon, lat: &lat, values: &values, marks: &marks, ..MapSpec::default() }
                .to_svg()
                .unwrap()
        };
        assert_eq!(boxes([-170.0, -120.0]), boxes([190.0, 240.0]));
        assert_eq!(boxes([190.0, 240.0]).matches("Niño 3.4").count(), 1);
    }

    #[test]
    fn values_must_fit_the_axes() {
        let error = MapSpec { lon: &[0.0, 1.0], lat: &[0.0], values: &[1.0], ..MapSpec::default() }.to_svg();
        assert_eq!(
            error.unwrap_err().to_string(),
            "`values` has 1 values where 2 are needed; give one value for each place of the axes"
        );
    }
}
