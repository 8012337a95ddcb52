//! [`MapSpec`]: what a map is, and the order in which it is drawn.

use super::{
    graticule::Graticule,
    grid::{Grid, MapGrid},
    layout::Layout,
    marks::{self, MapMark},
    projection::Projection,
    vectors::Vectors,
    view::View,
};
use crate::{
    coast,
    colour::{Colours, LAND, MISSING, Scale, hex},
    contours::{self, Contours, LevelLines},
    error::ChartError,
    float::floor_whole,
    plot::draw_frame,
    raster::Shading,
    svg::{INK, Svg},
};

/// A map of a field.
///
/// # Shapes
/// As [`MapGrid`] says; `stipple` has one for each value.
///
/// # Missing values
/// What is not finite shows the land below it, or pale grey where there is none.
///
/// # Units
/// `units` are CF units as a file has them; `degC` and `m s-1` are set as in print.
///
/// # Examples
///
/// ```
/// use ocean_chart::{Bands, Colours, Contours, MapGrid, MapMark, MapSpec, Palette, Projection, Shading};
///
/// let spec = MapSpec {
///     title: "Arctic sea surface temperature",
///     units: "degC",
///     grid: MapGrid::Axes { lon: &[0.0, 90.0, 180.0, 270.0], lat: &[65.0, 75.0, 85.0] },
///     values: &[4.0, 2.0, f64::NAN, 1.0, 2.0, 0.0, -1.0, 0.5, -1.8, -1.8, -1.8, -1.8],
///     colours: Colours { palette: Palette::Thermal, bands: Bands::About(8), ..Colours::default() },
///     shading: Shading::Smooth,
///     contours: &[Contours { levels: &[0.0], is_bold: true, ..Contours::default() }],
///     marks: &[MapMark::Point { lon: 15.6, lat: 78.2, label: "Longyearbyen" }],
///     projection: Projection::PolarStereographic,
///     ..MapSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("Longyearbyen"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
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
    /// Where the values are.
    pub grid: MapGrid<'a>,
    /// The values.
    pub values: &'a [f64],
    /// The colours.
    pub colours: Colours<'a>,
    /// How values between the cells' centres are drawn.
    pub shading: Shading,
    /// Contour lines. Fields on points, and values of triangles, have none.
    pub contours: &'a [Contours<'a>],
    /// Arrows.
    pub vectors: Option<Vectors<'a>>,
    /// Cells that are dotted, such as those where a trend is significant; empty for none.
    pub stipple: &'a [bool],
    /// Boxes, places and lines to mark.
    pub marks: &'a [MapMark<'a>],
    /// The window, if not that of the grid.
    pub window: Option<MapWindow>,
    /// How the earth is drawn flat.
    pub projection: Projection,
    /// Whether land and coastlines are drawn.
    pub coast: Coast,
}

/// The window of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapWindow {
    /// West and east edge in degrees; west may be the greater across the date line.
    pub lon: [f64; 2],
    /// South and north edge in degrees.
    pub lat: [f64; 2],
}

/// Whether a map has land and coastlines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coast {
    /// Those of Natural Earth.
    #[default]
    Draw,
    /// None, for invented geographies and very small windows.
    Omit,
}

impl MapWindow {
    /// Returns the edges, east after west.
    fn edges(&self) -> Result<[[f64; 2]; 2], ChartError> {
        let [west, east] = self.lon;
        let east = if east <= west { east + 360.0 } else { east };
        let problem = |axis| Err(ChartError::Axis { axis, problem: "has a window that is none" });
        if !(west.is_finite() && east.is_finite() && east > west && east - west <= 360.0 + 1e-9) {
            return problem("longitude");
        }
        let [south, north] = self.lat;
        if !(south >= -90.0 && north <= 90.0 && south < north) {
            return problem("latitude");
        }
        Ok([[west, east], self.lat])
    }
}

