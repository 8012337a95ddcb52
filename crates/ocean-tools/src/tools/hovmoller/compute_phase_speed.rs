//! `compute_phase_speed`: how fast patterns run through a Hovmöller diagram.

use leg_core::{Artifact, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array2, ArrayView2};
use ocean_data::cf::Calendar;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::phase_speed::{best, departures};
use crate::kernels::sphere::EARTH_RADIUS;
use crate::kernels::student_t::quantile;
use crate::kernels::time_axis::TimeAxis;
use crate::tools::statistic::findings::Findings;

/// Finds a phase speed.
pub(crate) struct ComputePhaseSpeed;

/// Arguments of `compute_phase_speed`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Time against longitude, latitude or depth, on even steps of both.
    #[schemars(extend("x-leg-port" = {"kind": "hovmoller", "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    hovmoller: ArtifactArgument,
    /// Speeds in m/s between which is searched, positive to the east, north or down; all if absent.
    #[serde(default)]
    speed_range: Option<[f64; 2]>,
    /// Latitude for the length of a degree of longitude; the middle of the diagram's region if absent.
    #[serde(default)]
    #[schemars(range(min = -90.0, max = 90.0))]
    latitude: Option<f64>,
    /// Level of the interval.
    #[serde(default = "ninety_five")]
    #[schemars(range(min = 0.5, max = 0.9999))]
    confidence_level: f64,
}

fn ninety_five() -> f64 {
    0.95
}

/// Parts of the record whose speeds give the interval, and the fewest times of one.
const PARTS: (usize, usize) = (5, 20);

