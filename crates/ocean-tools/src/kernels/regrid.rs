//! From one rectilinear grid to another: bilinear, nearest, first-order conservative.
//!
//! # Source
//! Jones (1999), "First- and Second-Order Conservative Remapping Schemes for Grids in Spherical Coordinates", *Monthly
//! Weather Review* 127: overlap areas on the sphere, normalised by the part of a target cell that has values (`fracarea`).

use ndarray::{Array2, ArrayView2};

/// An axis: centres and cell bounds, rising.
#[derive(Debug, Clone, PartialEq)]
pub struct GridAxis {
    /// Centres, in degrees.
    pub centres: Vec<f64>,
    /// Lower and upper edge of each cell.
    pub bounds: Vec<[f64; 2]>,
}

/// A rectilinear grid in longitude and latitude.
#[derive(Debug, Clone, PartialEq)]
pub struct RectilinearGrid {
    /// Latitudes from south to north.
    pub lat: GridAxis,
    /// Longitudes from west to east; on any turn.
    pub lon: GridAxis,
}

impl RectilinearGrid {
    /// Whether its longitudes close round the globe.
    pub fn is_global(&self) -> bool {
        let (Some(first), Some(last)) = (self.lon.bounds.first(), self.lon.bounds.last()) else {
            return false;
        };
        (last[1] - first[0] - 360.0).abs() < 1e-6
    }
}

/// A method of [`regrid`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Bilinear between the four centres around; missing if any of them is missing. A place on a row or column of centres
    /// belongs to the cell north and east of it.
    Bilinear,
    /// The nearest centre by great circle, whether it has a value or not.
    Nearest,
    /// First-order conservative, normalised by the part of the cell that has values; missing where that part is smaller
    /// than `min_fraction`.
    Conservative,
}

/// Values of a map `(lat, lon)` on another grid; NaN is missing.
///
/// ```
/// use ndarray::arr2;
/// use ocean_tools::kernels::regrid::{GridAxis, Method, RectilinearGrid, regrid};
///
/// let axis = |centres: &[f64], half: f64| GridAxis {
///     centres: centres.to_vec(),
///     bounds: centres.iter().map(|c| [c - half, c + half]).collect(),
/// };
/// let fine = RectilinearGrid { lat: axis(&[-0.5, 0.5], 0.5), lon: axis(&[0.5, 1.5], 0.5) };
/// let coarse = RectilinearGrid { lat: axis(&[0.0], 1.0), lon: axis(&[1.0], 1.0) };
/// let map = arr2(&[[1.0, 3.0], [5.0, f64::NAN]]);
/// let mean = regrid(&map.view(), &fine, &coarse, Method::Conservative, 0.0);
/// assert!((mean[[0, 0]] - 3.0).abs() < 1e-12);
/// ```
pub fn regrid(
    map: &ArrayView2<'_, f64>,
    source: &RectilinearGrid,
    target: &RectilinearGrid,
    method: Method,
    min_fraction: f64,
) -> Array2<f64> {
    match method {
        Method::Bilinear => bilinear(map, source, target),
        Method::Nearest => nearest(map, source, target),
        Method::Conservative => conservative(map, source, target, min_fraction),
    }
}

/// The two centres nearest a value, if it is inside the outer edges.
fn candidates(axis: &GridAxis, value: f64) -> Vec<usize> {
    let inside = |first: &[f64; 2], last: &[f64; 2]| value >= first[0] - 1e-9 && value <= last[1] + 1e-9;
    if !axis.bounds.first().zip(axis.bounds.last()).is_some_and(|(first, last)| inside(first, last)) {
        return Vec::new();
    }
    let upper = axis.centres.partition_point(|&centre| centre < value);
    let mut found = vec![upper.saturating_sub(1), upper.min(axis.centres.len() - 1)];
    found.dedup();
    found
}

fn candidates_lon(source: &RectilinearGrid, lon: f64) -> Vec<usize> {
    let Some(first) = source.lon.bounds.first() else { return Vec::new() };
    let turned = first[0] + (lon - first[0]).rem_euclid(360.0);
    let mut found = candidates(&source.lon, turned);
    if source.is_global() && !found.is_empty() {
        found.extend([source.lon.centres.len() - 1, 0]);
    }
    found
}

