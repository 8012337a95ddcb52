//! Where: the rows and columns of a region.

use std::sync::Arc;

use ndarray::Array2;

use super::field::SpaceAxis;
use super::horizontal::MeshCells;
use super::pick::{axis_of, nearest_index, scalar_coordinate, sorted_axis, space_coordinate};
use super::region::{Area, EDGE, LonLatBox, Region};
use super::select::SelectError;
use super::select_mesh::resolve_mesh;
use super::selection::Selection;
use crate::cf::Axis;
use crate::dataset::{Coordinate, Dataset, Variable, plain};

/// The rows and columns of a region.
pub(crate) struct Horizontal {
    pub(crate) lat: Option<SpaceAxis>,
    pub(crate) lon: Option<SpaceAxis>,
    /// Cells inside a polygon.
    pub(crate) mask: Option<Array2<bool>>,
    /// The cells of a grid without axes; `lat` and `lon` are then absent.
    pub(crate) mesh: Option<Arc<MeshCells>>,
}

impl Horizontal {
    /// Stored rows and columns.
    pub(crate) fn indices(&self) -> (Vec<usize>, Vec<usize>) {
        let of = |axis: &Option<SpaceAxis>| axis.as_ref().map_or(vec![0], |axis| axis.indices.clone());
        match &self.mesh {
            Some(cells) => (cells.rows.clone(), cells.columns.clone()),
            None => (of(&self.lat), of(&self.lon)),
        }
    }
}

/// Resolves the region.
pub(crate) fn resolve_horizontal(
    dataset: &Dataset,
    variable: &Variable,
    selection: &Selection,
    notes: &mut Vec<String>,
) -> Result<Horizontal, SelectError> {
    if let Some(link) = variable.mesh {
        return resolve_mesh(dataset, variable, link, selection, notes);
    }
    let one = [Axis::Latitude, Axis::Longitude].map(|axis| scalar_coordinate(dataset, variable, axis));
    let lat = space_coordinate(dataset, variable, Axis::Latitude).or(one[0]);
    let lon = space_coordinate(dataset, variable, Axis::Longitude).or(one[1]);
    let mut found = on_axes(variable, [lat, lon], selection, notes)?;
    // A coordinate of one value is no dimension.
    for (axis, one) in [&mut found.lat, &mut found.lon].into_iter().zip(one) {
        if let Some(axis) = axis.as_mut().filter(|_| one.is_some()) {
            axis.squeezed = true;
        }
    }
    Ok(found)
}

fn on_axes(
    variable: &Variable,
    [lat, lon]: [Option<&Coordinate>; 2],
    selection: &Selection,
    notes: &mut Vec<String>,
) -> Result<Horizontal, SelectError> {
    let Some(region) = &selection.region else {
        let lat = lat.map(|lat| sorted_axis(lat, |_| true));
        let lon = lon.map(|lon| whole_circle(lon, notes));
        return Ok(Horizontal { lat, lon, mask: None, mesh: None });
    };
    let (Some(lat), Some(lon)) = (lat, lon) else {
        return Err(SelectError::NoHorizontalAxes { variable: variable.name.clone() });
    };
    let outside =
        || SelectError::RegionOutside { region: region.to_json().to_string(), coverage: coverage(lat, lon) };
    if let Region::Path(_) = region {
        return Err(SelectError::Path);
    }
    if let Region::Point([x, y]) = region {
        let (lat, lon) = nearest_cell(lat, lon, *x, *y).ok_or_else(outside)?;
        notes.push(format!(
            "the cell nearest {x}, {y} is at {}, {}",
            plain(lon.values[0]),
            plain(lat.values[0])
        ));
        return Ok(Horizontal { lat: Some(lat), lon: Some(lon), mask: None, mesh: None });
    }
    let area = region.area()?.ok_or_else(outside)?;
    let bounds = area.bounds();
    let rows = sorted_axis(lat, |value| bounds.contains_lat(value));
    let columns = eastward_axis(lon, &bounds, notes);
    if rows.values.is_empty() || columns.values.is_empty() {
        return Err(outside());
    }
    let mask = match &area {
        Area::Polygon(polygon) => {
            let mask = Array2::from_shape_fn((rows.values.len(), columns.values.len()), |(y, x)| {
                polygon.contains(columns.values[x], rows.values[y])
            });
            if !mask.iter().any(|&inside| inside) {
                return Err(outside());
            }
            Some(mask)
        }
        Area::Box(_) => None,
    };
    if beyond(lat, lon, &bounds) {
        notes.push(format!(
            "the region {} reaches beyond the data, which cover {}; it was clipped",
            region.to_json(),
            coverage(lat, lon)
        ));
    }
    Ok(Horizontal { lat: Some(rows), lon: Some(columns), mask, mesh: None })
}

