//! The cells of a longitude and latitude grid, and their picture in pixels.

use crate::{
    colour::{Rgb, Scale},
    error::ChartError,
    float::floor_index,
};

/// Half the width of a cell that has no neighbour to tell it.
const LONE_HALF_WIDTH: f64 = 0.5;

/// The edges of the cells along one axis, rising, and the order in which the values run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cells {
    edges: Vec<f64>,
    is_falling: bool,
}

impl Cells {
    /// Makes cells around longitudes. These may fall, and may jump by a whole turn once they pass the date line.
    pub(crate) fn of_longitudes(centres: &[f64]) -> Result<Self, ChartError> {
        let mut unrolled: Vec<f64> = Vec::with_capacity(centres.len());
        for centre in centres.iter().copied() {
            let turns = unrolled.last().map_or(0.0, |last| libm::round((last - centre) / 360.0));
            unrolled.push(centre + 360.0 * turns);
        }
        // Whole turns away from the usual span change nothing but the numbers.
        let least = unrolled.iter().copied().fold(f64::INFINITY, f64::min);
        let home = if (-180.0..360.0).contains(&least) { 0.0 } else { -360.0 * libm::floor(least / 360.0) };
        for place in &mut unrolled {
            *place += home;
        }
        Self::around(&unrolled, "longitude")
    }

    /// Makes cells around latitudes, which may fall; no cell reaches past a pole.
    pub(crate) fn of_latitudes(centres: &[f64]) -> Result<Self, ChartError> {
        let mut cells = Self::around(centres, "latitude")?;
        let [south, north] = cells.span();
        if south >= 90.0 || north <= -90.0 {
            return Err(ChartError::Axis { axis: "latitude", problem: "lies beyond the poles" });
        }
        for edge in &mut cells.edges {
            *edge = edge.clamp(-90.0, 90.0);
        }
        Ok(cells)
    }

    /// Returns the outer edges of the first and last cell.
    pub(crate) fn span(&self) -> [f64; 2] {
        [self.edges[0], self.edges[self.edges.len() - 1]]
    }

    fn around(centres: &[f64], axis: &'static str) -> Result<Self, ChartError> {
        let problem = |problem| ChartError::Axis { axis, problem };
        if centres.is_empty() {
            return Err(problem("is empty"));
        }
        if centres.iter().any(|centre| !centre.is_finite()) {
            return Err(problem("holds a value that is not finite"));
        }
        let is_falling = centres.len() > 1 && centres[1] < centres[0];
        let mut rising = centres.to_vec();
        if is_falling {
            rising.reverse();
        }
        if rising.windows(2).any(|pair| pair[1] <= pair[0]) {
            return Err(problem("does not run in one direction"));
        }
        let (first, last) = (rising[0], rising[rising.len() - 1]);
        let (before, after) = match rising.as_slice() {
            [_] => (LONE_HALF_WIDTH, LONE_HALF_WIDTH),
            [start, second, ..] => ((second - start) / 2.0, (last - rising[rising.len() - 2]) / 2.0),
            [] => return Err(problem("is empty")),
        };
        let mut edges = vec![first - before];
        edges.extend(rising.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])));
        edges.push(last + after);
        Ok(Self { edges, is_falling })
    }

    fn len(&self) -> usize {
        self.edges.len() - 1
    }

    /// Returns, for each pixel from the low to the high edge, the place in the array of the cell that it shows:
    /// one pixel a cell if the cells are equally wide and few, else `most` pixels.
    fn pixels(&self, most: usize) -> Vec<usize> {
        let [low, high] = self.span();
        let mean = (high - low) / self.len() as f64;
        let is_even = self.edges.windows(2).all(|pair| (pair[1] - pair[0] - mean).abs() < 1e-3 * mean);
        let count = if is_even && self.len() <= most { self.len() } else { most };
        let cell_at = |pixel: usize| {
            let place = low + (high - low) * (pixel as f64 + 0.5) / count as f64;
            let above = self.edges.partition_point(|edge| *edge <= place);
            let cell = above.saturating_sub(1).min(self.len() - 1);
            if self.is_falling { self.len() - 1 - cell } else { cell }
        };
        (0..count).map(cell_at).collect()
    }
}

