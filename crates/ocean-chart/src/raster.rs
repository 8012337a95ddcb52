//! Pictures of fields, pixel by pixel. A pixel without a value is transparent, so that what lies below is seen.

use crate::{
    cells::{Between, Cells},
    colour::Scale,
    error::ChartError,
    float::floor_index,
    png,
    svg::Svg,
};

/// A picture: rows from the top, red, green, blue and opacity.
#[derive(Debug, Clone)]
pub(crate) struct Raster {
    pub(crate) pixels: Vec<[u8; 4]>,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// How the values between the centres of cells are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shading {
    /// Each cell has the colour of its value.
    #[default]
    Cells,
    /// Values run on between centres; with [`Bands`](crate::Bands) these are filled contours. A cell without a value
    /// keeps none.
    Smooth,
}

/// Where a pixel lies along one axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pick {
    at: usize,
    between: Between,
}

impl Pick {
    /// Finds the cells around a number; none outside of them.
    pub(crate) fn new(cells: &Cells, number: f64) -> Option<Self> {
        Some(Self { at: cells.at(number)?, between: cells.around_number(number) })
    }
}

/// Returns the value of a field of `columns` columns at a place; what is not a number if it has none.
pub(crate) fn value_at(values: &[f64], columns: usize, x: &Pick, y: &Pick, shading: Shading) -> f64 {
    let nearest = values[y.at * columns + x.at];
    if shading == Shading::Cells || !nearest.is_finite() {
        return nearest;
    }
    let (mut sum, mut weights) = (0.0, 0.0);
    for (row, row_weight) in y.between.cells.into_iter().zip([1.0 - y.between.share, y.between.share]) {
        for (column, column_weight) in
            x.between.cells.into_iter().zip([1.0 - x.between.share, x.between.share])
        {
            let (value, weight) = (values[row * columns + column], row_weight * column_weight);
            if value.is_finite() && weight > 0.0 {
                sum += value * weight;
                weights += weight;
            }
        }
    }
    if weights > 0.0 { sum / weights } else { nearest }
}

/// Returns the colour of a value, transparent if it is missing.
pub(crate) fn pixel(scale: &Scale, value: f64) -> [u8; 4] {
    if !value.is_finite() {
        return [0; 4];
    }
    let [red, green, blue] = scale.colour(value);
    [red, green, blue, 255]
}

/// Pixels along a side of a frame: two for one of the frame, so that a picture of double size stays sharp.
pub(crate) fn pixels_along(length: f64) -> usize {
    floor_index(2.0 * length).clamp(1, 4096)
}

/// Draws cells of two axes; `columns` and `rows` are the numbers at the middle of each pixel, rows from the top.
pub(crate) fn separable(
    x: (&Cells, &[f64]),
    y: (&Cells, &[f64]),
    values: &[f64],
    scale: &Scale,
    shading: Shading,
) -> Raster {
    let pick = |(cells, numbers): (&Cells, &[f64])| -> Vec<Option<Pick>> {
        numbers.iter().map(|number| Pick::new(cells, *number)).collect()
    };
    let (columns, rows) = (pick(x), pick(y));
    let mut pixels = Vec::with_capacity(rows.len() * columns.len());
    for row in &rows {
        for column in &columns {
            let value = match (column, row) {
                (Some(column), Some(row)) => value_at(values, x.0.len(), column, row, shading),
                _ => f64::NAN,
            };
            pixels.push(pixel(scale, value));
        }
    }
    Raster { pixels, width: columns.len(), height: rows.len() }
}

/// Returns the numbers at the middle of the pixels from `span[0]` to `span[1]`: one for each cell where the cells are
/// even and few, else enough for a frame side of `length`.
pub(crate) fn pixel_numbers(cells: &Cells, span: [f64; 2], length: f64, shading: Shading) -> Vec<f64> {
    let most = pixels_along(length);
    let [low, high] = cells.span();
    let is_whole = (span[0].min(span[1]) - low).abs() < 1e-9 * (high - low)
        && (span[0].max(span[1]) - high).abs() < 1e-9 * (high - low);
    let is_even = shading == Shading::Cells && is_whole && cells.are_few_and_even(most);
    let count = if is_even { cells.len() } else { most };
    (0..count).map(|pixel| span[0] + (span[1] - span[0]) * (pixel as f64 + 0.5) / count as f64).collect()
}

impl Raster {
    /// Tells whether most of what it shows is so dark that black lines can't be seen on it.
    pub(crate) fn is_dark(&self) -> bool {
        let light = |pixel: &[u8; 4]| {
            0.2126 * f64::from(pixel[0]) + 0.7152 * f64::from(pixel[1]) + 0.0722 * f64::from(pixel[2])
        };
        let shown = || self.pixels.iter().filter(|pixel| pixel[3] > 0);
        let count = shown().count();
        // More than half of the frame, or land and missing values would have pale lines on pale grey.
        count * 2 > self.pixels.len() && shown().map(light).sum::<f64>() < 60.0 * count as f64
    }

