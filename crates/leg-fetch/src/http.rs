//! [`HttpFetch`]: asks the real network. No other file knows the HTTP client.

use std::collections::BTreeMap;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{HeaderMap, LOCATION};
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt;

use crate::body::{Body, Problem};
use crate::redact::{Secrets, is_kept_header};
use crate::resolver::permitted;
use crate::{Fetch, FetchError, HostPolicy, Method, Request, Resolver, Response, SystemResolver, Url};

/// How many redirects are followed.
const REDIRECTS: u32 = 5;
/// Headers that the client itself writes.
const OWN: [&str; 4] = ["connection", "content-length", "host", "transfer-encoding"];

/// A client for the real network: HTTP/1.1 and HTTP/2, TLS by rustls over `ring` with the trust store of the system,
/// gzip, no proxy, no cookies.
///
/// - Only hosts of its [`HostPolicy`] are asked, also after a redirect, and only at permitted addresses.
/// - The time limit is for the whole exchange: all redirects and the body.
/// - A body that is too large, unpacked, or that breaks off is an error, never a short success. A server that
///   announces no length and does not send in chunks cannot be checked.
/// - Redirects to another origin lose all headers that may be secrets; those from `https` to `http` are refused.
/// - A request that sets `accept-encoding` itself gets the body as it was sent.
///
/// # Cancel safety
/// Dropping the future ends the exchange.
///
/// ```
/// use leg_fetch::{Fetch as _, FetchError, HostPolicy, HttpFetch, Request, Url};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let policy = HostPolicy::new().allow("api.tidesandcurrents.noaa.gov")?;
/// let http = HttpFetch::builder(policy).contact("https://example.org/about").build()?;
/// let other = Request::get(Url::parse("http://169.254.169.254/latest/meta-data")?);
/// assert!(matches!(http.fetch(other).await, Err(FetchError::Refused { .. })));
/// # Ok::<(), FetchError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct HttpFetch {
    /// For hosts at public addresses.
    public: reqwest::Client,
    /// For hosts that may be private.
    private: reqwest::Client,
    policy: Arc<HostPolicy>,
    connect_timeout: Duration,
    timeout: Duration,
    body_limit: u64,
}

/// Sets up a [`HttpFetch`].
#[derive(Debug)]
pub struct HttpBuilder {
    policy: Arc<HostPolicy>,
    resolver: Arc<dyn Resolver>,
    user_agent: String,
    connect_timeout: Duration,
    timeout: Duration,
    body_limit: u64,
}

impl HttpBuilder {
    /// Sets an address under which the user can be reached, as public services ask for. It is sent with every
    /// request: `leg-hydro/0.1.0 (+https://example.org/about)`.
    #[must_use]
    pub fn contact(self, contact: &str) -> Self {
        self.user_agent(format!("leg-hydro/{} (+{contact})", env!("CARGO_PKG_VERSION")))
    }

    /// Sets the whole `User-Agent`.
    #[must_use]
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.user_agent = user_agent.into();
        self
    }

    /// Sets the time for a connection; 10 s without it.
    #[must_use]
    pub const fn connect_timeout(mut self, time: Duration) -> Self {
        self.connect_timeout = time;
        self
    }

    /// Sets the time for an exchange whose [`Request::timeout`] is not set; 30 s without it.
    #[must_use]
    pub const fn timeout(mut self, time: Duration) -> Self {
        self.timeout = time;
        self
    }

    /// Sets the largest body, unpacked, in bytes; 64 MiB without it.
    #[must_use]
    pub const fn body_limit(mut self, bytes: u64) -> Self {
        self.body_limit = bytes;
        self
    }

    /// Sets who finds the addresses of hosts; the system without it.
    #[must_use]
    pub fn resolver(mut self, resolver: Arc<dyn Resolver>) -> Self {
        self.resolver = resolver;
        self
    }

    /// The client.
    ///
    /// # Errors
    /// [`FetchError::Setup`] when the trust store cannot be read or the `User-Agent` cannot be sent.
    pub fn build(self) -> Result<HttpFetch, FetchError> {
        let fail = |reason: &dyn Error| FetchError::Setup { reason: reason.to_string() };
        // The provider is named here, so that no global one is needed.
        let mut tls = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(BuilderVerifierExt::with_platform_verifier)
            .map_err(|error| fail(&error))?
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let client = |private| {
            reqwest::Client::builder()
                .tls_backend_preconfigured(tls.clone())
                .user_agent(&self.user_agent)
                .connect_timeout(self.connect_timeout)
                .dns_resolver(Guarded { resolver: Arc::clone(&self.resolver), private })
                .redirect(reqwest::redirect::Policy::none())
                .referer(false)
                .no_proxy()
                .build()
                .map_err(|error| fail(&error))
        };
        Ok(HttpFetch {
            public: client(false)?,
            private: client(true)?,
            policy: self.policy,
            connect_timeout: self.connect_timeout,
            timeout: self.timeout,
            body_limit: self.body_limit,
        })
    }
}

