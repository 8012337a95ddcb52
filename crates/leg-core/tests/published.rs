//! What is published for clients follows from the code: the schemas of plans and events, and the page on events.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use leg_core::plan::plan_schema;
use leg_core::run::{RunEvent, event_schema};
use serde_json::{Value, json};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// A published file that differs is written to the target folder, to be looked at and copied.
fn check(name: &str, schema: &Value) {
    let expected = format!("{}\n", serde_json::to_string_pretty(schema).unwrap());
    let published = docs().join("schema").join(name);
    let found = fs::read_to_string(&published).unwrap_or_default();
    if found != expected {
        let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&new, expected).unwrap();
        panic!(
            "`docs/schema/{name}` is not what the code says; look at the change, raise the version if old readers \
             cannot read it, and copy it: cp {} {}",
            new.display(),
            published.display()
        );
    }
}

#[test]
fn the_schema_of_events_is_the_published_one() {
    check("event.json", &event_schema());
}

#[test]
fn the_schema_of_plans_is_the_published_one() {
    check("plan.json", &plan_schema(None));
}

/// The types that the schema knows.
fn types(schema: &Value) -> BTreeSet<String> {
    let variants = schema["$defs"]["Change"]["oneOf"].as_array().unwrap();
    variants
        .iter()
        .map(|variant| variant["properties"]["type"]["const"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_page_on_events_shows_every_type_as_it_is() {
    let page = fs::read_to_string(docs().join("events.md")).unwrap();
    let schema = event_schema();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let mut shown = BTreeSet::new();
    for line in page.lines().filter(|line| line.starts_with("{\"version\"")) {
        let json: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let faults: Vec<String> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(faults.is_empty(), "{line}: {faults:?}");
        let event: RunEvent = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(serde_json::to_value(&event).unwrap(), json, "the page shows every member");
        shown.insert(json["event"]["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(shown, types(&schema));
}

#[test]
fn a_reader_of_this_version_can_read_members_that_are_added_later() {
    let text = r#"{"version":1,"seq":3,"at":"2026-12-01T00:00:00.000Z","host":"a","event":{"type":"layer_started","track":"sea","layer":0,"nodes":4}}"#;
    let event: RunEvent = serde_json::from_str(text).unwrap();
    assert_eq!(event.seq, 3);
    let schema = event_schema();
    assert!(jsonschema::draft202012::new(&schema).unwrap().is_valid(&serde_json::from_str(text).unwrap()));
    let wrong = json!({"version": 1, "seq": 3, "at": "", "event": {"type": "layer_started", "track": "sea"}});
    assert!(!jsonschema::draft202012::new(&schema).unwrap().is_valid(&wrong));
}
