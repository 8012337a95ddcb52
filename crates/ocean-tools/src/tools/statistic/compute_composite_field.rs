//! `compute_composite_field`: a field in high and low states of an index.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use ocean_data::field::Season;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::cell_maps::CellMaps;
use super::findings::Findings;
use super::preparation::Preparation;
use crate::Datasets;
use crate::argument::{ArtifactArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::kernels::sample::quantile_of;
use crate::kernels::seasonal_means::SeasonYears;
use crate::kernels::steps;
use crate::kernels::t_test::{one_sample, welch};
use crate::kernels::time_axis::TimeAxis;
use crate::series::{Series, axis_of, units_of};

/// Averages a field over the states of an index.
pub(crate) struct ComputeCompositeField;

/// Arguments of `compute_composite_field`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The field.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    field: FieldArgument,
    /// The index; not needed with years.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    index_timeseries: Option<ArtifactArgument>,
    /// Share of the times in the upper and in the lower state, where no threshold is given.
    #[serde(default = "fifth")]
    #[schemars(range(min = 0.01, max = 0.5))]
    quantile: f64,
    /// The index is high from this value on, inclusive.
    #[serde(default)]
    above: Option<f64>,
    /// The index is low down from this value, inclusive.
    #[serde(default)]
    below: Option<f64>,
    /// Years of the composite, instead of an index: the mean is tested against 0.
    #[serde(default)]
    years: Option<Vec<i32>>,
    /// Average the field, and the index, over this season of each year first; one that spans two years carries the
    /// year of its first month.
    #[serde(default)]
    season: Option<String>,
    /// Steps by which the index leads, without a season.
    #[serde(default)]
    #[schemars(range(min = -1200, max = 1200))]
    lag: i64,
    /// Use anomalies from the mean annual cycle; false keeps the values.
    #[serde(default = "yes")]
    deseasonalise: bool,
    /// Take the linear trend out of the field first.
    #[serde(default)]
    detrend: bool,
    /// The years of the cycle; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// Level of the test of each cell alone.
    #[serde(default = "five_percent")]
    #[schemars(range(min = 0.0001, max = 0.5))]
    alpha: f64,
    /// False discovery rate over the map.
    #[serde(default = "ten_percent")]
    #[schemars(range(min = 0.0001, max = 0.5))]
    fdr: f64,
}

fn fifth() -> f64 {
    0.2
}

fn yes() -> bool {
    true
}

fn five_percent() -> f64 {
    0.05
}

fn ten_percent() -> f64 {
    0.1
}

/// The samples of a cell: one a year, or one a time.
enum Samples {
    Years(SeasonYears),
    Times,
}

impl Samples {
    fn of(&self, values: &[f64]) -> Vec<f64> {
        match self {
            Self::Years(years) => years.means(values),
            Self::Times => values.to_vec(),
        }
    }

    fn labels(&self, axis: &TimeAxis) -> Vec<String> {
        match self {
            Self::Years(years) => years.years.iter().map(i32::to_string).collect(),
            Self::Times => (0..axis.len()).map(|at| axis.label(at)).collect(),
        }
    }
}

/// Positions of samples in the high and, unless years were given, in the low state.
struct States {
    high: Vec<usize>,
    low: Option<Vec<usize>>,
    text: String,
}

