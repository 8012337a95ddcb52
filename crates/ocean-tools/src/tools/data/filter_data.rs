//! `filter_data`: low-, high- and band-pass along time, smoothing in space.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::derived::{by_map, from_series};
use crate::frame::Frame;
use crate::kernels::butterworth::{Band, Butterworth};
use crate::kernels::gaps::filled;
use crate::kernels::running_mean::centred;
use crate::kernels::smoothing::{convolve, gaussian, gaussian_map, lanczos_weights, savitzky_golay};
use crate::kernels::spectrum::{Detrend, detrended};
use crate::kernels::steps;
use crate::kernels::time_axis::TimeAxis;
use crate::series::{axis_of, units_of};
use crate::tools::statistic::findings::Findings;
use crate::{Datasets, reading};

/// Standard deviations at which a Gaussian is cut.
const TRUNCATE: f64 = 4.0;

/// Filters a field.
pub(crate) struct FilterData;

/// Arguments of `filter_data`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A field or a series.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["series", "map", "hovmoller"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// The kind of filter.
    #[serde(default)]
    method: Method,
    /// What passes, for butterworth, lanczos, `running_mean` and gaussian.
    #[serde(default)]
    filter_type: FilterType,
    /// Period of the edge, or two of them for a bandpass.
    #[serde(default)]
    cutoff_period: Option<Cutoff>,
    /// Unit of the period.
    #[serde(default)]
    cutoff_unit: CutoffUnit,
    /// Along time, or over latitude and longitude (gaussian).
    #[serde(default)]
    dimension: Dimension,
    /// Order of a Butterworth filter; degree of a Savitzky-Golay polynomial.
    #[serde(default = "four")]
    #[schemars(range(min = 1, max = 12))]
    order: usize,
    /// Values in the window of lanczos, `running_mean` and `savitzky_golay`; odd.
    #[serde(default)]
    #[schemars(range(min = 3))]
    window: Option<usize>,
    /// Standard deviation of a Gaussian in steps or cells.
    #[serde(default)]
    sigma: Option<f64>,
    /// Longest gap along time that is filled by a straight line for butterworth; longer ones are refused.
    #[serde(default = "three")]
    max_gap: usize,
    /// Take the rows of the record as even steps, whatever their times.
    #[serde(default)]
    rows_as_steps: bool,
    /// What stands for missing values in space; left out of the weights if absent.
    #[serde(default)]
    fill_missing: Option<f64>,
}

fn four() -> usize {
    4
}

fn three() -> usize {
    3
}

/// One period or two.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Cutoff(#[schemars(length(min = 1, max = 2))] Vec<f64>);

/// The kind of filter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// Butterworth, forward and backward.
    #[default]
    Butterworth,
    /// Lanczos weights (Duchon 1979).
    Lanczos,
    /// Mean of a window.
    RunningMean,
    /// Gaussian weights.
    Gaussian,
    /// Polynomial fitted in a window.
    SavitzkyGolay,
    /// The least-squares line taken out.
    Detrend,
}

/// What passes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum FilterType {
    /// Periods longer than the edge.
    #[default]
    Lowpass,
    /// Shorter ones.
    Highpass,
    /// Those between two edges.
    Bandpass,
}

/// Unit of the period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum CutoffUnit {
    /// Days; a month is 365.2425/12 of them.
    #[default]
    Days,
    /// Hours.
    Hours,
    /// Steps.
    Samples,
}

/// Along time or in space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Dimension {
    /// Along time.
    #[default]
    Time,
    /// Over latitude and longitude.
    Spatial,
}

/// A filter of one series.
enum Filter {
    Butterworth(Butterworth),
    Weights(Vec<f64>, bool),
    Running(usize, bool),
    Gaussian(f64, bool),
    Polynomial(usize, usize),
    Line,
}

impl Computation for FilterData {
    const NAME: &'static str = "filter_data";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port {
            or: vec![Kind::Series, Kind::Map, Kind::Hovmoller, Kind::Section, Kind::Profile, Kind::Scalar],
            ..Port::of(Kind::Field).unit("=data")
        };
        ToolSpec::new("data", "Low-, high- or band-pass along time, or smooth in space.", port)
            .description(
                "butterworth: second-order sections forward and backward (no phase, half amplitude at the edge), ends by \
                 odd reflection of three times the taps. lanczos: 2 fc sinc(2 fc k) sinc(k/(m + 1)), sum 1 (Duchon 1979). \
                 lanczos and running_mean are missing for half a window at the ends and around missing values. gaussian: \
                 G*(m x)/G*m with m 1 where a value is present, cut at 4 sigma, reflected about the edges; sigma, or the \
                 period of half amplitude P with sigma = P sqrt(ln 2 / 2)/pi. savitzky_golay: polynomial of degree order, \
                 the end windows serve the ends. highpass is the rest. detrend takes the least-squares line out. Time \
                 runs in even steps; gaps up to max_gap are filled for butterworth.",
            )
            .evidence(&["min", "max", "mean", "n", "first", "last", "std", "n_missing"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let frame = Frame::of(&field)?;
        let (derived, text) = if arguments.dimension == Dimension::Spatial {
            spatial(arguments, &field, context)?
        } else {
            along_time(arguments, &field, context)?
        };
        if derived.values.iter().all(|value| value.is_nan()) {
            return Err(ToolError::no_data(format!(
                "nothing is left of `{}` after the filter: the window or the ends need more values, or a gap is longer than \
             max_gap; shorten the window or raise max_gap",
                field.name()
            )));
        }
        let variable = frame.variable(field.name(), &units_of(&field), &derived.values);
        let drafts = frame.evidence(&variable.values, &variable.units, &text, None);
        let mut findings = Findings::by(text).with(drafts).notes(reading::notes(&field));
        if let Some(chunks) = derived.chunks.first() {
            findings = findings.source(reading::source(&field, chunks));
        }
        Ok(findings.onto(frame.artifact(&format!("{}_filtered", field.name()), variable)))
    }
}

