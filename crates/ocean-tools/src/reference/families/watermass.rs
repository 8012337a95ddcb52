//! Volumes of water by classes.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;
use crate::reference::facts::digest;

/// The family `watermass`.
#[derive(Debug)]
pub(super) struct WaterMass;

const CENSUS: &str = "volumetric T-S census";
const CLASSES: &str = "volume by density class";
const CLUSTERS: &str = "k-means clustering of T-S points";

#[async_trait]
impl Adapter for WaterMass {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        [CENSUS, CLASSES, CLUSTERS].contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        match case.tool.as_str() {
            CENSUS => census(case, bench).await,
            CLASSES => classes(case, bench).await,
            _ => clusters(case, bench).await,
        }
    }
}

/// Edges from a first to a last one by a step.
fn edges(first: f64, last: f64, step: f64) -> Vec<f64> {
    let mut edges = Vec::new();
    let mut at = 0.0;
    while at <= ((last - first) / step).round() {
        edges.push(first + step * at);
        at += 1.0;
    }
    edges
}

async fn census(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of(
        "volume",
        &["dz (mid-point edges, first 0, last extended) x R^2 dlat dlon cos(lat), 3 degree cells"],
    )?;
    let session = bench.open_one(case.input.text("file")?)?;
    let names = case.input.text("variables")?;
    let (temp, salt) = names.split_once(' ').ok_or("`variables` must name two")?;
    let mut asks = [json!({ "variable": temp }), json!({ "variable": salt })];
    if case.input.get("max_depth").is_some() {
        let depth = json!({"range": [0.0, case.input.number("max_depth")?]});
        for ask in &mut asks {
            ask["depth"] = depth.clone();
        }
    }
    let spaced = |key: &str| -> Result<Vec<f64>, String> {
        match case.params.numbers(key)?[..] {
            [first, last, step] => Ok(edges(first, last, step)),
            _ => Err(format!("`{key}` must be first, last and step")),
        }
    };
    let [temp, salt] = asks;
    let found = session
        .call(
            "compute_ts_volume_census",
            json!({
                "temp": temp, "salt": salt, "bins_t": spaced("t_edges")?, "bins_s": spaced("s_edges")?,
                "area": "centre",
            }),
        )
        .await?;
    let place = found.draft("largest")?.place.clone().unwrap_or_default();
    Ok(json!({
        "total_m3": found.number("total")?,
        "inside_m3": found.number("inside")?,
        "largest_class": {
            "t_low": place["temperature"], "s_low": place["salinity"], "volume_m3": found.number("largest")?,
        },
        "n_nonempty": found.number("n_classes")?,
        "classes_for_90_percent": found.number("n_classes_90")?,
        "volume_mean_t": found.number("mean_temperature")?,
        "volume_mean_s": found.number("mean_salinity")?,
    }))
}

async fn classes(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("sa", &["from SP at cell"])?;
    case.params.one_of("volume", &["as in the census"])?;
    let text = case.params.text("sigma0_edges")?;
    let parse = |text: &str| text.parse::<f64>().map_err(|error| error.to_string());
    let (range, step) = text.split_once(" step ").ok_or("`sigma0_edges` must be a range and a step")?;
    let (first, last) = range.split_once("..").ok_or("`sigma0_edges` must be a range and a step")?;
    let session = bench.open_one(case.input.text("file")?)?;
    let water = json!({"temp": {"variable": "temperature"}, "salt": {"variable": "salinity"}});
    let sigma = session.call("compute_density", water).await?;
    let valid: Vec<f64> = sigma.values("")?.iter().copied().filter(|value| value.is_finite()).collect();
    let found = session
        .call(
            "compute_volume_by_class",
            json!({
                "data": sigma.reference, "edges": edges(parse(first)?, parse(last)?, parse(step)?), "area": "centre",
            }),
        )
        .await?;
    Ok(json!({ "volumes_m3": found.values("")?, "sigma0": digest(&valid, &[valid.len()]) }))
}

async fn clusters(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("standardised", &["minus mean, over population std"])?;
    case.params.one_of("algorithm", &["Lloyd to convergence"])?;
    let points = case.input.text("points")?;
    let every: usize = points
        .strip_prefix("valid (T,S) in C order, every ")
        .map(|rest| rest.trim_end_matches(|own: char| own.is_ascii_alphabetic()))
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| format!("unknown points `{points}`"))?;
    let session = bench.open_one(case.input.text("file")?)?;
    let found = session
        .call(
            "cluster_water_masses",
            json!({
                "temp": {"variable": "temperature"}, "salt": {"variable": "salinity"}, "every": every,
                "k": case.params.index("k")?, "start": case.params.need("init_point_indices")?,
            }),
        )
        .await?;
    let centres: Vec<Value> = found
        .values("temperature")?
        .iter()
        .zip(found.values("salinity")?)
        .map(|(t, s)| json!([t, s]))
        .collect();
    Ok(json!({
        "n": found.number("n")?, "centres_unscaled": centres, "counts": found.values("count")?,
        "inertia": found.number("inertia")?,
    }))
}
