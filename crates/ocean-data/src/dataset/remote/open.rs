//! From a remote address to an open store.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde_json::{Value, json};

use super::address::Address;
use super::service::Service;
use crate::dataset::netcdf::NetcdfStore;
use crate::dataset::objects::{BlockFile, Blocks, KeyStore, ObjectError, Objects};
use crate::dataset::open::OpenError;
use crate::dataset::options::RemoteOptions;
use crate::dataset::reference::{Reference, open_remote_references};
use crate::dataset::store::{ReadError, Store};
use crate::dataset::table::TableStore;
use crate::dataset::zarr::{Fingerprint, ZarrStore};

/// Endings of files that are no Zarr stores.
const FILES: [&str; 6] = ["nc", "nc4", "nc3", "cdf", "h5", "hdf5"];
/// How headers are read: a server takes longer to answer than to send half a megabyte.
const HEADERS: Blocks = Blocks { block: 512 * 1024, kept: 48, large: 1024 * 1024 };
/// Larger tables are not fetched.
const MAX_TABLE: u64 = 256 << 20;

/// The network, once it is needed. All stores of one dataset share it.
#[derive(Debug, Default)]
pub(crate) struct Services(OnceLock<Arc<Service>>);

impl Services {
    /// The service that fetches.
    pub(crate) fn service(&self, address: &str, options: &RemoteOptions) -> Result<Arc<Service>, OpenError> {
        if let Some(service) = self.0.get() {
            return Ok(Arc::clone(service));
        }
        let made = Service::new(options).map_err(|error| OpenError::Unreachable {
            address: address.to_owned(),
            detail: format!("the threads of the network cannot start: {error}"),
        })?;
        Ok(Arc::clone(self.0.get_or_init(|| Arc::new(made))))
    }
}

/// Opens what a remote address names.
pub(crate) fn open_remote(
    uri: &str,
    options: &RemoteOptions,
    services: &Services,
) -> Result<Arc<dyn Store>, OpenError> {
    let address = Address::parse(uri).map_err(|detail| {
        // Neither a query nor a password is ever shown.
        let plain = uri.split(['?', '#']).next().unwrap_or_default();
        let address = match plain.split_once("://") {
            Some((scheme, rest)) => format!("{scheme}://{}", rest.rsplit('@').next().unwrap_or_default()),
            None => plain.rsplit('@').next().unwrap_or_default().to_owned(),
        };
        OpenError::Unreachable { address, detail }
    })?;
    let service = services.service(&address.shown(), options)?;
    let name = address.name().to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |parts| parts.1);
    if ending == "json" {
        let text = whole(&service, uri, &address)?.ok_or_else(|| missing(&address))?;
        let store = open_remote_references(&text, &address, options, services)?;
        return Ok(Arc::new(store));
    }
    if ending == "csv" || ending == "tsv" {
        if length(&service, uri, &address)? > MAX_TABLE {
            let detail = format!("a table of more than {MAX_TABLE} bytes; download it");
            return Err(OpenError::NotADataset { path: address.shown(), detail });
        }
        let text = whole(&service, uri, &address)?.ok_or_else(|| missing(&address))?;
        let fingerprint = fingerprint(&service, uri, &address);
        return Ok(Arc::new(TableStore::parse(&text, &address.shown(), fingerprint)?));
    }
    if !FILES.contains(&ending)
        && let Some(store) = open_zarr(uri, &address, &service)?
    {
        return Ok(Arc::new(store));
    }
    open_netcdf(uri, &address, &service)
}

fn open_netcdf(uri: &str, address: &Address, service: &Arc<Service>) -> Result<Arc<dyn Store>, OpenError> {
    let length = length(service, uri, address)?;
    let shared: Arc<str> = Arc::from(uri);
    let objects: Arc<dyn Objects> = Arc::<Service>::clone(service);
    let file = BlockFile::new(objects, Arc::clone(&shared), length, HEADERS);
    let own = Arc::clone(service);
    let begin = Box::new(move |ranges: Vec<(u64, u64)>| {
        own.begin(ranges.into_iter().map(|range| (Arc::clone(&shared), Some(range))).collect())
    });
    let fingerprint = fingerprint(service, uri, address);
    let store = NetcdfStore::open(Arc::new(file), &address.shown(), fingerprint)?;
    Ok(Arc::new(store.fetched_by(begin)))
}

