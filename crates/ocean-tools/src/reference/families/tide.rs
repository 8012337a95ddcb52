//! Tides and other waves of known periods.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;
use crate::reference::facts::{argmax, digest, every, step_of};

/// The family `tide`.
#[derive(Debug)]
pub(super) struct Tide;

const CAPABILITIES: [&str; 5] = [
    "tidal harmonic analysis",
    "least-squares harmonic fit at given periods",
    "annual and semi-annual harmonics with trend",
    "daily means and monthly extremes",
    "de-tiding by low-pass filter",
];

#[async_trait]
impl Adapter for Tide {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "tide" && CAPABILITIES.contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        match case.tool.as_str() {
            "tidal harmonic analysis" => constituents(case, bench).await,
            "least-squares harmonic fit at given periods" => periods(case, bench).await,
            "annual and semi-annual harmonics with trend" => year(case, bench).await,
            "daily means and monthly extremes" => extremes(case, bench).await,
            _ => low_pass(case, bench).await,
        }
    }
}

async fn constituents(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("method", &["ordinary least squares"])?;
    case.params.one_of("phase", &["Greenwich"])?;
    let (session, series) = bench.open_column(case.input.text("file")?, case.input.text("column")?)?;
    let ask = json!({
        "timeseries": series, "latitude": case.input.number("latitude")?,
        "constituents": case.params.need("constit")?, "nodal": case.params.need("nodal")?,
        "trend": case.params.need("trend")?, "rayleigh_min": case.params.number("rayleigh_min")?,
    });
    let found = session.call("compute_harmonic_tides", ask).await?;
    let names = found.artifact()?.coords.get("constituent").map(|own| own.values.clone()).unwrap_or_default();
    let (amplitude, phase) = (found.values("amplitude")?, found.values("phase")?);
    let top: Vec<Value> = names
        .iter()
        .zip(amplitude.iter().zip(phase))
        .take(20)
        .map(|(name, (amplitude, phase))| json!({ "name": name, "amp": amplitude, "phase_g": phase }))
        .collect();
    let furthest = found.draft("residual_extreme")?;
    let time = furthest.when.clone().unwrap_or_default();
    Ok(json!({
        "n_constituents": found.number("n_constituents")?, "mean": found.number("mean")?,
        "slope_per_day": found.draft("slope_per_day")?.value, "top20": top,
        "form_factor": found.number("form_factor")?, "residual_std": found.number("residual_std")?,
        "residual_abs_max": {"time": time.trim_end_matches('Z').replace('T', " "), "value": furthest.value},
        "n_used": found.number("n")?,
    }))
}

async fn periods(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("time_zero", &["first sample"])?;
    case.params.one_of("terms", &["constant, linear in days, cos and sin"])?;
    let (session, series) = bench.open_column(case.input.text("file")?, case.input.text("column")?)?;
    let named =
        case.params.need("periods_hours")?.as_object().ok_or("`params/periods_hours` is no object")?;
    let waves: Vec<Value> =
        named.iter().map(|(name, period)| json!({ "name": name, "period": period })).collect();
    let ask = json!({ "timeseries": series, "periods": waves, "period_unit": "hours" });
    let found = session.call("compute_harmonic_fit", ask).await?;
    let mut waves = Map::new();
    for wave in found.content("waves")?.as_array().into_iter().flatten() {
        let name = wave["name"].as_str().unwrap_or_default();
        waves.insert(name.to_owned(), json!([wave["amplitude"], wave["phase"]]));
    }
    Ok(
        json!({ "mean": found.number("mean")?, "slope_per_day": found.number("slope_per_day")?, "amp_phase": waves }),
    )
}

async fn year(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("t", &["days from first / 365.25"])?;
    let (session, series) = bench.open_column(case.input.text("file")?, case.input.text("column")?)?;
    let found = session.call("compute_harmonic_fit", json!({ "timeseries": series })).await?;
    let waves = found.content("waves")?;
    Ok(json!({
        "mean": found.number("mean")?, "trend_per_year": found.number("slope_per_day")? * 365.25,
        "annual_amp": waves[0]["amplitude"], "annual_phase_deg": waves[0]["phase"],
        "semi_amp": waves[1]["amplitude"], "semi_phase_deg": waves[1]["phase"],
    }))
}

async fn extremes(case: &Case, bench: &Bench) -> Result<Value, String> {
    let (session, series) = bench.open_column(case.input.text("file")?, case.input.text("column")?)?;
    let ask = |freq: &str, method: &str| json!({ "timeseries": series, "freq": freq, "method": method, "min_coverage": 0.0 });
    let days = session.call("resample_timeseries", ask("D", "mean")).await?;
    let months = session.call("resample_timeseries", ask("MS", "max")).await?;
    let present: Vec<f64> = days.values("")?.iter().copied().filter(|value| !value.is_nan()).collect();
    let most = days.draft("max")?;
    let top: Vec<f64> = months.values("")?.iter().copied().filter(|value| !value.is_nan()).collect();
    Ok(json!({
        "n_days": present.len(), "daily_first5": present.iter().take(5).collect::<Vec<_>>(),
        "daily_max": {"day": most.when, "value": most.value}, "monthly_max": top,
    }))
}

async fn low_pass(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("gaps", &["rows as they are, linear fill by row"])?;
    if case.params.need("zero_phase")? != true {
        return Err("`params/zero_phase` must be true".to_owned());
    }
    let (session, series) = bench.open_column(case.input.text("file")?, case.input.text("column")?)?;
    let ask = json!({
        "data": series, "method": "butterworth", "order": case.params.index("order")?,
        "cutoff_period": [case.params.number("cutoff_hours")?], "cutoff_unit": "samples", "rows_as_steps": true,
        "max_gap": 1_000_000,
    });
    let found = session.call("filter_data", ask).await?;
    let values = found.values("")?;
    let facts = digest(values, &[values.len()]);
    let time = argmax(values).and_then(|at| found.times().ok()?.get(at).cloned()).unwrap_or_default();
    let mut answer = json!({
        "std": facts["std"], "max": facts["max"],
        "argmax_time": time.trim_end_matches('Z').replace('T', " "),
    });
    for (key, step) in case.expected_keys().filter_map(|key| Some((key, step_of(key)?))) {
        answer[key] = json!(every(values, step));
    }
    Ok(answer)
}
