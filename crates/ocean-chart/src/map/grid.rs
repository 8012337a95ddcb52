//! The places of a map's values: axes, two-dimensional coordinates, triangles, points.

use super::{
    quads::{between, fill, fill_between, fill_cells, is_torn, tear, untorn},
    view::View,
};
use crate::{
    cells::Cells,
    colour::Scale,
    contour,
    error::ChartError,
    raster::{self, Pick, Raster, Shading},
};

/// Where the values of a map are.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum MapGrid<'a> {
    /// Cells of two axes. `values` is `(lat, lon)`, row-major.
    ///
    /// Each axis may rise or fall; longitudes may be 0 to 360 or -180 to 180, and may jump by a whole turn where they
    /// cross the date line.
    Axes {
        /// Longitudes of the cell centres, in degrees east.
        lon: &'a [f64],
        /// Latitudes of the cell centres, in degrees north.
        lat: &'a [f64],
    },
    /// Cells with coordinates of their own, as of ROMS, NEMO or POP. `values` has the shape of both.
    Curvilinear {
        /// Longitudes of the cell centres, `shape`, row-major; what is not finite has no cell.
        lon: &'a [f64],
        /// Latitudes of the cell centres.
        lat: &'a [f64],
        /// Rows and columns.
        shape: [usize; 2],
    },
    /// Triangles between nodes, as of ADCIRC. `values` has one for each node, which run on between them, or one for
    /// each triangle.
    Triangles {
        /// Longitudes of the nodes.
        lon: &'a [f64],
        /// Latitudes of the nodes.
        lat: &'a [f64],
        /// Three nodes each, numbered from 0.
        triangles: &'a [[usize; 3]],
    },
    /// Places, drawn as discs. `values` has one for each.
    Points {
        /// Longitudes.
        lon: &'a [f64],
        /// Latitudes.
        lat: &'a [f64],
    },
}

impl Default for MapGrid<'_> {
    fn default() -> Self {
        Self::Axes { lon: &[], lat: &[] }
    }
}

/// A grid that was checked.
#[derive(Debug)]
pub(super) enum Grid<'a> {
    Axes { lon: Cells, lat: Cells },
    Curvilinear { lon: &'a [f64], lat: &'a [f64], shape: [usize; 2] },
    Triangles { lon: &'a [f64], lat: &'a [f64], triangles: &'a [[usize; 3]] },
    Points { lon: &'a [f64], lat: &'a [f64] },
}

impl<'a> Grid<'a> {
    /// Checks a grid against its values.
    pub(super) fn new(grid: MapGrid<'a>, values: &[f64]) -> Result<Self, ChartError> {
        let fits = |what: &str, expected: usize, found: usize| {
            let what = what.to_owned();
            if found == expected { Ok(()) } else { Err(ChartError::Length { what, expected, found }) }
        };
        match grid {
            MapGrid::Axes { lon, lat } => {
                let (lon, lat) = (Cells::of_longitudes(lon)?, Cells::of_latitudes(lat)?);
                fits("values", lon.len() * lat.len(), values.len())?;
                Ok(Self::Axes { lon, lat })
            }
            MapGrid::Curvilinear { lon, lat, shape } => {
                let expected = shape[0] * shape[1];
                fits("longitude", expected, lon.len())?;
                fits("latitude", expected, lat.len())?;
                fits("values", expected, values.len())?;
                Ok(Self::Curvilinear { lon, lat, shape })
            }
            MapGrid::Triangles { lon, lat, triangles } => {
                fits("latitude", lon.len(), lat.len())?;
                if values.len() != triangles.len() {
                    fits("values", lon.len(), values.len())?;
                }
                let nodes = lon.len();
                for (triangle, corners) in triangles.iter().enumerate() {
                    if let Some(node) = corners.iter().copied().find(|node| *node >= nodes) {
                        return Err(ChartError::Node { triangle, node, nodes });
                    }
                }
                Ok(Self::Triangles { lon, lat, triangles })
            }
            MapGrid::Points { lon, lat } => {
                fits("latitude", lon.len(), lat.len())?;
                fits("values", lon.len(), values.len())?;
                Ok(Self::Points { lon, lat })
            }
        }
    }

