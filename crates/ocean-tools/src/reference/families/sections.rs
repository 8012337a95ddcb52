//! Hovmöller diagrams, transports and streamfunctions.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use super::currents::same_constant;
use crate::kernels::sphere::EARTH_RADIUS;
use crate::reference::bench::{Bench, Session, Step};
use crate::reference::case::Case;
use crate::reference::facts::{axes_of, digest, every, lon_at, step_of, time_at};

/// Cubic metres a second of a sverdrup, in which the tools answer.
const SVERDRUP: f64 = 1e6;

/// The families `hovmoller` and `transport`.
#[derive(Debug)]
pub(super) struct Sections;

#[async_trait]
impl Adapter for Sections {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        matches!(
            capability,
            "Hovmoller longitude-time"
                | "Hovmoller latitude-time"
                | "volume, heat and salt transport through a section"
                | "volume transport through a section"
                | "meridional overturning streamfunction"
                | "barotropic streamfunction"
                | "geostrophic velocity and transport through a section"
        )
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        let session = bench.open_one(case.input.text("file")?)?;
        match case.tool.as_str() {
            "Hovmoller longitude-time" => hovmoller(case, bench, &session, "time_lon").await,
            "Hovmoller latitude-time" => hovmoller(case, bench, &session, "time_lat").await,
            "meridional overturning streamfunction" => overturning(case, bench, &session).await,
            "barotropic streamfunction" => barotropic(case, bench, &session).await,
            "geostrophic velocity and transport through a section" => {
                thermal_wind(case, bench, &session).await
            }
            _ => through(case, bench, &session).await,
        }
    }
}

async fn hovmoller(case: &Case, bench: &Bench, session: &Session, diagram: &str) -> Result<Value, String> {
    let mut arguments = json!({
        "data": { "variable": case.input.text("variable")? },
        "diagram_type": diagram,
    });
    if let Some(region) = case.input.region()? {
        arguments["data"]["region"] = region;
    }
    case.params.one_of("weights", &["cos(latitude)"])?;
    let across = if diagram == "time_lat" {
        "plain mean over lon, skip missing"
    } else {
        "plain mean over lat, skip missing"
    };
    case.params.one_of("average", &[across])?;
    let weighting = if case.params.get("weights").is_some() { "cos_lat" } else { "equal" };
    arguments["spatial_weighting"] = json!(weighting);
    if let Some(baseline) = case.params.get("anomaly_baseline") {
        arguments["anomaly_baseline"] = baseline.clone();
    }
    let step = session.call("compute_hovmoller", arguments).await?;
    let (values, shape) = (step.values("")?, step.shape("")?);
    let [rows, columns] = shape else { return Err(format!("the diagram has the shape {shape:?}")) };
    // Ours run from south to north, the case's as the file has them.
    let turned = diagram == "time_lat" && bench.is_northern_first(&case.input)?;
    let row = |at: usize| {
        let mut row = values[at * columns..(at + 1) * columns].to_vec();
        if turned {
            row.reverse();
        }
        row
    };
    let mut answer = facts(values, shape);
    for key in case.expected_keys() {
        let step = step_of(key).unwrap_or(1);
        if key.starts_with("row0") {
            answer.insert(key.to_owned(), json!(every(&row(0), step)));
        } else if key.starts_with("mid_row") {
            answer.insert(key.to_owned(), json!(every(&row(rows / 2), step)));
        }
    }
    let largest = step.draft("max")?;
    let mut place = largest.place.clone().unwrap_or_else(|| json!({}));
    place["time"] = json!(largest.when);
    answer.insert("max_at".to_owned(), place);
    Ok(answer.into())
}

