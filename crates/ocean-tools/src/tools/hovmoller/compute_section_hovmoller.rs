//! `compute_section_hovmoller`: time against distance or depth of a section.

use leg_core::{
    Artifact, Coord, EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec,
    Variable,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::frame::{BOUNDS, Side};
use crate::kernels::interpolation::{Method, interpolate};
use crate::kernels::time_axis::TimeAxis;
use crate::{Datasets, series};

/// A Hovmöller diagram of a section.
pub(crate) struct ComputeSectionHovmoller;

/// Arguments of `compute_section_hovmoller`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What `extract_transect_section` returned, with times.
    #[schemars(extend("x-leg-port" = {"kind": "section", "unit": "any"}))]
    section: ArtifactArgument,
    /// The axis beside time.
    diagram_type: Diagram,
    /// One depth for `time_distance`, m: linear between the levels.
    #[serde(default)]
    fixed_depth: Option<f64>,
    /// Upper and lower depth that are taken together for `time_distance`, m; all levels if absent.
    #[serde(default)]
    depth_range: Option<[f64; 2]>,
    /// One distance for `time_depth`, km: linear between the places.
    #[serde(default)]
    fixed_distance_km: Option<f64>,
    /// The part of the path that is taken together for `time_depth`, km; all of it if absent.
    #[serde(default)]
    distance_range_km: Option<[f64; 2]>,
    /// What becomes of the axis that is left out.
    #[serde(default)]
    aggregate_method: Aggregate,
}

/// The axis beside time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Diagram {
    /// Distance along the path.
    TimeDistance,
    /// Depth.
    TimeDepth,
}

/// What becomes of the axis that is left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Aggregate {
    /// Mean weighted by thickness or by the way that each place stands for.
    #[default]
    Mean,
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
}

impl Computation for ComputeSectionHovmoller {
    const NAME: &'static str = "compute_section_hovmoller";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Hovmoller).unit("=section");
        ToolSpec::new("hovmoller", "Time against distance or depth of a section.", port)
            .description(
                "For time_distance the levels are taken together: their mean weighted by the thickness that each has inside of the range, or the largest or smallest value, or the value at one depth, linear between the levels. For time_depth likewise the places along the path, weighted by the way that each stands for inside of the range. Missing values are left out.",
            )
            .evidence(&["min", "max", "mean", "n"])
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        run(arguments, datasets, context)
    }
}

fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let hint = "make one with `extract_transect_section` of a field that has times and depths";
    let artifact = arguments.section.read_kind(context, Kind::Section, hint)?;
    let section = Section::of(&artifact)?;
    let (kept, left) = match arguments.diagram_type {
        Diagram::TimeDistance => {
            refuse(
                arguments.fixed_distance_km.is_some() || arguments.distance_range_km.is_some(),
                "distance",
            )?;
            (
                &section.distance,
                Left::of(&section.depth, arguments.fixed_depth, arguments.depth_range, "depth", "m")?,
            )
        }
        Diagram::TimeDepth => {
            refuse(arguments.fixed_depth.is_some() || arguments.depth_range.is_some(), "depth")?;
            let range = arguments.distance_range_km;
            (
                &section.depth,
                Left::of(&section.distance, arguments.fixed_distance_km, range, "distance", "km")?,
            )
        }
    };
    let is_distance = arguments.diagram_type == Diagram::TimeDistance;
    let (times, n) = (section.axis.len(), kept.values.len());
    let values: Vec<f64> = (0..times)
        .flat_map(|t| (0..n).map(move |at| (t, at)))
        .map(|(t, at)| {
            let along: Vec<f64> = (0..left.values.len())
                .map(
                    |other| {
                        if is_distance { section.value(t, other, at) } else { section.value(t, at, other) }
                    },
                )
                .collect();
            left.together(&along, arguments.aggregate_method)
        })
        .collect();
    let (dim, units) = if is_distance { ("distance", "km") } else { ("depth", "m") };
    let variable = Variable {
        dims: vec!["time".to_owned(), dim.to_owned()],
        shape: vec![times, n],
        values,
        ..section.variable.clone()
    };
    let method = format!("{} at each time and {dim} of a section", left.words(arguments.aggregate_method));
    let drafts = evidence(&section.axis, kept, dim, &variable, &method);
    let mut output = Artifact::array(Kind::Hovmoller, artifact.name.clone(), variable)
        .with_coord(dim, Coord::numbers(&kept.values, units, dim))
        .with_attribute("method", method);
    if let Some(path) = artifact.attributes.get("path") {
        output = output.with_attribute("path", path.clone());
    }
    Ok(ToolOutput::of(series::with_times(output, &section.axis)).with_evidence(drafts))
}

