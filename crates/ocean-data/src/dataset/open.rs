//! From an address to an open store.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use serde_json::{Value, json};

use super::join::{children, expand, join};
use super::netcdf::NetcdfStore;
use super::options::OpenOptions;
use super::reference::{is_reference_file, open_references};
use super::store::{ReadError, Store};
use super::table::TableStore;
use super::zarr::ZarrStore;
use crate::demo::{open_scene, scene_names};
use crate::nearest::nearest;

/// More files than this are opened for each read instead of being kept open.
const MANY: usize = 100;

#[cfg(feature = "remote")]
pub(crate) use super::remote::Services;

/// The network, which is not built in.
#[cfg(not(feature = "remote"))]
#[derive(Debug, Default)]
pub(crate) struct Services {}

/// A dataset that cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is nothing at the path.
    #[error("there is no file or folder `{path}`{hint}; check the path")]
    NotFound {
        /// The path.
        path: String,
        /// Files of a similar name beside it, as text.
        hint: String,
    },
    /// The address has a scheme that is not read.
    #[error(
        "`{uri}` has the scheme `{scheme}`, which is not supported; give a path, or an address with `file`, `https`, `http` or `s3` where reading from servers is built in"
    )]
    UnsupportedScheme {
        /// The address.
        uri: String,
        /// Its scheme.
        scheme: String,
    },
    /// It is there, but of no known format.
    #[error(
        "`{path}` is not a dataset ({detail}); give a NetCDF-3 or NetCDF-4 file, a Zarr v2 or v3 folder, a folder of such files, kerchunk references (.json), or a table (.csv)"
    )]
    NotADataset {
        /// The path.
        path: String,
        /// What was found.
        detail: String,
    },
    /// The file ends early.
    #[error("`{path}` is cut short: {detail}; copy or download it again")]
    Truncated {
        /// The path.
        path: String,
        /// What is missing.
        detail: String,
    },
    /// It uses something that is not built in.
    #[error(
        "`{path}` needs something that is not supported: {detail}; rewrite it with zlib, gzip, zstd or blosc"
    )]
    Unsupported {
        /// The path.
        path: String,
        /// What it needs.
        detail: String,
    },
    /// Its header or metadata are damaged.
    #[error("`{path}` is damaged: {detail}; check it with its own tools or copy it again")]
    Damaged {
        /// The path.
        path: String,
        /// What went wrong.
        detail: String,
    },
    /// The disk or the service failed.
    #[error("`{address}` cannot be read: {detail}")]
    Unreachable {
        /// The address.
        address: String,
        /// Why, and what to do.
        detail: String,
    },
    /// A reference file names a host that is not allowed.
    #[error(
        "`{path}` refers to files on `{host}`, which is not allowed; name the host in the configuration if you trust it"
    )]
    HostNotAllowed {
        /// The reference file.
        path: String,
        /// The host.
        host: String,
    },
    /// It does not fit to the others that it was named with.
    #[error(
        "`{path}` cannot be joined with `{other}`: {detail}; name files of one grid whose times follow each other, or stores with different variables"
    )]
    NotJoinable {
        /// The file or store.
        path: String,
        /// The one it was compared with.
        other: String,
        /// What differs.
        detail: String,
    },
    /// What was said about the dataset does not fit to it.
    #[error("the configuration of the dataset names {what}, which it does not have; it has: {}", available.join(", "))]
    Configuration {
        /// The alias or unit.
        what: String,
        /// The variables there are, nearest first.
        available: Vec<String>,
    },
    /// There is no computed scene of this name.
    #[error("there is no scene `demo:{name}`; the scenes are: {}", known.join(", "))]
    NoScene {
        /// The name.
        name: String,
        /// Those there are.
        known: Vec<&'static str>,
    },
    /// The operating system refused.
    #[error("`{path}` cannot be read: {source}; check its permissions")]
    Io {
        /// The path.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A coordinate cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl OpenError {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }
}

/// Opens the store at an address: a file, a folder, a list of them, or a pattern.
pub(crate) fn open_store(uri: &str, options: &OpenOptions) -> Result<Arc<dyn Store>, OpenError> {
    let addresses = expand(uri)?;
    let services = Services::default();
    match addresses.as_slice() {
        [] => Err(OpenError::NotFound { path: uri.to_owned(), hint: ": the list is empty".to_owned() }),
        [one] => open_one(one, options, &services, true),
        several => open_several(several, options, &services),
    }
}

fn open_several(
    addresses: &[String],
    options: &OpenOptions,
    services: &Services,
) -> Result<Arc<dyn Store>, OpenError> {
    // Each open file costs a descriptor, of which a process has about a thousand.
    let keep_open = addresses.len() <= MANY;
    let stores = addresses
        .iter()
        .map(|address| Ok((address.clone(), open_one(address, options, services, keep_open)?)))
        .collect::<Result<Vec<_>, OpenError>>()?;
    join(stores)
}

