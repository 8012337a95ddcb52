//! [`RateLimit`]: asks a host neither too often nor too much at once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use leg_core::{Clock, SystemClock};
use tokio::sync::Semaphore;

use crate::{Fetch, FetchError, Request, Response, Sleep, TokioSleep, Url};

/// What a host bears.
///
/// ```
/// use leg_fetch::Rate;
///
/// let one_by_one = Rate { concurrent: 1, per_second: Some(1.0), burst: 1 };
/// assert_eq!(Rate::default(), Rate { concurrent: 2, per_second: None, burst: 1 });
/// assert_ne!(one_by_one, Rate::per_second(1.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// How many requests at once; 0 is taken as 1.
    pub concurrent: usize,
    /// How many a second; without it, as many as come.
    pub per_second: Option<f64>,
    /// How many may start together after a pause; 0 is taken as 1.
    pub burst: u32,
}

impl Default for Rate {
    fn default() -> Self {
        Self { concurrent: 2, per_second: None, burst: 1 }
    }
}

impl Rate {
    /// Two at once, evenly spread.
    pub const fn per_second(rate: f64) -> Self {
        Self { concurrent: 2, per_second: Some(rate), burst: 1 }
    }

    /// Nanoseconds from one request to the next; none when there is no limit.
    fn interval(&self) -> Option<i64> {
        let seconds = self.per_second.filter(|rate| *rate > 0.0)?.recip();
        i64::try_from(Duration::try_from_secs_f64(seconds).ok()?.as_nanos()).ok()
    }
}

/// Wraps a [`Fetch`] and lets requests wait until their host bears them: at most so many at once, and a bucket of
/// tokens that fills at a rate. Hosts without an entry have the default of two at once. Clients of
/// the same host share one [`RateLimit`], or each has its own limit.
///
/// Waiting requests go in the order in which they came. The wait has no end of its own; the time limit of a request
/// starts after it. A redirect that the client follows counts for the host that was asked first.
///
/// # Cancel safety
/// Dropping the future gives its place free; a token that it had waited for is lost.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_fetch::{Rate, RateLimit, Scripted};
///
/// let inner = Arc::new(Scripted::new("script"));
/// let limit = RateLimit::new(inner)
///     .with_host("nominatim.openstreetmap.org", Rate { concurrent: 1, per_second: Some(1.0), burst: 1 })
///     .with_host("api.tidesandcurrents.noaa.gov", Rate::per_second(5.0));
/// ```
#[derive(Debug)]
pub struct RateLimit {
    inner: Arc<dyn Fetch>,
    default: Rate,
    /// By `host` or `host:port`.
    rates: BTreeMap<String, Rate>,
    gates: Mutex<BTreeMap<String, Arc<Gate>>>,
    sleep: Arc<dyn Sleep>,
    clock: Arc<dyn Clock>,
}

/// The state of an entry.
#[derive(Debug)]
struct Gate {
    places: Semaphore,
    interval: Option<i64>,
    /// How far ahead of its even pace a request may be, in nanoseconds.
    slack: i64,
    /// How far ahead the next request can be due; further, the clock was set back.
    furthest: i64,
    /// When the next request is due at an even pace (GCRA, the bucket of tokens told by one moment).
    due: Mutex<Option<i64>>,
}

impl Gate {
    fn new(rate: Rate) -> Self {
        let interval = rate.interval();
        let concurrent = rate.concurrent.clamp(1, Semaphore::MAX_PERMITS);
        let intervals = |count| interval.unwrap_or(0).saturating_mul(count);
        let slack = intervals(i64::from(rate.burst.max(1) - 1));
        // Only those that have a place wait for a token.
        let furthest = slack.saturating_add(intervals(i64::try_from(concurrent).unwrap_or(i64::MAX)));
        Self { places: Semaphore::new(concurrent), interval, slack, furthest, due: Mutex::default() }
    }

