//! Ranges of bytes of field files: readers run on a thread that may block, requests pass through the service's port.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use leg_core::{Digest, Domain, Source, ToolContext};
use ocean_data::dataset::Ranges;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::client::is_gone;
use super::mesh::Mesh;
use crate::ServiceError;
use crate::service::Service;

/// The bytes that are asked for to learn how long a file is; they are the first block of its headers.
const HEAD: u64 = 8 * 1024;
/// A server that sends whole files instead of ranges is not asked for files larger than this.
const MAX_WHOLE: u64 = 64 << 20;
/// The largest reference document.
const MAX_REFERENCES: u64 = 512 << 20;
/// How many documents of references are kept.
const MAX_KEPT: usize = 8;

/// Something with the ranges that it rests on.
pub(crate) type Logged<T> = Arc<(T, Log)>;
/// Triangles of a mesh, their nodes counted from 0.
pub(crate) type Triangles = Vec<[u32; 3]>;
/// What is kept of one version.
type Slot<T> = Mutex<Option<(Digest, Arc<T>)>>;
/// A file, first byte and length.
type Part = (String, u64, u64);

/// What was read of field files before, for all calls of a client.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    references: Mutex<VecDeque<(String, Logged<Bytes>)>>,
    mesh: Slot<(Mesh, Log)>,
    triangles: Slot<(Triangles, Log)>,
}

impl Kept {
    /// The references of a file.
    pub(crate) fn references(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<(Bytes, Log), String>,
    ) -> Result<Logged<Bytes>, String> {
        let found =
            lock(&self.references).iter().find(|(own, _)| own == key).map(|(_, found)| Arc::clone(found));
        if let Some(found) = found {
            return Ok(found);
        }
        let made = Arc::new(make()?);
        let mut all = lock(&self.references);
        if all.len() >= MAX_KEPT {
            all.pop_front();
        }
        all.push_back((key.to_owned(), Arc::clone(&made)));
        Ok(made)
    }

    /// The nodes of the mesh of this version.
    pub(crate) fn mesh(
        &self,
        version: Digest,
        make: impl FnOnce() -> Result<(Mesh, Log), String>,
    ) -> Result<Logged<Mesh>, String> {
        once(&self.mesh, version, make)
    }

    /// The triangles of the mesh of this version.
    pub(crate) fn triangles(
        &self,
        version: Digest,
        make: impl FnOnce() -> Result<(Triangles, Log), String>,
    ) -> Result<Logged<Triangles>, String> {
        once(&self.triangles, version, make)
    }
}

fn once<T>(
    slot: &Slot<T>,
    version: Digest,
    make: impl FnOnce() -> Result<T, String>,
) -> Result<Arc<T>, String> {
    if let Some((own, found)) = &*lock(slot)
        && *own == version
    {
        return Ok(Arc::clone(found));
    }
    let made = Arc::new(make()?);
    *lock(slot) = Some((version, Arc::clone(&made)));
    Ok(made)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which ranges an answer rests on, those that were kept from earlier calls too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Log {
    parts: BTreeMap<Part, Digest>,
}

impl Log {
    /// Adds what another part of the answer rests on.
    pub(crate) fn add(&mut self, other: &Self) {
        self.parts.extend(other.parts.iter().map(|(part, digest)| (part.clone(), *digest)));
    }

    /// How many bytes that is.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts.keys().map(|(_, _, length)| length).sum()
    }

    /// The files.
    pub(crate) fn sources(&self, service: &Service) -> Vec<Source> {
        let mut files: BTreeMap<&str, (u64, u64, Vec<u8>)> = BTreeMap::new();
        for ((key, _, length), digest) in &self.parts {
            let file = files.entry(key).or_default();
            file.0 += length;
            file.1 += 1;
            file.2.extend_from_slice(digest.to_string().as_bytes());
        }
        let source = |(key, (bytes, parts, digests)): (&str, (u64, u64, Vec<u8>))| Source {
            address: service.at(key).to_string(),
            bytes,
            parts,
            digest: Digest::of(Domain::Object, &digests),
            facts: BTreeMap::from([("read".to_owned(), "byte ranges".to_owned())]),
        };
        files.into_iter().map(source).collect()
    }
}

/// What a reader wants of a file.
enum Want {
    Size,
    Part(u64, u64),
    Whole,
}

/// What it gets.
enum Got {
    Nothing,
    Size(u64),
    Bytes(Bytes),
}

struct Job {
    key: String,
    want: Want,
    reply: SyncSender<Result<Got, String>>,
}

/// Asks for ranges from a thread that may block.
#[derive(Debug)]
pub(crate) struct Port {
    jobs: UnboundedSender<Job>,
    log: Mutex<Log>,
    /// What this call has read: a chunk may hold several nodes that are looked at.
    seen: Arc<Mutex<BTreeMap<Part, Bytes>>>,
}

impl Port {
    /// A port with a log of its own.
    pub(crate) fn fresh(&self) -> Arc<Self> {
        Arc::new(Self { jobs: self.jobs.clone(), log: Mutex::default(), seen: Arc::clone(&self.seen) })
    }

    /// What was read through it.
    pub(crate) fn log(&self) -> Log {
        lock(&self.log).clone()
    }

    /// All of a small file; `None` when there is none.
    pub(crate) fn whole(&self, key: &str) -> Result<Option<Bytes>, String> {
        match self.ask(key, Want::Whole)? {
            Got::Bytes(bytes) => {
                self.note(key, 0, &bytes);
                Ok(Some(bytes))
            }
            _ => Ok(None),
        }
    }

