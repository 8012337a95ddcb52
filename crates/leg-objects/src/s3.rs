//! [`S3Bucket`]: where a bucket is, and the keys to it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, S3ConditionalPut};
use object_store::{BackoffConfig, RetryConfig};

use crate::connector::RingConnector;
use crate::{BucketObjects, OpenError};

/// An S3-compatible bucket.
///
/// Nothing is read from the environment and no metadata service is asked: what is not given here does not exist.
///
/// ```
/// use leg_objects::{Credentials, S3Bucket};
///
/// let mut bucket = S3Bucket::new("ocean-runs");
/// bucket.prefix = "team/objects".to_owned();
/// bucket.endpoint = Some("https://minio.example:9000".to_owned());
/// bucket.credentials = Some(Credentials::new("key id", "secret"));
/// let store = bucket.open()?;
/// assert!(!format!("{bucket:?} {store:?}").contains("secret\""));
/// # Ok::<(), leg_objects::OpenError>(())
/// ```
#[derive(Debug, Clone)]
pub struct S3Bucket {
    /// The bucket.
    pub bucket: String,
    /// A path below which objects are kept; empty for the whole bucket.
    pub prefix: String,
    /// The region that requests are signed for.
    pub region: String,
    /// The service, for anything but AWS itself: `https://host[:port]`.
    pub endpoint: Option<String>,
    /// The keys; without them requests are not signed, which public buckets accept.
    pub credentials: Option<Credentials>,
    /// Whether `http://` endpoints are accepted. Use it for a service on this machine only.
    pub allow_http: bool,
    /// How often a request is repeated after an error of the service or the network. Default: 4.
    pub retries: usize,
    /// How long a connection may take to be made. Default: 5 s.
    pub connect_timeout: Duration,
    /// How long one request may take, its body included. Default: 2 min.
    pub request_timeout: Duration,
}

/// The keys to a bucket. `Debug` shows nothing of them.
#[derive(Clone)]
pub struct Credentials {
    key_id: String,
    secret: String,
    token: Option<String>,
}

impl Credentials {
    /// A key and its secret.
    pub fn new(key_id: impl Into<String>, secret: impl Into<String>) -> Self {
        Self { key_id: key_id.into(), secret: secret.into(), token: None }
    }

    /// Adds the token of a session.
    #[must_use]
    pub fn with_token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(hidden)")
    }
}

impl S3Bucket {
    /// A bucket of AWS in `us-east-1`, whole, without keys.
    pub fn new(bucket: impl Into<String>) -> Self {
        Self {
            bucket: bucket.into(),
            prefix: String::new(),
            region: "us-east-1".to_owned(),
            endpoint: None,
            credentials: None,
            allow_http: false,
            retries: 4,
            connect_timeout: Duration::from_secs(5),
            request_timeout: Duration::from_mins(2),
        }
    }

    /// The objects of the bucket. Nothing is asked of the service yet.
    ///
    /// # Errors
    /// [`OpenError`] for settings that do not fit.
    pub fn open(&self) -> Result<BucketObjects, OpenError> {
        let address = format!("s3://{}/{}", self.bucket, self.prefix);
        let fail = |reason: &str| OpenError::Settings { address: address.clone(), reason: reason.to_owned() };
        if self.bucket.is_empty() {
            return Err(fail("a bucket needs a name"));
        }
        let connector = RingConnector {
            allow_http: self.allow_http,
            connect_timeout: self.connect_timeout,
            request_timeout: self.request_timeout,
        };
        let retry = RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries: self.retries,
            retry_timeout: Duration::from_mins(2),
        };
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&self.bucket)
            .with_region(&self.region)
            .with_allow_http(self.allow_http)
            .with_conditional_put(S3ConditionalPut::ETagMatch)
            .with_retry(retry)
            .with_http_connector(connector);
        if let Some(endpoint) = &self.endpoint {
            let authority = endpoint.split_once("://").map_or(endpoint.as_str(), |(_, rest)| rest);
            // It would stand in every message.
            if authority.split('/').next().is_some_and(|host| host.contains('@')) {
                return Err(fail("the endpoint holds a user or a password; give them as `credentials`"));
            }
            if !self.allow_http && !endpoint.starts_with("https://") {
                return Err(fail("the endpoint is not `https://…`; use one, or set `allow_http`"));
            }
            builder = builder.with_endpoint(endpoint);
        }
        builder = match &self.credentials {
            Some(Credentials { key_id, secret, token }) => {
                let signed = builder.with_access_key_id(key_id).with_secret_access_key(secret);
                match token {
                    Some(token) => signed.with_token(token),
                    None => signed,
                }
            }
            None => builder.with_skip_signature(true),
        };
        let backend = builder.build().map_err(|error| fail(&error.to_string()))?;
        let store = BucketObjects::over(Arc::new(backend), &self.prefix, &address)?;
        Ok(match &self.credentials {
            Some(keys) => store.hiding(
                [&keys.key_id, &keys.secret].into_iter().chain(keys.token.as_ref()).map(String::clone),
            ),
            None => store,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_settings_that_would_leak_or_cannot_work() {
        let endpoint =
            |endpoint: &str| S3Bucket { endpoint: Some(endpoint.to_owned()), ..S3Bucket::new("b") };
        for (bucket, expected) in [
            (S3Bucket::new(""), "needs a name"),
            (endpoint("http://127.0.0.1:9000"), "allow_http"),
            (endpoint("https://user:hunter2@host"), "give them as `credentials`"),
        ] {
            let message = bucket.open().unwrap_err().to_string();
            assert!(message.contains(expected) && !message.contains("hunter2"), "{message}");
        }
        assert!(endpoint("https://host:9000/path@x").open().is_ok());
    }
}
