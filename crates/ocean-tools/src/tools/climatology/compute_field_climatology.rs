//! `compute_field_climatology`: the mean annual cycle of every cell.

use leg_core::{
    Artifact, Coord, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput,
    ToolSpec, Variable,
};
use ndarray::{Array4, ArrayD, ArrayView3, ArrayViewMut4, IxDyn};
use ocean_data::field::Patch;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::compute_climatology::Period;
use crate::argument::{FieldArgument, WindowArgument};
use crate::baseline::Baseline;
use crate::computation::Computation;
use crate::frame::Frame;
use crate::kernels::cell_means::CellMeans;
use crate::kernels::cell_moments::CellMoments;
use crate::series::{axis_of, units_of};
use crate::{Datasets, reading};

/// The largest climatology, in cells times bins.
const MAX_CELLS: usize = 40_000_000;

/// Averages each cell over the months, seasons or days of the year.
pub(crate) struct ComputeFieldClimatology;

/// Arguments of `compute_field_climatology`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// How the year is cut.
    #[serde(default)]
    period: Period,
    /// Two dates inside the record, both inclusive; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// Keep standard deviations and counts beside the means; without them a large climatology needs a third of the
    /// memory.
    #[serde(default = "yes")]
    spread: bool,
}

fn yes() -> bool {
    true
}

