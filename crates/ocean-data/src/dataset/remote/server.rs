//! The client for one server or bucket.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{BackoffConfig, ObjectStore, RetryConfig};

use super::address::Address;
use super::connector::RingConnector;
use crate::dataset::options::RemoteOptions;

/// The region that requests are signed for when none is said.
const REGION: &str = "us-east-1";

/// A client for the server of an address.
pub(super) fn client(address: &Address, options: &RemoteOptions) -> Result<Arc<dyn ObjectStore>, String> {
    let retry = RetryConfig {
        backoff: BackoffConfig { init_backoff: Duration::from_millis(100), ..BackoffConfig::default() },
        max_retries: options.retries,
        retry_timeout: Duration::from_mins(2),
    };
    if address.scheme == "s3" {
        let region = options.s3.region.as_deref().unwrap_or(REGION);
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&address.host)
            .with_region(region)
            .with_retry(retry)
            .with_http_connector(RingConnector);
        if let Some(endpoint) = &options.s3.endpoint {
            builder = builder.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http://"));
        }
        builder = match &options.s3.credentials {
            Some(keys) => {
                let signed = builder.with_access_key_id(&keys.key_id).with_secret_access_key(&keys.secret);
                match &keys.token {
                    Some(token) => signed.with_token(token),
                    None => signed,
                }
            }
            // Nothing is read from the environment, and no metadata service is asked.
            None => builder.with_skip_signature(true),
        };
        return Ok(Arc::new(builder.build().map_err(|error| error.to_string())?));
    }
    let query = address.query.as_ref().map_or(String::new(), |query| format!("?{query}"));
    let store = HttpBuilder::new()
        .with_url(format!("{}://{}/{query}", address.scheme, address.host))
        .with_retry(retry)
        .with_http_connector(RingConnector)
        .build();
    Ok(Arc::new(store.map_err(|error| error.to_string())?))
}

/// The path of an address on its server.
pub(super) fn path(address: &Address) -> Result<Path, String> {
    Path::from_url_path(&address.path).map_err(|error| error.to_string())
}
