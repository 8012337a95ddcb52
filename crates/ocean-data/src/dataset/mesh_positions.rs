//! The positions and areas of a grid without axes, in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use ndarray::Array2;

use super::mesh::MeshSource;
use super::mesh_area::{MeshArea, area_of};
use super::numbers::read_numbers;
use super::store::{ReadError, Store};
use crate::cf::Attribute;

/// A grid without axes.
#[derive(Debug)]
pub(crate) struct Mesh {
    /// Whether it is a list of nodes: one row.
    pub(crate) nodes: bool,
    /// Latitudes of the centres, NaN where the file has none.
    pub(crate) lat: Array2<f64>,
    /// Longitudes of the centres.
    pub(crate) lon: Array2<f64>,
    /// Cells that repeat another one: the overlap of a global grid, the row beyond a fold.
    pub(crate) repeats: Array2<bool>,
    /// How many cells those are.
    pub(crate) repeated: usize,
    /// How its columns join around the Earth.
    pub(crate) seam: Seam,
    /// Areas of the cells.
    pub(crate) area: MeshArea,
}

impl MeshSource {
    /// The grid, read when it is first asked for.
    pub(crate) fn load(&self, store: &dyn Store) -> Result<Arc<Mesh>, ReadError> {
        if let Some(mesh) = self.loaded.get() {
            return Ok(Arc::clone(mesh));
        }
        let mesh = Arc::new(self.read(store)?);
        Ok(Arc::clone(self.loaded.get_or_init(|| mesh)))
    }

    /// Latitudes and longitudes in degrees, NaN where missing or impossible.
    pub(crate) fn positions(&self, store: &dyn Store) -> Result<[Array2<f64>; 2], ReadError> {
        let shape = match *self.shape.as_slice() {
            [rows, columns] => (rows, columns),
            _ => (1, self.shape.iter().product()),
        };
        let read = |index: usize, most: f64| -> Result<Array2<f64>, ReadError> {
            let scale = degrees(store, index);
            let mut values = read_numbers(store, index)?;
            for value in &mut values {
                *value *= scale;
                if value.abs() > most {
                    *value = f64::NAN;
                }
            }
            Ok(Array2::from_shape_vec(shape, values).unwrap_or_else(|_| Array2::from_elem(shape, f64::NAN)))
        };
        Ok([read(self.lat, 90.01)?, read(self.lon, 720.0)?])
    }

    fn read(&self, store: &dyn Store) -> Result<Mesh, ReadError> {
        let [lat, lon] = self.positions(store)?;
        let nodes = self.shape.len() == 1;
        let repeats = if nodes { Array2::from_elem(lat.dim(), false) } else { repeats(&lat, &lon) };
        let repeated = repeats.iter().filter(|&&repeat| repeat).count();
        let seam = if nodes { Seam::Open } else { seam(&lat, &lon) };
        let area = area_of(store, self, &lat, &lon, seam == Seam::Closed)?;
        Ok(Mesh { nodes, lat, lon, repeats, repeated, seam, area })
    }
}

/// What turns stored positions into degrees.
pub(crate) fn degrees(store: &dyn Store, index: usize) -> f64 {
    let units = store.variables()[index].attributes.get("units").and_then(Attribute::as_text).unwrap_or("");
    if matches!(units.to_ascii_lowercase().as_str(), "radian" | "radians" | "rad") {
        180.0 / std::f64::consts::PI
    } else {
        1.0
    }
}

/// Cells at the place of another one. Of several the one farthest from the rim of the array is kept: models fill
/// their overlap by copying from the interior.
fn repeats(lat: &Array2<f64>, lon: &Array2<f64>) -> Array2<bool> {
    let (rows, columns) = lat.dim();
    let depth = |y: usize, x: usize| y.min(rows - 1 - y).min(x.min(columns - 1 - x));
    let mut seen: BTreeMap<(i64, i64), (usize, usize)> = BTreeMap::new();
    let mut out = Array2::from_elem((rows, columns), false);
    for ((y, x), &latitude) in lat.indexed_iter() {
        let longitude = lon[[y, x]];
        if !latitude.is_finite() || !longitude.is_finite() {
            continue;
        }
        // Single-precision longitudes near 360 are good to 3e-5 degrees.
        #[expect(clippy::cast_possible_truncation, reason = "degrees times ten thousand")]
        let key = {
            let turned = (longitude.rem_euclid(360.0) * 1e4).round() as i64 % 3_600_000;
            ((latitude * 1e4).round() as i64, turned)
        };
        match seen.get(&key).copied() {
            None => {
                seen.insert(key, (y, x));
            }
            Some((oy, ox)) if depth(y, x) > depth(oy, ox) => {
                out[[oy, ox]] = true;
                seen.insert(key, (y, x));
            }
            Some(_) => out[[y, x]] = true,
        }
    }
    out
}

/// How the columns of a grid join around the Earth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seam {
    /// They do not.
    Open,
    /// The first column lies one cell beyond the last.
    Closed,
    /// The last columns repeat the first ones.
    Overlap,
}

