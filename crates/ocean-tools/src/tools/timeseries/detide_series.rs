//! `detide_series`: a series without its tide.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::gaps::bridged;
use crate::kernels::smoothing::{convolve, lanczos_weights};
use crate::kernels::steps;
use crate::kernels::tide::godin;
use crate::kernels::time_axis::TimeStep;
use crate::series::Series;
use crate::tides::{Ask, Constituents, TidalFit};
use crate::tools::statistic::joined::even;
use crate::{Datasets, evidence};

/// Takes tides out.
pub(crate) struct DetideSeries;

/// Arguments of `detide_series`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Sea level or a component of the current; times in UTC for `harmonic`.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// How.
    #[serde(default)]
    method: Method,
    /// Degrees north; `harmonic` needs it.
    #[serde(default)]
    #[schemars(range(min = -90.0, max = 90.0))]
    latitude: Option<f64>,
    /// What `harmonic` takes out: "auto", all that the record can tell apart, or names.
    #[serde(default)]
    constituents: Constituents,
    /// Longest gap in steps that a filter bridges by a straight line.
    #[serde(default = "three")]
    #[schemars(range(max = 1000))]
    max_gap: usize,
}

fn three() -> usize {
    3
}

/// How.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// The fitted tide is subtracted; all shorter and longer motions stay.
    Harmonic,
    /// Running means of 24, 24 and 25 h.
    #[default]
    Godin,
    /// A Lanczos low-pass of 121 h whose edge is at 40 h.
    Lanczos,
}

/// Half the length of the Lanczos filter, and the period of its edge, in hours.
const LANCZOS: (usize, f64) = (60, 40.0);

impl Computation for DetideSeries {
    const NAME: &'static str = "detide_series";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("timeseries", "A series without its tide.", Port::of(Kind::Series))
            .description(
                "godin: means of 24, 24 and 25 h one after the other (Godin 1972), 71 hourly weights; lanczos: 121 hourly \
                 weights, edge at 40 h (Duchon 1979): both also take out other motions of a day and less, and the ends \
                 and places near a gap become missing. harmonic: the value minus the constituents fitted as by \
                 `compute_harmonic_tides`, mean and trend left in; it keeps surges of hours and lunisolar waves of weeks \
                 that the fit leaves.",
            )
            .evidence(&[&evidence::SERIES[..], &["removed_std", "n_filled"]].concat())
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        let result = match arguments.method {
            Method::Harmonic => harmonic(arguments, &series)?,
            Method::Godin | Method::Lanczos => filtered(arguments, &series)?,
        };
        Ok(output(&series, result))
    }
}

/// Values at the times of the series.
struct Detided {
    values: Vec<f64>,
    method: String,
    filled: usize,
    notes: Vec<String>,
}

fn harmonic(arguments: &Arguments, series: &Series) -> Result<Detided, ToolError> {
    let latitude = arguments.latitude.ok_or_else(|| {
        ToolError::invalid("give latitude in degrees north, which the nodal corrections of `harmonic` need")
    })?;
    let ask =
        Ask { constituents: &arguments.constituents, latitude, nodal: true, trend: true, rayleigh: 1.0 };
    let fit = TidalFit::of(series, &ask)?;
    let values = series
        .values
        .iter()
        .zip(&fit.days)
        .map(|(value, day)| if value.is_nan() { *value } else { value - fit.harmonics.tide(*day) });
    let names: Vec<&str> = fit.harmonics.waves.iter().map(|wave| wave.constituent.name).collect();
    Ok(Detided {
        values: values.collect(),
        method: format!("series minus {} fitted tidal constituents ({})", names.len(), names.join(" ")),
        filled: 0,
        notes: fit.notes,
    })
}

fn filtered(arguments: &Arguments, series: &Series) -> Result<Detided, ToolError> {
    let per_hour = match series.axis.step() {
        TimeStep::Seconds(seconds) if seconds > 0 && 3_600 % seconds == 0 => {
            usize::try_from(3_600 / seconds).ok()
        }
        _ => None,
    };
    let per_hour = per_hour.ok_or_else(|| {
        ToolError::invalid(
            "the filters need one step that divides an hour, such as 6 or 60 minutes; bring the series to hours with \
             `resample_timeseries`, or set method to harmonic",
        )
    })?;
    let even = even(&series.axis, &series.values)?;
    let (even, filled) = bridged(&even, arguments.max_gap);
    let (weights, method) = if arguments.method == Method::Godin {
        (godin::weights(per_hour), "Godin filter, means of 24, 24 and 25 h".to_owned())
    } else {
        let (half, edge) = LANCZOS;
        let weights = lanczos_weights(2 * half * per_hour + 1, 1.0 / (edge * per_hour as f64));
        (weights, format!("Lanczos low-pass of {} h, edge at {edge} h", 2 * half + 1))
    };
    let smooth = convolve(&even, &weights);
    let numbers = steps::numbers(&series.axis).unwrap_or_default();
    let at = |number: &i64| usize::try_from(*number).ok().and_then(|at| smooth.get(at)).copied();
    let values: Vec<f64> = numbers.iter().map(|number| at(number).unwrap_or(f64::NAN)).collect();
    if values.iter().all(|value| value.is_nan()) {
        return Err(ToolError::no_data(format!(
            "no stretch of {} steps without a gap is there; raise max_gap, take a longer series, or set method to harmonic",
            weights.len()
        )));
    }
    let lost = format!(
        "values within {} steps of the ends or of a gap are missing, because the filter reaches beyond them",
        weights.len() / 2
    );
    Ok(Detided { values, method, filled, notes: vec![lost] })
}

fn output(series: &Series, detided: Detided) -> ToolOutput {
    let removed: Vec<f64> = series
        .values
        .iter()
        .zip(&detided.values)
        .map(|(before, after)| before - after)
        .filter(|own| !own.is_nan())
        .collect();
    let mean = removed.iter().sum::<f64>() / removed.len() as f64;
    let variance = removed.iter().map(|own| (own - mean) * (own - mean)).sum::<f64>() / removed.len() as f64;
    let mut own = series.clone();
    own.name = format!("{}_detided", series.name);
    own.values = detided.values;
    own.attributes.insert("method".to_owned(), json!(detided.method));
    let mut drafts = evidence::of_series(&own.axis, &own.values, &own.units, &detided.method, None);
    drafts.push(leg_core::EvidenceDraft::new(
        "removed_std",
        libm::sqrt(variance),
        &own.units,
        &format!("population standard deviation of what was taken out: {}", detided.method),
    ));
    drafts.push(leg_core::EvidenceDraft::new(
        "n_filled",
        detided.filled as u64,
        "1",
        "missing values that were bridged by straight lines before filtering",
    ));
    ToolOutput::of(own.to_artifact()).with_evidence(drafts).with_notes(detided.notes)
}
