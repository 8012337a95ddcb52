//! The NHC specialist over small answers of our own in the documented form: which files are asked for and in which order,
//! what a broken one gives, and that every tool keeps the port's promises.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

mod support;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use leg_core::{EvidenceDraft, MemoryObjects, ObjectStore, ToolErrorKind, ToolOutput};
use leg_fetch::{Fetch, FetchError, Request, Response};
use leg_testkit::conformance::{self, ToolCase};
use serde_json::{Value, json};
use support::{ask, call, specialists};

const HURDAT: &str = "AL012030,                ANN,      3,\n\
    20300801, 0000,  , TS, 20.0N,  60.0W,  50,  995, -999, -999, -999, -999, -999, -999, -999, -999, -999, -999, -999, -999\n\
    20300801, 0600,  , HU, 21.0N,  61.0W, 100,  960, -999, -999, -999, -999, -999, -999, -999, -999, -999, -999, -999, -999\n\
    20300801, 0930, L, HU, 21.5N,  61.5W,  95,  965, -999, -999, -999, -999, -999, -999, -999, -999, -999, -999, -999, -999\n";
const DECK: &str = "AL, 02, 2030090100,   , BEST,   0, 200N,  600W,  50,  995, TS,   0,    ,    0,    0,    0,    0, 1010,  200,  20,  60,   0,   L,   0,    ,   0,   0,        BOB, M,\n\
    AL, 02, 2030090106, 15, BEST,   0, 210N,  610W,  70,  985, HU,  34, NEQ,   60,   50,   40,   30, 1010,  200,  20,  60,   0,   L,   0,    ,   0,   0,        BOB, M,\n";
const FORECASTS: &str = "AL, 02, 2030090100, 03, OFCL,   0, 200N,  600W,  50,  995, TS,\n\
    AL, 02, 2030090100, 03, GFSO,  24, 990N,  600W, 250,  800, HU,\n\
    AL, 02, 2030090100, 03, OFCL,  24, 220N,  640W,  80,    0, HU,\n";
const LIST: &str = r#"{"activeStorms": [{"id": "al032030", "binNumber": "AT2", "name": "Cara", "classification": "HU",
    "intensity": "90", "pressure": "", "latitudeNumeric": 25.5, "longitudeNumeric": -70, "lastUpdate": "2030-09-30T09:00:00.000Z",
    "publicAdvisory": {"advNum": "012a", "issuance": "2030-09-30T09:00:00.000Z"}}]}"#;
const LAYERS: &str =
    r#"{"layers": [{"id": 77, "name": "AT2 Forecast Points"}, {"id": 78, "name": "AT2 Watch-Warning"}]}"#;
const POINTS: &str = r#"{"features": [
    {"attributes": {"stormname": "CARA", "basin": "AL", "stormnum": 3, "advisnum": "12", "advdate": "500 AM EDT Mon Sep 30 2030",
     "tau": 36, "lat": "27.0", "lon": -72.5, "maxwind": 105, "mslp": 9999}},
    {"attributes": {"stormname": "OLD", "basin": "AL", "stormnum": 1, "tau": 0, "lat": 1, "lon": 2, "maxwind": 30}}]}"#;
const PUBLIC: &str = "<html><body><pre>BULLETIN\nHurricane Cara Advisory Number  12\nNWS National Hurricane Center Miami FL       AL032030\n\
    500 AM EDT Mon Sep 30 2030\n\nLOCATION...25.5N 70.0W\nMAXIMUM SUSTAINED WINDS...105 MPH...165 KM/H\n\
    MINIMUM CENTRAL PRESSURE...970 MB...28.64 INCHES\n\nSTORM SURGE: Water could reach these heights above ground...\n\n\
    North Point to South Point...3-5 ft\nOld Bay...1-2 ft\n\n$$</pre></body></html>";

/// Answers by path; what is not there is a 404. Keeps what was asked.
#[derive(Debug, Default)]
struct Files {
    files: BTreeMap<String, (u16, Vec<u8>)>,
    asked: Mutex<Vec<String>>,
}

impl Files {
    fn with(mut self, path: &str, body: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), (200, body.into()));
        self
    }

    fn failing(mut self, path: &str, status: u16) -> Self {
        self.files.insert(path.to_owned(), (status, b"<html>busy</html>".to_vec()));
        self
    }
}

