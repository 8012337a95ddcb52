//! `select_vertical`: a level, a layer or the bottom of a field.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use ocean_data::Field;
use ocean_data::field::{ChunkTree, SpaceAxis};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::bottom::deepest_levels;
use crate::computation::Computation;
use crate::derived::{by_cell, by_column};
use crate::frame::{Frame, Side, any_grid};
use crate::kernels::interpolation::{Method, interpolate};
use crate::kernels::vertical::{layer_integral, present};
use crate::series::units_of;
use crate::{Datasets, evidence, reading};

/// Takes a part of each column.
pub(crate) struct SelectVertical;

/// Arguments of `select_vertical`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// Which part.
    mode: Mode,
    /// For `fixed_depth`: the depth, m; above the sea floor when `relative_to` is `bottom`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"unit": "m"}))]
    depth_value: Option<f64>,
    /// For `depth_range`: upper and lower depth, m; two heights above the sea floor when `relative_to` is `bottom`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"unit": "m"}))]
    depth_range: Option<[f64; 2]>,
    /// Where depths count from.
    #[serde(default)]
    relative_to: RelativeTo,
    /// For `bottom_band`: its thickness, m.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"unit": "m"}))]
    band_thickness_m: Option<f64>,
    /// What becomes of the levels of a layer: none for `depth_range` and mean for `bottom_band`, if absent.
    #[serde(default)]
    aggregation: Option<Aggregation>,
    /// Keeps one level as a dimension.
    #[serde(default)]
    retain_depth: bool,
    /// For `fixed_depth`: the nearest level, or straight lines between levels.
    #[serde(default)]
    method: DepthMethod,
}

/// A part of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    /// All levels.
    AsIs,
    /// The level nearest 0 m.
    Surface,
    /// One depth.
    FixedDepth,
    /// A layer.
    DepthRange,
    /// The deepest wet level of each column.
    Bottom,
    /// The layer above the sea floor.
    BottomBand,
}

/// Where depths count from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum RelativeTo {
    /// Downwards from the surface.
    #[default]
    Surface,
    /// Upwards from the sea floor.
    Bottom,
}

/// What becomes of several levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Aggregation {
    /// Mean weighted by the thickness inside the layer.
    Mean,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// They stay.
    None,
}

/// How one depth is met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DepthMethod {
    /// The nearest level.
    #[default]
    Nearest,
    /// Straight lines between the levels.
    Linear,
}

impl Computation for SelectVertical {
    const NAME: &'static str = "select_vertical";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let mut names = evidence::SERIES.to_vec();
        names.push("level_depth");
        ToolSpec::new("data", "Surface, one depth, a layer, the bottom or a band above it.", any_grid().unit("=data"))
            .description(
                "`surface` is the level nearest 0 m; `fixed_depth` the nearest level or linear between levels; `depth_range` \
                 the levels whose centres are inside, or their mean weighted by the thickness inside the layer, maximum or \
                 minimum; `bottom` the deepest level of each column that has a value at any time of the field, `bottom_band` \
                 the layer of a given thickness above the lower edge of that level. Depths may count upwards from there. The \
                 level that was taken is in the evidence, or, where it differs from place to place, in the array `depth`.",
            )
            .evidence(&names)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let axis = field.depths().cloned().ok_or_else(|| {
            ToolError::invalid(format!(
                "`{}` has no levels to choose from; load it with depth \"column\" or a range",
                field.name()
            ))
        })?;
        let from_floor = matches!(arguments.mode, Mode::Bottom | Mode::BottomBand)
            || (arguments.relative_to == RelativeTo::Bottom
                && !matches!(arguments.mode, Mode::AsIs | Mode::Surface));
        if from_floor {
            return above_the_floor(arguments, &field, &axis, context);
        }
        match (arguments.mode, arguments.aggregation.unwrap_or(Aggregation::None)) {
            (Mode::DepthRange, aggregation) if aggregation != Aggregation::None => {
                let layer = range(arguments)?;
                let layers = |_: usize, _: usize| Some(layer);
                let words = format!("{} from {} to {} m", word(aggregation), layer[0], layer[1]);
                of_layers(&field, &axis, aggregation, &layers, &words, context)
            }
            (Mode::FixedDepth, _) if arguments.method == DepthMethod::Linear => {
                let depth = needed(arguments.depth_value, "depth_value")?;
                within(&axis, depth)?;
                let taken = by_column(&[&field], context, 1, |_, columns, out| {
                    out[0] = at_depth(&axis.values, &columns[0], depth);
                })?;
                let frame = Frame::of(&field)?.without_depth();
                let frame =
                    if arguments.retain_depth { frame.with_depth(Side::at(vec![depth])) } else { frame };
                let words = format!("linear between levels at {depth} m");
                Ok(answer(&field, &frame, &taken.values, &words, Some(depth), &taken.chunks[0]))
            }
            _ => whole_levels(arguments, &field, &axis, context),
        }
    }
}