/// A picture of the cells: rows from north to south.
#[derive(Debug)]
pub(crate) struct Raster {
    pub(crate) colours: Vec<Rgb>,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Colours the cells of `values` (latitude, longitude; row-major), in a picture for a frame of `frame` pixels.
pub(crate) fn rasterise(lon: &Cells, lat: &Cells, values: &[f64], scale: &Scale, frame: [f64; 2]) -> Raster {
    // Two pixels for one of the frame, so that a picture of double size stays sharp.
    let most = |length: f64| floor_index(2.0 * length).clamp(1, 4096);
    let columns = lon.pixels(most(frame[0]));
    let mut rows = lat.pixels(most(frame[1]));
    rows.reverse();
    let mut colours = Vec::with_capacity(rows.len() * columns.len());
    for row in &rows {
        colours.extend(columns.iter().map(|column| scale.colour(values[row * lon.len() + column])));
    }
    Raster { colours, width: columns.len(), height: rows.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::{MISSING, Palette, Range};

    #[test]
    fn a_date_line_box_is_one_piece() {
        let both = [
            Cells::of_longitudes(&[178.5, 179.5, -179.5, -178.5]).unwrap(),
            Cells::of_longitudes(&[178.5, 179.5, 180.5, 181.5]).unwrap(),
        ];
        for cells in both {
            assert_eq!(cells.edges, [178.0, 179.0, 180.0, 181.0, 182.0]);
        }
    }

    #[test]
    fn a_longitude_axis_that_starts_far_away_comes_home() {
        assert_eq!(Cells::of_longitudes(&[730.0, 731.0]).unwrap().edges, [9.5, 10.5, 11.5]);
    }

    #[test]
    fn falling_latitudes_give_the_same_picture_as_rising() {
        let scale = Scale::new(&[0.0, 5.0], Range::Full, Palette::Thermal).unwrap();
        let lon = Cells::of_longitudes(&[0.0, 1.0]).unwrap();
        let rising = Cells::of_latitudes(&[10.0, 11.0, 12.0]).unwrap();
        let falling = Cells::of_latitudes(&[12.0, 11.0, 10.0]).unwrap();
        let up = rasterise(&lon, &rising, &[0.0, 1.0, 2.0, 3.0, 4.0, f64::NAN], &scale, [100.0, 100.0]);
        let down = rasterise(&lon, &falling, &[4.0, f64::NAN, 2.0, 3.0, 0.0, 1.0], &scale, [100.0, 100.0]);
        assert_eq!(up.colours, down.colours);
        // North is on top.
        assert_eq!((up.colours[0], up.colours[1]), (scale.colour(4.0), MISSING));
    }

    #[test]
    fn uneven_cells_keep_their_widths() {
        let scale = Scale::new(&[0.0, 1.0], Range::Full, Palette::Thermal).unwrap();
        let lon = Cells::of_longitudes(&[0.0, 1.0, 4.0]).unwrap();
        let lat = Cells::of_latitudes(&[0.0]).unwrap();
        let picture = rasterise(&lon, &lat, &[0.0, 1.0, 0.0], &scale, [100.0, 10.0]);
        let bright = picture.colours.iter().take(200).filter(|colour| **colour == scale.colour(1.0)).count();
        // The middle cell spans 0.5 to 2.5 of -0.5 to 5.5: a third.
        assert!((66..=67).contains(&bright), "{bright} of 200");
    }

    #[test]
    fn large_grids_are_held_to_the_frame() {
        let many: Vec<f64> = (0..3000).map(|place| f64::from(place) * 0.1).collect();
        let lon = Cells::of_longitudes(&many).unwrap();
        let lat = Cells::of_latitudes(&[0.0]).unwrap();
        let scale = Scale::new(&[], Range::Full, Palette::Thermal).unwrap();
        assert_eq!(rasterise(&lon, &lat, &vec![0.0; 3000], &scale, [700.0, 300.0]).width, 1400);
    }

    #[test]
    fn axes_that_are_none_are_refused() {
        let hostile: [&[f64]; 4] = [&[], &[1.0, f64::NAN], &[1.0, 1.0], &[1.0, 2.0, 1.5]];
        for axis in hostile {
            assert!(matches!(Cells::of_longitudes(axis), Err(ChartError::Axis { .. })), "{axis:?}");
            assert!(matches!(Cells::of_latitudes(axis), Err(ChartError::Axis { .. })), "{axis:?}");
        }
        assert!(Cells::of_latitudes(&[200.0, 201.0]).is_err());
        assert_eq!(Cells::of_latitudes(&[-60.0, 0.0, 80.0]).unwrap().edges, [-90.0, -30.0, 40.0, 90.0]);
    }
}