    /// Places the picture in a drawing.
    ///
    /// # Errors
    ///
    /// If it can't be written.
    pub(crate) fn draw(&self, svg: &mut Svg, area: [f64; 4]) -> Result<(), ChartError> {
        svg.image(area, &png::embed_transparent(&self.pixels, self.width, self.height)?);
        Ok(())
    }

    /// Makes a transparent picture for a frame.
    pub(crate) fn clear(length: [f64; 2]) -> Self {
        let (width, height) = (pixels_along(length[0]), pixels_along(length[1]));
        Self { pixels: vec![[0; 4]; width * height], width, height }
    }

    /// Fills a triangle, its corners in pixels of the picture, with what `colour` makes of the weights of the corners.
    pub(crate) fn fill_triangle(&mut self, corners: [[f64; 2]; 3], colour: impl Fn([f64; 3]) -> [u8; 4]) {
        let [a, b, c] = corners;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if !area.is_finite() || area.abs() < 1e-12 {
            return;
        }
        let lows = [0, 1].map(|part| corners.iter().map(|corner| corner[part]).fold(f64::INFINITY, f64::min));
        let highs =
            [0, 1].map(|part| corners.iter().map(|corner| corner[part]).fold(f64::NEG_INFINITY, f64::max));
        if highs[0] < 0.0 || highs[1] < 0.0 {
            return;
        }
        // Pixels whose middle lies inside; a hair more, so that neighbours leave no gap.
        let first = lows.map(|low| floor_index((low - 0.5).max(0.0)));
        let last = [
            (floor_index(highs[0] + 0.5) + 1).min(self.width),
            (floor_index(highs[1] + 0.5) + 1).min(self.height),
        ];
        for row in first[1]..last[1] {
            for column in first[0]..last[0] {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let part =
                    |p: [f64; 2], q: [f64; 2]| ((p[0] - x) * (q[1] - y) - (q[0] - x) * (p[1] - y)) / area;
                let weights = [part(b, c), part(c, a), part(a, b)];
                if weights.iter().all(|weight| *weight >= -1e-9) {
                    self.pixels[row * self.width + column] = colour(weights);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::{Colours, Range};

    fn scale() -> Scale {
        Scale::new(&[0.0, 5.0], "", &Colours { range: Range::Full, ..Colours::default() }).unwrap()
    }

    #[test]
    fn uneven_cells_keep_their_widths() {
        let x = Cells::around(&[0.0, 1.0, 4.0], "x").unwrap();
        let y = Cells::around(&[0.0], "y").unwrap();
        let columns = pixel_numbers(&x, x.span(), 100.0, Shading::Cells);
        let picture = separable((&x, &columns), (&y, &[0.0]), &[0.0, 1.0, 0.0], &scale(), Shading::Cells);
        let bright = picture.pixels.iter().filter(|found| **found == pixel(&scale(), 1.0)).count();
        // The middle cell spans 0.5 to 2.5 of -0.5 to 5.5: a third.
        assert!((66..=67).contains(&bright), "{bright} of {}", picture.width);
    }

    #[test]
    fn large_grids_are_held_to_the_frame() {
        let many: Vec<f64> = (0..3000).map(|place| f64::from(place) * 0.1).collect();
        let cells = Cells::of_longitudes(&many).unwrap();
        assert_eq!(pixel_numbers(&cells, cells.span(), 700.0, Shading::Cells).len(), 1400);
        let few = Cells::of_longitudes(&many[..300]).unwrap();
        assert_eq!(pixel_numbers(&few, few.span(), 700.0, Shading::Cells).len(), 300);
    }

    #[test]
    fn smooth_values_run_on_and_stop_at_missing_cells() {
        let x = Cells::around(&[0.0, 1.0, 2.0], "x").unwrap();
        let y = Cells::around(&[0.0], "y").unwrap();
        let values = [0.0, 4.0, f64::NAN];
        let at = |number: f64| {
            let (column, row) = (Pick::new(&x, number).unwrap(), Pick::new(&y, 0.0).unwrap());
            value_at(&values, 3, &column, &row, Shading::Smooth)
        };
        assert!((at(0.5) - 2.0).abs() < 1e-12 && (at(1.4) - 4.0).abs() < 1e-12);
        assert!(at(1.6).is_nan() && at(2.0).is_nan());
    }

    #[test]
    fn two_triangles_of_a_square_leave_no_gap() {
        let mut raster = Raster::clear([5.0, 5.0]);
        let opaque = |_| [1, 2, 3, 255];
        raster.fill_triangle([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]], opaque);
        raster.fill_triangle([[0.0, 0.0], [10.0, 10.0], [0.0, 10.0]], opaque);
        assert!(raster.pixels.iter().all(|pixel| pixel[3] == 255));
        raster.fill_triangle([[f64::NAN, 0.0], [1.0, 1.0], [2.0, 9.0]], |_| [0; 4]);
        raster.fill_triangle([[-90.0, -90.0], [-80.0, -90.0], [-80.0, -80.0]], |_| [0; 4]);
        assert!(raster.pixels.iter().all(|pixel| pixel[3] == 255));
    }
}