fn facts(values: &[f64], shape: &[usize]) -> Map<String, Value> {
    match digest(values, shape) {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// The time of a case as a window; nothing when it has none.
fn window(case: &Case, bench: &Bench, variable: &str) -> Result<Option<Value>, String> {
    if case.input.get("time_index").is_none() {
        return Ok(None);
    }
    let path = bench.path(case.input.text("file")?);
    let time = time_at(&path, variable, case.input.index("time_index")?)?;
    Ok(Some(json!([time, time])))
}

async fn overturning(case: &Case, bench: &Bench, session: &Session) -> Result<Value, String> {
    let variable = case.input.text("variable")?;
    let down = "minus cumulative sum from the surface of zonally summed v dx dz; on layer edges";
    case.params.one_of("psi", &[down])?;
    let mut arguments = json!({ "v": { "variable": variable }, "sign": "southward_above" });
    if let Some(window) = window(case, bench, variable)? {
        arguments["time"] = window;
    }
    let step = session.call("compute_overturning_streamfunction", arguments).await?;
    let (values, shape) = cubic_metres(&step)?;
    let [.., edges, rows] = shape.as_slice() else {
        return Err(format!("the section has the shape {shape:?}"));
    };
    let mut answer = facts(&values, &[*edges, *rows]);
    for key in case.expected_keys() {
        // `lat20_profile` is the profile of the row at position 20.
        let row = key.strip_prefix("lat").and_then(|rest| rest.strip_suffix("_profile"));
        if let Some(row) = row.and_then(|row| row.parse::<usize>().ok()).filter(|row| row < rows) {
            let profile: Vec<f64> = (0..*edges).map(|edge| values[edge * rows + row]).collect();
            answer.insert(key.to_owned(), json!(profile));
        }
    }
    Ok(answer.into())
}

async fn barotropic(case: &Case, bench: &Bench, session: &Session) -> Result<Value, String> {
    let variable = case.input.text("variable")?;
    let south = "minus cumulative sum from the south of vertically summed u dz dy; land counts as 0";
    case.params.one_of("psi", &[south])?;
    let mut arguments = json!({ "u": { "variable": variable } });
    if let Some(window) = window(case, bench, variable)? {
        arguments["time"] = window;
    }
    let step = session.call("compute_transport_streamfunction_map", arguments).await?;
    let (values, shape) = cubic_metres(&step)?;
    Ok(facts(&values, &shape).into())
}

fn cubic_metres(step: &Step) -> Result<(Vec<f64>, Vec<usize>), String> {
    let values = step.values("")?.iter().map(|value| value * SVERDRUP).collect();
    Ok((values, step.shape("")?.to_vec()))
}

async fn through(case: &Case, bench: &Bench, session: &Session) -> Result<Value, String> {
    case.params.one_of("dz", &["mid-point edges, first 0, last extended"])?;
    let heights = ["R x 0.25 deg", "R x gradient of latitude (central, one-sided at ends)"];
    case.params.one_of("dy", &heights)?;
    same_constant(&case.params, "R", EARTH_RADIUS)?;
    let file = case.input.text("file")?;
    let velocity = match case.params.get("velocity").and_then(Value::as_str) {
        Some(name) => name.to_owned(),
        None if file.starts_with("hycom") => "u".to_owned(),
        None => "uo".to_owned(),
    };
    let lon = match case.input.get("lon").and_then(Value::as_f64) {
        Some(lon) => lon,
        None => lon_at(&bench.path(file), &velocity, case.input.index("lon_index")?)?,
    };
    let lat = if case.input.get("lat").is_some() { case.input.numbers("lat")? } else { vec![-90.0, 90.0] };
    let [south, north] = lat.as_slice() else { return Err("`input/lat` is no pair".to_owned()) };
    let mut arguments = json!({
        "u": { "variable": velocity },
        "transect_points": [[lon, south], [lon, north]],
        "positive": "north_east",
    });
    if let Some(window) = window(case, bench, &velocity)? {
        arguments["time"] = window;
    }
    let with = |extra: Value| {
        let mut arguments = arguments.clone();
        if let (Some(own), Value::Object(extra)) = (arguments.as_object_mut(), extra) {
            own.extend(extra);
        }
        arguments
    };
    let volume = session.call("compute_volume_transport", arguments.clone()).await?;
    let first = |step: &Step, name: &str| step.values(name).map(|values| values[0]);
    let mut answer = Map::new();
    for (key, name) in [("volume_m3_s", ""), ("eastward", "positive"), ("westward", "negative")] {
        answer.insert(key.to_owned(), json!(first(&volume, name)? * SVERDRUP));
    }
    answer.insert("n_valid".to_owned(), volume.draft("faces")?.value.clone());
    if case.wants("heat_W") {
        let extra = json!({
            "temp": { "variable": "thetao" },
            "rho0": case.params.number("rho0")?,
            "cp": case.params.number("cp0")?,
        });
        let heat = session.call("compute_heat_transport", with(extra)).await?;
        answer.insert("heat_W".to_owned(), json!(first(&heat, "")?));
    }
    if case.wants("salt_kg_s") {
        // The case takes practical salinity for absolute.
        let extra = json!({
            "salt": { "variable": "so" },
            "rho0": case.params.number("rho0")?,
            "salinity_kind": "absolute",
        });
        let salt = session.call("compute_salt_transport", with(extra)).await?;
        answer.insert("salt_kg_s".to_owned(), json!(first(&salt, "")?));
    }
    if case.wants("upper_200m") {
        let upper =
            session.call("compute_volume_transport", with(json!({ "depth": { "range": [0, 200] } }))).await?;
        answer.insert("upper_200m".to_owned(), json!(first(&upper, "")? * SVERDRUP));
    }
    Ok(answer.into())
}

/// Both ends of a section on an axis, which for the axis that it does not run along are the cell nearest the place.
fn ends(case: &Case, key: &str, axis: &[f64]) -> Result<[f64; 2], String> {
    if let Some(at) = case.input.need(key)?.as_f64() {
        let near = |a: &&f64, b: &&f64| (**a - at).abs().total_cmp(&(**b - at).abs());
        let own = axis.iter().min_by(near).ok_or("the variable has no such axis")?;
        return Ok([*own; 2]);
    }
    case.input.numbers(key)?.try_into().map_err(|_| format!("`input/{key}` is no pair"))
}

async fn thermal_wind(case: &Case, bench: &Bench, session: &Session) -> Result<Value, String> {
    case.params.one_of("reference", &["deepest level used"])?;
    case.params.one_of("dz", &["mid-point edges, first 0, last = deepest level"])?;
    let axes = axes_of(&bench.path(case.input.text("file")?), "temperature")?;
    let whole = format!("only columns with all {} levels", axes.depth.len());
    case.params.one_of("columns", &[&whole])?;
    let limit = case.params.number("levels_to_m")?;
    let used = axes.depth.iter().copied().filter(|&depth| depth <= limit);
    let deepest = used.reduce(f64::max).ok_or("no level is used")?;
    let (lon, lat) = (ends(case, "lon", &axes.lon)?, ends(case, "lat", &axes.lat)?);
    let select = |word: &str, depth: Value| -> Result<Value, String> {
        let mut selection = json!({ "variable": word, "region": { "lon": lon, "lat": lat }, "depth": depth });
        if let Some(window) = window(case, bench, word)? {
            selection["time"] = window;
        }
        Ok(selection)
    };
    let used = json!({ "range": [0.0, deepest] });
    let (mut temp, mut salt) = (select("temperature", used.clone())?, select("salinity", used.clone())?);
    if case.params.get("columns").is_some() {
        let last = json!({ "at": axes.depth.last() });
        let fields = json!({ "t": select("temperature", last.clone())?, "s": select("salinity", last)? });
        let ask = json!({ "fields": fields, "expression": "isfinite(t) and isfinite(s)" });
        let mask = session.call("build_condition_mask", ask).await?.reference;
        for field in [&mut temp, &mut salt] {
            let ask = json!({ "data": field, "mask": mask });
            *field = session.call("apply_mask", ask).await?.reference;
        }
    }
    let water = json!({ "temp": temp, "salt": salt, "reference_depth": deepest });
    let heights = session.call("compute_dynamic_height", water).await?;
    let step = session
        .call(
            "compute_geostrophic_transport",
            json!({
                "dynamic_height": heights.reference,
                "transect_points": [[lon[0], lat[0]], [lon[1], lat[1]]],
                "depth": used,
                "columns": "complete",
                "mask_lat": 0,
            }),
        )
        .await?;
    let (velocity, width) = (step.values("")?, step.values("width")?);
    let mut answer = Map::new();
    answer.insert("n_columns".to_owned(), step.draft("columns")?.value.clone());
    answer.insert("v_surface".to_owned(), json!(velocity[..width.len()]));
    let fastest = velocity.iter().map(|own| own.abs()).fold(f64::NAN, f64::max);
    answer.insert("max_abs_v".to_owned(), json!(fastest));
    answer.insert("transport_m3_s".to_owned(), json!(step.number("transport_mean")? * SVERDRUP));
    for key in case.expected_keys() {
        let count = key.strip_prefix("dx_m_first").and_then(|count| count.parse::<usize>().ok());
        if let Some(count) = count {
            answer.insert(key.to_owned(), json!(width[..count.min(width.len())]));
        }
    }
    Ok(answer.into())
}
