//! The same data in another form: the facts stay.

use ndarray::Ix1;
use ocean_data::cf::Attribute;
use ocean_data::dataset::MemoryVariable;
use serde_json::Value;

use crate::answers::{self, Answers};
use crate::equal::differences;
use crate::fixture::Bench;
use crate::world::{World, along, attribute, blank, each, each_value, is_data, span};

/// Laws that do not hold for a tool in a variant, with the reason. `*` is every variant.
const EXCEPTIONS: [(&str, &str, &str); 21] = [
    ("missing time", "compute_closed_boundary_flux", "it has a row for each time"),
    ("missing time", "compute_transport_by_layer", "it has a row for each time"),
    ("missing time", "export_netcdf (series)", "it has a value for each time"),
    ("turned", "match_observations", "its rows keep the longitudes of the model"),
    ("Greenwich", "match_observations", "its rows keep the longitudes of the model"),
    ("missing time", "assemble_dataset", "it describes the arrays"),
    ("missing time", "cluster_regions", "a cell needs every time"),
    ("missing time", "compute_density_gradient_profile", "it counts columns a time"),
    ("missing time", "compute_eddy_flux", "it counts the times"),
    ("missing time", "compute_energy_conversion", "it counts the times"),
    ("missing time", "compute_ftle", "particles drift over an absent time"),
    ("missing time", "advect_particles", "particles drift over an absent time"),
    ("missing time", "compute_mca", "it needs every time"),
    ("*", "compute_variable_summary", "it describes the arrays as they are stored"),
    ("*", "get_dataset_info", "it describes the axes as they are stored"),
    ("missing time", "compute_coverage", "it tells missing from absent"),
    ("missing time", "export_table", "it has a row for each time"),
    ("missing time", "interpolate_data", "it counts what is missing"),
    ("missing time", "load_dataset", "it describes the times"),
    ("missing time", "compute_regression_map", "its lags count the values that are there"),
    ("*", "compute_anomaly (own)", "with two years all are ±1/√2: rounding decides where the largest stands"),
];

fn excepted(variant: &str, tool: &str, case: &str) -> bool {
    let with_case = format!("{tool} ({case})");
    EXCEPTIONS.iter().any(|(in_variant, of, _)| {
        (*in_variant == "*" || *in_variant == variant) && (*of == tool || *of == with_case)
    })
}

/// All tools must say of the variant what they say of the plain data.
async fn must_agree(variant: &str, plain: Bench, other: Bench) {
    let (plain, other) = (answers::all(plain).await, answers::all(other).await);
    let found = disagreements(variant, &plain, &other);
    assert!(found.is_empty(), "{variant}: {} answers changed\n{}", found.len(), found.join("\n"));
    let answered = plain.values().filter(|answer| answer.is_ok()).count();
    assert!(answered * 10 > plain.len() * 8, "only {answered} of {} calls were answered", plain.len());
}

fn disagreements(variant: &str, plain: &Answers, other: &Answers) -> Vec<String> {
    let mut found = Vec::new();
    for ((tool, case), answer) in plain {
        if excepted(variant, tool, case) {
            continue;
        }
        let label = format!("`{tool}` ({case})");
        match (answer, other.get(&(tool.clone(), case.clone()))) {
            (Ok(own), Some(Ok(their))) => {
                let own = differences(own, their);
                found.extend(own.first().map(|first| format!("{label}, {} differ: {first}", own.len())));
            }
            (Ok(_), Some(Err(error))) => found.push(format!("{label} is refused: {error}")),
            (Ok(_), None) => found.push(format!("{label} is not answered")),
            (Err(_), _) => {}
        }
    }
    found
}

/// Reverses an axis.
fn reversed(variables: Vec<MemoryVariable>, dimension: &str) -> Vec<MemoryVariable> {
    along(variables, dimension, |length| (0..length).rev().collect())
}

/// Longitudes between -180 and 180, in the order that is stored.
fn west(variables: Vec<MemoryVariable>) -> Vec<MemoryVariable> {
    each_value(variables, "lon", |lon| if lon >= 180.0 { lon - 360.0 } else { lon })
}

/// Longitudes between 0 and 360, in the order that is stored.
fn east(variables: Vec<MemoryVariable>) -> Vec<MemoryVariable> {
    each_value(variables, "lon", |lon| lon.rem_euclid(360.0))
}

