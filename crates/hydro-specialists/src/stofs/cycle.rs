//! [`Cycle`]: when a forecast was made, and how the arguments of tools name it.

use std::fmt;

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Moment, ServiceError};

/// A run of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cycle {
    pub(crate) date: Date,
    pub(crate) hour: i8,
}

impl Cycle {
    /// Its time, UTC.
    pub(crate) fn time(self) -> DateTime {
        self.date.at(self.hour, 0, 0, 0)
    }

    /// Its time as evidence has it.
    pub(crate) fn when(self) -> String {
        format!("{}Z", self.time())
    }

    /// So many hours later.
    pub(crate) fn plus(self, hours: i64) -> DateTime {
        self.time().checked_add(hours.hours()).unwrap_or(DateTime::MAX)
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:02}z", self.date, self.hour)
    }
}

/// The hour of a cycle, as plans write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) enum CycleHour {
    /// Midnight.
    #[serde(rename = "00")]
    H00,
    /// Six.
    #[serde(rename = "06")]
    H06,
    /// Noon.
    #[serde(rename = "12")]
    H12,
    /// Eighteen.
    #[serde(rename = "18")]
    H18,
}

impl CycleHour {
    /// The hour.
    pub(crate) const fn hour(self) -> i8 {
        match self {
            Self::H00 => 0,
            Self::H06 => 6,
            Self::H12 => 12,
            Self::H18 => 18,
        }
    }
}

/// Which cycle is wanted: what is absent is the newest.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    pub(crate) date: Option<Date>,
    pub(crate) hour: Option<i8>,
}

impl Wanted {
    /// Reads the two arguments.
    ///
    /// # Errors
    /// [`ServiceError::BadArgument`] when the date is no day.
    pub(crate) fn of(date: Option<Moment>, hour: Option<CycleHour>) -> Result<Self, ServiceError> {
        Ok(Self { date: date.map(day).transpose()?, hour: hour.map(CycleHour::hour) })
    }
}

/// The day that a date names.
///
/// # Errors
/// [`ServiceError::BadArgument`] for a month or a year.
pub(crate) fn day(moment: Moment) -> Result<Date, ServiceError> {
    let (first, last) = (moment.first().date(), moment.last().date());
    if first == last {
        return Ok(first);
    }
    Err(ServiceError::BadArgument(format!(
        "`{first}` to `{last}` is no day of a cycle; write it as `{first}`"
    )))
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.date, self.hour) {
            (Some(date), Some(hour)) => write!(f, "the cycle {}", Cycle { date, hour }),
            (Some(date), None) => write!(f, "a cycle of {date}"),
            (None, Some(hour)) => write!(f, "a cycle of {hour:02}z"),
            (None, None) => f.write_str("a cycle"),
        }
    }
}
