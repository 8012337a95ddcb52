//! Every fact of the index of the recordings of the National Hurricane Center, through client, tool and evidence.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

mod support;

use std::sync::Arc;

use hydro_specialists::nhc::wire::{advisory, atcf, hurdat2};
use hydro_specialists::nhc::{Point, Track};
use leg_core::{EvidenceDraft, ToolErrorKind, ToolOutput};
use leg_fetch::Fetch;
use serde_json::{Value, json};
use support::{call, folder, recorded};

fn find<'a>(output: &'a ToolOutput, name: &str) -> &'a EvidenceDraft {
    output.evidence.iter().find(|draft| draft.name == name).unwrap_or_else(|| panic!("no `{name}`"))
}

fn number(output: &ToolOutput, name: &str) -> f64 {
    find(output, name).value.as_f64().unwrap_or_else(|| panic!("`{name}` is no number"))
}

fn when<'a>(output: &'a ToolOutput, name: &str) -> &'a str {
    find(output, name).when.as_deref().unwrap()
}

async fn run(preferred: &str, tool: &str, arguments: Value) -> Option<ToolOutput> {
    let fetch: Arc<dyn Fetch> = Arc::new(recorded(&[preferred])?);
    Some(call(fetch, tool, arguments).await.unwrap())
}

async fn active(list: &str) -> Option<ToolOutput> {
    run(&format!("nhc/current_storms_{list}.json"), "nhc_list_active_storms", json!({})).await
}

#[tokio::test]
async fn lists_of_active_storms() {
    let Some(one) = active("genevieve_2026").await else { return };
    assert!((number(&one, "n_active") - 1.0).abs() < 1e-9);
    assert_eq!(find(&one, "storm_1_id").value, "EP072026");
    assert_eq!((number(&one, "storm_1_wind"), number(&one, "storm_1_pressure")), (40.0, 1004.0));
    assert_eq!((&find(&one, "storm_1_advisory").value, number(&one, "storm_1_lon")), (&json!("036"), -136.0));

    let two = active("two_2025").await.unwrap();
    assert!((number(&two, "n_active") - 2.0).abs() < 1e-9);
    let rows = two.artifacts["result"].content["rows"].as_array().unwrap().clone();
    let row = |name: &str| rows.iter().find(|row| row[2] == name).unwrap().clone();
    assert_eq!((&row("Henriette")[1], &row("Henriette")[6]), (&json!("CP3"), &json!(75.0)));
    assert_eq!((&row("Erin")[4], &row("Erin")[5]), (&json!(24.8), &json!(-61.2)));

    let four = active("four_2026").await.unwrap();
    assert!((number(&four, "n_active") - 4.0).abs() < 1e-9);
    assert_eq!(find(&four, "strongest_name").value, "Polo");
    assert_eq!((number(&four, "strongest_wind"), number(&four, "strongest_pressure")), (140.0, 929.0));
    assert_eq!(find(&four, "storm_2_name").value, "Gonzalo");
    assert_eq!(find(&four, "storm_2_advisory").value, "002a");

    let none = active("none").await.unwrap();
    assert!(number(&none, "n_active").abs() < 1e-9);
    assert!(find(&none, "no_data").value.is_string());

    let odd =
        run("nhc/sample_active_storms_with_data.json", "nhc_list_active_storms", json!({})).await.unwrap();
    assert_eq!(find(&odd, "storm_1_id").value, "AL052024");
    let atlantic = run("nhc/current_storms_four_2026.json", "nhc_list_active_storms", json!({"basin": "al"}))
        .await
        .unwrap();
    assert!((number(&atlantic, "n_active") - 2.0).abs() < 1e-9);
}

