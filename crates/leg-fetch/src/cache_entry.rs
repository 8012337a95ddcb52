//! [`CacheEntry`]: one file of the cache.
//!
//! The digest of all that follows, a line of JSON `{"version", "key", "checked_nanos", "status", "headers"}`, then the
//! body. Whatever does not fit together is no entry.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use leg_core::{Digest, Domain};
use serde::{Deserialize, Serialize};

use crate::redact::{is_kept_header, is_secret_name};
use crate::{Request, Response};

/// The version that is written and read.
const VERSION: u32 = 1;
/// How many names for a temporary file are tried.
const NAMES: u32 = 1_000;

/// A kept answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CacheEntry {
    /// When the server last said that it is so.
    pub checked_nanos: i64,
    /// The answer, with headers of the allow-list only.
    pub response: Response,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    version: u32,
    key: String,
    checked_nanos: i64,
    status: u16,
    headers: BTreeMap<String, String>,
}

/// What an entry is found by: method, address with sorted query, range and form; no secrets and no name of the
/// application that asks.
pub(crate) fn key(request: &Request) -> String {
    let mut query: Vec<_> = request.url.query().to_vec();
    query.retain(|(name, _)| !is_secret_name(name) && !name.eq_ignore_ascii_case("application"));
    query.sort();
    let scheme = if request.url.is_https() { "https" } else { "http" };
    let origin = format!("{scheme}://{}:{}", request.url.host(), request.url.port().unwrap_or_default());
    let header = |name| request.header(name).unwrap_or_default();
    let parts = (
        request.method,
        origin,
        request.url.path(),
        query,
        header("range"),
        header("accept"),
        header("accept-encoding"),
        header("accept-language"),
    );
    // Texts and numbers always have a JSON form.
    serde_json::to_string(&parts).unwrap_or_default()
}

/// The file of a key.
pub(crate) fn path(folder: &Path, key: &str) -> PathBuf {
    folder.join(format!("{}.entry", Digest::of(Domain::Object, key.as_bytes()).to_hex()))
}

impl CacheEntry {
    /// Keeps an answer.
    pub(crate) fn new(response: &Response, checked_nanos: i64) -> Self {
        let mut response = response.clone();
        response.headers.retain(|name, _| is_kept_header(name));
        Self { checked_nanos, response }
    }

    /// The entry of a key; none when it is not there, or when the file is not what was written.
    pub(crate) fn read(folder: &Path, key: &str) -> Option<Self> {
        let file = Bytes::from(fs::read(path(folder, key)).ok()?);
        let (digest, rest) = line(&file)?;
        if digest != Digest::of(Domain::Object, &rest).to_hex().as_bytes() {
            return None;
        }
        let (head, body) = line(&rest)?;
        let head: Head = serde_json::from_slice(&head).ok()?;
        let response = Response { status: head.status, headers: head.headers, body };
        (head.version == VERSION && head.key == key)
            .then_some(Self { checked_nanos: head.checked_nanos, response })
    }

    /// Writes the entry, whole or not at all.
    pub(crate) fn write(&self, folder: &Path, key: &str) -> io::Result<()> {
        let head = Head {
            version: VERSION,
            key: key.to_owned(),
            checked_nanos: self.checked_nanos,
            status: self.response.status,
            headers: self.response.headers.clone(),
        };
        let mut rest = serde_json::to_vec(&head)?;
        rest.push(b'\n');
        rest.extend_from_slice(&self.response.body);
        let digest = Digest::of(Domain::Object, &rest).to_hex();
        fs::create_dir_all(folder)?;
        let path = path(folder, key);
        let (part, mut file) = new_part(&path)?;
        let written = file
            .write_all(format!("{digest}\n").as_bytes())
            .and_then(|()| file.write_all(&rest))
            .and_then(|()| fs::rename(&part, &path));
        if written.is_err() {
            // The first error is the one to tell.
            let _left = fs::remove_file(&part);
        }
        written
    }
}

/// The first line and what follows it.
fn line(bytes: &Bytes) -> Option<(Bytes, Bytes)> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((bytes.slice(..end), bytes.slice(end + 1..)))
}

/// A file beside `path` that nobody else writes: other programs may use the same folder.
fn new_part(path: &Path) -> io::Result<(PathBuf, fs::File)> {
    for number in 0..NAMES {
        let part = path.with_extension(format!("part{number}"));
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return Ok((part, opened?)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Url;

    fn of(text: &str) -> String {
        key(&Request::get(Url::parse(text).unwrap()))
    }

    #[test]
    fn secrets_application_and_order_do_not_count_and_all_else_does() {
        let own = of("https://h/p?a=1&b=2");
        for same in [
            "https://h:443/p?b=2&a=1",
            "https://u:p@h/p?a=1&b=2&token=canary",
            "https://h/p?a=1&b=2&application=leg&api_key=canary#x",
        ] {
            assert_eq!(of(same), own, "{same}");
        }
        for other in [
            "http://h/p?a=1&b=2",
            "https://i/p?a=1&b=2",
            "https://h/q?a=1&b=2",
            "https://h/p?a=1",
            "https://h/p?a=1&b=3",
            "https://h:8443/p?a=1&b=2",
            "https://h/p?a=1&b=2&b=2",
        ] {
            assert_ne!(of(other), own, "{other}");
        }
        let get = || Request::get(Url::parse("https://h/p?a=1&b=2").unwrap());
        let range = |text| key(&get().with_header("Range", text));
        assert!(range("bytes=0-1") != own && range("bytes=0-1") != range("bytes=0-2"));
        assert_ne!(key(&Request::head(get().url)), own);
        assert_eq!(
            key(&get().with_header("authorization", "canary").with_timeout(std::time::Duration::ZERO)),
            own
        );
    }

    #[test]
    fn any_changed_byte_makes_it_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let response = Response::ok("body").with_header("etag", "\"1\"").with_header("set-cookie", "canary");
        let entry = CacheEntry::new(&response, 7);
        entry.write(folder.path(), "key").unwrap();
        assert_eq!(CacheEntry::read(folder.path(), "key"), Some(entry.clone()));
        assert_eq!(CacheEntry::read(folder.path(), "other"), None);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        let file = path(folder.path(), "key");
        let bytes = fs::read(&file).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("canary"));
        for cut in 0..bytes.len() {
            fs::write(&file, &bytes[..cut]).unwrap();
            assert_eq!(CacheEntry::read(folder.path(), "key"), None, "{cut}");
        }
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            fs::write(&file, flipped).unwrap();
            assert_eq!(CacheEntry::read(folder.path(), "key"), None, "{at}");
        }
    }
}
