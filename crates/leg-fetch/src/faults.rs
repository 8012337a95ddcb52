//! [`Faults`]: lets answers go wrong on purpose.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;

use crate::{Fault, FaultSpec, Fetch, FetchError, Request, Response, Sleep, TokioSleep};

/// How long a dripping body takes here, where there is no wire.
const DRIP: Duration = Duration::from_mins(1);
/// What a request without a limit of its own is given, as in `HttpFetch`.
const LIMIT: Duration = Duration::from_secs(30);

/// Wraps a [`Fetch`] and lets some answers go wrong, as a [`FaultSpec`] tells. The faults depend on the seed and the
/// number of the request only.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_fetch::{Faults, Fetch as _, Request, Response, Scripted, Url};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let request = Request::get(Url::parse("https://example.org/")?);
/// let inner = Scripted::new("script").answer(&request, Response::ok("data"));
/// let faults = Faults::new(Arc::new(inner), "503=1;seed=7".parse()?);
/// assert_eq!(faults.fetch(request).await?.status, 503);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct Faults {
    inner: Arc<dyn Fetch>,
    spec: FaultSpec,
    sleep: Arc<dyn Sleep>,
    asked: AtomicU64,
}

impl Faults {
    /// Faults around `inner`.
    pub fn new(inner: Arc<dyn Fetch>, spec: FaultSpec) -> Self {
        Self { inner, spec, sleep: Arc::new(TokioSleep), asked: AtomicU64::new(0) }
    }

    /// Sets how it waits.
    #[must_use]
    pub fn with_sleep(mut self, sleep: Arc<dyn Sleep>) -> Self {
        self.sleep = sleep;
        self
    }

    /// Waits for `time`, or for the limit of the request when that is shorter.
    async fn wait(&self, request: &Request, time: Duration) -> Result<(), FetchError> {
        let limit = request.timeout.unwrap_or(LIMIT);
        if time < limit {
            self.sleep.sleep(time).await;
            return Ok(());
        }
        self.sleep.sleep(limit).await;
        Err(FetchError::timeout(&request.url, limit))
    }
}

#[async_trait]
impl Fetch for Faults {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        if !self.spec.delay().is_zero() {
            self.wait(&request, self.spec.delay()).await?;
        }
        let host = || request.url.host().to_owned();
        match self.spec.choose(number) {
            None => self.inner.fetch(request).await,
            Some(Fault::Status(status)) => Ok(fault_status(&self.spec, status, number)),
            Some(Fault::Html) => Ok(fault_page()),
            Some(Fault::Timeout) => {
                self.wait(&request, Duration::MAX).await?;
                self.inner.fetch(request).await
            }
            Some(Fault::Drip) => {
                self.wait(&request, DRIP).await?;
                self.inner.fetch(request).await
            }
            Some(Fault::Cut) => {
                let host = host();
                let received = self.inner.fetch(request).await?.body.len() as u64 / 2;
                Err(FetchError::Cut { host, received })
            }
            Some(Fault::Garbage) => {
                let response = self.inner.fetch(request).await?;
                let body = self.spec.garbage(number, response.body.len().max(16));
                Ok(Response { body: body.into(), ..response })
            }
            Some(Fault::Endless) => Err(FetchError::TooLarge { host: host(), limit: 64 * 1024 * 1024 }),
        }
    }
}

/// The answer of a [`Fault::Status`].
pub(crate) fn fault_status(spec: &FaultSpec, status: u16, number: u64) -> Response {
    let response = Response::ok("a fault on purpose").with_status(status);
    if matches!(status, 429 | 503) {
        return response.with_header("retry-after", spec.retry_after(number).to_string());
    }
    response
}

/// The answer of a [`Fault::Html`].
pub(crate) fn fault_page() -> Response {
    Response::ok("<!DOCTYPE html>\n<html><body><h1>The service is being maintained</h1></body></html>\n")
        .with_header("content-type", "text/html; charset=utf-8")
}
