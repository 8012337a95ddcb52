//! [`Recorder`]: lets requests pass and keeps them.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::{Cassette, Fetch, FetchError, Interaction, Request, RequestKey, Response};

/// Wraps a [`Fetch`] and keeps every answer, without secrets. The caller gets the answer as it came; a request
/// that got no answer is not kept.
#[derive(Debug)]
pub struct Recorder {
    inner: Arc<dyn Fetch>,
    kept: Mutex<Vec<(RequestKey, Interaction)>>,
}

impl Recorder {
    /// A recorder around `inner`.
    pub fn new(inner: Arc<dyn Fetch>) -> Self {
        Self { inner, kept: Mutex::default() }
    }

    /// What was kept so far, ordered by request, so that two recordings of the same work are alike.
    pub fn cassette(&self) -> Cassette {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        kept.sort_by(|a, b| a.0.cmp(&b.0));
        Cassette::new(kept.into_iter().map(|(_, interaction)| interaction).collect())
    }
}

#[async_trait]
impl Fetch for Recorder {
    /// # Cancel safety
    /// When dropped, nothing is kept of the request.
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let response = self.inner.fetch(request.clone()).await?;
        let interaction = Interaction::of(&request, &response);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((RequestKey::of(&request), interaction));
        Ok(response)
    }
}
