//! The FEMA specialist over small answers of our own in the documented form: bases, layers, pages, borders, and that every
//! tool keeps the port's promises.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

mod support;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use leg_core::{EvidenceDraft, MemoryObjects, ObjectStore, ToolErrorKind, ToolOutput};
use leg_fetch::{Fetch, FetchError, Request, Response};
use leg_testkit::conformance::{self, ToolCase};
use serde_json::{Value, json};
use support::{ask, call, specialists};

const OLD: &str = "/fema/gis/nfhl/rest/services/public/NFHL/MapServer";
const LAYERS: &str = r#"{"layers": [{"id": 5, "name": "NFHL Availability"}, {"id": 6, "name": "Flood Hazard Zones"},
    {"id": 7, "name": "FIRM Panels"}, {"id": 8, "name": "LOMRs"}, {"id": 9, "name": "Base Flood Elevations"},
    {"id": 10, "name": "Limit of Moderate Wave Action"}]}"#;

/// A service at the older base only, with its own ids of layers.
#[derive(Debug, Default)]
struct Map {
    uncovered: bool,
    asked: Mutex<Vec<String>>,
}

fn zone(id: usize, letter: &str, subtype: &str, sfha: &str, bfe: f64, datum: &str) -> Value {
    json!({"attributes": {"OBJECTID": id, "FLD_ZONE": letter, "ZONE_SUBTY": subtype, "SFHA_TF": sfha, "STATIC_BFE": bfe,
        "V_DATUM": datum, "DFIRM_ID": "12345C", "DEPTH": if letter == "AO" { 2.0 } else { -9999.0 }},
        "geometry": {"rings": [[[-80.0, 25.0], [-80.1, 25.0], [-80.1, 25.1], [-80.0, 25.0]]]}})
}

impl Map {
    fn answer(&self, request: &Request) -> Response {
        let path = request.url.path();
        let get = |name: &str| {
            request.url.query().iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
        };
        let Some(rest) = path.strip_prefix(OLD) else {
            return Response::ok("<html>gone</html>").with_status(404);
        };
        let zones = [
            zone(1, "X", "AREA OF MINIMAL FLOOD HAZARD", "F", -9999.0, ""),
            zone(2, "AE", " ", "T", 9.0, "NAVD88"),
            zone(3, "VE", "", "T", 13.0, "NAVD88"),
            zone(4, "AE", "", "T", 30.0, "NGVD29"),
            zone(5, "AO", "", "T", -9999.0, ""),
        ];
        match rest {
            "" => Response::json(LAYERS),
            "/5/query" => Response::json(json!({"count": if self.uncovered { 0 } else { 2 }}).to_string()),
            "/6/query" => {
                // Two rows a page, whatever is asked for.
                let from: usize = get("resultOffset").unwrap().parse().unwrap();
                let page: Vec<&Value> = zones.iter().skip(from).take(2).collect();
                let more = from + 2 < zones.len();
                Response::json(json!({"features": page, "properties": {"exceededTransferLimit": more}}).to_string())
            }
            "/7/query" => Response::json(
                json!({"features": [{"attributes": {"FIRM_PAN": "12345C0001A", "EFF_DATE": 0}},
                    {"attributes": {"FIRM_PAN": "12345C0001B", "EFF_DATE": 86_400_000_000_i64, "PANEL_TYP": "Countywide"}}]})
                .to_string(),
            ),
            "/8/query" => Response::json(r#"{"error": {"code": 400, "message": "Failed to execute query.", "details": []}}"#),
            "/9/query" => Response::json(
                json!({"features": [{"attributes": {"ELEV": 3.048, "LEN_UNIT": "Meters", "V_DATUM": "NAVD88"}},
                    {"attributes": {"ELEV": -8888, "LEN_UNIT": "Feet"}}]})
                .to_string(),
            ),
            "/10/query" => Response::json(r#"{"features": [{"attributes": {"OBJECTID": 1}, "geometry": {"paths": [[[1, 2], [3, 4]]]}}]}"#),
            "/export" => {
                let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
                png.extend([0, 0, 1, 144, 0, 0, 1, 44, 8, 6, 0, 0, 0]);
                Response::ok(png)
            }
            _ => Response::json("{}").with_status(404),
        }
    }
}

#[async_trait]
impl Fetch for Map {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        self.asked.lock().unwrap().push(request.url.to_string());
        Ok(self.answer(&request))
    }
}

fn map() -> Arc<dyn Fetch> {
    Arc::new(Map::default())
}

fn find<'a>(output: &'a ToolOutput, name: &str) -> &'a EvidenceDraft {
    output.evidence.iter().find(|draft| draft.name == name).unwrap_or_else(|| panic!("no `{name}`"))
}

