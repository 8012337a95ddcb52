//! [`Clock`]: the only way to the time of day.

use std::fmt::Debug;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// Tells the time. A run takes it from here only, so that tests and replays can fix it.
pub trait Clock: Send + Sync + Debug {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    fn now_nanos(&self) -> i64;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_nanos(&self) -> i64 {
        i64::try_from(Timestamp::now().as_nanosecond()).unwrap_or(i64::MAX)
    }
}

/// A clock that stands still, or is moved by hand.
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
pub fn iso(nanos: i64) -> String {
    Timestamp::from_nanosecond(i128::from(nanos))
        .map_or_else(|_| "unknown".to_owned(), |at| format!("{at:.3}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn iso_has_milliseconds_and_utc() {
        assert_eq!(super::iso(1_796_000_000_123_999_999), "2026-11-30T00:53:20.123Z");
    }
}
