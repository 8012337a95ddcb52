//! `compute_spatial_statistics`: moments and quantiles of a map.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::field::reduce::cell_weights;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::argument::field::narrow;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::kernels::quantile::{quantile, weighted_quantile};
use crate::series::{axis_of, units_of};
use crate::tools::timeseries::compute_area_weighted_mean::WeightingArgument;
use crate::{Datasets, reading};

/// Moments and quantiles over the cells of a map.
pub(crate) struct ComputeSpatialStatistics;

/// Arguments of `compute_spatial_statistics`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "section"], "unit": "any"}))]
    data: FieldArgument,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the field's own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Weights of the cells; levels count by their thickness, unless all are alike.
    #[serde(default)]
    weighting: WeightingArgument,
    /// Quantiles to give, 0 to 1.
    #[serde(default = "usual")]
    #[schemars(length(max = 50))]
    quantiles: Vec<f64>,
}

/// Names of the evidence: quantiles other than these stand in the table alone.
const NAMES: [&str; 25] = [
    "mean",
    "std",
    "rms",
    "min",
    "max",
    "n",
    "sum_weights",
    "q01",
    "q05",
    "q10",
    "q25",
    "q50",
    "q75",
    "q90",
    "q95",
    "q99",
    "q01_unweighted",
    "q05_unweighted",
    "q10_unweighted",
    "q25_unweighted",
    "q50_unweighted",
    "q75_unweighted",
    "q90_unweighted",
    "q95_unweighted",
    "q99_unweighted",
];

fn usual() -> Vec<f64> {
    vec![0.05, 0.5, 0.95]
}

impl Computation for ComputeSpatialStatistics {
    const NAME: &'static str = "compute_spatial_statistics";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("field", "Moments and quantiles over the cells of a map.", Port::of(Kind::Table))
            .description(
                "Weighted mean, population standard deviation and root mean square, smallest and largest value, and \
                 quantiles with and without weights: type 7 (Hyndman and Fan 1996), with weights for the effective sample \
                 size. All times and levels of the field count together.",
            )
            .evidence(&NAMES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        if let Some(wrong) = arguments.quantiles.iter().find(|q| !(0.0..=1.0).contains(*q)) {
            return Err(ToolError::invalid(format!("quantile {wrong} is not between 0 and 1")));
        }
        let field = arguments.data.open(datasets, context)?;
        let field = narrow(
            &field,
            arguments.region.as_ref().map(|region| &region.0),
            arguments.depth.as_ref().map(|depth| &depth.0),
            arguments.time.as_ref().map(|window| &window.0),
        )?;
        let array = by_cell(&[&field], context, |_, cell| cell[0])?.values;
        let area = cell_weights(&field, arguments.weighting.weighting());
        let equal = matches!(arguments.weighting, WeightingArgument::Equal);
        let thickness = if equal { vec![1.0] } else { field.layer_thickness() };
        let (mut values, mut weights) = (Vec::new(), Vec::new());
        for ((_, z, y, x), &value) in array.indexed_iter() {
            if !value.is_nan() {
                values.push(value);
                weights.push(area[[y, x]] * thickness[z.min(thickness.len() - 1)]);
            }
        }
        let pairs = || values.iter().zip(&weights);
        // An empty sum is -0.
        let total = weights.iter().sum::<f64>() + 0.0;
        let mean = pairs().map(|(value, weight)| value * weight).sum::<f64>() / total;
        let variance =
            pairs().map(|(value, weight)| weight * (value - mean) * (value - mean)).sum::<f64>() / total;
        let rms = libm::sqrt(pairs().map(|(value, weight)| weight * value * value).sum::<f64>() / total);
        let (low, high) = values.iter().fold((f64::NAN, f64::NAN), |(l, h), &v| (v.min(l), v.max(h)));
        let units = units_of(&field);
        let when = if field.times().is_some() { Some(axis_of(&field)?.window()) } else { None };
        let draft = |name: &str, value: f64, unit: &str, method: &str| {
            let draft = EvidenceDraft::new(name, value, unit, method).n(values.len());
            match &when {
                Some(when) if !when.is_empty() => draft.when(when.clone()),
                _ => draft,
            }
        };
        let by = format!("weights: {}", arguments.weighting.as_str());
        let mut drafts = vec![
            draft("mean", mean, &units, &format!("weighted mean over the cells ({by})")),
            draft(
                "std",
                libm::sqrt(variance),
                &units,
                &format!("population standard deviation over the cells ({by})"),
            ),
            draft("rms", rms, &units, &format!("root mean square over the cells ({by})")),
            draft("min", low, &units, "smallest value of a cell"),
            draft("max", high, &units, "largest value of a cell"),
            EvidenceDraft::new("n", values.len() as u64, "1", "number of cells with a value"),
            draft(
                "sum_weights",
                total,
                if equal { "1" } else { weight_unit(arguments.weighting) },
                &format!("sum of the weights ({by})"),
            ),
        ];
        let mut rows = Vec::new();
        for &q in &arguments.quantiles {
            let (weighted, plain) = (weighted_quantile(&values, &weights, q), quantile(&values, q));
            let name = format!("q{:02}", q * 100.0);
            if NAMES.contains(&name.as_str()) {
                let how = format!("weighted quantile {q} over the cells, type 7 ({by})");
                drafts.push(draft(&name, weighted, &units, &how));
                drafts.push(draft(
                    &format!("{name}_unweighted"),
                    plain,
                    &units,
                    &format!("quantile {q} of the cells, type 7"),
                ));
            }
            rows.push(json!([q, number(weighted), number(plain)]));
        }
        let content =
            json!({ "columns": ["quantile", "weighted", "unweighted"], "rows": rows, "units": units });
        let artifact = Artifact::document(Kind::Table, field.variable().identity_name(), content)
            .with_attribute("weighting", arguments.weighting.as_str());
        Ok(ToolOutput::of(artifact).with_evidence(drafts).with_notes(reading::notes(&field)))
    }
}

fn weight_unit(weighting: WeightingArgument) -> &'static str {
    if matches!(weighting, WeightingArgument::Area) { "m2" } else { "1" }
}

fn number(value: f64) -> serde_json::Value {
    if value.is_finite() { json!(value) } else { serde_json::Value::Null }
}
