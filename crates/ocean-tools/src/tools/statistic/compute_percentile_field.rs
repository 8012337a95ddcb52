//! `compute_percentile_field`: percentiles over time of every cell.

use leg_core::{Artifact, Coord, Kind, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use ndarray::{Array4, Axis};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::argument::{FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::from_series;
use crate::evidence;
use crate::frame::{Frame, any_grid};
use crate::kernels::climatology::Cycle;
use crate::kernels::quantile::quantile;
use crate::series::{axis_of, units_of};
use crate::together::Part;
use crate::{Datasets, reading};

/// Takes percentiles over time.
pub(crate) struct ComputePercentileField;

/// Arguments of `compute_percentile_field`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["series", "hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// From 0 to 100.
    #[serde(default = "usual")]
    #[schemars(length(min = 1, max = 20))]
    percentiles: Vec<f64>,
    /// Over all times, or over those of each month or season.
    #[serde(default)]
    by: By,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
}

fn usual() -> Vec<f64> {
    vec![5.0, 50.0, 95.0]
}

/// Over which times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum By {
    /// All.
    #[default]
    All,
    /// Those of each month of the year.
    Month,
    /// Those of DJF, MAM, JJA and SON.
    Season,
}

impl By {
    fn cycle(self) -> Option<(Cycle, &'static str)> {
        match self {
            Self::All => None,
            Self::Month => Some((Cycle::Monthly, "month")),
            Self::Season => Some((Cycle::Seasonal, "season")),
        }
    }
}

impl Computation for ComputePercentileField {
    const NAME: &'static str = "compute_percentile_field";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let mut port = any_grid().unit("=data");
        port.or.push(Kind::Climatology);
        ToolSpec::new("statistic", "Percentiles over time of every cell.", port)
            .description(
                "Exact percentiles of the values present of each cell, linear between the order statistics (type 7 of \
                 Hyndman and Fan 1996, as numpy), read in blocks that hold the whole time axis. One array a percentile, \
                 called p5, p50 …, in the order asked for; count: values behind them. By month or season there is a \
                 dimension more. Evidence is of the first percentile.",
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
    if let Some(wrong) = arguments.percentiles.iter().find(|own| !(0.0..=100.0).contains(*own)) {
        return Err(ToolError::invalid(format!("percentile {wrong} is not from 0 to 100")));
    }
    let part = Part { time: arguments.time.as_ref(), ..Part::default() };
    let field = part.open_as_is(&arguments.data, datasets, context)?;
    let axis = axis_of(&field)?;
    let cycle = arguments.by.cycle();
    let (bins, labels) = match cycle {
        None => (vec![0; axis.len()], vec![String::new()]),
        Some((cycle, _)) => (cycle.bin_of(&axis), cycle.labels(axis.calendar())),
    };
    let (groups, asked) = (labels.len(), arguments.percentiles.len());
    // For each group its percentiles, then the count.
    let found = from_series(&[&field], context, groups * (asked + 1), |_, inputs, out| {
        for group in 0..groups {
            let own: Vec<f64> = inputs[0]
                .iter()
                .zip(&bins)
                .filter(|(value, bin)| **bin == group && !value.is_nan())
                .map(|(value, _)| *value)
                .collect();
            for (at, percentile) in arguments.percentiles.iter().enumerate() {
                out[at * groups + group] = quantile(&own, percentile / 100.0);
            }
            out[asked * groups + group] = own.len() as f64;
        }
    })?;
    let frame = Frame::of(&field)?.without_time();
    let units = units_of(&field);
    let block = |at: usize| -> Array4<f64> {
        found.values.slice_axis(Axis(0), ndarray::Slice::from(at * groups..(at + 1) * groups)).to_owned()
    };
    let names: Vec<String> = arguments.percentiles.iter().map(|own| format!("p{own}")).collect();
    let over = match cycle {
        None => "all times".to_owned(),
        Some((_, name)) => format!("the times of each {name}"),
    };
    let method = format!("percentile {} over {over}, exact, type 7", arguments.percentiles[0]);
    let array = |name: &str, units: &str, values: &Array4<f64>| -> Variable {
        let (mut dims, mut shape) = frame.dims_and_shape();
        if let Some((_, dimension)) = cycle {
            dims.insert(0, dimension.to_owned());
            shape.insert(0, groups);
        }
        let (name, units) = (name.to_owned(), units.to_owned());
        Variable { name, standard_name: None, units, dims, shape, values: values.iter().copied().collect() }
    };
    let first = block(0);
    let mut main = array(&names[0], &units, &first);
    main.standard_name = field.standard_name().map(str::to_owned);
    let label = field.variable().identity_name();
    let mut artifact: Artifact = match cycle {
        None => frame.artifact(label, main),
        Some((_, dimension)) => {
            let axes = frame.variable(label, &units, &Array4::zeros(frame.full_shape()));
            let mut own = Artifact::array(Kind::Climatology, label, main)
                .with_coord(dimension, Coord::texts(labels.iter().cloned()));
            own.coords.extend(frame.artifact(label, axes).coords);
            own.attributes.extend(frame.facts.clone());
            own
        }
    };
    for (at, name) in names.iter().enumerate().skip(1) {
        artifact = artifact.with_variable(array(name, &units, &block(at)));
    }
    artifact = artifact
        .with_variable(array("count", "1", &block(asked)))
        .with_attribute("method", method.clone())
        .with_attribute("window", axis.window());
    let drafts = frame_evidence(&frame, &first, &units, &method);
    Ok(ToolOutput::of(artifact)
        .with_evidence(drafts)
        .with_notes(reading::notes(&field))
        .with_source(reading::source(&field, &found.chunks[0])))
}

/// Extremes, mean and count of the names [`evidence::MAP`], whatever the axes.
fn frame_evidence(
    frame: &Frame,
    values: &Array4<f64>,
    units: &str,
    method: &str,
) -> Vec<leg_core::EvidenceDraft> {
    if values.len_of(Axis(0)) == 1 {
        let flat: Vec<f64> = values.iter().copied().collect();
        return frame.evidence(&flat, units, method, None);
    }
    let present = || values.iter().copied().filter(|value| !value.is_nan());
    let n = present().count();
    let draft = |name: &str, value: f64, how: &str| {
        leg_core::EvidenceDraft::new(name, value, units, &format!("{how} of the {method}"))
    };
    vec![
        draft("min", present().fold(f64::NAN, f64::min), "smallest value"),
        draft("max", present().fold(f64::NAN, f64::max), "largest value"),
        draft("mean", present().sum::<f64>() / n as f64, "plain mean over cells and groups").n(n),
        leg_core::EvidenceDraft::new("n", n as u64, "1", "number of cells and groups with a value"),
    ]
}