fn open_one(
    address: &str,
    options: &OpenOptions,
    services: &Services,
    keep_open: bool,
) -> Result<Arc<dyn Store>, OpenError> {
    #[cfg(feature = "remote")]
    if super::join::is_remote(address) && ["http", "https", "s3"].iter().any(|s| has_scheme(address, s)) {
        return super::remote::open_remote(address, &options.remote, services);
    }
    if let Some(name) = address.strip_prefix("demo:") {
        return open_scene(name)
            .ok_or_else(|| OpenError::NoScene { name: name.to_owned(), known: scene_names() });
    }
    let path = local_path(address)?;
    let text = path.display().to_string();
    let metadata = match fs::metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(OpenError::NotFound { hint: similar_files(&path), path: text });
        }
        Err(error) => return Err(OpenError::io(&path, error)),
    };
    if metadata.is_dir() {
        if ZarrStore::is_store(&path) {
            return Ok(Arc::new(ZarrStore::open_folder(&path)?));
        }
        let parts: Vec<String> = children(&path)?.iter().map(|part| part.display().to_string()).collect();
        if parts.is_empty() {
            let detail = "a folder without `zarr.json` or `.zgroup`, and without NetCDF files".to_owned();
            return Err(OpenError::NotADataset { path: text, detail });
        }
        return open_several(&parts, options, services);
    }
    if metadata.len() < 8 {
        return Err(OpenError::Truncated { path: text, detail: format!("it has {} bytes", metadata.len()) });
    }
    if is_reference_file(&path) {
        return Ok(Arc::new(open_references(&path, &options.remote, services)?));
    }
    if TableStore::is_table(&path) {
        return Ok(Arc::new(TableStore::open(&path)?));
    }
    Ok(Arc::new(NetcdfStore::open_file(&path, keep_open)?))
}

#[cfg(feature = "remote")]
fn has_scheme(address: &str, scheme: &str) -> bool {
    address.split_once("://").is_some_and(|(own, _)| own.eq_ignore_ascii_case(scheme))
}

/// The path of a plain path or a `file://` address.
pub(crate) fn local_path(uri: &str) -> Result<PathBuf, OpenError> {
    if let Some(rest) = uri.strip_prefix("file://") {
        let rest = rest.strip_prefix("localhost").unwrap_or(rest);
        return Ok(PathBuf::from(percent_decoded(rest)));
    }
    match uri.split_once("://") {
        Some((scheme, _)) => {
            Err(OpenError::UnsupportedScheme { uri: uri.to_owned(), scheme: scheme.to_owned() })
        }
        None => Ok(PathBuf::from(uri)),
    }
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// ` (near it: a.nc, b.nc)`, or nothing.
fn similar_files(path: &Path) -> String {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return String::new();
    };
    let Ok(entries) = fs::read_dir(folder) else { return String::new() };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| {
            [".nc", ".zarr", ".cdf", ".nc4"].iter().any(|end| name.to_ascii_lowercase().ends_with(end))
        })
        .take(1000)
        .collect();
    names.sort();
    let near = nearest(&name, names.iter().map(String::as_str), 3);
    if near.is_empty() { String::new() } else { format!(" (in its folder: {})", near.join(", ")) }
}

/// Path, size and modification time of one file.
pub(crate) fn file_fingerprint(path: &Path) -> Result<Value, ReadError> {
    Ok(json!({ "path": path.display().to_string(), "files": [file_entry(path, "")?] }))
}

/// Path, sizes and modification times of all files below a folder, in order of name.
pub(crate) fn folder_fingerprint(path: &Path) -> Result<Value, ReadError> {
    let mut files = Vec::new();
    list(path, "", &mut files)?;
    Ok(json!({ "path": path.display().to_string(), "files": files }))
}

fn list(folder: &Path, prefix: &str, out: &mut Vec<Value>) -> Result<(), ReadError> {
    let failed = |source| ReadError::Io { path: folder.display().to_string(), source };
    let mut entries = fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(failed)?.is_dir() {
            list(&entry.path(), &format!("{name}/"), out)?;
        } else {
            out.push(file_entry(&entry.path(), &name)?);
        }
    }
    Ok(())
}

fn file_entry(path: &Path, name: &str) -> Result<Value, ReadError> {
    let failed = |source| ReadError::Io { path: path.display().to_string(), source };
    let metadata = fs::metadata(path).map_err(failed)?;
    let modified = metadata.modified().map_err(failed)?;
    let nanos = modified.duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_nanos());
    Ok(json!([name, metadata.len().to_string(), nanos.to_string()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_local_addresses_are_paths() {
        assert_eq!(local_path("a b.nc").unwrap(), PathBuf::from("a b.nc"));
        assert_eq!(local_path("file:///data/a%20b.nc").unwrap(), PathBuf::from("/data/a b.nc"));
        assert!(matches!(local_path("s3://bucket/x"), Err(OpenError::UnsupportedScheme { .. })));
    }

    #[test]
    fn a_missing_file_names_its_neighbours() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("sst_2010.nc"), b"").unwrap();
        let error =
            open_store(&folder.path().join("sst_2011.nc").display().to_string(), &OpenOptions::default())
                .unwrap_err();
        assert!(matches!(error, OpenError::NotFound { .. }));
        assert!(error.to_string().contains("sst_2010.nc"), "{error}");
    }

    #[test]
    fn other_files_and_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.nc");
        fs::write(&path, b"not a NetCDF file at all").unwrap();
        let open =
            |path: &Path| open_store(&path.display().to_string(), &OpenOptions::default()).unwrap_err();
        assert!(matches!(open(&path), OpenError::NotADataset { .. }));
        assert!(matches!(open(folder.path()), OpenError::NotADataset { .. }));
        fs::write(&path, b"CDF").unwrap();
        assert!(matches!(open(&path), OpenError::Truncated { .. }));
    }
}