#[tokio::test]
async fn best_tracks_of_b_decks() {
    // Id, wind, pressure, time of the pressure, lines where the index says them.
    for (id, wind, pressure, time, lines) in [
        ("AL062018", 130.0, 937.0, Some("2018-09-11T18:00:00Z"), Some(170)),
        ("AL092022", 140.0, 937.0, Some("2022-09-28T12:00:00Z"), Some(89)),
        ("AL112017", 155.0, 914.0, None, Some(173)),
        ("AL182012", 100.0, 940.0, Some("2012-10-29T18:00:00Z"), Some(103)),
        ("AL142018", 140.0, 919.0, None, Some(85)),
        ("AL142024", 155.0, 897.0, None, Some(82)),
        ("AL092024", 120.0, 939.0, None, None),
        ("AL092021", 130.0, 929.0, None, Some(67)),
        ("AL092008", 125.0, 935.0, None, Some(158)),
    ] {
        let arguments = json!({"storm_id": id.to_lowercase(), "source": "bdeck"});
        let Some(output) = run("", "nhc_get_best_track", arguments).await else { return };
        assert_eq!((number(&output, "peak_wind"), number(&output, "min_pressure")), (wind, pressure), "{id}");
        if let Some(time) = time {
            assert_eq!(when(&output, "min_pressure"), time, "{id}");
        }
        if let Some(lines) = lines {
            assert_eq!(find(&output, "n_lines").value, json!(lines), "{id}");
        }
        assert_eq!(find(&output, "source").value, "ATCF b-deck");
    }
    let florence = run("", "nhc_get_best_track", json!({"storm_id": "AL062018"})).await.unwrap();
    assert_eq!(find(&florence, "n_points").value, 79);
    assert_eq!(when(&florence, "peak_wind"), "2018-09-11T18:00:00Z");
    assert_eq!(find(&florence, "first_name").value, "INVEST");
    let ian =
        run("", "nhc_get_best_track", json!({"storm_id": "AL092022", "source": "bdeck"})).await.unwrap();
    let row = (1..=6)
        .map(|at| format!("off_hour_{at}"))
        .find(|name| when(&ian, name) == "2022-09-28T20:35:00Z")
        .unwrap();
    assert_eq!((number(&ian, &row), number(&ian, &format!("{row}_pressure"))), (125.0, 945.0));
    let place = find(&ian, &row).place.clone().unwrap();
    assert_eq!((place["lat"].as_f64(), place["lon"].as_f64()), (Some(26.8), Some(-82.0)));
    assert_eq!(when(&ian, "peak_wind"), "2022-09-28T12:00:00Z");
}

#[tokio::test]
async fn best_tracks_and_search_of_the_archive() {
    let Some(ian) = run("", "nhc_get_best_track", json!({"storm_id": "AL092022"})).await else { return };
    assert_eq!(find(&ian, "source").value, "HURDAT2");
    assert_eq!(
        (find(&ian, "n_lines").value.clone(), find(&ian, "n_points").value.clone()),
        (json!(40), json!(40))
    );
    assert_eq!((number(&ian, "peak_wind"), number(&ian, "min_pressure")), (140.0, 937.0));
    assert_eq!(find(&ian, "category").value, 5.0);
    let landfall = |output: &ToolOutput, time: &str| {
        let name =
            (1..=8).map(|at| format!("landfall_{at}")).find(|name| when(output, name) == time).unwrap();
        let place = find(output, &name).place.clone().unwrap();
        (
            number(output, &name),
            number(output, &format!("{name}_pressure")),
            place["lat"].as_f64(),
            place["lon"].as_f64(),
        )
    };
    assert_eq!(landfall(&ian, "2022-09-28T19:05:00Z"), (130.0, 941.0, Some(26.7), Some(-82.2)));
    let ida = run("", "nhc_get_best_track", json!({"storm_id": "AL092021"})).await.unwrap();
    assert_eq!(landfall(&ida, "2021-08-29T16:55:00Z"), (130.0, 931.0, Some(29.1), Some(-90.2)));
    let sam = run("", "nhc_get_best_track", json!({"storm_id": "AL182021"})).await.unwrap();
    assert_eq!((number(&sam, "peak_wind"), number(&sam, "min_pressure")), (135.0, 927.0));
    for (year, count) in [(2021, 21), (2022, 16), (1851, 3)] {
        let found = run("", "nhc_search_storms", json!({"year": year})).await.unwrap();
        assert_eq!(find(&found, "n_found").value, json!(count), "{year}");
    }
    let all = run("", "nhc_search_storms", json!({"basin": "al", "limit": 100})).await.unwrap();
    assert_eq!(find(&all, "n_found").value, json!(37 + 3));
    let old = run("", "nhc_get_best_track", json!({"storm_id": "AL011851"})).await.unwrap();
    assert_eq!((find(&old, "n_points").value.clone(), number(&old, "peak_wind")), (json!(14), 80.0));
    assert!(!old.evidence.iter().any(|draft| draft.name == "min_pressure"), "-999 is no pressure");
    for file in ["hurdat2_atl_1851.txt", "hurdat2_atl_2021_2022.txt"] {
        let text = std::fs::read_to_string(folder().unwrap().join("nhc").join(file)).unwrap();
        let fields: Vec<usize> =
            text.lines().map(|line| line.trim_end_matches(',').split(',').count()).collect();
        assert!(fields.contains(&21), "{file}");
        assert!(hurdat2::read(&text).iter().all(|track| track.skipped == 0), "{file}");
    }
}

