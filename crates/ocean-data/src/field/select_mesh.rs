//! Where, on a grid without axes: the cells of a region.

use std::sync::Arc;

use ndarray::Array2;

use super::field::SpaceAxis;
use super::horizontal::MeshCells;
use super::region::{Area, Region};
use super::select::SelectError;
use super::select_horizontal::Horizontal;
use super::selection::Selection;
use super::sphere::{EARTH_RADIUS, RADIANS, distance};
use crate::dataset::{Dataset, Mesh, MeshLink, Seam, Variable, plain};

/// Resolves the region of a variable on a grid without axes.
pub(crate) fn resolve_mesh(
    dataset: &Dataset,
    variable: &Variable,
    link: MeshLink,
    selection: &Selection,
    notes: &mut Vec<String>,
) -> Result<Horizontal, SelectError> {
    let unusable = |problem: String| SelectError::UnusableCoordinate {
        variable: variable.name.clone(),
        coordinate: "latitude and longitude".to_owned(),
        problem,
    };
    let source =
        dataset.grid().meshes.get(link.mesh).ok_or_else(|| unusable("they are missing".to_owned()))?;
    let mesh = source.load(dataset.store()).map_err(|error| unusable(error.to_string()))?;
    if let Some(warning) = &mesh.area.warning {
        notes.push(warning.clone());
    }
    match &selection.region {
        Some(Region::Path(_)) => Err(SelectError::Path),
        Some(Region::Point([lon, lat])) => {
            point(&mesh, *lon, *lat, notes).ok_or_else(|| outside(selection.region.as_ref(), &mesh))
        }
        None => cells(mesh, None, selection, notes),
        Some(region) => {
            let area = region.area()?.ok_or_else(|| outside(Some(region), &mesh))?;
            cells(mesh, Some(&area), selection, notes)
        }
    }
}

fn outside(region: Option<&Region>, mesh: &Mesh) -> SelectError {
    let span = |values: &Array2<f64>| {
        let finite = values.iter().copied().filter(|value| value.is_finite());
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let ((south, north), (west, east)) = (span(&mesh.lat), span(&mesh.lon));
    SelectError::RegionOutside {
        region: region.map(|region| region.to_json().to_string()).unwrap_or_default(),
        coverage: format!(
            "longitudes {} to {} and latitudes {} to {}",
            plain(west),
            plain(east),
            plain(south),
            plain(north)
        ),
    }
}

/// The rows and columns that hold the cells of an area, with a mask of those cells.
fn cells(
    mesh: Arc<Mesh>,
    area: Option<&Area>,
    selection: &Selection,
    notes: &mut Vec<String>,
) -> Result<Horizontal, SelectError> {
    let (rows, columns) = mesh.lat.dim();
    let inside = Array2::from_shape_fn((rows, columns), |at| {
        let (lat, lon) = (mesh.lat[at], mesh.lon[at]);
        let known = lat.is_finite() && lon.is_finite() && !mesh.repeats[at];
        known && area.is_none_or(|area| area.contains(lon, lat))
    });
    if !inside.iter().any(|&cell| cell) {
        return Err(outside(selection.region.as_ref(), &mesh));
    }
    if mesh.repeated > 0 {
        notes.push(format!(
            "{} cells of the grid repeat others (overlap or fold) and are left out",
            mesh.repeated
        ));
    }
    let unknown = mesh.lat.iter().zip(&mesh.lon).filter(|(y, x)| !y.is_finite() || !x.is_finite()).count();
    if unknown > 0 {
        notes.push(format!("{unknown} cells of the grid have no position and are left out"));
    }
    let used_column = |x: usize| (0..rows).any(|y| inside[[y, x]]);
    let (first, last) = hull((0..rows).map(|y| (0..columns).any(|x| inside[[y, x]])));
    let kept_rows: Vec<usize> = (first..=last).collect();
    let kept_columns: Vec<usize> = if mesh.nodes {
        (0..columns).filter(|&x| used_column(x)).collect()
    } else if area.is_some() && mesh.seam != Seam::Open {
        around(&(0..columns).map(used_column).collect::<Vec<_>>())
    } else {
        let (first, last) = hull((0..columns).map(used_column));
        (first..=last).collect()
    };
    let mask = Array2::from_shape_fn((kept_rows.len(), kept_columns.len()), |(y, x)| {
        inside[[kept_rows[y], kept_columns[x]]]
    });
    let mask = if mask.iter().all(|&cell| cell) { None } else { Some(mask) };
    let kind = if mesh.nodes { "an unstructured mesh" } else { "a curvilinear grid" };
    notes.push(format!("the data are on {kind}; areas of cells are from {}", mesh.area.source));
    let cells = MeshCells::new(mesh, kept_rows, kept_columns);
    Ok(Horizontal { lat: None, lon: None, mask, mesh: Some(Arc::new(cells)) })
}

/// First and last true.
fn hull(flags: impl Iterator<Item = bool>) -> (usize, usize) {
    let used: Vec<usize> = flags.enumerate().filter(|flag| flag.1).map(|flag| flag.0).collect();
    (used.first().copied().unwrap_or(0), used.last().copied().unwrap_or(0))
}

/// The shortest run of columns around a closed grid that holds all used ones, from its western end.
fn around(used: &[bool]) -> Vec<usize> {
    let n = used.len();
    let at: Vec<usize> = (0..n).filter(|&x| used[x]).collect();
    let mut best = (0, n);
    for (i, &from) in at.iter().enumerate() {
        let to = at[(i + at.len() - 1) % at.len()];
        let length = (to + n - from) % n + 1;
        if length < best.1 {
            best = (from, length);
        }
    }
    (best.0..best.0 + best.1).map(|x| x % n).collect()
}

/// The cell nearest a place, as a pair of axes with one value each; `None` when the place is in no cell.
fn point(mesh: &Mesh, lon: f64, lat: f64, notes: &mut Vec<String>) -> Option<Horizontal> {
    let mut best: Option<([usize; 2], f64)> = None;
    for ((y, x), &there) in mesh.lat.indexed_iter() {
        let away = distance(lon, lat, mesh.lon[[y, x]], there);
        if away.is_finite() && !mesh.repeats[[y, x]] && best.is_none_or(|found| away < found.1) {
            best = Some(([y, x], away));
        }
    }
    let (at, away) = best?;
    // No point of a cell that is at most three times as long as wide is farther from its centre than this.
    let reach = mesh.area.values.as_ref().map(|area| (area[at] * 2.5).sqrt());
    if reach.is_some_and(|reach| away > reach) {
        return None;
    }
    let value = mesh.lon[at] + 360.0 * ((lon - mesh.lon[at]) / 360.0).round();
    notes.push(format!(
        "the cell nearest {lon}, {lat} is at {}, {}, {:.1} km away",
        plain(value),
        plain(mesh.lat[at]),
        away / 1000.0
    ));
    let side = mesh.area.values.as_ref().map_or(0.0, |area| area[at].sqrt() / EARTH_RADIUS / RADIANS / 2.0);
    let axis = |index: usize, value: f64| SpaceAxis {
        indices: vec![index],
        values: vec![value],
        bounds: vec![[value - side, value + side]],
        squeezed: true,
    };
    Some(Horizontal {
        lat: Some(axis(at[0], mesh.lat[at])),
        lon: Some(axis(at[1], value)),
        mask: None,
        mesh: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_run_across_the_seam() {
        assert_eq!(around(&[true, true, false, false, true]), [4, 0, 1]);
        assert_eq!(around(&[false, true, true, false, false]), [1, 2]);
        assert_eq!(around(&[true; 3]), [0, 1, 2]);
    }
}
