//! Baselines: the years that climatologies and anomalies are relative to.

use leg_core::ToolError;
use ocean_data::field::TimeWindow;

use crate::kernels::climate_index::{in_years, whole_years};
use crate::kernels::time_axis::{TimeAxis, TimeStep, month_number, month_start};

/// Which values of a series belong to a baseline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Baseline {
    /// One flag a value.
    pub(crate) inside: Vec<bool>,
    /// Such as `1991/2020`.
    pub(crate) label: String,
    /// What a reader must know, when it was not stated by the caller.
    pub(crate) note: Option<String>,
}

impl Baseline {
    /// The stated window, or the whole calendar years of the record, or all of it.
    ///
    /// # Errors
    /// A stated window that is not inside the record; the message lists the coverage.
    pub(crate) fn resolve(stated: Option<&TimeWindow>, axis: &TimeAxis) -> Result<Self, ToolError> {
        stated.map_or_else(|| Ok(Self::whole_years(axis)), |window| Self::stated(window, axis))
    }

    /// The stated window.
    ///
    /// # Errors
    /// When it is not inside the record.
    pub(crate) fn stated(window: &TimeWindow, axis: &TimeAxis) -> Result<Self, ToolError> {
        let label = format!("{}/{}", window.from, window.to);
        let calendar = axis.calendar();
        let [start, end] = window.period(calendar).map_err(|error| ToolError::invalid(error.to_string()))?;
        let extent = extent(axis);
        if extent.is_none_or(|[first, last]| start < first || end > last) {
            return Err(ToolError::invalid(format!(
                "baseline {label} is not inside the record, which covers {}; state a baseline inside it, or leave it \
                 out to use the whole calendar years of the record",
                axis.window()
            )));
        }
        let inside = axis.nanoseconds().iter().map(|nanos| (start..end).contains(nanos)).collect();
        Ok(Self { inside, label, note: None })
    }

    /// The whole calendar years of the record, or all of it when it has none.
    pub(crate) fn whole_years(axis: &TimeAxis) -> Self {
        if let Some((from, to)) = whole_years(axis) {
            let label = format!("{from:04}/{to:04}");
            let note = format!("baseline: the whole calendar years of the record, {label}");
            return Self { inside: in_years(axis, from, to), label, note: Some(note) };
        }
        let label = axis.window();
        let note = format!("baseline: all of the record, {label}, which has no whole calendar year");
        Self { inside: vec![true; axis.len()], label, note: Some(note) }
    }
}

/// From the start of the first value's period to the end of the last value's.
fn extent(axis: &TimeAxis) -> Option<[i128; 2]> {
    const SECOND: i128 = 1_000_000_000;
    const DAY: i128 = 86_400 * SECOND;
    let calendar = axis.calendar();
    let (first, last) = (axis.times().first()?, axis.times().last()?);
    let (start, end) = (*axis.nanoseconds().first()?, *axis.nanoseconds().last()?);
    Some(match axis.step() {
        TimeStep::Months(months) => [
            calendar.nanoseconds(&month_start(month_number(first))).ok()?,
            calendar.nanoseconds(&month_start(month_number(last) + i64::from(months))).ok()?,
        ],
        TimeStep::Seconds(seconds) => {
            let step = i128::from(seconds) * SECOND;
            // A record of days covers its first and last day, whatever the hour.
            let day_end = (end.div_euclid(DAY) + 1) * DAY;
            [start.div_euclid(DAY) * DAY, (end + step).max(day_end)]
        }
        TimeStep::Unknown => [start.div_euclid(DAY) * DAY, (end.div_euclid(DAY) + 1) * DAY],
    })
}

#[cfg(test)]
mod tests {
    use ocean_data::cf::Calendar;
    use serde_json::json;

    use super::*;

    fn monthly(from: i64, n: i64) -> TimeAxis {
        TimeAxis::new(Calendar::Standard, (from..from + n).map(month_start).collect()).unwrap()
    }

    fn window(from: &str, to: &str) -> TimeWindow {
        TimeWindow::from_json(&json!([from, to]), "/baseline").unwrap()
    }

    #[test]
    fn one_outside_the_record_lists_the_coverage() {
        let axis = monthly(2010 * 12, 128);
        let error = Baseline::stated(&window("1991", "2020"), &axis).unwrap_err();
        assert!(error.message.contains("2010-01/2020-08"), "{}", error.message);
        assert!(Baseline::stated(&window("2010", "2019"), &axis).is_ok());
        assert!(Baseline::stated(&window("2010-01", "2020-08"), &axis).is_ok());
        assert!(Baseline::stated(&window("2010-01", "2020-09"), &axis).is_err());
    }

    #[test]
    fn without_one_the_whole_years_are_used_and_said() {
        let baseline = Baseline::resolve(None, &monthly(2010 * 12, 128)).unwrap();
        assert_eq!(baseline.label, "2010/2019");
        assert_eq!(baseline.inside.iter().filter(|inside| **inside).count(), 120);
        assert!(baseline.note.unwrap().contains("2010/2019"));
        let short = Baseline::whole_years(&monthly(2010 * 12 + 3, 6));
        assert_eq!((short.label.as_str(), short.inside.len()), ("2010-04/2010-09", 6));
    }

    #[test]
    fn a_daily_record_covers_its_last_day() {
        let axis = TimeAxis::parse(
            Calendar::Standard,
            &["2010-01-01T12:00:00", "2010-01-02T12:00:00", "2010-12-31T12:00:00"],
        )
        .unwrap();
        assert!(Baseline::stated(&window("2010", "2010"), &axis).is_ok());
    }
}