fn refuse(is_given: bool, axis: &str) -> Result<(), ToolError> {
    if is_given {
        return Err(ToolError::invalid(format!(
            "the {axis} is an axis of this diagram_type; leave out its range, or choose the other diagram_type"
        )));
    }
    Ok(())
}

/// A section with its axes.
struct Section {
    axis: TimeAxis,
    depth: Side,
    distance: Side,
    variable: Variable,
}

impl Section {
    fn of(artifact: &Artifact) -> Result<Self, ToolError> {
        let bad = |what: &str| {
            ToolError::new(
                ToolErrorKind::InvalidArguments,
                format!(
                    "section `{}` {what}; make it with `extract_transect_section` of a field with times and depths",
                    artifact.name
                ),
            )
        };
        let variable = artifact.primary().ok_or_else(|| bad("has no array"))?;
        if variable.dims != ["time", "depth", "distance"] {
            return Err(bad("has not the axes time, depth and distance"));
        }
        let coord = |name: &str| artifact.coords.get(name).ok_or_else(|| bad("lacks an axis"));
        let numbers = |name: &str| -> Result<Vec<f64>, ToolError> {
            let values = coord(name)?.values.iter();
            Ok(values.map(|value| value.as_f64().unwrap_or(f64::NAN)).collect())
        };
        let mut depth = Side::at(numbers("depth")?);
        let own = artifact.attributes.get(BOUNDS).and_then(|all| all.get("depth"));
        if let Some(own) = own.and_then(|own| serde_json::from_value::<Vec<[f64; 2]>>(own.clone()).ok())
            && own.len() == depth.values.len()
        {
            depth.bounds = own;
        }
        let distance = numbers("distance")?;
        let (first, last) =
            (distance.first().copied().unwrap_or(0.0), distance.last().copied().unwrap_or(0.0));
        let mut distance = Side::at(distance);
        // The path ends at its first and last place.
        for bounds in &mut distance.bounds {
            *bounds = bounds.map(|bound| bound.clamp(first, last));
        }
        let time = coord("time")?;
        let texts: Vec<&str> = time.values.iter().filter_map(Value::as_str).collect();
        let calendar = ocean_data::cf::Calendar::parse(time.calendar.as_deref().unwrap_or("standard"));
        let axis = calendar.map_err(|error| bad(&error.to_string())).and_then(|calendar| {
            TimeAxis::parse(calendar, &texts).map_err(|error| bad(&error.to_string()))
        })?;
        let expected = [axis.len(), depth.values.len(), distance.values.len()];
        if variable.shape != expected {
            return Err(bad("is damaged"));
        }
        Ok(Self { axis, depth, distance, variable: variable.clone() })
    }

    fn value(&self, time: usize, depth: usize, distance: usize) -> f64 {
        let (levels, places) = (self.depth.values.len(), self.distance.values.len());
        self.variable.values[(time * levels + depth) * places + distance]
    }
}

/// The axis that is left out.
struct Left<'a> {
    values: &'a [f64],
    /// How much of each cell is inside of the range.
    weights: Vec<f64>,
    fixed: Option<f64>,
    /// Its name, what is taken of it, and its unit, for a method.
    words: String,
}

