//! What an address names: one file or store, or several.

use std::fs;
use std::path::{Path, PathBuf};

use super::pattern::{is_pattern, matching};
use crate::dataset::open::{OpenError, local_path};
use crate::dataset::zarr::ZarrStore;

/// Endings of files that are read as parts of a folder.
const ENDINGS: [&str; 5] = ["nc", "nc4", "nc3", "cdf", "netcdf"];

/// Whether an address is not on a local disk.
pub(crate) fn is_remote(address: &str) -> bool {
    address.split_once("://").is_some_and(|(scheme, _)| scheme != "file")
}

/// The addresses of a list (`a.nc,b.nc`) and of patterns (`dir/*.nc`); an address that exists as it is stays whole.
pub(crate) fn expand(uri: &str) -> Result<Vec<String>, OpenError> {
    if !uri.contains(',') || is_there(uri) {
        return expand_one(uri);
    }
    let mut out = Vec::new();
    for part in uri.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        out.extend(expand_one(part)?);
    }
    Ok(out)
}

fn expand_one(address: &str) -> Result<Vec<String>, OpenError> {
    if is_remote(address) || !is_pattern(address) || is_there(address) {
        return Ok(vec![address.to_owned()]);
    }
    let pattern = local_path(address)?;
    let found = matching(&pattern).map_err(|source| OpenError::io(&pattern, source))?;
    if found.is_empty() {
        let hint = ": no file matches the pattern".to_owned();
        return Err(OpenError::NotFound { path: address.to_owned(), hint });
    }
    Ok(found.iter().map(|path| path.display().to_string()).collect())
}

fn is_there(address: &str) -> bool {
    !is_remote(address) && local_path(address).is_ok_and(|path| path.exists())
}

/// The NetCDF files and Zarr stores in a folder, and the NetCDF files of its plain subfolders, in order of name.
pub(crate) fn children(folder: &Path) -> Result<Vec<PathBuf>, OpenError> {
    let mut found = Vec::new();
    for path in sorted(folder)? {
        if path.is_dir() {
            if ZarrStore::is_store(&path) {
                found.push(path);
            } else {
                found.extend(sorted(&path)?.into_iter().filter(|path| is_file(path)));
            }
        } else if is_file(&path) {
            found.push(path);
        }
    }
    Ok(found)
}

fn is_file(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    path.is_file() && ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, OpenError> {
    let failed = |source| OpenError::io(folder, source);
    let entries = fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let visible = |entry: &fs::DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
    let mut paths: Vec<PathBuf> =
        entries.iter().filter(|entry| visible(entry)).map(fs::DirEntry::path).collect();
    paths.sort();
    Ok(paths)
}
