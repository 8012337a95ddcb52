//! [`Cache`]: keeps answers in a folder.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use leg_core::{Clock, SystemClock};

use crate::cache_entry::{CacheEntry, key};
use crate::redact::Secrets;
use crate::{CachePolicy, Fetch, FetchError, Lifetime, Method, Request, Response};

/// The header that tells whether an answer came from the cache: `hit` when the server was not asked, `revalidated`
/// when it said that the kept one is still right. An answer from the server does not have it.
pub const CACHE_HEADER: &str = "x-leg-cache";

/// Headers that make a request one of a certain user, or a question about a version that only the caller knows.
const NOT_CACHED: [&str; 6] =
    ["authorization", "cookie", "if-match", "if-modified-since", "if-none-match", "if-unmodified-since"];

/// Wraps a [`Fetch`] and keeps answers of status 200 and 206 to GET and HEAD in a folder, as long as a
/// [`CachePolicy`] tells. An older one is asked for with its `ETag` or `Last-Modified`; the answer 304 makes it new.
///
/// - An entry is found by method, address without secrets and `application`, range, and accepted form.
/// - [`CACHE_HEADER`] tells where an answer came from. One from the cache has the headers of
///   [`is_kept_header`](crate::is_kept_header) only.
/// - Files are written whole or not at all, and checked by a digest: a broken one is asked for again.
/// - Answers to requests with credentials in a header, and answers that repeat a secret, are not kept.
/// - A folder that cannot be written does not stop a request; [`Cache::write_failures`] counts.
/// - Nothing is ever deleted: the folder is the caller's.
///
/// # Cancel safety
/// When dropped, an answer may not be kept; no half file is read.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_fetch::{CACHE_HEADER, Cache, Fetch as _, Lifetime, Lifetimes, Request, Response, Scripted, Url};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let folder = tempfile::tempdir()?;
/// let request = Request::get(Url::parse("https://tides.example/archive")?);
/// let inner = Arc::new(Scripted::new("script").answer(&request, Response::ok("data")));
/// let policy = Arc::new(Lifetimes::new(Lifetime::Forever));
/// let cache = Cache::new(Arc::clone(&inner) as _, folder.path(), policy);
/// assert_eq!(cache.fetch(request.clone()).await?.header(CACHE_HEADER), None);
/// assert_eq!(cache.fetch(request).await?.header(CACHE_HEADER), Some("hit"));
/// assert_eq!(inner.asked().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct Cache {
    inner: Arc<dyn Fetch>,
    folder: PathBuf,
    policy: Arc<dyn CachePolicy>,
    clock: Arc<dyn Clock>,
    write_failures: AtomicU64,
}

impl Cache {
    /// A cache around `inner` in a folder, which is made when it is not there.
    pub fn new(inner: Arc<dyn Fetch>, folder: impl Into<PathBuf>, policy: Arc<dyn CachePolicy>) -> Self {
        let (folder, clock) = (folder.into(), Arc::new(SystemClock));
        Self { inner, folder, policy, clock, write_failures: AtomicU64::new(0) }
    }

    /// Sets the clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// How many answers could not be written.
    pub fn write_failures(&self) -> u64 {
        self.write_failures.load(Ordering::Relaxed)
    }

    /// Asks the server, which has no word about where an answer came from.
    async fn ask(&self, request: Request) -> Result<Response, FetchError> {
        let mut response = self.inner.fetch(request).await?;
        response.headers.remove(CACHE_HEADER);
        Ok(response)
    }

    async fn read(&self, key: &str) -> Option<CacheEntry> {
        let (folder, key) = (self.folder.clone(), key.to_owned());
        // A reader that was stopped found nothing.
        tokio::task::spawn_blocking(move || CacheEntry::read(&folder, &key)).await.ok().flatten()
    }

    async fn write(&self, key: String, entry: CacheEntry) {
        let folder = self.folder.clone();
        let written = tokio::task::spawn_blocking(move || entry.write(&folder, &key)).await;
        if !matches!(written, Ok(Ok(()))) {
            self.write_failures.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[async_trait]
impl Fetch for Cache {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let lifetime = self.policy.lifetime(&request);
        let bypassed = request
            .headers
            .keys()
            .any(|name| NOT_CACHED.iter().any(|personal| name.eq_ignore_ascii_case(personal)));
        if lifetime == Lifetime::Never || bypassed || request.method == Method::Post {
            return self.ask(request).await;
        }
        let key = key(&request);
        let kept = self.read(&key).await;
        if let Some(entry) = &kept
            && lifetime.covers(self.clock.now_nanos().saturating_sub(entry.checked_nanos))
        {
            return Ok(entry.response.clone().with_header(CACHE_HEADER, "hit"));
        }
        let asked =
            kept.as_ref().map_or_else(|| request.clone(), |entry| conditional(&request, &entry.response));
        let response = self.ask(asked).await?;
        if let Some(entry) = kept.filter(|_| response.status == 304) {
            let entry =
                CacheEntry { checked_nanos: self.clock.now_nanos(), response: renewed(entry, &response) };
            self.write(key, entry.clone()).await;
            return Ok(entry.response.with_header(CACHE_HEADER, "revalidated"));
        }
        if matches!(response.status, 200 | 206) && !repeats_a_secret(&request, &response) {
            self.write(key, CacheEntry::new(&response, self.clock.now_nanos())).await;
        }
        Ok(response)
    }
}

/// The request that asks whether the kept answer is unchanged; without a validator, the request as it is.
fn conditional(request: &Request, kept: &Response) -> Request {
    let mut request = request.clone();
    for (validator, question) in [("etag", "if-none-match"), ("last-modified", "if-modified-since")] {
        if let Some(value) = kept.header(validator) {
            request = request.with_header(question, value);
        }
    }
    request
}

/// The kept answer with what the server said about it now, such as its new date.
fn renewed(kept: CacheEntry, unchanged: &Response) -> Response {
    let now = CacheEntry::new(unchanged, 0).response.headers;
    let mut response = kept.response;
    response.headers.extend(now.into_iter().filter(|(name, _)| !name.starts_with("content-")));
    response
}

fn repeats_a_secret(request: &Request, response: &Response) -> bool {
    let secrets = Secrets::of(request);
    secrets.are_in(&response.body) || response.headers.values().any(|value| secrets.are_in(value.as_bytes()))
}
