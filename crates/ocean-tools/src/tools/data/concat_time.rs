//! `concat_time`: fields of successive periods as one.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec};
use ndarray::{Array4, Axis};
use ocean_data::Field;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::{Frame, any_grid};
use crate::kernels::time_axis::{TimeAxis, TimeStep};
use crate::outcome::read_from;
use crate::series::{axis_of, units_of};
use crate::together::{differing, in_units};
use crate::{Datasets, evidence};

/// The largest result, in values.
const MAX_VALUES: usize = 250_000_000;

/// Joins fields along time.
pub(crate) struct ConcatTime;

/// Arguments of `concat_time`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The fields, in any order; units and the calendar are those of the first.
    #[schemars(length(min = 1), extend("x-leg-port" = {"kind": "field", "or": ["series", "hovmoller", "mask"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    fields: Vec<FieldArgument>,
    /// What becomes of a time that several have.
    #[serde(default)]
    duplicates: Duplicates,
}

/// What becomes of a time that several have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Duplicates {
    /// It is an error.
    #[default]
    Refuse,
    /// That of the field which is listed first counts.
    First,
    /// That of the field which is listed last counts.
    Last,
}

impl Computation for ConcatTime {
    const NAME: &'static str = "concat_time";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let mut names = evidence::SERIES.to_vec();
        names.extend(["n_times", "n_gaps", "n_duplicates"]);
        ToolSpec::new("data", "Joins fields of successive periods.", any_grid().unit("any"))
            .description(
                "Times in order, from all fields; places and depths must be the same, calendars too. Units are converted to \
                 those of the first, and it is said. A time that two fields have is refused unless `duplicates` says which \
                 counts; a gap longer than the step is said.",
            )
            .evidence(&names)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let fields: Vec<Field> =
            arguments.fields.iter().map(|field| field.open(datasets, context)).collect::<Result<_, _>>()?;
        let Some(first) = fields.first() else {
            return Err(ToolError::invalid("fields is empty; give the fields of successive periods"));
        };
        let mut notes = Vec::new();
        let fields: Vec<Field> =
            fields.iter().map(|field| like(field, first, &mut notes)).collect::<Result<_, _>>()?;
        let (order, n_duplicates) = order(&fields, arguments.duplicates)?;
        let frame = Frame::of(&fields[0])?;
        let calendar = axis_of(&fields[0])?.calendar();
        let times = order.iter().filter_map(|&(f, t)| Some(fields[f].times()?.dates[t])).collect();
        let axis = TimeAxis::new(calendar, times)
            .map_err(|error| ToolError::new(ToolErrorKind::BadData, error.to_string()))?;
        let step = if axis.step() == TimeStep::Unknown { axis_of(&fields[0])?.step() } else { axis.step() };
        let gaps = gaps(&axis, &fields[0])?;
        let axis = axis.with_step(step);
        let shape =
            [order.len(), fields[0].full_shape()[1], fields[0].full_shape()[2], fields[0].full_shape()[3]];
        let size = shape.iter().fold(1_usize, |n, &length| n.saturating_mul(length));
        if size > MAX_VALUES {
            return Err(ToolError::new(
                ToolErrorKind::LimitExceeded,
                format!(
                    "the result would have {size} values and the limit is {MAX_VALUES}; narrow the fields, or name the files \
                     together as one dataset, `--data name=a.nc,b.nc`, which stays lazy"
                ),
            ));
        }
        let mut values = Array4::from_elem(shape, f64::NAN);
        let mut chunks = Vec::new();
        for (f, field) in fields.iter().enumerate() {
            let read = by_cell(&[field], context, |_, cell| cell[0])?;
            for (at, &(own, t)) in order.iter().enumerate() {
                if own == f {
                    values.index_axis_mut(Axis(0), at).assign(&read.values.index_axis(Axis(0), t));
                }
            }
            chunks.extend(read.chunks);
        }
        if gaps > 0 {
            notes.push(format!("{gaps} steps between the times are longer than the step of the first field: data are missing there"));
        }
        let frame = frame.with_time(axis);
        let name = fields[0].variable().identity_name();
        let mut variable = frame.variable(name, &units_of(&fields[0]), &values);
        variable.standard_name = fields[0].standard_name().map(str::to_owned);
        let mut drafts = frame.evidence(&variable.values, &variable.units, "joined values", None);
        for (name, n, what) in [
            ("n_times", order.len(), "number of times"),
            ("n_gaps", gaps, "number of steps longer than that of the first field"),
            (
                "n_duplicates",
                n_duplicates,
                "number of times that were left out because another field has them",
            ),
        ] {
            drafts.push(EvidenceDraft::new(name, n as u64, "1", what));
        }
        let artifact = frame.artifact(name, variable).with_attribute("method", "joined along time");
        let output = ToolOutput::of(artifact).with_evidence(drafts).with_notes(notes);
        Ok(read_from(output, &fields.iter().collect::<Vec<_>>(), &chunks))
    }
}

