//! `fill_gaps`: missing values filled, with the error of doing so.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec};
use ndarray::{Array2, Array4, Axis};
use ocean_data::Field;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::derived::Place;
use crate::derived::by_cell;
use crate::frame::{Frame, any_grid};
use crate::kernels::fill;
use crate::masking::Mask;
use crate::series::units_of;
use crate::{Datasets, evidence, reading};

/// Every so many of the known values is hidden to find the error.
const HIDDEN: usize = 29;
/// More modes than this are not tried.
const MAX_MODES: usize = 20;

/// Fills missing values.
pub(crate) struct FillGaps;

/// Arguments of `fill_gaps`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// How missing values are found.
    #[serde(default)]
    method: Method,
    /// Longest gap in times for `linear_time`, longest way to a value in cells for `laplace`; `dineof` has no limit.
    #[serde(default = "three")]
    max_gap: usize,
    /// The cells that may be filled; those with a value at some time if absent.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "mask", "unit": "1"}))]
    mask: Option<FieldArgument>,
    /// For `dineof`: the number of modes; that with the smallest error if absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = 20))]
    modes: Option<usize>,
}

fn three() -> usize {
    3
}

/// How missing values are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// Straight lines in time.
    #[default]
    LinearTime,
    /// The mean of the neighbours in each map.
    Laplace,
    /// Empirical orthogonal functions of the whole record.
    Dineof,
}

/// What is needed to fill.
struct Filling<'a> {
    method: Method,
    max_gap: usize,
    sea: &'a Array4<bool>,
    wraps: bool,
}

impl Computation for FillGaps {
    const NAME: &'static str = "fill_gaps";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let mut names = evidence::SERIES.to_vec();
        names.extend(["n_filled", "n_left", "rms_error", "n_checked", "modes"]);
        ToolSpec::new("data", "Fills missing values, with the error of doing so.", any_grid().unit("=data"))
            .description(
                "`linear_time`: straight lines between the values before and after, never beyond the ends. `laplace`: each cell \
                 the mean of its four neighbours in the sea (harmonic fill, no flux through land), per map. `dineof`: \
                 reconstruction from the first empirical orthogonal functions, iterated (Beckers and Rixen 2003), levels apart. \
                 Land stays missing: a cell that never has a value, or outside of `mask`. The error is the root mean square \
                 over every 29th known value that was hidden and filled; the modes are those with the smallest.",
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
        if arguments.method != Method::Laplace && field.full_shape()[0] < 3 {
            return Err(ToolError::invalid(format!(
                "`{}` has {} times and filling along time needs at least 3; use method \"laplace\"",
                field.name(),
                field.full_shape()[0]
            )));
        }
        let mask =
            arguments.mask.as_ref().map(|mask| Mask::over(&field, mask, datasets, context)).transpose()?;
        let read = by_cell(&[&field], context, |_, cell| cell[0])?;
        let sea = sea(&read.values, mask.as_ref());
        if mask.is_none() && field.full_shape()[0] == 1 {
            return Err(ToolError::invalid(
                "a field of one time does not tell land from gaps; give a mask of the cells that may be filled",
            ));
        }
        let filling =
            Filling { method: arguments.method, max_gap: arguments.max_gap, sea: &sea, wraps: wraps(&field) };
        let (modes, error, checked) = filling.checked(&read.values, arguments.modes, context)?;
        let filled = filling.fill(&read.values, modes);
        let n_filled = count(&read.values, &filled, |before, after| before.is_nan() && !after.is_nan());
        let left =
            filled.indexed_iter().filter(|((_, z, y, x), v)| v.is_nan() && sea[[0, *z, *y, *x]]).count();
        let frame = Frame::of(&field)?;
        let name = field.variable().identity_name();
        let units = units_of(&field);
        let mut variable = frame.variable(name, &units, &filled);
        variable.standard_name = field.standard_name().map(str::to_owned);
        let words = match arguments.method {
            Method::LinearTime => "filled by straight lines in time",
            Method::Laplace => "filled by the Laplace equation",
            Method::Dineof => "filled by empirical orthogonal functions",
        };
        let mut drafts = frame.evidence(&variable.values, &units, words, None);
        drafts.extend([
            EvidenceDraft::new("n_filled", n_filled as u64, "1", &format!("number of values {words}")),
            EvidenceDraft::new(
                "n_left",
                left as u64,
                "1",
                "number of values of the sea that are still missing",
            ),
            EvidenceDraft::new(
                "rms_error",
                error,
                &units,
                "root mean square error of known values, hidden and filled",
            )
            .n(checked),
            EvidenceDraft::new(
                "n_checked",
                checked as u64,
                "1",
                "number of known values that were hidden and filled",
            ),
        ]);
        let filled_flags = Array4::from_shape_fn(filled.raw_dim(), |at| {
            f64::from(u8::from(read.values[at].is_nan() && !filled[at].is_nan()))
        });
        let mut artifact = frame
            .artifact(name, variable)
            .with_variable(frame.variable("filled", "1", &filled_flags))
            .with_attribute("method", words);
        if arguments.method == Method::Dineof {
            drafts.push(
                EvidenceDraft::new("modes", modes as u64, "1", "number of modes")
                    .pointer("/attributes/modes"),
            );
            artifact = artifact.with_attribute("modes", modes as u64);
        }
        let mut notes = reading::notes(&field);
        if left > 0 {
            notes.push(format!(
                "{left} values of the sea are still missing: their gaps are too large, or at an end"
            ));
        }
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(notes)
            .with_source(reading::source(&field, &read.chunks[0])))
    }
}

