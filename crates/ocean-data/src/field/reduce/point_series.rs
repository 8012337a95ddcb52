//! Series at a place.

use std::collections::BTreeSet;

use ndarray::Array2;

use crate::field::pick::nearest_index;
use crate::field::sphere::distance;
use crate::field::{ChunkTree, Field, GridError, Horizontal, WalkControl, WalkError};

/// How a place is met on the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PointMethod {
    /// The cell whose centre is nearest in latitude and in longitude; of two as near the larger coordinate.
    #[default]
    Nearest,
    /// Bilinear between the four centres around the place. Dry corners carry no weight; where they would carry
    /// more than half of it the value is missing. It needs axes of latitude and longitude.
    Linear,
}

/// Where and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointOptions {
    /// Longitude in degrees east, any turn.
    pub lon: f64,
    /// Latitude in degrees north.
    pub lat: f64,
    /// Method.
    pub method: PointMethod,
    /// Take the nearest cell that ever has a value; for [`PointMethod::Nearest`].
    pub wet_only: bool,
    /// Refuse a cell farther away than this, in kilometres.
    pub max_distance_km: Option<f64>,
}

/// A series at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct PointSeries {
    /// Values `(time, depth)`; NaN is missing.
    pub values: Array2<f64>,
    /// Longitude of the cell, or of the place when interpolated.
    pub lon: f64,
    /// Latitude of the cell, or of the place when interpolated.
    pub lat: f64,
    /// Great-circle distance from the place to the cell, in kilometres; 0 when interpolated.
    pub distance_km: f64,
    /// What was read.
    pub chunks: ChunkTree,
}

/// A place the field has no series for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PointSeriesError {
    /// The walk failed.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// Interpolation needs axes.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The field is no map.
    #[error("`{name}` has no latitude and longitude axes; a series at a place needs both")]
    NoMap {
        /// The variable.
        name: String,
    },
    /// Nothing is near enough.
    #[error(
        "the nearest {kind} to {lon}, {lat} is {distance_km:.1} km away, farther than {limit_km:.1} km; choose a nearer place or raise max_distance_km"
    )]
    TooFar {
        /// `cell` or `cell with values`.
        kind: &'static str,
        /// Longitude asked for.
        lon: f64,
        /// Latitude asked for.
        lat: f64,
        /// Distance of the nearest.
        distance_km: f64,
        /// The limit.
        limit_km: f64,
    },
    /// No cell nearby has values.
    #[error("none of the {tried} cells nearest {lon}, {lat} ever has a value; choose a place at sea")]
    AllDry {
        /// Cells looked at.
        tried: usize,
        /// Longitude asked for.
        lon: f64,
        /// Latitude asked for.
        lat: f64,
    },
}

/// Cells looked at when a wet one is wanted.
const WET_CANDIDATES: usize = 64;

/// The series of a field at a place, with the cell used and its distance.
///
/// # Errors
/// [`PointSeriesError`].
pub fn point_series(
    field: &Field,
    options: &PointOptions,
    control: &WalkControl,
) -> Result<PointSeries, PointSeriesError> {
    if matches!(field.horizontal(), Horizontal::None) {
        return Err(PointSeriesError::NoMap { name: field.name().to_owned() });
    }
    if options.method == PointMethod::Linear {
        return linear(field, options, control);
    }
    let too_far = |kind, distance_km| match options.max_distance_km {
        Some(limit_km) if distance_km > limit_km => {
            Err(PointSeriesError::TooFar { kind, lon: options.lon, lat: options.lat, distance_km, limit_km })
        }
        _ => Ok(()),
    };
    let candidates = candidates(field, options);
    let tried = candidates.len();
    for (distance_km, row, column) in candidates {
        too_far(if options.wet_only { "cell with values" } else { "cell" }, distance_km)?;
        let (values, chunks) = series_at(field, row, column, control)?;
        if !options.wet_only || values.iter().any(|value| value.is_finite()) {
            let [lon, lat] = field.cell_centre(row, column).unwrap_or([options.lon, options.lat]);
            return Ok(PointSeries { values, lon, lat, distance_km, chunks });
        }
    }
    Err(PointSeriesError::AllDry { tried, lon: options.lon, lat: options.lat })
}