impl<'a> Left<'a> {
    fn of(
        side: &'a Side,
        fixed: Option<f64>,
        range: Option<[f64; 2]>,
        name: &str,
        unit: &str,
    ) -> Result<Self, ToolError> {
        let (first, last) = side
            .bounds
            .iter()
            .flatten()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), own| (low.min(*own), high.max(*own)));
        let refuse = |what: String| {
            Err(ToolError::invalid(format!("{what}; the section has {name} from {first} to {last} {unit}")))
        };
        let words = match (fixed, range) {
            (Some(_), Some(_)) => return refuse(format!("give one {name} or a range of it, not both")),
            (Some(fixed), None) if !(first..=last).contains(&fixed) => {
                return refuse(format!("{fixed} {unit} is outside"));
            }
            (None, Some([from, to])) if !(from < to && from < last && to > first) => {
                return refuse(format!("[{from}, {to}] is no range inside of it"));
            }
            (Some(fixed), None) => format!("at {fixed} {unit} of {name}"),
            (None, Some([from, to])) => format!("over {name} from {from} to {to} {unit}"),
            (None, None) => format!("over all {name}"),
        };
        let [from, to] = range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let inside = |[a, b]: &[f64; 2]| (a.max(*b).min(to) - a.min(*b).max(from)).max(0.0);
        Ok(Self { values: &side.values, weights: side.bounds.iter().map(inside).collect(), fixed, words })
    }

    /// One value of those along the axis.
    fn together(&self, along: &[f64], aggregate: Aggregate) -> f64 {
        if let Some(fixed) = self.fixed {
            let (first, last) = (self.values[0], self.values[self.values.len() - 1]);
            // Beyond the outer centres their cells still reach to their bounds.
            let at = fixed.clamp(first.min(last), first.max(last));
            return interpolate(self.values, along, &[at], Method::Linear)[0];
        }
        let wet = along.iter().zip(&self.weights).filter(|(value, weight)| !value.is_nan() && **weight > 0.0);
        match aggregate {
            Aggregate::Mean => {
                let (sum, total) = wet
                    .fold((0.0, 0.0), |(sum, total), (value, weight)| (sum + value * weight, total + weight));
                if total > 0.0 { sum / total } else { f64::NAN }
            }
            Aggregate::Max => wet.map(|(value, _)| *value).reduce(f64::max).unwrap_or(f64::NAN),
            Aggregate::Min => wet.map(|(value, _)| *value).reduce(f64::min).unwrap_or(f64::NAN),
        }
    }

    fn words(&self, aggregate: Aggregate) -> String {
        let noun = match (self.fixed, aggregate) {
            (Some(_), _) => "value",
            (None, Aggregate::Mean) => "weighted mean",
            (None, Aggregate::Max) => "largest value",
            (None, Aggregate::Min) => "smallest value",
        };
        format!("{noun} {}", self.words)
    }
}

/// Extremes with their time and place, mean weighted along the kept axis, and count.
fn evidence(
    axis: &TimeAxis,
    kept: &Side,
    dim: &str,
    variable: &Variable,
    method: &str,
) -> Vec<EvidenceDraft> {
    let n = kept.values.len();
    let present = || variable.values.iter().copied().enumerate().filter(|(_, value)| !value.is_nan());
    let extreme = |name: &str, how: &str, better: fn(f64, f64) -> bool| {
        let method = format!("{how} of the {method}");
        let best = present().reduce(|best, own| if better(own.1, best.1) { own } else { best });
        let Some((at, value)) = best else {
            return EvidenceDraft::new(name, f64::NAN, &variable.units, &method);
        };
        let mut place = serde_json::Map::new();
        place.insert(dim.to_owned(), kept.values[at % n].into());
        let draft =
            EvidenceDraft::new(name, value, &variable.units, &method).pointer(format!("/values/{at}"));
        draft.when(axis.label(at / n)).place(Value::Object(place))
    };
    let (count, sum, total) = present().fold((0_usize, 0.0, 0.0), |(count, sum, total), (at, value)| {
        let [from, to] = kept.bounds[at % n];
        let weight = (to - from).abs();
        (count + 1, sum + value * weight, total + weight)
    });
    let mean = if total > 0.0 { sum / total } else { f64::NAN };
    vec![
        extreme("min", "smallest value", |own, best| own < best),
        extreme("max", "largest value", |own, best| own > best),
        EvidenceDraft::new("mean", mean, &variable.units, &format!("weighted mean of the {method}")).n(count),
        EvidenceDraft::new("n", count as u64, "1", &format!("number of values of the {method}")),
    ]
}