/// Members that two sources of one time do not agree in.
fn differences(a: &Track, b: &Track) -> Vec<String> {
    let mut out = Vec::new();
    for point in &a.points {
        let Some(other) = b.points.iter().find(|other| other.time == point.time) else {
            out.push(format!("{} only in the {}", point.time, a.source));
            continue;
        };
        let mut check = |what: &str, same: bool, values: String| {
            if !same {
                out.push(format!("{} {what}: {values}", point.time));
            }
        };
        let place = |point: &Point| (point.lat, point.lon);
        let near = (point.lat - other.lat).abs() < 1e-9 && (point.lon - other.lon).abs() < 1e-9;
        check("place", near, format!("{:?} {:?}", place(point), place(other)));
        check("wind", point.wind == other.wind, format!("{:?} {:?}", point.wind, other.wind));
        check(
            "pressure",
            point.pressure == other.pressure,
            format!("{:?} {:?}", point.pressure, other.pressure),
        );
        check("status", point.status == other.status, format!("{} {}", point.status, other.status));
    }
    out
}

/// Both sources hold Ian and Ida: places, winds, pressures and stages of all common times are the same. HURDAT2 goes on after
/// the b-deck's last line where a storm was followed as an extratropical low.
#[test]
fn both_sources_agree_on_storms_that_both_hold() {
    let Some(folder) = folder() else { return };
    let read = |file: &str| std::fs::read_to_string(folder.join("nhc").join(file)).unwrap();
    let archive = hurdat2::read(&read("hurdat2_atl_2021_2022.txt"));
    for (id, file) in [("AL092022", "bal092022_ian.dat"), ("AL092021", "bal092021_ida.dat")] {
        let id = id.parse().unwrap();
        let deck = atcf::best_track(&read(file), &id);
        let other = archive.iter().find(|track| track.id == id).unwrap();
        let found = differences(&deck, other);
        println!("{id}: {} common times, differences {found:#?}", deck.points.len());
        let missing = differences(other, &deck);
        println!("{id}: only in HURDAT2 or different {missing:#?}");
        assert!(deck.points.len() >= 20, "{id}");
        assert!(found.is_empty(), "{id}: {found:#?}");
        assert_eq!(
            deck.peak().map(|(point, wind)| (point.time, wind)),
            other.peak().map(|(point, wind)| (point.time, wind))
        );
        assert_eq!(
            deck.deepest().map(|(point, low)| (point.time, low)),
            other.deepest().map(|(point, low)| (point.time, low))
        );
    }
}