    fn ask(&self, key: &str, want: Want) -> Result<Got, String> {
        let (reply, answer) = sync_channel(1);
        let gone = || "the call has ended".to_owned();
        self.jobs.send(Job { key: key.to_owned(), want, reply }).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())?
    }

    fn note(&self, key: &str, begin: u64, bytes: &Bytes) {
        let part = (key.to_owned(), begin, bytes.len() as u64);
        lock(&self.log).parts.insert(part, Digest::of(Domain::Chunk, bytes));
    }
}

impl Ranges for Port {
    fn size(&self, address: &str) -> io::Result<Option<u64>> {
        match self.ask(address, Want::Size).map_err(io::Error::other)? {
            Got::Size(size) => Ok(Some(size)),
            _ => Ok(None),
        }
    }

    fn read(&self, address: &str, begin: u64, length: u64) -> io::Result<Bytes> {
        let part = (address.to_owned(), begin, length);
        let seen = lock(&self.seen).get(&part).cloned();
        let bytes = if let Some(bytes) = seen {
            bytes
        } else {
            match self.ask(address, Want::Part(begin, length)).map_err(io::Error::other)? {
                Got::Bytes(bytes) => bytes,
                _ => return Err(io::Error::other("the file is no longer there")),
            }
        };
        self.note(address, begin, &bytes);
        lock(&self.seen).insert(part, bytes.clone());
        Ok(bytes)
    }
}

/// Runs a reader on a thread of its own and sends its requests, one at a time.
///
/// # Errors
/// The failure of a request; else what the reader says, as an answer that cannot be read.
pub(crate) async fn read<T: Send + 'static>(
    service: &Service,
    context: &ToolContext,
    work: impl FnOnce(Arc<Port>) -> Result<T, String> + Send + 'static,
) -> Result<T, ServiceError> {
    let (jobs, mut asked) = unbounded_channel();
    let port = Arc::new(Port { jobs, log: Mutex::default(), seen: Arc::default() });
    let work = context.blocking(move |_| Ok(work(port)));
    tokio::pin!(work);
    let mut failure = None;
    let done = loop {
        tokio::select! {
            biased;
            Some(job) = asked.recv() => {
                let answer = answer(service, &job, context).await;
                let answer = answer.map_err(|error| {
                    let text = error.to_string();
                    failure.get_or_insert(error);
                    text
                });
                // A reader that has given up waits for nothing.
                let _ = job.reply.send(answer);
            }
            done = &mut work => break done?,
        }
    };
    drain(&mut asked);
    match (done, failure) {
        (Ok(done), _) => Ok(done),
        (Err(_), Some(error)) => Err(error),
        (Err(reason), None) => Err(ServiceError::Unreadable { host: service.host().to_owned(), reason }),
    }
}

/// Ends what still waits.
fn drain(asked: &mut UnboundedReceiver<Job>) {
    asked.close();
    while asked.try_recv().is_ok() {}
}

async fn answer(service: &Service, job: &Job, context: &ToolContext) -> Result<Got, ServiceError> {
    let url = service.at(&job.key);
    match job.want {
        Want::Whole => {
            let reply = service.ask(url, context).await?;
            if is_gone(&reply) {
                return Ok(Got::Nothing);
            }
            let reply = reply.successful()?;
            if reply.body.len() as u64 > MAX_REFERENCES {
                return Err(reply.unreadable("it is too large for references"));
            }
            Ok(Got::Bytes(reply.body))
        }
        Want::Size => {
            let request = leg_fetch::Request::get(url).with_header("range", format!("bytes=0-{}", HEAD - 1));
            let reply = service.send(request, context).await?;
            if is_gone(&reply) {
                return Ok(Got::Nothing);
            }
            let reply = reply.successful()?;
            let stated = reply.headers.get("content-range").and_then(|range| range.rsplit('/').next());
            match (reply.status, stated.and_then(|size| size.trim().parse().ok())) {
                (206, Some(size)) => Ok(Got::Size(size)),
                (206, None) => Err(reply.unreadable("it does not say how long the file is")),
                _ => Ok(Got::Size(whole_size(&reply)?)),
            }
        }
        Want::Part(begin, length) => {
            let reply = service.range(url, begin, begin + length.max(1) - 1, context).await?;
            if reply.status == 200 {
                whole_size(&reply)?;
            }
            if (reply.body.len() as u64) < length {
                return Err(reply.unreadable("the range is shorter than what was asked for"));
            }
            Ok(Got::Bytes(reply.body))
        }
    }
}

/// The length of a file that came whole; a large one must not.
fn whole_size(reply: &crate::service::Reply) -> Result<u64, ServiceError> {
    if reply.source.bytes > MAX_WHOLE {
        return Err(reply.unreadable("the server sends whole files instead of ranges"));
    }
    Ok(reply.source.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_counts_each_range_once() {
        let part =
            |key: &str, begin, length| ((key.to_owned(), begin, length), Digest::of(Domain::Chunk, b"x"));
        let mut log = Log { parts: BTreeMap::from([part("a", 0, 10), part("a", 10, 5)]) };
        log.add(&Log { parts: BTreeMap::from([part("a", 0, 10), part("b", 0, 1)]) });
        assert_eq!(log.bytes(), 16);
        let kept = Kept::default();
        for _ in 0..2 {
            let made = kept.references("k", || Ok((Bytes::from_static(b"{}"), log.clone()))).unwrap();
            assert_eq!(made.1.bytes(), 16);
        }
        assert!(kept.references("k", || Err("asked again".to_owned())).is_ok());
        assert!(kept.references("other", || Err("asked".to_owned())).is_err());
    }
}