/// Along rising longitudes, as a whole globe would be stored.
fn rising(variables: Vec<MemoryVariable>) -> Vec<MemoryVariable> {
    let lon = variables.iter().find(|variable| variable.name == "lon").unwrap();
    let lon = lon.values.clone().into_dimensionality::<Ix1>().unwrap();
    let mut order: Vec<usize> = (0..lon.len()).collect();
    order.sort_by(|&a, &b| lon[a].total_cmp(&lon[b]));
    along(variables, "lon", move |_| order.clone())
}

#[tokio::test]
async fn latitudes_may_fall() {
    must_agree("latitude", World::plain().bench(), World::plain().change(|all| reversed(all, "lat")).bench())
        .await;
}

#[tokio::test]
async fn longitudes_may_fall() {
    must_agree(
        "longitude",
        World::plain().bench(),
        World::plain().change(|all| reversed(all, "lon")).bench(),
    )
    .await;
}

#[tokio::test]
async fn longitudes_may_be_turned() {
    // `grid` counts from 0 and `ocean` from -180.
    let turned = World::plain().change(|all| {
        let is_east = all.iter().any(|variable| variable.name == "lon" && span(&variable.values).1 > 180.0);
        if is_east { west(all) } else { east(all) }
    });
    must_agree("turned", World::plain().bench(), turned.bench()).await;
}

#[tokio::test]
async fn the_date_line_may_cut_a_grid() {
    must_agree("cut", World::plain().bench(), World::plain().change(|all| rising(west(all))).bench()).await;
}

fn bench_at(world: World, rewrite: fn(Value) -> Value) -> Bench {
    Bench { rewrite, ..world.bench() }
}

#[tokio::test]
async fn a_grid_may_cross_greenwich() {
    let to = |arguments| answers::moved(arguments, 38.0);
    let plain = || World::moved(38.0);
    must_agree("Greenwich", bench_at(plain(), to), bench_at(plain().change(east), to)).await;
    let cut = plain().change(|all| rising(east(all)));
    must_agree("Greenwich, cut", bench_at(plain(), to), bench_at(cut, to)).await;
}

#[tokio::test]
async fn a_grid_may_cross_the_date_line() {
    let to = |arguments| answers::moved(arguments, 217.0);
    let plain = || World::moved(217.0);
    must_agree("date line", bench_at(plain(), to), bench_at(plain().change(west), to)).await;
    let cut = plain().change(|all| rising(west(all)));
    must_agree("date line, cut", bench_at(plain(), to), bench_at(cut, to)).await;
}

#[tokio::test]
async fn depths_may_be_stored_from_the_bottom() {
    must_agree(
        "upwards",
        World::plain().bench(),
        World::plain().change(|all| reversed(all, "depth")).bench(),
    )
    .await;
}

/// Depths as heights: below zero, and positive upwards.
fn heights(variables: Vec<MemoryVariable>) -> Vec<MemoryVariable> {
    each(each_value(variables, "depth", |depth| -depth), |variable| {
        if variable.name == "depth" {
            attribute(variable, "positive", Attribute::Text("up".to_owned()));
        }
    })
}

#[tokio::test]
async fn depths_may_be_heights() {
    must_agree("heights", World::plain().bench(), World::plain().change(heights).bench()).await;
    let rising = World::plain().change(|all| reversed(heights(all), "depth"));
    must_agree("rising heights", World::plain().bench(), rising.bench()).await;
}

/// The stored numbers of 16 bits that data are packed into.
fn packed(variables: Vec<MemoryVariable>) -> Vec<MemoryVariable> {
    each(variables, |variable| {
        if is_data(variable) {
            let (low, high) = span(&variable.values);
            let scale = (high - low) / 60_000.0;
            let offset = low + 30_000.0 * scale;
            let missing = -32_767.0;
            let stored =
                |value: f64| if value.is_nan() { missing } else { ((value - offset) / scale).round() };
            variable.values.mapv_inplace(stored);
            for (key, number) in [("scale_factor", scale), ("add_offset", offset), ("_FillValue", missing)] {
                attribute(variable, key, Attribute::Numbers(vec![number]));
            }
        }
    })
}

