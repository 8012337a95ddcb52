//! `compute_2d_histogram`: how often pairs of values occur.

use leg_core::{Artifact, Coord, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use ndarray::Array2;
use ocean_data::Field;
use ocean_data::field::{ChunkTree, walk_together};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::compute_histogram::WeightArgument;
use super::findings::Findings;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::derived::Place;
use crate::kernels::histogram::{bin_of, even_edges};
use crate::masking::Mask;
use crate::series::units_of;
use crate::together::one_grid;
use crate::{Datasets, reading};

/// Counts pairs of values.
pub(crate) struct Compute2dHistogram;

/// Arguments of `compute_2d_histogram`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A field, map or series.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data_x: FieldArgument,
    /// Another on the same places and times.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data_y: FieldArgument,
    /// Bins of one width along each axis.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 2_000))]
    n_bins: usize,
    /// Lowest and highest edge of x; the extremes of the pairs if absent.
    #[serde(default)]
    x_range: Option<[f64; 2]>,
    /// Lowest and highest edge of y; the extremes of the pairs if absent.
    #[serde(default)]
    y_range: Option<[f64; 2]>,
    /// Density that integrates to one beside the counts, and first.
    #[serde(default = "yes")]
    normalize: bool,
    /// Only pairs where this is true.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "mask", "unit": "1"}))]
    mask: Option<FieldArgument>,
    /// Weights of the cells.
    #[serde(default)]
    weighting: WeightArgument,
}

fn fifty() -> usize {
    50
}

fn yes() -> bool {
    true
}

impl Computation for Compute2dHistogram {
    const NAME: &'static str = "compute_2d_histogram";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Joint distribution of two fields.", Port::of(Kind::Histogram))
            .description(
                "A pair counts where both fields have a value at the same place and time (and the mask is true). count: \
                 pairs by bin of x and of y, bins closed below and open above, the last ones closed; density: weights of \
                 the pairs (cell area unless said otherwise) as a density over x and y that integrates to one. Pairs \
                 outside of a range are counted apart.",
            )
            .evidence(&["n", "n_outside", "mode_x", "mode_y", "mode_share", "correlation", "n_bins"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let x = arguments.data_x.open(datasets, context)?;
        let y = arguments.data_y.open(datasets, context)?;
        one_grid(&[&x, &y])?;
        let mask = arguments.mask.as_ref().map(|mask| Mask::over(&x, mask, datasets, context)).transpose()?;
        let (plane, levels) = arguments.weighting.of(&x);
        let pairs = Pairs { fields: [&x, &y], mask: mask.as_ref(), plane: &plane, levels: &levels };
        let edges = edges(arguments, &pairs, context)?;
        let counted = count(&pairs, &edges, arguments.n_bins, context)?;
        output(arguments, [&x, &y], edges, &counted)
    }
}

/// The pairs of two fields.
struct Pairs<'a> {
    fields: [&'a Field; 2],
    mask: Option<&'a Mask>,
    plane: &'a Array2<f64>,
    levels: &'a [f64],
}

impl Pairs<'_> {
    /// Adds every pair with its weight to a part of each block, and joins the parts in order.
    fn fold<P: Send>(
        &self,
        context: &ToolContext,
        empty: impl Fn() -> P + Sync + Send,
        add: impl Fn(&mut P, f64, f64, f64) + Sync + Send,
        join: impl FnMut(P),
    ) -> Result<Vec<ChunkTree>, ToolError> {
        walk_together(
            &self.fields,
            &reading::control(context),
            |blocks| {
                let mut part = empty();
                let [ot, oz, oy, ox] = blocks[0].offset;
                for ((t, z, y, x), own) in blocks[0].values.indexed_iter() {
                    let other = blocks[1].values[[t, z, y, x]];
                    let place = Place { time: ot + t, depth: oz + z, lat: oy + y, lon: ox + x };
                    if own.is_nan() || other.is_nan() || self.mask.is_some_and(|mask| !mask.holds(place)) {
                        continue;
                    }
                    let level = self.levels.get(place.depth).copied().unwrap_or(1.0);
                    let weight = self.plane[[place.lat, place.lon]] * level;
                    if weight > 0.0 {
                        add(&mut part, *own, other, weight);
                    }
                }
                part
            },
            join,
        )
        .map_err(|error| reading::cannot_read(&error))
    }
}

fn edges(
    arguments: &Arguments,
    pairs: &Pairs<'_>,
    context: &ToolContext,
) -> Result<[Vec<f64>; 2], ToolError> {
    let given = [arguments.x_range, arguments.y_range];
    for (name, range) in ["x_range", "y_range"].into_iter().zip(given) {
        if let Some([low, high]) =
            range.filter(|[low, high]| !(low < high && low.is_finite() && high.is_finite()))
        {
            return Err(ToolError::invalid(format!(
                "{name} {low} to {high} is empty; give the lower edge first"
            )));
        }
    }
    let mut found = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    if given.iter().any(Option::is_none) {
        let widen = |range: &mut [f64; 2], low: f64, high: f64| {
            *range = [range[0].min(low), range[1].max(high)];
        };
        pairs.fold(
            context,
            || [[f64::INFINITY, f64::NEG_INFINITY]; 2],
            |part, x, y, _| {
                widen(&mut part[0], x, x);
                widen(&mut part[1], y, y);
            },
            |part| {
                for (own, [low, high]) in found.iter_mut().zip(part) {
                    widen(own, low, high);
                }
            },
        )?;
        if found[0][0] > found[0][1] {
            return Err(ToolError::no_data(format!(
                "`{}` and `{}` have no place and time where both have a value; choose another region, time or mask",
                pairs.fields[0].name(),
                pairs.fields[1].name()
            )));
        }
    }
    let of = |at: usize| {
        let [low, high] = given[at].unwrap_or(found[at]);
        let [low, high] = if low < high { [low, high] } else { [low - 0.5, high + 0.5] };
        even_edges(low, high, arguments.n_bins)
    };
    Ok([of(0), of(1)])
}

