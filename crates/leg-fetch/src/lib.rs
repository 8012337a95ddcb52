//! The HTTP port with its wrappers: retry, rate limit, cache, host list, scripted answers and cassettes.
//!
//! - [`Fetch`] is the port: a [`Request`] in, a [`Response`] or a [`FetchError`] out.
//! - [`Url`] is an address that hides its secrets whenever it is shown.
//! - `HttpFetch` asks the real network (feature `reqwest`), and only the hosts of a [`HostPolicy`].
//! - [`Cache`], [`Retry`], [`RateLimit`] and [`HostList`] wrap any [`Fetch`]; [`StackBuilder`] puts them together in the
//!   right order.
//! - [`Scripted`] answers from a list: the form for tests, and what a cassette is replayed with.
//! - [`Recorder`] wraps any [`Fetch`] and keeps what passes in a [`Cassette`], without secrets.
//! - [`Faults`] lets answers go wrong as a [`FaultSpec`] tells, and so does `Server`, a small server on the loopback
//!   interface (feature `serve`).
//!
//! Time comes from [`leg_core::Clock`] and waits go through [`Sleep`], so that tests wait for nothing; chance comes from
//! seeds. The crate knows no service's address or schema.
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
mod stack;
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
pub use stack::StackBuilder;
pub use url::Url;
