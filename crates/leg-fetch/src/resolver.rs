//! [`Resolver`]: finds the addresses of a host, of which only permitted ones are used.

use std::fmt::Debug;
use std::io;
use std::net::IpAddr;

use async_trait::async_trait;

use crate::host_policy::not_public;
use crate::{FetchError, is_public};

/// Finds the IP addresses of a host.
#[async_trait]
pub trait Resolver: Send + Sync + Debug {
    /// The addresses.
    ///
    /// # Errors
    /// When the host is unknown.
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// Asks the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect())
    }
}

/// The addresses that may be connected to. They are looked up once for each connection and then used as they are, so
/// that a name cannot stand for another address after the check (DNS rebinding).
pub(crate) async fn permitted(
    resolver: &dyn Resolver,
    host: &str,
    private: bool,
) -> Result<Vec<IpAddr>, FetchError> {
    let found = resolver.resolve(host).await.map_err(|error| FetchError::Unreachable {
        host: host.to_owned(),
        reason: format!("its address is not found ({error})"),
    })?;
    let (permitted, refused): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|address| private || is_public(*address));
    match refused.first() {
        Some(address) if permitted.is_empty() => {
            Err(FetchError::Refused { host: host.to_owned(), reason: not_public(*address) })
        }
        _ => Ok(permitted),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Says other addresses at each question.
    #[derive(Debug)]
    struct Changing(Mutex<Vec<Vec<&'static str>>>);

    #[async_trait]
    impl Resolver for Changing {
        async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
            let next = self.0.lock().unwrap().pop().ok_or(io::ErrorKind::NotFound)?;
            Ok(next.into_iter().map(|address| address.parse().unwrap()).collect())
        }
    }

    #[tokio::test]
    async fn every_answer_is_checked_and_only_public_addresses_stay() {
        let mut answers =
            vec![vec!["1.1.1.1"], vec!["127.0.0.1"], vec!["10.0.0.1", "1.1.1.1", "::1"], vec!["::1"]];
        answers.reverse();
        let resolver = Changing(Mutex::new(answers));
        let public: Vec<IpAddr> = vec!["1.1.1.1".parse().unwrap()];
        assert_eq!(permitted(&resolver, "h", false).await, Ok(public.clone()));
        let rebound = permitted(&resolver, "h", false).await.unwrap_err();
        assert!(rebound.to_string().contains("127.0.0.1 is not one of the public internet"), "{rebound}");
        assert_eq!(permitted(&resolver, "h", false).await, Ok(public));
        assert_eq!(permitted(&resolver, "h", true).await.unwrap().len(), 1);
        let unknown = permitted(&resolver, "h", true).await.unwrap_err();
        assert!(matches!(unknown, FetchError::Unreachable { .. }), "{unknown}");
    }
}
