//! [`StackBuilder`]: puts the wrappers around a client in the right order.

use std::path::PathBuf;
use std::sync::Arc;

use leg_core::{Clock, SystemClock};

use crate::{
    Cache, CachePolicy, FaultSpec, Faults, Fetch, HostList, HostPolicy, Rate, RateLimit, Retry, Sleep,
    TokioSleep,
};

/// Puts the wrappers around a client. From the outside to the inside:
///
/// 1. [`Cache`]: what is there needs no place, no token and no network.
/// 2. [`Retry`]: each try waits for its own token, or retries would break the limit that a host has just complained
///    about. The pauses hold no place.
/// 3. [`RateLimit`]: the last before the network, so that only what is sent counts.
/// 4. [`HostList`]: whatever the wrappers ask for, a host outside the plan is not asked.
/// 5. [`Faults`], when there are some: to all others they look like the network.
/// 6. The client, which checks redirects by the same [`HostPolicy`].
///
/// A [`Recorder`](crate::Recorder) goes around the whole, so that a cassette holds what the tools saw.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_fetch::{Fetch as _, HostPolicy, NoSleep, Rate, Request, Response, Scripted, StackBuilder, Url};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let request = Request::get(Url::parse("https://tides.example/levels")?);
/// let client = Scripted::new("client")
///     .answer(&request, Response::ok("busy").with_status(429))
///     .answer(&request, Response::ok("data"));
/// let fetch = StackBuilder::new(Arc::new(client), HostPolicy::new().allow("tides.example")?, 7)
///     .rate("tides.example", Rate::per_second(5.0))
///     .sleep(Arc::new(NoSleep::default()))
///     .build();
/// assert_eq!(fetch.fetch(request).await?.body, "data");
/// # Ok::<(), leg_fetch::FetchError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct StackBuilder {
    client: Arc<dyn Fetch>,
    policy: Arc<HostPolicy>,
    seed: u64,
    tries: Option<u32>,
    default_rate: Rate,
    rates: Vec<(String, Rate)>,
    cache: Option<(PathBuf, Arc<dyn CachePolicy>)>,
    faults: Option<FaultSpec>,
    clock: Arc<dyn Clock>,
    sleep: Arc<dyn Sleep>,
}

impl StackBuilder {
    /// A stack around `client`, which has the same policy if it is an `HttpFetch`. The seed spreads the pauses between
    /// tries.
    pub fn new(client: Arc<dyn Fetch>, policy: impl Into<Arc<HostPolicy>>, seed: u64) -> Self {
        Self {
            client,
            policy: policy.into(),
            seed,
            tries: None,
            default_rate: Rate::default(),
            rates: Vec::new(),
            cache: None,
            faults: None,
            clock: Arc::new(SystemClock),
            sleep: Arc::new(TokioSleep),
        }
    }

    /// Sets how often is asked in all; three times without it.
    #[must_use]
    pub const fn tries(mut self, tries: u32) -> Self {
        self.tries = Some(tries);
        self
    }

    /// Sets what a `host` or `host:port` bears.
    #[must_use]
    pub fn rate(mut self, host: &str, rate: Rate) -> Self {
        self.rates.push((host.to_owned(), rate));
        self
    }

    /// Sets what other hosts bear; two requests at once without it.
    #[must_use]
    pub const fn default_rate(mut self, rate: Rate) -> Self {
        self.default_rate = rate;
        self
    }

    /// Keeps answers in a folder; none are kept without it.
    #[must_use]
    pub fn cache(mut self, folder: impl Into<PathBuf>, policy: Arc<dyn CachePolicy>) -> Self {
        self.cache = Some((folder.into(), policy));
        self
    }

    /// Lets answers go wrong.
    #[must_use]
    pub fn faults(mut self, faults: FaultSpec) -> Self {
        self.faults = Some(faults);
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets how it waits.
    #[must_use]
    pub fn sleep(mut self, sleep: Arc<dyn Sleep>) -> Self {
        self.sleep = sleep;
        self
    }

    /// The whole stack.
    pub fn build(self) -> Arc<dyn Fetch> {
        let mut fetch = self.client;
        if let Some(faults) = self.faults {
            fetch = Arc::new(Faults::new(fetch, faults).with_sleep(Arc::clone(&self.sleep)));
        }
        fetch = Arc::new(HostList::new(fetch, self.policy));
        let limit = RateLimit::new(fetch)
            .with_default(self.default_rate)
            .with_sleep(Arc::clone(&self.sleep))
            .with_clock(Arc::clone(&self.clock));
        fetch = Arc::new(self.rates.iter().fold(limit, |limit, (host, rate)| limit.with_host(host, *rate)));
        let retry = Retry::new(fetch, self.seed).with_sleep(self.sleep).with_clock(Arc::clone(&self.clock));
        fetch = Arc::new(match self.tries {
            Some(tries) => retry.with_tries(tries),
            None => retry,
        });
        match self.cache {
            Some((folder, policy)) => Arc::new(Cache::new(fetch, folder, policy).with_clock(self.clock)),
            None => fetch,
        }
    }
}
