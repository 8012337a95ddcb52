//! `perform_eof_analysis`: leading patterns and their time series.

use leg_core::{Artifact, Coord, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use libm::sqrt;
use ndarray::{Array2, Array4, Axis};
use ocean_data::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::anomaly_matrix::{AnomalyMatrix, Products};
use super::findings::Findings;
use super::preparation::Preparation;
use crate::argument::{FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::frame::Frame;
use crate::kernels::eof::{Mode, leading};
use crate::kernels::time_axis::TimeAxis;
use crate::series::{axis_of, units_of, with_times};
use crate::tools::climatology::compute_climatology::Period;
use crate::{Datasets, reading};

/// Finds patterns that vary together.
pub(crate) struct PerformEofAnalysis;

/// Arguments of `perform_eof_analysis`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A field along time with one level.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["hovmoller"], "dims": ["time", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// How many modes.
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 100))]
    n_modes: usize,
    /// What becomes of each cell's values.
    #[serde(default)]
    preprocessing: Preprocessing,
    /// Weigh by the root of the cosine of latitude.
    #[serde(default = "yes")]
    weight_by_latitude: bool,
    /// Take the mean annual cycle out first, when the step is shorter than a year.
    #[serde(default = "yes")]
    deseasonalise: bool,
    /// How the year is cut for that cycle; months, or days where the step is at most a week, if absent.
    #[serde(default)]
    cycle: Option<Period>,
    /// Take the linear trend out first.
    #[serde(default)]
    detrend: bool,
    /// The years of the cycle; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// What has the size of 1.
    #[serde(default)]
    scaling: Scaling,
}

fn three() -> usize {
    3
}

fn yes() -> bool {
    true
}

/// What becomes of each cell's values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Preprocessing {
    /// Their time mean is taken out.
    #[default]
    Anomaly,
    /// And they are divided by their standard deviation.
    Standardized,
    /// They stay.
    None,
}

/// What has the size of 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Scaling {
    /// The variance of each time series; patterns have the units of the data.
    #[default]
    UnitVariance,
    /// The length of each weighted pattern; time series have the units of the data.
    UnitNorm,
}

impl Computation for PerformEofAnalysis {
    const NAME: &'static str = "perform_eof_analysis";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Leading spatial patterns and their time series.", Port::of(Kind::Eof))
            .description(
                "Eigenvectors of the products of all times of the weighted anomalies, the mean annual cycle and the time \
                 mean taken out; a cell that misses a time is left out. loading: weighted pattern of unit length, its \
                 largest magnitude positive; pattern: without weights, for one standard deviation of pc (unit_variance) \
                 or of unit length (unit_norm); pc: the time series. Share of variance lambda over the sum of all; \
                 variance lambda/(n - 1); sampling error of a share: share sqrt(2/n) (North et al. 1982, n all times; \
                 with dependent times it is larger).",
            )
            .evidence(&[
                "explained_1", "explained_2", "explained_3", "explained_total", "north_error_1", "pattern_max",
                "pattern_min", "total_variance", "n_cells", "n_times", "n_modes",
            ])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let axis = axis_of(&field)?;
        let baseline = arguments.baseline.as_ref().map(|window| &window.0);
        let preparation = Preparation::of(&axis, arguments.deseasonalise, arguments.detrend, baseline)?;
        let preparation = match arguments.cycle {
            Some(period) => {
                period.fits(&axis)?;
                preparation.by(period.cycle())
            }
            None => preparation,
        };
        let matrix = AnomalyMatrix::of(
            &field,
            &preparation,
            arguments.weight_by_latitude,
            arguments.preprocessing == Preprocessing::Standardized,
            arguments.preprocessing != Preprocessing::None,
        )?;
        let products = matrix.products(context)?;
        let most = arguments.n_modes.min(axis.len() - 1).min(products.cells);
        let floor = 1e-12 * products.gram.trace();
        let modes: Vec<Mode> =
            leading(&products.gram, most).into_iter().filter(|mode| mode.value > floor).collect();
        if modes.is_empty() {
            return Err(ToolError::no_data(
                "the anomalies do not vary, so they have no patterns; choose another window",
            ));
        }
        let patterns = patterns(arguments, &matrix, &products, &modes, context)?;
        output(arguments, &field, &axis, &preparation, &products, &modes, &patterns)
    }
}

