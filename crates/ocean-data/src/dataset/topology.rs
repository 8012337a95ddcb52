//! Areas of unstructured meshes from the faces that join their nodes.
//!
//! # Source
//! UGRID conventions 1.0; FVCOM's `nv` as its files have it.

use ndarray::Array2;

use super::mesh::{MeshSource, find_meshes};
use super::numbers::read_numbers;
use super::store::{ReadError, Store};
use crate::cf::{Attribute, base_name};
use crate::field::sphere::{Vector, polygon_area, vector};

/// Areas of the faces, when the mesh lists face centres; of the share of each node in its faces, when it lists nodes.
pub(crate) fn node_areas(store: &dyn Store, mesh: &MeshSource) -> Result<Option<Array2<f64>>, ReadError> {
    let Some(faces) = Faces::read(store)? else { return Ok(None) };
    let Some(length) = mesh.shape.first().copied() else { return Ok(None) };
    let dimension = mesh.dimensions.first().map_or("", String::as_str);
    let values = if dimension == faces.face_dimension && length == faces.rings.len() {
        faces.rings.iter().map(|ring| polygon_area(&faces.corners(ring))).collect()
    } else if dimension == faces.node_dimension && length == faces.nodes.len() {
        let mut shares = vec![0.0; length];
        for ring in &faces.rings {
            let share = polygon_area(&faces.corners(ring)) / ring.len().max(1) as f64;
            for &node in ring {
                shares[node] += share;
            }
        }
        shares
    } else {
        return Ok(None);
    };
    Ok(Array2::from_shape_vec((1, length), values).ok())
}

/// The faces of a mesh.
struct Faces {
    nodes: Vec<Vector>,
    node_dimension: String,
    rings: Vec<Vec<usize>>,
    face_dimension: String,
}

impl Faces {
    fn corners(&self, ring: &[usize]) -> Vec<Vector> {
        ring.iter().map(|&node| self.nodes[node]).collect()
    }

    fn read(store: &dyn Store) -> Result<Option<Self>, ReadError> {
        let stored = store.variables();
        let find = |name: &str| stored.iter().position(|v| base_name(&v.name) == name);
        let text = |index: usize, key: &str| {
            stored[index].attributes.get(key).and_then(Attribute::as_text).unwrap_or("").to_owned()
        };
        let topology = (0..stored.len()).find(|&index| text(index, "cf_role") == "mesh_topology");
        let connectivity = match topology {
            Some(index) => find(&text(index, "face_node_connectivity")),
            None => find("nv").filter(|&index| stored[index].dimensions.len() == 2),
        };
        let Some(connectivity) = connectivity.filter(|&index| stored[index].dimensions.len() == 2) else {
            return Ok(None);
        };
        let meshes = find_meshes(stored);
        let named = topology.map(|index| text(index, "node_coordinates")).unwrap_or_default();
        let of_nodes = |mesh: &&MeshSource| {
            let name = base_name(&stored[mesh.lat].name);
            if topology.is_some() {
                named.split_whitespace().any(|word| word == name)
            } else {
                mesh.dimensions == ["node"]
            }
        };
        let Some(nodes) = meshes.iter().filter(|mesh| mesh.shape.len() == 1).find(of_nodes) else {
            return Ok(None);
        };
        let [lat, lon] = nodes.positions(store)?;
        let nodes_at: Vec<Vector> = lat.iter().zip(&lon).map(|(&lat, &lon)| vector(lon, lat)).collect();
        let table = &stored[connectivity];
        let values = read_numbers(store, connectivity)?;
        // The long dimension is that of the faces: a face has few corners.
        let transposed = match topology.map(|index| text(index, "face_dimension")) {
            Some(name) if !name.is_empty() => table.dimensions[1].0 == name,
            _ => table.dimensions[0].1 < table.dimensions[1].1,
        };
        let [first, second] = [&table.dimensions[0], &table.dimensions[1]];
        let (faces, corners) = if transposed { (second, first) } else { (first, second) };
        let start = table.attributes.get("start_index").and_then(Attribute::as_number);
        let highest = values.iter().copied().filter(|v| v.is_finite()).fold(0.0, f64::max);
        // UGRID counts from 0 unless it says otherwise; FVCOM counts from 1 and does not say so.
        let start = start.unwrap_or(if highest >= nodes_at.len() as f64 { 1.0 } else { 0.0 });
        let rings = (0..faces.1)
            .map(|face| {
                (0..corners.1)
                    .filter_map(|corner| {
                        let at = if transposed { corner * faces.1 + face } else { face * corners.1 + corner };
                        let node = values.get(at).copied()? - start;
                        #[expect(
                            clippy::cast_possible_truncation,
                            clippy::cast_sign_loss,
                            reason = "compared with the number of nodes first"
                        )]
                        let inside = (0.0..nodes_at.len() as f64).contains(&node).then_some(node as usize);
                        inside
                    })
                    .collect()
            })
            .collect();
        Ok(Some(Self {
            node_dimension: nodes.dimensions.first().cloned().unwrap_or_default(),
            face_dimension: faces.0.clone(),
            nodes: nodes_at,
            rings,
        }))
    }
}
