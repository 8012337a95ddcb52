//! Every fact of the recordings of CO-OPS, through client, tool and evidence.

#![expect(clippy::float_cmp, reason = "recorded values are read exactly")]

mod gauges;

use gauges::{call, find, number, recorded, text};
use leg_core::ToolErrorKind;
use serde_json::json;

#[tokio::test]
async fn levels() {
    let Some(all) = recorded(&[]) else { return };
    let arguments =
        json!({"station_id": "9447130", "begin": "2015-01-01T00:00:00Z", "end": "2015-01-02T00:00:00Z"});
    let output = call(&all, "coops_get_water_level", arguments).await.unwrap();
    assert_eq!(find(&output, "max").place.as_ref().unwrap()["station"], "9447130");
    assert_eq!(
        (number(&output, "n"), number(&output, "first"), number(&output, "max")),
        (241.0, 1.798, 3.414)
    );
    assert_eq!(find(&output, "max").when.as_deref(), Some("2015-01-01T21:12:00Z"));
    assert_eq!(
        (find(&output, "max").unit.as_str(), find(&output, "max").datum.as_deref()),
        ("m", Some("MLLW"))
    );
    assert_eq!(number(&output, "n_preliminary"), 0.0, "the quality of all is v");

    // The window that is asked for is kept, although the recording has one value more.
    let day = json!({"station_id": "9447130", "begin": "2015-01-01", "end": "2015-01-01"});
    let output = call(&all, "coops_get_water_level", day).await.unwrap();
    assert_eq!(number(&output, "n"), 240.0);

    let short = json!({"station_id": "8725110", "begin": "2021-01-01T00:00:00Z", "end": "2021-01-01T00:10:00Z", "datum": "STND"});
    let output = call(&all, "coops_get_water_level", short).await.unwrap();
    assert_eq!((number(&output, "n"), number(&output, "first")), (2.0, 1.32));
    assert_eq!(find(&output, "first").place.as_ref().unwrap()["name"], "Naples, Gulf of Mexico");

    let none = json!({"station_id": "8725114", "begin": "2021-01-01T00:00:00Z", "end": "2021-01-01T00:10:00Z", "datum": "STND"});
    let output = call(&all, "coops_get_water_level", none).await.unwrap();
    assert!(text(&output, "no_data").starts_with("No data was found"));

    let latest = json!({"station_id": "8518750"});
    let output = call(&all, "coops_get_latest", latest).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "value"), text(&output, "quality")),
        (1.0, 0.6, "preliminary")
    );
    assert_eq!(find(&output, "value").unit, "m");

    let month = json!({"station_id": "9447130", "begin": "2015-01-01", "end": "2015-01-31"});
    let output = call(&all, "coops_get_daily_extremes", month).await.unwrap();
    assert_eq!((number(&output, "first_max"), number(&output, "n_days")), (3.414, 31.0));
    assert_eq!(find(&output, "first_max").datum.as_deref(), Some("MLLW"));
}

#[tokio::test]
async fn predictions() {
    let Some(all) = recorded(&[]) else { return };
    let tides = json!({"station_id": "9447130", "begin": "2015-01-01", "end": "2015-01-03T00:00:00Z", "interval": "hilo"});
    let output = call(&all, "coops_get_predictions", tides).await.unwrap();
    assert_eq!((number(&output, "n"), number(&output, "max"), number(&output, "min")), (8.0, 3.537, -0.214));
    assert_eq!((number(&output, "n_high"), number(&output, "n_low")), (4.0, 4.0));
    let hours = json!({"station_id": "8725520", "begin": "2021-01-01", "end": "2021-01-01", "interval": "h", "datum": "STND"});
    let output = call(&all, "coops_get_predictions", hours).await.unwrap();
    let found =
        (number(&output, "n"), number(&output, "first"), number(&output, "max"), number(&output, "min"));
    assert_eq!(found, (24.0, 1.465, 1.691, 1.209));
    assert_eq!(find(&output, "max").datum.as_deref(), Some("STND"));
    assert_eq!(find(&output, "max").place.as_ref().unwrap()["station"], "8725520");
    let none = json!({"station_id": "8726679", "begin": "2021-01-01", "end": "2021-01-01", "interval": "h", "datum": "STND"});
    let output = call(&all, "coops_get_predictions", none).await.unwrap();
    assert!(text(&output, "no_data").starts_with("No Predictions data was found"));
    let battery =
        json!({"station_id": "8518750", "begin": "2025-01-01", "end": "2025-01-02", "interval": "hilo"});
    let output = call(&all, "coops_get_predictions", battery).await.unwrap();
    assert_eq!((number(&output, "n"), number(&output, "max")), (8.0, 1.576));
}