/// A Zarr store by its consolidated metadata: there is no listing over HTTP.
fn open_zarr(uri: &str, address: &Address, service: &Arc<Service>) -> Result<Option<ZarrStore>, OpenError> {
    let query = address.query.as_ref().map_or(String::new(), |query| format!("?{query}"));
    let base = address.shown().trim_end_matches('/').to_owned();
    let get = |key: &str| whole(service, &format!("{base}/{key}{query}"), address);
    let mut keys = BTreeMap::new();
    let mut add = |key: String, document: &Value| {
        keys.insert(key, Reference::Inline(Bytes::from(document.to_string())));
    };
    let root;
    let parsed = |text: &Bytes| -> Result<Value, OpenError> {
        serde_json::from_slice(text).map_err(|error| OpenError::Damaged {
            path: address.shown(),
            detail: format!("its metadata are no JSON: {error}"),
        })
    };
    if let Some(text) = get("zarr.json")? {
        root = "zarr.json";
        let document = parsed(&text)?;
        let is_group = document["node_type"] == "group";
        let nodes = document["consolidated_metadata"]["metadata"].as_object();
        if is_group && nodes.is_none() {
            return Err(unlisted(address));
        }
        for (path, node) in nodes.into_iter().flatten() {
            add(format!("{path}/zarr.json"), node);
        }
        add("zarr.json".to_owned(), &document);
    } else if let Some(text) = get(".zmetadata")? {
        root = ".zmetadata";
        for (key, document) in parsed(&text)?["metadata"].as_object().into_iter().flatten() {
            add(key.clone(), document);
        }
    } else if let Some(text) = get(".zarray")? {
        root = ".zarray";
        add(".zarray".to_owned(), &parsed(&text)?);
        if let Some(text) = get(".zattrs")? {
            add(".zattrs".to_owned(), &parsed(&text)?);
        }
    } else if get(".zgroup")?.is_some() {
        return Err(unlisted(address));
    } else {
        return Ok(None);
    }
    let objects: Arc<Service> = Arc::clone(service);
    let store = KeyStore::new(keys, Some((base.clone(), query.clone())), objects);
    let name = address.name().split('.').next().unwrap_or("data").to_owned();
    let fingerprint = fingerprint(service, &format!("{base}/{root}{query}"), address);
    ZarrStore::open_keys(store, &address.shown(), &name, scheme(uri), fingerprint).map(Some)
}

fn scheme(uri: &str) -> &str {
    if uri.starts_with("s3") { "S3" } else { "HTTP" }
}

fn unlisted(address: &Address) -> OpenError {
    let detail = "its metadata are not consolidated, and a server does not list what there is; consolidate them \
                  (`zarr.consolidate_metadata`)";
    OpenError::Unsupported { path: address.shown(), detail: detail.to_owned() }
}

fn missing(address: &Address) -> OpenError {
    let hint = ": the server has nothing there".to_owned();
    OpenError::NotFound { path: address.shown(), hint }
}

fn unreachable(error: ObjectError) -> OpenError {
    match error {
        ObjectError::Failed { address, detail } => OpenError::Unreachable { address, detail },
        ObjectError::Short { ref address, .. } => {
            OpenError::Truncated { path: address.clone(), detail: error.to_string() }
        }
    }
}

fn whole(service: &Arc<Service>, uri: &str, _address: &Address) -> Result<Option<Bytes>, OpenError> {
    service.read(uri, None).map_err(unreachable)
}

fn length(service: &Arc<Service>, uri: &str, address: &Address) -> Result<u64, OpenError> {
    service.size(uri).map_err(unreachable)?.ok_or_else(|| missing(address))
}

/// Address, length and version of an object.
fn fingerprint(service: &Arc<Service>, uri: &str, address: &Address) -> Fingerprint {
    let (service, uri, shown) = (Arc::clone(service), uri.to_owned(), address.shown());
    Box::new(move || {
        let version = service.version(&uri).map_err(|error| ReadError::Fetch {
            path: shown.clone(),
            variable: "data".to_owned(),
            detail: error.to_string(),
        })?;
        let version =
            version.map(|version| json!([version.length.to_string(), version.tag, version.modified]));
        Ok(json!({ "address": shown, "version": version }))
    })
}

/// The stem of a remote file, which is the name of a single array.
pub(crate) fn stem(address: &Address) -> String {
    Path::new(address.name())
        .file_stem()
        .map_or_else(|| "data".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