fn coverage(lat: &Coordinate, lon: &Coordinate) -> String {
    let ends = |values: &[f64]| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (low, high)
    };
    let ((s, n), (w, e)) = (ends(&lat.values), ends(&lon.values));
    format!("longitudes {} to {} and latitudes {} to {}", plain(w), plain(e), plain(s), plain(n))
}

/// Whether a box reaches more than a cell beyond the data.
fn beyond(lat: &Coordinate, lon: &Coordinate, bounds: &LonLatBox) -> bool {
    let edges = |coordinate: &Coordinate| {
        let flat = coordinate.bounds.iter().flatten().copied();
        let (low, high) = flat.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        (low, high)
    };
    let (south, north) = edges(lat);
    let (west, east) = edges(lon);
    let short_lat = bounds.south < south - EDGE || bounds.north > north + EDGE;
    let global = east - west >= 360.0 - 1e-3;
    let start = (bounds.west - west).rem_euclid(360.0);
    let short_lon = !global && start + bounds.width() > east - west + EDGE;
    short_lat || short_lon
}

/// All longitudes, rising; a column that repeats another after 360 degrees is left out.
fn whole_circle(lon: &Coordinate, notes: &mut Vec<String>) -> SpaceAxis {
    let mut picks: Vec<(usize, f64)> = lon.values.iter().copied().enumerate().collect();
    picks.sort_by(|a, b| a.1.total_cmp(&b.1));
    without_repeats(&mut picks, lon, notes);
    axis_of(lon, &picks, false)
}

/// The columns of a box from its western edge eastwards.
fn eastward_axis(lon: &Coordinate, bounds: &LonLatBox, notes: &mut Vec<String>) -> SpaceAxis {
    let mut picks: Vec<(usize, f64)> = (lon.values.iter().enumerate())
        .filter(|&(_, &value)| bounds.contains_lon(value))
        .map(|(index, &value)| {
            // Whole turns only, so that the stored digits stay.
            let wanted = bounds.west + bounds.eastward(value);
            (index, value + 360.0 * ((wanted - value) / 360.0).round())
        })
        .collect();
    picks.sort_by(|a, b| a.1.total_cmp(&b.1));
    without_repeats(&mut picks, lon, notes);
    axis_of(lon, &picks, false)
}

fn without_repeats(picks: &mut Vec<(usize, f64)>, lon: &Coordinate, notes: &mut Vec<String>) {
    let before = picks.len();
    let first = picks.first().map(|pick| pick.1);
    picks.dedup_by(|b, a| (b.1 - a.1).abs() < EDGE);
    picks.retain(|pick| first.is_none_or(|first| pick.1 - first < 360.0 - EDGE));
    if picks.len() < before {
        notes.push(format!(
            "{} columns of `{}` repeat others and are left out",
            before - picks.len(),
            lon.name
        ));
    }
}

/// The cell nearest a place, by latitude and by longitude; `None` beyond the outer cells.
fn nearest_cell(lat: &Coordinate, lon: &Coordinate, x: f64, y: f64) -> Option<(SpaceAxis, SpaceAxis)> {
    let distance_x = |value: f64| {
        let turn = (value - x).rem_euclid(360.0);
        turn.min(360.0 - turn)
    };
    let row = nearest_index(&lat.values, |value| (value - y).abs())?;
    let column = nearest_index(&lon.values, distance_x)?;
    let half = |pair: [f64; 2]| (pair[1] - pair[0]).abs() / 2.0;
    let outside = (lat.values[row] - y).abs() > half(lat.bounds[row]).max(EDGE) * 1.01
        || distance_x(lon.values[column]) > half(lon.bounds[column]).max(EDGE) * 1.01;
    if outside {
        return None;
    }
    let value = lon.values[column];
    let presented = value + 360.0 * ((x - value) / 360.0).round();
    Some((axis_of(lat, &[(row, lat.values[row])], true), axis_of(lon, &[(column, presented)], true)))
}
