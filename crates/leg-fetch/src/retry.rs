//! [`Retry`]: asks again when that may help.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use jiff::fmt::rfc2822;
use leg_core::{Clock, SystemClock};

use crate::dice::Dice;
use crate::{Fetch, FetchError, Method, Request, Response, Sleep, TokioSleep};

/// Wraps a [`Fetch`] and asks again, up to three times in all, when a request that only reads got no answer
/// ([`FetchError::is_transient`]) or one of the statuses 429, 500, 502, 503 and 504. After the last try the answer or
/// the error is passed on as it is. An error that comes with status 200 is not seen here.
///
/// The pause before try *n* + 1 is 0.5 s × 2ⁿ⁻¹ and up to half as much again by chance, so that many clients do not
/// come back at once. A `Retry-After` in seconds or as a date holds when it is longer; above the cap of 60 s the
/// request ends with [`FetchError::Busy`]. The time limit of a request holds for each try.
///
/// # Cancel safety
/// Dropping the future ends pauses and tries.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_fetch::{Fetch as _, NoSleep, Request, Response, Retry, Scripted, Url};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let request = Request::get(Url::parse("https://example.org/")?);
/// let inner = Scripted::new("script")
///     .answer(&request, Response::ok("busy").with_status(503))
///     .answer(&request, Response::ok("data"));
/// let retry = Retry::new(Arc::new(inner), 7).with_sleep(Arc::new(NoSleep::default()));
/// assert_eq!(retry.fetch(request).await?.body, "data");
/// # Ok::<(), leg_fetch::FetchError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct Retry {
    inner: Arc<dyn Fetch>,
    tries: u32,
    first_pause: Duration,
    longest_pause: Duration,
    sleep: Arc<dyn Sleep>,
    clock: Arc<dyn Clock>,
    dice: Dice,
    thrown: AtomicU64,
}

impl Retry {
    /// Retries around `inner`; the seed spreads the pauses.
    pub fn new(inner: Arc<dyn Fetch>, seed: u64) -> Self {
        Self {
            inner,
            tries: 3,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_mins(1),
            sleep: Arc::new(TokioSleep),
            clock: Arc::new(SystemClock),
            dice: Dice::new(seed),
            thrown: AtomicU64::new(0),
        }
    }

    /// Sets how often is asked in all; at least once.
    #[must_use]
    pub const fn with_tries(mut self, tries: u32) -> Self {
        self.tries = tries;
        self
    }

    /// Sets the pause before the second try, without chance.
    #[must_use]
    pub const fn with_first_pause(mut self, pause: Duration) -> Self {
        self.first_pause = pause;
        self
    }

    /// Sets the longest pause of a `Retry-After` that is waited.
    #[must_use]
    pub const fn with_longest_pause(mut self, pause: Duration) -> Self {
        self.longest_pause = pause;
        self
    }

    /// Sets how it waits.
    #[must_use]
    pub fn with_sleep(mut self, sleep: Arc<dyn Sleep>) -> Self {
        self.sleep = sleep;
        self
    }

    /// Sets the clock that the date of a `Retry-After` is compared with.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// The pause before the next try: what the server asks for, and not shorter than our own.
    fn pause(&self, tried: u32, asked: Option<Duration>) -> Duration {
        let own = self.first_pause.saturating_mul(1_u32.checked_shl(tried - 1).unwrap_or(u32::MAX));
        let chance = self.dice.unit(self.thrown.fetch_add(1, Ordering::Relaxed));
        let own = own.min(self.longest_pause).mul_f64(1.0 + chance / 2.0);
        asked.unwrap_or_default().max(own)
    }

    fn asked_pause(&self, response: &Response) -> Option<Duration> {
        let text = response.header("retry-after")?.trim();
        if let Ok(seconds) = text.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let date = rfc2822::parse(text).ok()?.timestamp().as_nanosecond();
        let pause = date - i128::from(self.clock.now_nanos());
        Some(Duration::from_nanos(u64::try_from(pause.max(0)).unwrap_or(u64::MAX)))
    }
}

