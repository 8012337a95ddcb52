//! From cells of any shape to a rectilinear grid: weights that are found once and used for every map.
//!
//! # Source
//! Jones (1999), "First- and Second-Order Conservative Remapping Schemes for Grids in Spherical Coordinates", *Monthly
//! Weather Review* 127. Overlaps are found in the plane of longitude and sine of latitude, in which areas are those of the
//! sphere and the cells of a rectilinear grid are rectangles; great circles between corners are followed by pieces of at
//! most half a degree. Clipping: Sutherland and Hodgman (1974), *Communications of the ACM* 17.

use ndarray::{Array2, ArrayView2};

use super::places::unit_vector;
use super::regrid::RectilinearGrid;
use super::sphere::{RADIANS, along_great_circle, haversine, near_longitude};

/// Longest piece of an edge, in radians.
const PIECE: f64 = 0.5 * RADIANS;

/// What becomes of missing values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Missing {
    /// A target is missing if one of its cells is.
    Any,
    /// The others share the weight; missing where less than this part of the target's area has values.
    Share(f64),
}

/// For each target cell, row by row, the source cells with their weights.
#[derive(Debug, Clone)]
pub struct Weights {
    shape: (usize, usize),
    cells: Vec<Vec<(u32, f64)>>,
    /// The weight of a target that is covered wholly.
    whole: Vec<f64>,
    missing: Missing,
}

impl Weights {
    /// Weights that are given, and add up to one.
    pub fn given(shape: (usize, usize), cells: Vec<Vec<(u32, f64)>>, missing: Missing) -> Self {
        let whole = vec![1.0; cells.len()];
        Self { shape, cells, whole, missing }
    }

    /// First-order conservative weights from cells with these corners `[lon, lat]`.
    pub fn conservative(corners: &[Vec<[f64; 2]>], target: &RectilinearGrid, min_fraction: f64) -> Self {
        let shape = (target.lat.bounds.len(), target.lon.bounds.len());
        let rows: Vec<[f64; 2]> =
            target.lat.bounds.iter().map(|own| own.map(|lat| libm::sin(lat * RADIANS))).collect();
        let mut cells = vec![Vec::new(); shape.0 * shape.1];
        for (source, ring) in corners.iter().enumerate() {
            let Some(polygon) = flattened(ring) else { continue };
            let source = u32::try_from(source).unwrap_or(u32::MAX);
            let (low, high) = extent(&polygon, 1);
            let (west, east) = extent(&polygon, 0);
            for (y, row) in rows.iter().enumerate().filter(|(_, row)| row[1] > low && row[0] < high) {
                let band = clip(&clip(&polygon, 1, row[0], true), 1, row[1], false);
                if band.len() < 3 {
                    continue;
                }
                for (x, column) in target.lon.bounds.iter().enumerate() {
                    // A target column may lie some turns away.
                    let first = ((west - column[1]) / 360.0).ceil();
                    let mut turn = first * 360.0;
                    while column[0] + turn < east {
                        let part = clip(&clip(&band, 0, column[0] + turn, true), 0, column[1] + turn, false);
                        let overlap = area(&part);
                        if overlap > 0.0 {
                            cells[y * shape.1 + x].push((source, overlap));
                        }
                        turn += 360.0;
                    }
                }
            }
        }
        let whole = rows
            .iter()
            .flat_map(|row| {
                target.lon.bounds.iter().map(|column| (row[1] - row[0]) * (column[1] - column[0]))
            })
            .collect();
        Self { shape, cells, whole, missing: Missing::Share(min_fraction) }
    }

    /// A map, whose cells are counted row by row, on the target grid.
    pub fn apply(&self, map: &ArrayView2<'_, f64>) -> Array2<f64> {
        let columns = map.ncols().max(1);
        let value = |at: u32| map[[at as usize / columns, at as usize % columns]];
        Array2::from_shape_fn(self.shape, |(y, x)| {
            let at = y * self.shape.1 + x;
            let (mut sum, mut weight) = (0.0, 0.0);
            for &(source, own) in &self.cells[at] {
                let there = value(source);
                if !there.is_nan() {
                    sum += own * there;
                    weight += own;
                } else if self.missing == Missing::Any {
                    return f64::NAN;
                }
            }
            let least = match self.missing {
                Missing::Any => 0.0,
                Missing::Share(share) => share,
            };
            if weight > 0.0 && weight / self.whole[at] >= least { sum / weight } else { f64::NAN }
        })
    }
}

type Polygon = Vec<[f64; 2]>;

/// A ring of corners in the plane of longitude (degrees, without jumps) and sine of latitude; `None` for no cell.
fn flattened(ring: &[[f64; 2]]) -> Option<Polygon> {
    if ring.len() < 3 {
        return None;
    }
    let mut polygon: Polygon = Vec::new();
    let mut last = ring[0][0];
    for (at, &from) in ring.iter().enumerate() {
        let to = ring[(at + 1) % ring.len()];
        let length = haversine(from, to, 1.0);
        if length < 1e-12 {
            continue;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small positive number"
        )]
        let pieces = (length / PIECE).ceil().max(1.0) as usize;
        for piece in 0..pieces {
            let [lon, lat] =
                if piece == 0 { from } else { along_great_circle(from, to, piece as f64 / pieces as f64) };
            // At a pole every longitude is right.
            let lon = if lat.abs() > 89.999_999 { last } else { near_longitude(lon, last) };
            polygon.push([lon, libm::sin(lat * RADIANS)]);
            last = lon;
        }
    }
    let (first, end) = (*polygon.first()?, *polygon.last()?);
    let closing = near_longitude(first[0], end[0]) - first[0];
    if closing.abs() > 180.0 {
        // The ring goes round a pole: it is closed along that.
        let pole = pole_of(ring);
        polygon.push([first[0] + closing, first[1]]);
        polygon.push([first[0] + closing, pole]);
        polygon.push([first[0], pole]);
    }
    (polygon.len() >= 3).then_some(polygon)
}