    /// Returns west and east, south and north of the grid.
    pub(super) fn window(&self) -> Result<[[f64; 2]; 2], ChartError> {
        let (lon, lat, margin) = match self {
            Self::Axes { lon, lat } => return Ok([lon.span(), lat.span()]),
            Self::Triangles { lon, lat, .. } => (lon, lat, 0.01),
            // Half a cell.
            Self::Curvilinear { lon, lat, shape } => {
                (lon, lat, 0.5 / (shape[0].max(shape[1]) as f64 - 1.0).max(1.0))
            }
            Self::Points { lon, lat } => (lon, lat, 0.08),
        };
        let places = || lon.iter().zip(*lat).filter(|(lon, lat)| lon.is_finite() && lat.abs() <= 90.0);
        let (south, north) = places().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, lat)| {
            (low.min(*lat), high.max(*lat))
        });
        if south > north {
            return Err(ChartError::NoData { what: "the coordinates of the map".to_owned() });
        }
        let [west, east] = narrowest(places().map(|(lon, _)| *lon));
        let open = |low: f64, high: f64, least: f64| {
            let reach = ((high - low) * margin).max(least - (high - low) / 2.0).max(0.0);
            [low - reach, high + reach]
        };
        let least = if matches!(self, Self::Points { .. }) { 1.0 } else { 0.05 };
        let lon = if east - west > 340.0 { [-180.0, 180.0] } else { open(west, east, least) };
        Ok([lon, open(south, north, least).map(|lat| lat.clamp(-90.0, 90.0))])
    }

    /// Draws the values into a picture of the view's frame; none for points.
    pub(super) fn picture(
        &self,
        values: &[f64],
        scale: &Scale,
        shading: Shading,
        view: &View,
    ) -> Option<Raster> {
        let [left, top, width, height] = view.frame;
        match self {
            Self::Axes { lon, lat } => Some(axes_picture(lon, lat, values, scale, shading, view)),
            Self::Points { .. } => None,
            Self::Triangles { lon, lat, triangles } => {
                let mut raster = Raster::clear([width, height]);
                let sides = [raster.width as f64 / width, raster.height as f64 / height];
                let pixels = placed(lon, lat, view, [left, top], sides);
                let at_nodes = values.len() == lon.len();
                for (triangle, nodes) in triangles.iter().enumerate() {
                    let corners = nodes.map(|node| pixels[node]);
                    if is_torn(&corners, tear(view, raster.width)) {
                        continue;
                    }
                    if at_nodes {
                        fill(&mut raster, corners, nodes.map(|node| values[node]), scale);
                    } else {
                        fill(&mut raster, corners, [values[triangle]; 3], scale);
                    }
                }
                Some(raster)
            }
            Self::Curvilinear { lon, lat, shape } => {
                let mut raster = Raster::clear([width, height]);
                let sides = [raster.width as f64 / width, raster.height as f64 / height];
                let pixels = placed(lon, lat, view, [left, top], sides);
                let width = raster.width;
                match shading {
                    Shading::Cells => {
                        fill_cells(&mut raster, &pixels, *shape, values, scale, tear(view, width));
                    }
                    Shading::Smooth => {
                        fill_between(&mut raster, &pixels, *shape, values, scale, tear(view, width));
                    }
                }
                Some(raster)
            }
        }
    }

    /// Returns the longitude and latitude of each value, for vectors, stipples and discs.
    pub(super) fn places(&self, count: usize) -> Vec<[f64; 2]> {
        match self {
            Self::Axes { lon, lat } => (0..lat.len())
                .flat_map(|row| (0..lon.len()).map(move |column| [lon.centre(column), lat.centre(row)]))
                .collect(),
            Self::Triangles { lon, lat, triangles } if count == triangles.len() && count != lon.len() => {
                triangles
                    .iter()
                    .map(|nodes| {
                        let mean = |of: &[f64]| nodes.iter().map(|node| of[*node] / 3.0).sum();
                        [mean(lon), mean(lat)]
                    })
                    .collect()
            }
            Self::Curvilinear { lon, lat, .. }
            | Self::Triangles { lon, lat, .. }
            | Self::Points { lon, lat } => lon.iter().zip(*lat).map(|(lon, lat)| [*lon, *lat]).collect(),
        }
    }

    /// Traces a level through values, in pixels.
    pub(super) fn contour(&self, values: &[f64], level: f64, view: &View) -> Vec<Vec<[f64; 2]>> {
        match self {
            Self::Axes { lon, lat } => {
                let point = |[column, row]: [f64; 2]| [lon.number_at(column), lat.number_at(row)];
                let traced = contour::on_grid([lat.len(), lon.len()], values, level);
                traced
                    .iter()
                    .map(|line| view.line(&line.iter().map(|place| point(*place)).collect::<Vec<_>>()))
                    .collect()
            }
            Self::Curvilinear { lon, lat, shape } => {
                let pixels = placed(lon, lat, view, [0.0, 0.0], [1.0, 1.0]);
                let traced = contour::on_grid(*shape, values, level);
                let point = |[column, row]: [f64; 2]| between(&pixels, *shape, [column, row]);
                let lines = traced.into_iter().map(|line| line.into_iter().map(point).collect::<Vec<_>>());
                lines.flat_map(|line| untorn(&line, tear(view, 1) * view.frame[2])).collect()
            }
            Self::Triangles { lon, lat, triangles } if values.len() == lon.len() => {
                let pixels = placed(lon, lat, view, [0.0, 0.0], [1.0, 1.0]);
                let lines = contour::on_triangles(&pixels, triangles, values, level);
                lines.iter().flat_map(|line| untorn(line, tear(view, 1) * view.frame[2])).collect()
            }
            Self::Triangles { .. } | Self::Points { .. } => Vec::new(),
        }
    }
}

