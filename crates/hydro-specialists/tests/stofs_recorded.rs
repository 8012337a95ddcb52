//! Every fact of the recordings of the forecast, through client, tool and evidence.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod gauges;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use gauges::{call, find, number, over, recorded, text};
use hydro_specialists::recorded::Recorded;
use leg_core::ToolErrorKind;
use leg_fetch::{Fetch, FetchError, Request, Response};
use serde_json::{Value, json};

/// A folder of recordings that counts the bytes of each file that is sent.
#[derive(Debug)]
struct Counting {
    recorded: Recorded,
    without_references: bool,
    sent: Mutex<Vec<(String, u64)>>,
}

#[async_trait]
impl Fetch for Counting {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let path = request.url.path().to_owned();
        if self.without_references && path.ends_with(".refs.json") {
            return Ok(Response::ok("<Error><Code>NoSuchKey</Code></Error>").with_status(404));
        }
        let response = self.recorded.fetch(request).await?;
        self.sent.lock().unwrap().push((path, response.body.len() as u64));
        Ok(response)
    }
}

impl Counting {
    fn open(without_references: bool) -> Option<Arc<Self>> {
        let root = std::env::var_os("LEG_CONFORMANCE")?;
        let recorded = Recorded::open(&PathBuf::from(root).join("hydro/fixtures")).unwrap();
        Some(Arc::new(Self { recorded, without_references, sent: Mutex::default() }))
    }

    fn of_fields(&self) -> u64 {
        let sent = self.sent.lock().unwrap();
        sent.iter()
            .filter(|(path, _)| path.contains("fields.") && !path.contains(".json"))
            .map(|own| own.1)
            .sum()
    }
}

