//! Every command does its work, in text and in JSON.

use serde_json::{Value, json};

use crate::plans::{MONTHS, artifact, good, largest_difference, netcdf, values, whole_mean};
use crate::program::{Desk, Ended, demo, each_file};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

fn tour(desk: &Desk) -> Value {
    desk.leg(&["demo", "--dir", demo(), "--json"]).with_code(0).json()
}

#[test]
fn the_tour_answers_draws_verifies_and_comes_out_the_same_again() {
    let desk = Desk::new();
    let document = tour(&desk);
    assert_eq!(document["status"], "ok");
    assert_eq!(document["verification"]["ok"], true);
    assert_eq!(document["plan"]["tracks"].as_array().unwrap().len(), 2);
    let claims = document["report"]["claims"].as_array().unwrap();
    assert!(claims.iter().all(|claim| claim["verdict"] != "ungrounded"), "{claims:#?}");
    let markdown = document["report"]["markdown"].as_str().unwrap();
    assert!(markdown.contains("coastal box warmed faster"), "{markdown}");

    let folder = desk.path(document["run_folder"].as_str().unwrap());
    let (mut charts, mut maps) = (0, 0);
    for figure in document["report"]["figures"].as_array().unwrap() {
        let file = figure["file"].as_str().unwrap();
        let bytes = std::fs::read(folder.join(file)).unwrap();
        if std::path::Path::new(file).extension().is_some_and(|form| form == "png") {
            assert!(bytes.starts_with(PNG) && bytes.len() > 1000, "`{file}` is no picture");
            *(if file.contains("map") { &mut maps } else { &mut charts }) += 1;
        }
    }
    assert!(charts > 0 && maps > 0, "{charts} charts, {maps} maps");

    let again = tour(&desk);
    assert_ne!(again["run_id"], document["run_id"]);
    assert_eq!(again["content_root"], document["content_root"]);
}

#[test]
fn a_run_verifies_replays_traces_and_is_listed() {
    let desk = Desk::new();
    let document = tour(&desk);
    let (id, root) = (document["run_id"].as_str().unwrap(), document["content_root"].as_str().unwrap());

    let verified = desk.leg(&["verify", id, "--json"]).with_code(0).json();
    assert_eq!((&verified["ok"], &verified["content_root"]), (&json!(true), &json!(root)));
    desk.leg(&["verify", id, "--root", root]).with_code(0);
    let other = format!("b3:{}", "0".repeat(64));
    desk.leg(&["verify", id, "--root", &other]).with_code(1);
    // By its path as well as by its id.
    desk.leg(&["verify", &format!("runs/{id}")]).with_code(0);

    let replayed = desk.leg(&["replay", id, "--json", "--concurrency", "1"]).with_code(0).json();
    assert_eq!((&replayed["ok"], &replayed["mode"]), (&json!(true), &json!("strict")));
    assert_eq!(replayed["content_root"], root);

    let traced = desk.leg(&["trace", id, "E1", "--json"]).with_code(0).json();
    assert_eq!(traced["evidence"]["id"], "E1");
    assert_eq!(traced["calls"][0]["tool"], "load_dataset");
    let key = traced["evidence"]["key"].as_str().unwrap();
    assert_eq!(desk.leg(&["trace", id, key, "--json"]).with_code(0).json()["evidence"]["id"], "E1");
    assert!(desk.leg(&["trace", id, "E9999"]).with_code(2).err.contains("E9999"));

    let listed = desk.leg(&["runs", "--json"]).with_code(0).json();
    assert_eq!(listed["runs"][0]["run"], id);
    assert!(desk.leg(&["runs"]).with_code(0).out.contains(id));
    let shown = desk.leg(&["runs", id]).with_code(0).out;
    assert!(shown.starts_with("# How did surface temperature change"), "{shown}");
}

#[test]
fn a_changed_byte_is_found() {
    let desk = Desk::new();
    let document = tour(&desk);
    let id = document["run_id"].as_str().unwrap();
    let file = desk.path("runs").join(id).join("report.md");
    let report = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, report.replacen("faster", "slower", 1)).unwrap();
    let verified = desk.leg(&["verify", id, "--json"]).with_code(1).json();
    assert!(verified["faults"].to_string().contains("report.md"), "{verified}");
}

#[test]
fn lists_are_one_json_document_each() {
    let desk = Desk::new();
    let list = |words: &[&str]| desk.leg(&[words, &["--json"]].concat()).with_code(0).json();
    let names = |document: &Value, key: &str, name: &str| -> Vec<String> {
        let all = document[key].as_array().unwrap();
        all.iter().map(|one| one[name].as_str().unwrap().to_owned()).collect()
    };
    let tools = names(&list(&["tools", "list"]), "tools", "name");
    assert!(tools.iter().any(|name| name == "compute_trend"), "{tools:?}");
    assert_eq!(list(&["tools"]), list(&["tools", "list"]));
    assert_eq!(list(&["tools", "show", "compute_trend"])["name"], "compute_trend");
    let skills = names(&list(&["skills", "list"]), "skills", "name");
    assert!(skills.iter().any(|name| name == "trend-analysis"), "{skills:?}");
    assert_eq!(list(&["skills", "show", "trend-analysis"])["front_matter"]["name"], "trend-analysis");
    let agents = names(&list(&["agents"]), "agents", "id");
    assert!(agents.iter().any(|id| id == "coops"), "{agents:?}");

    let checked = list(&["skills", "check"]);
    assert_eq!((&checked["ok"], &checked["problems"]), (&json!(true), &json!([])));
    assert_eq!(checked["skills"], skills.len());
}

