//! [`Service`]: objects on servers, fetched on a runtime of its own.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, ObjectStore};
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};
use tokio::sync::Semaphore;

use super::address::Address;
use super::memory::{Key, Memory};
use super::server::{client, path};
use crate::dataset::objects::{ObjectError, Objects, Range};
use crate::dataset::options::RemoteOptions;
use crate::dataset::prefetch::{Held, Prefetch};
use crate::dataset::store::ReadError;

/// Requests under way at once.
const IN_FLIGHT: usize = 8;
/// Ranges nearer than this are fetched in one request…
const GAP: u64 = 64 * 1024;
/// … up to this many bytes.
const JOINED: u64 = 8 * 1024 * 1024;
/// The most characters of a server's words in a message.
const WORDS: usize = 300;

/// Objects on servers.
pub(crate) struct Service {
    runtime: Option<Runtime>,
    options: RemoteOptions,
    /// Clients by scheme, host and query.
    clients: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
    /// Length and version of the objects that were asked for.
    versions: Mutex<HashMap<String, Option<Version>>>,
    memory: Memory,
    limit: Arc<Semaphore>,
}

/// Length and version of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) length: u64,
    pub(crate) tag: Option<String>,
    pub(crate) modified: String,
}

impl Service {
    /// A service without any connection yet.
    pub(crate) fn new(options: &RemoteOptions) -> std::io::Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("ocean-remote").enable_all().build()?;
        Ok(Self {
            runtime: Some(runtime),
            options: options.clone(),
            clients: Mutex::default(),
            versions: Mutex::default(),
            memory: Memory::default(),
            limit: Arc::new(Semaphore::new(IN_FLIGHT)),
        })
    }

    /// Length and version of an object, by asking for its first byte; `None` when there is none.
    pub(crate) fn version(&self, address: &str) -> Result<Option<Version>, ObjectError> {
        if let Some(known) = lock(&self.versions).get(address) {
            return Ok(known.clone());
        }
        let request = self.request(address, Some((0, 1)), None)?;
        let found = match self.wait(async move { request.send().await })? {
            Ok(found) => Some(found.1),
            Err(Failed::Missing) => None,
            Err(Failed::Other(error)) => return Err(error),
        };
        lock(&self.versions).insert(address.to_owned(), found.clone());
        Ok(found)
    }

    fn request(
        &self,
        address: &str,
        range: Option<Range>,
        version: Option<Version>,
    ) -> Result<Request, ObjectError> {
        let wrong = |detail: String| ObjectError::Failed { address: shown(address), detail };
        let parsed = Address::parse(address).map_err(wrong)?;
        let key = format!("{}://{}?{}", parsed.scheme, parsed.host, parsed.query.as_deref().unwrap_or(""));
        let mut clients = lock(&self.clients);
        let client = if let Some(client) = clients.get(&key) {
            Arc::clone(client)
        } else {
            let made = client(&parsed, &self.options).map_err(wrong)?;
            clients.insert(key, Arc::clone(&made));
            made
        };
        let path = path(&parsed).map_err(wrong)?;
        Ok(Request { client, path, address: parsed, range, version, limit: Arc::clone(&self.limit) })
    }

    /// Waits for work on the runtime. The caller's own runtime, where there is one, need not make progress for it.
    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, ObjectError> {
        let (send, receive) = sync_channel(1);
        let runtime = self.runtime.as_ref().ok_or_else(stopped)?;
        runtime.spawn(async move {
            // The channel has room for the only answer.
            let _ = send.send(work.await);
        });
        received(&receive).ok_or_else(stopped)
    }
}

impl Objects for Service {
    fn is_held(&self, address: &Arc<str>, range: Range) -> bool {
        self.memory.find(&(Arc::clone(address), Some(range))).is_some()
    }

    fn size(&self, address: &str) -> Result<Option<u64>, ObjectError> {
        Ok(self.version(address)?.map(|version| version.length))
    }