    /// Takes a token; how long it is until it is there.
    fn take(&self, now: i64) -> Duration {
        let Some(interval) = self.interval else { return Duration::ZERO };
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let own = due.map_or(now, |due| due.clamp(now, now.saturating_add(self.furthest)));
        *due = Some(own.saturating_add(interval));
        let wait = own.saturating_sub(self.slack).saturating_sub(now);
        Duration::from_nanos(u64::try_from(wait).unwrap_or(0))
    }
}

impl RateLimit {
    /// Limits around `inner`.
    pub fn new(inner: Arc<dyn Fetch>) -> Self {
        Self {
            inner,
            default: Rate::default(),
            rates: BTreeMap::new(),
            gates: Mutex::default(),
            sleep: Arc::new(TokioSleep),
            clock: Arc::new(SystemClock),
        }
    }

    /// Sets what hosts without an entry bear, each for itself.
    #[must_use]
    pub const fn with_default(mut self, rate: Rate) -> Self {
        self.default = rate;
        self
    }

    /// Sets what a `host` or `host:port` bears.
    #[must_use]
    pub fn with_host(mut self, host: &str, rate: Rate) -> Self {
        self.rates.insert(host.to_ascii_lowercase(), rate);
        self
    }

    /// Sets how it waits.
    #[must_use]
    pub fn with_sleep(mut self, sleep: Arc<dyn Sleep>) -> Self {
        self.sleep = sleep;
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    fn gate(&self, url: &Url) -> Arc<Gate> {
        let exact = url.port().map(|port| format!("{}:{port}", url.host()));
        let name =
            exact.filter(|name| self.rates.contains_key(name)).unwrap_or_else(|| url.host().to_owned());
        let rate = self.rates.get(&name).copied().unwrap_or(self.default);
        let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(gates.entry(name).or_insert_with(|| Arc::new(Gate::new(rate))))
    }
}

#[async_trait]
impl Fetch for RateLimit {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let gate = self.gate(&request.url);
        // The semaphore is never closed; if it were, there would be no limit to keep.
        let _place = gate.places.acquire().await.ok();
        let wait = gate.take(self.clock.now_nanos());
        if !wait.is_zero() {
            self.sleep.sleep(wait).await;
        }
        self.inner.fetch(request).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_at_the_rate_after_a_burst() {
        let gate = Gate::new(Rate { concurrent: 9, per_second: Some(2.0), burst: 3 });
        let millis = |now: i64| gate.take(now * 1_000_000).as_millis();
        assert_eq!([0, 0, 0, 0, 0].map(millis), [0, 0, 0, 500, 1_000]);
        // The two that waited are gone at 1000 ms; a second later two are back.
        assert_eq!([2_000, 2_000, 2_000].map(millis), [0, 0, 500]);
        // A long pause fills the bucket and no more.
        assert_eq!([60_000, 60_000, 60_000, 60_000].map(millis), [0, 0, 0, 500]);
        // A clock that is set back by a minute does not make wait for a minute.
        assert!((500..=5_000).contains(&millis(0)));
    }

    #[test]
    fn rates_that_are_none_do_not_limit_and_none_divides_by_zero() {
        for rate in [None, Some(0.0), Some(-1.0), Some(f64::NAN), Some(f64::INFINITY), Some(1e-300)] {
            let gate = Gate::new(Rate { concurrent: 0, per_second: rate, burst: 0 });
            assert_eq!((gate.take(0), gate.take(0)), (Duration::ZERO, Duration::ZERO), "{rate:?}");
            assert_eq!(gate.places.available_permits(), 1);
        }
    }

    #[test]
    fn the_nearest_entry_counts() {
        let limit = RateLimit::new(Arc::new(crate::Scripted::default()))
            .with_host("H.example", Rate { concurrent: 3, ..Rate::default() })
            .with_host("h.example:8080", Rate { concurrent: 4, ..Rate::default() });
        let places = |text: &str| limit.gate(&Url::parse(text).unwrap()).places.available_permits();
        assert_eq!(places("https://h.example/"), 3);
        assert_eq!(places("https://h.example:8080/"), 4);
        assert_eq!(places("https://other.example/"), 2);
    }
}
