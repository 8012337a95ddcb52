//! `interpolate_data`: a field at given points or times.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use ocean_data::field::reduce::{PointMethod, PointOptions, point_series};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::kernels::time_axis::TimeAxis;
use crate::series::{axis_of, units_of};
use crate::tools::timeseries::extract_point_timeseries::cannot_extract;
use crate::{Datasets, reading};

/// Samples a field at points, and at times between its own.
pub(crate) struct InterpolateData;

/// Arguments of `interpolate_data`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    data: FieldArgument,
    /// Points `[lon, lat]`.
    #[schemars(length(min = 1, max = 100_000))]
    points: Vec<[f64; 2]>,
    /// Instants to interpolate to, ISO 8601; the field's own if absent.
    #[serde(default)]
    time_points: Option<Vec<String>>,
    /// Linear between neighbours, or the nearest cell and instant.
    #[serde(default)]
    method: Method,
}

/// How values between the field's own are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// Bilinear in space, linear in time.
    #[default]
    Linear,
    /// Nearest cell, nearest instant.
    Nearest,
}

impl Computation for InterpolateData {
    const NAME: &'static str = "interpolate_data";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Field at given points and times.", Port::of(Kind::Table).unit("=data"))
            .description(
                "Bilinear over the wet corners of the cell around a point, missing where dry corners would carry more than \
                 half of the weight; or the nearest cell. Times between two of the field are linear between them, or the \
                 nearest. Nothing is extrapolated: a point or a time outside is an error. A row a point, level and time.",
            )
            .evidence(&["min", "max", "mean", "n", "n_missing"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let times = wanted_times(arguments, &field)?;
        let depths: Vec<Option<f64>> = match field.depths() {
            Some(axis) => axis.values.iter().copied().map(Some).collect(),
            None => vec![None],
        };
        let method =
            if arguments.method == Method::Linear { PointMethod::Linear } else { PointMethod::Nearest };
        let (mut rows, mut all, mut source) = (Vec::new(), Vec::new(), None);
        for &[lon, lat] in &arguments.points {
            let options = PointOptions { lon, lat, method, wet_only: false, max_distance_km: None };
            let series = point_series(&field, &options, &reading::control(context))
                .map_err(|error| cannot_extract(&error))?;
            source = Some(reading::source(&field, &series.chunks));
            for (z, depth) in depths.iter().enumerate() {
                let own: Vec<f64> = series.values.column(z.min(series.values.ncols() - 1)).to_vec();
                for (label, mix) in &times {
                    let value = mix.of(&own);
                    all.push(value);
                    rows.push(json!([lon, lat, depth, label, finite(value)]));
                }
            }
        }
        let units = units_of(&field);
        let name = field.variable().identity_name();
        let content = json!({
            "columns": ["lon", "lat", "depth", "time", name],
            "units": ["degrees_east", "degrees_north", "m", "", units],
            "rows": rows,
        });
        let word = if arguments.method == Method::Linear { "linear" } else { "nearest" };
        let artifact = Artifact::document(Kind::Table, name, content).with_attribute("method", word);
        let output = ToolOutput::of(artifact)
            .with_evidence(evidence(&all, &units, word))
            .with_notes(reading::notes(&field));
        Ok(match source {
            Some(source) => output.with_source(source),
            None => output,
        })
    }
}

fn finite(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

/// Two of the field's times and the share of the second.
#[derive(Debug, Clone, Copy)]
struct Mix {
    before: usize,
    after: usize,
    share: f64,
}

impl Mix {
    fn of(self, values: &[f64]) -> f64 {
        if self.share == 0.0 {
            return values[self.before];
        }
        values[self.before] + (values[self.after] - values[self.before]) * self.share
    }
}

fn wanted_times(arguments: &Arguments, field: &Field) -> Result<Vec<(Option<String>, Mix)>, ToolError> {
    let at = |index: usize| Mix { before: index, after: index, share: 0.0 };
    let Some(texts) = &arguments.time_points else {
        return Ok(match field.times() {
            Some(times) => {
                times.iso().into_iter().enumerate().map(|(index, text)| (Some(text), at(index))).collect()
            }
            None => vec![(None, at(0))],
        });
    };
    let axis = axis_of(field)?;
    let own = axis.nanoseconds();
    texts
        .iter()
        .map(|text| {
            // One at a time: the points need not be in order.
            let wanted = TimeAxis::parse(axis.calendar(), &[text])
                .map_err(|error| ToolError::invalid(error.to_string()))?;
            let instant = wanted.nanoseconds()[0];
            let after = own.partition_point(|&other| other < instant);
            let outside = || {
                ToolError::no_data(format!("`{text}` is outside the field, which covers {}", axis.window()))
            };
            if own.get(after) == Some(&instant) {
                return Ok((Some(text.clone()), at(after)));
            }
            let before = after.checked_sub(1).ok_or_else(outside)?;
            if after >= own.len() {
                return Err(outside());
            }
            let share = (instant - own[before]) as f64 / (own[after] - own[before]) as f64;
            let mix = match arguments.method {
                Method::Linear => Mix { before, after, share },
                Method::Nearest => at(if share < 0.5 { before } else { after }),
            };
            Ok((Some(text.clone()), mix))
        })
        .collect()
}

fn evidence(values: &[f64], units: &str, word: &str) -> Vec<EvidenceDraft> {
    let method = format!("{word} interpolation");
    let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let n = present.len();
    let mean = present.iter().sum::<f64>() / n as f64;
    let low = present.iter().copied().fold(f64::NAN, f64::min);
    let high = present.iter().copied().fold(f64::NAN, f64::max);
    vec![
        EvidenceDraft::new("min", low, units, &format!("smallest value by {method}")),
        EvidenceDraft::new("max", high, units, &format!("largest value by {method}")),
        EvidenceDraft::new("mean", mean, units, &format!("mean of the values by {method}")).n(n),
        EvidenceDraft::new("n", n as u64, "1", "number of values"),
        EvidenceDraft::new("n_missing", (values.len() - n) as u64, "1", "number of missing values"),
    ]
}