    fn read(&self, address: &str, range: Option<Range>) -> Result<Option<Bytes>, ObjectError> {
        let key = (Arc::from(address), range);
        if let Some(found) = self.memory.find(&key) {
            return Ok(found.as_ref().clone());
        }
        if range.is_some_and(|range| range.1 == 0) {
            return Ok(Some(Bytes::new()));
        }
        let known = lock(&self.versions).get(address).cloned().flatten();
        let request = self.request(address, range, known)?;
        match self.wait(async move { request.send().await })? {
            Ok(found) => Ok(Some(found.0)),
            Err(Failed::Missing) => Ok(None),
            Err(Failed::Other(error)) => Err(error),
        }
    }

    fn begin(&self, wanted: Vec<Key>) -> Prefetch {
        let mut held = Vec::new();
        let mut groups: BTreeMap<Arc<str>, Vec<Option<Range>>> = BTreeMap::new();
        for key in wanted {
            match self.memory.find(&key) {
                Some(found) => held.push(found),
                None => groups.entry(key.0).or_default().push(key.1),
            }
        }
        let Some(runtime) = &self.runtime else { return Prefetch::default() };
        let mut pending = Vec::new();
        for (address, ranges) in groups {
            let version = lock(&self.versions).get(address.as_ref()).cloned().flatten();
            for (outer, inner) in joined(ranges) {
                let (send, receive) = sync_channel(1);
                match self.request(&address, outer, version.clone()) {
                    Ok(request) => {
                        runtime.spawn(async move {
                            // The channel has room for the only answer.
                            let _ = send.send(request.send().await);
                        });
                    }
                    Err(error) => return Prefetch::new(move || Err(read_error(&error))),
                }
                pending.push((Arc::clone(&address), outer, inner, receive));
            }
        }
        let memory = self.memory.clone();
        Prefetch::new(move || {
            for (address, outer, inner, receive) in pending {
                let found = match received(&receive) {
                    Some(Ok((bytes, _))) => Some(bytes),
                    Some(Err(Failed::Missing)) => None,
                    Some(Err(Failed::Other(error))) => return Err(read_error(&error)),
                    None => return Err(read_error(&stopped())),
                };
                for range in inner {
                    let part = found.as_ref().map(|bytes| part(bytes, outer, range));
                    held.push(memory.put((Arc::clone(&address), range), part));
                }
            }
            Ok(Held::of(held))
        })
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A runtime may not be waited for inside another one.
            runtime.shutdown_background();
        }
    }
}

/// One request.
struct Request {
    client: Arc<dyn ObjectStore>,
    path: Path,
    address: Address,
    range: Option<Range>,
    version: Option<Version>,
    limit: Arc<Semaphore>,
}

/// Why a request gave no bytes.
enum Failed {
    Missing,
    Other(ObjectError),
}

impl Request {
    async fn send(self) -> Result<(Bytes, Version), Failed> {
        // The semaphore is never closed.
        let _place = self.limit.acquire().await;
        let range = self.range.map(|(first, length)| GetRange::Bounded(first..first.saturating_add(length)));
        let options = GetOptions { range, ..GetOptions::default() };
        let answer = self.client.get_opts(&self.path, options).await.map_err(|error| self.failed(&error))?;
        let version = Version {
            length: answer.meta.size,
            tag: answer.meta.e_tag.clone(),
            modified: answer.meta.last_modified.to_rfc3339(),
        };
        if let Some(known) = &self.version
            && (known.length != version.length || known.tag != version.tag)
        {
            let detail = "it changed while it was read; open it again".to_owned();
            return Err(Failed::Other(ObjectError::Failed { address: self.address.shown(), detail }));
        }
        let bytes = answer.bytes().await.map_err(|error| self.failed(&error))?;
        let expected = self.range.map_or(version.length, |range| range.1);
        if bytes.len() as u64 != expected {
            let detail = format!("the server sent {} bytes of {expected}; try again", bytes.len());
            return Err(Failed::Other(ObjectError::Failed { address: self.address.shown(), detail }));
        }
        Ok((bytes, version))
    }