/// Finds addresses and keeps the permitted ones.
struct Guarded {
    resolver: Arc<dyn Resolver>,
    private: bool,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let (resolver, private) = (Arc::clone(&self.resolver), self.private);
        Box::pin(async move {
            let found = permitted(resolver.as_ref(), name.as_str(), private).await?;
            // The client puts the port of the address in the place of 0.
            let addresses: Addrs = Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}

impl HttpFetch {
    /// A client that asks the hosts of this policy.
    pub fn builder(policy: impl Into<Arc<HostPolicy>>) -> HttpBuilder {
        HttpBuilder {
            policy: policy.into(),
            resolver: Arc::new(SystemResolver),
            user_agent: format!("leg-hydro/{}", env!("CARGO_PKG_VERSION")),
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(30),
            body_limit: 64 * 1024 * 1024,
        }
    }

    async fn follow(&self, mut request: Request) -> Result<Response, FetchError> {
        let first = request.url.host().to_owned();
        for _ in 0..=REDIRECTS {
            let response = self.send(&request).await?;
            match redirect(&request, response.status().as_u16(), response.headers())? {
                Some(next) => request = next,
                None => return self.read(&request, response).await,
            }
        }
        Err(FetchError::Redirects { host: first, limit: REDIRECTS })
    }

    async fn send(&self, request: &Request) -> Result<reqwest::Response, FetchError> {
        self.policy.check(&request.url)?;
        let url = same_address(&request.url)?;
        let client = if self.policy.allows_private(&request.url) { &self.private } else { &self.public };
        let mut builder = match request.method {
            Method::Get => client.get(url),
            Method::Head => client.head(url),
            Method::Post => client.post(url).body(request.body.clone()),
        };
        for (name, value) in request.headers.iter().filter(|(name, _)| !is_own_header(name)) {
            builder = builder.header(name, value);
        }
        if unpacks(request) {
            builder = builder.header("accept-encoding", "gzip");
        }
        builder.send().await.map_err(|error| self.failed(request, error))
    }

    async fn read(&self, request: &Request, mut response: reqwest::Response) -> Result<Response, FetchError> {
        let host = || request.url.host().to_owned();
        let status = response.status().as_u16();
        let mut headers = texts(response.headers());
        let packed = headers.get("content-encoding").is_some_and(|text| text.eq_ignore_ascii_case("gzip"));
        let gzip = packed && unpacks(request) && request.method != Method::Head;
        let announced = response.content_length().filter(|_| request.method != Method::Head);
        if announced.is_some_and(|length| length > self.body_limit) {
            return Err(FetchError::TooLarge { host: host(), limit: self.body_limit });
        }
        let mut body = Body::new(gzip && announced != Some(0), self.body_limit);
        let mut received = 0;
        let fail = |problem, received| match problem {
            Problem::TooLarge => FetchError::TooLarge { host: host(), limit: self.body_limit },
            Problem::Broken => FetchError::Cut { host: host(), received },
        };
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => {
                    received += chunk.len() as u64;
                    body.push(&chunk).map_err(|problem| fail(problem, received))?;
                }
                Ok(None) => break,
                Err(_) => return Err(FetchError::Cut { host: host(), received }),
            }
        }
        if announced.is_some_and(|length| length != received) {
            return Err(FetchError::Cut { host: host(), received });
        }
        let body = body.finish().map_err(|problem| fail(problem, received))?;
        if gzip {
            headers.remove("content-encoding");
            headers.remove("content-length");
        }
        Ok(Response { status, headers, body: body.into() })
    }

