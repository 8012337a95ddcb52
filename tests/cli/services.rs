//! Questions to specialists, with recorded services on this machine.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::program::{Desk, text};

/// `leg services serve` on the recordings of the examples; it ends with the test.
struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    fn start(more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_leg"))
            .args(["services", "serve", "--fixtures"])
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/recordings"))
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, address: line.trim().to_owned() }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to stop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const SURGE: &str = "How bad was the surge of Hurricane Tessa in 2022?";

fn said(run: &Value) -> String {
    let sections =
        run.pointer("/report/sections").and_then(Value::as_array).unwrap_or_else(|| panic!("{run}"));
    let claims = sections.iter().flat_map(|section| section["claims"].as_array().unwrap());
    claims.map(|claim| claim["text"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_surge_question_is_answered_verified_and_replayed_without_the_services() {
    let desk = Desk::new();
    let serving = Serving::start(&[]);
    let run =
        desk.leg(&["ask", SURGE, "--services", &serving.address, "--yes", "--json"]).with_code(0).json();
    let answer = said(&run);
    assert!(answer.contains("9.8 ft"), "{answer}");
    let [folder] = desk.runs().try_into().unwrap();
    drop(serving);
    desk.leg(&["verify", &text(&folder)]).with_code(0);
    let replayed = desk.leg(&["replay", &text(&folder), "--json"]).with_code(0).json();
    assert_eq!(replayed["ok"], true, "{replayed}");
}

#[test]
fn a_service_that_is_off_is_a_stated_gap() {
    let desk = Desk::new();
    let serving = Serving::start(&[]);
    // Nothing listens at port 9 of this machine.
    let file = desk.file("services.toml", "coops = \"http://127.0.0.1:9\"\n");
    let config = desk.file("leg.toml", format!("[services]\naddress = \"{}\"\n", serving.address));
    let run = desk
        .leg(&["ask", SURGE, "--config", &config, "--services", &file, "--yes", "--json"])
        .with_code(0)
        .json();
    assert!(said(&run).contains("9.8 ft"), "{run}");
    assert!(run["report"]["gaps"].to_string().contains("127.0.0.1"), "{}", run["report"]["gaps"]);
}

#[test]
fn what_cannot_be_served_or_asked_is_said() {
    let desk = Desk::new();
    for (arguments, words) in [
        (&["services", "serve", "--fixtures", "nowhere"][..], "nowhere"),
        (&["services", "serve", "--fixtures", ".", "--faults", "x=1"], "INDEX.toml"),
        (&["ask", SURGE, "--services", "not-a-file.toml"], "not-a-file.toml"),
        (&["ask", SURGE, "--services", "ftp://x"], "scheme"),
        (&["ask", "How bad was the surge?", "--yes"], "names no storm"),
        (&["bench", "hydro", "--cases", "none.jsonl", "--fixtures", "nowhere"], "none.jsonl"),
    ] {
        let ended = desk.leg(arguments).with_code(2);
        assert!(ended.err.contains(words), "{arguments:?}: {}", ended.err);
    }
}
