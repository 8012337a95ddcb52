//! Wrong input: a message that names the thing, an exit code, no panic, no run that only looks whole.

use std::path::Path;

use serde_json::{Value, json};

use crate::plans::{good, load, mean, netcdf, plan, whole_mean};
use crate::program::{Desk, demo, each_file};

/// Exit code 2 and every word in the message, in text and in JSON, and no run.
#[track_caller]
fn refused(desk: &Desk, arguments: &[&str], words: &[&str]) -> Value {
    let ended = desk.leg(arguments).with_code(2);
    let document = desk.leg(&[arguments, &["--json"]].concat()).with_code(2).json();
    let message = document["error"]["message"].as_str().unwrap();
    for word in words {
        assert!(ended.err.contains(word), "no `{word}` in: {}", ended.err);
        assert!(message.contains(word), "no `{word}` in: {message}");
    }
    assert!(desk.runs().is_empty(), "a run was left");
    document
}

/// Found while running: exit code 1 and every word in a stated gap; the run ended and says so.
#[track_caller]
fn fails(desk: &Desk, plan: &str, data: &str, words: &[&str]) {
    let file = desk.file("plan.json", plan);
    let ran = desk.leg(&["run", &file, "--data", data, "--yes", "--json"]).with_code(1).json();
    let gaps = ran["report"]["gaps"].to_string();
    for word in words {
        assert!(gaps.contains(word), "no `{word}` in: {gaps}");
    }
    desk.only_whole_runs_verify();
    let text = desk.leg(&["run", &file, "--data", data, "--yes"]).with_code(1);
    assert!(words.iter().all(|word| text.out.contains(word)), "{}", text.out);
}

/// A plan that is not valid.
#[track_caller]
fn invalid(plan: &str, words: &[&str]) -> Value {
    let desk = Desk::new();
    let file = desk.file("plan.json", plan);
    refused(&desk, &["graph", &file], words);
    let document = refused(&desk, &["run", &file, "--data", demo(), "--yes"], words);
    assert!(document["diagnostics"].as_array().is_some_and(|all| !all.is_empty()), "{document}");
    document
}

#[test]
fn a_missing_file_is_named() {
    let desk = Desk::new();
    let question = "Map the mean surface temperature of 2015 over the whole domain";
    let words = ["nosuch.nc", "check the path"];
    refused(&desk, &["ask", question, "--data", "nosuch.nc", "--yes"], &words);
    refused(&desk, &["plan", question, "--data", "nosuch.nc"], &words);
    refused(&desk, &["data", "inspect", "nosuch.nc"], &words);
    refused(&desk, &["data", "convert", "nosuch.nc", "copy.zarr"], &words);
    assert!(!desk.path("copy.zarr").exists());
    let plan = desk.file("plan.json", good());
    refused(&desk, &["run", &plan, "--data", "nosuch.nc", "--yes"], &words);
    refused(&desk, &["run", "nosuch.json", "--data", demo(), "--yes"], &["nosuch.json", "name a file"]);
    refused(&desk, &["graph", "nosuch.json"], &["nosuch.json"]);
    refused(&desk, &["verify", "nosuch"], &["nosuch", "name a run folder"]);
    refused(&desk, &["replay", "nosuch"], &["nosuch"]);
    refused(&desk, &["trace", "nosuch", "E1"], &["nosuch"]);
}

#[test]
fn a_variable_that_the_store_lacks_is_named_with_those_it_has() {
    let desk = Desk::new();
    let ask =
        ["ask", "Map the mean surface temperature of 2015 in the coastal box", "--data", demo(), "--yes"];
    refused(&desk, &[&ask[..], &["--variable", "waveheight"]].concat(), &["waveheight", "salinity"]);
    let mut load = load();
    load["args"]["variable"] = json!("waveheight");
    fails(&desk, &plan(&json!([load, mean()]), "mean"), demo(), &["waveheight", "salinity"]);
}