/// Modes on their axes.
struct Patterns {
    /// Weighted, unit length, sign fixed: `(mode, 1, lat, lon)`.
    loading: Array4<f64>,
    /// For the time series as scaled.
    pattern: Array4<f64>,
    /// `(mode, time)`.
    pc: Array2<f64>,
    /// Standard deviation (n − 1) of each projection on a loading.
    spread: Vec<f64>,
}

fn patterns(
    arguments: &Arguments,
    matrix: &AnomalyMatrix<'_>,
    products: &Products,
    modes: &[Mode],
    context: &ToolContext,
) -> Result<Patterns, ToolError> {
    // A loading is the projection of the anomalies on the time vector, over the root of the eigenvalue.
    let vectors: Vec<Vec<f64>> =
        modes.iter().map(|mode| mode.vector.iter().map(|value| value / sqrt(mode.value)).collect()).collect();
    let mut loading = matrix.project(&vectors, products, context)?;
    let times = modes[0].vector.len();
    let mut pc = Array2::zeros((modes.len(), times));
    let mut pattern = loading.clone();
    let mut spread = Vec::new();
    for (at, mode) in modes.iter().enumerate() {
        let mut own = loading.index_axis_mut(Axis(0), at);
        let sign = own
            .iter()
            .filter(|value| !value.is_nan())
            .fold(0.0_f64, |best, value| if value.abs() > best.abs() { *value } else { best });
        let sign = if sign < 0.0 { -1.0 } else { 1.0 };
        own.mapv_inplace(|value| value * sign);
        let deviation = sqrt(mode.value / (times as f64 - 1.0));
        let (by, size) = match arguments.scaling {
            Scaling::UnitVariance => (deviation, sqrt(times as f64 - 1.0)),
            Scaling::UnitNorm => (1.0, sqrt(mode.value)),
        };
        let series = mode.vector.iter().map(|value| value * sign * size);
        pc.row_mut(at).iter_mut().zip(series).for_each(|(place, value)| *place = value);
        let mut shown = pattern.index_axis_mut(Axis(0), at);
        shown.indexed_iter_mut().for_each(|((_, y, x), place)| {
            *place = loading[[at, 0, y, x]] * by / matrix.weights()[[y, x]];
        });
        spread.push(deviation);
    }
    Ok(Patterns { loading, pattern, pc, spread })
}

/// An array by mode and the axes of the map.
pub(super) fn by_mode(name: &str, units: &str, frame: &Frame, values: &Array4<f64>) -> Variable {
    let map = frame.variable(name, units, &values.index_axis(Axis(0), 0).to_owned().insert_axis(Axis(0)));
    let mut dims = vec!["mode".to_owned()];
    dims.extend(map.dims);
    let mut shape = vec![values.len_of(Axis(0))];
    shape.extend(map.shape);
    Variable {
        dims,
        shape,
        values: values.iter().copied().collect(),
        name: map.name,
        standard_name: None,
        units: map.units,
    }
}

/// One number a mode.
pub(super) fn per_mode(name: &str, units: &str, values: Vec<f64>) -> Variable {
    Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: vec!["mode".to_owned()],
        shape: vec![values.len()],
        values,
    }
}