impl Computation for ComputeCompositeField {
    const NAME: &'static str = "compute_composite_field";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port =
            Port { or: vec![Kind::Field, Kind::Profile, Kind::Section, Kind::Scalar], ..Port::of(Kind::Map) };
        ToolSpec::new("statistic", "Difference of a field between high and low states of an index.", port)
            .description(
                "Mean of the anomalies in the high state less that in the low state with Welch's two-sided t test; or, \
                 for years, their mean with Student's test against 0. States: above and below (inclusive), or the upper \
                 and lower quantile. With season the samples are means of complete seasons; otherwise each time is a \
                 sample, and neighbouring times are taken as independent. Significance at the false discovery rate.",
            )
            .evidence(&["min", "max", "mean", "n", "n_high", "n_low", "t_at_max", "p_at_max", "n_p_below_alpha", "n_significant"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let index =
            arguments.index_timeseries.as_ref().map(|index| Series::read(index, context)).transpose()?;
        compute(arguments, index.as_ref(), datasets, context)
    }
}

fn compute(
    arguments: &Arguments,
    index: Option<&Series>,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let field = arguments.field.open(datasets, context)?;
    let axis = axis_of(&field)?;
    let season = arguments.season.as_deref().map(str::parse::<Season>).transpose();
    let season = season.map_err(|error| ToolError::invalid(error.to_string()))?;
    let by_year = season.is_some() || arguments.years.is_some();
    let samples =
        if by_year { Samples::Years(SeasonYears::of(&axis, season.as_ref())) } else { Samples::Times };
    let states = states(arguments, index, &axis, &samples, season.as_ref())?;
    let baseline = arguments.baseline.as_ref().map(|window| &window.0);
    let preparation = Preparation::of(&axis, arguments.deseasonalise, arguments.detrend, baseline)?;
    let maps = CellMaps::of(&field, context, 3, |values, out| {
        let values = samples.of(&preparation.apply(values));
        let pick = |positions: &[usize]| -> Vec<f64> {
            positions.iter().map(|&at| values[at]).filter(|value| !value.is_nan()).collect()
        };
        let high = pick(&states.high);
        let tested = match &states.low {
            None if high.len() >= 2 => one_sample(&high),
            Some(low) => {
                let low = pick(low);
                if high.len() < 2 || low.len() < 2 {
                    return;
                }
                welch(&high, &low)
            }
            None => return,
        };
        out.copy_from_slice(&[tested.difference, tested.t, tested.p_value]);
    })?;
    Ok(output(arguments, &field, &axis, &maps, &states, &samples, &preparation))
}

fn output(
    arguments: &Arguments,
    field: &Field,
    axis: &TimeAxis,
    maps: &CellMaps,
    states: &States,
    samples: &Samples,
    preparation: &Preparation,
) -> ToolOutput {
    let units = units_of(field);
    let text = format!("composite {}{}", states.text, preparation.text());
    let values = maps.frame.variable("composite", &units, &maps.values(0));
    let drafts = maps.frame.evidence(&values.values, &units, &text, preparation.baseline());
    let best = values
        .values
        .iter()
        .enumerate()
        .filter(|(_, value)| !value.is_nan())
        .reduce(|best, own| if own.1 > best.1 { own } else { best });
    let at_best = |statistic: usize| {
        best.and_then(|(at, _)| maps.values(statistic).iter().nth(at).copied()).unwrap_or(f64::NAN)
    };
    let artifact = maps.artifact(
        &format!("{}_composite", field.name()),
        &[("composite", &units), ("t", "1"), ("p_value", "1")],
    );
    let labels = samples.labels(axis);
    let named =
        |positions: &[usize]| json!(positions.iter().map(|&at| labels[at].as_str()).collect::<Vec<_>>());
    let significance = maps.significance(2, arguments.alpha, arguments.fdr);
    let findings = Findings::by(text)
        .relative_to(preparation.baseline())
        .during(axis.window())
        .with(drafts)
        .count("n_high", states.high.len(), "samples in the high state, or years")
        .count("n_low", states.low.as_ref().map_or(0, Vec::len), "samples in the low state")
        .number("t_at_max", at_best(1), "1", "t at the largest value")
        .number("p_at_max", at_best(2), "1", "p value at the largest value")
        .fact("high", named(&states.high))
        .fact("low", states.low.as_deref().map_or(json!([]), named))
        .notes(preparation.note());
    let findings = significance.count(findings, arguments.alpha, arguments.fdr);
    maps.read_from(field, findings).onto(significance.mark(artifact))
}

fn states(
    arguments: &Arguments,
    index: Option<&Series>,
    axis: &TimeAxis,
    samples: &Samples,
    season: Option<&Season>,
) -> Result<States, ToolError> {
    if let (Some(wanted), Samples::Years(own)) = (&arguments.years, samples) {
        let find = |year: &i32| {
            own.years.iter().position(|own| own == year).ok_or_else(|| {
                ToolError::no_data(format!(
                    "{year} is not a complete year of the field, which covers {}",
                    axis.window()
                ))
            })
        };
        let high = wanted.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        return checked(States { high, low: None, text: "of the stated years, t test against 0".to_owned() });
    }
    let Some(index) = index else {
        return Err(ToolError::invalid("give index_timeseries, or years"));
    };
    let values = index_values(arguments, index, axis, samples, season)?;
    let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let above = arguments.above.unwrap_or_else(|| quantile_of(&present, 1.0 - arguments.quantile));
    let below = arguments.below.unwrap_or_else(|| quantile_of(&present, arguments.quantile));
    let where_ = |inside: &dyn Fn(f64) -> bool| -> Vec<usize> {
        values.iter().enumerate().filter(|(_, value)| inside(**value)).map(|(at, _)| at).collect()
    };
    let season = season.map_or(String::new(), |season| format!(" {}", season.code()));
    checked(States {
        high: where_(&|value| value >= above),
        low: Some(where_(&|value| value <= below)),
        text: format!(
            "{}{season} at or above {above} less at or below {below} {}, Welch's t test",
            index.name, index.units
        ),
    })
}

/// The index at each sample of the field; missing where it has none.
fn index_values(
    arguments: &Arguments,
    index: &Series,
    axis: &TimeAxis,
    samples: &Samples,
    season: Option<&Season>,
) -> Result<Vec<f64>, ToolError> {
    if let Samples::Years(own) = samples {
        if arguments.lag != 0 {
            return Err(ToolError::invalid("lag is for composites of times; leave it out with season"));
        }
        let years = SeasonYears::of(&index.axis, season);
        let means = years.means(&index.values);
        let value =
            |year: &i32| years.years.iter().position(|own| own == year).map_or(f64::NAN, |at| means[at]);
        return Ok(own.years.iter().map(value).collect());
    }
    let mut values = vec![f64::NAN; axis.len()];
    let numbers = steps::numbers(axis);
    for (at, own) in steps::join(axis, &index.axis) {
        let target = match (&numbers, arguments.lag) {
            (_, 0) => Some(at),
            (Some(numbers), lag) => numbers.binary_search(&(numbers[at] + lag)).ok(),
            (None, _) => None,
        };
        if let Some(target) = target {
            values[target] = index.values[own];
        }
    }
    Ok(values)
}

fn checked(states: States) -> Result<States, ToolError> {
    let few = states.high.len() < 2 || states.low.as_ref().is_some_and(|low| low.len() < 2);
    if few {
        return Err(ToolError::no_data(format!(
            "a composite needs at least 2 samples of each state, and there are {} and {}; change the thresholds or the \
             window",
            states.high.len(),
            states.low.as_ref().map_or(0, Vec::len)
        )));
    }
    Ok(states)
}
