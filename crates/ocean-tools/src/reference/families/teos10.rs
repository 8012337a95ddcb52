//! Properties of sea water and heights.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;
use crate::reference::cast::Cast;
use crate::reference::facts::{argmax, argmin, digest};

/// The families `teos10` and `steric`.
#[derive(Debug)]
pub(super) struct Teos10;

const PROFILE: &str = "TEOS-10 properties of a profile";
const GRID: &str = "buoyancy frequency and planetary potential vorticity";
const STERIC: &str = "steric height";

#[async_trait]
impl Adapter for Teos10 {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        [PROFILE, GRID, STERIC].contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        match case.tool.as_str() {
            PROFILE => profile(case, bench).await,
            GRID => grid(case, bench).await,
            _ => steric(case, bench).await,
        }
    }
}

async fn profile(case: &Case, bench: &Bench) -> Result<Value, String> {
    let cast = Cast::read(&case.input, bench).await?;
    let indices: Vec<usize> = serde_json::from_value(case.params.need("level_indices")?.clone())
        .map_err(|error| format!("`level_indices`: {error}"))?;
    let at_levels = |values: &[f64]| indices.iter().map(|&at| json!(values.get(at))).collect::<Value>();
    let mut answer = Map::new();
    answer.insert("n".to_owned(), json!(cast.levels.len()));
    answer.insert("SP".to_owned(), at_levels(&cast.sp));
    answer.insert("t".to_owned(), at_levels(&cast.t));
    let water = json!({"temp": cast.temp, "salt": cast.salt});
    let with = |more: Value| merged(&water, &more);
    let (data, salt) = (json!({"data": cast.temp, "salt": cast.salt}), json!({"data": cast.salt}));
    let calls: Vec<(&str, &str, Value, &str)> = vec![
        ("p", "convert_pressure_depth", json!({"data": cast.temp, "target": "pressure"}), ""),
        ("depth", "convert_pressure_depth", json!({"data": cast.temp, "target": "depth"}), ""),
        ("SA", "convert_salinity", merged(&salt, &json!({"target_kind": "absolute"})), ""),
        ("CT", "convert_temperature", merged(&data, &json!({"target_kind": "conservative"})), ""),
        ("pt0", "convert_temperature", merged(&data, &json!({"target_kind": "potential"})), ""),
        ("rho", "compute_density", with(json!({"quantity": "in_situ"})), ""),
        ("sigma0", "compute_density", water.clone(), ""),
        ("sigma2", "compute_density", with(json!({"reference_pressure": 2000.0})), ""),
        ("alpha", "compute_thermal_haline_coefficients", water.clone(), "thermal_expansion"),
        ("beta", "compute_thermal_haline_coefficients", water.clone(), "haline_contraction"),
        ("sound_speed", "compute_sound_speed", water.clone(), ""),
        ("spiciness0", "compute_spiciness", water.clone(), ""),
        ("cp_t_exact", "compute_sea_water_property", with(json!({"property": "heat_capacity"})), ""),
        ("ct_freezing", "compute_freezing_point_departure", water.clone(), "freezing_temperature"),
        ("enthalpy", "compute_sea_water_property", with(json!({"property": "enthalpy"})), ""),
        ("kappa", "compute_sea_water_property", with(json!({"property": "compressibility"})), ""),
        ("o2sol_umol_kg", "compute_oxygen_solubility", water.clone(), ""),
    ];
    let mut depth = Vec::new();
    for (key, tool, arguments, array) in calls {
        let step = cast.session.call(tool, arguments).await?;
        let values = cast.pick(step.values(array)?);
        answer.insert(key.to_owned(), at_levels(&values));
        if key == "depth" {
            depth.clone_from(&values);
        } else if key == "sound_speed" {
            answer.insert(
                "min_sound_speed_depth".to_owned(),
                json!(argmin(&values).and_then(|at| depth.get(at))),
            );
        }
    }
    for (key, property) in [("f", "coriolis_parameter"), ("grav_surface", "surface_gravity")] {
        let step =
            cast.session.call("compute_sea_water_property", with(json!({"property": property}))).await?;
        answer.insert(key.to_owned(), json!(cast.pick(step.values("")?).first()));
    }
    if let Some(reference) = case.expected.get("dyn_height_reference_dbar").filter(|value| !value.is_null()) {
        let arguments = with(json!({"reference_pressure": reference}));
        let heights = cast.session.call("compute_dynamic_height", arguments).await?;
        answer.insert("dyn_height_ref_1000".to_owned(), at_levels(&cast.pick(heights.values("")?)));
        answer.insert("dyn_height_reference_dbar".to_owned(), reference.clone());
    }
    let stability = cast.session.call("compute_brunt_vaisala_frequency", water.clone()).await?;
    let n2: Vec<f64> = stability.values("")?.to_vec();
    let best = argmax(&n2);
    answer.insert("N2_first6".to_owned(), json!(n2.iter().take(6).collect::<Vec<_>>()));
    answer.insert("N2_max".to_owned(), json!(best.map(|at| n2[at])));
    let middle = stability.values("pressure")?;
    answer.insert("N2_pmid_of_max".to_owned(), json!(best.map(|at| middle[at])));
    answer.insert("n_inversions".to_owned(), json!(n2.iter().filter(|value| **value < 0.0).count()));
    let turner = cast.session.call("compute_turner_angle", water.clone()).await?;
    answer.insert("Tu_first6".to_owned(), json!(turner.values("")?.iter().take(6).collect::<Vec<_>>()));
    Ok(answer.into())
}

