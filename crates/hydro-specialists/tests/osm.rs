//! Maps of tiles: over the recordings, and over answers of our own.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod bucket;
mod gauges;

use std::sync::Arc;

use bucket::Bucket;
use gauges::{call, find, number, over, recorded, registry};
use leg_core::tool::{ArtifactArgument, Workbench};
use leg_core::{MemoryObjects, ObjectStore, ObjectStoreExt as _, ToolErrorKind};
use leg_fetch::{Fetch, Request, Response, Scripted, Url};
use serde_json::json;

const BOX: [f64; 4] = [-81.9, 26.68, -81.75, 26.81];

/// A tile of our own.
fn tile() -> Vec<u8> {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"256\" height=\"256\">\
               <rect width=\"256\" height=\"256\" fill=\"#2060c0\"/></svg>";
    ocean_chart::to_png(svg, 256).unwrap()
}

#[tokio::test]
async fn recorded_tiles_become_maps_with_bounds_and_attribution() {
    let Some(specialists) = recorded(&[]) else { return };
    for (tool, words) in [
        ("osm_map", "© OpenStreetMap contributors"),
        ("osm_satellite", "USGS The National Map: imagery (public domain)"),
    ] {
        let output = call(&specialists, tool, json!({"bbox": BOX})).await.unwrap();
        assert_eq!(
            (find(&output, "zoom").value.clone(), find(&output, "tiles").value.clone()),
            (json!(12), json!(4))
        );
        assert_eq!(find(&output, "attribution").value, json!(words));
        let sidecar = &output.artifacts["result"].content;
        assert_eq!((&sidecar["bounds"], &sidecar["tiles_missing"]), (&json!(BOX), &json!(0)));
        let size = ocean_chart::picture_size(&output.renderings[0].bytes).unwrap();
        assert_eq!(json!(size), sidecar["size"]);
        assert!(size[0] <= 800 && size[1] <= 600 && size[0].max(size[1]) > 500, "{size:?}");
        assert_eq!(output.sources.len(), 4);
    }
    // Each recorded tile is one of 256 pixels.
    for file in [
        [-81.9, 26.75, -81.85, 26.8],
        [-81.8, 26.75, -81.75, 26.8],
        [-81.9, 26.68, -81.85, 26.74],
        [-81.8, 26.68, -81.75, 26.74],
    ] {
        for tool in ["osm_map", "osm_satellite"] {
            let output = call(&specialists, tool, json!({"bbox": file, "zoom": 12})).await.unwrap();
            assert!((number(&output, "tiles") - 1.0).abs() < 1e-9);
        }
    }
}

#[tokio::test]
async fn marks_are_drawn_on_a_map() {
    let fetch: Arc<dyn Fetch> =
        Arc::new(Bucket::default().with("12/1116/1731.png", tile()).with("12/1116/1732.png", tile()));
    let specialists = over(&fetch);
    let registry = registry(&specialists);
    let allowed = registry.tools().map(|tool| tool.spec.name.clone()).collect();
    let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
    let bench = Workbench::new(registry, allowed, Arc::clone(&objects));
    let map = bench.call("osm_map", json!({"bbox": [-81.9, 26.7, -81.85, 26.8], "zoom": 12})).await.unwrap();
    let result = objects.put_artifact(&map.artifacts["result"]).unwrap();
    let file = objects.put_artifact(&map.artifacts["png"]).unwrap();
    for own in [&result, &file] {
        let arguments = json!({
            "artifact": ArtifactArgument::from(own),
            "markers": [{"lat": 26.75, "lon": -81.87, "label": "<script>"}, {"lat": 0.0, "lon": 0.0, "label": "far"}],
            "lines": [[-81.89, 26.71], [-81.86, 26.79]],
            "polygons": [[[-81.88, 26.72], [-81.87, 26.72], [-81.875, 26.73]]]
        });
        let output = bench.call("osm_annotate", arguments).await.unwrap();
        assert_eq!(
            (find(&output, "n_markers").value.clone(), find(&output, "n_outside").value.clone()),
            (json!(1), json!(1))
        );
        assert_eq!(
            (find(&output, "n_lines").value.clone(), find(&output, "n_polygons").value.clone()),
            (json!(1), json!(1))
        );
        assert_ne!(output.renderings[0].bytes, map.renderings[0].bytes);
        assert_eq!(output.artifacts["result"].content["bounds"], json!([-81.9, 26.7, -81.85, 26.8]));
    }
    let bad = json!({"artifact": ArtifactArgument::from(&result), "markers": [{"lat": 126.0, "lon": 0.0}]});
    let error = bench.call("osm_annotate", bad).await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::InvalidArguments, "{error}");
}