/// Some of the levels as they are.
fn whole_levels(
    arguments: &Arguments,
    field: &Field,
    axis: &SpaceAxis,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let nearest = |depth: f64| {
        let away = |at: &usize| (axis.values[*at] - depth).abs();
        (0..axis.values.len()).reduce(|best, own| if away(&own) < away(&best) { own } else { best })
    };
    let (levels, words): (Vec<usize>, String) = match arguments.mode {
        Mode::AsIs => ((0..axis.values.len()).collect(), "all levels".to_owned()),
        Mode::FixedDepth => {
            let depth = needed(arguments.depth_value, "depth_value")?;
            within(axis, depth)?;
            (nearest(depth).into_iter().collect(), format!("level nearest {depth} m"))
        }
        Mode::DepthRange => {
            let [top, bottom] = range(arguments)?;
            let inside = |at: &usize| (top..=bottom).contains(&axis.values[*at]);
            ((0..axis.values.len()).filter(inside).collect(), format!("levels from {top} to {bottom} m"))
        }
        _ => (nearest(0.0).into_iter().collect(), "level nearest the surface".to_owned()),
    };
    if levels.is_empty() {
        return Err(ToolError::no_data(format!(
            "no level of `{}` has its centre there; its levels go from {} to {} m, and with an aggregation parts of levels \
             count too",
            field.name(),
            axis.values[0],
            axis.values[axis.values.len() - 1]
        )));
    }
    let part = field.at_levels(&levels).ok_or_else(|| {
        ToolError::invalid(format!(
            "the levels of `{}` differ from place to place; choose the depth in `load_dataset`",
            field.name()
        ))
    })?;
    let taken = by_cell(&[&part], context, |_, cell| cell[0])?;
    let one = (levels.len() == 1).then(|| axis.values[levels[0]]);
    let mut frame = Frame::of(&part)?;
    if let (Some(depth), true) = (one, arguments.retain_depth) {
        let bounds = vec![axis.bounds[levels[0]]];
        frame = frame.with_depth(Side { values: vec![depth], bounds, is_scalar: false });
    }
    Ok(answer(field, &frame, &taken.values, &words, one, &taken.chunks[0]))
}