/// The nearest centre by great circle; of equally near ones the first from the west, then from the south.
fn nearest(map: &ArrayView2<'_, f64>, source: &RectilinearGrid, target: &RectilinearGrid) -> Array2<f64> {
    let radians = std::f64::consts::PI / 180.0;
    let rows: Vec<Vec<usize>> = target.lat.centres.iter().map(|&lat| candidates(&source.lat, lat)).collect();
    let columns: Vec<Vec<usize>> =
        target.lon.centres.iter().map(|&lon| candidates_lon(source, lon)).collect();
    Array2::from_shape_fn((rows.len(), columns.len()), |(y, x)| {
        let (lat, lon) = (target.lat.centres[y], target.lon.centres[x]);
        let mut best: Option<(f64, f64)> = None;
        for &row in &rows[y] {
            for &column in &columns[x] {
                let (own_lat, own_lon) = (source.lat.centres[row], source.lon.centres[column]);
                let half = |angle: f64| libm::sin(angle * radians / 2.0) * libm::sin(angle * radians / 2.0);
                let shrink = libm::cos(lat * radians) * libm::cos(own_lat * radians);
                let distance = half(own_lat - lat) + shrink * half(own_lon - lon);
                if best.is_none_or(|(nearest, _)| distance < nearest - 1e-15) {
                    best = Some((distance, map[[row, column]]));
                }
            }
        }
        best.map_or(f64::NAN, |(_, value)| value)
    })
}

/// Neighbours and the share of the upper one; `None` outside the centres. A value on a centre is at the lower end of its
/// cell, but for the last.
fn between(centres: &[f64], value: f64) -> Option<(usize, usize, f64)> {
    let last = centres.len().checked_sub(1)?;
    if last == 0 || value < centres[0] - 1e-9 || value > centres[last] + 1e-9 {
        return None;
    }
    let lower = centres.partition_point(|&centre| centre <= value + 1e-9).saturating_sub(1).min(last - 1);
    let (a, b) = (centres[lower], centres[lower + 1]);
    Some((lower, lower + 1, (value - a) / (b - a)))
}

fn between_lon(source: &RectilinearGrid, lon: f64) -> Option<(usize, usize, f64)> {
    let centres = &source.lon.centres;
    let (first, last) = (*centres.first()?, *centres.last()?);
    let turned = first + (lon - first).rem_euclid(360.0);
    let turned = if (turned - first - 360.0).abs() < 1e-9 { first } else { turned };
    if let Some(found) = between(centres, turned) {
        return Some(found);
    }
    // Between the last column and the first, where the grid closes.
    let gap = first + 360.0 - last;
    source.is_global().then(|| (centres.len() - 1, 0, (turned - last) / gap))
}

fn bilinear(map: &ArrayView2<'_, f64>, source: &RectilinearGrid, target: &RectilinearGrid) -> Array2<f64> {
    let rows: Vec<_> = target.lat.centres.iter().map(|&lat| between(&source.lat.centres, lat)).collect();
    let columns: Vec<_> = target.lon.centres.iter().map(|&lon| between_lon(source, lon)).collect();
    Array2::from_shape_fn((rows.len(), columns.len()), |(y, x)| {
        let (Some((south, north, up)), Some((west, east, right))) = (rows[y], columns[x]) else {
            return f64::NAN;
        };
        // A missing corner makes the value missing even where it has no weight, as in CDO.
        let along = |row: usize| map[[row, west]] + (map[[row, east]] - map[[row, west]]) * right;
        let (low, high) = (along(south), along(north));
        low + (high - low) * up
    })
}

/// For each target cell the source cells that overlap it, with the overlap.
fn overlaps(source: &[[f64; 2]], target: &[f64; 2], measure: impl Fn(f64, f64) -> f64) -> Vec<(usize, f64)> {
    let mut out = Vec::new();
    for (index, own) in source.iter().enumerate() {
        let (low, high) = (own[0].max(target[0]), own[1].min(target[1]));
        if high > low {
            out.push((index, measure(low, high)));
        }
    }
    out
}