/// The cells that may be filled, for one time.
fn sea(values: &Array4<f64>, mask: Option<&Mask>) -> Array4<bool> {
    let (times, levels, rows, columns) = values.dim();
    Array4::from_shape_fn((1, levels, rows, columns), |(_, depth, lat, lon)| match mask {
        Some(mask) => mask.holds(Place { time: 0, depth, lat, lon }),
        None => (0..times).any(|t| !values[[t, depth, lat, lon]].is_nan()),
    })
}

/// Whether the columns go round the globe.
fn wraps(field: &Field) -> bool {
    field.lons().is_some_and(|axis| match (axis.bounds.first(), axis.bounds.last()) {
        (Some(first), Some(last)) => (last[1] - first[0] - 360.0).abs() < 1e-6,
        _ => false,
    })
}

fn count(a: &Array4<f64>, b: &Array4<f64>, is_it: impl Fn(f64, f64) -> bool) -> usize {
    a.iter().zip(b).filter(|(a, b)| is_it(**a, **b)).count()
}

impl Filling<'_> {
    /// The number of modes, the error and how many values it is from.
    fn checked(
        &self,
        values: &Array4<f64>,
        modes: Option<usize>,
        context: &ToolContext,
    ) -> Result<(usize, f64, usize), ToolError> {
        let mut hidden = values.clone();
        let mut known = 0_usize;
        for (own, value) in hidden.iter_mut().zip(values) {
            if !value.is_nan() {
                known += 1;
                if known.is_multiple_of(HIDDEN) {
                    *own = f64::NAN;
                }
            }
        }
        let error_of = |modes: usize| {
            let filled = self.fill(&hidden, modes);
            let (mut sum, mut n) = (0.0, 0_usize);
            for ((value, hidden), filled) in values.iter().zip(&hidden).zip(&filled) {
                if hidden.is_nan() && !value.is_nan() && !filled.is_nan() {
                    sum += (filled - value) * (filled - value);
                    n += 1;
                }
            }
            (if n > 0 { (sum / n as f64).sqrt() } else { f64::NAN }, n)
        };
        if self.method != Method::Dineof {
            let (error, n) = error_of(0);
            return Ok((0, error, n));
        }
        if let Some(modes) = modes {
            let (error, n) = error_of(modes.min(MAX_MODES));
            return Ok((modes, error, n));
        }
        let mut best = (1, f64::INFINITY, 0);
        for modes in 1..=MAX_MODES.min(values.len_of(Axis(0)) / 2).max(1) {
            if context.is_cancelled() {
                return Err(ToolError::new(ToolErrorKind::Cancelled, "the call was stopped"));
            }
            context.progress(modes as u64, MAX_MODES as u64);
            let (error, n) = error_of(modes);
            if error < best.1 || best.2 == 0 {
                best = (modes, error, n);
            } else if modes >= best.0 + 3 {
                // Three modes more and no better.
                break;
            }
        }
        Ok(best)
    }

    fn fill(&self, values: &Array4<f64>, modes: usize) -> Array4<f64> {
        let (times, levels, rows, columns) = values.dim();
        let mut out = values.clone();
        for z in 0..levels {
            let sea = Array2::from_shape_fn((rows, columns), |(y, x)| self.sea[[0, z, y, x]]);
            match self.method {
                Method::Laplace => {
                    for t in 0..times {
                        let map = values.index_axis(Axis(0), t).index_axis_move(Axis(0), z);
                        let filled = fill::harmonic(&map, &sea, self.max_gap, self.wraps);
                        out.index_axis_mut(Axis(0), t).index_axis_move(Axis(0), z).assign(&filled);
                    }
                }
                Method::LinearTime => {
                    for ((y, x), _) in sea.indexed_iter().filter(|(_, sea)| **sea) {
                        let series: Vec<f64> = (0..times).map(|t| values[[t, z, y, x]]).collect();
                        for (t, value) in fill::linear(&series, self.max_gap).into_iter().enumerate() {
                            out[[t, z, y, x]] = value;
                        }
                    }
                }
                Method::Dineof => {
                    let cells: Vec<(usize, usize)> =
                        sea.indexed_iter().filter(|(_, sea)| **sea).map(|(at, _)| at).collect();
                    // A time without any value would get the mean of the record, which nobody measured.
                    let kept: Vec<usize> = (0..times)
                        .filter(|&t| cells.iter().any(|&(y, x)| !values[[t, z, y, x]].is_nan()))
                        .collect();
                    let data = Array2::from_shape_fn((cells.len(), kept.len()), |(cell, t)| {
                        let (y, x) = cells[cell];
                        values[[kept[t], z, y, x]]
                    });
                    for ((cell, t), value) in fill::by_modes(&data, modes).indexed_iter() {
                        let (y, x) = cells[cell];
                        out[[kept[t], z, y, x]] = *value;
                    }
                }
            }
        }
        out
    }
}
