//! Horizontal grids without latitude and longitude axes: which variables hold their positions.
//!
//! # Source
//! CF conventions 1.11, sections 5.2 (two-dimensional latitudes and longitudes) and 5.9 (mesh topology); names as NEMO,
//! ROMS, POP, MOM, CICE, FVCOM, ICON and CMIP files use them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::mesh_positions::Mesh;
use super::store::StoredVariable;
use crate::cf::{Attribute, Axis, AxisEvidence, base_name};

/// A grid whose cells have a latitude and a longitude each.
#[derive(Debug)]
pub(crate) struct MeshSource {
    /// Position of the latitudes in the store.
    pub(crate) lat: usize,
    /// Position of the longitudes in the store.
    pub(crate) lon: usize,
    /// Names of its dimensions: rows and columns, or nodes alone.
    pub(crate) dimensions: Vec<String>,
    /// Their lengths.
    pub(crate) shape: Vec<usize>,
    /// Positions of the latitude and longitude axes in the dataset's coordinates, when rows and columns follow
    /// parallels and meridians, with the dimension that the latitudes run along.
    pub(crate) axes: Option<MeshAxes>,
    /// What has been read of it.
    pub(crate) loaded: OnceLock<Arc<Mesh>>,
}

/// The axes of a grid with two-dimensional coordinates that is rectilinear all the same.
#[derive(Debug, Clone)]
pub(crate) struct MeshAxes {
    pub(crate) lat: usize,
    pub(crate) lon: usize,
    /// Position in [`MeshSource::dimensions`] of the dimension that latitudes run along.
    pub(crate) lat_dimension: usize,
}

/// The grid of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MeshLink {
    /// Position in the list of meshes.
    pub(crate) mesh: usize,
    /// Dimension of the variable that rows run along; `None` for nodes.
    pub(crate) y: Option<usize>,
    /// Dimension of the variable that columns or nodes run along.
    pub(crate) x: usize,
}

/// Finds the grids of a store.
pub(crate) fn find_meshes(stored: &[StoredVariable]) -> Vec<MeshSource> {
    let mut positions: BTreeMap<Vec<String>, [Vec<usize>; 2]> = BTreeMap::new();
    for (index, variable) in stored.iter().enumerate() {
        let Some(which) = horizontal_position(variable) else { continue };
        let names = variable.dimensions.iter().map(|d| d.0.clone()).collect();
        positions.entry(names).or_default()[which].push(index);
    }
    let mut out = Vec::new();
    for (dimensions, [lats, lons]) in positions {
        for &lat in &lats {
            let lone = lats.len() == 1 && lons.len() == 1;
            let partner =
                lons.iter().copied().find(|&lon| lone || stem(&stored[lat].name) == stem(&stored[lon].name));
            let Some(lon) = partner else { continue };
            if stored[lat].shape() == stored[lon].shape() {
                let shape = stored[lat].shape();
                let dimensions = dimensions.clone();
                out.push(MeshSource { lat, lon, dimensions, shape, axes: None, loaded: OnceLock::new() });
            }
        }
    }
    // In the order of the file.
    out.sort_by_key(|mesh| mesh.lat);
    out
}

/// 0 for latitudes and 1 for longitudes that are no axis: two-dimensional, or over a dimension of another name.
fn horizontal_position(variable: &StoredVariable) -> Option<usize> {
    let detected = Axis::detect(&variable.name, &variable.attributes);
    let which = match detected {
        Some((_, AxisEvidence::AxisAttribute)) | None => return None,
        // Plane coordinates in metres.
        Some((_, AxisEvidence::Name)) if ["x", "y"].contains(&base_name(&variable.name)) => return None,
        Some((Axis::Latitude, _)) => 0,
        Some((Axis::Longitude, _)) => 1,
        Some(_) => return None,
    };
    let rank = variable.dimensions.len();
    let own = rank == 1 && variable.dimensions[0].0 == base_name(&variable.name);
    let long = variable.dimensions.iter().all(|d| d.1 > 0) && variable.len() > 1;
    let fits = (rank == 2 || rank == 1) && !own && long && variable.element.is_numeric();
    fits.then_some(which)
}

/// A name without what tells latitudes from longitudes: `nav_lat_u` and `nav_lon_u` have the same.
fn stem(name: &str) -> String {
    let mut stem = name.to_ascii_lowercase();
    for word in ["latitude", "longitude", "long", "lat", "lon", "gphi", "glam"] {
        if stem.contains(word) {
            stem = stem.replacen(word, "#", 1);
            break;
        }
    }
    stem
}

/// The grid of a variable: the one its `coordinates` name, otherwise the first over its dimensions.
///
/// The flag tells whether its attributes name the grid.
pub(crate) fn mesh_of(
    stored: &[StoredVariable],
    meshes: &[MeshSource],
    variable: &StoredVariable,
) -> Option<(MeshLink, bool)> {
    let attribute = |key: &str| variable.attributes.get(key).and_then(Attribute::as_text).unwrap_or("");
    let named: Vec<&str> = attribute("coordinates")
        .split_whitespace()
        .chain(attribute("associate").split_whitespace())
        .collect();
    let is_named = |index: usize| {
        let name = base_name(&stored[index].name);
        named.iter().any(|wanted| base_name(wanted) == name)
    };
    let at = |name: &str| variable.dimensions.iter().position(|dimension| dimension.0 == name);
    let mut best: Option<(MeshLink, bool)> = None;
    for (position, mesh) in meshes.iter().enumerate() {
        let places: Option<Vec<usize>> = mesh.dimensions.iter().map(|name| at(name)).collect();
        let link = match places.as_deref() {
            Some(&[y, x]) => MeshLink { mesh: position, y: Some(y), x },
            Some(&[x]) => MeshLink { mesh: position, y: None, x },
            _ => continue,
        };
        let named = is_named(mesh.lat) && is_named(mesh.lon);
        if best.is_none() || (named && best.is_some_and(|found| !found.1)) {
            best = Some((link, named));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latitudes_find_their_longitudes() {
        for (lat, lon) in [
            ("nav_lat_u", "nav_lon_u"),
            ("TLAT", "TLONG"),
            ("gphit", "glamt"),
            ("lat2d", "lon2d"),
            ("geolat_c", "geolon_c"),
            ("latitude", "longitude"),
            ("lat_rho", "lon_rho"),
        ] {
            assert_eq!(stem(lat), stem(lon), "{lat}");
        }
        assert_ne!(stem("TLAT"), stem("ULONG"));
    }
}