/// What counts from the sea floor.
fn above_the_floor(
    arguments: &Arguments,
    field: &Field,
    axis: &SpaceAxis,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let (deepest, _) = deepest_levels(field, context)?;
    let floor = |y: usize, x: usize| deepest[[y, x]].map(|level| axis.bounds[level][1]);
    let mut output = match arguments.mode {
        Mode::DepthRange | Mode::BottomBand => {
            let (low, high) = if arguments.mode == Mode::BottomBand {
                (0.0, needed(arguments.band_thickness_m, "band_thickness_m")?)
            } else {
                let [low, high] = range(arguments)?;
                (low, high)
            };
            let aggregation = match (arguments.aggregation, arguments.mode) {
                (None, Mode::BottomBand) => Aggregation::Mean,
                (Some(aggregation), _) if aggregation != Aggregation::None => aggregation,
                _ => {
                    return Err(ToolError::invalid(
                        "a layer above the sea floor lies at other levels from place to place; give aggregation mean, max or \
                         min",
                    ));
                }
            };
            let layers = |y: usize, x: usize| floor(y, x).map(|floor| [floor - high, floor - low]);
            let words = format!("{} from {low} to {high} m above the sea floor", word(aggregation));
            of_layers(field, axis, aggregation, &layers, &words, context)?
        }
        mode => {
            let height =
                if mode == Mode::Bottom { None } else { Some(needed(arguments.depth_value, "depth_value")?) };
            let taken = by_column(&[field], context, 1, |place, columns, out| {
                let Some(level) = deepest[[place.lat, place.lon]] else { return };
                let wet = &columns[0][..=level];
                out[0] = match height {
                    None => wet[level],
                    Some(height) => {
                        let depth = axis.bounds[level][1] - height;
                        match arguments.method {
                            DepthMethod::Linear => at_depth(&axis.values[..=level], wet, depth),
                            DepthMethod::Nearest => {
                                level_at(axis, level, depth).map_or(f64::NAN, |at| wet[at])
                            }
                        }
                    }
                };
            })?;
            let words = match height {
                None => "deepest wet level of each column".to_owned(),
                Some(height) => format!("{height} m above the sea floor"),
            };
            answer(field, &Frame::of(field)?.without_depth(), &taken.values, &words, None, &taken.chunks[0])
        }
    };
    let height = match arguments.mode {
        Mode::FixedDepth => arguments.depth_value,
        _ => None,
    };
    let frame = Frame::of(field)?.without_time().without_depth();
    let depths = Array4::from_shape_fn(frame.full_shape(), |(_, _, y, x)| match (deepest[[y, x]], height) {
        (Some(level), None) => axis.values[level],
        (Some(level), Some(height)) => axis.bounds[level][1] - height,
        (None, _) => f64::NAN,
    });
    if let Some(artifact) = output.artifacts.get_mut("result") {
        artifact.variables.push(frame.variable("depth", "m", &depths));
    }
    if arguments.retain_depth {
        output.notes.push(
            "the depth differs from place to place: it is in the array `depth`, and no dimension".to_owned(),
        );
    }
    Ok(output)
}

/// One value of each column's layer.
fn of_layers(
    field: &Field,
    axis: &SpaceAxis,
    aggregation: Aggregation,
    layer: &(dyn Fn(usize, usize) -> Option<[f64; 2]> + Sync),
    words: &str,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let taken = by_column(&[field], context, 1, |place, columns, out| {
        let Some([top, bottom]) = layer(place.lat, place.lon) else { return };
        out[0] = aggregate(aggregation, &axis.bounds, &columns[0], top, bottom);
    })?;
    Ok(answer(field, &Frame::of(field)?.without_depth(), &taken.values, words, None, &taken.chunks[0]))
}

/// What becomes of the part of a column inside a layer.
pub(crate) fn aggregate(
    aggregation: Aggregation,
    bounds: &[[f64; 2]],
    values: &[f64],
    top: f64,
    bottom: f64,
) -> f64 {
    let inside = || {
        let touches = |own: &[f64; 2]| own[1].min(bottom) - own[0].max(top) > 0.0;
        bounds
            .iter()
            .zip(values)
            .filter(move |(own, value)| touches(own) && value.is_finite())
            .map(|(_, value)| *value)
    };
    match aggregation {
        Aggregation::Mean | Aggregation::None => {
            let part = layer_integral(bounds, values, top, bottom);
            if part.covered > 0.0 { part.sum / part.covered } else { f64::NAN }
        }
        Aggregation::Max => inside().fold(f64::NAN, f64::max),
        Aggregation::Min => inside().fold(f64::NAN, f64::min),
    }
}

/// The level, down to the deepest, whose centre is nearest a depth; none above the surface.
fn level_at(axis: &SpaceAxis, deepest: usize, depth: f64) -> Option<usize> {
    let away = |at: &usize| (axis.values[*at] - depth).abs();
    let nearest = (0..=deepest).reduce(|best, own| if away(&own) < away(&best) { own } else { best });
    nearest.filter(|_| depth >= axis.bounds[0][0])
}