impl MapSpec<'_> {
    /// Draws the map as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::Length`] if an array does not fit the grid, [`ChartError::Axis`] if an axis is empty, not finite or
    /// runs back and forth, [`ChartError::NoData`] if all values or coordinates are missing, [`ChartError::Range`] if a
    /// fixed range is empty, [`ChartError::Node`] if a triangle names a node that there is not.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        let grid = Grid::new(self.grid, self.values)?;
        if !self.stipple.is_empty() && self.stipple.len() != self.values.len() {
            let (expected, found) = (self.values.len(), self.stipple.len());
            return Err(ChartError::Length { what: "stipple".to_owned(), expected, found });
        }
        let scale = Scale::new(self.values, self.units, &self.colours)?;
        let [lon, lat] = match &self.window {
            Some(window) => window.edges()?,
            None => grid.window()?,
        };
        let mut view = View::new(self.projection, lon, lat);
        let layout = Layout::new(self, &scale, &mut view);
        let arrows = match &self.vectors {
            Some(vectors) => Some(vectors.arrows(&grid, self.values.len(), &view)?),
            None => None,
        };
        let mut svg = Svg::new(layout.size[0], layout.size[1], self.title);
        layout.heading.draw(&mut svg);
        let outline = view.outline();
        svg.open_clip_path("map", &outline);
        svg.path(&outline, true, &format!("fill=\"{}\" fill-rule=\"evenodd\"", hex(MISSING)));
        if self.coast == Coast::Draw {
            draw_land(&mut svg, &view);
        }
        let picture = grid.picture(self.values, &scale, self.shading, &view);
        if let Some(picture) = &picture {
            picture.draw(&mut svg, view.frame)?;
        }
        let ink = if picture.is_some_and(|picture| picture.is_dark()) { "#b8b8b8" } else { "#1a1a1a" };
        if self.coast == Coast::Draw {
            draw_coast(&mut svg, &view, ink);
        }
        let graticule = Graticule::new(&view);
        graticule.draw(&mut svg, &view, ink);
        self.draw_contours(&mut svg, &grid, &view)?;
        self.draw_dots(&mut svg, &grid, &view, &scale);
        if let Some(arrows) = &arrows {
            arrows.draw(&mut svg);
        }
        marks::draw(&mut svg, &view, self.marks);
        svg.close_clip();
        if view.formula.is_straight() {
            draw_frame(&mut svg, view.frame);
        } else {
            svg.path(&outline, true, &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1\""));
        }
        graticule.draw_names(&mut svg, &view);
        if let Some(arrows) = &arrows {
            arrows.draw_reference(&mut svg, view.frame);
        }
        layout.bar.draw(&mut svg, Layout::bar_frame(&view), layout.below)?;
        Ok(svg.finish())
    }

    fn draw_contours(&self, svg: &mut Svg, grid: &Grid<'_>, view: &View) -> Result<(), ChartError> {
        let mut taken = Vec::new();
        for contours in self.contours {
            let values = contours.values_of(self.values)?;
            let traced = |level| LevelLines { level, lines: grid.contour(values, level, view) };
            let levels: Vec<LevelLines> = contours.levels_of(values).into_iter().map(traced).collect();
            contours::draw(svg, &levels, contours.is_bold, view.frame, &mut taken);
        }
        Ok(())
    }

    /// Draws the discs of points, and the dots of stippled cells as far apart as can be told.
    fn draw_dots(&self, svg: &mut Svg, grid: &Grid<'_>, view: &View, scale: &Scale) {
        let is_points = matches!(grid, Grid::Points { .. });
        if !is_points && self.stipple.is_empty() {
            return;
        }
        let mut taken = std::collections::BTreeSet::new();
        for (at, [lon, lat]) in grid.places(self.values.len()).into_iter().enumerate() {
            let lon = view.homed(lon);
            if !(lon <= view.lon[1] && lat >= view.lat[0] && lat <= view.lat[1]) {
                continue;
            }
            let place = view.place([lon, lat]);
            if is_points {
                let colour = hex(scale.colour(self.values[at]));
                svg.circle(place, 5.5, &format!("fill=\"{colour}\" stroke=\"{INK}\" stroke-width=\"0.8\""));
            }
            let is_free = |taken: &mut std::collections::BTreeSet<(i64, i64)>| {
                taken.insert((floor_whole(place[0] / 6.0), floor_whole(place[1] / 6.0)))
            };
            if self.stipple.get(at) == Some(&true) && is_free(&mut taken) {
                svg.circle(place, 0.9, &format!("fill=\"{INK}\""));
            }
        }
    }
}

fn draw_land(svg: &mut Svg, view: &View) {
    let polygons: Vec<_> = coast::polygons(view.lon, view.lat)
        .into_iter()
        .map(|mut polygon| {
            polygon.extend(polygon.first().copied());
            view.line(&polygon)
        })
        .collect();
    svg.path(&polygons, true, &format!("fill=\"{}\" fill-rule=\"evenodd\"", hex(LAND)));
}

