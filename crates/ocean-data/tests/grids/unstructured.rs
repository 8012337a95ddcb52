//! Meshes of nodes and faces.

use ocean_data::field::metrics::box_area;
use ocean_data::field::reduce::{AreaMeanOptions, Weighting, area_mean_series};
use ocean_data::field::{Horizontal, WalkControl, WalkError};
use serde_json::json;

use crate::select;
use crate::support::Builder;

/// Nodes on a 11 x 11 lattice of degrees around 0 E, 0 N, joined to 200 triangles.
fn unstructured(with_faces: bool) -> Builder {
    let lon = |node: usize| (node % 11) as f64 - 5.0;
    let lat = |node: usize| (node / 11) as f64 - 5.0;
    let mut builder = Builder::default()
        .add(
            "node_lat",
            &[("nNodes", 121)],
            &[121],
            &[("standard_name", "latitude"), ("units", "degrees_north")],
            move |at| lat(at[0]),
        )
        .add(
            "node_lon",
            &[("nNodes", 121)],
            &[121],
            &[("standard_name", "longitude"), ("units", "degrees_east")],
            move |at| lon(at[0]),
        )
        .add(
            "zeta",
            &[("nNodes", 121)],
            &[121],
            &[("units", "m"), ("standard_name", "sea_surface_height_above_geoid"), ("mesh", "mesh")],
            move |at| lat(at[0]) + 10.0,
        );
    if with_faces {
        builder = builder
            .add(
                "mesh",
                &[],
                &[],
                &[
                    ("cf_role", "mesh_topology"),
                    ("topology_dimension", "2"),
                    ("node_coordinates", "node_lon node_lat"),
                    ("face_node_connectivity", "faces"),
                ],
                |_| 0.0,
            )
            .add(
                "faces",
                &[("nFaces", 200), ("three", 3)],
                &[200, 3],
                &[("start_index", "1"), ("cf_role", "face_node_connectivity")],
                |at| {
                    let (square, upper) = (at[0] / 2, at[0] % 2 == 1);
                    let corner = (square / 10) * 11 + square % 10;
                    let ring = if upper {
                        [corner + 1, corner + 12, corner + 11]
                    } else {
                        [corner, corner + 1, corner + 11]
                    };
                    (ring[at[1]] + 1) as f64
                },
            );
    }
    builder
}

#[test]
fn an_unstructured_mesh_has_nodes_with_shares_of_their_faces() {
    let dataset = unstructured(true).open();
    let field = select(&dataset, &json!({"variable": "zeta"})).unwrap();
    assert_eq!(field.dims(), ["node"]);
    let Horizontal::Unstructured { area: Some(area), .. } = field.horizontal() else { panic!("areas") };
    let total: f64 = area.iter().sum();
    let exact = box_area([-5.0, 5.0], [-5.0, 5.0]);
    assert!((total / exact - 1.0).abs() < 1e-3, "{}", total / exact);
    let mean = area_mean_series(&field, AreaMeanOptions::default(), &WalkControl::default()).unwrap();
    assert!((mean.mean[0] - 10.0).abs() < 1e-3, "{}", mean.mean[0]);
    let part =
        select(&dataset, &json!({"variable": "zeta", "region": {"lon": [-2, 2], "lat": [1, 3]}})).unwrap();
    assert_eq!(part.shape(), [15]);
    let values = part.read(1 << 20).unwrap();
    assert_eq!(values[[0, 0, 0, 0]], 11.0);
    assert_eq!(values[[0, 0, 0, 14]], 13.0);
    let at = select(&dataset, &json!({"variable": "zeta", "region": {"point": [2.1, 3.2]}})).unwrap();
    assert_eq!(at.read(1 << 20).unwrap()[[0, 0, 0, 0]], 13.0);
}

#[test]
fn a_mean_over_area_without_areas_is_refused() {
    let dataset = unstructured(false).open();
    let field = select(&dataset, &json!({"variable": "zeta"})).unwrap();
    let refused = area_mean_series(&field, AreaMeanOptions::default(), &WalkControl::default());
    let Err(WalkError::Grid(error)) = refused else { panic!("refused") };
    assert!(error.to_string().contains("area"), "{error}");
    let options = AreaMeanOptions { weighting: Weighting::Equal, ..AreaMeanOptions::default() };
    let mean = area_mean_series(&field, options, &WalkControl::default()).unwrap();
    assert!((mean.mean[0] - 10.0).abs() < 1e-12);
}
