//! What is made of both components of a current, and balanced and wind-driven currents.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use crate::kernels::sphere::{EARTH_RADIUS, GRAVITY, ROTATION};
use crate::reference::bench::{Bench, Session, Step};
use crate::reference::case::{Case, Given};
use crate::reference::facts::{depth_at, digest, every, time_at};

/// How the peer differentiates.
const DERIVATIVES: [&str; 1] =
    ["numpy gradient on radians: centred, one-sided first order at edges, missing if a neighbour is missing"];

/// The families `kinematics`, `geostrophic` and `ekman`.
#[derive(Debug)]
pub(super) struct Currents;

#[async_trait]
impl Adapter for Currents {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        matches!(
            capability,
            "vorticity, divergence, strain, Okubo-Weiss, EKE"
                | "geostrophic velocity from sea surface height"
                | "wind stress, curl, Ekman transport and pumping"
                | "Sobel gradient"
        )
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        constants(&case.params)?;
        case.params.one_of("derivatives", &DERIVATIVES)?;
        let file = case.input.text("file")?;
        // The peer of this capability unpacks as `xarray` does, in the precision that CF section 8.1 gives.
        let is_as_stated = case.tool == "Sobel gradient";
        let session = if is_as_stated { bench.open_as_stated(file)? } else { bench.open_one(file)? };
        match case.tool.as_str() {
            "geostrophic velocity from sea surface height" => geostrophic(case, bench, &session, file).await,
            "wind stress, curl, Ekman transport and pumping" => ekman(case, bench, &session, file).await,
            "Sobel gradient" => sobel(case, bench, &session, file).await,
            _ => kinematics(case, bench, &session, file).await,
        }
    }
}

/// Constants of a case that must be those of the tools.
fn constants(params: &Given) -> Result<(), String> {
    for (key, own) in [("R", EARTH_RADIUS), ("omega", ROTATION), ("g", GRAVITY)] {
        same_constant(params, key, own)?;
    }
    Ok(())
}

/// A constant of a case, if it states it, must be the tools' own.
pub(super) fn same_constant(params: &Given, key: &str, own: f64) -> Result<(), String> {
    let stated = params.number_or(key, own)?;
    if (stated - own).abs() > 1e-12 * own {
        return Err(format!("`params/{key}` is {stated}; the tools have {own}"));
    }
    Ok(())
}

/// The selection of a variable that a case describes: box, one time, one level.
fn selection(case: &Case, bench: &Bench, file: &str, variable: &str) -> Result<Value, String> {
    let mut selection = json!({ "variable": variable });
    if let Some(region) = case.input.region()? {
        selection["region"] = region;
    }
    let path = bench.path(file);
    if case.input.get("time_index").is_some() {
        let time = time_at(&path, variable, case.input.index("time_index")?)?;
        selection["time"] = json!([time, time]);
    }
    if case.input.get("depth_index").is_some() {
        let depth = depth_at(&path, variable, case.input.index("depth_index")?)?;
        selection["depth"] = json!({ "at": depth });
    }
    Ok(selection)
}

/// The digest of an array over latitude and longitude.
fn map_digest(step: &Step, output: &str) -> Result<Value, String> {
    let (values, shape) = step.map(output)?;
    Ok(digest(values, &shape))
}

async fn kinematics(case: &Case, bench: &Bench, session: &Session, file: &str) -> Result<Value, String> {
    case.params.one_of("vorticity", &["v_x - u_y + u tan(lat)/R"])?;
    case.params.one_of("divergence", &["u_x + v_y - v tan(lat)/R"])?;
    let okubo = "sn^2 + ss^2 - vorticity^2 with sn = u_x - v_y - v tan/R, ss = v_x + u_y + u tan/R";
    case.params.one_of("okubo_weiss", &[okubo])?;
    let u = selection(case, bench, file, case.input.text("u")?)?;
    let v = selection(case, bench, file, case.input.text("v")?)?;
    let pair = json!({ "u": u, "v": v });
    let with = |extra: Value| {
        let mut arguments = pair.clone();
        if let (Some(own), Value::Object(extra)) = (arguments.as_object_mut(), extra) {
            own.extend(extra);
        }
        arguments
    };
    let bounded = with(json!({ "wrap": false }));
    let mut answer = Map::new();
    for (key, tool, arguments) in [
        ("vorticity", "compute_spatial_vorticity_map", bounded.clone()),
        ("divergence", "compute_divergence", bounded.clone()),
        ("strain_rate", "compute_strain_rate", bounded.clone()),
        ("rossby", "compute_rossby_number", with(json!({ "wrap": false, "mask_lat": 0 }))),
        ("speed", "compute_speed_from_uv", pair.clone()),
        ("eke", "compute_kinetic_energy", pair.clone()),
    ] {
        let step = session.call(tool, arguments).await?;
        answer.insert(key.to_owned(), map_digest(&step, "")?);
        if key == "vorticity" {
            let (values, shape) = step.map("")?;
            let [rows, columns] = shape;
            let middle = &values[rows / 2 * columns..(rows / 2 + 1) * columns];
            answer.insert("vorticity_mid_row_every8".to_owned(), json!(every(middle, 8)));
            answer.insert("metpy_vorticity_rms".to_owned(), json!(inner_rms(values, columns, 2)));
        }
    }
    for (key, component) in [("normal_strain", "normal"), ("shear_strain", "shear")] {
        let arguments = with(json!({ "wrap": false, "component": component }));
        let step = session.call("compute_strain_rate", arguments).await?;
        answer.insert(key.to_owned(), map_digest(&step, "")?);
    }
    let okubo =
        session.call("compute_okubo_weiss", with(json!({ "wrap": false, "normalise": false }))).await?;
    answer.insert("okubo_weiss".to_owned(), map_digest(&okubo, "")?);
    let cells = okubo.draft("vortex_cells")?.value.clone();
    answer.insert("okubo_weiss_below_minus_0p2_std".to_owned(), cells);
    Ok(answer.into())
}