#[test]
fn a_region_outside_the_data_is_refused_with_the_coverage() {
    let desk = Desk::new();
    let ask =
        ["ask", "Map the mean surface temperature of 2015 in the coastal box", "--data", demo(), "--yes"];
    refused(&desk, &[&ask[..], &["--region", "190,240,-5,5"]].concat(), &["outside", "107.25", "22.75"]);
    let mut load = load();
    load["args"]["region"] = json!({ "lon": [190, 240], "lat": [-5, 5] });
    fails(
        &desk,
        &plan(&json!([load, mean()]), "mean"),
        demo(),
        &["region", "107.25", "choose a region inside"],
    );
}

#[test]
fn an_empty_time_window_is_refused_with_the_coverage() {
    let desk = Desk::new();
    let ask = ["ask", "Map the mean surface temperature in the coastal box", "--data", demo(), "--yes"];
    refused(&desk, &[&ask[..], &["--time", "1950,1960"]].concat(), &["1950", "2014", "2018"]);
    let mut load = load();
    load["args"]["time"] = json!(["1950", "1960"]);
    fails(&desk, &plan(&json!([load, mean()]), "mean"), demo(), &["1950", "2014-01-01", "choose a window"]);
}

#[test]
fn a_baseline_outside_the_record_is_refused_with_the_coverage() {
    let desk = Desk::new();
    let climatology = json!({ "id": "cycle", "tool": "compute_climatology",
        "args": { "timeseries": { "$ref": "mean" }, "baseline": ["1961", "1990"] } });
    let plan = plan(&json!([load(), mean(), climatology]), "cycle");
    fails(&desk, &plan, demo(), &["baseline 1961/1990", "2015-01-07/2016-12-28", "leave it out"]);
}

#[test]
fn an_unknown_tool_is_named_with_the_nearest() {
    let mut mean = mean();
    mean["tool"] = json!("compute_area_weighted_maen");
    invalid(
        &plan(&json!([load(), mean]), "mean"),
        &["compute_area_weighted_maen", "did you mean `compute_area_weighted_mean`"],
    );
}

#[test]
fn a_cycle_is_named_step_by_step() {
    let step = |id: &str, of: &str| {
        json!({ "id": id, "tool": "resample_timeseries",
            "args": { "timeseries": { "$ref": of }, "freq": "YS" } })
    };
    let document = invalid(
        &plan(&json!([step("a", "b"), step("b", "a")]), "b"),
        &["`a` needs `b` needs `a`", "take one"],
    );
    assert!(document["diagnostics"].to_string().contains("\"cycle\""), "{document}");
}

#[test]
fn a_dangling_reference_is_named_with_the_ids_there_are() {
    let mut mean = mean();
    mean["args"]["data"] = json!({ "$ref": "nowhere" });
    let document = invalid(&plan(&json!([load(), mean]), "mean"), &["nowhere", "`field`"]);
    assert_eq!(document["diagnostics"][0]["pointer"], "/tracks/0/steps/1/args/data");
}

#[test]
fn wrong_arguments_are_named_with_what_is_allowed() {
    let (mut typed, mut worded) = (load(), mean());
    typed["args"]["variable"] = json!(7);
    worded["args"]["weighting"] = json!("degC");
    let words = ["args/variable", "string", "weighting", "cos_lat"];
    invalid(&plan(&json!([typed, worded]), "mean"), &words);
    let mut unknown = mean();
    unknown["args"]["wieghting"] = json!("equal");
    invalid(&plan(&json!([load(), unknown]), "mean"), &["wieghting"]);
}

#[test]
fn a_series_in_another_unit_than_its_climatology_is_refused() {
    let mut salinity = load();
    salinity["id"] = json!("salt_field");
    salinity["args"]["variable"] = json!("salinity");
    let steps = json!([
        load(), mean(), salinity,
        { "id": "salt", "tool": "compute_area_weighted_mean", "args": { "data": { "$ref": "salt_field" } } },
        { "id": "cycle", "tool": "compute_climatology", "args": { "timeseries": { "$ref": "mean" } } },
        { "id": "anomaly", "tool": "compute_anomaly",
          "args": { "timeseries": { "$ref": "salt" }, "climatology": { "$ref": "cycle" } } },
    ]);
    fails(&Desk::new(), &plan(&steps, "anomaly"), demo(), &["anomaly", "degC"]);
}

