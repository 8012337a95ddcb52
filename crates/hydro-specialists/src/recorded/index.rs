//! [`Index`]: which file answers which request.

use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use leg_fetch::Url;
use serde::Deserialize;

/// A folder of recordings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// A file cannot be read.
    #[error("`{path}`: {source}; name a folder of recordings with its `INDEX.toml`", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The index is not one.
    #[error("`{path}` is no index of recordings: {reason}", path = path.display())]
    Index {
        /// The file.
        path: PathBuf,
        /// Where and why.
        reason: String,
    },
}

/// A recorded answer.
#[derive(Debug, Clone)]
pub(super) struct Fixture {
    pub file: String,
    pub service: String,
    /// The path of the recorded request; empty when the index describes the request in words.
    pub path: String,
    pub query: Vec<(String, String)>,
    pub body: Bytes,
}

/// All recorded answers of a folder.
#[derive(Debug, Clone)]
pub(super) struct Index {
    pub fixtures: Vec<Fixture>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    fixture: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    file: String,
    service: String,
    request: String,
}

impl Index {
    pub(super) fn open(folder: &Path) -> Result<Self, RecordedError> {
        let path = folder.join("INDEX.toml");
        let read = |path: &Path| {
            std::fs::read(path).map_err(|source| RecordedError::Io { path: path.to_owned(), source })
        };
        let wrong = |reason: String| RecordedError::Index { path: path.clone(), reason };
        let text = String::from_utf8(read(&path)?).map_err(|error| wrong(error.to_string()))?;
        let file: File = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let mut fixtures = Vec::new();
        for entry in file.fixture {
            if entry.file.split('/').any(|part| part == "..") || entry.file.starts_with('/') {
                return Err(wrong(format!("`{}` is not below the folder", entry.file)));
            }
            let body = Bytes::from(read(&folder.join(&entry.file))?);
            let (path, query) = split(&entry.request);
            fixtures.push(Fixture { file: entry.file, service: entry.service, path, query, body });
        }
        Ok(Self { fixtures })
    }
}

/// Path and query of a request as an index writes it. Words in brackets after it are for people.
fn split(request: &str) -> (String, Vec<(String, String)>) {
    let request = request.split(" (").next().unwrap_or_default().trim();
    if request.starts_with('(') {
        return (String::new(), Vec::new());
    }
    let (path, query) = request.split_once('?').unwrap_or((request, ""));
    // The reader of addresses decodes the query; blanks and quotes that the index leaves in are encoded for it first.
    let encoded: String = query
        .chars()
        .map(|c| match c {
            ' ' => "%20".to_owned(),
            c => c.to_string(),
        })
        .collect();
    let query =
        Url::parse(&format!("http://x/?{encoded}")).map(|url| url.query().to_vec()).unwrap_or_default();
    (path.trim_matches('/').to_owned(), query)
}