#[async_trait]
impl Fetch for Files {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let path = request.url.path().to_owned();
        self.asked.lock().unwrap().push(path.clone());
        let found = self.files.get(&path).cloned();
        let (status, body) = found.unwrap_or_else(|| (404, b"<html>not found</html>".to_vec()));
        Ok(Response::ok(body).with_status(status))
    }
}

fn packed(text: &str) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap()
}

const MAPS: &str = "/nhc_maps/tropical/rest/services/tropical/NHC_tropical_weather/MapServer";

fn files() -> Files {
    Files::default()
        .with("/nhc/data/hurdat", "hurdat2-1851-2029-040130.txt hurdat2-1851-2030-040131.txt")
        .with("/nhc/data/hurdat/hurdat2-1851-2030-040131.txt", HURDAT)
        .with("/nhc_ftp/atcf/archive/2030/bal022030.dat.gz", packed(DECK))
        .with("/nhc_ftp/atcf/aid_public/aal022030.dat.gz", packed(FORECASTS))
        .with("/nhc/CurrentStorms.json", LIST)
        .with(MAPS, LAYERS)
        .with(&format!("{MAPS}/77/query"), POINTS)
        .with(&format!("{MAPS}/78/query"), r#"{"features": []}"#)
        .with("/nhc/text/MIATCPAT2.shtml", PUBLIC)
}

fn find<'a>(output: &'a ToolOutput, name: &str) -> &'a EvidenceDraft {
    output.evidence.iter().find(|draft| draft.name == name).unwrap_or_else(|| panic!("no `{name}`"))
}

async fn run(files: Files, tool: &str, arguments: Value) -> (ToolOutput, Vec<String>) {
    let files = Arc::new(files);
    let fetch: Arc<dyn Fetch> = Arc::clone(&files) as Arc<dyn Fetch>;
    let output = call(fetch, tool, arguments).await.unwrap();
    let asked = files.asked.lock().unwrap().clone();
    (output, asked)
}

#[tokio::test]
async fn the_newest_archive_is_read_and_a_storm_that_it_does_not_have_is_in_a_deck() {
    let (ann, asked) = run(files(), "nhc_get_best_track", json!({"storm_id": "al012030"})).await;
    assert_eq!(asked, ["/nhc/data/hurdat", "/nhc/data/hurdat/hurdat2-1851-2030-040131.txt"]);
    assert_eq!(
        (&find(&ann, "peak_wind").value, &find(&ann, "n_landfalls").value),
        (&json!(100.0), &json!(1))
    );
    assert_eq!(find(&ann, "landfall_1").when.as_deref(), Some("2030-08-01T09:30:00Z"));
    let (bob, asked) = run(files(), "nhc_get_best_track", json!({"storm_id": "AL022030"})).await;
    assert_eq!(
        asked[2..],
        ["/nhc_ftp/atcf/btk/bal022030.dat", "/nhc_ftp/atcf/archive/2030/bal022030.dat.gz"],
        "the running season first, then the archive"
    );
    assert_eq!(find(&bob, "off_hour_1").when.as_deref(), Some("2030-09-01T06:15:00Z"));
    assert!(bob.notes.iter().any(|note| note.contains("HURDAT2 does not have")), "{:?}", bob.notes);
    assert!(!bob.evidence.iter().any(|draft| draft.name == "n_landfalls"), "a b-deck marks none");
}

#[tokio::test]
async fn what_cannot_be_reached_is_said_and_the_other_source_is_used() {
    let broken = files().failing("/nhc/data/hurdat/hurdat2-1851-2030-040131.txt", 503);
    let (bob, _) = run(broken, "nhc_get_best_track", json!({"storm_id": "AL022030"})).await;
    assert_eq!(find(&bob, "source").value, "ATCF b-deck");
    assert!(bob.notes[0].contains("HURDAT2 could not be read"), "{:?}", bob.notes);
    // A directory that does not come leaves the last known name.
    let mut without = files().failing("/nhc/data/hurdat", 503);
    without.files.insert("/nhc/data/hurdat/hurdat2-1851-2024-040425.txt".into(), (200, HURDAT.into()));
    let (ann, _) = run(without, "nhc_get_best_track", json!({"storm_id": "AL012030"})).await;
    assert_eq!(find(&ann, "source").value, "HURDAT2");
    // Neither: the failure of the archive says more than that there is no deck.
    let neither: Arc<dyn Fetch> =
        Arc::new(Files::default().failing("/nhc/data/hurdat/hurdat2-1851-2024-040425.txt", 503));
    let error = call(neither, "nhc_get_best_track", json!({"storm_id": "AL012030"})).await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::Unavailable, "{error}");
}