#[tokio::test]
async fn official_forecasts_of_an_a_deck() {
    let Some(output) =
        run("nhc/current_storms_none.json", "nhc_get_forecast_track", json!({"storm_id": "AL062018"})).await
    else {
        return;
    };
    assert_eq!(
        (find(&output, "n_lines").value.clone(), find(&output, "n_cycles").value.clone()),
        (json!(565), json!(58))
    );
    assert_eq!(find(&output, "origin").value, "a-deck, technique OFCL");
    assert_eq!(when(&output, "first_cycle"), "2018-09-04T06:00:00Z");
    assert_eq!(find(&output, "all_taus").value, "0, 3, 12, 24, 36, 48, 72, 96, 120, 144, 168");
    assert!((number(&output, "max_wind_all_cycles") - 135.0).abs() < 1e-9);
    // A cycle by its day and hour; one that is not there says which are.
    let arguments = json!({"storm_id": "AL062018", "cycle": "2018-09-10T12:00:00Z"});
    let cycle = run("", "nhc_get_forecast_track", arguments).await.unwrap();
    assert_eq!(when(&cycle, "at_48h_lat"), "2018-09-12T12:00:00Z");
    let fetch: Arc<dyn Fetch> = Arc::new(recorded(&[]).unwrap());
    let error = call(fetch, "nhc_get_forecast_track", json!({"storm_id": "AL062018", "cycle": "2018-08-01"}))
        .await
        .unwrap_err();
    assert!(
        error.kind == ToolErrorKind::NotFound && error.message.contains("2018-09-04T06:00:00Z"),
        "{error}"
    );
}

#[tokio::test]
async fn forecasts_and_warnings_of_the_map_service() {
    let list = "nhc/current_storms_none.json";
    let Some(output) = run(list, "nhc_get_forecast_track", json!({"storm_id": "AL052024"})).await else {
        return;
    };
    assert_eq!(find(&output, "n_points").value, 3);
    assert_eq!((number(&output, "at_24h_wind"), number(&output, "last_point")), (115.0, 24.0));
    let alerts = run(list, "nhc_get_watches_warnings", json!({"storm_id": "AL052024"})).await.unwrap();
    assert_eq!(find(&alerts, "n_segments").value, 2);
    assert_eq!(find(&alerts, "kinds").value, "HWR, TSW");
    // Another storm in the slot, and empty slots.
    let other = run(list, "nhc_get_watches_warnings", json!({"storm_id": "AL062026"})).await.unwrap();
    assert_eq!(find(&other, "n_segments").value, 0);
    assert!(other.notes.iter().any(|note| note.contains("another storm")), "{:?}", other.notes);
    let none = run(list, "nhc_get_forecast_track", json!({"storm_id": "AL062026"})).await.unwrap();
    assert!(find(&none, "no_data").value.is_string());
    assert!(!none.evidence.iter().any(|draft| draft.name == "n_points"));
}

#[tokio::test]
async fn the_text_of_an_advisory() {
    let arguments = json!({"storm_id": "AL062026", "product": "fstadv", "number": "027"});
    let Some(output) = run("", "nhc_get_advisory", arguments).await else { return };
    assert_eq!(find(&output, "advisory_number").value, 27);
    assert_eq!((number(&output, "adv_pressure"), number(&output, "adv_wind")), (1009.0, 30.0));
    assert_eq!(find(&output, "n_positions").value, 7);
    assert_eq!(when(&output, "last_position"), "2026-09-30T18:00:00Z");
    assert_eq!(
        (when(&output, "dissipated"), find(&output, "dissipated").value.as_str()),
        ("2026-10-01T18:00:00Z", Some("DISSIPATED"))
    );
    assert_eq!((number(&output, "adv_lat"), number(&output, "adv_lon")), (29.8, -43.9));
    assert_eq!((number(&output, "adv_move_dir"), number(&output, "adv_move_speed")), (180.0, 2.0));
    let text = std::fs::read_to_string(folder().unwrap().join("nhc/tcm_al062026_027.txt")).unwrap();
    let read = advisory::read(&advisory::text_of(&text).unwrap());
    assert_eq!(read.forecast.iter().filter(|point| point.kind.contains("POST-TROP")).count(), 1);
    assert_eq!((read.name.as_deref(), read.id.as_deref()), (Some("FAY"), Some("AL062026")));
}