fn draw_coast(svg: &mut Svg, view: &View, ink: &str) {
    let runs: Vec<_> = coast::lines(view.lon, view.lat).iter().map(|run| view.line(run)).collect();
    let style = format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"0.9\" stroke-linejoin=\"round\"");
    svg.path(&runs, false, &style);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Palette, png::rasterise};

    fn wave(lon: &[f64], lat: &[f64]) -> Vec<f64> {
        lat.iter()
            .flat_map(|lat| lon.iter().map(move |lon| libm::cos(lat / 30.0) * 20.0 + lon / 60.0))
            .collect()
    }

    fn steps(from: f64, step: f64, count: u32) -> Vec<f64> {
        (0..count).map(|place| from + f64::from(place) * step).collect()
    }

    #[test]
    fn missing_cells_stay_grey() {
        let mut values = [f64::NAN; 6];
        values[0] = 20.0;
        let spec = MapSpec {
            grid: MapGrid::Axes { lon: &[-140.0, -139.0, -138.0], lat: &[0.0, 1.0] },
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
            MapSpec {
                title: "t",
                units: "degC",
                grid: MapGrid::Axes { lon, lat },
                values,
                ..MapSpec::default()
            }
            .to_svg()
            .unwrap()
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
    fn constants_are_drawn_and_nothing_is_refused() {
        let grid = MapGrid::Axes { lon: &[0.0, 1.0], lat: &[0.0, 1.0] };
        let map = |values: &[f64], palette, projection| {
            let colours = Colours { palette, ..Colours::default() };
            MapSpec { grid, values, colours, projection, ..MapSpec::default() }.to_svg()
        };
        let projections =
            [Projection::Auto, Projection::Mercator, Projection::PolarStereographic, Projection::Robinson];
        for palette in [Palette::Auto, Palette::Balance] {
            for projection in projections {
                for values in [
                    [0.0; 4],
                    [21.5; 4],
                    [f64::NAN, 1e-5, f64::NAN, f64::NAN],
                    [f64::MAX, f64::MIN, 0.0, 1.0],
                ] {
                    let svg = map(&values, palette, projection).unwrap();
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                    rasterise(&svg, 200).unwrap();
                }
                for values in [[f64::NAN; 4], [f64::INFINITY; 4]] {
                    assert!(matches!(map(&values, palette, projection), Err(ChartError::NoData { .. })));
                }
            }
        }
        let lone = MapGrid::Axes { lon: &[5.0], lat: &[50.0] };
        rasterise(&MapSpec { grid: lone, values: &[1.0], ..MapSpec::default() }.to_svg().unwrap(), 300)
            .unwrap();
    }

    #[test]
    fn hostile_text_is_only_text() {
        let evil = "</text><script>alert('x')</script>&\"\u{0}\u{8}";
        let spec = MapSpec {
            title: evil,
            subtitle: evil,
            quantity: evil,
            units: evil,
            grid: MapGrid::Axes { lon: &[0.0, 1.0], lat: &[0.0, 1.0] },
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
            let grid = MapGrid::Axes { lon: &lon, lat: &lat };
            MapSpec { grid, values: &values, marks: &marks, ..MapSpec::default() }.to_svg().unwrap()
        };
        assert_eq!(boxes([-170.0, -120.0]), boxes([190.0, 240.0]));
        assert_eq!(boxes([190.0, 240.0]).matches("Niño 3.4").count(), 1);
    }

    #[test]
    fn values_must_fit_the_axes() {
        let grid = MapGrid::Axes { lon: &[0.0, 1.0], lat: &[0.0] };
        let error = MapSpec { grid, values: &[1.0], ..MapSpec::default() }.to_svg();
        assert_eq!(
            error.unwrap_err().to_string(),
            "`values` has 1 values where 2 are needed; give one value for each place of the axes"
        );
    }

    #[test]
    fn windows_are_checked() {
        let grid = MapGrid::Axes { lon: &[0.0, 1.0], lat: &[0.0, 1.0] };
        let map = |lon, lat| {
            let window = Some(MapWindow { lon, lat });
            MapSpec { grid, values: &[1.0; 4], window, ..MapSpec::default() }.to_svg()
        };
        map([-5.0, 6.0], [-3.0, 4.0]).unwrap();
        map([170.0, -170.0], [-3.0, 4.0]).unwrap();
        for (lon, lat) in [
            ([0.0, 1.0], [4.0, -3.0]),
            ([0.0, f64::NAN], [0.0, 1.0]),
            ([0.0, 1.0], [0.0, 91.0]),
            ([0.0, 800.0], [0.0, 1.0]),
        ] {
            assert!(matches!(map(lon, lat), Err(ChartError::Axis { .. })), "{lon:?} {lat:?}");
        }
    }

    #[test]
    fn every_coordinate_is_finite_in_every_projection() {
        let (lon, lat) = (steps(0.5, 5.0, 72), steps(-87.5, 5.0, 36));
        let values = wave(&lon, &lat);
        for projection in [
            Projection::Auto,
            Projection::PlateCarree,
            Projection::Mercator,
            Projection::PolarStereographic,
            Projection::Robinson,
        ] {
            let vectors = Vectors { east: &values, north: &values, units: "m s-1", reference: None };
            let contours = [Contours::default()];
            let spec = MapSpec {
                grid: MapGrid::Axes { lon: &lon, lat: &lat },
                values: &values,
                contours: &contours,
                vectors: Some(vectors),
                projection,
                ..MapSpec::default()
            };
            let svg = spec.to_svg().unwrap();
            assert_eq!(svg, spec.to_svg().unwrap(), "equal specifications give equal text");
            for line in svg.lines().filter(|line| line.starts_with("<path")) {
                let data = line.split('"').nth(1).unwrap();
                for number in
                    data.split(|character: char| "MLZ ".contains(character)).filter(|part| !part.is_empty())
                {
                    let number: f64 = number.parse().unwrap();
                    assert!(number.is_finite() && number.abs() < 20_000.0, "{projection:?}: {number}");
                }
            }
        }
    }
}