/// The members of both objects.
pub(super) fn merged(one: &Value, other: &Value) -> Value {
    let mut all = one.clone();
    if let (Some(all), Some(other)) = (all.as_object_mut(), other.as_object()) {
        all.extend(other.clone());
    }
    all
}

async fn grid(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("pv", &["f N2 / g with g=9.7963"])?;
    let session = bench.open_one(case.input.text("file")?)?;
    let time = bench.time_of("thetao", &case.input)?;
    let water = json!({
        "temp": {"variable": "thetao", "time": [time, time]},
        "salt": {"variable": "so", "time": [time, time]},
    });
    let stability = session.call("compute_brunt_vaisala_frequency", water.clone()).await?;
    let n2 = stability.values("")?;
    let shape = without_time(stability.shape("")?);
    let [levels, rows, columns] = shape[..] else {
        return Err("the result has no levels and cells".to_owned());
    };
    let mut answer = Map::new();
    answer.insert("N2".to_owned(), digest(n2, &shape));
    for (key, tool) in [("sigma0", "compute_density"), ("sound_speed", "compute_sound_speed")] {
        let step = session.call(tool, water.clone()).await?;
        answer.insert(key.to_owned(), digest(step.values("")?, &without_time(step.shape("")?)));
    }
    let vorticity = stability.values("planetary_potential_vorticity")?;
    for key in case.expected_keys() {
        if let Some(level) = key.strip_prefix("pv_layer").and_then(|text| text.parse::<usize>().ok()) {
            let layer =
                vorticity.get(level * rows * columns..(level + 1) * rows * columns).ok_or("no such layer")?;
            answer.insert(key.to_owned(), digest(layer, &[rows, columns]));
        }
        let place = key.strip_prefix("column_").and_then(|text| text.strip_suffix("_N2"));
        if let Some((y, x)) = place.and_then(|text| text.split_once('_')) {
            let parse = |text: &str| text.parse::<usize>().map_err(|error| error.to_string());
            let (y, x) = (parse(y)?, parse(x)?);
            let column: Vec<_> = (0..levels).map(|z| n2.get((z * rows + y) * columns + x)).collect();
            answer.insert(key.to_owned(), json!(column));
        }
    }
    Ok(answer.into())
}

/// A shape less a leading time of one step.
fn without_time(shape: &[usize]) -> Vec<usize> {
    if shape.len() == 4 && shape[0] == 1 { shape[1..].to_vec() } else { shape.to_vec() }
}

async fn steric(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("reference", &["SA 35.16504, CT 0"])?;
    case.params
        .one_of("integration", &["trapezoid of specific volume anomaly over p in Pa, divided by 9.7963"])?;
    let cast = Cast::read(&case.input, bench).await?;
    let range = [case.params.number("upper_dbar")?, case.params.number("lower_dbar")?];
    let arguments = json!({"temp": cast.temp, "salt": cast.salt, "pressure_range": range, "gravity": 9.7963});
    let height = cast.session.call("compute_steric_height", arguments).await?;
    Ok(json!({ "steric_height_m": height.values("")?.first() }))
}

impl Bench {
    /// The instant of `time_index` on the axis of a variable.
    pub(super) fn time_of(
        &self,
        variable: &str,
        input: &crate::reference::case::Given,
    ) -> Result<String, String> {
        let path = self.path(input.text("file")?);
        let dataset =
            ocean_data::Dataset::open(&path.to_string_lossy()).map_err(|error| error.to_string())?;
        let field =
            dataset.select(&ocean_data::Selection::of(variable)).map_err(|error| error.to_string())?;
        let times = field.times().ok_or("the variable has no times")?.iso();
        times.get(input.index("time_index")?).cloned().ok_or_else(|| "no such time".to_owned())
    }
}