#[test]
fn half_a_plan_is_not_a_plan() {
    let whole = good();
    for part in [10, whole.len() / 3, whole.len() / 2] {
        invalid(&whole[..part], &["send the whole plan"]);
    }
    // Whole but for its closers: a step or an argument may be missing, so it is not run.
    let cut = r#"{"version": 1, "question": "How warm?", "tracks": [{"id": "main", "goal": "test", "steps": [
        {"id": "field", "tool": "load_dataset", "args": {"variable": "temperature", "region": {"lon": [111, 117]"#;
    invalid(cut, &["send the whole plan"]);
    invalid("", &["no plan"]);
    invalid("a plan comes later", &["no plan"]);
}

#[test]
fn half_a_netcdf_file_is_refused() {
    let desk = Desk::new();
    let whole = netcdf();
    let plan = desk.file("plan.json", whole_mean(&json!({})));
    // In the header, in the data, and one byte short.
    for part in [60, whole.len() / 2, whole.len() - 1] {
        let file = desk.file("half.nc", &whole[..part]);
        refused(&desk, &["data", "inspect", &file], &["half.nc"]);
        refused(&desk, &["run", &plan, "--data", &file, "--yes"], &["half.nc"]);
        refused(&desk, &["data", "convert", &file, "copy.zarr"], &["half.nc"]);
        assert!(!desk.path("copy.zarr").exists(), "half a copy was left");
    }
    let Some(folder) = std::env::var_os("LEG_CONFORMANCE") else {
        println!("skipped for a NetCDF-4 file: LEG_CONFORMANCE is not set");
        return;
    };
    let whole = std::fs::read(Path::new(&folder).join("data/ersstv5_2010_2020.nc")).unwrap();
    let file = desk.file("half.nc", &whole[..whole.len() / 2]);
    refused(&desk, &["data", "inspect", &file], &["half.nc", "cut short", "again"]);
    let question = "Map the mean sea surface temperature of 2015 over the whole domain";
    refused(&desk, &["ask", question, "--data", &file, "--yes"], &["half.nc", "cut short"]);
}

#[test]
fn a_chunk_cut_in_half_fails_the_run() {
    let desk = Desk::new();
    let store = desk.path("cut.zarr");
    each_file(Path::new(demo()), &mut |file| {
        let inside = file.strip_prefix(demo()).unwrap();
        let target = store.join(inside);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        let bytes = std::fs::read(file).unwrap();
        let cut = inside.starts_with("temperature/c");
        std::fs::write(target, if cut { &bytes[..bytes.len() / 2] } else { &bytes }).unwrap();
    });
    fails(&desk, &good(), store.to_str().unwrap(), &["mean", "temperature"]);
}

#[test]
fn a_folder_that_takes_no_run_is_named() {
    let desk = Desk::new();
    let plan = desk.file("plan.json", good());
    // Root may write anywhere, but nobody below a file.
    let runs = format!("{plan}/runs");
    refused(&desk, &["run", &plan, "--data", demo(), "--yes", "--runs", &runs], &[&runs, "writable"]);
    refused(&desk, &["demo", "--dir", demo(), "--runs", &runs], &[&runs]);
    refused(&desk, &["data", "demo", &runs], &[&runs]);
}

#[test]
fn a_question_that_leaves_something_open_is_asked_back() {
    let desk = Desk::new();
    let document =
        refused(&desk, &["ask", "Map the mean surface temperature", "--data", demo(), "--yes"], &["region"]);
    let missing = document["clarification"]["missing"].as_array().unwrap();
    assert_eq!(missing[0]["slot"], "region");
    assert!(missing[0]["choices"].to_string().contains("coastal"), "{document}");
}

#[test]
fn unknown_words_on_the_command_line_are_named() {
    let desk = Desk::new();
    for words in [&["frobnicate"][..], &["run"], &["demo", "--frobnicate"], &["tools", "frobnicate"]] {
        let ended = desk.leg(words).with_code(2);
        assert!(ended.err.contains("Usage"), "{}", ended.err);
    }
    refused(&desk, &["tools", "call", "frobnicate"], &["frobnicate", "compute_trend"]);
    refused(&desk, &["skills", "show", "frobnicate"], &["frobnicate"]);
    refused(&desk, &["agents", "frobnicate"], &["frobnicate"]);
    refused(&desk, &["runs", "frobnicate"], &["frobnicate"]);
}