/// Cells to look at, nearest first: `(kilometres, row, column)`.
fn candidates(field: &Field, options: &PointOptions) -> Vec<(f64, usize, usize)> {
    let (Some(lats), Some(lons)) = (field.lats(), field.lons()) else {
        let count = if options.wet_only { WET_CANDIDATES } else { 1 };
        let nearest = field.nearest_cells(options.lon, options.lat, count);
        return nearest.into_iter().map(|(row, column, metres)| (metres / 1000.0, row, column)).collect();
    };
    let distance = |row: usize, column: usize| {
        great_circle_km(options.lon, options.lat, lons.values[column], lats.values[row])
    };
    let row = nearest_index(&lats.values, |value| (value - options.lat).abs()).unwrap_or(0);
    let column = nearest_index(&lons.values, |value| angle(value, options.lon)).unwrap_or(0);
    if !options.wet_only {
        return vec![(distance(row, column), row, column)];
    }
    let mut cells: Vec<(f64, usize, usize)> = Vec::new();
    let reach = 1 + WET_CANDIDATES / 8;
    let near = |at: usize, length: usize| at.saturating_sub(reach)..(at + reach + 1).min(length);
    // Columns on both sides, across the seam of a global axis too.
    let width = lons.values.len();
    let columns: BTreeSet<usize> = (0..=reach)
        .flat_map(|step| [(column + step) % width, (column + width * (1 + step / width) - step) % width])
        .collect();
    for y in near(row, lats.values.len()) {
        for &x in &columns {
            cells.push((distance(y, x), y, x));
        }
    }
    cells.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    cells.truncate(WET_CANDIDATES);
    cells
}

fn series_at(
    field: &Field,
    row: usize,
    column: usize,
    control: &WalkControl,
) -> Result<(Array2<f64>, ChunkTree), WalkError> {
    let cell = field.at_cell(row, column);
    let [times, levels, _, _] = cell.full_shape();
    let mut values = Array2::from_elem((times, levels), f64::NAN);
    let chunks = cell.walk(
        control,
        |block| (block.offset, block.values.clone()),
        |([t, z, _, _], part)| {
            for ((it, iz, _, _), &value) in part.indexed_iter() {
                values[[t + it, z + iz]] = value;
            }
        },
    )?;
    Ok((values, chunks))
}

/// Bilinear between the centres around the place, dry corners left out.
fn linear(
    field: &Field,
    options: &PointOptions,
    control: &WalkControl,
) -> Result<PointSeries, PointSeriesError> {
    if matches!(field.horizontal(), Horizontal::Unstructured { .. }) {
        field.require_rectilinear()?;
    }
    let (lon, lat) = (options.lon, options.lat);
    let [(distance_km, row, column), ..] =
        candidates(field, &PointOptions { wet_only: false, ..*options })[..]
    else {
        return Err(PointSeriesError::NoMap { name: field.name().to_owned() });
    };
    let Some(corners) = field.corners_around(lon, lat, (row, column)) else {
        return Err(PointSeriesError::TooFar { kind: "cell", lon, lat, distance_km, limit_km: 0.0 });
    };
    let mut sum: Option<(Array2<f64>, Array2<f64>)> = None;
    let mut last = None;
    for (row, column, weight) in corners {
        if weight <= 0.0 {
            continue;
        }
        let (values, chunks) = series_at(field, row, column, control)?;
        let (total, weights) =
            sum.get_or_insert_with(|| (Array2::zeros(values.raw_dim()), Array2::zeros(values.raw_dim())));
        for ((at, value), total) in values.indexed_iter().zip(total.iter_mut()) {
            if value.is_finite() {
                *total += value * weight;
                weights[at] += weight;
            }
        }
        last = Some(chunks);
    }
    match (sum, last) {
        (Some((total, weights)), Some(chunks)) => {
            let mut values = total;
            values.zip_mut_with(&weights, |value, &weight| {
                *value = if weight >= 0.5 { *value / weight } else { f64::NAN };
            });
            Ok(PointSeries { values, lon: options.lon, lat: options.lat, distance_km: 0.0, chunks })
        }
        _ => Err(PointSeriesError::AllDry { tried: 0, lon: options.lon, lat: options.lat }),
    }
}

fn angle(a: f64, b: f64) -> f64 {
    let turn = (a - b).rem_euclid(360.0);
    turn.min(360.0 - turn)
}

/// Great-circle distance in kilometres.
fn great_circle_km(lon_a: f64, lat_a: f64, lon_b: f64, lat_b: f64) -> f64 {
    distance(lon_a, lat_a, lon_b, lat_b) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_degree_on_the_equator_is_111_km() {
        assert!((great_circle_km(359.5, 0.0, 0.5, 0.0) - 111.194_9).abs() < 1e-3);
    }
}