#[tokio::test]
async fn broken_files_are_errors_and_never_numbers() {
    let deck = "/nhc_ftp/atcf/btk/bal022030.dat";
    let cut = packed(DECK);
    for body in [
        b"<html>moved</html>".to_vec(),
        cut[..cut.len() - 12].to_vec(),
        b"no deck at all\n".to_vec(),
        b"AL, 02, 2030099999,   , BEST,   0, 200N,  600W,  50\n".to_vec(),
        Vec::new(),
    ] {
        let fetch: Arc<dyn Fetch> = Arc::new(files().with(deck, body));
        let error = call(fetch, "nhc_get_best_track", json!({"storm_id": "AL022030"})).await.unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::BadData, "{error}");
    }
    let deep = format!("{}{}", "[".repeat(9_000), "]".repeat(9_000));
    for body in ["<html>", "{}", r#"{"activeStorms": 3}"#, deep.as_str(), "\u{feff}{\"activeStorms\":"] {
        let fetch: Arc<dyn Fetch> = Arc::new(files().with("/nhc/CurrentStorms.json", body));
        let error = call(fetch, "nhc_list_active_storms", json!({})).await.unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::BadData, "{error}");
    }
    let fetch: Arc<dyn Fetch> =
        Arc::new(files().with("/nhc/data/hurdat/hurdat2-1851-2030-040131.txt", "<html>"));
    let error = call(fetch, "nhc_get_best_track", json!({"storm_id": "AL012030", "source": "hurdat2"}))
        .await
        .unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::BadData, "{error}");
}

#[tokio::test]
async fn a_forecast_is_of_its_slot_then_of_its_text_then_of_its_deck() {
    let (cara, asked) = run(files(), "nhc_get_forecast_track", json!({"storm_id": "AL032030"})).await;
    assert!(asked.contains(&format!("{MAPS}/77/query")), "the layer is found by its name: {asked:?}");
    assert_eq!(
        (&find(&cara, "at_36h_wind").value, &find(&cara, "n_points").value),
        (&json!(105.0), &json!(1))
    );
    assert_eq!(
        find(&cara, "at_36h_lat").when.as_deref(),
        Some("2030-10-01T21:00:00Z"),
        "in UTC, over the end of a month"
    );
    assert!(!cara.evidence.iter().any(|draft| draft.name.ends_with("pressure")), "9999 is none");
    assert!(cara.notes.iter().any(|note| note.contains("another storm")), "{:?}", cara.notes);

    let text = "<pre>HURRICANE CARA FORECAST/ADVISORY NUMBER  12\nNWS MIAMI FL AL032030\n0900 UTC MON SEP 30 2030\n\
        HURRICANE CENTER LOCATED NEAR 25.5N  70.0W AT 30/0900Z\nFORECAST VALID 01/0600Z 27.0N  72.0W\nMAX WIND 110 KT...GUSTS 130 KT.\n</pre>";
    let broken = files().failing(&format!("{MAPS}/77/query"), 500).with("/nhc/text/MIATCMAT2.shtml", text);
    let (cara, _) = run(broken, "nhc_get_forecast_track", json!({"storm_id": "AL032030"})).await;
    assert_eq!(find(&cara, "max_wind").when.as_deref(), Some("2030-10-01T06:00:00Z"));
    assert_eq!(
        (&find(&cara, "origin").value, &find(&cara, "at_21h_wind").value),
        (&json!("forecast/advisory text"), &json!(110.0))
    );

    let (bob, _) = run(files(), "nhc_get_forecast_track", json!({"storm_id": "AL022030"})).await;
    assert_eq!((&find(&bob, "n_lines").value, &find(&bob, "at_24h_lat").value), (&json!(2), &json!(22.0)));
    assert_eq!(find(&bob, "max_wind_all_cycles").value, 80.0, "other techniques are no official forecast");
}