async fn sobel(case: &Case, bench: &Bench, session: &Session, file: &str) -> Result<Value, String> {
    case.params.one_of("missing", &["filled with the mean of valid cells"])?;
    case.params.one_of("mode", &["nearest"])?;
    case.params.one_of("scaling", &["raw 3x3 Sobel, hypot of the two"])?;
    let data = selection(case, bench, file, case.input.text("variable")?)?;
    let step = session.call("compute_derived_field", json!({ "data": data, "field_type": "sobel" })).await?;
    map_digest(&step, "")
}

/// Root mean square over a map without its outermost rows and columns, which the peer computes in another way.
fn inner_rms(values: &[f64], columns: usize, margin: usize) -> f64 {
    let rows = values.len() / columns;
    let inner = |at: usize| {
        let (y, x) = (at / columns, at % columns);
        y >= margin && x >= margin && y + margin < rows && x + margin < columns
    };
    let (n, sum) = values
        .iter()
        .enumerate()
        .filter(|(at, value)| inner(*at) && !value.is_nan())
        .fold((0.0, 0.0), |(n, sum), (_, value)| (n + 1.0, sum + value * value));
    (sum / n).sqrt()
}

async fn geostrophic(case: &Case, bench: &Bench, session: &Session, file: &str) -> Result<Value, String> {
    let ssh = selection(case, bench, file, case.input.text("ssh")?)?;
    let step = session
        .call("compute_geostrophic_velocity", json!({ "ssh": ssh, "mask_lat": 0, "wrap": false }))
        .await?;
    let (u, v) = (session.keep(step.output("u")?)?, session.keep(step.output("v")?)?);
    let energy = session.call("compute_kinetic_energy", json!({ "u": u, "v": v })).await?;
    let energy = map_digest(&energy, "")?;
    let mut answer = Map::new();
    answer.insert("u".to_owned(), map_digest(&step, "u")?);
    answer.insert("v".to_owned(), map_digest(&step, "v")?);
    answer.insert("eke_mean".to_owned(), energy["mean"].clone());
    if case.wants("n_common") {
        let mut products = Vec::new();
        for name in ["ugos", "vgos"] {
            let selection = selection(case, bench, file, name)?;
            products.push(session.call("compute_spatial_field", json!({ "data": selection })).await?);
        }
        let maps = [step.map("u")?.0, step.map("v")?.0, products[0].map("")?.0, products[1].map("")?.0];
        let common: Vec<usize> =
            (0..maps[0].len()).filter(|&at| maps.iter().all(|map| !map[at].is_nan())).collect();
        answer.insert("n_common".to_owned(), json!(common.len()));
        for (key, own, product) in [("corr_u_with_product", 0, 2), ("corr_v_with_product", 1, 3)] {
            let pick = |map: usize| common.iter().map(|&at| maps[map][at]).collect::<Vec<f64>>();
            answer.insert(key.to_owned(), json!(correlation(&pick(own), &pick(product))));
        }
    }
    Ok(answer.into())
}

/// Pearson's coefficient, by which the peer compares its own answer with the product's.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (a - mean_a, b - mean_b);
        (ab, aa, bb) = (ab + a * b, aa + a * a, bb + b * b);
    }
    ab / (aa * bb).sqrt()
}

async fn ekman(case: &Case, bench: &Bench, session: &Session, file: &str) -> Result<Value, String> {
    case.params.one_of("curl", &["dty/dx - dtx/dy + tx tan(lat)/R"])?;
    case.params.one_of("pumping", &["curl(tau/f)/rho"])?;
    let mask = case.params.text("equator_mask")?;
    let mask: f64 = mask
        .strip_prefix("|lat| <= ")
        .and_then(|rest| rest.strip_suffix(" missing"))
        .and_then(|degrees| degrees.parse().ok())
        .ok_or_else(|| format!("`params/equator_mask` is {mask}"))?;
    let variables: Vec<&str> = case.input.text("variables")?.split_whitespace().collect();
    let [u, v] = variables.as_slice() else { return Err("`input/variables` must name two".to_owned()) };
    let stress = json!({
        "u10": selection(case, bench, file, u)?,
        "v10": selection(case, bench, file, v)?,
        "formula": "constant",
        "drag_coefficient": case.params.number("cd")?,
        "rho_air": case.params.number("rho_air")?,
    });
    let stress = session.call("compute_wind_stress", stress).await?;
    let (x, y) = (session.keep(stress.output("tau_x")?)?, session.keep(stress.output("tau_y")?)?);
    let water = case.params.number("rho_water")?;
    let arguments = json!({ "taux": x, "tauy": y, "rho0": water, "mask_lat": mask });
    let transport = session.call("compute_ekman_transport", arguments.clone()).await?;
    let mut bounded = arguments;
    bounded["wrap"] = json!(false);
    let pumping = session.call("compute_ekman_pumping", bounded).await?;
    let mut answer = Map::new();
    for (key, step, output) in [
        ("tau_x", &stress, "tau_x"),
        ("tau_y", &stress, "tau_y"),
        ("curl", &pumping, "curl"),
        ("ekman_u_m2_s", &transport, "u"),
        ("ekman_v_m2_s", &transport, "v"),
        ("pumping_m_s", &pumping, "pumping"),
    ] {
        answer.insert(key.to_owned(), map_digest(step, output)?);
    }
    Ok(answer.into())
}
