//! [`TimeAxis`]: the instants of a series in their calendar, with the step between them.

use ocean_data::cf::{Calendar, DateTime};

/// A step as long as a day, in seconds.
const DAY: u64 = 86_400;
const NANOS: i128 = 1_000_000_000;

/// The native step of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeStep {
    /// A whole number of calendar months: 1 monthly, 3 seasonal, 12 yearly.
    Months(u32),
    /// A fixed number of seconds: 86 400 daily.
    Seconds(u64),
    /// A series of one value has none.
    Unknown,
}

/// Why instants are not a time axis.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeAxisError {
    /// Two instants are equal or in the wrong order.
    #[error(
        "time `{later}` follows `{earlier}` in the series; sort the series by time and drop repeated times"
    )]
    NotRising {
        /// The instant before.
        earlier: String,
        /// The instant that should be later.
        later: String,
    },
    /// An instant that its calendar does not have.
    #[error("time `{text}` is not a date of the {calendar} calendar; write it as `2015-11-01T00:00:00Z`")]
    NoSuchTime {
        /// The text.
        text: String,
        /// The calendar.
        calendar: Calendar,
    },
}

/// Instants that rise, in one calendar.
///
/// # Examples
/// ```
/// use ocean_data::cf::Calendar;
/// use ocean_tools::kernels::time_axis::{TimeAxis, TimeStep};
///
/// let axis = TimeAxis::parse(Calendar::Standard, &["2015-11-01T00:00:00Z", "2015-12-01T00:00:00Z"])?;
/// assert_eq!(axis.step(), TimeStep::Months(1));
/// assert_eq!(axis.label(0), "2015-11");
/// # Ok::<(), ocean_tools::kernels::time_axis::TimeAxisError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TimeAxis {
    calendar: Calendar,
    times: Vec<DateTime>,
    nanoseconds: Vec<i128>,
    step: TimeStep,
}

impl TimeAxis {
    /// Takes instants that rise strictly; the step is inferred (see [`TimeAxis::step`]).
    ///
    /// # Errors
    /// [`TimeAxisError`].
    pub fn new(calendar: Calendar, times: Vec<DateTime>) -> Result<Self, TimeAxisError> {
        let nanoseconds = times
            .iter()
            .map(|time| {
                calendar
                    .nanoseconds(time)
                    .map_err(|_| TimeAxisError::NoSuchTime { text: time.to_string(), calendar })
            })
            .collect::<Result<Vec<_>, _>>()?;
        for ((time, after), (a, b)) in
            times.iter().zip(times.iter().skip(1)).zip(nanoseconds.iter().zip(nanoseconds.iter().skip(1)))
        {
            if a >= b {
                return Err(TimeAxisError::NotRising { earlier: time.to_string(), later: after.to_string() });
            }
        }
        let step = infer(&times, &nanoseconds);
        Ok(Self { calendar, times, nanoseconds, step })
    }

    /// Reads ISO 8601 texts, with or without a final `Z`.
    ///
    /// # Errors
    /// [`TimeAxisError`].
    pub fn parse<S: AsRef<str>>(calendar: Calendar, texts: &[S]) -> Result<Self, TimeAxisError> {
        let times = texts
            .iter()
            .map(|text| {
                let text = text.as_ref();
                parse_iso(text).ok_or_else(|| TimeAxisError::NoSuchTime { text: text.to_owned(), calendar })
            })
            .collect::<Result<Vec<_>, _>>()?;
        Self::new(calendar, times)
    }

    /// States the step, where the source knows it better than the instants show (one month a year, say).
    #[must_use]
    pub fn with_step(mut self, step: TimeStep) -> Self {
        if step != TimeStep::Unknown {
            self.step = step;
        }
        self
    }

    /// The calendar.
    pub fn calendar(&self) -> Calendar {
        self.calendar
    }

    /// The instants.
    pub fn times(&self) -> &[DateTime] {
        &self.times
    }

    /// How many instants.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Nanoseconds since 1970-01-01 of the calendar.
    pub fn nanoseconds(&self) -> &[i128] {
        &self.nanoseconds
    }

