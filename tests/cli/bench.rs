//! `leg bench reference`: what passes, what does not, and what no adapter knows.

use serde_json::{Value, json};

use crate::program::Desk;

/// Cases that need no data: dates of a calendar.
fn cases() -> Value {
    let item = |date: &str| json!({"items": [{"units": "days since 2000-02-28", "value": 1.5, "date": date, "dayofyr": 59, "back": 1.5}]});
    let case = |id: &str, tool: &str, params: Value, expected: Value| {
        json!({"id": id, "tool": tool, "input": {}, "params": params, "expected": expected,
               "tolerance": {"rtol": 1e-9, "atol": 1e-6}})
    };
    let calendar = json!({"calendar": "360_day"});
    json!({"schema": 1, "family": "own_dates", "cases": [
        case("right", "calendar arithmetic", calendar.clone(), item("2000-02-29T12:00:00")),
        case("wrong", "calendar arithmetic", calendar.clone(), item("2000-03-01T12:00:00")),
        case("odd", "calendar arithmetic", json!({"calendar": "360_day", "leap_seconds": true}), item("2000-02-29T12:00:00")),
        case("unknown", "palm reading", calendar, json!({"fate": 1})),
    ]})
}

#[test]
fn cases_pass_fail_or_are_not_known_and_none_is_skipped() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("cases")).unwrap();
    desk.file("cases/dates.json", cases().to_string());
    let found =
        desk.leg(&["bench", "reference", "--cases", "cases", "--data", ".", "--json"]).with_code(1).json();
    assert_eq!((&found["passed"], &found["total"]), (&json!(1), &json!(4)));
    let statuses: Vec<&str> =
        found["cases"].as_array().unwrap().iter().map(|case| case["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["pass", "fail", "error", "error"]);
    let message = |at: usize| found["cases"][at]["message"].as_str().unwrap().to_owned();
    assert!(message(1).contains("2000-02-29"), "{}", message(1));
    assert!(message(2).contains("leap_seconds"), "{}", message(2));
    assert!(message(3).contains("palm reading"), "{}", message(3));
    assert_eq!(found["cases"][0]["family"], "own_dates");
    let shown = desk.leg(&["bench", "reference", "--cases", "cases", "--data", "."]).with_code(1).out;
    assert!(shown.contains("1 of 4 cases pass") && shown.contains("FAIL"), "{shown}");
}

#[test]
fn a_family_or_a_folder_that_is_not_there_is_named() {
    let desk = Desk::new();
    let path = desk.file("dates.json", cases().to_string());
    let call = |more: &[&str]| {
        let own = ["bench", "reference", "--data", "."];
        desk.leg(&[&own[..], more].concat()).with_code(2).err
    };
    assert!(call(&["--cases", &path, "--family", "tides"]).contains("own_dates"));
    assert!(call(&["--cases", "nowhere"]).contains("nowhere"));
    desk.file("dates.json", "{}");
    assert!(call(&["--cases", &path]).contains("no family"));
}

#[test]
fn a_computed_sea_is_a_dataset_and_says_what_is_planted_in_it() {
    let desk = Desk::new();
    let listed = desk.leg(&["data", "truth", "--json"]).with_code(0).json();
    assert!(listed["scenes"].as_array().unwrap().contains(&json!("china-seas")));
    let truth = desk.leg(&["data", "truth", "demo:gulf", "--json"]).with_code(0).json();
    let events = truth["events"].as_array().unwrap();
    let heatwave = events.iter().find(|event| event["kind"] == "marine_heatwave").unwrap();
    assert!(
        desk.leg(&["data", "truth", "demo:gulf"])
            .with_code(0)
            .out
            .contains(heatwave["name"].as_str().unwrap())
    );
    let ask = |year: &str| {
        let arguments = json!({"data": {
            "variable": "temperature", "depth": "surface", "time": [format!("{year}-08-01"), format!("{year}-08-05")],
            "region": {"lon": [-88, -86], "lat": [26, 28]},
        }});
        let call = ["tools", "call", "compute_area_weighted_mean", "--data", "demo:gulf", "--json", "--args"];
        let found = desk.leg(&[&call[..], &[arguments.to_string().as_str()]].concat()).with_code(0).json();
        let evidence =
            found["evidence"].as_array().unwrap().iter().find(|one| one["name"] == "mean").unwrap();
        evidence["value"].as_f64().unwrap()
    };
    let rise = ask("2023") - ask("2022");
    assert!((1.5..4.0).contains(&rise), "{rise}");
    assert!(desk.leg(&["data", "truth", "demo:atlantis"]).with_code(2).err.contains("china-seas"));
}
