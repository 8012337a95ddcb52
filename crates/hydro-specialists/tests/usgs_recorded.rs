//! Every fact of the recordings of the USGS, through client, tool and evidence.

#![expect(clippy::float_cmp, reason = "recorded values are read exactly")]

mod gauges;

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use gauges::{call, find, number, over, recorded, text};
use hydro_specialists::Specialists;
use hydro_specialists::recorded::Recorded;
use leg_fetch::{Fetch, FetchError, Request, Response};
use serde_json::json;

/// The recordings, with the newer service down.
#[derive(Debug)]
struct WithoutNewer(Recorded);

#[async_trait]
impl Fetch for WithoutNewer {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        if request.url.path().starts_with("/usgs_ogc") {
            return Ok(Response::ok("<html>Service Unavailable</html>").with_status(503));
        }
        self.0.fetch(request).await
    }
}

fn older() -> Option<Specialists> {
    recorded(&[])?;
    let root = PathBuf::from(std::env::var_os("LEG_CONFORMANCE")?);
    let fetch: Arc<dyn Fetch> = Arc::new(WithoutNewer(Recorded::open(&root.join("hydro/fixtures")).ok()?));
    Some(over(&fetch))
}

#[tokio::test]
async fn events_and_marks() {
    let Some(all) = recorded(&[]) else { return };
    let output = call(&all, "usgs_list_events", json!({})).await.unwrap();
    assert_eq!((number(&output, "n_all"), number(&output, "n")), (28.0, 28.0));
    for (name, year, id) in
        [("Sandy", 2012, 24.0), ("Harvey", 2017, 180.0), ("Irma", 2017, 182.0), ("Florence", 2018, 283.0)]
    {
        let output = call(&all, "usgs_list_events", json!({"name": name, "year": year})).await.unwrap();
        assert_eq!((number(&output, "event_id"), number(&output, "n")), (id, 1.0));
        assert_eq!(text(&output, "name"), format!("{year} {name}"));
    }
    let output = call(&all, "usgs_list_events", json!({"name": "Isaac"})).await.unwrap();
    assert_eq!((number(&output, "n"), number(&output, "event_id")), (2.0, 284.0), "the newest of two");
    let output = call(&all, "usgs_list_events", json!({"name": "Nobody"})).await.unwrap();
    assert_eq!(text(&output, "no_data"), "No flood event fits.");

    let coastal = json!({"event_id": 283, "states": ["NC"], "environment": "Coastal"});
    let output = call(&all, "usgs_get_high_water_marks", coastal).await.unwrap();
    assert_eq!((number(&output, "n"), number(&output, "n_without_elevation")), (61.0, 2.0));
    assert_eq!((number(&output, "highest"), number(&output, "highest_id")), (20.49, 33709.0));
    let highest = find(&output, "highest");
    assert_eq!((highest.unit.as_str(), highest.datum.as_deref()), ("ft", Some("NAVD88")));
    assert_eq!(highest.place.as_ref().unwrap()["name"], "Onslow County");
    assert_eq!(text(&output, "highest_quality"), "Fair: +/- 0.20 ft");
    assert_eq!((number(&output, "second"), text(&output, "second_county")), (10.45, "Craven County"));
    let south = json!({"event_id": 283, "states": ["SC"]});
    let output = call(&all, "usgs_get_high_water_marks", south).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "first_id"), number(&output, "highest")),
        (40.0, 33497.0, 184.16)
    );
    let far = json!({"event_id": 283, "bbox": [0.0, 0.0, 1.0, 1.0]});
    let output = call(&all, "usgs_get_high_water_marks", far).await.unwrap();
    assert_eq!(number(&output, "n"), 0.0);
    assert!(text(&output, "no_data").contains("no high-water marks"));
}

