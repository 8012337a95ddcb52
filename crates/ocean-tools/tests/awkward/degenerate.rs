//! Data that lack what a tool counts on: an honest answer, or an error that says what to do.

use leg_core::{Coord, ToolError, ToolErrorKind, ToolOutput};
use ocean_data::cf::Attribute;
use ocean_data::dataset::MemoryVariable;
use serde_json::{Value, json};

use crate::answers::{self, Answers};
use crate::fixture::Bench;
use crate::world::{World, along, attribute, blank, each, each_value};

/// Every tool answers, or refuses in a way that a planner can act on.
async fn must_be_honest(variant: &str, bench: Bench) -> Answers {
    let answers = answers::all(bench).await;
    let mut found = Vec::new();
    for ((tool, case), answer) in &answers {
        let problem = match answer {
            Ok(output) => dishonest(output),
            Err(error) => unkind(error),
        };
        found.extend(problem.map(|problem| format!("`{tool}` ({case}): {problem}")));
        if std::env::var_os("AWKWARD_SHOW").is_some() {
            match answer {
                Ok(output) => {
                    let facts: Vec<String> = (output.evidence.iter())
                        .map(|draft| format!("{}={}", draft.name, draft.value))
                        .collect();
                    println!("{variant}: {tool} ({case}): {}", facts.join(", "));
                }
                Err(error) => println!("{variant}: {tool} ({case}): {:?}: {}", error.kind, error.message),
            }
        }
    }
    assert!(found.is_empty(), "{variant}: {} answers\n{}", found.len(), found.join("\n"));
    answers
}

/// A number that is not finite and no gap.
fn dishonest(output: &ToolOutput) -> Option<String> {
    let arrays = output.artifacts.values().flat_map(|artifact| &artifact.variables);
    let infinite = arrays.filter(|variable| variable.values.iter().any(|value| value.is_infinite()));
    if let Some(variable) = infinite.into_iter().next() {
        return Some(format!("`{}` holds a value that is not finite", variable.name));
    }
    let texts = ["NaN", "nan", "inf", "Infinity"];
    let text = output.evidence.iter().find(|draft| draft.value.as_str().is_some_and(|v| texts.contains(&v)));
    text.map(|draft| format!("`{}` is a text for what is missing: {}", draft.name, draft.value))
}

/// An error that is ours, or that no one can act on.
fn unkind(error: &ToolError) -> Option<String> {
    use ToolErrorKind::{BadData, InvalidArguments, LimitExceeded, NoData, NotFound};
    let fits = [BadData, InvalidArguments, LimitExceeded, NoData, NotFound].contains(&error.kind);
    (!fits || error.message.len() < 20).then(|| format!("{:?}: {}", error.kind, error.message))
}

fn only(variables: Vec<MemoryVariable>, dimension: &str, at: usize) -> Vec<MemoryVariable> {
    along(variables, dimension, |length| vec![at.min(length - 1)])
}

#[tokio::test]
async fn all_land() {
    let world = World::plain().change(|all| blank(all, |_| true, &[]));
    let answers = must_be_honest("all land", world.bench()).await;
    let plain = answers::all(World::plain().bench()).await;
    let mut found = Vec::new();
    for (key, answer) in &answers {
        let (Ok(output), Some(Ok(wet))) = (answer, plain.get(key)) else { continue };
        let (tool, case) = key;
        for draft in &output.evidence {
            // What the water does not change follows from arguments, axes or series that the call gives.
            let same =
                wet.evidence.iter().any(|other| other.name == draft.name && other.value == draft.value);
            if draft.value.is_number()
                && !same
                && !is_count(&draft.name)
                && !MADE_ON_LAND.contains(&tool.as_str())
            {
                found.push(format!("`{tool}` ({case}): {} is {} {}", draft.name, draft.value, draft.unit));
            }
        }
    }
    assert!(found.is_empty(), "found on land\n{}", found.join("\n"));
}

/// Tools that make values where there are none, because the call says so: a fill value, masks with a side that is known
/// (what is not inside is not both), and a condition that asks for what is missing.
const MADE_ON_LAND: [&str; 3] = ["apply_mask", "build_condition_mask", "combine_masks"];

