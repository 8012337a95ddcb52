//! Columns: heat content, mixed layers, interpolation in depth, surfaces.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use super::teos10::merged;
use crate::reference::bench::{Bench, Step};
use crate::reference::case::Case;
use crate::reference::cast::Cast;
use crate::reference::facts::{digest, step_of};

/// The families `heat_content`, `mixed_layer` and `vertical_interp`.
#[derive(Debug)]
pub(super) struct Columns;

const KNOWN: [&str; 7] = [
    "heat content of a profile",
    "heat content map",
    "heat content map and total",
    "mixed layer depth",
    "mixed layer depth map",
    "vertical interpolation",
    "isotherm and isopycnal depth",
];

#[async_trait]
impl Adapter for Columns {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        KNOWN.contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        match case.tool.as_str() {
            "heat content of a profile" => heat_of_cast(case, bench).await,
            "heat content map" | "heat content map and total" => heat_map(case, bench).await,
            "mixed layer depth" => mixed_layer(case, bench).await,
            "mixed layer depth map" => mixed_layer_map(case, bench).await,
            "vertical interpolation" => interpolation(case, bench).await,
            _ => surfaces(case, bench).await,
        }
    }
}

fn first(step: &Step) -> Result<Value, String> {
    Ok(json!(step.values("")?.first()))
}

async fn heat_of_cast(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("temperature", &["CT"])?;
    case.params
        .one_of("integration", &["trapezoid on levels plus end points; shallowest value extended to 0 m"])?;
    let cast = Cast::read(&case.input, bench).await?;
    let mut answer = Map::new();
    for key in case.expected_keys() {
        let range = key.strip_prefix("ohc_").and_then(|text| text.strip_suffix("_J_m2"));
        let (top, bottom) =
            range.and_then(|text| text.split_once('_')).ok_or_else(|| format!("unknown `{key}`"))?;
        let parse = |text: &str| text.parse::<f64>().map_err(|error| error.to_string());
        let heat = cast
            .session
            .call(
                "compute_ocean_heat_content",
                json!({
                    "temp": cast.temp, "salt": cast.salt, "depth_range": [parse(top)?, parse(bottom)?],
                    "layers": "trapezoid", "rho0": case.params.number("rho0")?, "cp0": case.params.number("cp0")?,
                }),
            )
            .await?;
        answer.insert(key.to_owned(), first(&heat)?);
    }
    Ok(answer.into())
}

async fn heat_map(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of(
        "layers",
        &[
            "mid-point edges, first 0",
            "cell edges at mid-points, first edge 0, last extended by half spacing; last layer cut at to_depth; \
             columns that miss a level are missing",
        ],
    )?;
    case.params.one_of("missing", &["column missing if any needed level is missing"])?;
    case.params.one_of("area", &["R^2 dlon (sin(lat+.5)-sin(lat-.5)), R=6371000"])?;
    let session = bench.open_one(case.input.text("file")?)?;
    let mut temp = json!({ "variable": case.input.text("variable")? });
    if case.input.get("time_index").is_some() {
        let time = bench.time_at(&case.input, case.input.index("time_index")?)?;
        temp["time"] = json!([time, time]);
    }
    let heat = session
        .call(
            "compute_ocean_heat_content",
            json!({
                "temp": temp, "depth_range": [0.0, case.params.number("to_depth_m")?],
                "rho0": case.params.number("rho0")?, "cp0": case.params.number("cp0")?,
            }),
        )
        .await?;
    let mut answer = rows_of(case, &heat, "")?;
    let shape = map_shape(heat.shape("")?)?;
    answer.insert("map".to_owned(), digest(heat.values("")?, &shape));
    for key in ["area_integral_J", "total_J"] {
        answer.insert(key.to_owned(), json!(heat.number("total")?));
    }
    Ok(answer.into())
}

/// The lengths of latitude and longitude of a map, with or without a time of one step.
fn map_shape(shape: &[usize]) -> Result<[usize; 2], String> {
    match shape {
        [rows, columns] | [1, rows, columns] => Ok([*rows, *columns]),
        other => Err(format!("{other:?} is no map")),
    }
}

/// The members `…rowR_everyN` of the expected answer, from a map.
fn rows_of(case: &Case, step: &Step, prefix: &str) -> Result<Map<String, Value>, String> {
    let [_, columns] = map_shape(step.shape("")?)?;
    let values = step.values("")?;
    let mut answer = Map::new();
    for key in case.expected_keys() {
        let Some(rest) = key.strip_prefix(prefix).and_then(|rest| rest.strip_prefix("row")) else { continue };
        let (row, every) = rest.split_once("_every").ok_or_else(|| format!("unknown `{key}`"))?;
        let parse = |text: &str| text.parse::<usize>().map_err(|error| error.to_string());
        let row = parse(row)?;
        let own = values.get(row * columns..(row + 1) * columns).ok_or("no such row")?;
        let every = match step_of(key) {
            Some(step) => step,
            None => parse(every)?,
        };
        answer.insert(key.to_owned(), own.iter().step_by(every.max(1)).map(|value| json!(value)).collect());
    }
    Ok(answer)
}

