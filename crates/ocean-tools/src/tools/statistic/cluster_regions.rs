//! `cluster_regions`: cells that behave alike.

use leg_core::{Artifact, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::sqrt;
use ndarray::{Array4, Axis};
use ocean_data::Field;
use ocean_data::field::reduce::{Weighting, cell_weights};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::findings::Findings;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::frame::Frame;
use crate::kernels::gaussian_mixture;
use crate::kernels::k_means::{best_of, silhouette};
use crate::kernels::random::Random;
use crate::together::Part;
use crate::{Datasets, reading};

/// Groups cells.
pub(crate) struct ClusterRegions;

/// Most values that are held, 512 MB.
const LIMIT: u64 = 512 << 20;
/// Starts of k-means, of which the best is taken.
const TRIES: usize = 10;
/// Cells of which the silhouette is taken.
const SAMPLE: usize = 1_000;

/// Arguments of `cluster_regions`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A field; the features of a cell are its values at all times and levels, those of a profile its levels.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "hovmoller", "section"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// How many groups.
    #[serde(default = "five")]
    #[schemars(range(min = 2, max = 50))]
    k: usize,
    /// How.
    #[serde(default)]
    method: Method,
    /// Seed of the starts.
    #[serde(default)]
    seed: u64,
    /// Divide each feature by its standard deviation over the cells.
    #[serde(default = "yes")]
    standardise: bool,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
}

fn five() -> usize {
    5
}

fn yes() -> bool {
    true
}

/// How.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// Least squared distances to the means.
    #[default]
    Kmeans,
    /// A mixture of Gaussians with diagonal covariances.
    Gmm,
}

impl Computation for ClusterRegions {
    const NAME: &'static str = "cluster_regions";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let mut port = Port::of(Kind::Map).unit("1");
        port.or = vec![Kind::Series, Kind::Section, Kind::Hovmoller, Kind::Field];
        ToolSpec::new("statistic", "Groups of cells that behave alike.", port)
            .description(
                "Features of a cell: its values at all times and levels, each less its mean over the cells and over its \
                 standard deviation; a cell that misses one is in no group. kmeans: best of 10 starts by k-means++; gmm: \
                 expectation and maximisation from there (Maze et al. 2017 for profiles), with the probability of the \
                 group. Groups are numbered from the most cells to the fewest. choices: silhouette (of up to 1000 cells) \
                 and inertia or BIC for other numbers of groups. Cells count alike; shares are of area.",
            )
            .evidence(&[
                "silhouette", "inertia", "bic", "largest_share", "smallest_share", "n_groups", "n_features", "n_cells",
            ])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part =
            Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), ..Part::default() };
        let field = part.open_as_is(&arguments.data, datasets, context)?;
        let cells = Cells::read(&field, arguments.standardise)?;
        if cells.points.len() <= arguments.k {
            return Err(ToolError::no_data(format!(
                "{} cells have every feature and {} groups are asked for; lower k, or take another region or time",
                cells.points.len(),
                arguments.k
            )));
        }
        compute(arguments, &field, &cells, context)
    }
}

/// Cells that have every feature.
struct Cells {
    points: Vec<Vec<f64>>,
    /// Row and column of each.
    places: Vec<[usize; 2]>,
    values: Array4<f64>,
}

impl Cells {
    fn read(field: &Field, standardise: bool) -> Result<Self, ToolError> {
        let [times, levels, rows, columns] = field.full_shape();
        let values = field.read(LIMIT).map_err(|error| reading::cannot_read(&error))?;
        let (mut points, mut places) = (Vec::new(), Vec::new());
        for row in 0..rows {
            for column in 0..columns {
                let own: Vec<f64> = (0..times)
                    .flat_map(|t| (0..levels).map(move |z| (t, z)))
                    .map(|(t, z)| values[[t, z, row, column]])
                    .collect();
                if own.iter().all(|value| value.is_finite()) {
                    points.push(own);
                    places.push([row, column]);
                }
            }
        }
        for feature in 0..times * levels {
            let n = points.len() as f64;
            let mean = points.iter().map(|own| own[feature]).sum::<f64>() / n;
            let variance =
                points.iter().map(|own| (own[feature] - mean) * (own[feature] - mean)).sum::<f64>() / n;
            let scale = if standardise && variance > 0.0 { 1.0 / sqrt(variance) } else { 1.0 };
            for own in &mut points {
                own[feature] = (own[feature] - mean) * scale;
            }
        }
        Ok(Self { points, places, values })
    }

    /// An even sample and what it is in.
    fn silhouette(&self, of: &[usize], k: usize) -> f64 {
        let step = self.points.len().div_ceil(SAMPLE);
        let points: Vec<Vec<f64>> = self.points.iter().step_by(step).cloned().collect();
        let of: Vec<usize> = of.iter().step_by(step).copied().collect();
        silhouette(&points, &of, k)
    }
}

/// The cells in groups, numbered from 0.
struct Groups {
    of: Vec<usize>,
    probability: Option<Vec<f64>>,
    inertia: f64,
    bic: f64,
}