fn bbox() -> Value {
    json!({"bbox": [-80.2, 25.0, -80.0, 25.2]})
}

#[tokio::test]
async fn all_zones_of_a_border_are_given_the_worst_first() {
    let fetch = Arc::new(Map::default());
    let asked: Arc<dyn Fetch> = Arc::clone(&fetch) as Arc<dyn Fetch>;
    let output = call(asked, "fema_zone_at_point", json!({"lat": 25.05, "lon": -80.05})).await.unwrap();
    assert_eq!((&find(&output, "zone").value, &find(&output, "n_zones").value), (&json!("VE"), &json!(5)));
    let bfe = find(&output, "static_bfe");
    assert_eq!((bfe.value.as_f64(), bfe.datum.as_deref()), (Some(13.0), Some("NAVD88")));
    assert_eq!(find(&output, "other_zones").value, "AE, AE, AO, X");
    let asked = fetch.asked.lock().unwrap();
    assert!(
        asked[0].contains("/fema/arcgis/rest/") && asked[1].contains(OLD),
        "the older base on 404: {asked:?}"
    );
    assert!(asked[2].contains("geometry=-80.05%2C25.05"), "longitude comes first: {}", asked[2]);
    assert_eq!(asked.iter().filter(|url| url.contains("/6/query")).count(), 3, "three pages: {asked:?}");
    assert!(
        asked.iter().filter(|url| url.contains("/6/query")).all(|url| url.contains("orderByFields=OBJECTID"))
    );
}

#[tokio::test]
async fn sums_keep_datums_apart_and_say_when_there_is_more() {
    let output = call(map(), "fema_zones_in_bbox", bbox()).await.unwrap();
    assert_eq!((&find(&output, "n_zones").value, &find(&output, "n_zone_ae").value), (&json!(5), &json!(2)));
    let max = find(&output, "max_static_bfe");
    assert_eq!(
        (max.value.as_f64(), max.datum.as_deref()),
        (Some(13.0), Some("NAVD88")),
        "30 ft is above another datum"
    );
    assert!(output.notes.iter().any(|note| note.contains("another datum")), "{:?}", output.notes);
    let mut limited = bbox();
    limited["limit"] = json!(3);
    let output = call(map(), "fema_zones_in_bbox", limited).await.unwrap();
    assert_eq!(find(&output, "n_zones").value, 3);
    assert!(output.notes.iter().any(|note| note.starts_with("there are more")), "{:?}", output.notes);
}

#[tokio::test]
async fn panels_lines_limits_and_pictures() {
    let panel = call(map(), "fema_firm_panel", json!({"lat": 25.05, "lon": -80.05})).await.unwrap();
    assert_eq!(
        (&find(&panel, "panel").value, &find(&panel, "effective_date").value),
        (&json!("12345C0001B"), &json!("1972-09-27"))
    );
    assert!(panel.notes.iter().any(|note| note.contains("map revision")), "{:?}", panel.notes);
    let lines = call(map(), "fema_bfe_lines", bbox()).await.unwrap();
    assert_eq!((&find(&lines, "n_lines").value, &find(&lines, "max_elev").value), (&json!(1), &json!(10.0)));
    let coast = call(map(), "fema_coastal_limits", bbox()).await.unwrap();
    assert_eq!((&find(&coast, "n_ve").value, &find(&coast, "n_limwa").value), (&json!(1), &json!(1)));
    let picture = call(map(), "fema_map_image", bbox()).await.unwrap();
    assert_eq!(
        (&find(&picture, "image_width").value, &find(&picture, "image_height").value),
        (&json!(400), &json!(300))
    );
}