#[tokio::test]
async fn sensors_and_currents() {
    let Some(all) = recorded(&[]) else { return };
    let day = |product: &str| json!({"station_id": "9447130", "product": product, "begin": "2015-01-01T00:00:00Z", "end": "2015-01-02T00:00:00Z"});
    let output = call(&all, "coops_get_met", day("wind")).await.unwrap();
    assert_eq!(
        (number(&output, "n_rows"), number(&output, "first"), number(&output, "max_gust")),
        (241.0, 3.2, 4.9)
    );
    assert_eq!(find(&output, "max_gust").unit, "m s-1");
    let output = call(&all, "coops_get_met", day("air_temperature")).await.unwrap();
    assert_eq!((number(&output, "n_rows"), number(&output, "first")), (241.0, 4.1));
    assert_eq!(find(&output, "first").unit, "degC");
    let latest = json!({"station_id": "8724580", "product": "wind"});
    let output = call(&all, "coops_get_latest", latest).await.unwrap();
    assert_eq!((number(&output, "value"), number(&output, "gust")), (5.4, 10.0));
    let latest = json!({"station_id": "cb1401", "product": "currents"});
    let output = call(&all, "coops_get_latest", latest).await.unwrap();
    assert_eq!((number(&output, "value"), text(&output, "bin")), (1.4, "30"));
    let currents = json!({"station_id": "bh0101", "begin": "2026-05-25T00:00:00Z", "end": "2026-05-26T00:00:00Z", "bin": 1});
    let output = call(&all, "coops_get_currents", currents).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "first"), number(&output, "first_direction")),
        (224.0, 6.0, 119.0)
    );
    assert_eq!((find(&output, "first").unit.as_str(), text(&output, "bin")), ("cm s-1", "1"));
    let predicted = json!({"station_id": "cb0102", "begin": "2024-01-01T00:00:00Z", "end": "2024-01-02T00:00:00Z", "bin": 4});
    let output = call(&all, "coops_get_current_predictions", predicted).await.unwrap();
    assert_eq!(
        (number(&output, "n"), number(&output, "first"), text(&output, "units")),
        (241.0, -34.6, "meters, cm/s")
    );
    assert_eq!(find(&output, "first").unit, "cm s-1");
}

#[tokio::test]
async fn derived_products() {
    let Some(all) = recorded(&[]) else { return };
    let output =
        call(&all, "coops_get_flood_days", json!({"station_id": "1611400", "year": 2001})).await.unwrap();
    assert_eq!(number(&output, "minor"), 0.0);
    let minor = find(&output, "minor");
    assert_eq!(
        (minor.when.as_deref(), &minor.place.as_ref().unwrap()["station"]),
        (Some("2001"), &json!("1611400"))
    );
    let output = call(&all, "coops_get_flood_days", json!({"station_id": "8518750"})).await.unwrap();
    assert_eq!(number(&output, "n_years"), 107.0);
    let output =
        call(&all, "coops_get_flood_days", json!({"station_id": "8518750", "year": 2024})).await.unwrap();
    assert_eq!(number(&output, "minor"), 26.0);
    let output =
        call(&all, "coops_get_flood_days", json!({"station_id": "8518750", "year": 2012})).await.unwrap();
    assert_eq!((number(&output, "major"), number(&output, "moderate")), (2.0, 2.0));
    let output =
        call(&all, "coops_get_flood_days", json!({"station_id": "8518750", "year": 1850})).await.unwrap();
    assert_eq!(text(&output, "no_data"), "The service has no flood days for 1850.");

    let output = call(&all, "coops_get_return_levels", json!({"station_id": "1611347"})).await.unwrap();
    assert_eq!(text(&output, "station"), "1611347");
    for key in ["endDate", "ewlProbabilities", "gridLat", "gridLong", "gridNum", "lat"] {
        assert!(text(&output, "members").split(", ").any(|own| own == key), "{key}");
    }
    let output = call(&all, "coops_get_sea_level_trend", json!({"station_id": "1611400"})).await.unwrap();
    assert_eq!((number(&output, "trend"), number(&output, "error")), (1.9, 0.19));
    assert_eq!(find(&output, "trend").unit, "mm year-1");
    let english = json!({"station_id": "8518750", "units": "english"});
    let output = call(&all, "coops_get_sea_level_trend", english).await.unwrap();
    assert_eq!((number(&output, "trend"), number(&output, "error")), (1.16, 0.02));
    assert_eq!(find(&output, "trend").unit, "inch (10 year)-1");
    assert_eq!(text(&output, "start"), "1856-01-15");
    let output = call(&all, "coops_get_sea_level_trend", json!({"station_id": "8518750"})).await.unwrap();
    assert_eq!(number(&output, "trend"), 1.16, "the unit that the answer states wins");
    assert_eq!(
        (number(&output, "trend_converted"), find(&output, "trend_converted").unit.as_str()),
        (2.946, "mm year-1")
    );

    let output = call(&all, "coops_get_extremes", json!({"station_id": "9447130"})).await.unwrap();
    assert_eq!((number(&output, "rank_1"), number(&output, "n")), (4.609, 10.0));
    assert_eq!(find(&output, "rank_1").when.as_deref(), Some("2022-12-27T16:42:00Z"));
    assert_eq!(
        (find(&output, "rank_1").unit.as_str(), find(&output, "rank_1").datum.as_deref()),
        ("m", Some("MLLW"))
    );
    let output =
        call(&all, "coops_get_extremes", json!({"station_id": "8518750", "datum": "MHHW"})).await.unwrap();
    // The annotation of this answer is the text `null`, which is nothing.
    assert_eq!((number(&output, "n_events"), text(&output, "first_event")), (30.0, "1938-09-21"));

    for (name, year, id) in [("Sandy", 2012, 598.0), ("Ian", 2022, 1340.0)] {
        let output =
            call(&all, "coops_list_storm_events", json!({"name": name, "year": year})).await.unwrap();
        assert_eq!(number(&output, "event_id"), id);
    }
}