fn group(arguments: &Arguments, cells: &Cells, k: usize) -> Option<Groups> {
    let found = best_of(&cells.points, k, TRIES, &mut Random::new(arguments.seed))?;
    Some(match arguments.method {
        Method::Kmeans => Groups { of: found.of, probability: None, inertia: found.inertia, bic: f64::NAN },
        Method::Gmm => {
            let mixture = gaussian_mixture::fit(&cells.points, &found.of, k);
            let inertia = cells
                .points
                .iter()
                .zip(&mixture.of)
                .flat_map(|(point, own)| point.iter().zip(&mixture.means[*own]))
                .map(|(value, mean)| (value - mean) * (value - mean))
                .sum();
            Groups { of: mixture.of, probability: Some(mixture.probability), inertia, bic: mixture.bic }
        }
    })
}

fn compute(
    arguments: &Arguments,
    field: &Field,
    cells: &Cells,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let k = arguments.k;
    let fault = || ToolError::no_data("the cells make no groups; choose another region");
    let mut choices = Vec::new();
    for other in 2..=(k + 2).min(cells.points.len() - 1) {
        if context.is_cancelled() {
            return Err(ToolError::cancelled());
        }
        let own = group(arguments, cells, other).ok_or_else(fault)?;
        let bic = (arguments.method == Method::Gmm).then_some(own.bic);
        let silhouette = cells.silhouette(&own.of, other);
        choices.push(json!({"k": other, "silhouette": silhouette, "inertia": own.inertia, "bic": bic}));
    }
    let found = group(arguments, cells, k).ok_or_else(fault)?;
    let mut sizes = vec![0_usize; k];
    for own in &found.of {
        sizes[*own] += 1;
    }
    let mut order: Vec<usize> = (0..k).collect();
    order.sort_by(|a, b| sizes[*b].cmp(&sizes[*a]).then(a.cmp(b)));
    let mut number = vec![0.0; k];
    for (rank, own) in order.iter().enumerate() {
        number[*own] = rank as f64 + 1.0;
    }
    let weights = cell_weights(field, Weighting::Area);
    let mut area = vec![0.0; k];
    for (own, [row, column]) in found.of.iter().zip(&cells.places) {
        area[*own] += weights[[*row, *column]];
    }
    let total: f64 = area.iter().sum();
    let shares: Vec<f64> = order.iter().map(|own| area[*own] / total).collect();
    let frame = Frame::of(field)?.without_time().without_depth();
    let on_map = |of: &dyn Fn(usize) -> f64| {
        let mut map = Array4::from_elem(frame.full_shape(), f64::NAN);
        for (at, [row, column]) in cells.places.iter().enumerate() {
            map[[0, 0, *row, *column]] = of(at);
        }
        map
    };
    let classes = on_map(&|at| number[found.of[at]]);
    let name = format!("{}_groups", field.variable().identity_name());
    let mut artifact: Artifact = frame.artifact(&name, frame.variable("group", "1", &classes));
    if let Some(probability) = &found.probability {
        artifact = artifact.with_variable(frame.variable("probability", "1", &on_map(&|at| probability[at])));
    }
    let features = cells.points.first().map_or(0, Vec::len);
    let how = if arguments.method == Method::Kmeans { "k-means" } else { "Gaussian mixture" };
    let scale = if arguments.standardise { "standardised" } else { "centred" };
    let text = format!("{how} with {k} groups on {features} {scale} features, seed {}", arguments.seed);
    let means: Vec<_> = order.iter().map(|own| centre(cells, &found.of, *own)).collect();
    let lost = weights.len() - cells.points.len();
    let findings = Findings::by(text)
        .from(cells.points.len())
        .number("silhouette", cells.silhouette(&found.of, k), "1", "mean silhouette, near 1 for clear groups")
        .number("inertia", found.inertia, "1", "sum of squared distances to the own mean")
        .number("bic", found.bic, "1", "Bayesian information criterion of the mixture")
        .number(
            "largest_share",
            shares.iter().copied().fold(f64::NAN, f64::max),
            "1",
            "largest share of area",
        )
        .number(
            "smallest_share",
            shares.iter().copied().fold(f64::NAN, f64::min),
            "1",
            "smallest share of area",
        )
        .count("n_groups", sizes.iter().filter(|size| **size > 0).count(), "groups that have cells")
        .count("n_features", features, "features")
        .count("n_cells", cells.points.len(), "cells with every feature")
        .fact("shares", shares)
        .fact("sizes", order.iter().map(|own| sizes[*own]).collect::<Vec<usize>>())
        .fact("means", means)
        .fact("choices", choices)
        .notes((lost > 0).then(|| format!("{lost} cells miss a value and are in no group")))
        .notes(reading::notes(field));
    Ok(findings.onto(artifact))
}

/// Mean of each feature over the cells of a group, in the units of the data.
fn centre(cells: &Cells, of: &[usize], group: usize) -> Vec<f64> {
    let own: Vec<[usize; 2]> =
        of.iter().zip(&cells.places).filter(|(at, _)| **at == group).map(|(_, place)| *place).collect();
    cells
        .values
        .axis_iter(Axis(0))
        .flat_map(|level| level.axis_iter(Axis(0)).map(|map| map.to_owned()).collect::<Vec<_>>())
        .map(|map| own.iter().map(|[row, column]| map[[*row, *column]]).sum::<f64>() / own.len() as f64)
        .collect()
}
