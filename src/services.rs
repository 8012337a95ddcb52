//! [`Services`]: where the storm-surge services are, and how they are asked.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hydro_specialists::Addresses;
use leg_fetch::{
    Fetch, FetchError, HostPolicy, HttpFetch, Lifetime, Rate, Request, StackBuilder, Url, lifetime_by,
};
use serde::Deserialize;

/// Requests a second that the services bear. Tiles have no limit beside two at a time; places are looked up once a second.
const POLITE: [(&str, f64); 7] = [
    ("coops", 5.0),
    ("usgs_ogc", 5.0),
    ("usgs_nwis", 5.0),
    ("usgs_nwis_peak", 5.0),
    ("usgs_stn", 2.0),
    ("fema", 2.0),
    ("osm_places", 1.0),
];

/// What spreads the pauses between tries.
const SEED: u64 = 0;

/// What a configuration says of the services.
///
/// ```toml
/// [services]
/// address = "http://127.0.0.1:8080"    # all of them below one address, as `leg services serve` has them
/// contact = "https://example.org/us"   # whom an operator may ask, in the `User-Agent`
/// cache = "/var/cache/leg"             # where answers are kept
/// at = { coops = "https://mirror.example.org" }
/// ```
#[derive(Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServicesConfig {
    /// All services below one address, each under its name.
    #[serde(default)]
    pub address: Option<String>,
    /// Single services elsewhere, by name.
    #[serde(default)]
    pub at: BTreeMap<String, String>,
    /// Whom an operator may ask.
    #[serde(default)]
    pub contact: Option<String>,
    /// The folder of answers that are kept; the user's cache folder if absent.
    #[serde(default)]
    pub cache: Option<PathBuf>,
    /// The folder of answers that are kept when nothing is said of it, and the services are the public ones.
    #[serde(skip)]
    pub default_cache: Option<PathBuf>,
    /// A key for the water data of the USGS; it stands only in the environment, as `LEG_USGS_KEY`.
    #[serde(skip)]
    pub usgs_key: Option<String>,
}

impl fmt::Debug for ServicesConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServicesConfig")
            .field("address", &self.address)
            .field("at", &self.at)
            .field("contact", &self.contact)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}

/// The services cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum ServicesError {
    /// An address is none.
    #[error("the address of {what}: {source}")]
    Address {
        /// The service.
        what: String,
        /// What is wrong.
        source: FetchError,
    },
    /// A name is no service.
    #[error("{0}")]
    Unknown(String),
    /// The client cannot start.
    #[error(transparent)]
    Client(#[from] FetchError),
}

/// Where the services are, and what asks them.
#[derive(Clone)]
pub struct Services {
    /// What asks them.
    pub fetch: Arc<dyn Fetch>,
    /// Where they are.
    pub addresses: Addresses,
    usgs_key: Option<String>,
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Services").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}

impl Services {
    /// Services at these addresses, asked through `fetch`.
    pub fn new(fetch: Arc<dyn Fetch>, addresses: Addresses) -> Self {
        Self { fetch, addresses, usgs_key: None }
    }

    /// With a key for the water data of the USGS, which raises its hourly quota. It is never shown.
    #[must_use]
    pub fn with_usgs_key(mut self, key: Option<String>) -> Self {
        self.usgs_key = key;
        self
    }

    /// The addresses that are not the public ones, without secrets: what a replay needs to know of a run.
    pub fn moved(&self) -> BTreeMap<String, String> {
        let public = Addresses::public().ok();
        let own = Addresses::names().map(|name| (name, self.addresses.get(name)));
        own.filter(|(name, own)| public.as_ref().is_none_or(|public| public.get(name) != *own))
            .map(|(name, own)| (name.to_owned(), own.to_string()))
            .collect()
    }

    /// The tools and agents that ask them.
    pub fn specialists(&self) -> hydro_specialists::Specialists {
        hydro_specialists::all_with(&self.fetch, &self.addresses, self.usgs_key.as_deref())
    }

    /// The services of a configuration, over the network.
    ///
    /// # Errors
    /// [`ServicesError`] for addresses that are none, and names that are no services.
    pub fn open(config: &ServicesConfig) -> Result<Self, ServicesError> {
        let read = |what: &str, text: &str| {
            Url::parse(text).map_err(|source| ServicesError::Address { what: what.to_owned(), source })
        };
        let mut addresses = match &config.address {
            Some(base) => Addresses::below(&read("the services", base)?),
            None => Addresses::public()?,
        };
        for (name, address) in &config.at {
            addresses = addresses
                .with(name, read(&format!("service `{name}`"), address)?)
                .map_err(ServicesError::Unknown)?;
        }
        let public = Addresses::public()?.hosts();
        let mut policy = HostPolicy::new();
        for host in addresses.hosts() {
            // Who configures a host of their own may have it in their own network.
            policy =
                if public.contains(&host) { policy.allow(&host)? } else { policy.allow_private(&host)? };
        }
        let policy = Arc::new(policy);
        let mut client = HttpFetch::builder(Arc::clone(&policy));
        if let Some(contact) = &config.contact {
            client = client.contact(contact);
        }
        let mut stack = StackBuilder::new(Arc::new(client.build()?), policy, SEED);
        for (service, per_second) in POLITE {
            stack = stack.rate(addresses.get(service).host(), Rate::per_second(per_second));
        }
        // What a test server or a recording answered yesterday need not be what it answers today.
        let public_ones = config.address.is_none() && config.at.is_empty();
        let cache = config.cache.as_ref().or(config.default_cache.as_ref().filter(|_| public_ones));
        if let Some(folder) = cache {
            stack = stack.cache(folder.clone(), lifetime_by(lifetime));
        }
        Ok(Self::new(stack.build(), addresses).with_usgs_key(config.usgs_key.clone()))
    }
}

/// How long an answer is kept: what is over for ever, lists and maps for a week, the newest values for a minute, windows of
/// values, which may still be corrected, for a day.
fn lifetime(request: &Request) -> Lifetime {
    const MINUTE: Duration = Duration::from_mins(1);
    const DAY: Duration = Duration::from_hours(24);
    let url = &request.url;
    let path = url.path();
    let has = |parts: &[&str]| parts.iter().any(|part| path.contains(part));
    let newest = url.query().iter().any(|(name, value)| {
        name == "list-type" || (name == "date" && matches!(value.as_str(), "latest" | "today" | "recent"))
    });
    if newest || has(&["CurrentStorms", "/text/", "NHC_tropical_weather", "latest-", "/btk/", "/aid_public/"])
    {
        Lifetime::For(MINUTE)
    } else if has(&["/archive/", "stofs_2d_glo.", "stofs_3d_atl."]) {
        Lifetime::Forever
    } else if has(&[
        "mdapi/",
        "dpapi/",
        "hurdat",
        "monitoring-locations",
        "NFHL",
        "/search",
        "/reverse",
        ".png",
        "/tile/",
    ]) {
        Lifetime::For(7 * DAY)
    } else {
        Lifetime::For(DAY)
    }
}