impl Computation for ComputeFieldClimatology {
    const NAME: &'static str = "compute_field_climatology";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Climatology).unit("=data");
        ToolSpec::new("climatology", "Mean annual cycle of every cell.", port)
            .description(
                "Mean and standard deviation (n - 1) of the values of each month, season (DJF first, December with the \
                 following January) or day of the year over a baseline, for every cell and level, with the number of \
                 values; in one pass over the data (Chan, Golub and LeVeque 1983).",
            )
            .evidence(&["min", "max", "mean", "n", "n_years"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        cycle(arguments, datasets, context)
    }
}

fn cycle(arguments: &Arguments, datasets: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let field = arguments.data.open(datasets, context)?;
    let axis = axis_of(&field)?;
    arguments.period.fits(&axis)?;
    let baseline = Baseline::resolve(arguments.baseline.as_ref().map(|window| &window.0), &axis)?;
    let cycle = arguments.period.cycle();
    let bin_of = cycle.bin_of(&axis);
    let bins = cycle.bins(axis.calendar());
    let [_, levels, rows, columns] = field.full_shape();
    let cells = bins.saturating_mul(levels * rows * columns);
    if cells > MAX_CELLS {
        return Err(ToolError::new(
            ToolErrorKind::LimitExceeded,
            format!(
                "the climatology would have {cells} values and the limit is {MAX_CELLS}; narrow region or depth"
            ),
        ));
    }
    let mut mean = Array4::from_elem([bins, levels, rows, columns], f64::NAN);
    let mut places = Patch::split(&field.patches(false), &mut mean).into_iter();
    let (parts, chunks) = field
        .accumulate(
            &reading::control(context),
            |_| places.next().map(|place| Gathered::new(place, arguments.spread)),
            |gathered, patch, block| {
                let (Some(gathered), [first, z, y, _]) = (gathered, block.offset) else { return };
                let offset = [z - patch.offset[0], y - patch.offset[1]];
                for (t, values) in block.values.outer_iter().enumerate() {
                    let bin = bin_of[first + t];
                    if baseline.inside[first + t] && bin < bins {
                        gathered.push(bin, offset, &values);
                    }
                }
            },
        )
        .map_err(|error| reading::cannot_read(&error))?;
    let mut spread = arguments.spread.then(|| {
        let shape = [bins, levels, rows, columns];
        [Array4::from_elem(shape, f64::NAN), Array4::zeros(shape)]
    });
    for (patch, gathered) in parts {
        if let (Some((std, n)), Some([stds, counts])) = (gathered.and_then(Gathered::finish), &mut spread) {
            patch.assign(&std, stds);
            patch.assign(&n.mapv(f64::from), counts);
        }
    }
    let moments = Moments { mean, spread };
    let years: std::collections::BTreeSet<i32> = axis
        .times()
        .iter()
        .zip(&baseline.inside)
        .filter(|(_, inside)| **inside)
        .map(|(time, _)| time.year)
        .collect();
    let mut notes: Vec<String> = baseline.note.clone().into_iter().chain(reading::notes(&field)).collect();
    if years.len() < 30 {
        notes.push(format!("the baseline has {} years; 30 are usual for a climatology", years.len()));
    }
    let labels = cycle.labels(axis.calendar());
    let artifact = artifact(&Frame::of(&field)?.without_time(), &field, arguments.period, &labels, moments)
        .with_attribute("baseline", baseline.label.clone())
        .with_attribute("calendar", axis.calendar().name());
    let drafts = evidence_of(&artifact, arguments.period, &baseline.label, years.len());
    Ok(ToolOutput::of(artifact)
        .with_evidence(drafts)
        .with_notes(notes)
        .with_source(reading::source(&field, &chunks)))
}

/// What each cell has in each bin, `(bin, depth, lat, lon)`.
struct Moments {
    mean: Array4<f64>,
    /// Standard deviations and counts.
    spread: Option<[Array4<f64>; 2]>,
}

/// What is gathered of a patch.
enum Gathered<'a> {
    Means(CellMeans<'a>),
    Moments(CellMoments<'a>),
}

impl<'a> Gathered<'a> {
    fn new(place: ArrayViewMut4<'a, f64>, with_spread: bool) -> Self {
        if with_spread { Self::Moments(CellMoments::new(place)) } else { Self::Means(CellMeans::new(place)) }
    }

    fn push(&mut self, bin: usize, offset: [usize; 2], values: &ArrayView3<'_, f64>) {
        match self {
            Self::Means(means) => means.push(bin, offset, values),
            Self::Moments(moments) => moments.push(bin, offset, values),
        }
    }

    fn finish(self) -> Option<(Array4<f64>, Array4<u32>)> {
        match self {
            Self::Means(means) => {
                means.finish();
                None
            }
            Self::Moments(moments) => Some(moments.finish()),
        }
    }
}

/// The cycle as an artifact: the bins first, then the axes of the field.
fn artifact(
    frame: &Frame,
    field: &ocean_data::Field,
    period: Period,
    labels: &[String],
    moments: Moments,
) -> Artifact {
    let dimension = period.dimension();
    let (dims, shape) = frame.dims_and_shape();
    let array = |name: &str, units: &str, values: Array4<f64>| Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: std::iter::once(dimension.to_owned()).chain(dims.clone()).collect(),
        shape: std::iter::once(labels.len()).chain(shape.clone()).collect(),
        values: values.into_raw_vec_and_offset().0,
    };
    let units = units_of(field);
    let mut main = array("mean", &units, moments.mean);
    main.standard_name = field.standard_name().map(str::to_owned);
    let name = field.variable().identity_name();
    // The coordinates are those of a field on these axes.
    let coords =
        frame.artifact(name, frame.variable(name, &units, &Array4::zeros(frame.full_shape()))).coords;
    let mut artifact = Artifact::array(Kind::Climatology, name, main)
        .with_coord(dimension, Coord::texts(labels.iter().cloned()))
        .with_attribute("period", period.as_str());
    if let Some([std, count]) = moments.spread {
        artifact =
            artifact.with_variable(array("std", &units, std)).with_variable(array("count", "1", count));
    }
    artifact.coords.extend(coords);
    artifact.attributes.extend(frame.facts.clone());
    artifact
}

fn evidence_of(artifact: &Artifact, period: Period, baseline: &str, years: usize) -> Vec<EvidenceDraft> {
    let Some(main) = artifact.primary() else { return Vec::new() };
    let method = format!("{} climatology of every cell", period.as_str());
    let values = || main.values.iter().copied().enumerate().filter(|(_, value)| !value.is_nan());
    let n = values().count();
    let mean = values().map(|(_, value)| value).sum::<f64>() / n as f64;
    let each = main.values.len() / main.shape.first().copied().unwrap_or(1).max(1);
    let labels =
        artifact.coords.get(period.dimension()).map(|coord| coord.values.clone()).unwrap_or_default();
    let extreme = |name: &str, how: &str, better: fn(f64, f64) -> bool| {
        let best = values().reduce(|best, own| if better(own.1, best.1) { own } else { best });
        let how = format!("{how} of the {method}");
        match best {
            Some((at, value)) => {
                let label = labels.get(at / each.max(1)).and_then(Value::as_str).unwrap_or_default();
                EvidenceDraft::new(name, value, &main.units, &how)
                    .when(format!("{} {label}", period.dimension()))
                    .pointer(format!("/values/{at}"))
            }
            None => EvidenceDraft::new(name, f64::NAN, &main.units, &how),
        }
    };
    let count = |name: &str, count: usize, how: &str| EvidenceDraft::new(name, count as u64, "1", how);
    let drafts = vec![
        extreme("min", "smallest value", |own, best| own < best),
        extreme("max", "largest value", |own, best| own > best),
        EvidenceDraft::new(
            "mean",
            mean,
            &main.units,
            &format!("plain mean over cells and bins of the {method}"),
        )
        .n(n),
        count("n", n, "number of cells and bins with a value"),
        count("n_years", years, "number of years of the baseline"),
    ];
    drafts.into_iter().map(|draft| draft.baseline(baseline.to_owned())).collect()
}

/// The cycle of an artifact that this tool made: values `(bin, depth, lat, lon)`.
///
/// # Errors
/// When it is damaged or stands on other axes than the frame.
pub(crate) fn read_cycle(artifact: &Artifact, frame: &Frame) -> Result<(Period, Array4<f64>), ToolError> {
    let bad = |what: &str| {
        ToolError::new(ToolErrorKind::BadData, format!("climatology `{}` {what}", artifact.name))
    };
    let period = artifact.attributes.get("period").and_then(Value::as_str).and_then(Period::from_name);
    let (Some(period), Some(main)) = (period, artifact.primary()) else {
        return Err(bad("is damaged; compute it again"));
    };
    let (dims, shape) = frame.dims_and_shape();
    if main.dims.get(1..) != Some(dims.as_slice()) || main.shape.get(1..) != Some(shape.as_slice()) {
        return Err(bad("stands on another grid than the field; compute it from the same selection"));
    }
    let [_, levels, rows, columns] = frame.full_shape();
    let array = ArrayD::from_shape_vec(IxDyn(&[main.shape[0], levels, rows, columns]), main.values.clone());
    let array = array.ok().and_then(|array| array.into_dimensionality().ok());
    array.map(|array| (period, array)).ok_or_else(|| bad("is damaged; compute it again"))
}
