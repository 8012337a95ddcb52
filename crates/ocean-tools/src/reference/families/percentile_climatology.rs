//! Percentiles of each day of the year.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Adapter;
use super::series_inputs::baseline;
use crate::reference::bench::Bench;
use crate::reference::case::Case;

/// The family `percentile_climatology`.
#[derive(Debug)]
pub(super) struct PercentileClimatology;

#[async_trait]
impl Adapter for PercentileClimatology {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        capability == "percentile climatology with moving window"
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        case.params.one_of("calendar", &["366 days, doy of leap year"])?;
        let (session, series) = bench.open_column(case.input.text("file")?, case.input.text("column")?)?;
        let ask = json!({
            "timeseries": series, "baseline": baseline(&case.params)?, "percentile": case.params.number("pctile")?,
            "window_half_width": case.params.index("window_half_width")?,
            "smooth_width": case.params.index("smooth_width")?,
        });
        let found = session.call("compute_percentile_climatology", ask).await?;
        let days: Vec<usize> = case.expected["doy"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|day| usize::try_from(day.as_u64()?).ok()?.checked_sub(1))
            .collect();
        let pick = |values: &[f64]| -> Vec<Option<f64>> {
            days.iter().map(|day| values.get(*day).copied()).collect()
        };
        Ok(json!({
            "doy": case.expected["doy"], "clim": pick(found.values("mean")?), "thresh": pick(found.values("threshold")?),
            "clim_annual_mean": found.number("climatology_mean")?,
            "thresh_annual_mean": found.number("threshold_mean")?,
        }))
    }
}