#[async_trait]
impl Fetch for Retry {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        if request.method == Method::Post {
            // Nobody knows what the first try did.
            return self.inner.fetch(request).await;
        }
        let mut tried = 1;
        loop {
            let answer = self.inner.fetch(request.clone()).await;
            let asked = match &answer {
                Ok(response) if matches!(response.status, 429 | 500 | 502 | 503 | 504) => {
                    self.asked_pause(response)
                }
                Err(error) if error.is_transient() => None,
                _ => return answer,
            };
            if tried >= self.tries {
                return answer;
            }
            if let Some(pause) = asked.filter(|pause| *pause > self.longest_pause) {
                let seconds = pause.as_secs() + u64::from(pause.subsec_nanos() > 0);
                return Err(FetchError::Busy { host: request.url.host().to_owned(), seconds });
            }
            self.sleep.sleep(self.pause(tried, asked)).await;
            tried += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use leg_core::FixedClock;

    use super::*;
    use crate::{NoSleep, Scripted, Url};

    fn request() -> Request {
        Request::get(Url::parse("https://h/").unwrap())
    }

    async fn run(retry_after: &str) -> (Result<Response, FetchError>, Vec<Duration>) {
        let inner = Scripted::new("script")
            .answer(&request(), Response::ok("").with_status(429).with_header("retry-after", retry_after))
            .answer(&request(), Response::ok("data"));
        // Sunday, 6 November 1994, 08:49:37 UTC.
        let clock = Arc::new(FixedClock::at(784_111_777_000_000_000));
        let sleep = Arc::new(NoSleep::new(Arc::clone(&clock)));
        let retry = Retry::new(Arc::new(inner), 1).with_sleep(Arc::clone(&sleep) as _).with_clock(clock);
        (retry.fetch(request()).await, sleep.slept())
    }

    #[tokio::test]
    async fn the_pause_that_is_asked_for_is_kept_in_seconds_and_as_a_date() {
        for (text, seconds) in [
            ("7", 7),
            ("60", 60),
            ("Sun, 06 Nov 1994 08:49:57 GMT", 20),
            (" Sun, 06 Nov 1994 08:50:37 GMT ", 60),
        ] {
            let (answer, slept) = run(text).await;
            assert_eq!(answer.unwrap().body, "data", "{text}");
            assert_eq!(slept, [Duration::from_secs(seconds)], "{text}");
        }
        // Past, shorter than our own, or no pause at all: our own.
        for text in ["0", "Sun, 06 Nov 1994 08:00:00 GMT", "soon", "-3", ""] {
            let (_, slept) = run(text).await;
            assert!((500..=750).contains(&slept[0].as_millis()), "{text}: {slept:?}");
        }
    }

    #[tokio::test]
    async fn a_pause_over_the_cap_ends_the_request() {
        for (text, seconds) in
            [("61", 61), ("18446744073709551615", u64::MAX), ("Sun, 06 Nov 1994 09:49:37 GMT", 3_600)]
        {
            let (answer, slept) = run(text).await;
            assert_eq!(answer, Err(FetchError::Busy { host: "h".into(), seconds }), "{text}");
            assert!(slept.is_empty(), "{text}");
        }
    }

    #[tokio::test]
    async fn pauses_double_and_are_spread_by_the_seed() {
        let pauses = |seed| async move {
            let down = FetchError::Unreachable { host: "h".into(), reason: "refused".into() };
            let sleep = Arc::new(NoSleep::default());
            let inner = Arc::new(Scripted::new("script").fail(&request(), down.clone()));
            let retry = Retry::new(Arc::clone(&inner) as _, seed).with_sleep(Arc::clone(&sleep) as _);
            assert_eq!(retry.fetch(request()).await, Err(down));
            assert_eq!(inner.asked().len(), 3);
            sleep.slept()
        };
        let one = pauses(1).await;
        assert!((500..=750).contains(&one[0].as_millis()) && (1_000..=1_500).contains(&one[1].as_millis()));
        assert_eq!(one, pauses(1).await);
        assert_ne!(one, pauses(2).await);
    }

    #[tokio::test]
    async fn only_what_may_help_is_asked_again() {
        let url = || Url::parse("https://h/").unwrap();
        let refused = FetchError::Refused { host: "h".into(), reason: "r".into() };
        let large = FetchError::TooLarge { host: "h".into(), limit: 1 };
        let cut = FetchError::Cut { host: "h".into(), received: 1 };
        let status = |status| Ok(Response::ok("").with_status(status));
        for (request, answer, tries) in [
            (Request::get(url()), status(503), 3),
            (Request::head(url()), status(500), 3),
            (Request::get(url()), Err(cut.clone()), 3),
            (Request::post(url(), "body"), status(503), 1),
            (Request::post(url(), "body"), Err(cut), 1),
            (Request::get(url()), status(404), 1),
            (Request::get(url()), status(501), 1),
            (Request::get(url()), Err(refused), 1),
            (Request::get(url()), Err(large), 1),
        ] {
            let script = match answer.clone() {
                Ok(response) => Scripted::new("script").answer(&request, response),
                Err(error) => Scripted::new("script").fail(&request, error),
            };
            let inner = Arc::new(script);
            let retry = Retry::new(Arc::clone(&inner) as _, 1).with_sleep(Arc::new(NoSleep::default()));
            assert_eq!(retry.fetch(request).await, answer);
            assert_eq!(inner.asked().len(), tries, "{answer:?}");
        }
    }
}
