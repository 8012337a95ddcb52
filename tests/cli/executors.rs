//! `--executor process` and `leg worker`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::program::{Desk, demo};

const QUESTION: &str = "How did surface temperature change from 2015 to 2017 in the coastal box and in the basin box, \
                        and which warmed faster?";

#[test]
fn a_run_in_worker_processes_has_the_content_root_of_a_local_one() {
    let desk = Desk::new();
    let data = format!("ocean={}", demo());
    let ask = |more: &[&str]| {
        let arguments = [&["ask", QUESTION, "--data", &data, "--yes", "--json"], more].concat();
        desk.leg(&arguments).with_code(0).json()
    };
    let local = ask(&[]);
    let processes = ask(&["--executor", "process", "--workers", "2"]);
    assert_eq!(processes["content_root"], local["content_root"]);
    assert_eq!(processes["report"]["claims"], local["report"]["claims"]);
    let run = processes["run_id"].as_str().unwrap();
    desk.leg(&["verify", run]).with_code(0);
    desk.leg(&["replay", run]).with_code(0);
}

#[test]
fn workers_without_processes_are_wrong_input() {
    let desk = Desk::new();
    let plan = json!({"version": 1, "question": "?", "tracks": [{"id": "t", "steps": [
        {"id": "x", "tool": "load_dataset", "args": {"variable": "temperature"}}]}]});
    let plan = desk.file("plan.json", plan.to_string());
    let ended = desk.leg(&["run", &plan, "--data", demo(), "--yes", "--workers", "2"]).with_code(2);
    assert!(ended.err.contains("add `--executor process`"), "{}", ended.err);
    desk.leg(&["run", &plan, "--data", demo(), "--yes", "--executor", "process", "--workers", "0"])
        .with_code(2);
}

#[test]
fn a_worker_greets_ends_with_its_run_and_refuses_what_is_no_message() {
    let desk = Desk::new();
    for (said, code) in [("", 0), ("hello?\n", 1)] {
        let mut worker = Command::new(env!("CARGO_BIN_EXE_leg"))
            .args(["worker", "--objects"])
            .arg(desk.path("objects"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        worker.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
        let ended = worker.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(code));
        let hello: Value = serde_json::from_slice(&ended.stdout).unwrap();
        assert_eq!((&hello["type"], &hello["protocol"]), (&json!("hello"), &json!(1)));
        let err = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(err.contains("is no message"), code == 1, "{err}");
    }
}