/// Whether evidence counts something, so that 0 is a finding.
fn is_count(name: &str) -> bool {
    name == "n"
        || name.starts_with("n_")
        || name.ends_with("_n")
        || name.ends_with("_n_missing")
        || COUNTS.contains(&name)
}

const COUNTS: [&str; 5] = ["faces", "rows", "size", "sum_weights", "vortex_cells"];

#[tokio::test]
async fn one_variable_is_missing() {
    for name in ["so", "vo", "thetao"] {
        let world = World::plain().change(|all| blank(all, |variable| variable.name == name, &[]));
        must_be_honest(name, world.bench()).await;
    }
}

#[tokio::test]
async fn one_cell() {
    for place in [0, 2] {
        let world = World::plain().change(|all| only(only(all, "lat", place), "lon", place));
        must_be_honest("one cell", world.bench()).await;
    }
    must_be_honest("one row", World::plain().change(|all| only(all, "lat", 2)).bench()).await;
    must_be_honest("one column", World::plain().change(|all| only(all, "lon", 2)).bench()).await;
}

#[tokio::test]
async fn one_time() {
    must_be_honest("one time", World::plain().change(|all| only(all, "time", 0)).bench()).await;
    let two = World::plain().change(|all| along(all, "time", |_| vec![12, 13]));
    must_be_honest("two times", two.bench()).await;
}

#[tokio::test]
async fn one_level() {
    must_be_honest("one level", World::plain().change(|all| only(all, "depth", 1)).bench()).await;
    let two = World::plain().change(|all| along(all, "depth", |_| vec![0, 1]));
    must_be_honest("two levels", two.bench()).await;
}

/// Maps that a missing column changes beyond its neighbours, with the reason.
const SPREADS: [(&str, &str); 15] = [
    ("apply_fdr_control", "a p value is adjusted by all others"),
    ("cluster_regions", "groups are of the whole region"),
    ("compute_mca", "patterns are of the whole region"),
    ("fill_gaps", "it fills by modes and from all round"),
    ("compute_distance_to_coast", "what is always missing is land, and has a coast"),
    ("build_condition_mask", "its condition names the mean of a row"),
    ("compute_derived_field (sobel)", "its reference fills what is missing with the mean of the map"),
    ("compute_transport_streamfunction_map", "it is summed from the south"),
    ("compute_regression_map", "its index is the mean of the region"),
    ("compute_composite_field", "its index is the mean of the region"),
    ("compute_okubo_weiss", "it is measured by the spread of the map"),
    ("regrid_conservative", "its cells are wider"),
    ("filter_data", "its window reaches farther than a cell"),
    ("perform_eof_analysis", "patterns are of the whole region"),
    ("cluster_water_masses", "groups are of the whole region"),
];