/// The artifact of modes: patterns first, then what else there is.
pub(super) fn of_modes(
    name: &str,
    frame: &Frame,
    axis: &TimeAxis,
    first: Variable,
    rest: Vec<Variable>,
) -> Artifact {
    let count = first.shape.first().copied().unwrap_or(0);
    let map = frame.artifact(name, frame.variable("map", "1", &Array4::zeros(frame.full_shape())));
    let numbers: Vec<f64> = (1..=count).map(|mode| mode as f64).collect();
    let mut artifact = Artifact { kind: Kind::Eof, variables: vec![first], ..map };
    artifact = with_times(artifact, axis).with_coord("mode", Coord::numbers(&numbers, "1", ""));
    if let Some(step) = axis.step().to_iso() {
        artifact = artifact.with_attribute("time_step", step);
    }
    rest.into_iter().fold(artifact, Artifact::with_variable)
}

fn output(
    arguments: &Arguments,
    field: &Field,
    axis: &TimeAxis,
    preparation: &Preparation,
    products: &Products,
    modes: &[Mode],
    patterns: &Patterns,
) -> Result<ToolOutput, ToolError> {
    let (total, times) = (products.gram.trace(), axis.len() as f64);
    let share: Vec<f64> = modes.iter().map(|mode| mode.value / total).collect();
    let variance: Vec<f64> = modes.iter().map(|mode| mode.value / (times - 1.0)).collect();
    let north: Vec<f64> = share.iter().map(|share| share * sqrt(2.0 / times)).collect();
    let own =
        if arguments.preprocessing == Preprocessing::Standardized { "1".to_owned() } else { units_of(field) };
    let squared = format!("({own})2");
    let unit_pc = arguments.scaling == Scaling::UnitVariance;
    let (pattern_units, pc_units) = if unit_pc { (own.as_str(), "1") } else { ("1", own.as_str()) };
    let frame = Frame::of(field)?.without_time();
    let pattern = by_mode("pattern", pattern_units, &frame, &patterns.pattern);
    let first = patterns.pattern.index_axis(Axis(0), 0);
    let extreme =
        |pick: fn(f64, f64) -> f64| first.iter().copied().filter(|v| !v.is_nan()).fold(f64::NAN, pick);
    let pc = Variable {
        name: "pc".to_owned(),
        standard_name: None,
        units: pc_units.to_owned(),
        dims: vec!["mode".to_owned(), "time".to_owned()],
        shape: vec![modes.len(), axis.len()],
        values: patterns.pc.iter().copied().collect(),
    };
    let weights = if arguments.weight_by_latitude { "root of cos(latitude)" } else { "equal weights" };
    let text = format!("EOF, {weights}{}", preparation.text());
    let part = |at: usize| share.get(at).copied().unwrap_or(f64::NAN);
    let findings = Findings::by(text)
        .relative_to(preparation.baseline())
        .during(axis.window())
        .number("explained_1", part(0), "1", "share of variance of mode 1")
        .number("explained_2", part(1), "1", "share of variance of mode 2")
        .number("explained_3", part(2), "1", "share of variance of mode 3")
        .number("explained_total", share.iter().sum(), "1", "share of variance of all modes given")
        .number("north_error_1", north[0], "1", "sampling error of the share of mode 1")
        .number("pattern_max", extreme(f64::max), pattern_units, "largest value of pattern 1")
        .number("pattern_min", extreme(f64::min), pattern_units, "smallest value of pattern 1")
        .number(
            "total_variance",
            total / (times - 1.0),
            &squared,
            "sum of the weighted variances of all cells",
        )
        .count("n_cells", products.cells, "cells with every time")
        .count("n_times", axis.len(), "times")
        .count("n_modes", modes.len(), "modes")
        .fact("scaling", if unit_pc { "unit_variance" } else { "unit_norm" })
        .notes(preparation.note())
        .notes(reading::notes(field))
        .source(reading::source(field, &products.chunks));
    let rest = vec![
        pc,
        by_mode("loading", "1", &frame, &patterns.loading),
        per_mode("explained_variance_ratio", "1", share),
        per_mode("explained_variance", &squared, variance),
        per_mode("north_error", "1", north),
        per_mode("pc_std", &own, patterns.spread.clone()),
    ];
    Ok(findings.onto(of_modes(&format!("{}_eof", field.name()), &frame, axis, pattern, rest)))
}