#[tokio::test]
async fn stations_and_datums() {
    let Some(all) = recorded(&[]) else { return };
    let output = call(&all, "coops_get_station", json!({"station_id": "9447130"})).await.unwrap();
    assert_eq!((text(&output, "id"), text(&output, "state")), ("9447130", "WA"));
    assert_eq!((number(&output, "lat"), number(&output, "n_constituents")), (47.60264, 37.0));
    let output =
        call(&all, "coops_get_station", json!({"station_id": "8518750", "expand": []})).await.unwrap();
    assert_eq!((text(&output, "shefcode"), number(&output, "n")), ("BATN6", 1.0));
    let output = call(&all, "coops_list_stations", json!({})).await.unwrap();
    assert_eq!((number(&output, "n"), text(&output, "first_shefcode")), (3.0, "NWWH1"));
    let output = call(&all, "coops_find_nearest", json!({"lat": 21.95, "lon": -159.36})).await.unwrap();
    assert_eq!(text(&output, "nearest"), "1611400");
    assert!(number(&output, "distance") < 1.0);
    let output = call(&all, "coops_find_nearest", json!({"lat": 50.0, "lon": 0.0})).await.unwrap();
    assert!(text(&output, "no_data").contains("within 50 km"));

    let output = call(&all, "coops_get_harmonics", json!({"station_id": "1612480", "units": "english"}))
        .await
        .unwrap();
    let found = (
        number(&output, "amplitude"),
        number(&output, "phase"),
        number(&output, "n"),
        text(&output, "units"),
    );
    assert_eq!(found, (0.52, 13.2, 37.0, "feet"));
    assert_eq!(find(&output, "amplitude").unit, "ft");
    let output = call(&all, "coops_get_harmonics", json!({"station_id": "9447130"})).await.unwrap();
    assert_eq!((number(&output, "amplitude"), find(&output, "amplitude").unit.as_str()), (1.063, "m"));
    let output = call(&all, "coops_get_harmonics", json!({"station_id": "9999531"})).await.unwrap();
    assert_eq!(number(&output, "n"), 0.0);
    assert!(text(&output, "no_data").contains("no harmonic constituents"));

    let output = call(&all, "coops_get_datums", json!({"station_id": "8518750"})).await.unwrap();
    assert_eq!(
        (number(&output, "MHHW"), number(&output, "MLLW"), number(&output, "NAVD88")),
        (2.543, 1.002, 1.848)
    );
    assert_eq!((number(&output, "record_high"), number(&output, "record_high_MHHW")), (5.282, 2.739));
    assert_eq!(find(&output, "record_high").when.as_deref(), Some("2012-10-30T01:12:00Z"));
    assert_eq!(find(&output, "record_high_MHHW").datum.as_deref(), Some("MHHW"));
    // The closed check of the conversion.
    for (from, value, to, expected) in [
        ("STND", 5.282, "MHHW", 2.739),
        ("STND", 5.282, "MLLW", 4.280),
        ("STND", 5.282, "NAVD", 3.434),
        ("MLLW", 4.280, "STND", 5.282),
        ("MHHW", 2.739, "NAVD88", 3.434),
    ] {
        let arguments = json!({"station_id": "8518750", "value": value, "from": from, "to": to});
        let output = call(&all, "coops_convert_datum", arguments).await.unwrap();
        assert_eq!(number(&output, "value"), expected, "{from} to {to}");
    }
    let feet =
        json!({"station_id": "8518750", "value": 10.0, "from": "MLLW", "to": "MHHW", "units": "english"});
    let output = call(&all, "coops_convert_datum", feet).await.unwrap();
    assert_eq!((number(&output, "value"), find(&output, "value").unit.as_str()), (4.944, "ft"));
    let missing = json!({"station_id": "8518750", "value": 1.0, "from": "MLLW", "to": "IGLD"});
    let error = call(&all, "coops_convert_datum", missing).await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::NotFound);
    assert!(error.message.contains("NAVD88"), "{error}");
}
