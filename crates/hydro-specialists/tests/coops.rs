//! The CO-OPS specialist against recorded answers. The cassettes beside this file hold data of our own in the
//! service's documented form; with `LEG_CONFORMANCE` set, real recordings are read too.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at what it does not expect"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hydro_specialists::{Specialists, all};
use leg_core::tool::Workbench;
use leg_core::{
    Agent, AgentTask, Evidence, EvidenceDraft, MemoryObjects, ObjectStore, Registry, ToolError,
    ToolErrorKind, ToolOutput,
};
use leg_fetch::{Cassette, Fetch, Request, Response, Scripted, Url};
use leg_testkit::FakeDesk;
use leg_testkit::conformance::{self, ToolCase};
use serde_json::{Value, json};

const TOOL: &str = "coops_get_water_level";

fn cassette(name: &str) -> Arc<Scripted> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes/coops");
    let cassette = Cassette::load(&folder.join(format!("{name}.json"))).unwrap();
    Arc::new(cassette.replay(name).unwrap())
}

fn objects() -> Arc<dyn ObjectStore> {
    Arc::new(MemoryObjects::default())
}

fn registry(specialists: Specialists) -> Arc<Registry> {
    let mut registry = Registry::default();
    for tool in specialists.tools {
        registry.add_tool(tool).unwrap();
    }
    for agent in specialists.agents {
        registry.add_agent(agent).unwrap();
    }
    Arc::new(registry)
}

async fn call(fetch: Arc<dyn Fetch>, arguments: Value) -> Result<ToolOutput, ToolError> {
    let registry = registry(all(fetch));
    let allowed = registry.tools().map(|tool| tool.spec.name.clone()).collect();
    Workbench::new(registry, allowed, objects()).call(TOOL, arguments).await
}

fn find<'a>(output: &'a ToolOutput, name: &str) -> &'a EvidenceDraft {
    output.evidence.iter().find(|draft| draft.name == name).unwrap_or_else(|| panic!("no `{name}`"))
}

/// A short text of the evidence, a line each.
fn shown(output: &ToolOutput) -> String {
    output.evidence.iter().fold(String::new(), |mut text, draft| {
        let (datum, when) = (draft.datum.as_deref().unwrap_or("-"), draft.when.as_deref().unwrap_or("-"));
        writeln!(text, "{} {} [{}] {datum} {when}", draft.name, draft.value, draft.unit).unwrap();
        text
    })
}

fn gaps_case() -> Value {
    json!({"station_id": "9990001", "begin": "2022-09-28T00:00:00Z", "end": "2022-09-28T01:00:00Z", "datum": "NAVD88"})
}

fn day(station: &str) -> Value {
    json!({"station_id": station, "begin": "2022-09-28", "end": "2022-09-28"})
}

#[tokio::test]
async fn gaps_stay_missing_and_evidence_names_datum_and_time() {
    let output = call(cassette("hour_with_gaps"), gaps_case()).await.unwrap();
    let series = &output.artifacts["result"];
    let json = series.to_json();
    assert_eq!(
        json["values"],
        json!([1.2, 1.35, null, null, 1.5, 1.5, -0.25, null, null, null, null]),
        "the grid of 6 minutes has every time of the window"
    );
    assert_eq!(json["coords"]["time"]["values"][3], "2022-09-28T00:18:00Z");
    assert_eq!((series.units(), &json["attributes"]["datum"]), ("m", &json!("NAVD88")));
    assert_eq!(
        shown(&output),
        "first 1.2 [m] NAVD88 2022-09-28T00:00:00Z\n\
         last -0.25 [m] NAVD88 2022-09-28T00:36:00Z\n\
         mean 1.06 [m] NAVD88 2022-09-28T00:00:00Z/2022-09-28T01:00:00Z\n\
         min -0.25 [m] NAVD88 2022-09-28T00:36:00Z\n\
         max 1.5 [m] NAVD88 2022-09-28T00:24:00Z\n\
         std 0.7427987614421553 [m] - 2022-09-28T00:00:00Z/2022-09-28T01:00:00Z\n\
         n 5 [1] - -\n\
         n_missing 6 [1] - -\n\
         n_preliminary 2 [1] - -\n"
    );
    let place = find(&output, "max").place.as_ref().unwrap();
    assert_eq!(place, &json!({"station": "9990001", "name": "Example Pier", "lon": -70.25, "lat": 40.1}));
    assert_eq!(output.notes.len(), 2, "{:?}", output.notes);
    assert!(output.notes[0].contains("the last value") && output.notes[0].contains("2022-09-28T00:36:00Z"));
    assert_eq!(output.sources.len(), 1);
    assert_eq!(output.sources[0].facts["status"], "200");
}