fn spatial(
    arguments: &Arguments,
    field: &Field,
    context: &ToolContext,
) -> Result<(crate::derived::Derived, String), ToolError> {
    if arguments.method != Method::Gaussian {
        return Err(ToolError::invalid("over space the method is gaussian; set method to gaussian"));
    }
    let sigma = sigma(arguments, 1.0)?;
    let rest = arguments.filter_type == FilterType::Highpass;
    let derived = by_map(&[field], context, |_, maps| {
        let own = match arguments.fill_missing {
            None => maps[0].to_owned(),
            Some(fill) => maps[0].mapv(|value| if value.is_nan() { fill } else { value }),
        };
        let smooth = gaussian_map(&own.view(), [sigma, sigma], TRUNCATE);
        if rest { own - smooth } else { smooth }
    })?;
    let missing = arguments.fill_missing.map_or_else(
        || "missing cells left out of the weights".to_owned(),
        |fill| format!("missing cells taken as {fill}"),
    );
    let what = if rest { "rest of a" } else { "" };
    Ok((derived, format!("{what} Gaussian of {sigma} cells, {missing}").trim_start().to_owned()))
}

fn along_time(
    arguments: &Arguments,
    field: &Field,
    context: &ToolContext,
) -> Result<(crate::derived::Derived, String), ToolError> {
    let axis = axis_of(field)?;
    let numbers = if arguments.rows_as_steps { None } else { steps::numbers(&axis) };
    if numbers.is_none() && !arguments.rows_as_steps {
        return Err(ToolError::invalid(
            "the times have no even step; resample them, or set rows_as_steps to take rows as steps",
        ));
    }
    let (filter, text) = design(arguments, &axis)?;
    let derived = from_series(&[field], context, axis.len(), |_, inputs, out| {
        let own = &inputs[0];
        let even = if numbers.is_some() { steps::even(&axis, own) } else { Some(own.clone()) };
        let Some(filtered) = even.and_then(|even| run(&filter, &even, arguments.max_gap)) else { return };
        for (at, value) in out.iter_mut().enumerate() {
            let place = numbers.as_ref().map_or(Some(at), |numbers| usize::try_from(numbers[at]).ok());
            *value = place.and_then(|place| filtered.get(place)).copied().unwrap_or(f64::NAN);
        }
    })?;
    Ok((derived, text))
}

fn run(filter: &Filter, values: &[f64], max_gap: usize) -> Option<Vec<f64>> {
    let rest = |smooth: Vec<f64>, high: bool| {
        if high { values.iter().zip(smooth).map(|(own, smooth)| own - smooth).collect() } else { smooth }
    };
    Some(match filter {
        Filter::Butterworth(filter) => filter.both_ways(&filled(values, max_gap)?.0)?,
        Filter::Weights(weights, high) => rest(convolve(values, weights), *high),
        Filter::Running(width, high) => rest(centred(values, *width), *high),
        Filter::Gaussian(sigma, high) => rest(gaussian(values, *sigma, TRUNCATE), *high),
        Filter::Polynomial(window, degree) => savitzky_golay(&filled(values, max_gap)?.0, *window, *degree),
        Filter::Line => line_out(values)?,
    })
}

/// The values less their least-squares line; missing values stay missing.
fn line_out(values: &[f64]) -> Option<Vec<f64>> {
    if values.iter().all(|value| !value.is_nan()) {
        return Some(detrended(values, Detrend::Linear));
    }
    let x: Vec<f64> = (0..values.len()).map(|at| at as f64).collect();
    let line =
        crate::kernels::trend::linear(&x, values, 0.95, crate::kernels::trend::Autocorrelation::None).ok()?;
    Some(x.iter().zip(values).map(|(x, y)| y - (line.intercept + line.slope * x)).collect())
}

