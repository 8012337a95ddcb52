//! The cells along one axis: their edges, and which of them a place lies in.

use crate::{error::ChartError, float::floor_index};

/// Half the width of a cell that has no neighbour to tell it.
const LONE_HALF_WIDTH: f64 = 0.5;

/// The cells along one axis, rising, and the order in which the values run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cells {
    edges: Vec<f64>,
    centres: Vec<f64>,
    is_falling: bool,
}

/// A place between two cell centres: the places of both in the array, and how far it is from the first to the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Between {
    pub(crate) cells: [usize; 2],
    pub(crate) share: f64,
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

    /// Makes cells around centres that rise or fall; the outermost are as wide as to their neighbour.
    pub(crate) fn around(centres: &[f64], axis: &'static str) -> Result<Self, ChartError> {
        let (rising, is_falling) = Self::rising(centres, axis)?;
        let (first, last) = (rising[0], rising[rising.len() - 1]);
        let (before, after) = match rising.as_slice() {
            [] | [_] => (LONE_HALF_WIDTH, LONE_HALF_WIDTH),
            [start, second, ..] => ((second - start) / 2.0, (last - rising[rising.len() - 2]) / 2.0),
        };
        let mut edges = vec![first - before];
        edges.extend(rising.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])));
        edges.push(last + after);
        Ok(Self { edges, centres: rising, is_falling })
    }

    /// Makes cells between edges that rise or fall.
    pub(crate) fn between(edges: &[f64], axis: &'static str) -> Result<Self, ChartError> {
        let (edges, is_falling) = Self::rising(edges, axis)?;
        if edges.len() < 2 {
            return Err(ChartError::Axis { axis, problem: "has fewer than two edges" });
        }
        let centres = edges.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])).collect();
        Ok(Self { edges, centres, is_falling })
    }

    fn rising(places: &[f64], axis: &'static str) -> Result<(Vec<f64>, bool), ChartError> {
        let problem = |problem| ChartError::Axis { axis, problem };
        if places.is_empty() {
            return Err(problem("is empty"));
        }
        if places.iter().any(|place| !place.is_finite()) {
            return Err(problem("holds a value that is not finite"));
        }
        let is_falling = places.len() > 1 && places[1] < places[0];
        let mut rising = places.to_vec();
        if is_falling {
            rising.reverse();
        }
        if rising.windows(2).any(|pair| pair[1] <= pair[0]) {
            return Err(problem("does not run in one direction"));
        }
        Ok((rising, is_falling))
    }

    /// Keeps the outer edges from passing an end, such as the surface.
    pub(crate) fn held(mut self, low: f64, high: f64) -> Self {
        for edge in &mut self.edges {
            *edge = edge.clamp(low, high);
        }
        self
    }

    /// Returns the outer edges of the first and last cell.
    pub(crate) fn span(&self) -> [f64; 2] {
        [self.edges[0], self.edges[self.edges.len() - 1]]
    }

    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.centres.len()
    }

    /// Returns the centre of the cell at a place in the array.
    pub(crate) fn centre(&self, at: usize) -> f64 {
        self.centres[self.in_order(at.min(self.len() - 1))]
    }

    /// Returns the place in the array of the cell around a number; none outside.
    pub(crate) fn at(&self, number: f64) -> Option<usize> {
        let [low, high] = self.span();
        if !(number >= low && number <= high) {
            return None;
        }
        let above = self.edges.partition_point(|edge| *edge <= number);
        Some(self.in_order(above.saturating_sub(1).min(self.len() - 1)))
    }

    /// Returns the two centres that a number lies between; outside of them, the outermost twice.
    pub(crate) fn around_number(&self, number: f64) -> Between {
        let above = self.centres.partition_point(|centre| *centre <= number).clamp(1, self.len().max(2) - 1);
        let (below, above) = (above - 1, above.min(self.len() - 1));
        let width = self.centres[above] - self.centres[below];
        let share = if width > 0.0 { ((number - self.centres[below]) / width).clamp(0.0, 1.0) } else { 0.0 };
        Between { cells: [self.in_order(below), self.in_order(above)], share }
    }

    /// Tells whether all cells are equally wide, and not more than `most`.
    pub(crate) fn are_few_and_even(&self, most: usize) -> bool {
        let [low, high] = self.span();
        let mean = (high - low) / self.len() as f64;
        self.len() <= most && self.edges.windows(2).all(|pair| (pair[1] - pair[0] - mean).abs() < 1e-3 * mean)
    }

    fn in_order(&self, cell: usize) -> usize {
        if self.is_falling { self.len() - 1 - cell } else { cell }
    }

    /// Returns the place between centres, as a number, of a place between array places, as contours have it.
    pub(crate) fn number_at(&self, place: f64) -> f64 {
        let low = floor_index(place).min(self.len() - 1);
        let high = (low + 1).min(self.len() - 1);
        let share = place - low as f64;
        self.centre(low) * (1.0 - share) + self.centre(high) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn places_are_found_in_either_order() {
        let rising = Cells::around(&[0.0, 1.0, 4.0], "x").unwrap();
        let falling = Cells::around(&[4.0, 1.0, 0.0], "x").unwrap();
        for (number, at) in [(-0.5, Some(0)), (0.6, Some(1)), (2.4, Some(1)), (5.5, Some(2)), (5.6, None)] {
            assert_eq!(rising.at(number), at, "{number}");
            assert_eq!(falling.at(number), at.map(|at| 2 - at), "{number}");
        }
        assert_eq!(rising.at(f64::NAN), None);
        assert_eq!(rising.around_number(2.5), Between { cells: [1, 2], share: 0.5 });
        assert_eq!(falling.around_number(2.5), Between { cells: [1, 0], share: 0.5 });
        assert_eq!(rising.around_number(-9.0), Between { cells: [0, 1], share: 0.0 });
        assert_eq!(Cells::around(&[3.0], "x").unwrap().around_number(3.2).cells, [0, 0]);
        assert!((rising.number_at(1.5) - 2.5).abs() < 1e-12);
    }

    #[test]
    fn axes_that_are_none_are_refused() {
        let hostile: [&[f64]; 4] = [&[], &[1.0, f64::NAN], &[1.0, 1.0], &[1.0, 2.0, 1.5]];
        for axis in hostile {
            assert!(matches!(Cells::of_longitudes(axis), Err(ChartError::Axis { .. })), "{axis:?}");
            assert!(matches!(Cells::of_latitudes(axis), Err(ChartError::Axis { .. })), "{axis:?}");
            assert!(matches!(Cells::between(axis, "x"), Err(ChartError::Axis { .. })), "{axis:?}");
        }
        assert!(Cells::of_latitudes(&[200.0, 201.0]).is_err());
        assert_eq!(Cells::of_latitudes(&[-60.0, 0.0, 80.0]).unwrap().edges, [-90.0, -30.0, 40.0, 90.0]);
    }
}
