//! What the numbers of a time axis are.

use crate::{
    axis::{self, Ticks},
    calendar::Calendar,
    date,
};

/// What the x values of a series are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeAxis<'a> {
    /// Seconds since 1970-01-01T00:00:00 of a calendar, shown as its dates.
    Seconds(Calendar),
    /// Years with fractions, for any calendar.
    FractionalYears,
    /// Plain numbers, such as a lag or a day of the year.
    Number {
        /// The name of the axis.
        label: &'a str,
        /// Its units.
        units: &'a str,
    },
    /// The months of a year, 1 to 12, shown by their names.
    Months,
}

impl Default for TimeAxis<'_> {
    fn default() -> Self {
        Self::Seconds(Calendar::Standard)
    }
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl TimeAxis<'_> {
    /// Returns at most about `most` ticks between two times, and the label of the axis.
    pub(crate) fn ticks(self, start: f64, end: f64, most: usize) -> (Ticks, String) {
        match self {
            Self::Seconds(calendar) => {
                let ticks = date::ticks(calendar, start, end, most);
                // Hours say no year.
                let is_bare = ticks.labels.iter().any(|label| label.contains(':'));
                let label = if is_bare { date::years(calendar, start, end) } else { String::new() };
                (ticks, label)
            }
            Self::FractionalYears => {
                let ticks = axis::linear(start, end, most);
                let label =
                    if ticks.power == 0 { String::new() } else { axis::label("year", "", ticks.power) };
                (ticks, label)
            }
            Self::Number { label, units } => {
                let ticks = axis::linear(start, end, most);
                let label = axis::label(label, units, ticks.power);
                (ticks, label)
            }
            Self::Months => {
                let all =
                    MONTHS.iter().zip(1_i32..).map(|(name, month)| (f64::from(month), (*name).to_owned()));
                let shown = all.filter(|(month, _)| *month >= start && *month <= end);
                let (places, labels) = shown.unzip();
                (Ticks { places, labels, ..Ticks::default() }, String::new())
            }
        }
    }
}