#[tokio::test]
async fn a_place_without_data_is_unknown_for_every_tool() {
    for (tool, arguments) in [
        ("fema_check_coverage", json!({"lat": 25.05, "lon": -80.05})),
        ("fema_zone_at_point", json!({"lat": 25.05, "lon": -80.05})),
        ("fema_firm_panel", json!({"lat": 25.05, "lon": -80.05})),
        ("fema_zones_in_bbox", bbox()),
        ("fema_bfe_lines", bbox()),
        ("fema_coastal_limits", bbox()),
    ] {
        let fetch: Arc<dyn Fetch> = Arc::new(Map { uncovered: true, ..Map::default() });
        let output = call(fetch, tool, arguments).await.unwrap();
        assert_eq!(find(&output, "covered").value, "no", "{tool}");
        assert!(find(&output, "no_data").value.as_str().unwrap().contains("does not mean zone X"), "{tool}");
        assert!(
            output.evidence.iter().all(|draft| draft.name == "n_studies" || draft.value.as_f64().is_none()),
            "{tool}"
        );
    }
}

#[tokio::test]
async fn arguments_that_cannot_be_are_refused() {
    for (tool, arguments, kind) in [
        ("fema_zone_at_point", json!({"lat": 95.0, "lon": -80.0}), ToolErrorKind::InvalidArguments),
        ("fema_zones_in_bbox", json!({"bbox": [-80.0, 25.0, -80.2, 25.2]}), ToolErrorKind::InvalidArguments),
        ("fema_zones_in_bbox", json!({"bbox": [-90.0, 25.0, -80.2, 25.2]}), ToolErrorKind::LimitExceeded),
        ("fema_zones_of_study", json!({"dfirm_id": "1' OR '1'='1"}), ToolErrorKind::InvalidArguments),
        (
            "fema_map_image",
            json!({"bbox": [-80.2, 25.0, -80.0, 25.2], "width": 100_000}),
            ToolErrorKind::InvalidArguments,
        ),
    ] {
        let error = call(map(), tool, arguments.clone()).await.unwrap_err();
        assert_eq!(error.kind, kind, "{arguments}");
    }
}

#[tokio::test]
async fn the_agent_answers_from_small_files_and_every_sentence_is_grounded() {
    for (question, words) in [
        (
            "What is the flood zone at 25.05, -80.05?",
            "The static base flood elevation at 25.05°N, 80.05°W is 13 ft NAVD88.",
        ),
        (
            "Count the flood zones in -80.2, 25.0, -80.0, 25.2",
            "5 flood hazard polygons: 1 of zone VE, 2 of zone AE, 1 of zone AO and 1 of zone X",
        ),
        (
            "What is the limit of moderate wave action in -80.2, 25.0, -80.0, 25.2?",
            "There are 1 lines of the limit",
        ),
        ("Draw the flood map of -80.2, 25.0, -80.0, 25.2", "400 by 300 pixels"),
        ("FIRM panel at 25.05, -80.05", "12345C0001B, effective since 27 September 1972"),
    ] {
        let answer = ask("fema", map(), question).await;
        assert!(answer.text.contains(words), "{question}: {} {:?}", answer.text, answer.gaps);
        assert!(answer.ungrounded.is_empty(), "{question}: {:?}", answer.ungrounded);
    }
}

#[tokio::test]
async fn the_tools_conform() {
    let tools = specialists(&map()).tools;
    let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
    let point = json!({"lat": 25.05, "lon": -80.05});
    for (name, arguments) in [
        ("fema_check_coverage", point.clone()),
        ("fema_zone_at_point", point.clone()),
        ("fema_zones_in_bbox", bbox()),
        ("fema_bfe_lines", bbox()),
        ("fema_firm_panel", point),
        ("fema_coastal_limits", bbox()),
        ("fema_map_image", bbox()),
        ("fema_zones_of_study", json!({"dfirm_id": "12345C"})),
    ] {
        let tool = tools.iter().find(|tool| tool.spec().name.as_str() == name).unwrap();
        conformance::tool(tool, &[ToolCase::new(name, arguments)], &objects).await;
    }
}