    /// Why there is no answer; never with the address, which may hold a secret.
    fn failed(&self, request: &Request, error: reqwest::Error) -> FetchError {
        let error = error.without_url();
        let mut reason = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            if let Some(own) = cause.downcast_ref::<FetchError>() {
                return own.clone();
            }
            reason = cause.to_string();
            source = cause.source();
        }
        if error.is_builder() {
            return FetchError::Url { reason: "a header holds what cannot be sent" };
        }
        if error.is_timeout() {
            return FetchError::timeout(&request.url, self.connect_timeout);
        }
        let reason = Secrets::of(request).scrub_text(&reason);
        FetchError::Unreachable { host: request.url.host().to_owned(), reason }
    }
}

#[async_trait]
impl Fetch for HttpFetch {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let limit = request.timeout.unwrap_or(self.timeout);
        let url = request.url.clone();
        let secrets = Secrets::of(&request);
        match tokio::time::timeout(limit, Box::pin(self.follow(request))).await {
            // A redirect may lead to a host whose name repeats what was asked.
            Ok(Err(FetchError::Refused { host, reason })) => {
                Err(FetchError::Refused { host: secrets.scrub_text(&host), reason })
            }
            Ok(answer) => answer,
            Err(_) => Err(FetchError::timeout(&url, limit)),
        }
    }
}

/// The address for the client. What was checked and what is asked must be the same host: `http://a\@b/` is read in
/// two ways, and `http://127.1/` is a way to write 127.0.0.1.
fn same_address(url: &Url) -> Result<reqwest::Url, FetchError> {
    let fail = |reason| FetchError::Url { reason };
    let read = reqwest::Url::parse(&url.expose()).map_err(|_| fail("it is no valid address"))?;
    let same = read.host_str() == Some(url.host()) && read.port_or_known_default() == url.port();
    if same { Ok(read) } else { Err(fail("its host is not written in the usual way")) }
}

fn is_own_header(name: &str) -> bool {
    OWN.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Whether the client asks for a packed body and unpacks it. The range of a packed body would be another one.
fn unpacks(request: &Request) -> bool {
    let asks = |own: &str| request.headers.keys().any(|name| name.eq_ignore_ascii_case(own));
    !asks("accept-encoding") && !asks("range")
}

/// The request that a redirect asks for.
fn redirect(request: &Request, status: u16, headers: &HeaderMap) -> Result<Option<Request>, FetchError> {
    let Some(location) = headers.get(LOCATION).filter(|_| matches!(status, 301 | 302 | 303 | 307 | 308))
    else {
        return Ok(None);
    };
    let refuse = |reason: &str| FetchError::Refused {
        host: request.url.host().to_owned(),
        reason: format!("it redirects {reason}; check the address"),
    };
    let target = location
        .to_str()
        .ok()
        .and_then(|text| same_address(&request.url).ok()?.join(text).ok())
        .and_then(|target| Url::parse(target.as_str()).ok())
        .ok_or_else(|| refuse("to what is no web address"))?;
    if request.url.is_https() && !target.is_https() {
        return Err(refuse("from an encrypted connection to an open one"));
    }
    let mut next = request.clone();
    if request.method == Method::Post && !matches!(status, 307 | 308) {
        next.method = Method::Get;
        next.body.clear();
        next.headers.retain(|name, _| !name.starts_with("content-"));
    }
    let origin = |url: &Url| (url.is_https(), url.host().to_owned(), url.port());
    if origin(&target) != origin(&request.url) {
        next.headers.retain(|name, _| is_kept_header(name));
    }
    next.url = target;
    Ok(Some(next))
}

fn texts(headers: &HeaderMap) -> BTreeMap<String, String> {
    let mut out: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        out.entry(name.as_str().to_owned())
            .and_modify(|all| all.extend([", ", value.as_ref()]))
            .or_insert_with(|| value.clone().into_owned());
    }
    out
}
