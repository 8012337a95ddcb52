//! Datasets on a server, and what a configuration says of datasets.

use serde_json::{Value, json};

use crate::program::{Desk, demo, text};

#[expect(dead_code, reason = "the tests of the reader need the rest")]
#[path = "../../crates/ocean-data/tests/server/mod.rs"]
mod server;

use server::Server;

#[test]
fn a_dataset_on_a_server_is_inspected_and_read() {
    let demo = std::path::PathBuf::from(demo());
    let server = Server::start(demo.parent().unwrap().to_owned());
    let url = server.url(demo.file_name().unwrap().to_str().unwrap());
    let desk = Desk::new();
    let here = desk.leg(&["data", "inspect", &text(&demo), "--json"]).with_code(0).json();
    let there = desk.leg(&["data", "inspect", &url, "--json"]).with_code(0).json();
    assert_eq!(there["identity"], here["identity"]);
    assert_eq!(there["variables"], here["variables"]);
    let gone = desk.leg(&["data", "inspect", &server.url("nothing.zarr")]).with_code(2);
    assert!(gone.err.contains("nothing.zarr"), "{}", gone.err);
}

/// The names that `list_available_datasets` gives under a configuration.
fn names(desk: &Desk, arguments: &[&str]) -> Vec<Value> {
    let mut all = vec!["tools", "call", "list_available_datasets", "--args", "{}", "--json", "--values"];
    all.extend(arguments);
    let found = desk.leg(&all).with_code(0).json();
    let rows = found.pointer("/artifacts/result/content/rows");
    rows.and_then(Value::as_array)
        .unwrap_or_else(|| panic!("{found}"))
        .iter()
        .map(|row| row[0].clone())
        .collect()
}

#[test]
fn a_configuration_names_datasets() {
    let desk = Desk::new();
    let config = format!(
        "default_dataset = \"ocean\"\n[datasets]\nother = \"nowhere.nc\"\n[datasets.ocean]\naddress = \"{}\"\n",
        demo()
    );
    let file = desk.file("some.toml", &config);
    assert_eq!(names(&desk, &["--config", &file]), [json!("ocean"), json!("other")]);
    desk.file("leg.toml", &config);
    assert_eq!(names(&desk, &[]), [json!("ocean"), json!("other")]);
    for (text, words) in [
        ("[datasets]\nsst = 3", "an address in quotes"),
        ("datasets = 1\n", "leg.toml"),
        ("[datasets.sst]\naddress = \"a.nc\"\nalias = {}\n", "unknown field `alias`"),
    ] {
        desk.file("leg.toml", text);
        let ended = desk.leg(&["tools", "list"]).with_code(2);
        assert!(ended.err.contains(words), "{}", ended.err);
    }
    let ended = desk.leg(&["tools", "list", "--config", "missing.toml"]).with_code(2);
    assert!(ended.err.contains("missing.toml"), "{}", ended.err);
}