#[tokio::test]
async fn a_server_that_turns_us_away_is_an_error_and_no_map() {
    let url = Url::parse("http://recorded.invalid/osm_tiles/12/1116/1731.png").unwrap();
    let notice = Response::ok("<html>Access blocked</html>").with_header("content-type", "text/html");
    let small =
        ocean_chart::to_png("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>", 9)
            .unwrap();
    for (answer, kind, word) in [
        (notice.clone(), ToolErrorKind::InvalidArguments, "blocked"),
        (notice.clone().with_status(403), ToolErrorKind::InvalidArguments, "blocked"),
        (notice.clone().with_status(418), ToolErrorKind::InvalidArguments, "blocked"),
        (notice.clone().with_status(429), ToolErrorKind::InvalidArguments, "blocked"),
        (notice.clone().with_status(503), ToolErrorKind::Unavailable, "503"),
        (Response::ok("x").with_header("content-type", "image/png"), ToolErrorKind::BadData, "no picture"),
        (Response::ok(small), ToolErrorKind::BadData, "no tile"),
        (notice.with_status(404), ToolErrorKind::NotFound, "no tile"),
    ] {
        let fetch = Scripted::new("tiles").answer(&Request::get(url.clone()), answer);
        let arguments = json!({"bbox": [-81.9, 26.75, -81.85, 26.8], "zoom": 12});
        let error =
            call(&over(&(Arc::new(fetch) as Arc<dyn Fetch>)), "osm_map", arguments).await.unwrap_err();
        assert!(error.kind == kind && error.message.contains(word), "{error:?}");
    }
}

#[tokio::test]
async fn a_missing_tile_is_counted_and_a_less_deep_zoom_is_tried() {
    let fetch: Arc<dyn Fetch> = Arc::new(Bucket::default().with("12/1116/1731.png", tile()));
    let specialists = over(&fetch);
    let output = call(&specialists, "osm_map", json!({"bbox": BOX, "zoom": 12})).await.unwrap();
    assert_eq!(
        (find(&output, "tiles").value.clone(), find(&output, "missing").value.clone()),
        (json!(1), json!(3))
    );
    // This box would have zoom 14.
    let output = call(&specialists, "osm_map", json!({"bbox": [-81.9, 26.76, -81.87, 26.78]})).await.unwrap();
    assert_eq!(find(&output, "zoom").value, json!(12));
    let error = call(&specialists, "osm_map", json!({"bbox": BOX, "zoom": 17})).await.unwrap_err();
    assert!(
        error.kind == ToolErrorKind::LimitExceeded && error.message.contains("16 are allowed"),
        "{error}"
    );
}

#[tokio::test]
async fn the_tiles_of_a_box_are_counted_without_asking() {
    let fetch = Arc::new(Scripted::new("nothing"));
    let specialists = over(&(Arc::<Scripted>::clone(&fetch) as Arc<dyn Fetch>));
    let output = call(&specialists, "osm_tile_cover", json!({"bbox": BOX, "zoom": 12})).await.unwrap();
    assert_eq!(find(&output, "count").value, json!(4));
    let rows = &output.artifacts["result"].content["rows"];
    assert_eq!(rows, &json!([[12, 1116, 1731], [12, 1117, 1731], [12, 1116, 1732], [12, 1117, 1732]]));
    let output =
        call(&specialists, "osm_tile_cover", json!({"bbox": [-180.0, -90.0, 180.0, 90.0], "zoom": 19}))
            .await
            .unwrap();
    assert_eq!(find(&output, "count").value, json!(274_877_906_944_u64));
    assert!(fetch.asked().is_empty());
}