/// Edges as frequencies in cycles a step, lowest first.
fn edges(arguments: &Arguments, axis: &TimeAxis) -> Result<Vec<f64>, ToolError> {
    let Some(Cutoff(periods)) = &arguments.cutoff_period else {
        return Err(ToolError::invalid("give cutoff_period, such as [24], and its cutoff_unit"));
    };
    let days = steps::step_days(axis);
    let in_steps = |period: f64| match (arguments.cutoff_unit, days) {
        (CutoffUnit::Samples, _) => Some(period),
        (CutoffUnit::Days, Some(days)) => Some(period / days),
        (CutoffUnit::Hours, Some(days)) => Some(period / 24.0 / days),
        (_, None) => None,
    };
    let mut edges = periods
        .iter()
        .map(|period| in_steps(*period).filter(|steps| *steps > 2.0).map(|steps| 1.0 / steps))
        .collect::<Option<Vec<f64>>>()
        .ok_or_else(|| {
            ToolError::invalid("every cutoff_period must be longer than two steps; check it and cutoff_unit")
        })?;
    edges.sort_by(f64::total_cmp);
    let wanted = if arguments.filter_type == FilterType::Bandpass { 2 } else { 1 };
    if edges.len() != wanted {
        return Err(ToolError::invalid(format!(
            "cutoff_period has {} periods and this filter_type needs {wanted}",
            edges.len()
        )));
    }
    Ok(edges)
}

fn window(arguments: &Arguments) -> Result<usize, ToolError> {
    match arguments.window {
        Some(window) if window % 2 == 1 => Ok(window),
        Some(window) => {
            Err(ToolError::invalid(format!("window is {window}; it must be odd, such as {}", window + 1)))
        }
        None => Err(ToolError::invalid("give window, an odd number of steps")),
    }
}

fn sigma(arguments: &Arguments, step: f64) -> Result<f64, ToolError> {
    let from_period = || {
        let period = arguments.cutoff_period.as_ref().and_then(|cutoff| cutoff.0.first())?;
        Some(period * step * libm::sqrt(core::f64::consts::LN_2 / 2.0) / core::f64::consts::PI)
    };
    arguments.sigma.or_else(from_period).filter(|sigma| *sigma > 0.0 && sigma.is_finite()).ok_or_else(|| {
        ToolError::invalid("give sigma, the standard deviation of the Gaussian in steps or cells, above 0")
    })
}

fn design(arguments: &Arguments, axis: &TimeAxis) -> Result<(Filter, String), ToolError> {
    let high = arguments.filter_type == FilterType::Highpass;
    let name = match arguments.filter_type {
        FilterType::Lowpass => "low-pass",
        FilterType::Highpass => "high-pass",
        FilterType::Bandpass => "band-pass",
    };
    let only_low_or_high = || {
        if arguments.filter_type == FilterType::Bandpass {
            return Err(ToolError::invalid("a bandpass is a butterworth filter; set method to butterworth"));
        }
        Ok(())
    };
    Ok(match arguments.method {
        Method::Butterworth => {
            let edges = edges(arguments, axis)?;
            let band = match (arguments.filter_type, edges.as_slice()) {
                (FilterType::Bandpass, [low, top]) => Band::Pass(*low, *top),
                (FilterType::Highpass, [edge]) => Band::High(*edge),
                (_, [edge, ..]) => Band::Low(*edge),
                _ => Band::Low(f64::NAN),
            };
            let filter = Butterworth::design(arguments.order, band).ok_or_else(|| {
                ToolError::invalid(
                    "the edges are no frequencies below half a cycle a step; check cutoff_period",
                )
            })?;
            let periods: Vec<String> = edges.iter().rev().map(|edge| format!("{:.6}", 1.0 / edge)).collect();
            let text = format!(
                "zero-phase Butterworth {name} of order {}, edge at {} steps, odd padding",
                arguments.order,
                periods.join(" and ")
            );
            (Filter::Butterworth(filter), text)
        }
        Method::Lanczos => {
            only_low_or_high()?;
            let (window, edge) = (window(arguments)?, edges(arguments, axis)?[0]);
            let text = format!("Lanczos {name}, {window} weights, edge at {:.6} steps", 1.0 / edge);
            (Filter::Weights(lanczos_weights(window, edge), high), text)
        }
        Method::RunningMean => {
            only_low_or_high()?;
            let window = window(arguments)?;
            (Filter::Running(window, high), format!("{name} by the running mean of {window} steps"))
        }
        Method::Gaussian => {
            only_low_or_high()?;
            let days = steps::step_days(axis).unwrap_or(1.0);
            let sigma = sigma(
                arguments,
                if arguments.cutoff_unit == CutoffUnit::Samples { 1.0 } else { 1.0 / days },
            )?;
            (Filter::Gaussian(sigma, high), format!("{name} by a Gaussian of {sigma} steps"))
        }
        Method::SavitzkyGolay => {
            let window = window(arguments)?;
            if arguments.order >= window {
                return Err(ToolError::invalid("order must be below window; lower order or widen window"));
            }
            let text = format!("Savitzky-Golay filter, window {window}, degree {}", arguments.order);
            (Filter::Polynomial(window, arguments.order), text)
        }
        Method::Detrend => (Filter::Line, "least-squares line taken out".to_owned()),
    })
}