async fn mixed_layer(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of(
        "interpolation",
        &["linear in depth between levels; value at 10 m by linear interpolation, or the shallowest level if it is \
           below 10 m"],
    )?;
    case.params.one_of("temperature", &["in-situ"])?;
    case.params.one_of("density", &["sigma0"])?;
    let reference = case.params.number("reference_depth_m")?;
    let delta_t = case.params.number("temperature_threshold")?;
    let delta_sigma = case.params.number("density_threshold")?;
    let cast = Cast::read(&case.input, bench).await?;
    let water = json!({"temp": cast.temp, "salt": cast.salt});
    let sigma = cast.session.call("compute_density", water.clone()).await?;
    let by_temperature = json!({"temp": cast.temp, "criterion": "temperature", "reference_depth": reference});
    let by_density =
        json!({"density": sigma.reference, "criterion": "density", "reference_depth": reference});
    let mut answer = Map::new();
    for (key, base, threshold) in [
        ("mld_temperature", &by_temperature, delta_t),
        ("mld_temperature_05", &by_temperature, 0.5),
        ("mld_density", &by_density, delta_sigma),
        ("mld_density_0125", &by_density, 0.125),
    ] {
        let arguments = merged(base, &json!({ "threshold": threshold }));
        let depth = cast.session.call("identify_mixed_layer_depth", arguments).await?;
        answer.insert(key.to_owned(), first(&depth)?);
    }
    let barrier = json!({"delta_t": delta_t, "delta_sigma": delta_sigma, "reference_depth": reference});
    let barrier = cast.session.call("compute_barrier_layer_thickness", merged(&water, &barrier)).await?;
    answer.insert("barrier_layer".to_owned(), first(&barrier)?);
    let thermocline = cast
        .session
        .call("identify_thermocline_depth", json!({"temp": cast.temp, "min_gradient": 0.0, "refine": false}))
        .await?;
    answer.insert("thermocline_depth".to_owned(), first(&thermocline)?);
    let gradient = thermocline.values("gradient")?.first().map(|gradient| gradient.abs());
    answer.insert("max_abs_dTdz".to_owned(), json!(gradient));
    Ok(answer.into())
}

async fn mixed_layer_map(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("temperature", &["thetao as it is"])?;
    case.params.one_of("density", &["sigma0(SA from so, CT from thetao as pt), p from depth"])?;
    let reference = case.params.number("reference_depth_m")?;
    let session = bench.open_one(case.input.text("file")?)?;
    let time = bench.time_of("thetao", &case.input)?;
    let temp = json!({"variable": "thetao", "time": [time, time]});
    let salt = json!({"variable": "so", "time": [time, time]});
    let sigma = session
        .call("compute_density", json!({"temp": temp, "salt": salt, "temperature_kind": "potential"}))
        .await?;
    let calls = [
        (
            "density",
            json!({"density": sigma.reference, "threshold": case.params.number("density_threshold")?}),
        ),
        ("temperature", json!({"temp": temp, "threshold": case.params.number("temperature_threshold")?})),
    ];
    let mut answer = Map::new();
    for (key, arguments) in calls {
        let arguments = merged(&arguments, &json!({"criterion": key, "reference_depth": reference}));
        let depth = session.call("identify_mixed_layer_depth", arguments).await?;
        answer.insert(key.to_owned(), digest(depth.values("")?, &map_shape(depth.shape("")?)?));
        answer.extend(rows_of(case, &depth, &format!("{key}_"))?);
    }
    Ok(answer.into())
}

async fn interpolation(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("coordinate", &["depth from p"])?;
    let targets = case.params.numbers("targets")?;
    let cast = Cast::read(&case.input, bench).await?;
    let mut answer = Map::new();
    for key in case.expected_keys() {
        let (method, quantity) = key.rsplit_once('_').ok_or_else(|| format!("unknown `{key}`"))?;
        let data = match quantity {
            "t" => &cast.temp,
            "SP" => &cast.salt,
            other => return Err(format!("unknown quantity `{other}`")),
        };
        let method = if method == "pchip" { "monotone_cubic" } else { method };
        let arguments = json!({"data": data, "levels": targets, "method": method});
        let found = cast.session.call("regrid_vertical", arguments).await?;
        answer.insert(key.to_owned(), json!(found.values("")?));
    }
    Ok(answer.into())
}

async fn surfaces(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("interpolation", &["linear"])?;
    let is_first = case.params.need("first_crossing_from_top")?.as_bool().ok_or("it is true or false")?;
    let occurrence = if is_first { "first" } else { "last" };
    let cast = Cast::read(&case.input, bench).await?;
    let sigma = cast.session.call("compute_density", json!({"temp": cast.temp, "salt": cast.salt})).await?;
    let mut answer = Map::new();
    for (key, members) in case.expected.as_object().into_iter().flatten() {
        let mut found = Map::new();
        for target in members.as_object().into_iter().flat_map(Map::keys) {
            let value: f64 = target.parse().map_err(|_| format!("`{target}` is no number"))?;
            let depth = if key == "isotherm_depth" {
                let arguments = json!({"temp": cast.temp, "value": value, "occurrence": occurrence});
                first(&cast.session.call("identify_isotherm_depth", arguments).await?)?
            } else {
                let arguments = json!({
                    "data": cast.temp, "density": sigma.reference, "target_sigma0": value, "occurrence": occurrence,
                });
                let surface = cast.session.call("extract_isopycnal_surface", arguments).await?;
                json!(surface.values("isopycnal_depth")?.first())
            };
            found.insert(target.clone(), depth);
        }
        answer.insert(key.clone(), found.into());
    }
    Ok(answer.into())
}