fn conservative(
    map: &ArrayView2<'_, f64>,
    source: &RectilinearGrid,
    target: &RectilinearGrid,
    min_fraction: f64,
) -> Array2<f64> {
    let radians = std::f64::consts::PI / 180.0;
    let band = |south: f64, north: f64| libm::sin(north * radians) - libm::sin(south * radians);
    let rows: Vec<Vec<(usize, f64)>> =
        target.lat.bounds.iter().map(|cell| overlaps(&source.lat.bounds, cell, band)).collect();
    let columns: Vec<Vec<(usize, f64)>> = target
        .lon
        .bounds
        .iter()
        .map(|cell| {
            // A source cell may lie a turn away.
            [-720.0, -360.0, 0.0, 360.0, 720.0]
                .into_iter()
                .flat_map(|turn| {
                    overlaps(&source.lon.bounds, &[cell[0] + turn, cell[1] + turn], |west, east| east - west)
                })
                .collect()
        })
        .collect();
    Array2::from_shape_fn((rows.len(), columns.len()), |(y, x)| {
        let (mut sum, mut weight) = (0.0, 0.0);
        for &(row, height) in &rows[y] {
            for &(column, width) in &columns[x] {
                let value = map[[row, column]];
                if !value.is_nan() {
                    sum += value * height * width;
                    weight += height * width;
                }
            }
        }
        let [south, north] = target.lat.bounds[y];
        let [west, east] = target.lon.bounds[x];
        let whole = band(south, north) * (east - west);
        if weight > 0.0 && weight / whole >= min_fraction { sum / weight } else { f64::NAN }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(nlat: usize, nlon: usize) -> RectilinearGrid {
        let (dy, dx) = (180.0 / nlat as f64, 360.0 / nlon as f64);
        let axis = |n: usize, start: f64, step: f64| GridAxis {
            centres: (0..n).map(|i| start + (i as f64 + 0.5) * step).collect(),
            bounds: (0..n).map(|i| [start + i as f64 * step, start + (i as f64 + 1.0) * step]).collect(),
        };
        RectilinearGrid { lat: axis(nlat, -90.0, dy), lon: axis(nlon, 0.0, dx) }
    }

    fn total(map: &Array2<f64>, grid: &RectilinearGrid) -> f64 {
        let radians = std::f64::consts::PI / 180.0;
        map.indexed_iter()
            .map(|((y, x), value)| {
                let [s, n] = grid.lat.bounds[y];
                let [w, e] = grid.lon.bounds[x];
                value * (libm::sin(n * radians) - libm::sin(s * radians)) * (e - w)
            })
            .sum()
    }

    #[test]
    fn conservation_holds_between_grids_that_do_not_fit() {
        let (a, b) = (grid(18, 36), grid(7, 11));
        let map = Array2::from_shape_fn((18, 36), |(y, x)| (y as f64 * 0.3).sin() + (x as f64 * 0.17).cos());
        let there = regrid(&map.view(), &a, &b, Method::Conservative, 0.0);
        assert!((total(&map, &a) - total(&there, &b)).abs() < 1e-9);
    }

    #[test]
    fn constants_stay_constant_and_the_seam_is_closed() {
        let (a, b) = (grid(18, 36), grid(9, 50));
        let map = Array2::from_elem((18, 36), 4.0);
        for method in [Method::Bilinear, Method::Nearest, Method::Conservative] {
            let there = regrid(&map.view(), &a, &b, method, 0.5);
            assert!(there.iter().all(|value| (value - 4.0).abs() < 1e-12), "{method:?}");
        }
    }

    #[test]
    fn a_linear_field_is_met_exactly_by_bilinear() {
        let (a, b) = (grid(18, 36), grid(9, 12));
        let map = Array2::from_shape_fn((18, 36), |(y, _)| a.lat.centres[y]);
        let there = regrid(&map.view(), &a, &b, Method::Bilinear, 0.0);
        assert!((there[[4, 3]] - b.lat.centres[4]).abs() < 1e-12);
    }

    #[test]
    fn too_small_a_part_with_values_is_missing() {
        let (a, b) = (grid(4, 4), grid(2, 2));
        let mut map = Array2::from_elem((4, 4), f64::NAN);
        map[[2, 0]] = 1.0;
        let part = |min: f64| regrid(&map.view(), &a, &b, Method::Conservative, min)[[1, 0]];
        assert!((part(0.1) - 1.0).abs() < 1e-12);
        assert!(part(0.5).is_nan());
    }
}
