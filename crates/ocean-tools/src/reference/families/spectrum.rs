//! Spectra.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Adapter;
use super::series_inputs::{baseline_of, box_anomaly, index};
use crate::reference::bench::{Bench, Step};
use crate::reference::case::Case;
use crate::reference::facts::argmax;

/// The family `spectrum`.
#[derive(Debug)]
pub(super) struct Spectrum;

const CAPABILITIES: [&str; 5] = [
    "power spectrum (periodogram)",
    "power spectrum (Welch)",
    "coherence and cross-phase",
    "Lomb-Scargle periodogram",
    "autocorrelation",
];

#[async_trait]
impl Adapter for Spectrum {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "spectrum" && CAPABILITIES.contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        if case.params.get("fs_per_year").is_some_and(|own| own.as_f64() != Some(12.0)) {
            return Err("`params/fs_per_year` must be 12".to_owned());
        }
        case.params.one_of("scaling", &["density"])?;
        match case.tool.as_str() {
            "coherence and cross-phase" => coherence(case, bench).await,
            "Lomb-Scargle periodogram" => uneven(case, bench).await,
            "autocorrelation" => memory(case, bench).await,
            _ => power(case, bench).await,
        }
    }
}

/// Arguments that several cases share.
fn how(case: &Case) -> Result<Value, String> {
    let window = case.params.text("window")?;
    let window = match window {
        "hann" | "hann (periodic)" => "hann",
        "boxcar" => "boxcar",
        other => return Err(format!("`params/window` is `{other}`; known are: hann | boxcar")),
    };
    let mut arguments = json!({ "window": window, "detrend": case.params.text("detrend")? });
    for key in ["nperseg", "noverlap"] {
        if let Some(value) = case.params.get(key) {
            arguments[key] = value.clone();
        }
    }
    Ok(arguments)
}

fn top(found: &Step, count: usize) -> Result<Value, String> {
    let frequency = &found.artifact()?.coords.get("frequency").ok_or("no frequencies")?.values;
    let power = found.values("power")?;
    let mut order: Vec<usize> = (0..power.len()).collect();
    order.sort_by(|a, b| power[*b].total_cmp(&power[*a]));
    Ok(order.iter().take(count).map(|at| json!({ "freq": frequency[*at], "power": power[*at] })).collect())
}

async fn power(case: &Case, bench: &Bench) -> Result<Value, String> {
    let session = bench.open_one(case.input.text("file")?)?;
    let series = index(&session, case.input.text("series")?).await?;
    let mut ask = how(case)?;
    ask["timeseries"] = series.reference;
    ask["method"] = json!(if case.tool.ends_with("(periodogram)") { "periodogram" } else { "welch" });
    let found = session.call("compute_spectrum", ask).await?;
    let power = found.values("power")?;
    let bins: Vec<f64> = [10, 20, 30].iter().filter_map(|at| power.get(*at).copied()).collect();
    Ok(json!({
        "n": power.len(), "top5": top(&found, 5)?, "top3": top(&found, 3)?, "total": found.number("total_power")?,
        "power_at_bins_10_20_30": bins, "psd_first_20": power.iter().take(20).collect::<Vec<_>>(),
    }))
}

/// A box of a text such as `20-60N 120-240E anomaly`.
fn region_of(text: &str) -> Result<Value, String> {
    let pair = |mark: char| -> Option<[f64; 2]> {
        let word = text.split_whitespace().find_map(|word| word.strip_suffix(mark))?;
        let (from, to) = word.split_once('-')?;
        Some([from.parse().ok()?, to.parse().ok()?])
    };
    match (pair('N'), pair('E'), text.ends_with("anomaly")) {
        (Some(lat), Some(lon), true) => Ok(json!({ "lat": lat, "lon": lon })),
        _ => Err(format!("the series `{text}` is unknown")),
    }
}

async fn coherence(case: &Case, bench: &Bench) -> Result<Value, String> {
    let session = bench.open_one(case.input.text("file")?)?;
    let (x, y) = match (case.input.get("x"), case.input.get("y")) {
        (Some(_), Some(_)) => (case.input.text("x")?, case.input.text("y")?),
        _ => (case.params.text("x")?, case.params.text("y")?),
    };
    let one = index(&session, x).await?;
    let two = box_anomaly(&session, Some(region_of(y)?), json!(baseline_of(x))).await?;
    let mut ask = how(case)?;
    ask["timeseries1"] = one.reference;
    ask["timeseries2"] = two.reference;
    let found = session.call("compute_coherence", ask).await?;
    Ok(json!({
        "coherence_first_20": found.values("coherence")?.iter().take(20).collect::<Vec<_>>(),
        "phase_rad_first_10": found.values("phase")?.iter().take(10).collect::<Vec<_>>(),
    }))
}

async fn uneven(case: &Case, bench: &Bench) -> Result<Value, String> {
    if case.params.get("normalize").is_some_and(|own| *own != true) {
        return Err("`params/normalize` must be true".to_owned());
    }
    let text = case.params.text("freq_per_year")?;
    let parts = text.split_once(" values ").and_then(|(count, range)| {
        let (low, high) = range.split_once("..")?;
        Some((count.parse::<u64>().ok()?, low.parse::<f64>().ok()?, high.parse::<f64>().ok()?))
    });
    let (count, low, high) = parts.ok_or_else(|| format!("`params/freq_per_year` is `{text}`"))?;
    let session = bench.open_one(case.input.text("file")?)?;
    let series = index(&session, case.input.text("series")?).await?;
    let keep: Vec<u64> =
        case.input.need("keep_indices")?.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    // The record of the case has only these values.
    let mut artifact = series.artifact()?.clone();
    for (at, value) in artifact.variables.iter_mut().flat_map(|own| own.values.iter_mut().enumerate()) {
        if keep.binary_search(&(at as u64)).is_err() {
            *value = f64::NAN;
        }
    }
    let ask = json!({
        "timeseries": session.keep(&artifact)?, "min_frequency": low, "max_frequency": high, "n_frequencies": count,
        "mean": "subtract",
    });
    let found = session.call("compute_lomb_scargle", ask).await?;
    let power = found.values("power")?;
    Ok(json!({ "power": power, "argmax": argmax(power) }))
}

async fn memory(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("kind", &["pearson of overlapping parts"])?;
    let session = bench.open_one(case.input.text("file")?)?;
    let series = index(&session, case.input.text("series")?).await?;
    let ask = json!({
        "timeseries": series.reference, "max_lag": case.params.index("maxlag")?, "deseasonalise": false,
    });
    let found = session.call("compute_decorrelation_scale", ask).await?;
    Ok(json!({ "acf": found.content("autocorrelation")? }))
}
