//! [`Drift`]: a current in memory over the time in which particles drift in it.

use leg_core::{ToolContext, ToolError, ToolErrorKind};
use ndarray::Axis;
use ocean_data::Field;
use ocean_data::cf::Calendar;

use super::flow::Flow;
use crate::kernels::time_axis::TimeAxis;
use crate::kernels::trajectories::Current;
use crate::reading;
use crate::together::map_axes;

/// The largest current that is held, in bytes for each component.
const MAX_CURRENT: u64 = 1 << 30;
const DAY: f64 = 86_400.0;

/// A current in memory and when a drift in it begins.
#[derive(Debug)]
pub(super) struct Drift {
    pub(super) current: Current,
    pub(super) calendar: Calendar,
    /// Nanoseconds of the beginning, which is second 0 of the current.
    pub(super) start: i128,
}

impl Drift {
    /// The current from `start` over `days`, which are negative backwards.
    ///
    /// # Errors
    /// A time that is no time, or a drift that is not inside of the record; several levels; too large a current.
    pub(super) fn of(flow: &Flow, start: &str, days: f64, wrap: bool) -> Result<Self, ToolError> {
        let (lat, lon) = map_axes(&flow.u)?;
        if flow.u.full_shape()[1] > 1 {
            return Err(ToolError::invalid(
                "particles stay on one level; choose one by depth, such as \"surface\"",
            ));
        }
        let calendar = flow.u.times().map_or(Calendar::Standard, |times| times.calendar);
        let parsed = TimeAxis::parse(calendar, &[start])
            .map_err(|error| ToolError::invalid(format!("start `{start}` is no time: {error}")))?;
        let start = parsed.nanoseconds().first().copied().unwrap_or(0);
        let (cut, seconds) = match flow.u.times() {
            None => ([flow.u.clone(), flow.v.clone()], vec![0.0]),
            Some(times) => {
                // Seconds of a few years are exact in a double, nanoseconds since 1970 are not.
                let seconds: Vec<f64> =
                    times.nanoseconds.iter().map(|own| (own - start) as f64 / 1e9).collect();
                let (from, to) = if days < 0.0 { (days * DAY, 0.0) } else { (0.0, days * DAY) };
                let inside = span(&seconds, from, to).ok_or_else(|| {
                    let (first, last) = (times.dates.first(), times.dates.last());
                    let date = |date: Option<&ocean_data::cf::DateTime>| date.map(ocean_data::cf::DateTime::date);
                    ToolError::no_data(format!(
                        "{days} days from the start are not inside of the record, which covers {} to {}; begin elsewhere \
                         or drift for fewer days",
                        date(first).unwrap_or_default(),
                        date(last).unwrap_or_default()
                    ))
                })?;
                let cut = |field: &Field| {
                    field.at_times(&inside).ok_or_else(|| {
                        ToolError::no_data("the record has no times to drift in; choose another start")
                    })
                };
                ([cut(&flow.u)?, cut(&flow.v)?], inside.iter().map(|&at| seconds[at]).collect())
            }
        };
        let read = |field: &Field| field.read(MAX_CURRENT).map_err(|error| reading::cannot_read(&error));
        let (u, v) = (read(&cut[0])?, read(&cut[1])?);
        let (u, v) = (u.index_axis(Axis(1), 0), v.index_axis(Axis(1), 0));
        Ok(Self { current: Current::new(&seconds, &lat, &lon, &u, &v, wrap), calendar, start })
    }
}

/// The positions of the times that enclose two instants.
fn span(seconds: &[f64], from: f64, to: f64) -> Option<Vec<usize>> {
    let first = seconds.iter().rposition(|own| *own <= from)?;
    let last = seconds.iter().position(|own| *own >= to)?;
    Some((first..=last.max(first)).collect())
}

/// Steps of at most so many minutes that make up some days: how long one is in seconds, and how many.
///
/// # Errors
/// More than a million steps.
pub(super) fn steps(days: f64, minutes: f64) -> Result<(f64, usize), ToolError> {
    let count = (days.abs() * 1440.0 / minutes).ceil().max(1.0);
    if count > 1e6 {
        return Err(ToolError::new(
            ToolErrorKind::LimitExceeded,
            format!("{days} days in steps of {minutes} minutes are more than a million; take longer steps"),
        ));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and a million")]
    let whole = count as usize;
    Ok((days * DAY / count, whole))
}

/// Ends a call that was stopped.
///
/// # Errors
/// When it was.
pub(super) fn unless_stopped(context: &ToolContext) -> Result<(), ToolError> {
    if context.is_cancelled() {
        return Err(ToolError::new(ToolErrorKind::Cancelled, "stopped while particles were drifting"));
    }
    Ok(())
}