/// The sine of the latitude of the pole that a ring goes round.
fn pole_of(ring: &[[f64; 2]]) -> f64 {
    let height: f64 = ring.iter().map(|&corner| unit_vector(corner)[2]).sum();
    if height >= 0.0 { 1.0 } else { -1.0 }
}

fn extent(polygon: &Polygon, axis: usize) -> (f64, f64) {
    polygon.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), own| {
        (low.min(own[axis]), high.max(own[axis]))
    })
}

/// The part of a polygon on one side of a line along an axis.
fn clip(polygon: &Polygon, axis: usize, limit: f64, above: bool) -> Polygon {
    let inside = |own: &[f64; 2]| if above { own[axis] >= limit } else { own[axis] <= limit };
    let mut out = Polygon::with_capacity(polygon.len() + 4);
    for (at, to) in polygon.iter().enumerate() {
        let from = &polygon[if at == 0 { polygon.len() - 1 } else { at - 1 }];
        if inside(from) != inside(to) {
            let share = (limit - from[axis]) / (to[axis] - from[axis]);
            let other = 1 - axis;
            let mut crossing = [0.0; 2];
            crossing[axis] = limit;
            crossing[other] = from[other] + (to[other] - from[other]) * share;
            out.push(crossing);
        }
        if inside(to) {
            out.push(*to);
        }
    }
    out
}

/// Area in degrees times sine, whichever way the polygon goes round.
fn area(polygon: &Polygon) -> f64 {
    if polygon.len() < 3 {
        return 0.0;
    }
    let mut twice = 0.0;
    for (at, to) in polygon.iter().enumerate() {
        let from = polygon[if at == 0 { polygon.len() - 1 } else { at - 1 }];
        twice += (from[0] - polygon[0][0]) * (to[1] - polygon[0][1])
            - (to[0] - polygon[0][0]) * (from[1] - polygon[0][1]);
    }
    twice.abs() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::regrid::GridAxis;

    fn grid(nlat: usize, nlon: usize) -> RectilinearGrid {
        let (dy, dx) = (180.0 / nlat as f64, 360.0 / nlon as f64);
        let axis = |n: usize, start: f64, step: f64| GridAxis {
            centres: (0..n).map(|i| start + (i as f64 + 0.5) * step).collect(),
            bounds: (0..n).map(|i| [start + i as f64 * step, start + (i as f64 + 1.0) * step]).collect(),
        };
        RectilinearGrid { lat: axis(nlat, -90.0, dy), lon: axis(nlon, 0.0, dx) }
    }

    /// A grid of cells turned about the axis through 0 E, 0 N: its poles lie on the equator.
    fn turned(n: usize, m: usize) -> Vec<Vec<[f64; 2]>> {
        let corner = |y: usize, x: usize| {
            let [a, b, c] =
                unit_vector([360.0 * x as f64 / m as f64 + 0.3, -90.0 + 180.0 * y as f64 / n as f64]);
            let (b, c) = (b * 0.6 - c * 0.8, b * 0.8 + c * 0.6);
            [libm::atan2(b, a) / RADIANS, libm::asin(c.clamp(-1.0, 1.0)) / RADIANS]
        };
        (0..n)
            .flat_map(|y| (0..m).map(move |x| (y, x)))
            .map(|(y, x)| vec![corner(y, x), corner(y, x + 1), corner(y + 1, x + 1), corner(y + 1, x)])
            .collect()
    }

    #[test]
    fn a_turned_grid_covers_every_target_once() {
        let target = grid(17, 23);
        let weights = Weights::conservative(&turned(30, 60), &target, 0.0);
        for (at, cells) in weights.cells.iter().enumerate() {
            let covered: f64 = cells.iter().map(|own| own.1).sum::<f64>() / weights.whole[at];
            // Great circles are followed by pieces.
            assert!((covered - 1.0).abs() < 2e-4, "{at}: {covered}");
        }
        let map = Array2::from_elem((30, 60), 4.0);
        assert!(weights.apply(&map.view()).iter().all(|value| (value - 4.0).abs() < 1e-12));
    }

    #[test]
    fn missing_cells_lose_their_weight_or_blank_the_target() {
        let cells = vec![vec![(0, 0.25), (1, 0.75)]];
        let map = ndarray::arr2(&[[f64::NAN, 2.0]]);
        let share = Weights::given((1, 1), cells.clone(), Missing::Share(0.5)).apply(&map.view());
        assert!((share[[0, 0]] - 2.0).abs() < 1e-12);
        assert!(Weights::given((1, 1), cells, Missing::Any).apply(&map.view())[[0, 0]].is_nan());
    }
}