    /// The step between the instants: the smallest one found, so that gaps do not hide it.
    ///
    /// Instants in different months, at least 27 days apart for each month between them, are monthly (or
    /// seasonal, or yearly); all others have a fixed step.
    pub fn step(&self) -> TimeStep {
        self.step
    }

    /// Time in years of the calendar, for regressions.
    ///
    /// A value of a monthly, seasonal or yearly series stands for its month: `year + (month − 1)/12`. Any other
    /// instant is `year + (time since the start of that year)/(length of that year in the calendar)`. No year is
    /// taken as 365.25 days.
    pub fn years(&self) -> Vec<f64> {
        self.times.iter().map(|time| self.year_of(time)).collect()
    }

    fn year_of(&self, time: &DateTime) -> f64 {
        let year = f64::from(time.year);
        if matches!(self.step, TimeStep::Months(_)) {
            return year + f64::from(time.month.saturating_sub(1)) / 12.0;
        }
        let days = self.calendar.day_of_year(time).map_or(0.0, |day| f64::from(day.saturating_sub(1)));
        let seconds = f64::from(time.hour) * 3600.0 + f64::from(time.minute) * 60.0 + f64::from(time.second);
        let day = seconds + f64::from(time.nanosecond) * 1e-9;
        year + (days + day / 86_400.0) / f64::from(self.calendar.days_in_year(time.year))
    }

    /// What to call one instant: `2015-11` (monthly), `2015` (yearly), `2014-12/2015-02` (seasonal),
    /// `2015-11-03` (whole days), else the full time.
    pub fn label(&self, index: usize) -> String {
        self.times.get(index).map_or_else(String::new, |time| match self.step {
            TimeStep::Months(1) => time.year_month(),
            TimeStep::Months(12) => year_text(time.year),
            TimeStep::Months(months) => {
                let end = shift_months(time, i64::from(months) - 1);
                format!("{}/{}", time.year_month(), end.year_month())
            }
            TimeStep::Seconds(seconds) if seconds % DAY == 0 => time.date(),
            _ => time.to_iso(self.calendar),
        })
    }

    /// What to call the whole axis: first and last label with a stroke between them; empty if there is none.
    pub fn window(&self) -> String {
        let (Some(first), Some(last)) = (self.times.first(), self.times.last()) else {
            return String::new();
        };
        match self.step {
            TimeStep::Months(months) if months != 12 => {
                let end = shift_months(last, i64::from(months) - 1);
                format!("{}/{}", first.year_month(), end.year_month())
            }
            _ => format!("{}/{}", self.label(0), self.label(self.len() - 1)),
        }
    }

    /// The instants as ISO 8601 texts, with `Z` in civil calendars only.
    pub fn to_iso(&self) -> Vec<String> {
        self.times.iter().map(|time| time.to_iso(self.calendar)).collect()
    }

    /// The instants as seconds since 1970-01-01 of the calendar.
    pub fn unix_seconds(&self) -> Vec<f64> {
        self.nanoseconds.iter().map(|nanos| *nanos as f64 / 1e9).collect()
    }
}

impl TimeStep {
    /// The ISO 8601 duration (`P1M`, `P1D`, `PT3600S`), or nothing.
    pub fn to_iso(self) -> Option<String> {
        match self {
            Self::Months(12) => Some("P1Y".to_owned()),
            Self::Months(months) => Some(format!("P{months}M")),
            Self::Seconds(seconds) if seconds % DAY == 0 => Some(format!("P{}D", seconds / DAY)),
            Self::Seconds(seconds) if seconds % 3600 == 0 => Some(format!("PT{}H", seconds / 3600)),
            Self::Seconds(seconds) => Some(format!("PT{seconds}S")),
            Self::Unknown => None,
        }
    }