impl Computation for ComputePhaseSpeed {
    const NAME: &'static str = "compute_phase_speed";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("hovmoller", "Speed of propagation in a Hovmoller diagram.", Port::of(Kind::Scalar))
            .description(
                "The mean of each place over time is taken out. Directions from 1 to 89 degrees in steps of the grid are \
                 tried (Radon transform, Challenor et al. 2001): the best is that whose lines' means take the largest \
                 share of variance, less the share that as many lines take of noise. Positive to the east, north or down. \
                 Interval from the speeds of up to 5 parts of the record with 20 times each, Student's t. A signal in \
                 phase everywhere, such as the annual cycle, seems to run fast: take it out first.",
            )
            .evidence(&["speed", "ci_low", "ci_high", "direction", "share", "n_parts", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let hint = "make one with `compute_hovmoller`";
        let artifact = arguments.hovmoller.read_kind(context, Kind::Hovmoller, hint)?;
        compute(arguments, &Diagram::of(&artifact, arguments.latitude)?)
    }
}

/// A diagram on even steps.
struct Diagram {
    name: String,
    axis: TimeAxis,
    /// `(time, place)`.
    values: Array2<f64>,
    /// Seconds and metres of a step.
    steps: [f64; 2],
    /// What positive and negative speeds are called.
    directions: [&'static str; 2],
    latitude: Option<f64>,
}

impl Diagram {
    fn of(artifact: &Artifact, latitude: Option<f64>) -> Result<Self, ToolError> {
        let bad = |what: String| ToolError::invalid(format!("`{}` {what}", artifact.name));
        let variable = artifact.primary().ok_or_else(|| bad("has no array; make it again".to_owned()))?;
        let [time, place] = variable.dims.as_slice() else {
            return Err(bad("has not two dimensions; give a result of `compute_hovmoller`".to_owned()));
        };
        let coord = artifact.coords.get(place.as_str());
        let (Some(times), Some(coord), "time") = (artifact.coords.get("time"), coord, time.as_str()) else {
            return Err(bad("has no times or no places; give a result of `compute_hovmoller`".to_owned()));
        };
        let texts: Vec<&str> = times.values.iter().filter_map(Value::as_str).collect();
        let calendar = Calendar::parse(times.calendar.as_deref().unwrap_or("standard"))
            .map_err(|error| ToolError::invalid(error.to_string()))?;
        let axis =
            TimeAxis::parse(calendar, &texts).map_err(|error| ToolError::invalid(error.to_string()))?;
        let numbers: Vec<f64> = coord.values.iter().filter_map(Value::as_f64).collect();
        let values = Array2::from_shape_vec((axis.len(), numbers.len()), variable.values.clone())
            .map_err(|_| bad("is damaged; make it again".to_owned()))?;
        if axis.len() < 8 || numbers.len() < 8 {
            return Err(bad(format!(
                "has {} times and {} places, and a speed needs at least 8 of each",
                axis.len(),
                numbers.len()
            )));
        }
        // Months differ by a tenth, which is no gap.
        let seconds = even(&axis.unix_seconds(), 0.12).ok_or_else(|| {
            bad("has uneven times; take a window without gaps, or resample the data first".to_owned())
        })?;
        let step = even(&numbers, 0.02)
            .ok_or_else(|| bad(format!("has uneven places along {place}; regrid the data first")))?;
        let (metres, directions, latitude) = match place.as_str() {
            "lon" => {
                let own = latitude
                    .or_else(|| middle_latitude(artifact))
                    .ok_or_else(|| bad("does not say at which latitude it is; give latitude".to_owned()))?;
                let length = step.to_radians() * EARTH_RADIUS * libm::cos(own.to_radians());
                (length, ["eastward", "westward"], Some(own))
            }
            "lat" => (step.to_radians() * EARTH_RADIUS, ["northward", "southward"], None),
            _ => (step, ["downward", "upward"], None),
        };
        Ok(Self { name: artifact.name.clone(), axis, values, steps: [seconds, metres], directions, latitude })
    }
}

/// The mean step; `None` when one differs by more than this share of it.
fn even(values: &[f64], slack: f64) -> Option<f64> {
    let mean = (values[values.len() - 1] - values[0]) / (values.len() - 1) as f64;
    let is_even = values.windows(2).all(|pair| (pair[1] - pair[0] - mean).abs() <= slack * mean.abs());
    (is_even && mean.abs() > 0.0).then_some(mean)
}

/// The middle of the region that the diagram was made of.
fn middle_latitude(artifact: &Artifact) -> Option<f64> {
    let region = artifact.attributes.get("region")?.get("lat")?;
    Some(f64::midpoint(region.get(0)?.as_f64()?, region.get(1)?.as_f64()?))
}

fn compute(arguments: &Arguments, diagram: &Diagram) -> Result<ToolOutput, ToolError> {
    let [seconds, metres] = diagram.steps;
    let scale = metres / seconds;
    let between = match arguments.speed_range {
        Some([low, high]) if low < high && (low.abs() + high.abs()).is_finite() => {
            let [a, b] = [low / scale, high / scale];
            [a.min(b), a.max(b)]
        }
        Some(_) => return Err(ToolError::invalid("speed_range is empty; give the lower speed first")),
        None => [f64::NEG_INFINITY, f64::INFINITY],
    };
    let n = diagram.values.iter().filter(|value| !value.is_nan()).count();
    if 2 * n < diagram.values.len() {
        return Err(ToolError::no_data(format!(
            "only {n} of {} places and times of `{}` have a value; choose a region without land",
            diagram.values.len(),
            diagram.name
        )));
    }
    let search = |values: &ArrayView2<'_, f64>| best(&departures(values).view(), between);
    let found = search(&diagram.values.view()).ok_or_else(|| {
        ToolError::no_data(
            "the diagram does not vary, or no direction between 1 and 89 degrees on its grid has a speed in speed_range",
        )
    })?;
    let speed = found.slope * scale;
    let (most, least) = PARTS;
    let parts = (diagram.axis.len() / least).min(most);
    let speeds: Vec<f64> = (0..if parts >= 2 { parts } else { 0 })
        .filter_map(|at| {
            let (from, to) = (at * diagram.axis.len() / parts, (at + 1) * diagram.axis.len() / parts);
            let part = diagram.values.slice_axis(ndarray::Axis(0), ndarray::Slice::from(from..to));
            search(&part).map(|own| own.slope * scale)
        })
        .collect();
    let count = speeds.len() as f64;
    let half = if speeds.len() >= 2 {
        let mean = speeds.iter().sum::<f64>() / count;
        let variance = speeds.iter().map(|own| (own - mean) * (own - mean)).sum::<f64>() / (count - 1.0);
        quantile(f64::midpoint(1.0, arguments.confidence_level), count - 1.0) * libm::sqrt(variance / count)
    } else {
        f64::NAN
    };
    let direction = diagram.directions[usize::from(speed < 0.0)];
    let mut findings = Findings::by("Radon transform of the diagram, mean over time taken out")
        .during(diagram.axis.window())
        .from(n)
        .interval(
            "speed",
            speed,
            [speed - half, speed + half],
            arguments.confidence_level,
            "m s-1",
            "phase speed",
        )
        .text("direction", direction, "where the patterns run")
        .number("share", found.share, "1", "share of variance along that direction, beyond noise")
        .count("n_parts", speeds.len(), "parts of the record behind the interval")
        .count("n", n, "values of the diagram")
        .fact("value", speed)
        .fact("units", "m s-1")
        .fact("speeds_of_parts", speeds);
    if let Some(latitude) = diagram.latitude {
        findings = findings.fact("latitude", latitude);
    }
    if half.is_nan() {
        findings = findings.note(format!("an interval needs at least {} times", 2 * least));
    }
    if found.share < 0.2 {
        findings =
            findings.note("less than a fifth of the variance runs at one speed; the speed means little");
    }
    Ok(findings.document(Kind::Scalar, format!("{}_phase_speed", diagram.name)))
}