/// The seam in most rows.
fn seam(lat: &Array2<f64>, lon: &Array2<f64>) -> Seam {
    let (rows, columns) = lat.dim();
    if columns < 3 {
        return Seam::Open;
    }
    let step = |y: usize, a: usize, b: usize| {
        let radians = std::f64::consts::PI / 180.0;
        let flat = libm::cos(lat[[y, a]] * radians);
        [turn(lon[[y, b]], lon[[y, a]]) * flat, lat[[y, b]] - lat[[y, a]]]
    };
    let (mut closed, mut overlap) = (0, 0);
    for y in 0..rows {
        let (first, last) = (step(y, 0, 1), step(y, columns - 2, columns - 1));
        let across = step(y, columns - 1, 0);
        let size = |step: [f64; 2]| step[0].hypot(step[1]);
        let inner = size(first).max(size(last));
        if inner > 0.0 && size(across) <= 1.5 * inner {
            let ahead = across[0] * last[0] + across[1] * last[1] > 0.5 * size(across) * size(last);
            if ahead { closed += 1 } else { overlap += 1 }
        }
    }
    match () {
        () if closed * 2 > rows => Seam::Closed,
        () if (closed + overlap) * 2 > rows => Seam::Overlap,
        () => Seam::Open,
    }
}

/// The axes of a grid whose rows and columns follow parallels and meridians: latitudes, longitudes, and whether
/// latitudes run along the first dimension.
pub(crate) fn separated(lat: &Array2<f64>, lon: &Array2<f64>) -> Option<(Vec<f64>, Vec<f64>, bool)> {
    let (rows, columns) = lat.dim();
    if rows < 2 || columns < 2 || lat.iter().chain(lon).any(|value| !value.is_finite()) {
        return None;
    }
    let straight = |lat: ndarray::ArrayView2<'_, f64>, lon: ndarray::ArrayView2<'_, f64>| {
        let lats: Vec<f64> = lat.column(0).to_vec();
        let lons: Vec<f64> = lon.row(0).to_vec();
        let slack = |values: &[f64]| {
            let least =
                values.windows(2).map(|pair| turn(pair[1], pair[0]).abs()).fold(f64::INFINITY, f64::min);
            (least * 1e-3).max(2e-5)
        };
        let (loose_lat, loose_lon) = (slack(&lats), slack(&lons));
        let same = lat.indexed_iter().all(|((y, _), &value)| (value - lats[y]).abs() <= loose_lat)
            && lon.indexed_iter().all(|((_, x), &value)| turn(value, lons[x]).abs() <= loose_lon);
        let rising = lats.windows(2).all(|p| p[1] > p[0]) || lats.windows(2).all(|p| p[1] < p[0]);
        (same && rising).then_some((lats, lons))
    };
    let upright = straight(lat.view(), lon.view()).map(|(lats, lons)| (lats, lons, true));
    upright.or_else(|| straight(lat.t(), lon.t()).map(|(lats, lons)| (lats, lons, false)))
}

fn turn(a: f64, b: f64) -> f64 {
    let difference = (a - b).rem_euclid(360.0);
    if difference > 180.0 { difference - 360.0 } else { difference }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overlap_of_a_global_grid_is_found() {
        // Eight columns of 60 degrees: two of them repeat, once as -180 and once as 180.
        let lon = Array2::from_shape_fn((3, 8), |(_, x)| {
            let value = 60.0 * x as f64 - 180.0;
            if value > 180.0 { value - 360.0 } else { value }
        });
        let lat = Array2::from_shape_fn((3, 8), |(y, _)| 10.0 * y as f64);
        let found = repeats(&lat, &lon);
        assert_eq!(found.iter().filter(|&&repeat| repeat).count(), 6);
        // Columns 0 and 6, and 1 and 7: the inner one of each pair stays in the middle row.
        assert!(found[[1, 0]] && !found[[1, 6]] && !found[[1, 1]] && found[[1, 7]]);
        assert_eq!(seam(&lat, &lon), Seam::Overlap);
        let cut = |from: usize, to: usize| {
            let part =
                |values: &Array2<f64>| Array2::from_shape_fn((3, to - from), |(y, x)| values[[y, from + x]]);
            seam(&part(&lat), &part(&lon))
        };
        assert_eq!(cut(0, 6), Seam::Closed);
        assert_eq!(cut(0, 5), Seam::Open);
    }

    #[test]
    fn two_dimensional_coordinates_may_be_axes() {
        let lat = Array2::from_shape_fn((3, 4), |(y, _)| 10.0 + y as f64);
        let lon = Array2::from_shape_fn((3, 4), |(_, x)| 178.0 + x as f64 - if x > 2 { 360.0 } else { 0.0 });
        let (lats, lons, upright) = separated(&lat, &lon).unwrap();
        assert!(upright && lats == [10.0, 11.0, 12.0] && lons == [178.0, 179.0, 180.0, -179.0]);
        let (lats, _, upright) = separated(&lat.t().to_owned(), &lon.t().to_owned()).unwrap();
        assert!(!upright && lats.len() == 3);
        let skewed = Array2::from_shape_fn((3, 4), |(y, x)| 10.0 + y as f64 + 0.1 * x as f64);
        assert!(separated(&skewed, &lon).is_none());
    }
}