/// Returns the narrowest span of longitude that holds all; west lies in -180 to 180.
fn narrowest(places: impl Iterator<Item = f64>) -> [f64; 2] {
    let mut turned: Vec<f64> = places.map(|lon| lon - 360.0 * libm::floor((lon + 180.0) / 360.0)).collect();
    turned.sort_by(f64::total_cmp);
    let (Some(first), Some(last)) = (turned.first().copied(), turned.last().copied()) else {
        return [0.0, 1.0];
    };
    let around = (first + 360.0 - last, last, first);
    let gaps = turned.windows(2).map(|pair| (pair[1] - pair[0], pair[0], pair[1]));
    // The first of equal gaps is the one around the date line.
    let widest =
        std::iter::once(around).chain(gaps).reduce(|best, gap| if gap.0 > best.0 { gap } else { best });
    match widest {
        Some((_, before, after)) if after > before => [after, before + 360.0],
        _ => [first, last],
    }
}

fn axes_picture(
    lon: &Cells,
    lat: &Cells,
    values: &[f64],
    scale: &Scale,
    shading: Shading,
    view: &View,
) -> Raster {
    let [left, top, width, height] = view.frame;
    let is_plain = matches!(view.formula, super::projection::Formula::PlateCarree { .. });
    if is_plain && lon.span()[0] <= view.lon[0] {
        let columns = raster::pixel_numbers(lon, view.lon, width, shading);
        let rows = raster::pixel_numbers(lat, [view.lat[1], view.lat[0]], height, shading);
        return raster::separable((lon, &columns), (lat, &rows), values, scale, shading);
    }
    let mut raster = Raster::clear([width, height]);
    let [west, _] = lon.span();
    for row in 0..raster.height {
        for column in 0..raster.width {
            let x = left + (column as f64 + 0.5) / raster.width as f64 * width;
            let y = top + (row as f64 + 0.5) / raster.height as f64 * height;
            let Some([place_lon, place_lat]) = view.inverse([x, y]) else { continue };
            // The grid may begin in another turn than the window.
            let home = place_lon + 360.0 * libm::ceil((west - place_lon) / 360.0 - 1e-12);
            let (Some(across), Some(up)) = (Pick::new(lon, home), Pick::new(lat, place_lat)) else {
                continue;
            };
            let value = raster::value_at(values, lon.len(), &across, &up, shading);
            raster.pixels[row * raster.width + column] = raster::pixel(scale, value);
        }
    }
    raster
}

