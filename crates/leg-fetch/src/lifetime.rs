//! [`Lifetimes`]: how long a cached answer is taken as it is.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::Request;

/// How long a cached answer is taken without asking.
///
/// ```
/// use std::time::Duration;
///
/// use leg_fetch::Lifetime;
///
/// assert!(Lifetime::For(Duration::from_mins(1)).covers(59_999_999_999));
/// assert!(!Lifetime::For(Duration::from_mins(1)).covers(60_000_000_000));
/// assert!(Lifetime::Forever.covers(i64::MAX) && !Lifetime::Never.covers(0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// It is not kept at all.
    Never,
    /// For this time. Then the server is asked whether it is unchanged.
    For(Duration),
    /// As long as it is there: for what does not change any more.
    Forever,
}

impl Lifetime {
    /// Whether an answer of this age in nanoseconds is taken as it is. One from the future is not.
    pub fn covers(self, age_nanos: i64) -> bool {
        match self {
            Self::Never => false,
            Self::For(time) => u64::try_from(age_nanos).is_ok_and(|age| u128::from(age) < time.as_nanos()),
            Self::Forever => true,
        }
    }
}

/// Tells how long the answer to a request is good. What servers say about it in `Cache-Control` does not count: public
/// services forbid to keep what never changes, and allow to keep what does.
pub trait CachePolicy: Send + Sync + fmt::Debug {
    /// The lifetime.
    fn lifetime(&self, request: &Request) -> Lifetime;
}

/// A table of lifetimes by host and start of the path; the first entry that fits counts.
///
/// ```
/// use std::time::Duration;
///
/// use leg_fetch::{CachePolicy as _, Lifetime, Lifetimes, Request, Url};
///
/// let table = Lifetimes::new(Lifetime::Never)
///     .with("tides.example", "/archive/", Lifetime::Forever)
///     .with("tides.example", "/", Lifetime::For(Duration::from_secs(60)));
/// let lifetime = |text| Ok::<_, leg_fetch::FetchError>(table.lifetime(&Request::get(Url::parse(text)?)));
/// assert_eq!(lifetime("https://tides.example/archive/1999")?, Lifetime::Forever);
/// assert_eq!(lifetime("https://tides.example/latest")?, Lifetime::For(Duration::from_secs(60)));
/// assert_eq!(lifetime("https://other.example/")?, Lifetime::Never);
/// # Ok::<(), leg_fetch::FetchError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifetimes {
    entries: Vec<(String, String, Lifetime)>,
    other: Lifetime,
}

impl Lifetimes {
    /// A table with the lifetime of all that no entry fits.
    pub const fn new(other: Lifetime) -> Self {
        Self { entries: Vec::new(), other }
    }

    /// Adds an entry after those that are there.
    #[must_use]
    pub fn with(mut self, host: &str, path: &str, lifetime: Lifetime) -> Self {
        self.entries.push((host.to_ascii_lowercase(), path.to_owned(), lifetime));
        self
    }
}

impl CachePolicy for Lifetimes {
    fn lifetime(&self, request: &Request) -> Lifetime {
        let fits =
            |host: &str, path: &str| request.url.host() == host && request.url.path().starts_with(path);
        self.entries.iter().find(|(host, path, _)| fits(host, path)).map_or(self.other, |entry| entry.2)
    }
}

/// A policy by a function, for lifetimes that depend on the query, such as on the end of a period.
///
/// ```
/// use leg_fetch::{CachePolicy as _, Lifetime, Request, Url, lifetime_by};
///
/// let policy = lifetime_by(|request| match request.url.query().iter().any(|(name, _)| name == "date") {
///     true => Lifetime::Forever,
///     false => Lifetime::Never,
/// });
/// assert_eq!(policy.lifetime(&Request::get(Url::parse("https://h/?date=2015")?)), Lifetime::Forever);
/// # Ok::<(), leg_fetch::FetchError>(())
/// ```
pub fn lifetime_by(lifetime: impl Fn(&Request) -> Lifetime + Send + Sync + 'static) -> Arc<dyn CachePolicy> {
    Arc::new(ByFunction(lifetime))
}

struct ByFunction<F>(F);

impl<F> fmt::Debug for ByFunction<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByFunction")
    }
}

impl<F: Fn(&Request) -> Lifetime + Send + Sync> CachePolicy for ByFunction<F> {
    fn lifetime(&self, request: &Request) -> Lifetime {
        (self.0)(request)
    }
}
