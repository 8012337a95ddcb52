//! From a reference file to an open store.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "remote")]
use bytes::Bytes;
#[cfg(feature = "remote")]
use leg_core::digest::{Digest, Domain};
use serde_json::{Value as Json, json};

use super::document::{Reference, parse};
use crate::dataset::join::is_remote;
use crate::dataset::objects::{KeyStore, LocalObjects, Objects};
#[cfg(feature = "remote")]
use crate::dataset::objects::{ObjectError, Range};
use crate::dataset::open::{OpenError, Services, file_fingerprint, local_path};
use crate::dataset::options::RemoteOptions;
#[cfg(feature = "remote")]
use crate::dataset::prefetch::Prefetch;
use crate::dataset::store::ReadError;
use crate::dataset::zarr::ZarrStore;

/// What the stores are called.
const KIND: &str = "kerchunk references";

/// Files whose existence is checked when references are opened.
const MAX_CHECKED: usize = 1000;

/// Whether a local file begins as a JSON object.
pub(crate) fn is_reference_file(path: &Path) -> bool {
    use std::io::Read as _;

    let mut head = [0; 64];
    let read = std::fs::File::open(path).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
    head[..read].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// Opens a local reference file. Remote files that it names are read when their host is one that is allowed.
pub(crate) fn open_references(
    path: &Path,
    options: &RemoteOptions,
    services: &Services,
) -> Result<ZarrStore, OpenError> {
    let text = std::fs::read(path).map_err(|source| OpenError::io(path, source))?;
    let address = path.display().to_string();
    let mut keys = parsed(&text, &address)?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let urls = locate(&mut keys, |url| {
        if is_remote(url) {
            return Ok(url.to_owned());
        }
        Ok(folder.join(local_path(url)?).display().to_string())
    })?;
    for url in urls.iter().filter(|url| !is_remote(url)).take(MAX_CHECKED) {
        if !Path::new(url.as_ref()).is_file() {
            let hint = format!(": `{address}` refers to it");
            return Err(OpenError::NotFound { path: url.to_string(), hint });
        }
    }
    let objects: Arc<dyn Objects> = match urls.iter().find(|url| is_remote(url)) {
        None => Arc::new(LocalObjects),
        Some(_) => remote_objects(&urls, None, &address, options, services)?,
    };
    let name = path.file_stem().map_or_else(|| "data".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let (own, files) = (path.to_owned(), Arc::clone(&objects));
    let fingerprint = Box::new(move || {
        let references = file_fingerprint(&own)?;
        let files =
            urls.iter().map(|url| part_fingerprint(files.as_ref(), url)).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({ "references": references, "files": files }))
    });
    let keys = KeyStore::new(keys, None, objects);
    ZarrStore::open_keys(keys, &address, &name, KIND, fingerprint)
}

/// Opens a reference file that came from a server. It names files of that server, or of others that are allowed; never
/// local ones.
#[cfg(feature = "remote")]
pub(crate) fn open_remote_references(
    text: &[u8],
    address: &crate::dataset::remote::Address,
    options: &RemoteOptions,
    services: &Services,
) -> Result<ZarrStore, OpenError> {
    let shown = address.shown();
    let mut keys = parsed(text, &shown)?;
    let folder = address.folder();
    let urls = locate(&mut keys, |url| match url {
        url if is_remote(url) => Ok(url.to_owned()),
        url if url.starts_with('/') || url.contains("://") => {
            let detail = format!("it refers to the local file `{url}`, which a file on a server may not");
            Err(OpenError::Damaged { path: shown.clone(), detail })
        }
        url => Ok(format!("{folder}/{url}")),
    })?;
    let objects = remote_objects(&urls, Some(&address.host), &shown, options, services)?;
    let name = crate::dataset::remote::stem(address);
    let (own, files) = (Digest::of(Domain::Chunk, text), Arc::clone(&objects));
    let from = shown.clone();
    let fingerprint = Box::new(move || {
        let files =
            urls.iter().map(|url| part_fingerprint(files.as_ref(), url)).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({ "address": from, "references": own, "files": files }))
    });
    let keys = KeyStore::new(keys, None, objects);
    ZarrStore::open_keys(keys, &shown, &name, KIND, fingerprint)
}

