//! The folder of recordings as a service: what it answers, and what it does not.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::fs;
use std::path::Path;

use hydro_specialists::recorded::Recorded;
use leg_fetch::{Fetch as _, Request, Response};
use tempfile::TempDir;

const INDEX: &str = r#"
[[fixture]]
file = "coops/level.json"
service = "coops"
request = "api/prod/datagetter?begin_date=20220928+00%3A00&end_date=20220929&station=9990001&product=water_level&datum=MLLW&units=metric&time_zone=gmt"

[[fixture]]
file = "coops/latest.json"
service = "coops"
request = "api/prod/datagetter?date=latest&station=9990001&product=water_level&datum=MLLW&units=metric&time_zone=gmt"

[[fixture]]
file = "nhc/bal992022.dat"
service = "nhc"
request = "atcf/btk/bal992022.dat"

[[fixture]]
file = "usgs/a.json"
service = "usgs"
request = "STNServices/HWMs/FilteredHWMs.json?Event=7&States=NC"

[[fixture]]
file = "usgs/b.json"
service = "usgs"
request = "STNServices/HWMs/FilteredHWMs.json?Event=7&States=SC"

[[fixture]]
file = "fema/zone.json"
service = "fema"
request = "arcgis/rest/services/public/NFHL/MapServer/28/query?geometry=-80,25&geometryType=esriGeometryPoint&f=json"
"#;

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("INDEX.toml", INDEX);
    write("coops/level.json", r#"{"data": [{"t": "2022-09-28 00:00", "v": "1.0"}]}"#);
    write("coops/latest.json", r#"{"data": [{"t": "2022-10-01 00:00", "v": "2.0"}]}"#);
    write("nhc/bal992022.dat", "AL, 99, 2022092800,   , BEST,   0, 200N,  800W,  50,  990, TS\n");
    write("usgs/a.json", r#"[{"hwm_id": 1}, {"hwm_id": 2}]"#);
    write("usgs/b.json", r#"[{"hwm_id": 2}, {"hwm_id": 3}]"#);
    write("fema/zone.json", r#"{"features": [{"attributes": {"FLD_ZONE": "AE"}}]}"#);
    folder
}

async fn ask(recorded: &Recorded, address: &str) -> Response {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let mut url = Recorded::address().unwrap().join(path);
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        url = url.with_query(name, value);
    }
    recorded.fetch(Request::get(url)).await.unwrap()
}

#[tokio::test]
async fn what_decides_about_the_meaning_must_agree() {
    let folder = folder();
    let recorded = Recorded::open(folder.path()).unwrap();
    let level = "coops/api/prod/datagetter?station=9990001&product=water_level&units=metric&time_zone=gmt&application=x";
    for (rest, status) in [
        ("&datum=MLLW&begin_date=20220928 06:00&end_date=20220928 12:00", 200),
        ("&datum=NAVD&begin_date=20220928 06:00&end_date=20220928 12:00", 404),
        ("&datum=MLLW&begin_date=20230101&end_date=20230102", 200),
        ("&datum=MLLW&date=latest", 200),
    ] {
        assert_eq!(ask(&recorded, &format!("{level}{rest}")).await.status, status, "{rest}");
    }
    // The other window is answered by the newest value alone, whose own time tells that it is not in the window.
    let other = ask(&recorded, &format!("{level}&datum=MLLW&begin_date=20230101&end_date=20230102")).await;
    assert!(String::from_utf8_lossy(&other.body).contains("2022-10-01"));
    let nothing = ask(&recorded, "coops/api/prod/datagetter?station=1").await;
    assert!(String::from_utf8_lossy(&nothing.body).contains("nothing is recorded for coops"));
}

#[tokio::test]
async fn parts_of_one_list_are_joined_unless_one_is_preferred() {
    let folder = folder();
    let recorded = Recorded::open(folder.path()).unwrap();
    let marks = "usgs_stn/STNServices/HWMs/FilteredHWMs.json?Event=7";
    let count =
        |response: &Response| serde_json::from_slice::<Vec<serde_json::Value>>(&response.body).unwrap().len();
    assert_eq!(count(&ask(&recorded, marks).await), 3);
    assert_eq!(count(&ask(&recorded, &format!("{marks}&States=SC")).await), 2);
    assert_eq!(ask(&recorded, &format!("{marks}&States=FL")).await.status, 404);
    let recorded = recorded.preferring(["usgs/b.json"]);
    assert_eq!(count(&ask(&recorded, marks).await), 2);
}

#[tokio::test]
async fn tracks_are_packed_and_places_are_near() {
    let folder = folder();
    let recorded = Recorded::open(folder.path()).unwrap();
    assert_eq!(ask(&recorded, "nhc_ftp/atcf/btk/bal992022.dat").await.status, 200);
    let packed = ask(&recorded, "nhc_ftp/atcf/archive/2022/bal992022.dat.gz").await;
    assert_eq!(packed.body.get(..2), Some(&[0x1f, 0x8b][..]));
    let zone = "fema/arcgis/rest/services/public/NFHL/MapServer/28/query?f=json&geometry=";
    assert_eq!(ask(&recorded, &format!("{zone}-80.001,25.001")).await.status, 200);
    assert_eq!(ask(&recorded, &format!("{zone}-81,25")).await.status, 404);
    let covered =
        ask(&recorded, "fema/arcgis/rest/services/public/NFHL/MapServer/0/query?geometry=-80,25").await;
    assert_eq!(&covered.body[..], br#"{"count":1}"#);
}

#[tokio::test]
async fn a_range_is_a_part() {
    let folder = folder();
    let recorded = Recorded::open(folder.path()).unwrap();
    let url = Recorded::address().unwrap().join("nhc_ftp/atcf/btk/bal992022.dat");
    for (range, status, body) in
        [("bytes=0-1", 206, "AL"), ("bytes=-3", 206, "TS\n"), ("bytes=900-", 416, "")]
    {
        let response = recorded.fetch(Request::get(url.clone()).with_header("range", range)).await.unwrap();
        assert_eq!((response.status, &response.body[..]), (status, body.as_bytes()), "{range}");
    }
}

#[test]
fn an_index_that_leaves_its_folder_or_is_none_is_refused() {
    let folder = folder();
    for (text, words) in [
        ("[[fixture]]\nfile = \"../x\"\nservice = \"a\"\nrequest = \"b\"", "is not below the folder"),
        ("[[fixture]]\nfile = \"none\"\nservice = \"a\"\nrequest = \"b\"", "none"),
        ("fixture = 1", "no index of recordings"),
    ] {
        fs::write(folder.path().join("INDEX.toml"), text).unwrap();
        let error = Recorded::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert!(Recorded::open(Path::new("/nowhere")).is_err());
}

#[test]
fn every_file_of_the_recordings_is_read() {
    let Some(folder) = std::env::var_os("LEG_CONFORMANCE") else {
        println!("skipped: LEG_CONFORMANCE is not set");
        return;
    };
    Recorded::open(&Path::new(&folder).join("hydro/fixtures")).unwrap();
}
