//! Real data against reference values; they run where `LEG_CONFORMANCE` names the folder that holds both.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::plans::{artifact, largest_difference, plan, values, whole_mean};
use crate::program::{Desk, text};

const QUESTION: &str = "How did the Niño 3.4 sea surface temperature anomaly evolve from 2010 to 2019 \
                        relative to 2010-2019, and when was it warmest?";

/// The folder, or nothing and a word about it.
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("LEG_CONFORMANCE").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: LEG_CONFORMANCE is not set");
    }
    folder
}

fn sst(folder: &Path) -> String {
    text(&folder.join("data/ersstv5_2010_2020.nc"))
}

/// A case of a reference file.
struct Case(Value);

impl Case {
    fn read(folder: &Path, file: &str, id: &str) -> Self {
        let bytes = std::fs::read(folder.join("reference").join(file)).unwrap();
        let all: Value = serde_json::from_slice(&bytes).unwrap();
        let case = all["cases"].as_array().unwrap().iter().find(|case| case["id"] == id);
        Self(case.unwrap().clone())
    }

    fn at(&self, pointer: &str) -> &Value {
        self.0["expected"].pointer(pointer).unwrap_or_else(|| panic!("no {pointer}"))
    }

    /// The value is within the tolerance of the case.
    #[track_caller]
    fn is(&self, value: f64, expected: &Value) {
        let expected = expected.as_f64().unwrap();
        let tolerance = &self.0["tolerance"];
        let [rtol, atol] = ["rtol", "atol"].map(|key| tolerance[key].as_f64().unwrap());
        assert!((value - expected).abs() <= atol + rtol * expected.abs(), "{value}, and not {expected}");
    }

    /// Every `step`th value, as far as both have some.
    #[track_caller]
    fn every(&self, step: usize, values: &[f64], pointer: &str) -> usize {
        let expected = self.at(pointer).as_array().unwrap();
        let pairs = values.iter().step_by(step).zip(expected);
        pairs.map(|(&value, expected)| self.is(value, expected)).count()
    }
}

/// Evidence of a run's document by its key.
fn evidence<'a>(document: &'a Value, key: &str) -> &'a Value {
    let all = document["report"]["evidence"].as_array().unwrap();
    all.iter().find(|one| one["key"] == key).unwrap_or_else(|| panic!("no evidence `{key}`"))
}

fn run(desk: &Desk, plan: &str, data: &str) -> Value {
    let file = desk.file("plan.json", plan);
    desk.leg(&["run", &file, "--data", data, "--yes", "--json", "--values"]).with_code(0).json()
}

fn ask(desk: &Desk, data: &str) -> Value {
    desk.leg(&["ask", QUESTION, "--data", data, "--yes", "--json", "--values"]).with_code(0).json()
}

#[test]
fn the_nino_question_has_the_reference_answer() {
    let Some(folder) = folder() else { return };
    let case = Case::read(&folder, "climate_index.json", "ersst_nino34_2010_2019");
    let desk = Desk::new();
    let document = ask(&desk, &sst(&folder));
    assert_eq!(document["status"], "ok");

    for (key, pointer) in [("index.max", "/anomaly_max"), ("index.min", "/anomaly_min")] {
        let found = evidence(&document, key);
        case.is(found["value"].as_f64().unwrap(), &case.at(pointer)["value"]);
        assert_eq!(found["when"], case.at(pointer)["month"]);
    }
    case.is(evidence(&document, "index.max")["value"].as_f64().unwrap(), &json!(2.669_892_915));
    case.is(evidence(&document, "index.min")["value"].as_f64().unwrap(), &json!(-1.702_616_119));

    let series = values(&document, "index");
    assert_eq!(series.len(), 120);
    assert_eq!(case.every(24, &series, "/every_24th"), 5);
    let months = artifact(&document, "index")["coords"]["period"]["values"].as_array().unwrap();
    let mut order: Vec<usize> = (0..series.len()).collect();
    order.sort_by(|&a, &b| series[b].total_cmp(&series[a]));
    for (at, top) in order.into_iter().zip(case.at("/top5").as_array().unwrap()) {
        assert_eq!(months[at], top["month"]);
        case.is(series[at], &top["value"]);
    }
    let markdown = document["report"]["markdown"].as_str().unwrap();
    assert!(markdown.contains("November 2015, 2.67 °C above"), "{markdown}");
    desk.leg(&["verify", document["run_id"].as_str().unwrap()]).with_code(0);
    desk.leg(&["replay", document["run_id"].as_str().unwrap()]).with_code(0);
}

/// The index over the whole record, relative to its first ten years.
fn whole_index() -> String {
    let steps = json!([
        { "id": "field", "tool": "load_dataset", "args": { "variable": "sst" } },
        { "id": "index", "tool": "compute_climate_index", "args": {
            "sst": { "$ref": "field" }, "index": "nino34", "baseline": ["2010", "2019"], "weighting": "cos_lat" } },
    ]);
    plan(&steps, "index")
}

#[test]
fn the_index_of_the_whole_record_agrees() {
    let Some(folder) = folder() else { return };
    let case = Case::read(&folder, "climate_index.json", "ersst_nino34_2010_2019");
    let document = run(&Desk::new(), &whole_index(), &sst(&folder));
    let series = values(&document, "index");
    assert_eq!(case.every(24, &series, "/every_24th"), 6);
    case.is(evidence(&document, "index.std")["value"].as_f64().unwrap(), case.at("/anomaly_std_ddof1"));
    let cycle = &artifact(&document, "index")["attributes"]["climatology"];
    let cycle: Vec<f64> = cycle.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    assert_eq!(case.every(1, &cycle, "/climatology_jan_to_dec"), 12);
}

#[test]
fn the_global_mean_agrees() {
    let Some(folder) = folder() else { return };
    let case = Case::read(&folder, "area_mean.json", "ersst_global");
    let document = run(&Desk::new(), &whole_mean(&json!({ "weighting": "cos_lat" })), &sst(&folder));
    let series = values(&document, "mean");
    assert_eq!(&json!(series.len()), case.at("/n"));
    for name in ["first", "last", "mean", "min", "max"] {
        let found = evidence(&document, &format!("mean.{name}"))["value"].as_f64().unwrap();
        case.is(found, case.at(&format!("/{name}")));
    }
    assert_eq!(case.every(12, &series, "/every_12th"), 11);
    let largest = (0..series.len()).max_by(|&a, &b| series[a].total_cmp(&series[b]));
    let smallest = (0..series.len()).min_by(|&a, &b| series[a].total_cmp(&series[b]));
    assert_eq!(json!([smallest, largest]), json!([case.at("/argmin"), case.at("/argmax")]));
}

#[test]
fn a_zarr_copy_gives_the_same_values() {
    let Some(folder) = folder() else { return };
    let desk = Desk::new();
    desk.leg(&["data", "convert", &sst(&folder), "copy.zarr"]).with_code(0);
    let mean = whole_mean(&json!({}));
    let (index, plan) = (ask(&desk, &sst(&folder)), run(&desk, &mean, &sst(&folder)));
    let (index_copy, plan_copy) = (ask(&desk, "copy.zarr"), run(&desk, &mean, "copy.zarr"));
    for (step, whole, copy) in [("index", index, index_copy), ("mean", plan, plan_copy)] {
        let difference = largest_difference(&values(&copy, step), &values(&whole, step));
        assert!(difference <= 1e-10, "{step} differs by {difference}");
    }
}