/// The value of a column at a depth, linear between the levels that have values.
fn at_depth(depths: &[f64], values: &[f64], depth: f64) -> f64 {
    let (z, v) = present(depths, values);
    interpolate(&z, &v, &[depth], Method::Linear).first().copied().unwrap_or(f64::NAN)
}

fn answer(
    field: &Field,
    frame: &Frame,
    values: &Array4<f64>,
    words: &str,
    level: Option<f64>,
    chunks: &ChunkTree,
) -> ToolOutput {
    let name = field.variable().identity_name();
    let mut variable = frame.variable(name, &units_of(field), values);
    variable.standard_name = field.standard_name().map(str::to_owned);
    let mut drafts = frame.evidence(&variable.values, &variable.units, words, None);
    let mut artifact = frame.artifact(name, variable).with_attribute("method", words);
    if let Some(level) = level {
        artifact = artifact.with_attribute("level_depth", level);
        let draft = EvidenceDraft::new("level_depth", level, "m", &format!("depth taken: {words}"));
        drafts.push(draft.pointer("/attributes/level_depth"));
    }
    ToolOutput::of(artifact)
        .with_evidence(drafts)
        .with_notes(reading::notes(field))
        .with_source(reading::source(field, chunks))
}

fn needed(value: Option<f64>, name: &str) -> Result<f64, ToolError> {
    value.filter(|value| value.is_finite() && *value >= 0.0).ok_or_else(|| {
        ToolError::invalid(format!(
            "this mode needs `{name}`, a number of metres that is not negative, such as 50"
        ))
    })
}

fn range(arguments: &Arguments) -> Result<[f64; 2], ToolError> {
    arguments
        .depth_range
        .filter(|[top, bottom]| 0.0 <= *top && top < bottom && bottom.is_finite())
        .ok_or_else(|| {
            ToolError::invalid(
                "`depth_range` needs the upper and the larger lower depth in m, such as [0, 200]",
            )
        })
}

/// Refuses a depth outside of the levels.
fn within(axis: &SpaceAxis, depth: f64) -> Result<(), ToolError> {
    let (top, bottom) = (axis.bounds[0][0], axis.bounds[axis.bounds.len() - 1][1]);
    if (top..=bottom).contains(&depth) || depth <= axis.values[0] {
        return Ok(());
    }
    Err(ToolError::no_data(format!("{depth} m is outside of the levels, which go from {top} to {bottom} m")))
}

fn word(aggregation: Aggregation) -> &'static str {
    match aggregation {
        Aggregation::Mean | Aggregation::None => "thickness-weighted mean",
        Aggregation::Max => "maximum",
        Aggregation::Min => "minimum",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_counts_the_part_of_a_level_inside() {
        let bounds = [[0.0, 10.0], [10.0, 30.0], [30.0, 60.0]];
        let values = [1.0, 4.0, f64::NAN];
        // 5 m of the first level, 10 m of the second.
        let mean = aggregate(Aggregation::Mean, &bounds, &values, 5.0, 20.0);
        assert!((mean - (5.0 + 40.0) / 15.0).abs() < 1e-12);
        assert!((aggregate(Aggregation::Max, &bounds, &values, 0.0, 60.0) - 4.0).abs() < 1e-12);
        assert!((aggregate(Aggregation::Min, &bounds, &values, 12.0, 60.0) - 4.0).abs() < 1e-12);
        assert!(aggregate(Aggregation::Mean, &bounds, &values, 30.0, 60.0).is_nan());
    }

    #[test]
    fn nothing_is_extrapolated() {
        let depths = [5.0, 15.0, 30.0];
        assert!((at_depth(&depths, &[1.0, 2.0, f64::NAN], 10.0) - 1.5).abs() < 1e-12);
        assert!(at_depth(&depths, &[1.0, 2.0, f64::NAN], 20.0).is_nan());
    }
}