/// A field in the units of the first, when it stands on the same places.
fn like(field: &Field, first: &Field, notes: &mut Vec<String>) -> Result<Field, ToolError> {
    let refuse = |what: &str| {
        Err(ToolError::invalid(format!(
            "`{}` and `{}` cannot be joined along time: {what}",
            first.name(),
            field.name()
        )))
    };
    let (Some(own), Some(others)) = (field.times(), first.times()) else {
        return refuse("one has no times; use `assemble_dataset` to put fields side by side");
    };
    if own.calendar != others.calendar {
        return refuse("their calendars differ; bring both to one step with `resample_timeseries`");
    }
    if let Some(axis) = differing(field, first).into_iter().find(|axis| *axis != "times") {
        return refuse(&format!("their {axis} differ; select both alike, or regrid one to the other"));
    }
    if field.units() == first.units() {
        return Ok(field.clone());
    }
    notes.push(format!("`{}` was converted from `{}` to `{}`", field.name(), field.units(), first.units()));
    in_units(field, first.units())
}

/// The times in order, as (field, position), and how many were left out.
fn order(fields: &[Field], duplicates: Duplicates) -> Result<(Vec<(usize, usize)>, usize), ToolError> {
    let mut all: Vec<(i128, usize, usize)> = Vec::new();
    for (f, field) in fields.iter().enumerate() {
        let times = field.times().map_or(&[][..], |axis| &axis.nanoseconds);
        all.extend(times.iter().enumerate().map(|(t, &nanoseconds)| (nanoseconds, f, t)));
    }
    all.sort_unstable();
    let mut kept: Vec<(i128, usize, usize)> = Vec::with_capacity(all.len());
    let mut left_out = 0;
    for own in all {
        let Some(last) = kept.last_mut().filter(|last| last.0 == own.0) else {
            kept.push(own);
            continue;
        };
        left_out += 1;
        match duplicates {
            Duplicates::Refuse => {
                let when = fields[own.1].times().map(|axis| axis.iso()[own.2].clone()).unwrap_or_default();
                return Err(ToolError::invalid(format!(
                    "field {} and field {} both have {when}; cut one of them by time, or say with duplicates \"first\" or \
                     \"last\" which counts",
                    last.1 + 1,
                    own.1 + 1
                )));
            }
            Duplicates::First => {}
            Duplicates::Last => *last = own,
        }
    }
    Ok((kept.into_iter().map(|(_, f, t)| (f, t)).collect(), left_out))
}

/// How many steps between times are longer than half as much again as the step of the first field.
fn gaps(axis: &TimeAxis, first: &Field) -> Result<usize, ToolError> {
    let seconds = match axis_of(first)?.step() {
        TimeStep::Months(months) => f64::from(months) * 31.0 * 86_400.0,
        TimeStep::Seconds(seconds) => seconds as f64,
        TimeStep::Unknown => return Ok(0),
    };
    let times = axis.nanoseconds();
    Ok(times.windows(2).filter(|pair| (pair[1] - pair[0]) as f64 / 1e9 > 1.5 * seconds).count())
}