/// The first value of a map that has changed though it is more than a cell away from the missing column.
fn changed_far_away(plain: &ToolOutput, missing: &ToolOutput) -> Option<String> {
    for (name, artifact) in &plain.artifacts {
        let other = missing.artifacts.get(name)?;
        let (Some(lat), Some(lon)) = (artifact.coords.get("lat"), artifact.coords.get("lon")) else {
            continue;
        };
        let numbers = |coord: &Coord| -> Vec<f64> { coord.values.iter().filter_map(Value::as_f64).collect() };
        let (lat, lon) = (numbers(lat), numbers(lon));
        // The third row and column of `grid`, in steps of 3 degrees, or of `ocean`, in steps of 1.
        let is_ocean = lon.first().is_some_and(|lon| *lon < 0.0);
        let (y0, x0, step) = if is_ocean { (32.0, -38.0, 1.0) } else { (1.5, 156.5, 3.0) };
        for (own, their) in artifact.variables.iter().zip(&other.variables) {
            let [.., rows, columns] = own.shape.as_slice() else { continue };
            if !own.dims.ends_with(&["lat".to_owned(), "lon".to_owned()]) || own.shape != their.shape {
                continue;
            }
            for (at, (a, b)) in own.values.iter().zip(&their.values).enumerate() {
                let (y, x) = (lat[at / columns % rows], lon[at % columns]);
                let is_far = (y - y0).abs() > 1.01 * step || (x - x0).abs() > 1.01 * step;
                let is_same = (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
                if is_far && !is_same {
                    return Some(format!("{a} became {b} in `{}` at {x}, {y}", own.name));
                }
            }
        }
    }
    None
}

#[tokio::test]
async fn nothing_in_the_middle() {
    let column = World::plain().change(|all| blank(all, |_| true, &[("lat", 2), ("lon", 2)]));
    let column = must_be_honest("a column is missing", column.bench()).await;
    let plain = answers::all(World::plain().bench()).await;
    let found: Vec<String> = (column.iter())
        .filter(|((tool, case), _)| {
            let with_case = format!("{tool} ({case})");
            !SPREADS.iter().any(|(name, _)| name == tool || *name == with_case)
        })
        .filter_map(|(key, answer)| {
            let (Ok(missing), Some(Ok(plain))) = (answer, plain.get(key)) else { return None };
            let changed = changed_far_away(plain, missing)?;
            Some(format!("`{}` ({}): {changed}", key.0, key.1))
        })
        .collect();
    assert!(found.is_empty(), "a missing column changes what is far from it\n{}", found.join("\n"));
    let time = World::plain().change(|all| blank(all, |_| true, &[("time", 13)]));
    must_be_honest("a time is missing", time.bench()).await;
    let level = World::plain().change(|all| blank(all, |_| true, &[("depth", 2)]));
    must_be_honest("a level is missing", level.bench()).await;
}

/// Another calendar whose months have the lengths that it says.
fn in_calendar(
    variables: Vec<MemoryVariable>,
    calendar: &str,
    days: impl Fn(usize) -> f64,
) -> Vec<MemoryVariable> {
    each(variables, |variable| {
        if variable.name == "time" {
            attribute(variable, "calendar", Attribute::Text(calendar.to_owned()));
            variable.values.iter_mut().enumerate().for_each(|(at, value)| *value = days(at));
        }
    })
}

#[tokio::test]
async fn other_calendars() {
    let days = World::plain().change(|all| in_calendar(all, "360_day", |at| 30.0 * at as f64));
    must_be_honest("360_day", days.bench()).await;
    let starts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let noleap = move |at: usize| f64::from(starts[at % 12]) + 365.0 * (at / 12) as f64;
    let noleap = World::plain().change(|all| in_calendar(all, "noleap", noleap));
    must_be_honest("noleap", noleap.bench()).await;
}

#[tokio::test]
async fn gaps_in_time() {
    let gap = World::plain()
        .change(|all| along(all, "time", |length| (0..length).filter(|at| !(9..13).contains(at)).collect()));
    must_be_honest("gap", gap.bench()).await;
    let twice = World::plain()
        .change(|all| each_value(all, "time", |days| if (days - 31.0).abs() < 0.5 { 0.0 } else { days }));
    must_be_honest("a time twice", twice.bench()).await;
}

/// Every selection of a call gets this region.
fn in_region(value: &mut Value, region: &Value) {
    match value {
        Value::Object(members) => {
            if members.contains_key("variable") {
                members.insert("region".to_owned(), region.clone());
            }
            members.values_mut().for_each(|member| in_region(member, region));
        }
        Value::Array(members) => members.iter_mut().for_each(|member| in_region(member, region)),
        _ => {}
    }
}

#[tokio::test]
async fn regions_outside_and_at_an_edge() {
    let outside = |mut arguments| {
        in_region(&mut arguments, &json!({"lon": [60, 70], "lat": [60, 70]}));
        arguments
    };
    let answers = must_be_honest("outside", Bench { rewrite: outside, ..World::plain().bench() }).await;
    let answered: Vec<String> = (answers.iter())
        .filter(|(_, answer)| answer.is_ok())
        .map(|((tool, case), _)| format!("{tool} ({case})"))
        .collect();
    if std::env::var_os("AWKWARD_SHOW").is_some() {
        println!("outside answered: {answered:#?}");
    }
    let edge = |mut arguments| {
        in_region(&mut arguments, &json!({"lon": [-39.5, -38.5], "lat": [31.5, 31.5]}));
        arguments
    };
    must_be_honest("edge", Bench { rewrite: edge, ..World::plain().bench() }).await;
}
