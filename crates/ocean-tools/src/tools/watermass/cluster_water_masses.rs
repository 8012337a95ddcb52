//! `cluster_water_masses`: groups of water alike in temperature and salinity.

use leg_core::{
    Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, Variable,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::Datasets;
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels};
use crate::computation::Computation;
use crate::kernels::k_means::k_means;

/// Groups of water alike in temperature and salinity.
pub(crate) struct ClusterWaterMasses;

/// Arguments of `cluster_water_masses`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "hovmoller"], "unit": "any"}))]
    temp: FieldArgument,
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "hovmoller"], "unit": "any"}))]
    salt: FieldArgument,
    /// Number of groups.
    #[schemars(range(min = 1, max = 50))]
    k: usize,
    /// Of the cells with both values, every how many-th is a point, from the first.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    every: usize,
    /// Points from which the groups start, counted from 0; spread evenly over the points in order of temperature if
    /// absent.
    #[serde(default)]
    start: Option<Vec<usize>>,
}

fn one() -> usize {
    1
}

impl Computation for ClusterWaterMasses {
    const NAME: &'static str = "cluster_water_masses";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new(
            "watermass",
            "Groups of water alike in temperature and salinity.",
            Port::of(Kind::Statistic),
        )
        .description(
            "Lloyd's k-means on temperature and salinity, each less its mean and over its (population) standard \
             deviation, until no point changes its group. Points are the cells with both values in the order of time, \
             depth, latitude and longitude, each counted alike. Arrays: centres in the units of the data and the \
             number of points of each group, in the order of the start. Without random numbers.",
        )
        .evidence(&["n", "inertia", "largest"])
        .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        run(arguments, datasets, context)
    }
}

/// Mean and population standard deviation.
fn spread(points: &[[f64; 2]], at: usize) -> [f64; 2] {
    let n = points.len() as f64;
    let mean = points.iter().map(|point| point[at]).sum::<f64>() / n;
    let variance = points.iter().map(|point| (point[at] - mean) * (point[at] - mean)).sum::<f64>() / n;
    [mean, if variance > 0.0 { variance.sqrt() } else { 1.0 }]
}

fn run(arguments: &Arguments, datasets: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let (temp, salt) = (arguments.temp.open(datasets, context)?, arguments.salt.open(datasets, context)?);
    let units = [crate::series::units_of(&temp), crate::series::units_of(&salt)];
    let columns = Columns::of(vec![temp, salt]);
    let computed = columns.compute(context, &Levels::Same, 2, |view| view.values.to_vec())?;
    let points: Vec<[f64; 2]> = computed.arrays[0]
        .iter()
        .zip(&computed.arrays[1])
        .filter(|(t, s)| t.is_finite() && s.is_finite())
        .map(|(t, s)| [*t, *s])
        .step_by(arguments.every.max(1))
        .collect();
    let k = arguments.k;
    if k == 0 || points.len() < k {
        return Err(ToolError::no_data(format!(
            "{k} groups need at least as many points and there are {}; lower k or every, or take a larger region",
            points.len()
        )));
    }
    let [mean_t, mean_s] = [spread(&points, 0), spread(&points, 1)];
    let scaled: Vec<[f64; 2]> = points
        .iter()
        .map(|point| [(point[0] - mean_t[0]) / mean_t[1], (point[1] - mean_s[0]) / mean_s[1]])
        .collect();
    let start = starting_points(arguments, &points)?;
    let start: Vec<[f64; 2]> = start.into_iter().map(|at| scaled[at]).collect();
    let found = k_means(&scaled, &start, 10_000);
    let mut counts = vec![0.0; k];
    for &own in &found.of {
        counts[own] += 1.0;
    }
    let centre = |at: usize, [mean, std]: [f64; 2]| -> Vec<f64> {
        found.centres.iter().map(|centre| centre[at] * std + mean).collect()
    };
    let variable = |name: &str, units: &str, values: Vec<f64>| Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: vec!["group".to_owned()],
        shape: vec![values.len()],
        values,
    };
    let method = format!("k-means of temperature and salinity with {k} groups");
    let largest = counts.iter().copied().fold(0.0, f64::max);
    let evidence = [
        EvidenceDraft::new("n", points.len() as u64, "1", &format!("number of points, {method}")),
        EvidenceDraft::new(
            "inertia",
            found.inertia,
            "1",
            &format!("sum of squared scaled distances, {method}"),
        ),
        EvidenceDraft::new("largest", largest, "1", &format!("points of the largest group, {method}")),
    ];
    let artifact = Artifact::array(
        Kind::Statistic,
        "water_masses",
        variable("temperature", &units[0], centre(0, mean_t)),
    )
    .with_variable(variable("salinity", &units[1], centre(1, mean_s)))
    .with_variable(variable("count", "1", counts))
    .with_attribute("method", method);
    Ok(ToolOutput::of(artifact).with_evidence(evidence))
}

/// Positions of the points to start from.
fn starting_points(arguments: &Arguments, points: &[[f64; 2]]) -> Result<Vec<usize>, ToolError> {
    let (k, n) = (arguments.k, points.len());
    if let Some(start) = &arguments.start {
        if start.len() != k || start.iter().any(|at| *at >= n) {
            return Err(ToolError::invalid(format!(
                "start must name {k} points below {n}, the number of points"
            )));
        }
        return Ok(start.clone());
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| points[*a][0].total_cmp(&points[*b][0]));
    Ok((0..k).map(|own| order[(2 * own + 1) * n / (2 * k)]).collect())
}