/// Counts and weights by bin, row-major `(x, y)`.
struct Counted {
    counts: Vec<f64>,
    weights: Vec<f64>,
    outside: f64,
    /// Sums of w, w x, w y, w x², w y² and w x y inside.
    moments: [f64; 6],
    chunks: Vec<ChunkTree>,
}

fn count(
    pairs: &Pairs<'_>,
    [x_edges, y_edges]: &[Vec<f64>; 2],
    bins: usize,
    context: &ToolContext,
) -> Result<Counted, ToolError> {
    let empty = || (vec![0.0; bins * bins], vec![0.0; bins * bins], 0.0, [0.0; 6]);
    // About the middle of the ranges, so that the products keep their digits.
    let middle = |edges: &[f64]| f64::midpoint(edges[0], edges[bins]);
    let (mx, my) = (middle(x_edges), middle(y_edges));
    let (mut counts, mut weights, mut outside, mut moments) = empty();
    let chunks = pairs.fold(
        context,
        empty,
        |part, x, y, weight| match bin_of(x_edges, x).zip(bin_of(y_edges, y)) {
            Some((column, row)) => {
                part.0[column * bins + row] += 1.0;
                part.1[column * bins + row] += weight;
                let (x, y) = (x - mx, y - my);
                for (sum, own) in part.3.iter_mut().zip([1.0, x, y, x * x, y * y, x * y]) {
                    *sum += weight * own;
                }
            }
            None => part.2 += 1.0,
        },
        |part| {
            counts.iter_mut().zip(part.0).for_each(|(sum, own)| *sum += own);
            weights.iter_mut().zip(part.1).for_each(|(sum, own)| *sum += own);
            outside += part.2;
            moments.iter_mut().zip(part.3).for_each(|(sum, own)| *sum += own);
        },
    )?;
    Ok(Counted { counts, weights, outside, moments, chunks })
}

fn output(
    arguments: &Arguments,
    fields: [&Field; 2],
    edges: [Vec<f64>; 2],
    counted: &Counted,
) -> Result<ToolOutput, ToolError> {
    let bins = arguments.n_bins;
    let n: f64 = counted.counts.iter().sum();
    let total: f64 = counted.weights.iter().sum();
    if n <= 0.0 {
        return Err(ToolError::no_data("no pair lies inside x_range and y_range; widen them"));
    }
    let units = fields.map(units_of);
    let width = |at: usize| (edges[at][bins] - edges[at][0]) / bins as f64;
    let area = width(0) * width(1);
    let mode = (0..bins * bins)
        .fold(0, |best, own| if counted.weights[own] > counted.weights[best] { own } else { best });
    let centre = |at: usize, bin: usize| f64::midpoint(edges[at][bin], edges[at][bin + 1]);
    let [w, x, y, xx, yy, xy] = counted.moments;
    let correlation =
        (xy / w - x / w * (y / w)) / libm::sqrt((xx / w - x / w * (x / w)) * (yy / w - y / w * (y / w)));
    let array = |name: &str, units: String, values: Vec<f64>| Variable {
        name: name.to_owned(),
        standard_name: None,
        units,
        dims: vec!["x_bin".to_owned(), "y_bin".to_owned()],
        shape: vec![bins, bins],
        values,
    };
    let share = |scale: f64| counted.weights.iter().map(|own| own / total / scale).collect::<Vec<f64>>();
    let density = array("density", format!("({})-1 ({})-1", units[0], units[1]), share(area));
    let count = array("count", "1".to_owned(), counted.counts.clone());
    let arrays = if arguments.normalize {
        [density, count]
    } else {
        [count, array("share", "1".to_owned(), share(1.0))]
    };
    let centres = |at: usize| (0..bins).map(|bin| centre(at, bin)).collect::<Vec<f64>>();
    let coord =
        |at: usize| Coord::numbers(&centres(at), &units[at], fields[at].standard_name().unwrap_or(""));
    let name = format!("{}_{}_histogram", fields[0].name(), fields[1].name());
    let artifact = Artifact::document(Kind::Histogram, name, Value::Null)
        .with_coord("x_bin", coord(0))
        .with_coord("y_bin", coord(1));
    let artifact = arrays.into_iter().fold(artifact, Artifact::with_variable);
    let mut findings = Findings::by(format!("joint histogram, {}", arguments.weighting.text()))
        .number("n", n, "1", "pairs counted")
        .number("n_outside", counted.outside, "1", "pairs outside of the bins")
        .number("mode_x", centre(0, mode / bins), &units[0], "middle of the fullest bin along x")
        .number("mode_y", centre(1, mode % bins), &units[1], "middle of the fullest bin along y")
        .number("mode_share", counted.weights[mode] / total, "1", "share of the weights in that bin")
        .number("correlation", correlation, "1", "weighted correlation of the pairs counted")
        .count("n_bins", bins, "bins along each axis");
    let mut notes: Vec<String> = fields.into_iter().flat_map(reading::notes).collect();
    notes.dedup();
    for (field, chunks) in fields.into_iter().zip(&counted.chunks) {
        findings = findings.source(reading::source(field, chunks));
    }
    let [x_edges, y_edges] = edges;
    Ok(findings.fact("x_edges", x_edges).fact("y_edges", y_edges).notes(notes).onto(artifact))
}
