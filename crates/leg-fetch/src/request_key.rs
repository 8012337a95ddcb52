//! [`RequestKey`]: what makes two requests the same to a script or a cassette.

use std::fmt;

use leg_core::{Digest, Domain};

use crate::redact::is_secret_name;
use crate::{Method, Request};

/// Method, path, sorted query and body digest. Host, headers and credentials do not count: services move, and a
/// recording is replayed without a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestKey {
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    body: Option<Digest>,
}

impl RequestKey {
    /// The key of a request.
    pub fn of(request: &Request) -> Self {
        let body = (!request.body.is_empty()).then(|| Digest::of(Domain::Object, &request.body));
        Self::new(request.method, request.url.path(), request.url.query(), body)
    }

    /// A key from its parts.
    pub(crate) fn new(method: Method, path: &str, query: &[(String, String)], body: Option<Digest>) -> Self {
        let mut query: Vec<_> = query.iter().filter(|(name, _)| !is_secret_name(name)).cloned().collect();
        query.sort();
        Self { method, path: path.to_owned(), query, body }
    }

    /// How alike two keys are: the path weighs most, then the method, then the parameters.
    pub(crate) fn likeness(&self, other: &Self) -> usize {
        let names = self.query.iter().filter(|(name, _)| other.value(name).is_some()).count();
        let pairs = self.query.iter().filter(|pair| other.query.contains(pair)).count();
        let extra = other.query.iter().filter(|(name, _)| self.value(name).is_none()).count();
        let shared = self.path.bytes().zip(other.path.bytes()).take_while(|(a, b)| a == b).count();
        (usize::from(self.path == other.path) * 1_000_000)
            + (shared.min(999) * 1_000)
            + (usize::from(self.method == other.method) * 500)
            + (usize::from(self.body == other.body) * 100)
            + (3 * pairs + names).saturating_sub(extra)
    }

    /// In which ways `other` differs, in words.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if self.method != other.method {
            found.push(format!("method {}, not {}", other.method, self.method));
        }
        if self.path != other.path {
            found.push(format!("path `{}`, not `{}`", other.path, self.path));
        }
        for (name, value) in &self.query {
            match other.value(name) {
                None => found.push(format!("no `{name}`")),
                Some(theirs) if theirs != value && !other.query.contains(&(name.clone(), value.clone())) => {
                    found.push(format!("`{name}` is `{theirs}`, not `{value}`"));
                }
                Some(_) => {}
            }
        }
        for (name, value) in other.query.iter().filter(|(name, _)| self.value(name).is_none()) {
            found.push(format!("also `{name}` = `{value}`"));
        }
        if self.body != other.body {
            found.push("another body".to_owned());
        }
        found
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for RequestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)?;
        for (at, (name, value)) in self.query.iter().enumerate() {
            write!(f, "{}{name}={value}", if at == 0 { '?' } else { '&' })?;
        }
        match &self.body {
            Some(body) => write!(f, " with body {}", body.short()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Url;

    fn key(text: &str) -> RequestKey {
        RequestKey::of(&Request::get(Url::parse(text).unwrap()))
    }

    #[test]
    fn order_host_and_credentials_do_not_count() {
        assert_eq!(key("https://a/p?x=1&y=2&api_key=s"), key("http://b:8080/p?y=2&x=1"));
    }

    #[test]
    fn path_values_method_and_body_count() {
        let own = key("http://h/p?x=1");
        for other in ["http://h/q?x=1", "http://h/p?x=2", "http://h/p", "http://h/p?x=1&x=1"] {
            assert_ne!(own, key(other), "{other}");
        }
        let url = Url::parse("http://h/p?x=1").unwrap();
        let posts = ["", "a", "b"].map(|body| RequestKey::of(&Request::post(url.clone(), body)));
        assert!(posts.iter().all(|post| *post != own) && posts[0] != posts[1] && posts[1] != posts[2]);
    }
}