    /// Reads what [`TimeStep::to_iso`] writes; anything else is unknown.
    pub fn from_iso(text: &str) -> Self {
        let number =
            |body: &str, unit: char| body.strip_suffix(unit).and_then(|digits| digits.parse::<u64>().ok());
        let months = |n: u64| u32::try_from(n).map_or(Self::Unknown, Self::Months);
        if let Some(body) = text.strip_prefix("PT") {
            return number(body, 'H')
                .and_then(|hours| hours.checked_mul(3600))
                .or_else(|| number(body, 'S'))
                .map_or(Self::Unknown, Self::Seconds);
        }
        let Some(body) = text.strip_prefix('P') else { return Self::Unknown };
        number(body, 'Y')
            .and_then(|years| years.checked_mul(12))
            .or_else(|| number(body, 'M'))
            .map(months)
            .or_else(|| number(body, 'D').and_then(|days| days.checked_mul(DAY)).map(Self::Seconds))
            .unwrap_or(Self::Unknown)
    }
}

/// Months since year 0.
pub(crate) fn month_number(time: &DateTime) -> i64 {
    i64::from(time.year) * 12 + i64::from(time.month) - 1
}

/// Midnight of the first day of a month, given as months since year 0.
pub(crate) fn month_start(number: i64) -> DateTime {
    let year = i32::try_from(number.div_euclid(12)).unwrap_or(i32::MAX);
    let month = u8::try_from(number.rem_euclid(12) + 1).unwrap_or(1);
    DateTime::midnight(year, month, 1)
}

fn shift_months(time: &DateTime, months: i64) -> DateTime {
    month_start(month_number(time) + months)
}

fn year_text(year: i32) -> String {
    let text = DateTime::midnight(year, 1, 1).date();
    text.strip_suffix("-01-01").unwrap_or(&text).to_owned()
}

fn infer(times: &[DateTime], nanoseconds: &[i128]) -> TimeStep {
    let pairs = || times.iter().zip(times.iter().skip(1));
    let gaps = nanoseconds.iter().zip(nanoseconds.iter().skip(1)).map(|(a, b)| b - a);
    let Some(smallest) = gaps.min() else { return TimeStep::Unknown };
    let months = pairs().map(|(a, b)| month_number(b) - month_number(a)).min().unwrap_or(0);
    let monthly = months >= 1 && smallest >= i128::from(months) * 27 * i128::from(DAY) * NANOS;
    if let (true, Ok(months)) = (monthly, u32::try_from(months)) {
        return TimeStep::Months(months);
    }
    u64::try_from((smallest + NANOS / 2) / NANOS).map_or(TimeStep::Unknown, |seconds| {
        if seconds == 0 { TimeStep::Unknown } else { TimeStep::Seconds(seconds) }
    })
}