/// Opens references whose files the caller reaches in a way of its own; `full` gives each file its address, or says why
/// it may not be read.
pub(crate) fn open_ranged_references(
    text: &[u8],
    address: &str,
    full: impl Fn(&str) -> Result<String, OpenError>,
    objects: Arc<dyn Objects>,
) -> Result<ZarrStore, OpenError> {
    let mut keys = parsed(text, address)?;
    let urls = locate(&mut keys, full)?;
    let shown = address.to_owned();
    let fingerprint = Box::new(move || {
        let files: Vec<&str> = urls.iter().map(AsRef::as_ref).collect();
        Ok(json!({ "address": shown, "files": files }))
    });
    ZarrStore::open_keys(KeyStore::new(keys, None, objects), address, "data", KIND, fingerprint)
}

/// Gives every file its full address, and returns the addresses.
fn locate(
    keys: &mut BTreeMap<String, Reference>,
    full: impl Fn(&str) -> Result<String, OpenError>,
) -> Result<BTreeSet<Arc<str>>, OpenError> {
    // There are many parts of few files.
    let mut known: BTreeMap<Arc<str>, Arc<str>> = BTreeMap::new();
    for reference in keys.values_mut() {
        if let Reference::Part(url, _) = reference {
            if let Some(found) = known.get(url) {
                *url = Arc::clone(found);
                continue;
            }
            let found: Arc<str> = Arc::from(full(url)?);
            known.insert(Arc::clone(url), Arc::clone(&found));
            *url = found;
        }
    }
    Ok(known.into_values().collect())
}

/// What reads remote files; refuses hosts that are neither allowed nor the reference file's own.
#[cfg(feature = "remote")]
fn remote_objects(
    urls: &BTreeSet<Arc<str>>,
    own: Option<&str>,
    address: &str,
    options: &RemoteOptions,
    services: &Services,
) -> Result<Arc<dyn Objects>, OpenError> {
    for url in urls.iter().filter(|url| is_remote(url)) {
        let parsed = crate::dataset::remote::Address::parse(url).map_err(|detail| OpenError::Damaged {
            path: address.to_owned(),
            detail: format!("`{url}`: {detail}"),
        })?;
        if own != Some(parsed.host.as_str()) && !options.allows(&parsed.host) {
            let (path, host) = (address.to_owned(), parsed.host);
            return Err(OpenError::HostNotAllowed { path, host });
        }
    }
    Ok(Arc::new(Mixed { service: services.service(address, options)? }))
}

#[cfg(not(feature = "remote"))]
fn remote_objects(
    urls: &BTreeSet<Arc<str>>,
    _own: Option<&str>,
    _address: &str,
    _options: &RemoteOptions,
    _services: &Services,
) -> Result<Arc<dyn Objects>, OpenError> {
    let uri = urls.iter().find(|url| is_remote(url)).map(ToString::to_string).unwrap_or_default();
    let scheme = uri.split("://").next().unwrap_or_default().to_owned();
    Err(OpenError::UnsupportedScheme { uri, scheme })
}

/// Local files beside those on servers.
#[cfg(feature = "remote")]
#[derive(Debug)]
struct Mixed {
    service: Arc<dyn Objects>,
}

#[cfg(feature = "remote")]
impl Objects for Mixed {
    fn size(&self, address: &str) -> Result<Option<u64>, ObjectError> {
        if is_remote(address) { self.service.size(address) } else { LocalObjects.size(address) }
    }

    fn read(&self, address: &str, range: Option<Range>) -> Result<Option<Bytes>, ObjectError> {
        if is_remote(address) { self.service.read(address, range) } else { LocalObjects.read(address, range) }
    }

    fn begin(&self, wanted: Vec<(Arc<str>, Option<Range>)>) -> Prefetch {
        self.service.begin(wanted.into_iter().filter(|wanted| is_remote(&wanted.0)).collect())
    }
}

/// Path, size and modification time of a local file; address and length of a remote one.
fn part_fingerprint(objects: &dyn Objects, url: &str) -> Result<Json, ReadError> {
    if !is_remote(url) {
        return file_fingerprint(Path::new(url));
    }
    let shown = url.split('?').next().unwrap_or_default();
    let length = objects.size(url).map_err(|error| ReadError::Fetch {
        path: shown.to_owned(),
        variable: "data".to_owned(),
        detail: error.to_string(),
    })?;
    Ok(json!([shown, length.map(|length| length.to_string())]))
}

fn parsed(text: &[u8], address: &str) -> Result<BTreeMap<String, Reference>, OpenError> {
    parse(text).map_err(|problem| match problem {
        Some(detail) => OpenError::Damaged { path: address.to_owned(), detail },
        None => OpenError::NotADataset {
            path: address.to_owned(),
            detail: "a JSON file without references to chunks".to_owned(),
        },
    })
}