/// The facts of the samples, as their maker wrote them down.
fn truth() -> Value {
    let root = std::env::var_os("LEG_CONFORMANCE").unwrap();
    let path = PathBuf::from(root).join("hydro/fixtures/stofs/sample_truth.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

const BOX: [f64; 4] = [-84.6, 24.9, -80.9, 28.6];

#[tokio::test]
async fn the_station_file_is_read_as_its_index_says() {
    let Some(specialists) = recorded(&[]) else { return };
    let arguments = json!({"station_id": "8452660", "cycle_date": "2026-02-21", "cycle_hour": "12"});
    let output = call(&specialists, "stofs_station_forecast", arguments).await.unwrap();
    assert!((number(&output, "n_times") - 1860.0).abs() < 1e-9);
    assert!((number(&output, "step") - 360.0).abs() < 1e-9);
    let max = find(&output, "max");
    assert_eq!((&max.value, max.unit.as_str(), max.datum.as_deref()), (&json!(1.0962), "m", Some("LMSL")));
    assert_eq!(max.when.as_deref(), Some("2026-02-23T04:24:00Z"));
    assert_eq!(find(&output, "min").value, json!(-0.6471));
    assert_eq!(text(&output, "station"), "Newport");
    assert_eq!(text(&output, "cycle"), "2026-02-21 12z");

    // The newest cycle is found in the listing; a station that holds only values that stand for none has none.
    let output =
        call(&specialists, "stofs_station_forecast", json!({"station_id": "9990002"})).await.unwrap();
    assert!(number(&output, "n").abs() < 1e-9);
    assert!(output.evidence.iter().all(|one| one.name != "max"));
    assert!(text(&output, "no_data").contains("none"));
    let error =
        call(&specialists, "stofs_station_forecast", json!({"station_id": "8518750"})).await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::NotFound);
    assert!(error.message.contains("stofs_point_forecast"), "{error}");
}

#[tokio::test]
async fn peaks_and_the_nearest_station_follow_from_the_file() {
    let Some(specialists) = recorded(&[]) else { return };
    let output = call(&specialists, "stofs_max_stations", json!({"top_n": 2})).await.unwrap();
    assert_eq!(find(&output, "peak_1").value, json!(1.0962));
    assert_eq!(find(&output, "peak_1").place.as_ref().unwrap()["station"], "8452660");
    assert!(
        (number(&output, "n_stations") - 2.0).abs() < 1e-9
            && (number(&output, "n_without") - 1.0).abs() < 1e-9
    );
    let near = json!({"lat": 41.5, "lon": -71.3});
    let output = call(&specialists, "stofs_point_forecast", near).await.unwrap();
    assert_eq!(find(&output, "max").value, json!(1.0962));
    assert!(number(&output, "distance") < 3.0);
    let far = call(&specialists, "stofs_point_forecast", json!({"lat": 10.0, "lon": 0.0})).await.unwrap();
    assert!(text(&far, "no_data").contains("50 km"));
}

#[tokio::test]
async fn a_node_is_read_by_ranges_with_references_and_without() {
    for without_references in [false, true] {
        let Some(fetch) = Counting::open(without_references) else { return };
        let specialists = over(&(Arc::<Counting>::clone(&fetch) as Arc<dyn Fetch>));
        let truth = truth()["fields"].clone();
        let arguments = json!({"lat": 26.70, "lon": -82.08, "cycle_date": "2022-09-28", "cycle_hour": "00"});
        let output = call(&specialists, "stofs_node_series", arguments.clone()).await.unwrap();
        assert_eq!(find(&output, "node").value, truth["probe_nearest_node_index0"]);
        assert_eq!(find(&output, "nodes").value, truth["nodes"]);
        assert_eq!(find(&output, "elements").value, truth["elements"]);
        assert_eq!(find(&output, "n_times").value, truth["times"]);
        assert_eq!(find(&output, "depth").value, truth["probe_depth_m"]);
        let max = find(&output, "max");
        assert_eq!((&max.value, max.datum.as_deref()), (&truth["probe_max_m"], Some("GMSL")));
        assert_eq!(max.when.as_deref(), Some("2022-09-28T19:00:00Z"));
        let values = &output.artifacts["result"].variables[0].values;
        let expected: Vec<f64> = serde_json::from_value(truth["probe_series_m"].clone()).unwrap();
        for (own, expected) in values.iter().zip(&expected) {
            assert!(own.is_nan() || (own - expected).abs() < 1e-9, "{own} {expected}");
        }
        // Far less than the file of 2,241,951 bytes: the coordinates, and one of the four chunks of each step.
        let (sent, said) = (fetch.of_fields(), number(&output, "bytes_read"));
        assert!(sent < 900_000, "{sent} bytes were sent");
        assert!(said < 900_000.0 && said > 400_000.0, "{said}");
        // What is kept changes what is sent, and not what is said.
        let again = call(&specialists, "stofs_node_series", arguments).await.unwrap();
        assert!((number(&again, "bytes_read") - said).abs() < 1e-9);
        assert!(
            fetch.of_fields() - sent < sent - 100_000,
            "{} bytes were sent again",
            fetch.of_fields() - sent
        );
    }
}

#[tokio::test]
async fn the_map_says_its_extremes_and_wet_nodes() {
    let Some(specialists) = recorded(&[]) else { return };
    let truth = truth()["fields"].clone();
    let cycle = json!({"bbox": BOX, "cycle_date": "2022-09-28"});
    let output = call(&specialists, "stofs_contour_map", cycle.clone()).await.unwrap();
    let max = find(&output, "max");
    assert_eq!(
        (&max.value, &max.place.as_ref().unwrap()["node"]),
        (&truth["max_zeta_m"], &truth["max_zeta_node_index0"])
    );
    assert_eq!(max.place.as_ref().unwrap()["lon"], truth["max_zeta_lon"]);
    assert_eq!(max.when.as_deref(), Some("2022-09-28T20:00:00Z"));
    assert_eq!(find(&output, "wet_nodes").value, truth["nodes_ever_wet"]);
    assert_eq!(find(&output, "n_nodes").value, truth["nodes"]);
    let sidecar = &output.artifacts["result"].content;
    assert_eq!(sidecar["max_at"], json!([truth["max_zeta_lon"], truth["max_zeta_lat"]]));
    assert_eq!(sidecar["extent"], json!(BOX));
    assert!(sidecar["levels"].as_array().unwrap().len() > 4, "{sidecar}");
    assert_eq!(&output.renderings[0].bytes[1..4], b"PNG");
    assert_eq!(output.artifacts["png"].payload, output.renderings[0].bytes);

    let mut last = cycle.clone();
    last["lead_h"] = json!(24);
    let output = call(&specialists, "stofs_contour_map", last).await.unwrap();
    assert_eq!(find(&output, "wet_nodes").value, truth["wet_nodes_last_step"]);
    let mut late = cycle;
    late["lead_h"] = json!(180);
    let output = call(&specialists, "stofs_contour_map", late).await.unwrap();
    assert!(text(&output, "no_data").contains("not in it"));
}

#[tokio::test]
async fn our_own_references_are_those_of_the_recorded_document() {
    let Some(root) = std::env::var_os("LEG_CONFORMANCE") else { return };
    let folder = PathBuf::from(root).join("hydro/fixtures/stofs");
    let file = folder.join("stofs_2d_glo.t00z.fields.cwl.sample.nc");
    let own = ocean_data::dataset::kerchunk_references(&file, "u").unwrap();
    let theirs: Value = serde_json::from_slice(
        &std::fs::read(folder.join("stofs_2d_glo.t00z.fields.cwl.sample.refs.json")).unwrap(),
    )
    .unwrap();
    let chunks = |document: &Value, prefix: &str| -> Vec<(String, u64, u64)> {
        let refs = document["refs"].as_object().unwrap();
        let mut all: Vec<_> = refs
            .iter()
            .filter(|(key, value)| key.starts_with(prefix) && value.is_array())
            .map(|(key, value)| (key.clone(), value[1].as_u64().unwrap(), value[2].as_u64().unwrap()))
            .collect();
        all.sort();
        all
    };
    assert_eq!(chunks(&own, "zeta/"), chunks(&theirs, "zeta/"));
    assert_eq!(chunks(&theirs, "").len(), 116);
    let zeta = chunks(&own, "zeta/");
    assert_eq!((zeta.len(), zeta.iter().map(|chunk| chunk.2).sum::<u64>()), (100, 1_881_823));
    let array: Value = serde_json::from_str(own["refs"]["zeta/.zarray"].as_str().unwrap()).unwrap();
    assert_eq!(array["chunks"], json!([1, 4096]));
    assert_eq!(array["filters"], json!([{"id": "shuffle", "elementsize": 8}, {"id": "zlib", "level": 2}]));
    let template: Value = serde_json::from_slice(
        &std::fs::read(folder.join("stofs_2d_glo.t00z.fields.cwl.sample.tmpl.json")).unwrap(),
    )
    .unwrap();
    assert_eq!((&template["version"], chunks(&template, "zeta/")), (&json!(1), zeta));
}

#[tokio::test]
async fn the_forecast_is_compared_with_the_gauge() {
    let Some(specialists) = recorded(&[]) else { return };
    let arguments = json!({"station_id": "8452660", "begin": "2026-02-20", "end": "2026-02-21",
                           "cycle_date": "2026-02-21", "cycle_hour": "12"});
    let output = call(&specialists, "stofs_compare_observed", arguments).await.unwrap();
    // Both lists as their sources wrote them, compared here.
    let root = std::env::var_os("LEG_CONFORMANCE").unwrap();
    let body =
        std::fs::read(PathBuf::from(root).join("hydro/fixtures/stofs/coops_obs_newport.json")).unwrap();
    let observed: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(observed["times"].as_array().unwrap().len(), 480);
    let artifact = &output.artifacts["result"];
    let n = artifact.variables[0].values.len();
    assert_eq!(find(&output, "n").value, json!(n));
    assert!(n > 100, "{n}");
    let errors: Vec<f64> =
        artifact.variables[0].values.iter().zip(&artifact.variables[1].values).map(|(f, o)| f - o).collect();
    let bias = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!((number(&output, "bias") - bias).abs() < 1e-4);
    let rmse = (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt();
    assert!((number(&output, "rmse") - rmse).abs() < 1e-4);
    for (time, own) in artifact.coords["time"].values.iter().zip(&artifact.variables[1].values) {
        let time = time.as_str().unwrap().replace('T', " ");
        let at = observed["times"]
            .as_array()
            .unwrap()
            .iter()
            .position(|own| time.starts_with(own.as_str().unwrap()));
        assert_eq!(observed["values"][at.unwrap()], json!(own));
    }
    assert!(text(&output, "datum_note").contains("LMSL"));
    let none = json!({"station_id": "8452660", "begin": "2020-01-01", "end": "2020-01-02", "cycle_date": "2026-02-21"});
    match call(&specialists, "stofs_compare_observed", none).await {
        Ok(output) => assert!(!text(&output, "no_data").is_empty()),
        Err(error) => assert_eq!(error.kind, ToolErrorKind::NotFound, "{error}"),
    }
}

#[tokio::test]
async fn cycles_are_listed_and_one_that_is_missing_is_an_answer() {
    let Some(specialists) = recorded(&[]) else { return };
    let output =
        call(&specialists, "stofs_list_cycles", json!({"date": "2026-02-21", "days": 1})).await.unwrap();
    assert_eq!(
        (find(&output, "n_cycles").value.clone(), find(&output, "n_files").value.clone()),
        (json!(1), json!(3))
    );
    assert_eq!(text(&output, "newest"), "2026-02-21 12z");
    let newest = call(&specialists, "stofs_list_cycles", json!({})).await.unwrap();
    assert_eq!(text(&newest, "newest"), "2026-02-21 12z");
    let gone = json!({"station_id": "8452660", "cycle_date": "2099-12-31", "cycle_hour": "00"});
    let output = call(&specialists, "stofs_station_forecast", gone).await.unwrap();
    assert!(text(&output, "no_data").contains("2099-12-31 00z"), "{output:?}");
    assert!(output.evidence.iter().all(|one| !one.value.is_number()));
    let gone = json!({"lat": 26.7, "lon": -82.08, "cycle_date": "2099-12-31", "cycle_hour": "06"});
    let output = call(&specialists, "stofs_node_series", gone).await.unwrap();
    assert!(text(&output, "no_data").contains("2099-12-31"));
    let sizes = call(&specialists, "stofs_system_info", json!({"cycle_date": "2022-09-28"})).await.unwrap();
    assert_eq!(
        (find(&sizes, "nodes").value.clone(), find(&sizes, "n_times").value.clone()),
        (json!(15851), json!(25))
    );
}
