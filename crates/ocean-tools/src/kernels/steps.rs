//! Series on an even grid of steps: joining two in time, and what a gap leaves.

use libm::round;

use super::time_axis::{TimeAxis, TimeStep, month_number};

/// The number of each instant's step, from 0 for the first; `None` when the step is unknown.
///
/// Months count calendar months, whatever the day; fixed steps are rounded to the nearest.
pub(crate) fn numbers(axis: &TimeAxis) -> Option<Vec<i64>> {
    let first = axis.times().first()?;
    match axis.step() {
        TimeStep::Months(months) => {
            let months = i64::from(months.max(1));
            Some(
                axis.times()
                    .iter()
                    .map(|t| (month_number(t) - month_number(first)).div_euclid(months))
                    .collect(),
            )
        }
        TimeStep::Seconds(seconds) => {
            let start = *axis.nanoseconds().first()?;
            let step = seconds.max(1) as f64 * 1e9;
            let number = |nanos: &i128| {
                #[expect(clippy::cast_possible_truncation, reason = "steps of a record are far below 2^53")]
                let number = round((*nanos - start) as f64 / step) as i64;
                number
            };
            Some(axis.nanoseconds().iter().map(number).collect())
        }
        TimeStep::Unknown => None,
    }
}

/// Length of a step in days; a month is 365.2425/12 days.
pub(crate) fn step_days(axis: &TimeAxis) -> Option<f64> {
    match axis.step() {
        TimeStep::Months(months) => Some(f64::from(months) * 365.2425 / 12.0),
        TimeStep::Seconds(seconds) => Some(seconds as f64 / 86_400.0),
        TimeStep::Unknown => None,
    }
}

/// Values on every step from the first to the last, missing where the record has a gap; `None` when the step is
/// unknown or the gaps are more than a hundred times the record.
pub(crate) fn even(axis: &TimeAxis, values: &[f64]) -> Option<Vec<f64>> {
    let numbers = numbers(axis)?;
    let length = usize::try_from(*numbers.last()?).ok()? + 1;
    if length > 100 * values.len() {
        return None;
    }
    let mut even = vec![f64::NAN; length];
    for (number, value) in numbers.iter().zip(values) {
        if let Some(place) = usize::try_from(*number).ok().and_then(|at| even.get_mut(at)) {
            *place = *value;
        }
    }
    Some(even)
}

/// Positions of the instants that both axes have: the same month for months, otherwise the same instant.
pub(crate) fn join(one: &TimeAxis, two: &TimeAxis) -> Vec<(usize, usize)> {
    let by_month = matches!((one.step(), two.step()), (TimeStep::Months(a), TimeStep::Months(b)) if a == b);
    let key = |axis: &TimeAxis| -> Vec<i128> {
        if by_month {
            axis.times().iter().map(|time| i128::from(month_number(time))).collect()
        } else {
            axis.nanoseconds().to_vec()
        }
    };
    let (a, b) = (key(one), key(two));
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            core::cmp::Ordering::Less => i += 1,
            core::cmp::Ordering::Greater => j += 1,
            core::cmp::Ordering::Equal => {
                pairs.push((i, j));
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use ocean_data::cf::Calendar;

    use super::*;

    #[test]
    fn a_gap_is_missing_on_the_even_grid_and_joins_by_month() {
        let one = TimeAxis::parse(Calendar::Standard, &["2001-01-16", "2001-02-15", "2001-04-16"]).unwrap();
        let even = even(&one, &[1.0, 2.0, 4.0]).unwrap();
        assert_eq!((even.len(), even[1].to_bits(), even[2].is_nan()), (4, 2.0_f64.to_bits(), true));
        let two = TimeAxis::parse(Calendar::Standard, &["2001-02-01", "2001-03-01", "2001-04-01"]).unwrap();
        assert_eq!(join(&one, &two), [(1, 0), (2, 2)]);
        let days = TimeAxis::parse(Calendar::NoLeap, &["2001-02-27", "2001-02-28", "2001-03-02"]).unwrap();
        assert_eq!(numbers(&days), Some(vec![0, 1, 3]));
    }
}
