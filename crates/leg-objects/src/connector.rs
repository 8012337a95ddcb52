//! [`RingConnector`]: HTTP connections whose TLS is rustls over `ring`.

use std::sync::Arc;
use std::time::Duration;

use object_store::ClientOptions;
use object_store::client::{HttpClient, HttpConnector};
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt;

/// Makes clients that trust what the system trusts. The provider is named here, so that no global one is needed.
#[derive(Debug)]
pub(crate) struct RingConnector {
    pub allow_http: bool,
    pub connect_timeout: Duration,
    pub request_timeout: Duration,
}

impl RingConnector {
    fn client(&self) -> Result<reqwest::Client, String> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(BuilderVerifierExt::with_platform_verifier)
            .map_err(|error| error.to_string())?
            .with_no_client_auth();
        reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .https_only(!self.allow_http)
            .connect_timeout(self.connect_timeout)
            .timeout(self.request_timeout)
            // A signed request is for one host; and only the configuration reads the environment.
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .map_err(|error| error.to_string())
    }
}

impl HttpConnector for RingConnector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = self
            .client()
            .map_err(|reason| object_store::Error::Generic { store: "S3", source: reason.into() })?;
        Ok(HttpClient::new(client))
    }
}