#[tokio::test]
async fn surge_is_read_from_the_public_advisory() {
    let (surge, _) = run(files(), "nhc_get_storm_surge_forecast", json!({"storm_id": "AL032030"})).await;
    assert_eq!((&find(&surge, "n_surge").value, &find(&surge, "max_surge").value), (&json!(2), &json!(5.0)));
    assert_eq!(find(&surge, "max_surge_segment").value, "North Point to South Point");
    let (advisory, _) = run(files(), "nhc_get_advisory", json!({"storm_id": "AL032030"})).await;
    assert_eq!(
        (&find(&advisory, "adv_wind_mph").value, &find(&advisory, "issued").value),
        (&json!(105.0), &json!("2030-09-30T09:00:00Z"))
    );
    for number in ["12/../..", "x", "1234", "12AB"] {
        let fetch: Arc<dyn Fetch> = Arc::new(files());
        let arguments = json!({"storm_id": "AL032030", "number": number});
        let error = call(fetch, "nhc_get_advisory", arguments).await.unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::InvalidArguments, "{number}");
    }
}

#[tokio::test]
async fn the_closest_approach_has_a_closed_form() {
    // Along the equator, past a point one degree north of the middle.
    let text = HURDAT.replace("20.0N,  60.0W", " 0.0N,  60.0W").replace("21.0N,  61.0W", " 0.0N,  62.0W");
    let text = text.replace("21.5N,  61.5W", " 0.0N,  66.0W");
    let files = files().with("/nhc/data/hurdat/hurdat2-1851-2030-040131.txt", text);
    let (near, _) =
        run(files, "nhc_track_near_point", json!({"storm_id": "AL012030", "lat": 1.0, "lon": -61.0})).await;
    let degree = 6_371.008_8 * std::f64::consts::PI / 180.0;
    let distance = find(&near, "closest_distance");
    assert!((distance.value.as_f64().unwrap() - degree).abs() < 0.06, "{distance:?}");
    assert_eq!(distance.when.as_deref(), Some("2030-08-01T03:00:00Z"));
    assert_eq!(
        (&find(&near, "closest_wind").value, &find(&near, "closest_pressure").value),
        (&json!(75.0), &json!(977.5))
    );
}

#[tokio::test]
async fn the_agent_answers_from_small_files_and_every_sentence_is_grounded() {
    for (question, words) in [
        ("How strong is Cara?", "90 knots"),
        (
            "What storm surge is forecast for Hurricane Cara?",
            "3 to 5 ft above ground level from North Point to South Point",
        ),
        (
            "Where will Hurricane Cara be in 36 hours?",
            "36 hours ahead at 27.0°N, 72.5°W on 1 October 2030 at 21:00 UTC",
        ),
        ("Are there watches for Hurricane Cara?", "0 stretches of coast"),
        ("Compare the peak winds of AL012030 and AL022030", "70 knots (Category 1"),
        ("When did AL012030 make landfall?", "1 August 2030 at 09:30 UTC at 21.5°N, 61.5°W"),
    ] {
        let answer = ask("nhc", Arc::new(files()), question).await;
        assert!(answer.text.contains(words), "{question}: {answer:#?}");
        assert!(answer.ungrounded.is_empty(), "{question}: {:?}", answer.ungrounded);
    }
}

#[tokio::test]
async fn the_tools_conform() {
    let fetch: Arc<dyn Fetch> = Arc::new(files());
    let tools = specialists(&fetch).tools;
    let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
    for (name, arguments) in [
        ("nhc_list_active_storms", json!({})),
        ("nhc_get_best_track", json!({"storm_id": "AL012030"})),
        ("nhc_get_best_track", json!({"storm_id": "AL022030"})),
        ("nhc_search_storms", json!({"year": 2030})),
        ("nhc_get_forecast_track", json!({"storm_id": "AL032030"})),
        ("nhc_get_forecast_track", json!({"storm_id": "AL022030"})),
        ("nhc_get_watches_warnings", json!({"storm_id": "AL032030"})),
        ("nhc_get_advisory", json!({"storm_id": "AL032030"})),
        ("nhc_get_storm_surge_forecast", json!({"storm_id": "AL032030"})),
        ("nhc_track_near_point", json!({"storm_id": "AL012030", "lat": 20.0, "lon": -60.5})),
        ("nhc_position_at", json!({"storm_id": "AL012030", "time": "2030-08-01T03:00:00Z"})),
    ] {
        let tool = tools.iter().find(|tool| tool.spec().name.as_str() == name).unwrap();
        conformance::tool(tool, &[ToolCase::new(name, arguments)], &objects).await;
    }
}
