//! Areas of the cells of a grid without axes: what the file says of them, and what its positions say.

use ndarray::Array2;

use super::mesh::MeshSource;
use super::mesh_positions::degrees;
use super::numbers::read_numbers;
use super::store::{ReadError, Store, StoredVariable};
use super::topology::node_areas;
use crate::cf::{Attribute, Unit, base_name};
use crate::field::metrics::corners_of_centres;
use crate::field::sphere::{Vector, polygon_area, vector};

/// Areas in square metres, and where they are from.
#[derive(Debug)]
pub(crate) struct MeshArea {
    /// `(y, x)`; `None` when nothing tells them.
    pub(crate) values: Option<Array2<f64>>,
    /// For people: `the file's "areacello"`.
    pub(crate) source: String,
    /// What was found and not believed.
    pub(crate) warning: Option<String>,
    /// Stored variables that hold the widths of cells along columns and rows, and whether as reciprocals.
    pub(crate) widths: Option<([usize; 2], bool)>,
}

/// Finds the areas: an area of the file, the product of its cell widths, its cell corners, or corners half-way
/// between centres; whatever differs from the last by more than a factor of two in the median is not believed.
pub(crate) fn area_of(
    store: &dyn Store,
    mesh: &MeshSource,
    lat: &Array2<f64>,
    lon: &Array2<f64>,
    periodic: bool,
) -> Result<MeshArea, ReadError> {
    let nodes = mesh.shape.len() == 1;
    let estimated = if nodes { None } else { Some(estimate(lat, lon, periodic)) };
    let believable = |values: &Array2<f64>| {
        let Some(estimated) = &estimated else { return true };
        let mut ratios: Vec<f64> = values
            .iter()
            .zip(estimated)
            .map(|(a, b)| a / b)
            .filter(|ratio| ratio.is_finite() && *ratio > 0.0)
            .collect();
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).is_none_or(|median| (0.5..=2.0).contains(median))
    };
    let mut warning = None;
    let mut widths = find_widths(store, mesh);
    let mut candidates: Vec<(String, Array2<f64>)> = Vec::new();
    if let Some(index) = find_area(store, mesh) {
        let name = store.variables()[index].name.clone();
        candidates.extend(stored_area(store, index, lat.dim())?.map(|a| (format!("the file's `{name}`"), a)));
    }
    if let Some(([x, y], reciprocal)) = widths {
        let names = [x, y].map(|index| store.variables()[index].name.clone());
        let product = width(store, x, reciprocal, lat.dim())?.zip(width(store, y, reciprocal, lat.dim())?);
        let source = format!("the file's cell widths `{}` and `{}`", names[0], names[1]);
        candidates.extend(product.map(|(dx, dy)| (source, dx * dy)));
    }
    for (source, values) in candidates {
        if believable(&values) {
            return Ok(MeshArea { values: Some(values), source, warning, widths });
        }
        widths = None;
        warning = Some(format!("{source} differ from the distances of the cells and are not used as areas"));
    }
    if let Some(values) = area_of_bounds(store, mesh, lat.dim())? {
        let source = "the file's cell corners".to_owned();
        if believable(&values) {
            return Ok(MeshArea { values: Some(values), source, warning, widths });
        }
        warning = Some(format!("{source} do not fit its cell centres and are not used for areas"));
    }
    if nodes {
        let values = node_areas(store, mesh)?;
        let source = if values.is_some() { "the faces of the mesh" } else { "nothing in the file" };
        return Ok(MeshArea { values, source: source.to_owned(), warning, widths });
    }
    let source = "corners half-way between the cell centres".to_owned();
    Ok(MeshArea { values: estimated, source, warning, widths })
}

/// Areas from corners half-way between centres.
fn estimate(lat: &Array2<f64>, lon: &Array2<f64>, periodic: bool) -> Array2<f64> {
    let corners = corners_of_centres(lat, lon, periodic);
    Array2::from_shape_fn(lat.dim(), |(y, x)| {
        polygon_area(&[corners[[y, x]], corners[[y, x + 1]], corners[[y + 1, x + 1]], corners[[y + 1, x]]])
    })
}

/// Whether a stored variable lies over the dimensions of the mesh, leaving out those of length 1.
fn lies_over(variable: &StoredVariable, mesh: &MeshSource) -> bool {
    let long = variable.dimensions.iter().filter(|d| d.1 != 1 || mesh.dimensions.contains(&d.0));
    variable.element.is_numeric() && long.map(|d| &d.0).eq(mesh.dimensions.iter())
}

fn find_area(store: &dyn Store, mesh: &MeshSource) -> Option<usize> {
    let stored = store.variables();
    let lies = |index: &usize| lies_over(&stored[*index], mesh);
    // `cell_measures: "area: areacello"` of a variable on this very grid.
    let coordinates = [mesh.lat, mesh.lon].map(|index| base_name(&stored[index].name).to_owned());
    let measured = stored.iter().filter_map(|variable| {
        let attribute = |key: &str| variable.attributes.get(key).and_then(Attribute::as_text).unwrap_or("");
        let named = attribute("coordinates");
        let ours = coordinates.iter().all(|name| named.split_whitespace().any(|word| word == name));
        let mut words = attribute("cell_measures").split_whitespace();
        let area = words.find(|word| *word == "area:").and_then(|_| words.next())?;
        ours.then(|| stored.iter().position(|candidate| base_name(&candidate.name) == area)).flatten()
    });
    if let Some(index) = measured.into_iter().find(lies) {
        return Some(index);
    }
    // POP and CICE keep two grids over the same dimensions: TLAT with TAREA, ULAT with UAREA.
    let letter = base_name(&stored[mesh.lat].name).chars().next().unwrap_or('t').to_ascii_lowercase();
    let lettered = format!("{letter}area");
    let names = ["areacello", "areacella", "cell_area", "areacell", "area_t", "area"];
    let known = |name: &str| match name {
        "tarea" | "uarea" => name == lettered || (name == "tarea" && letter != 'u'),
        _ => names.contains(&name),
    };
    (0..stored.len()).find(|index| {
        let name = base_name(&stored[*index].name).to_ascii_lowercase();
        known(&name) && lies(index)
    })
}