    fn failed(&self, error: &Error) -> Failed {
        let detail = match error {
            Error::NotFound { .. } => return Failed::Missing,
            Error::Unauthenticated { .. } | Error::PermissionDenied { .. } => {
                "the server does not allow it; give credentials, or another address".to_owned()
            }
            other => {
                let text = words(other, self.address.query.as_deref());
                if matches!(other, Error::NotSupported { .. }) || text.contains("non-partial response") {
                    "the server does not serve parts of files; download the file and open the copy".to_owned()
                } else {
                    format!("{text}; check the address and the network, and try again")
                }
            }
        };
        Failed::Other(ObjectError::Failed { address: self.address.shown(), detail })
    }
}

/// What the other side said, short and without the query of the address.
fn words(error: &Error, query: Option<&str>) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    if let Some(query) = query.filter(|query| !query.is_empty()) {
        text = text.replace(query, "…");
    }
    match text.char_indices().nth(WORDS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

/// Ranges that are fetched together, each with those that lie in it.
fn joined(ranges: Vec<Option<Range>>) -> Vec<(Option<Range>, Vec<Option<Range>>)> {
    let mut out: Vec<(Option<Range>, Vec<Option<Range>>)> = Vec::new();
    let whole = ranges.iter().filter(|range| range.is_none()).count();
    if whole > 0 {
        out.push((None, vec![None]));
    }
    let mut parts: Vec<Range> = ranges.into_iter().flatten().filter(|range| range.1 > 0).collect();
    parts.sort_unstable();
    parts.dedup();
    for (first, length) in parts {
        let end = first.saturating_add(length);
        if let Some((Some((start, count)), inner)) = out.last_mut() {
            let last = start.saturating_add(*count);
            if first <= last.saturating_add(GAP) && end.saturating_sub(*start) <= JOINED {
                *count = end.max(last) - *start;
                inner.push(Some((first, length)));
                continue;
            }
        }
        out.push((Some((first, length)), vec![Some((first, length))]));
    }
    out
}

/// A range out of the bytes of one that holds it.
fn part(bytes: &Bytes, outer: Option<Range>, range: Option<Range>) -> Bytes {
    let Some((first, length)) = range else { return bytes.clone() };
    let start = first.saturating_sub(outer.map_or(0, |outer| outer.0));
    let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(bytes.len());
    bytes.slice(at(start)..at(start.saturating_add(length)))
}

/// What comes through a channel. The other tasks of a runtime's thread move to another one while it waits.
fn received<T>(receive: &Receiver<T>) -> Option<T> {
    let answer = || receive.recv().ok();
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(answer),
        _ => answer(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn shown(address: &str) -> String {
    address.split('?').next().unwrap_or_default().to_owned()
}

fn stopped() -> ObjectError {
    ObjectError::Failed {
        address: "the network".to_owned(),
        detail: "a request was stopped; try again".to_owned(),
    }
}

fn read_error(error: &ObjectError) -> ReadError {
    let (path, detail) = match error {
        ObjectError::Short { address, .. } => (address.clone(), error.to_string()),
        ObjectError::Failed { address, detail } => (address.clone(), detail.clone()),
    };
    ReadError::Fetch { path, variable: "data".to_owned(), detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_ranges_are_fetched_together() {
        let far = 10 * GAP;
        let ranges = vec![Some((far, 5)), Some((0, 10)), Some((20, 10)), None, Some((20, 10)), Some((7, 0))];
        let found = joined(ranges);
        assert_eq!(found[0], (None, vec![None]));
        assert_eq!(found[1], (Some((0, 30)), vec![Some((0, 10)), Some((20, 10))]));
        assert_eq!(found[2], (Some((far, 5)), vec![Some((far, 5))]));
        let large = joined(vec![Some((0, JOINED)), Some((JOINED, 1))]);
        assert_eq!(large.len(), 2);
        let bytes = Bytes::from_static(b"0123456789");
        assert_eq!(part(&bytes, Some((100, 10)), Some((103, 2))), Bytes::from_static(b"34"));
    }
}
