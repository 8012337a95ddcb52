//! `extract_vertical_profile`: the column at a place.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Axis;
use ocean_data::field::Region;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::argument::field::narrow;
use crate::argument::{FieldArgument, WindowArgument};
use crate::columns::{Columns, Levels};
use crate::computation::Computation;
use crate::series::units_of;
use crate::{Datasets, evidence, reading};

/// The column of the nearest cell.
pub(crate) struct ExtractVerticalProfile;

/// Arguments of `extract_vertical_profile`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// Longitude, degrees east.
    lon: f64,
    /// Latitude, degrees north.
    #[schemars(range(min = -90.0, max = 90.0))]
    lat: f64,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// What becomes of several times.
    #[serde(default)]
    time_aggregation: TimeAggregation,
}

/// What becomes of several times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TimeAggregation {
    /// Mean of those that have a value, level by level.
    #[default]
    Mean,
    /// Every time, one profile after the other.
    Each,
}

impl Computation for ExtractVerticalProfile {
    const NAME: &'static str = "extract_vertical_profile";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("profile", "The vertical profile of a field at a place.", Port { or: vec![Kind::Hovmoller, Kind::Scalar, Kind::Series], ..Port::of(Kind::Profile) }.unit("=data"))
            .description(
                "The column of the cell whose centre is nearest. Several times are averaged, level by level over those that have a value, or kept. Array n holds the number of values of each level. Latitude and longitude of the cell stay with the profile, so that pressure and absolute salinity follow from it.",
            )
            .evidence(&evidence::MAP)
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

fn run(arguments: &Arguments, datasets: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let point = Region::from_json(&json!({"point": [arguments.lon, arguments.lat]}), "")
        .map_err(|error| ToolError::invalid(error.to_string()))?;
    let field = arguments.data.open(datasets, context)?;
    let field = narrow(&field, Some(&point), None, arguments.time.as_ref().map(|window| &window.0))?;
    let (name, units) = (field.variable().identity_name().to_owned(), units_of(&field));
    let standard_name = field.standard_name().map(str::to_owned);
    let source = field.clone();
    let columns = Columns::of(vec![field]);
    let computed = columns.compute(context, &Levels::Same, 1, |view| vec![view.values[0].clone()])?;
    let values = &computed.arrays[0];
    let frame = columns.frame(&Levels::Same)?;
    let count = |value: &f64| f64::from(u8::from(!value.is_nan()));
    let (frame, values, counts) = match arguments.time_aggregation {
        TimeAggregation::Each => (frame, values.clone(), values.map(count)),
        TimeAggregation::Mean => {
            let n = values.map(count).sum_axis(Axis(0)).insert_axis(Axis(0));
            let sum = values.map(|value| if value.is_nan() { 0.0 } else { *value });
            let mean = sum.sum_axis(Axis(0)).insert_axis(Axis(0)) / &n;
            (frame.without_time(), mean, n)
        }
    };
    let main = leg_core::Variable { standard_name, ..frame.variable(&name, &units, &values) };
    let evidence = frame.evidence(&main.values, &units, "profile of the nearest cell", None);
    let mut notes = reading::notes(&source);
    if main.values.iter().all(|value| value.is_nan()) {
        notes.push("the nearest cell has no value at any level; choose a place in the water".to_owned());
    }
    let artifact = frame.artifact(&name, main).with_variable(frame.variable("n", "1", &counts));
    let chunks = computed.chunks.first();
    let output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
    Ok(match chunks {
        Some(chunks) => output.with_source(reading::source(&source, chunks)),
        None => output,
    })
}