fn stored_area(
    store: &dyn Store,
    index: usize,
    shape: (usize, usize),
) -> Result<Option<Array2<f64>>, ReadError> {
    let scale = unit_scale(&store.variables()[index], "m2");
    let values = read_numbers(store, index)?.into_iter().map(|value| value * scale).collect();
    Ok(Array2::from_shape_vec(shape, values).ok())
}

/// ROMS has reciprocals `pm` and `pn`, NEMO `e1t` and `e2t`, MOM and POP `dxt` and `dyt`.
fn find_widths(store: &dyn Store, mesh: &MeshSource) -> Option<([usize; 2], bool)> {
    let stored = store.variables();
    let find = |name: &str| {
        (stored.iter()).position(|v| base_name(&v.name).eq_ignore_ascii_case(name) && lies_over(v, mesh))
    };
    // The letter of the grid that the positions belong to: `nav_lat_u`, `gphiu`, `ULAT`.
    let lat = base_name(&stored[mesh.lat].name).to_ascii_lowercase();
    let letter = ["u", "v", "f"]
        .into_iter()
        .find(|letter| {
            lat == format!("nav_lat_{letter}")
                || lat == format!("gphi{letter}")
                || lat == format!("{letter}lat")
        })
        .unwrap_or("t");
    let pairs = [
        ("pm".to_owned(), "pn".to_owned(), true),
        (format!("e1{letter}"), format!("e2{letter}"), false),
        (format!("dx{letter}"), format!("dy{letter}"), false),
    ];
    pairs.into_iter().find_map(|(x, y, reciprocal)| Some(([find(&x)?, find(&y)?], reciprocal)))
}

/// Widths of cells in metres.
pub(crate) fn width(
    store: &dyn Store,
    index: usize,
    reciprocal: bool,
    shape: (usize, usize),
) -> Result<Option<Array2<f64>>, ReadError> {
    let scale = unit_scale(&store.variables()[index], if reciprocal { "m-1" } else { "m" });
    let of = |value: f64| if reciprocal { 1.0 / (value * scale) } else { value * scale };
    let values = read_numbers(store, index)?.into_iter().map(of).collect();
    Ok(Array2::from_shape_vec(shape, values).ok())
}

/// What turns the stored unit into another; 1 where the file has none.
fn unit_scale(variable: &StoredVariable, wanted: &str) -> f64 {
    let text = variable.attributes.get("units").and_then(Attribute::as_text).unwrap_or("");
    let (unit, wanted) = (text.parse::<Unit>(), wanted.parse::<Unit>());
    unit.ok().zip(wanted.ok()).and_then(|(unit, wanted)| unit.to(&wanted).ok()).map_or(1.0, |c| c.scale)
}

/// Areas of the polygons in the bounds of latitudes and longitudes, `(y, x, corner)` or `(node, corner)`.
fn area_of_bounds(
    store: &dyn Store,
    mesh: &MeshSource,
    shape: (usize, usize),
) -> Result<Option<Array2<f64>>, ReadError> {
    let Some(rings) = rings_of_bounds(store, mesh)? else { return Ok(None) };
    let areas = rings.iter().map(|ring| polygon_area(ring)).collect();
    Ok(Array2::from_shape_vec(shape, areas).ok())
}

/// The corners of each cell that the file states, as unit vectors, cell by cell.
pub(crate) fn rings_of_bounds(
    store: &dyn Store,
    mesh: &MeshSource,
) -> Result<Option<Vec<Vec<Vector>>>, ReadError> {
    let Some([lat, lon]) = bounds_of(store, mesh) else { return Ok(None) };
    let corners = store.variables()[lat].dimensions.last().map_or(0, |dimension| dimension.1);
    let (lats, lons) = (read_numbers(store, lat)?, read_numbers(store, lon)?);
    let (scale_lat, scale_lon) = (degrees(store, mesh.lat), degrees(store, mesh.lon));
    let ring = |(lats, lons): (&[f64], &[f64])| {
        let known = lats.iter().zip(lons).filter(|(y, x)| y.is_finite() && x.is_finite());
        known.map(|(y, x)| vector(x * scale_lon, y * scale_lat)).collect()
    };
    Ok(Some(lats.chunks_exact(corners).zip(lons.chunks_exact(corners)).map(ring).collect()))
}

/// Positions of the corner variables, when both have three corners or more in the last dimension.
pub(crate) fn bounds_of(store: &dyn Store, mesh: &MeshSource) -> Option<[usize; 2]> {
    let stored = store.variables();
    let find = |index: usize| {
        let name = stored[index].attributes.get("bounds").and_then(Attribute::as_text)?;
        let at = stored.iter().position(|candidate| base_name(&candidate.name) == name)?;
        let bounds = &stored[at];
        let corners = bounds.dimensions.last()?.1;
        let lies = bounds.dimensions.len() == mesh.dimensions.len() + 1
            && bounds.dimensions.iter().zip(&mesh.shape).all(|(d, length)| d.1 == *length);
        (lies && corners > 2 && bounds.element.is_numeric()).then_some(at)
    };
    let pair = [find(mesh.lat)?, find(mesh.lon)?];
    (stored[pair[0]].shape() == stored[pair[1]].shape()).then_some(pair)
}