/// `2015-11-01`, `2015-11-01T06:00:00`, a fraction of a second, a final `Z`; years may be negative.
fn parse_iso(text: &str) -> Option<DateTime> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (date, clock) = text.split_once('T').unwrap_or((text, "00:00:00"));
    let (sign, date) = date.strip_prefix('-').map_or((1, date), |rest| (-1, rest));
    let mut fields = date.split('-');
    let year: i32 = fields.next()?.parse().ok()?;
    let month = fields.next()?.parse().ok()?;
    let day = fields.next()?.parse().ok()?;
    let mut parts = clock.split(':');
    let hour = parts.next()?.parse().ok().filter(|hour: &u8| *hour < 24)?;
    let minute = parts.next()?.parse().ok().filter(|minute: &u8| *minute < 60)?;
    let (whole, fraction) = parts.next().map_or(("0", ""), |text| text.split_once('.').unwrap_or((text, "")));
    let second = whole.parse().ok().filter(|second: &u8| *second < 60)?;
    let digits: String = fraction.chars().chain(core::iter::repeat('0')).take(9).collect();
    let nanosecond = digits.parse().ok()?;
    (fields.next().is_none() && parts.next().is_none()).then_some(DateTime {
        year: sign * year,
        month,
        day,
        hour,
        minute,
        second,
        nanosecond,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn axis(texts: &[&str]) -> TimeAxis {
        TimeAxis::parse(Calendar::Standard, texts).unwrap()
    }

    #[test]
    fn the_step_is_seen_through_gaps_and_in_any_convention() {
        for (texts, step) in [
            (
                &["2015-01-16T12:00:00Z", "2015-02-15T00:00:00Z", "2015-06-16T00:00:00Z"][..],
                TimeStep::Months(1),
            ),
            (&["2015-01-31", "2015-02-28"], TimeStep::Months(1)),
            (&["2014-12-01", "2015-03-01"], TimeStep::Months(3)),
            (&["2014-07-01", "2015-07-01"], TimeStep::Months(12)),
            (&["2015-01-31", "2015-02-01", "2015-02-09"], TimeStep::Seconds(86_400)),
            (&["2015-01-28", "2015-02-04"], TimeStep::Seconds(604_800)),
            (&["2015-01-01T00:00:00", "2015-01-01T01:00:00"], TimeStep::Seconds(3600)),
            (&["2015-01-01"], TimeStep::Unknown),
        ] {
            assert_eq!(axis(texts).step(), step, "{texts:?}");
            let iso = step.to_iso().unwrap_or_default();
            assert_eq!(TimeStep::from_iso(&iso), step, "{iso}");
        }
    }

    #[test]
    fn labels_are_as_coarse_as_the_step() {
        let monthly = axis(&["2010-01-01", "2010-02-01", "2019-12-01"]);
        assert_eq!((monthly.label(2).as_str(), monthly.window().as_str()), ("2019-12", "2010-01/2019-12"));
        let seasonal = axis(&["2014-12-01", "2015-03-01"]);
        assert_eq!(
            (seasonal.label(0).as_str(), seasonal.window().as_str()),
            ("2014-12/2015-02", "2014-12/2015-05")
        );
        assert_eq!(axis(&["2010-01-01", "2011-01-01"]).window(), "2010/2011");
        assert_eq!(axis(&["2010-01-01T12:00:00", "2010-01-02T12:00:00"]).label(1), "2010-01-02");
        assert_eq!(axis(&["2010-01-01T12:00:00"]).label(0), "2010-01-01T12:00:00Z");
    }

    #[test]
    fn years_follow_the_calendar() {
        let daily = axis(&["2016-01-01", "2016-01-02", "2016-12-31", "2017-01-01"]);
        let years = daily.years();
        assert!((years[1] - (2016.0 + 1.0 / 366.0)).abs() < 1e-12);
        assert!((years[3] - 2017.0).abs() < 1e-12);
        let thirty =
            TimeAxis::parse(Calendar::Day360, &["2000-02-30T00:00:00", "2000-03-01T00:00:00"]).unwrap();
        assert!((thirty.years()[0] - (2000.0 + 59.0 / 360.0)).abs() < 1e-12);
        assert_eq!(thirty.to_iso()[0], "2000-02-30T00:00:00");
        let monthly = axis(&["2015-02-14", "2015-03-16"]);
        assert!((monthly.years()[0] - (2015.0 + 1.0 / 12.0)).abs() < 1e-12);
    }

    #[test]
    fn refuses_what_does_not_rise_and_what_is_no_date() {
        let parse = |texts: &[&str]| TimeAxis::parse(Calendar::NoLeap, texts);
        assert!(matches!(parse(&["2015-01-02", "2015-01-02"]), Err(TimeAxisError::NotRising { .. })));
        for text in
            ["2016-02-29", "2016-13-01", "2016-01", "x", "", "2016-01-01T25:00:00", "2016-01-01T00:00:00.x"]
        {
            assert!(matches!(parse(&[text]), Err(TimeAxisError::NoSuchTime { .. })), "{text}");
        }
    }

    proptest! {
        #[test]
        fn texts_come_back(nanos in -3_000_000_000_000_i64..4_000_000_000_000) {
            let time = Calendar::Standard.instant(i128::from(nanos) * 1_000_000_123).unwrap();
            prop_assert_eq!(parse_iso(&time.to_iso(Calendar::Standard)), Some(time));
        }

        #[test]
        fn never_panics_on_text(text in "\\PC{0,30}") {
            let _ = TimeAxis::parse(Calendar::Standard, &[&text]);
            let _ = TimeStep::from_iso(&text);
        }
    }
}