/// The places of coordinates, in pixels from `corner`, scaled.
fn placed(lon: &[f64], lat: &[f64], view: &View, corner: [f64; 2], sides: [f64; 2]) -> Vec<[f64; 2]> {
    let middle = f64::midpoint(view.lon[0], view.lon[1]);
    lon.iter()
        .zip(lat)
        .map(|(lon, lat)| {
            if !lon.is_finite() || lat.is_nan() || lat.abs() > 90.0 {
                return [f64::NAN; 2];
            }
            // The turn whose place is nearest to the window, also for places a little outside of it.
            let turned = lon - 360.0 * libm::round((lon - middle) / 360.0);
            let [x, y] = view.place([turned, *lat]);
            [(x - corner[0]) * sides[0], (y - corner[1]) * sides[1]]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::floor_whole;

    #[test]
    fn the_narrowest_span_may_cross_the_date_line() {
        let whole = |places: &[f64]| narrowest(places.iter().copied()).map(floor_whole);
        assert_eq!(whole(&[170.0, -175.0, 175.0]), [170, 185]);
        assert_eq!(whole(&[350.0, 10.0]), [-10, 10]);
        assert_eq!(whole(&[5.0]), [5, 5]);
    }

    #[test]
    fn grids_must_fit_their_values() {
        let refused = |grid, values: &[f64]| Grid::new(grid, values).unwrap_err();
        let lone = MapGrid::Axes { lon: &[0.0, 1.0], lat: &[0.0] };
        assert!(matches!(refused(lone, &[1.0]), ChartError::Length { expected: 2, found: 1, .. }));
        let curved = MapGrid::Curvilinear { lon: &[0.0], lat: &[0.0], shape: [1, 2] };
        assert!(matches!(refused(curved, &[1.0, 2.0]), ChartError::Length { .. }));
        let mesh = MapGrid::Triangles { lon: &[0.0], lat: &[0.0], triangles: &[[0, 0, 1]] };
        assert!(matches!(refused(mesh, &[1.0]), ChartError::Node { triangle: 0, node: 1, nodes: 1 }));
        let points = MapGrid::Points { lon: &[f64::NAN], lat: &[0.0] };
        assert!(matches!(Grid::new(points, &[1.0]).unwrap().window(), Err(ChartError::NoData { .. })));
    }

    #[test]
    fn a_curvilinear_copy_of_axes_is_the_same_picture() {
        let (lon, lat) = ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0]);
        let values: Vec<f64> = (0..12).map(f64::from).collect();
        let flat = |of: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..3)
                .flat_map(|row| (0..4).map(move |column| (row, column)))
                .map(|(row, column)| of(row, column))
                .collect()
        };
        let (lons, lats) = (flat(&|_, column| lon[column]), flat(&|row, _| lat[row]));
        let axes = Grid::new(MapGrid::Axes { lon: &lon, lat: &lat }, &values).unwrap();
        let curved =
            Grid::new(MapGrid::Curvilinear { lon: &lons, lat: &lats, shape: [3, 4] }, &values).unwrap();
        let mut view = View::new(super::super::Projection::Mercator, [-0.5, 3.5], [-0.5, 2.5]);
        view.set_frame([0.0, 0.0, 100.0, 75.0]);
        let scale = Scale::new(&values, "", &crate::Colours::default()).unwrap();
        let [one, other] =
            [axes, curved].map(|grid| grid.picture(&values, &scale, Shading::Cells, &view).unwrap());
        let different = one.pixels.iter().zip(&other.pixels).filter(|(one, other)| one != other).count();
        // Mercator bends the edges of cells by less than a pixel.
        assert!(different * 50 < one.pixels.len(), "{different} of {}", one.pixels.len());
    }
}
