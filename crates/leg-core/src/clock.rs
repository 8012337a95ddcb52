//! [`Clock`]: the only way to the time of day.

use std::fmt::Debug;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Tells the time. A run takes it from here only, so that tests and replays can fix it.
///
/// ```
/// use leg_core::Clock;
///
/// /// A clock that stands still.
/// #[derive(Debug)]
/// struct Stopped(i64);
///
/// impl Clock for Stopped {
///     fn now_nanos(&self) -> i64 {
///         self.0
///     }
/// }
/// assert_eq!(Stopped(7).now_nanos(), 7);
/// ```
pub trait Clock: Send + Sync + Debug {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    fn now_nanos(&self) -> i64;
}

/// The machine's clock.
///
/// ```
/// use leg_core::{Clock as _, SystemClock, clock};
///
/// assert!(clock::iso(SystemClock.now_nanos()) > "2026".to_owned());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the port that everybody else takes the time from")]
    fn now_nanos(&self) -> i64 {
        let nanos = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => nanos(since),
            Err(before) => -nanos(before.duration()),
        }
    }
}

/// A clock that stands still, or is moved by hand.
///
/// ```
/// use leg_core::{Clock as _, FixedClock};
///
/// let clock = FixedClock::at(1_000);
/// clock.advance(500);
/// assert_eq!(clock.now_nanos(), 1_500);
/// ```
#[derive(Debug, Default)]
pub struct FixedClock(AtomicI64);

impl FixedClock {
    /// A clock that shows `nanos`.
    pub fn at(nanos: i64) -> Self {
        Self(AtomicI64::new(nanos))
    }

    /// Moves the clock.
    pub fn advance(&self, nanos: i64) {
        self.0.fetch_add(nanos, Ordering::Relaxed);
    }
}

impl Clock for FixedClock {
    fn now_nanos(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A moment as ISO 8601 in UTC with milliseconds: `2026-11-30T21:59:19.120Z`.
///
/// Every record and every event has one, so it is written without a detour: an `i64` of nanoseconds has years of four
/// digits only, and UTC needs no table.
///
/// ```
/// use leg_core::clock::iso;
///
/// assert!(iso(0).starts_with("1970-01-01T00:00:00"));
/// ```
pub fn iso(nanos: i64) -> String {
    let millis = nanos.div_euclid(1_000_000);
    let (days, of_day) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    let (year, month, day) = civil(days);
    let (seconds, millis) = (of_day / 1000, of_day % 1000);
    let mut text = *b"0000-00-00T00:00:00.000Z";
    let fields = [
        (year, 3),
        (month, 6),
        (day, 9),
        (seconds / 3600, 12),
        (seconds / 60 % 60, 15),
        (seconds % 60, 18),
        (millis, 22),
    ];
    for (value, last) in fields {
        digits(value, text.get_mut(..=last).unwrap_or_default());
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Year, month and day in the Gregorian calendar, from days since 1970-01-01.
///
/// # Source
/// H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months count from March, so that the day that comes and goes is the last one.
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Writes a number that is not negative over the zeros at the end of `text`.
fn digits(mut value: i64, text: &mut [u8]) {
    for place in text.iter_mut().rev() {
        if value == 0 {
            return;
        }
        *place = b'0' + u8::try_from(value % 10).unwrap_or(0);
        value /= 10;
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn iso_has_milliseconds_and_utc() {
        assert_eq!(iso(1_796_000_000_123_999_999), "2026-11-30T00:53:20.123Z");
    }

    proptest! {
        #[test]
        fn iso_is_what_the_calendar_says(nanos in any::<i64>()) {
            // Times before 1970 are cut towards the past, as the others are.
            let millis = i128::from(nanos.div_euclid(1_000_000)) * 1_000_000;
            let expected = format!("{:.3}", Timestamp::from_nanosecond(millis).unwrap());
            prop_assert_eq!(iso(nanos), expected);
        }
    }
}
