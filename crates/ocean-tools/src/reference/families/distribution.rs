//! Distributions of values.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;

/// The family `distribution`.
#[derive(Debug)]
pub(super) struct Distribution;

#[async_trait]
impl Adapter for Distribution {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "distribution"
            && ["histogram", "descriptive statistics", "kernel density", "extreme value fit and return level"]
                .contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        match case.tool.as_str() {
            "histogram" => histogram(case, bench).await,
            "descriptive statistics" => moments(case, bench).await,
            "kernel density" => density(case, bench).await,
            _ => extremes(case, bench).await,
        }
    }
}

/// Lowest, highest and count of the bins of `-4..34 step 2, last bin closed`.
fn edges_of(text: &str) -> Result<(f64, f64, usize), String> {
    let unknown = || format!("`params/edges` is `{text}`, which is unknown");
    let range = text.strip_suffix(", last bin closed").ok_or_else(unknown)?;
    let (range, step) = range.split_once(" step ").ok_or_else(unknown)?;
    let (low, high) = range.split_once("..").ok_or_else(unknown)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| unknown());
    let (low, high, step) = (number(low)?, number(high)?, number(step)?);
    let count = (1..100_000_u32).find(|count| f64::from(*count) * step >= high - low - step * 1e-6);
    let count = count.and_then(|count| usize::try_from(count).ok()).ok_or_else(unknown)?;
    Ok((low, high, count))
}

async fn histogram(case: &Case, bench: &Bench) -> Result<Value, String> {
    let session = bench.open_one(case.input.text("file")?)?;
    let (low, high, count) = edges_of(case.params.text("edges")?)?;
    let ask = json!({
        "data": {"variable": case.input.text("variable")?}, "n_bins": count, "bin_range": [low, high],
        "weighting": "equal",
    });
    let found = session.call("compute_histogram", ask).await?;
    Ok(json!({ "counts": found.values("count")?, "n": found.number("n")? }))
}

async fn moments(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("skew", &["population (bias=True)"])?;
    case.params.one_of("kurtosis", &["excess, population"])?;
    let (session, series) = bench.open_column(case.input.text("file")?, case.input.text("column")?)?;
    let ask = json!({ "data": series, "weighting": "equal", "quantiles": [0.01, 0.1, 0.5, 0.9, 0.99] });
    let found = session.call("compute_descriptive_statistics", ask).await?;
    let quantiles: Vec<Value> = found
        .content("quantiles")?
        .as_array()
        .into_iter()
        .flatten()
        .map(|own| own["value"].clone())
        .collect();
    Ok(json!({
        "n": found.content("n")?, "mean": found.number("mean")?, "std_ddof1": found.number("std")?,
        "skew": found.number("skewness")?, "kurtosis": found.number("kurtosis")?,
        "quantiles_01_10_50_90_99": quantiles,
    }))
}

async fn density(case: &Case, bench: &Bench) -> Result<Value, String> {
    let (session, series) = bench.open_column(case.input.text("file")?, case.input.text("column")?)?;
    let ask = json!({
        "data": series, "weighting": "equal", "bandwidth": case.params.text("bandwidth")?,
        "at": case.params.numbers("at")?, "every": case.input.index("every")?,
    });
    let found = session.call("compute_kernel_density", ask).await?;
    Ok(json!({ "pdf": found.values("")? }))
}

async fn extremes(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("block", &["calendar year maximum"])?;
    case.params.one_of("method", &["maximum likelihood; xi = -c of scipy"])?;
    let (session, series) = bench.open_column(case.input.text("file")?, case.input.text("column")?)?;
    let ask = |method: &str| json!({ "timeseries": series, "method": method, "return_periods": [20.0] });
    let gev = session.call("compute_extreme_return_level", ask("gev")).await?;
    let gumbel = session.call("compute_extreme_return_level", ask("gumbel")).await?;
    let level = |found: &Value| found[0]["level"].clone();
    Ok(json!({
        "n": gev.content("n")?,
        "gev": {"xi": gev.number("shape")?, "loc": gev.number("location")?, "scale": gev.number("scale")?},
        "gumbel": {"loc": gumbel.number("location")?, "scale": gumbel.number("scale")?},
        "return_level_20y_gev": level(gev.content("levels")?),
        "return_level_20y_gumbel": level(gumbel.content("levels")?),
    }))
}
