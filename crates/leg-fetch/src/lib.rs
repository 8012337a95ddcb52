//! The HTTP port with its wrappers: scripted answers and cassettes.
//!
//! - [`Fetch`] is the port: a [`Request`] in, a [`Response`] or a [`FetchError`] out.
//! - [`Url`] is an address that hides its secrets whenever it is shown.
//! - [`Scripted`] answers from a list: the form for tests, and what a cassette is replayed with.
//! - [`Recorder`] wraps any [`Fetch`] and keeps what passes in a [`Cassette`], without secrets.
//!
//! The crate knows no service's address or schema, and has no HTTP client of its own yet.
//!
//! ```
//! use leg_fetch::{Fetch as _, Request, Response, Scripted, Url};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let url = Url::parse("https://example.org/levels")?.with_query("station", "8518750");
//! let fetch = Scripted::new("example").answer(&Request::get(url.clone()), Response::json("{}"));
//! assert_eq!(fetch.fetch(Request::get(url)).await?.status, 200);
//! # Ok::<(), leg_fetch::FetchError>(())
//! # }).unwrap();
//! ```

mod address;
#[cfg(feature = "reqwest")]
mod body;
mod cache;
mod cache_entry;
mod cassette;
mod dice;
mod fault_spec;
mod faults;
mod fetch;
mod host_list;
mod host_policy;
#[cfg(feature = "reqwest")]
mod http;
mod lifetime;
mod rate_limit;
mod record;
mod redact;
mod request_key;
#[cfg(feature = "reqwest")]
mod resolver;
#[cfg(feature = "serve")]
mod respond;
mod retry;
mod scripted;
#[cfg(feature = "serve")]
mod server;
mod sleep;
mod url;
#[cfg(feature = "serve")]
mod wire;

pub use address::is_public;
pub use cache::{CACHE_HEADER, Cache};
pub use cassette::{Cassette, CassetteError, Interaction, RecordedBody, RecordedRequest, RecordedResponse};
pub use fault_spec::{Fault, FaultSpec, FaultSpecError};
pub use faults::Faults;
pub use fetch::{Fetch, FetchError, Method, Request, Response};
pub use host_list::HostList;
pub use host_policy::HostPolicy;
#[cfg(feature = "reqwest")]
pub use http::{HttpBuilder, HttpFetch};
pub use lifetime::{CachePolicy, Lifetime, Lifetimes, lifetime_by};
pub use rate_limit::{Rate, RateLimit};
pub use record::Recorder;
pub use redact::{REDACTED, is_kept_header, is_secret_name};
pub use request_key::RequestKey;
#[cfg(feature = "reqwest")]
pub use resolver::{Resolver, SystemResolver};
#[cfg(feature = "serve")]
pub use respond::{Respond, respond_with};
pub use retry::Retry;
pub use scripted::Scripted;
#[cfg(feature = "serve")]
pub use server::{Logged, Server, ServerBuilder};
pub use sleep::{NoSleep, Sleep, TokioSleep};
pub use url::Url;