#[tokio::test]
async fn no_data_is_an_answer() {
    let output = call(cassette("no_data"), day("9990001")).await.unwrap();
    let text = shown(&output);
    assert!(text.starts_with("n 0 [1] - -\nn_missing 240 [1] - -\nno_data \"No data was found."), "{text}");
    assert!(text.contains("2022-09-28T00:00:00Z/2022-09-28T23:59:00Z"), "{text}");
    assert!(output.artifacts["result"].primary().unwrap().values.iter().all(|value| value.is_nan()));
}

#[tokio::test]
async fn a_datum_that_the_station_does_not_have_is_refused_with_those_that_it_has() {
    let mut arguments = day("9990001");
    arguments["datum"] = json!("NAVD");
    let error = call(cassette("no_datum"), arguments.clone()).await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::NotFound);
    assert_eq!(
        error.message,
        "station `9990001` has no `NAVD88` datum; ask for one of: MHHW, MSL, MLLW, STND"
    );
    // Without the table the message still helps.
    let asked = cassette("no_datum");
    call(Arc::clone(&asked) as Arc<dyn Fetch>, arguments.clone()).await.unwrap_err();
    assert_eq!(asked.asked().len(), 2);
    let path = asked.asked()[0].to_string().replace("GET ", "").replace(' ', "%20");
    let url = Url::parse(&format!("https://h{path}")).unwrap();
    let alone = Scripted::new("alone")
        .answer(&Request::get(url), Response::json(r#"{"error": {"message": "Wrong Datum"}}"#));
    let error = call(Arc::new(alone), arguments).await.unwrap_err();
    assert!(error.message.contains("MLLW, NAVD88, STND"), "{}", error.message);
}

#[tokio::test]
async fn a_long_window_is_asked_for_in_parts_and_joined() {
    let arguments = json!({"station_id": "9990001", "begin": "2021", "end": "2022-01-05", "datum": "MSL",
                           "units": "english", "interval": "h"});
    let output = call(cassette("hourly_in_parts"), arguments).await.unwrap();
    assert_eq!(output.sources.len(), 2);
    assert_eq!(find(&output, "max").value, json!(2.3));
    assert_eq!(find(&output, "max").unit, "ft");
    assert_eq!(find(&output, "n").value, json!(24));
    assert_eq!(find(&output, "n_missing").value, json!(370 * 24 - 24));
    assert!(
        output.notes[0].starts_with("station `9990001`, 2022-01-01T00:00:00Z/2022-01-05T23:59:00Z: No data")
    );
}

#[tokio::test]
async fn high_and_low_waters_keep_their_kind() {
    let mut arguments = day("9990001");
    arguments["interval"] = json!("hilo");
    let output = call(cassette("high_low"), arguments).await.unwrap();
    let json = output.artifacts["result"].to_json();
    assert_eq!(json["coords"]["tide"]["values"], json!(["H", "L", "HH", "LL"]));
    assert_eq!(find(&output, "min").when.as_deref(), Some("2022-09-28T20:00:00Z"));
    assert_eq!(find(&output, "n_missing").value, json!(0));
}

#[tokio::test]
async fn refusals_name_what_is_wrong_and_only_a_busy_service_is_tried_again() {
    for (station, kind, part) in [
        ("9990002", ToolErrorKind::InvalidArguments, "The station ID is not valid."),
        ("9990003", ToolErrorKind::Unavailable, "status 503; try again later"),
        ("9990004", ToolErrorKind::BadData, "cannot be read"),
        ("9990005", ToolErrorKind::NotFound, "the nearest that it has is"),
    ] {
        let error = call(cassette("refusals"), day(station)).await.unwrap_err();
        assert_eq!(error.kind, kind, "{station}: {error}");
        assert!(error.message.contains(part), "{station}: {error}");
    }
}

#[tokio::test]
async fn windows_that_cannot_be_are_refused_before_anything_is_asked() {
    let fetch = Arc::new(Scripted::new("nothing"));
    for (begin, end, kind) in [
        ("2022-09-29", "2022-09-28", ToolErrorKind::InvalidArguments),
        ("1990", "2022", ToolErrorKind::LimitExceeded),
        ("soon", "2022", ToolErrorKind::InvalidArguments),
    ] {
        let arguments = json!({"station_id": "9990001", "begin": begin, "end": end});
        let error = call(Arc::clone(&fetch) as Arc<dyn Fetch>, arguments).await.unwrap_err();
        assert_eq!(error.kind, kind, "{begin}: {error}");
    }
    assert!(fetch.asked().is_empty());
}

#[tokio::test]
async fn the_tool_conforms() {
    let specialists = all(cassette("hour_with_gaps"));
    let cases = [ToolCase::new("gaps", gaps_case())];
    conformance::tool(&specialists.tools[0], &cases, &objects()).await;
    let specialists = all(cassette("no_data"));
    conformance::tool(&specialists.tools[0], &[ToolCase::new("no data", day("9990001"))], &objects()).await;
}

fn task(task: &str) -> AgentTask {
    AgentTask { task: task.into(), question: String::new(), context: String::new(), evidence: Vec::new() }
}

async fn work(name: &str, task: AgentTask) -> (leg_core::AgentAnswer, FakeDesk) {
    let specialists = all(cassette(name));
    let agent: Arc<dyn Agent> = Arc::clone(&specialists.agents[0]);
    let desk = FakeDesk::new(registry(specialists), &agent.spec());
    (agent.work(task, &desk).await.unwrap(), desk)
}

#[tokio::test]
async fn the_agent_finds_station_dates_and_datum_in_its_task() {
    let words = "highest water above NAVD88 at 9990001 from 2022-09-28 00:00 to 2022-09-28 01:00";
    let (answer, desk) = work("hour_with_gaps", task(words)).await;
    assert_eq!(answer.gaps, [] as [&str; 0]);
    assert_eq!(
        answer.text,
        "The highest observed water level at Example Pier (station 9990001) was 1.5 m above NAVD88 on 28 September 2022 at \
         00:24 UTC. [coops.max]\n\
         The last observed water level at Example Pier (station 9990001) was -0.25 m relative to NAVD88 on 28 September 2022 \
         at 00:36 UTC. [coops.last]"
    );
    assert_eq!(desk.calls()[0].1["interval"], "6");
}

#[tokio::test]
async fn the_agent_takes_dates_from_the_storm_track_before_it() {
    let evidence: Evidence = serde_json::from_value(json!({
        "key": "nhc.landfall_1", "name": "landfall_1", "value": 130, "unit": "knot", "method": "best track",
        "when": "2022-09-28T19:05:00Z"
    }))
    .unwrap();
    let mut asked = task("highest water at 9990001, NAVD88");
    asked.evidence.push(evidence);
    let (answer, desk) = work("hour_with_gaps", asked).await;
    let calls = desk.calls();
    assert_eq!(
        (&calls[0].1["begin"], &calls[0].1["end"]),
        (&json!("2022-09-27T19:05:00Z"), &json!("2022-09-29T19:05:00Z"))
    );
    assert_eq!(answer.gaps.len(), 1, "{answer:?}");
}

#[tokio::test]
async fn what_the_agent_does_not_find_becomes_a_gap() {
    let (answer, desk) = work("no_data", task("how high was the water at the pier?")).await;
    assert_eq!(answer.gaps.len(), 2, "{:?}", answer.gaps);
    assert!(answer.gaps[0].contains("station id") && answer.gaps[1].contains("no date"), "{:?}", answer.gaps);
    assert!(desk.calls().is_empty(), "nothing is guessed");

    let (answer, _) = work("no_data", task("9990001 on 28 September 2022")).await;
    assert_eq!(answer.text, "");
    assert!(answer.gaps[0].starts_with("station `9990001` has no observed water level"), "{:?}", answer.gaps);

    let (answer, _) = work("no_datum", task("9990001 on 28 September 2022 above NAVD88")).await;
    assert!(answer.gaps[0].contains("ask for one of: MHHW, MSL, MLLW, STND"), "{:?}", answer.gaps);
}

#[tokio::test]
async fn a_call_outside_the_agents_list_is_refused() {
    let specialists = all(cassette("no_data"));
    let mut spec = specialists.agents[0].spec();
    spec.tools.clear();
    let agent = Arc::clone(&specialists.agents[0]);
    let desk = FakeDesk::new(registry(specialists), &spec);
    let answer = agent.work(task("9990001 on 2022-09-28"), &desk).await.unwrap();
    assert!(answer.gaps[0].contains("not on the allow-list"), "{:?}", answer.gaps);
}

/// The folder of real recordings, if there is one.
fn recordings() -> Option<PathBuf> {
    let folder = std::env::var_os("LEG_CONFORMANCE").map(|root| PathBuf::from(root).join("hydro/fixtures"));
    if folder.is_none() {
        println!("skipped: set LEG_CONFORMANCE to the folder of the recordings");
    }
    folder
}

/// The recorded answer to the request of a fixture, and the recorded request itself.
fn fixture(folder: &Path, file: &str) -> (Url, Vec<u8>, toml::Table) {
    let index: toml::Table = std::fs::read_to_string(folder.join("INDEX.toml")).unwrap().parse().unwrap();
    let entry = index["fixture"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["file"].as_str() == Some(file))
        .unwrap_or_else(|| panic!("no fixture `{file}`"))
        .as_table()
        .unwrap()
        .clone();
    let request = entry["request"].as_str().unwrap();
    (Url::parse(&format!("https://h/{request}")).unwrap(), std::fs::read(folder.join(file)).unwrap(), entry)
}

fn fact(entry: &toml::Table, name: &str) -> toml::Value {
    let facts = entry["facts"].as_array().unwrap();
    facts.iter().find(|fact| fact["name"].as_str() == Some(name)).unwrap()["value"].clone()
}

/// The recorded request as our client would send it: its own name, and no `interval`, which levels do not have.
fn as_ours(recorded: &Url) -> Request {
    let url = Url::parse("https://h").unwrap().join(recorded.path());
    let kept =
        recorded.query().iter().filter(|(name, _)| !matches!(name.as_str(), "application" | "interval"));
    let url = kept.fold(url, |url, (name, value)| url.with_query(name, value.as_str()));
    Request::get(url.with_query("application", "leg"))
}

#[tokio::test]
async fn real_recordings_are_read_as_their_index_says() {
    let Some(folder) = recordings() else { return };
    let (recorded, body, entry) = fixture(&folder, "coops/water_level_9447130_20150101.json");
    let fetch = Scripted::new("recording").answer(&as_ours(&recorded), Response::json(body));
    let arguments =
        json!({"station_id": "9447130", "begin": "2015-01-01T00:00:00Z", "end": "2015-01-02T00:00:00Z"});
    let output = call(Arc::new(fetch), arguments).await.unwrap();
    assert_eq!(find(&output, "n").value.as_i64(), fact(&entry, "rows").as_integer());
    assert_eq!(find(&output, "n_missing").value, json!(0));
    assert_eq!(find(&output, "n_preliminary").value, json!(0));
    assert_eq!(find(&output, "first").value.as_f64(), fact(&entry, "first value").as_float());
    let max = find(&output, "max");
    assert_eq!(max.value.as_f64(), fact(&entry, "max").as_float());
    assert_eq!((max.unit.as_str(), max.datum.as_deref()), ("m", Some("MLLW")));
    let when = fact(&entry, "time of max").as_str().unwrap().replace(' ', "T");
    assert_eq!(max.when.as_deref(), Some(format!("{when}:00Z").as_str()));

    let (recorded, body, entry) = fixture(&folder, "coops/water_level_8725110_short.json");
    let fetch = Scripted::new("recording").answer(&as_ours(&recorded), Response::json(body));
    let arguments = json!({"station_id": "8725110", "begin": "2021-01-01T00:00:00Z",
                           "end": "2021-01-01T00:10:00Z", "datum": "STND"});
    let output = call(Arc::new(fetch), arguments).await.unwrap();
    assert_eq!(find(&output, "first").value.as_f64(), fact(&entry, "first").as_float());
    assert_eq!(find(&output, "n").value.as_i64(), fact(&entry, "rows").as_integer());
    let place = find(&output, "max").place.clone().unwrap();
    assert_eq!(place["name"].as_str(), fact(&entry, "station name").as_str());
}

#[tokio::test]
async fn a_real_answer_without_data_is_evidence() {
    let Some(folder) = recordings() else { return };
    let (recorded, body, entry) = fixture(&folder, "coops/error_no_data.json");
    let fetch = Scripted::new("recording").answer(&as_ours(&recorded), Response::json(body));
    let arguments = json!({"station_id": "8725114", "begin": "2021-01-01T00:00:00Z",
                           "end": "2021-01-01T00:10:00Z", "datum": "STND"});
    let output = call(Arc::new(fetch), arguments).await.unwrap();
    let said = find(&output, "no_data").value.as_str().unwrap().to_owned();
    assert!(said.starts_with(fact(&entry, "message starts").as_str().unwrap()), "{said}");
}
