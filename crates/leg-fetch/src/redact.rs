//! What a record may hold: which headers are kept, which query parameters are secrets, and the scrubbing of bodies.
//!
//! A header is kept only when the list names it. A query parameter is dropped when its name looks like a
//! credential. What was dropped from a request is also replaced wherever the response repeats it, because some
//! services answer an error with the address that was asked. A secret inside a path cannot be known here.

pub use leg_core::ledger::{REDACTED, is_secret_name};

use crate::Request;
use crate::url::encode;

/// Headers that say something about the data and nothing about who asked.
const KEPT: [&str; 17] = [
    "accept",
    "accept-encoding",
    "age",
    "cache-control",
    "content-encoding",
    "content-length",
    "content-range",
    "content-type",
    "date",
    "etag",
    "expires",
    "if-modified-since",
    "if-none-match",
    "last-modified",
    "range",
    "retry-after",
    "user-agent",
];

/// Shorter texts are not scrubbed from bodies: they would match by chance.
const SHORTEST_SCRUBBED: usize = 6;

/// Whether a header of this name is kept in a record.
pub fn is_kept_header(name: &str) -> bool {
    KEPT.iter().any(|kept| kept.eq_ignore_ascii_case(name))
}

/// The secrets that a request carries: what must not be found in any record of it.
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    pub(crate) fn of(request: &Request) -> Self {
        let mut found = Vec::new();
        if let Some(user) = request.url.user() {
            found.push(user.to_owned());
            found.extend(user.split_once(':').map(|(_, password)| password.to_owned()));
        }
        for (_, value) in request.url.query().iter().filter(|(name, _)| is_secret_name(name)) {
            let mut encoded = String::new();
            encode(value, &mut encoded);
            found.extend([value.clone(), encoded]);
        }
        for value in request.headers.iter().filter(|(name, _)| !is_kept_header(name)).map(|(_, value)| value)
        {
            // `Bearer abc` is often repeated as `abc` alone.
            found.extend(value.split_whitespace().map(str::to_owned));
            found.push(value.clone());
        }
        found.retain(|secret| secret.len() >= SHORTEST_SCRUBBED);
        // The longest first, or a part of it would be replaced and the rest would stay.
        found.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        found.dedup();
        Self(found)
    }

    /// Whether the bytes hold one of them.
    pub(crate) fn are_in(&self, bytes: &[u8]) -> bool {
        self.0.iter().any(|secret| bytes.windows(secret.len()).any(|window| window == secret.as_bytes()))
    }

    /// The bytes with every secret replaced.
    pub(crate) fn scrub(&self, bytes: &[u8]) -> Vec<u8> {
        self.0.iter().fold(bytes.to_vec(), |bytes, secret| replace(&bytes, secret.as_bytes()))
    }

    /// The text with every secret replaced.
    pub(crate) fn scrub_text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), REDACTED))
    }
}

fn replace(bytes: &[u8], secret: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, others)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(secret) {
            out.extend_from_slice(REDACTED.as_bytes());
            rest = after;
        } else {
            out.push(*first);
            rest = others;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_told_from_plain_words() {
        for secret in [
            "key",
            "KEY",
            "api-key",
            "apikey",
            "MYAPIKEY",
            "token",
            "access_token",
            "X-Amz-Security-Token",
            "AWSAccessKeyId",
            "X-Goog-Signature",
            "sig",
            "client_secret",
            "userPassword",
        ] {
            assert!(is_secret_name(secret), "{secret}");
        }
        for plain in ["station", "monkey", "keyword", "design", "author", "begin_date", "keystone", "q", ""] {
            assert!(!is_secret_name(plain), "{plain}");
        }
    }

    #[test]
    fn only_listed_headers_are_kept() {
        assert!(is_kept_header("Content-Type"));
        for other in
            ["authorization", "Cookie", "set-cookie", "x-api-key", "x-anything", "proxy-authorization"]
        {
            assert!(!is_kept_header(other), "{other}");
        }
    }
}