/// What the packed numbers stand for.
fn unpacked(variables: Vec<MemoryVariable>) -> Vec<MemoryVariable> {
    each(packed(variables), |variable| {
        let mut number = |key: &str| {
            variable.attributes.remove(key).and_then(|value| value.as_numbers().map(|numbers| numbers[0]))
        };
        if let (Some(scale), Some(offset), Some(missing)) =
            (number("scale_factor"), number("add_offset"), number("_FillValue"))
        {
            variable.values.mapv_inplace(|v| {
                if v.to_bits() == missing.to_bits() { f64::NAN } else { v * scale + offset }
            });
        }
    })
}

#[tokio::test]
async fn data_may_be_packed() {
    let dir = tempfile::tempdir().unwrap();
    let other = World::plain().change(packed).written(dir.path());
    must_agree("packed", World::plain().change(unpacked).bench(), other).await;
}

#[tokio::test]
async fn missing_may_be_a_number() {
    let filled = |all| {
        each(all, |variable| {
            if is_data(variable) {
                variable.values.mapv_inplace(|value| if value.is_nan() { 9.96921e36 } else { value });
                attribute(variable, "_FillValue", Attribute::Numbers(vec![9.96921e36]));
            }
        })
    };
    must_agree("filled", World::plain().bench(), World::plain().change(filled).bench()).await;
}

#[tokio::test]
async fn dimensions_and_chunks_may_come_in_any_order() {
    let other = |all| {
        each(all, |variable: &mut MemoryVariable| {
            variable.dims.reverse();
            variable.values = variable.values.view().reversed_axes().as_standard_layout().to_owned();
        })
    };
    let dir = tempfile::tempdir().unwrap();
    must_agree("order", World::plain().bench(), World::plain().change(other).written(dir.path())).await;
    let dir = tempfile::tempdir().unwrap();
    must_agree("chunks", World::plain().bench(), World::plain().written(dir.path())).await;
}

#[tokio::test]
async fn times_may_be_counted_otherwise_and_come_unsorted() {
    let counted = |all| {
        let all = along(each_value(all, "time", |days| (days + 36_524.0) * 24.0), "time", |length| {
            (0..length).map(|at| if at % 2 == 0 { (at + 1).min(length - 1) } else { at - 1 }).collect()
        });
        each(all, |variable| {
            if variable.name == "time" {
                attribute(variable, "units", Attribute::Text("hours since 1900-01-01".to_owned()));
            }
        })
    };
    must_agree("times", World::plain().bench(), World::plain().change(counted).bench()).await;
}

/// A time without values is as if it were not there, for what is no longer along time.
#[tokio::test]
async fn a_missing_time_takes_nothing_away() {
    let missing = World::plain().change(|all| blank(all, |_| true, &[("time", 14)]));
    let absent = World::plain()
        .change(|all| along(all, "time", |length| (0..length).filter(|&at| at != 14).collect()));
    let (mut absent, missing) = (answers::all(absent.bench()).await, answers::all(missing.bench()).await);
    absent.retain(|_, answer| {
        answer.as_ref().is_ok_and(|output| {
            let mut variables = output.artifacts.values().flat_map(|artifact| &artifact.variables);
            variables.all(|variable| !variable.dims.contains(&"time".to_owned()))
        })
    });
    let found = disagreements("missing time", &absent, &missing);
    assert!(found.is_empty(), "{} answers changed\n{}", found.len(), found.join("\n"));
}

/// Bounds as they follow from the centres.
#[tokio::test]
async fn bounds_may_be_stated() {
    let stated = |mut all: Vec<MemoryVariable>| {
        for name in ["lat", "lon"] {
            let axis = all.iter_mut().find(|variable| variable.name == name).unwrap();
            attribute(axis, "bounds", Attribute::Text(format!("{name}_bnds")));
            let centres: Vec<f64> = axis.values.iter().copied().collect();
            let half = (centres[1] - centres[0]) / 2.0;
            let edges = centres.iter().flat_map(|centre| [centre - half, centre + half]).collect();
            let edges = ndarray::Array::from_shape_vec(ndarray::IxDyn(&[centres.len(), 2]), edges).unwrap();
            all.push(MemoryVariable::new(&format!("{name}_bnds"), &[name, "nv"], edges));
        }
        all
    };
    must_agree("bounds", World::plain().bench(), World::plain().change(stated).bench()).await;
}
