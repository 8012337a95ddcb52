//! `compute_histogram`: how often values occur.

use leg_core::{Artifact, Coord, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use ndarray::Array2;
use ocean_data::Field;
use ocean_data::field::Block;
use ocean_data::field::reduce::{Weighting, cell_weights};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::findings::Findings;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::kernels::histogram::{bin_of, even_edges};
use crate::series::units_of;
use crate::{Datasets, reading};

/// Counts values in bins.
pub(crate) struct ComputeHistogram;

/// Arguments of `compute_histogram`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A field, map or series.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// Bins of one width.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 100_000))]
    n_bins: usize,
    /// Lowest and highest edge; the extremes of the data if absent.
    #[serde(default)]
    bin_range: Option<[f64; 2]>,
    /// Density that integrates to one, not counts.
    #[serde(default)]
    normalize: bool,
    /// Weights of the cells.
    #[serde(default)]
    weighting: WeightArgument,
}

fn fifty() -> usize {
    50
}

/// Weights of the cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum WeightArgument {
    /// Area of the cell.
    #[default]
    Area,
    /// Area times the thickness of the level.
    Volume,
    /// Every value alike.
    Equal,
}

impl WeightArgument {
    /// The weights `(lat, lon)` and those of the levels.
    pub(super) fn of(self, field: &Field) -> (Array2<f64>, Vec<f64>) {
        let plane = cell_weights(field, Weighting::Area);
        let [_, levels, ..] = field.full_shape();
        match self {
            Self::Area => (plane, vec![1.0; levels]),
            Self::Volume => (plane, field.layer_thickness()),
            Self::Equal => {
                let cells = plane.mapv(|weight| if weight > 0.0 { 1.0 } else { 0.0 });
                (cells, vec![1.0; levels])
            }
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Area => "weighted by cell area",
            Self::Volume => "weighted by cell volume",
            Self::Equal => "every value alike",
        }
    }
}

/// Values of a block with their weights, in order; missing ones and those of no weight left out.
pub(super) fn weighted<'a>(
    block: &'a Block,
    plane: &'a Array2<f64>,
    levels: &'a [f64],
) -> impl Iterator<Item = (f64, f64)> + 'a {
    let [_, z0, y0, x0] = block.offset;
    block
        .values
        .indexed_iter()
        .map(move |((_, z, y, x), value)| {
            let level = levels.get(z0 + z).copied().unwrap_or(1.0);
            (*value, plane[[y0 + y, x0 + x]] * level)
        })
        .filter(|(value, weight)| !value.is_nan() && *weight > 0.0)
}

impl Computation for ComputeHistogram {
    const NAME: &'static str = "compute_histogram";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Distribution of the values of a field.", Port::of(Kind::Histogram))
            .description(
                "Counts in bins closed below and open above, the last one closed; weights of the values in each bin as \
                 shares of all; with normalize the density that integrates to one. Values outside bin_range are counted \
                 apart and have no part in the shares.",
            )
            .evidence(&["n", "n_outside", "mode_low", "mode_high", "mode_share", "n_bins"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let edges = edges(&field, arguments.bin_range, arguments.n_bins, context)?;
        let (plane, levels) = arguments.weighting.of(&field);
        let bins = arguments.n_bins;
        let (mut counts, mut weights, mut outside) = (vec![0_u64; bins], vec![0.0; bins], 0_u64);
        let chunks = field
            .walk(
                &reading::control(context),
                |block| {
                    let (mut counts, mut weights, mut outside) = (vec![0_u64; bins], vec![0.0; bins], 0_u64);
                    for (value, weight) in weighted(block, &plane, &levels) {
                        match bin_of(&edges, value) {
                            Some(bin) => {
                                counts[bin] += 1;
                                weights[bin] += weight;
                            }
                            None => outside += 1,
                        }
                    }
                    (counts, weights, outside)
                },
                |(own_counts, own_weights, own_outside)| {
                    counts.iter_mut().zip(own_counts).for_each(|(sum, own)| *sum += own);
                    weights.iter_mut().zip(own_weights).for_each(|(sum, own)| *sum += own);
                    outside += own_outside;
                },
            )
            .map_err(|error| reading::cannot_read(&error))?;
        let n: u64 = counts.iter().sum();
        if n == 0 {
            return Err(ToolError::no_data(format!(
                "no value of `{}` lies between {} and {}; widen bin_range",
                field.name(),
                edges[0],
                edges[bins]
            )));
        }
        let total: f64 = weights.iter().sum();
        let units = units_of(&field);
        let counts: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
        let shares: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let density: Vec<f64> =
            shares.iter().zip(edges.windows(2)).map(|(share, edge)| share / (edge[1] - edge[0])).collect();
        let mode = (0..bins).fold(0, |best, own| if shares[own] > shares[best] { own } else { best });
        let findings = Findings::by(format!("histogram, {}", arguments.weighting.text()))
            .number("n", n as f64, "1", "values counted")
            .number("n_outside", outside as f64, "1", "values outside of the bins")
            .number("mode_low", edges[mode], &units, "lower edge of the fullest bin")
            .number("mode_high", edges[mode + 1], &units, "upper edge of the fullest bin")
            .number("mode_share", shares[mode], "1", "share of the weights in it")
            .count("n_bins", bins, "bins")
            .notes(reading::notes(&field))
            .source(reading::source(&field, &chunks));
        let arrays = if arguments.normalize {
            vec![("density", format!("({units})-1"), density), ("count", "1".to_owned(), counts)]
        } else {
            vec![("count", "1".to_owned(), counts), ("share", "1".to_owned(), shares)]
        };
        let centres: Vec<f64> = edges.windows(2).map(|edge| f64::midpoint(edge[0], edge[1])).collect();
        let mut artifact =
            Artifact::document(Kind::Histogram, format!("{}_histogram", field.name()), Value::Null)
                .with_coord("bin", Coord::numbers(&centres, &units, field.standard_name().unwrap_or("")));
        for (name, units, values) in arrays {
            artifact = artifact.with_variable(Variable {
                name: name.to_owned(),
                standard_name: None,
                units,
                dims: vec!["bin".to_owned()],
                shape: vec![bins],
                values,
            });
        }
        Ok(findings.fact("edges", edges).onto(artifact))
    }
}

/// The extremes of a field; an error when it has no value.
pub(super) fn extremes(field: &Field, context: &ToolContext) -> Result<[f64; 2], ToolError> {
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    field
        .walk(
            &reading::control(context),
            |block| {
                block
                    .values
                    .iter()
                    .filter(|value| !value.is_nan())
                    .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                        [low.min(*value), high.max(*value)]
                    })
            },
            |[low, high]| range = [range[0].min(low), range[1].max(high)],
        )
        .map_err(|error| reading::cannot_read(&error))?;
    if range[0] > range[1] {
        return Err(ToolError::no_data(format!(
            "`{}` has no values here; choose another region or time",
            field.name()
        )));
    }
    if range[0] < range[1] { Ok(range) } else { Ok([range[0] - 0.5, range[1] + 0.5]) }
}

/// Edges over a stated range, or over the extremes.
pub(super) fn edges(
    field: &Field,
    range: Option<[f64; 2]>,
    bins: usize,
    context: &ToolContext,
) -> Result<Vec<f64>, ToolError> {
    let [low, high] = match range {
        Some([low, high]) if low < high && low.is_finite() && high.is_finite() => [low, high],
        Some([low, high]) => {
            return Err(ToolError::invalid(format!(
                "the range {low} to {high} is empty; give the lower edge first"
            )));
        }
        None => extremes(field, context)?,
    };
    Ok(even_edges(low, high, bins))
}