#[tokio::test]
async fn the_newer_service() {
    let Some(all) = recorded(&[]) else { return };
    let day =
        json!({"site": "USGS-06904500", "parameter": "00065", "begin": "2025-09-22", "end": "2025-09-22"});
    let output = call(&all, "usgs_get_continuous", day).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "first"), find(&output, "first").unit.as_str()),
        (2.0, 0.39, "ft")
    );
    assert_eq!(find(&output, "first").place.as_ref().unwrap()["station"], "06904500");
    let output = call(&all, "usgs_get_latest", json!({"site": "06904500"})).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "value"), find(&output, "value").unit.as_str()),
        (2.0, 1.59, "ft")
    );
    let days = json!({"site": "05427718", "begin": "2025-12-01", "end": "2026-03-31"});
    let output = call(&all, "usgs_get_daily", days).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "first"), find(&output, "first").unit.as_str()),
        (2.0, 20.2, "ft3 s-1")
    );
    let output = call(&all, "usgs_get_peaks", json!({"site": "02238500"})).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "highest_stage"), number(&output, "largest_flow")),
        (2.0, 49.98, 1060.0)
    );
    assert_eq!(find(&output, "highest_stage").unit, "ft");
    let box_ = json!({"bbox": [-160.0, 30.0, -70.0, 70.0]});
    let output = call(&all, "usgs_find_sites", box_).await.unwrap();
    assert_eq!((number(&output, "n"), text(&output, "ids")), (2.0, "USGS-01646500, USGS-15484000"));
    let output = call(&all, "usgs_get_site", json!({"site": "01646500"})).await.unwrap();
    assert_eq!(text(&output, "name"), "POTOMAC RIVER NEAR WASH, DC LITTLE FALLS PUMP STA");
    assert_eq!((number(&output, "drainage_area"), text(&output, "state")), (11560.0, "Maryland"));
    let output = call(&all, "usgs_get_schema", json!({})).await.unwrap();
    assert_eq!(number(&output, "n"), 12.0);
    let none = json!({"site": "06904500", "begin": "2015-07-03", "end": "2015-07-04"});
    let output = call(&all, "usgs_get_continuous", none).await.unwrap();
    assert_eq!(
        (number(&output, "n"), text(&output, "no_data")),
        (0.0, "The service has no values in the window.")
    );
}

#[tokio::test]
async fn the_older_service_stands_in() {
    let Some(all) = older() else { return };
    let day = json!({"site": "01646500", "parameter": "00060", "begin": "2026-03-05", "end": "2026-03-05"});
    let output = call(&all, "usgs_get_continuous", day).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "first"), number(&output, "n_provisional")),
        (21.0, 7740.0, 21.0)
    );
    assert_eq!(
        find(&output, "first").when.as_deref(),
        Some("2026-03-05T17:10:00Z"),
        "10 minutes past noon, EST"
    );
    assert_eq!(find(&output, "first").unit, "ft3 s-1");
    assert_eq!(number(&output, "n_missing"), 0.0, "no value is -999999");
    assert!(output.notes[0].contains("older NWIS service"), "{:?}", output.notes);
    let week = json!({"site": "01646500", "begin": "2025-01-01", "end": "2025-01-07"});
    let output = call(&all, "usgs_get_daily", week).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "first"), number(&output, "max")),
        (7.0, 4870.0, 5690.0)
    );
    let output = call(&all, "usgs_get_peaks", json!({"site": "USGS-01646500"})).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "largest_flow"), number(&output, "stage_of_largest")),
        (6.0, 484_000.0, 28.1)
    );
    assert_eq!(find(&output, "largest_flow").when.as_deref(), Some("1936-03-19"));
    let output = call(&all, "usgs_get_site", json!({"site": "01646500"})).await.unwrap();
    assert_eq!(text(&output, "name"), "POTOMAC RIVER NEAR WASH, DC LITTLE FALLS PUMP STA");
    assert_eq!((number(&output, "lat"), number(&output, "drainage_area")), (38.949_777_78, 11560.0));
    let output = call(&all, "usgs_find_sites", json!({"state": "MD"})).await.unwrap();
    assert_eq!((number(&output, "n_active"), text(&output, "first_active")), (68.0, "0148471320"));
    let output = call(&all, "usgs_get_statistics", json!({"site": "01646500"})).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "n_columns"), number(&output, "max")),
        (31.0, 24.0, 118_000.0)
    );
}