#[test]
fn the_schema_of_plans_takes_what_the_planner_writes() {
    let desk = Desk::new();
    let schema = desk.leg(&["plan", "--schema"]).with_code(0).json();
    assert!(schema["$schema"].as_str().unwrap().contains("json-schema.org"));
    assert_eq!(schema["properties"]["version"]["const"], 1);
    for key in schema["required"].as_array().unwrap() {
        let plan: Value = serde_json::from_str(&good()).unwrap();
        assert!(plan.get(key.as_str().unwrap()).is_some(), "{key}");
    }
}

#[test]
fn a_question_becomes_a_plan_a_graph_and_a_run() {
    let desk = Desk::new();
    let question = "Map the mean surface temperature of 2015 in the coastal box";
    let planned = desk.leg(&["plan", question, "--data", demo()]).with_code(0);
    assert_eq!(planned.json()["question"], question);
    let file = desk.file("plan.json", &planned.out);
    let digest =
        desk.leg(&["plan", question, "--data", demo(), "--json"]).with_code(0).json()["plan_digest"].clone();

    let graph = |more: &[&str]| desk.leg(&[&["graph", file.as_str()], more].concat()).with_code(0);
    assert!(graph(&[]).out.contains("compute_spatial_field"));
    assert!(graph(&["--format", "mermaid"]).out.starts_with("flowchart"));
    assert!(graph(&["--format", "dot"]).out.starts_with("digraph"));
    assert_eq!(graph(&["--format", "json"]).json()["question"], question);
    assert!(graph(&["--explain"]).out.contains("after reporter_last"));
    assert_eq!(graph(&["--json"]).json()["plan_digest"], digest);
    assert!(desk.runs().is_empty(), "planning and drawing run nothing");

    let ran = desk.leg(&["run", &file, "--data", demo(), "--yes", "--json", "--values"]).with_code(0).json();
    assert_eq!(ran["status"], "ok");
    assert_eq!(artifact(&ran, "map")["values"].as_array().unwrap().len(), 12 * 5, "a map of the box");
    let asked = desk.leg(&["ask", question, "--data", demo(), "--yes", "--json"]).with_code(0).json();
    assert_eq!(asked["content_root"], ran["content_root"]);
    let text = desk.leg(&["run", &file, "--data", demo(), "--yes"]).with_code(0).out;
    assert!(text.contains("run folder") && text.contains(".png"), "{text}");
}

#[test]
fn nothing_runs_without_its_approval() {
    let desk = Desk::new();
    let file = desk.file("plan.json", good());
    let run = |more: &[&str]| desk.leg(&[&["run", file.as_str(), "--data", demo(), "--json"], more].concat());
    let refused = run(&[]).with_code(2).json();
    let digest = refused["approval"]["plan_digest"].as_str().unwrap();
    assert!(refused["error"]["message"].as_str().unwrap().contains("--approve"));
    let other = format!("b3:{}", "0".repeat(64));
    let wrong = run(&["--approve", &other]).with_code(2).json();
    assert!(wrong["error"]["message"].as_str().unwrap().contains(&other));
    run(&["--approve", "nonsense"]).with_code(2);
    run(&["--approve", digest, "--yes"]).with_code(2);
    assert!(desk.runs().is_empty());
    assert_eq!(run(&["--approve", digest]).with_code(0).json()["status"], "ok");
}

#[test]
fn the_help_of_every_command_has_examples() {
    let commands = [
        "demo",
        "ask",
        "plan",
        "run",
        "graph",
        "verify",
        "replay",
        "trace",
        "export",
        "runs",
        "tools",
        "tools list",
        "tools show",
        "tools call",
        "skills",
        "skills list",
        "skills show",
        "skills check",
        "agents",
        "data",
        "data inspect",
        "data demo",
        "data convert",
    ];
    let desk = Desk::new();
    for command in commands {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let Ended { out, .. } = desk.leg(&words).with_code(0);
        assert!(out.contains("Examples:") && out.contains(&format!("leg {command}")), "{command}:\n{out}");
    }
    let all = desk.leg(&["--help"]).with_code(0).out;
    assert!(all.contains("Examples:") && all.contains("Exit codes"), "{all}");
}

#[test]
fn a_converted_file_is_the_same_ocean() {
    let desk = Desk::new();
    let file = desk.file("hand.nc", netcdf());
    let seen = desk.leg(&["data", "inspect", &file, "--json"]).with_code(0).json();
    assert!(seen["variables"].to_string().contains("sst"), "{seen}");
    desk.leg(&["data", "convert", &file, "copy.zarr"]).with_code(0);
    let plan = desk.file("plan.json", whole_mean(&json!({})));
    let run = |data: &str| {
        let ran = desk.leg(&["run", &plan, "--data", data, "--yes", "--json", "--values"]).with_code(0);
        values(&ran.json(), "mean")
    };
    let (before, after) = (run(&file), run("copy.zarr"));
    assert_eq!(before.len(), MONTHS);
    assert!(largest_difference(&after, &before) <= 1e-10);
}

#[test]
fn the_demo_command_writes_the_store_and_its_truth() {
    let mut files = 0;
    each_file(std::path::Path::new(demo()), &mut |_| files += 1);
    assert!(files > 100, "{files} files");
    let desk = Desk::new();
    let seen = desk.leg(&["data", "inspect", demo(), "--json"]).with_code(0).json();
    for variable in ["temperature", "salinity", "u", "v", "chlorophyll", "oxygen"] {
        let names = seen["variables"].as_array().unwrap().iter().map(|one| &one["name"]);
        assert!(names.into_iter().any(|name| name == variable), "no {variable}");
    }
    let truth = std::fs::read_to_string(format!("{}/truth.json", demo())).unwrap();
    let truth: Value = serde_json::from_str(&truth).unwrap();
    assert!(truth["boxes"].as_array().unwrap().len() >= 2);
}
