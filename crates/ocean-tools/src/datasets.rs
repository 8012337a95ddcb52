//! [`Datasets`]: the datasets that tools may read, by name, opened when first asked for.

use std::sync::{Arc, Mutex, PoisonError};

use leg_core::{ToolError, ToolErrorKind};
use ocean_data::Dataset;
use ocean_data::dataset::{OpenError, OpenOptions};

/// The name that always means the first dataset.
const DEFAULT: &str = "default";

/// Named datasets. `default`, or no name, means the first.
///
/// # Examples
/// ```
/// use ocean_tools::Datasets;
///
/// let datasets = Datasets::from_flags(&["sst=/data/ersst.nc", "/data/glorys.zarr"])?;
/// assert_eq!(datasets.names(), ["sst", "glorys"]);
/// # Ok::<(), ocean_tools::DatasetsError>(())
/// ```
#[derive(Debug, Default)]
pub struct Datasets {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    uri: String,
    options: OpenOptions,
    opened: Mutex<Option<Arc<Dataset>>>,
}

/// Dataset flags that do not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetsError {
    /// A flag without an address.
    #[error("dataset `{flag}` has no address; write `name=address` or the address alone")]
    NoAddress {
        /// The flag.
        flag: String,
    },
    /// Two datasets of one name.
    #[error("two datasets are named `{name}`; name them apart with `name=address`")]
    Duplicate {
        /// The name.
        name: String,
    },
}

impl Datasets {
    /// Reads `[NAME=]ADDRESS` flags. A dataset without a name gets that of its file, without the extension.
    ///
    /// # Errors
    /// [`DatasetsError`].
    pub fn from_flags<S: AsRef<str>>(flags: &[S]) -> Result<Self, DatasetsError> {
        let mut datasets = Self::default();
        for flag in flags {
            let flag = flag.as_ref();
            let (name, uri) = match flag.split_once('=') {
                Some((name, uri)) if is_name(name) => (name.to_owned(), uri),
                _ => (stem(flag), flag),
            };
            if uri.trim().is_empty() {
                return Err(DatasetsError::NoAddress { flag: flag.to_owned() });
            }
            datasets.push(name, uri.to_owned(), None)?;
        }
        Ok(datasets)
    }

    /// Adds a dataset that is already open.
    ///
    /// # Errors
    /// [`DatasetsError::Duplicate`].
    pub fn with_dataset(mut self, name: &str, dataset: Arc<Dataset>) -> Result<Self, DatasetsError> {
        let uri = dataset.uri().to_owned();
        self.push(name.to_owned(), uri, Some(dataset))?;
        Ok(self)
    }

    /// Says how the dataset of a name is opened; nothing happens for a name that is not there.
    #[must_use]
    pub fn with_options(mut self, name: &str, options: OpenOptions) -> Self {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.name == name) {
            entry.options = options;
        }
        self
    }

    fn push(&mut self, name: String, uri: String, opened: Option<Arc<Dataset>>) -> Result<(), DatasetsError> {
        if self.entries.iter().any(|entry| entry.name == name) {
            return Err(DatasetsError::Duplicate { name });
        }
        self.entries.push(Entry { name, uri, options: OpenOptions::default(), opened: Mutex::new(opened) });
        Ok(())
    }

    /// The names, in the order of the flags.
    pub fn names(&self) -> Vec<&str> {
        self.entries.iter().map(|entry| entry.name.as_str()).collect()
    }

    /// Names with addresses, in the order of the flags; what follows a `?` may be a secret and is left out.
    pub fn addresses(&self) -> Vec<(String, String)> {
        let address = |uri: &str| uri.split('?').next().unwrap_or_default().to_owned();
        self.entries.iter().map(|entry| (entry.name.clone(), address(&entry.uri))).collect()
    }

    /// Whether there is no dataset at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The dataset of a name, opened; the first for no name or `default`. Call it from a thread that may block.
    ///
    /// # Errors
    /// [`ToolErrorKind::NotFound`] with the names there are; [`ToolErrorKind::BadData`] when it cannot be opened.
    pub fn open(&self, name: Option<&str>) -> Result<Arc<Dataset>, ToolError> {
        let entry = self.find(name)?;
        let mut opened = entry.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(dataset) = opened.as_ref() {
            return Ok(Arc::clone(dataset));
        }
        let dataset = Dataset::open_with(&entry.uri, &entry.options)
            .map_err(|error| cannot_open(&entry.name, &error))?;
        *opened = Some(Arc::clone(&dataset));
        Ok(dataset)
    }

    fn find(&self, name: Option<&str>) -> Result<&Entry, ToolError> {
        let wanted = name.unwrap_or(DEFAULT);
        let own = self.entries.iter().find(|entry| entry.name == wanted);
        let first = if wanted == DEFAULT { self.entries.first() } else { None };
        own.or(first).ok_or_else(|| {
            let message = if self.entries.is_empty() {
                "no dataset is open; name one with `--data [NAME=]ADDRESS`".to_owned()
            } else {
                format!("there is no dataset `{wanted}`; the open ones are: {}", self.names().join(", "))
            };
            ToolError::new(ToolErrorKind::NotFound, message)
        })
    }
}

fn cannot_open(name: &str, error: &OpenError) -> ToolError {
    ToolError::new(ToolErrorKind::BadData, format!("dataset `{name}` cannot be opened: {error}"))
}

fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

fn stem(uri: &str) -> String {
    // Of a list the first counts; of a pattern what stands before its wildcards.
    let path = uri.split([',', '?', '#', '*', '[']).next().unwrap_or(uri).trim_end_matches('/');
    let file = path.rsplit(['/', ':']).next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).trim_end_matches(['_', '-', '.']);
    if stem.is_empty() { DEFAULT.to_owned() } else { stem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_have_names_or_get_them() {
        let datasets =
            Datasets::from_flags(&["a=x.nc", "/data/b.zarr/", "https://host/c.nc?token=t", "d.e=f.nc"])
                .unwrap();
        assert_eq!(datasets.names(), ["a", "b", "c", "d.e=f"]);
        let several = Datasets::from_flags(&["p.nc,q.nc", "runs/*.nc", "sst_????.nc"]).unwrap();
        assert_eq!(several.names(), ["p", "runs", "sst"]);
        assert!(matches!(Datasets::from_flags(&["a="]), Err(DatasetsError::NoAddress { .. })));
        assert!(matches!(Datasets::from_flags(&["x/a.nc", "y/a.nc"]), Err(DatasetsError::Duplicate { .. })));
    }

    #[test]
    fn a_wrong_name_lists_the_right_ones() {
        let datasets = Datasets::from_flags(&["a=x.nc", "b=y.nc"]).unwrap();
        let error = datasets.open(Some("c")).unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::NotFound);
        assert!(error.message.contains("a, b"), "{}", error.message);
        assert!(Datasets::default().open(None).unwrap_err().message.contains("--data"));
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let datasets = Datasets::from_flags(&["a=/nowhere/x.nc"]).unwrap();
        let error = datasets.open(None).unwrap_err();
        assert!(error.message.contains("`a`"), "{}", error.message);
    }
}
