//! When: the times of a window, a season and a list of months.

use super::field::TimeAxis;
use super::select::SelectError;
use super::selection::Selection;
use crate::cf::Axis;
use crate::dataset::{Dataset, TimeCoordinate, Variable};

/// Resolves the times.
pub(crate) fn resolve_time(
    dataset: &Dataset,
    variable: &Variable,
    selection: &Selection,
    notes: &mut Vec<String>,
) -> Result<Option<TimeAxis>, SelectError> {
    let months = selection.selected_months();
    let Some(time) = time_coordinate(dataset, variable) else {
        if let Some(time) = variable.scalar(Axis::Time).and_then(|at| dataset.times().get(at)) {
            return one_time(time, selection, months.as_deref(), notes);
        }
        if selection.time.is_some() || months.is_some() {
            return Err(SelectError::NoTimeAxis { variable: variable.name.clone(), reason: String::new() });
        }
        return Ok(None);
    };
    let mut order: Vec<usize> = (0..time.dates.len()).collect();
    order.sort_by_key(|&at| time.nanoseconds[at]);
    let (Some(&first), Some(&last)) = (order.first(), order.last()) else {
        let reason = ": it has no time steps".to_owned();
        return Err(SelectError::NoTimeAxis { variable: variable.name.clone(), reason });
    };
    let coverage = format!("{} to {}", time.dates[first].date(), time.dates[last].date());
    let mut wanted = Vec::new();
    if let Some(window) = &selection.time {
        let text = format!("{} to {}", window.from, window.to);
        let [start, end] = window.period(time.calendar)?;
        let [earliest, latest] = extent_of(time, first, last, order.len());
        if end <= earliest || start >= latest {
            return Err(SelectError::TimeOutside { window: text, coverage });
        }
        order.retain(|&at| (start..end).contains(&time.nanoseconds[at]));
        // What period a lone time stands for is not known.
        if time.dates.len() > 1 && (start < earliest || end > latest) {
            notes.push(format!(
                "the time window {text} is partly outside the data, which cover {coverage}; it was clipped"
            ));
        }
        wanted.push(text);
    }
    if let Some(months) = &months {
        order.retain(|&at| months.contains(&time.dates[at].month));
        wanted.push(match &selection.season {
            Some(season) => season.code().to_owned(),
            None => format!("months {months:?}"),
        });
    }
    if order.is_empty() {
        let step = step_of(time, last, first);
        return Err(SelectError::NoTimes { wanted: wanted.join(" and "), coverage, step });
    }
    Ok(Some(TimeAxis {
        calendar: time.calendar,
        dates: order.iter().map(|&at| time.dates[at]).collect(),
        nanoseconds: order.iter().map(|&at| time.nanoseconds[at]).collect(),
        bounds: time.bounds.as_ref().map(|bounds| order.iter().map(|&at| bounds[at]).collect()),
        indices: order,
    }))
}

/// A variable of one time, which is no dimension of it.
fn one_time(
    time: &TimeCoordinate,
    selection: &Selection,
    months: Option<&[u8]>,
    notes: &mut Vec<String>,
) -> Result<Option<TimeAxis>, SelectError> {
    let (Some(date), Some(&at)) = (time.dates.first(), time.nanoseconds.first()) else { return Ok(None) };
    let coverage = date.to_iso(time.calendar);
    let stands_for = match time.bounds.as_ref().and_then(|bounds| bounds.first()) {
        Some(&[start, end]) if end > start => [start, end],
        _ => [at, at + 1],
    };
    if let Some(window) = &selection.time {
        let [start, end] = window.period(time.calendar)?;
        if end <= stands_for[0] || start >= stands_for[1] {
            return Err(SelectError::TimeOutside {
                window: format!("{} to {}", window.from, window.to),
                coverage,
            });
        }
    }
    if months.is_some_and(|months| !months.contains(&date.month)) {
        let wanted = format!("months {months:?}");
        return Err(SelectError::NoTimes { wanted, coverage, step: "one time".to_owned() });
    }
    notes.push(format!("the data are of {coverage} (`{}`)", time.name));
    Ok(None)
}

/// The time that a record stands for: from 3/4 of a step before its first time, which may be in the middle of its
/// period, to 1 1/2 steps after the last, which may be at its start. A lone time stands for its day.
fn extent_of(time: &TimeCoordinate, first: usize, last: usize, count: usize) -> [i128; 2] {
    let (start, end) = (time.nanoseconds[first], time.nanoseconds[last]);
    let day = 86_400_000_000_000;
    let step = if count > 1 { (end - start) / (count as i128 - 1) } else { day };
    [start - step * 3 / 4, end + step * 3 / 2]
}

fn step_of(time: &TimeCoordinate, last: usize, first: usize) -> String {
    let count = time.dates.len();
    if count < 2 {
        return "one time".to_owned();
    }
    let seconds = (time.nanoseconds[last] - time.nanoseconds[first]) as f64 / 1e9 / (count as f64 - 1.0);
    if seconds >= 86_400.0 {
        format!("{:.1} days", seconds / 86_400.0)
    } else {
        format!("{:.1} hours", seconds / 3600.0)
    }
}

/// The time coordinate of a variable.
fn time_coordinate<'a>(dataset: &'a Dataset, variable: &Variable) -> Option<&'a TimeCoordinate> {
    let (_, dimension) = variable.dimension(Axis::Time)?;
    dataset.times().get(dimension.coordinate?)
}
