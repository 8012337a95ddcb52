//! [`HostPolicy`]: which hosts may be asked.

use std::collections::BTreeMap;
use std::net::IpAddr;

use crate::{FetchError, Url, is_public};

/// The hosts of the approved plan. `host` stands for every port of it, `host:port` for one.
///
/// A host may also be a name for an address inside a private network: that is refused, because a service of the
/// public internet has none there, unless [`allow_private`](Self::allow_private) says that this one may.
///
/// ```
/// use leg_fetch::{HostPolicy, Url};
///
/// let policy = HostPolicy::new().allow("tides.example")?.allow_private("127.0.0.1:8080")?;
/// policy.check(&Url::parse("https://tides.example/levels")?)?;
/// policy.check(&Url::parse("http://127.0.0.1:8080/")?)?;
///
/// let error = policy.check(&Url::parse("https://other.example/?token=secret")?).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`other.example` was not asked: it is not one of the hosts of the approved plan (127.0.0.1:8080, \
///      tides.example); approve a plan that names it"
/// );
/// # Ok::<(), leg_fetch::FetchError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostPolicy {
    /// Whether private addresses are allowed, by host and port.
    hosts: BTreeMap<(String, Option<u16>), bool>,
}

impl HostPolicy {
    /// No host may be asked.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows a `host` or `host:port` on the public internet. A host that may be private already stays so.
    ///
    /// # Errors
    /// [`FetchError::Url`] when it is something else.
    pub fn allow(mut self, host: &str) -> Result<Self, FetchError> {
        self.hosts.entry(entry(host)?).or_insert(false);
        Ok(self)
    }

    /// Allows a `host` or `host:port` also when it stands for an address inside a private network, such as a
    /// server of the same machine.
    ///
    /// # Errors
    /// [`FetchError::Url`] when it is something else.
    pub fn allow_private(mut self, host: &str) -> Result<Self, FetchError> {
        self.hosts.insert(entry(host)?, true);
        Ok(self)
    }

    /// Whether the address may be asked.
    ///
    /// # Errors
    /// [`FetchError::Refused`] when its host is not on the list, or is a private IP address without permission.
    pub fn check(&self, url: &Url) -> Result<(), FetchError> {
        let refuse = |reason| FetchError::Refused { host: url.host().to_owned(), reason };
        let private = self.private(url).ok_or_else(|| {
            let known: Vec<String> = self.hosts.keys().map(show).collect();
            let known = if known.is_empty() { "it has none".to_owned() } else { known.join(", ") };
            refuse(format!(
                "it is not one of the hosts of the approved plan ({known}); approve a plan that names it"
            ))
        })?;
        match url.host().trim_matches(['[', ']']).parse() {
            Ok(address) if !private && !is_public(address) => Err(refuse(not_public(address))),
            _ => Ok(()),
        }
    }

    /// Whether the host of the address may be private; none when it may not be asked at all.
    fn private(&self, url: &Url) -> Option<bool> {
        let host = url.host().to_owned();
        let port = url.port()?;
        let exact = self.hosts.get(&(host.clone(), Some(port)));
        exact.or_else(|| self.hosts.get(&(host, None))).copied()
    }

    /// Whether the host of the address may have a private IP address.
    #[cfg(feature = "reqwest")]
    pub(crate) fn allows_private(&self, url: &Url) -> bool {
        self.private(url) == Some(true)
    }
}

/// Why an IP address is refused.
pub(crate) fn not_public(address: IpAddr) -> String {
    format!(
        "its address {address} is not one of the public internet; if it is a server of your own, allow it private \
         addresses"
    )
}

fn entry(text: &str) -> Result<(String, Option<u16>), FetchError> {
    let fail = || FetchError::Url { reason: "an entry of the host list is neither `host` nor `host:port`" };
    // Read by the same rules as the addresses that are compared with it.
    let url = Url::parse(&format!("https://{text}")).map_err(|_| fail())?;
    let host = url.host().to_owned();
    let plain = url.authority() == text.to_ascii_lowercase() && !host.contains(['*', '\\', '%', ',']);
    let port = match text.get(host.len()..) {
        Some("") => None,
        Some(_) => Some(url.port().filter(|_| !text.ends_with(':')).ok_or_else(fail)?),
        None => return Err(fail()),
    };
    if plain { Ok((host, port)) } else { Err(fail()) }
}

fn show((host, port): &(String, Option<u16>)) -> String {
    port.map_or_else(|| host.clone(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(policy: &HostPolicy, url: &str) -> bool {
        policy.check(&Url::parse(url).unwrap()).is_ok()
    }

    #[test]
    fn only_the_very_host_and_port_are_allowed() {
        let policy = HostPolicy::new().allow("A.example").unwrap().allow("b.example:8080").unwrap();
        for url in
            ["https://a.example/", "http://A.EXAMPLE:81/", "http://b.example:8080/", "https://x@a.example"]
        {
            assert!(allowed(&policy, url), "{url}");
        }
        for url in [
            "https://b.example/",
            "https://sub.a.example/",
            "https://a.example.evil/",
            "https://a.example./",
            "https://a.example@evil/",
            "https://evil/a.example",
            "https://a.example:99999/",
            "https://a.example:x/",
        ] {
            assert!(!allowed(&policy, url), "{url}");
        }
    }

    #[test]
    fn private_addresses_need_a_word_of_their_own() {
        let policy = HostPolicy::new().allow("127.0.0.1").unwrap().allow("[::1]").unwrap();
        assert!(!allowed(&policy, "http://127.0.0.1/") && !allowed(&policy, "http://[::1]:80/"));
        let policy = policy.allow_private("127.0.0.1:80").unwrap().allow_private("[::1]:81").unwrap();
        assert!(allowed(&policy, "http://127.0.0.1/") && !allowed(&policy, "http://127.0.0.1:81/"));
        assert!(allowed(&policy, "http://[::1]:81/") && !allowed(&policy, "http://[::1]/"));
    }

    #[test]
    fn entries_are_plain_hosts() {
        for text in
            ["", "*", "*.example", "https://a", "a/b", "u@a", "a:", "a:b", "a:99999", "a b", "a?x", "a#x"]
        {
            assert!(HostPolicy::new().allow(text).is_err(), "{text}");
        }
    }
}
