//! [`HostList`]: lets only requests to known hosts pass.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{Fetch, FetchError, HostPolicy, Request, Response};

/// Wraps a [`Fetch`] and lets only requests to the hosts of a [`HostPolicy`] pass. Where a redirect leads to, and
/// which address a name stands for, is known to `HttpFetch` only, which takes the same policy.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_fetch::{Fetch as _, FetchError, HostList, HostPolicy, Request, Response, Scripted, Url};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let request = Request::get(Url::parse("https://other.example/")?);
/// let inner = Scripted::new("script").answer(&request, Response::ok("data"));
/// let listed = HostList::new(Arc::new(inner), Arc::new(HostPolicy::new().allow("tides.example")?));
/// assert!(matches!(listed.fetch(request).await, Err(FetchError::Refused { .. })));
/// # Ok::<(), FetchError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct HostList {
    inner: Arc<dyn Fetch>,
    policy: Arc<HostPolicy>,
}

impl HostList {
    /// A list around `inner`.
    pub fn new(inner: Arc<dyn Fetch>, policy: Arc<HostPolicy>) -> Self {
        Self { inner, policy }
    }
}

#[async_trait]
impl Fetch for HostList {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        self.policy.check(&request.url)?;
        self.inner.fetch(request).await
    }
}
