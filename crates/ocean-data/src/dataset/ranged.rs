//! Files that the caller reaches in a way of its own: by ranges of bytes, or as bytes in memory.
//!
//! A caller whose requests must pass through a port of its own (a list of hosts, a cache, a record) gives [`Ranges`]; the
//! readers of NetCDF headers, chunk indices and references are those of all other datasets.

use std::fmt;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use hdf5_reader::error::Error;
use hdf5_reader::storage::{Storage, StorageBuffer};
use serde_json::{Value, json};

use super::netcdf::NetcdfStore;
use super::objects::{BlockFile, Blocks, ObjectError, Objects, Range};
use super::open::OpenError;
use super::reference::{open_ranged_references, references_of};
use super::store::{ReadError, Store};

/// How headers are read: the nodes of a chunk index are some kilobytes each and lie far apart, between the chunks.
const HEADERS: Blocks = Blocks { block: 8 * 1024, kept: 4096, large: 1024 * 1024 };

/// Ranges of bytes of files, by address. Calls come from threads that may block.
pub trait Ranges: Send + Sync + fmt::Debug {
    /// The length of a file; `None` when there is none.
    ///
    /// # Errors
    /// When that cannot be found out.
    fn size(&self, address: &str) -> io::Result<Option<u64>>;

    /// `length` bytes from `begin`.
    ///
    /// # Errors
    /// When they do not come whole.
    fn read(&self, address: &str, begin: u64, length: u64) -> io::Result<Bytes>;
}

/// Reads NetCDF-4 files by ranges of bytes.
///
/// ```
/// use std::io;
/// use std::sync::Arc;
///
/// use bytes::Bytes;
/// use ocean_data::dataset::{RangedReader, Ranges};
///
/// /// A server that has nothing.
/// #[derive(Debug)]
/// struct Nothing;
///
/// impl Ranges for Nothing {
///     fn size(&self, _: &str) -> io::Result<Option<u64>> {
///         Ok(None)
///     }
///
///     fn read(&self, _: &str, _: u64, _: u64) -> io::Result<Bytes> {
///         Err(io::Error::other("nothing"))
///     }
/// }
///
/// let reader = RangedReader::new(Arc::new(Nothing));
/// assert!(reader.references("https://h/a.nc").is_err());
/// ```
#[derive(Debug, Clone)]
pub struct RangedReader {
    objects: Arc<RangedObjects>,
}

impl RangedReader {
    /// A reader of what `ranges` reaches.
    pub fn new(ranges: Arc<dyn Ranges>) -> Self {
        Self { objects: Arc::new(RangedObjects(ranges)) }
    }

    /// Kerchunk references (version 1) to the chunks of a NetCDF file, from its headers and chunk indices alone.
    ///
    /// # Errors
    /// As [`kerchunk_references`](super::kerchunk_references).
    pub fn references(&self, address: &str) -> Result<Value, OpenError> {
        let unreachable = |detail: String| OpenError::Unreachable { address: address.to_owned(), detail };
        let length = self.objects.size(address).map_err(|error| unreachable(error.to_string()))?;
        let length = length.ok_or_else(|| OpenError::NotFound {
            path: address.to_owned(),
            hint: ": the server has nothing there".to_owned(),
        })?;
        let objects: Arc<dyn Objects> = Arc::<RangedObjects>::clone(&self.objects);
        let file = BlockFile::new(objects, Arc::from(address), length, HEADERS);
        let own = address.to_owned();
        let fingerprint = Box::new(move || Ok(json!({ "address": own, "length": length.to_string() })));
        let store = NetcdfStore::open(Arc::new(file), address, fingerprint)?;
        references_of(&store, address, address)
    }

    /// Opens references. `full` gives each file that they name its address, or says why it may not be read.
    ///
    /// # Errors
    /// [`OpenError::Damaged`] for a document that is no references, or that names a file which `full` refuses.
    pub fn open(
        &self,
        references: &[u8],
        address: &str,
        full: impl Fn(&str) -> Result<String, String>,
    ) -> Result<Box<dyn Store>, OpenError> {
        let full =
            |url: &str| full(url).map_err(|detail| OpenError::Damaged { path: address.to_owned(), detail });
        let objects: Arc<dyn Objects> = Arc::<RangedObjects>::clone(&self.objects);
        Ok(Box::new(open_ranged_references(references, address, full, objects)?))
    }
}

/// [`Ranges`] as objects.
#[derive(Debug)]
struct RangedObjects(Arc<dyn Ranges>);

impl Objects for RangedObjects {
    fn size(&self, address: &str) -> Result<Option<u64>, ObjectError> {
        self.0.size(address).map_err(|error| failed(address, &error))
    }

    fn read(&self, address: &str, range: Option<Range>) -> Result<Option<Bytes>, ObjectError> {
        let (begin, length) = match range {
            Some(range) => range,
            None => match self.size(address)? {
                Some(length) => (0, length),
                None => return Ok(None),
            },
        };
        if length == 0 {
            return Ok(Some(Bytes::new()));
        }
        let bytes = self.0.read(address, begin, length).map_err(|error| failed(address, &error))?;
        let found = bytes.len() as u64;
        if found < length {
            let (address, needed) = (address.to_owned(), begin.saturating_add(length));
            return Err(ObjectError::Short { address, length: begin.saturating_add(found), needed });
        }
        Ok(Some(bytes))
    }
}

fn failed(address: &str, error: &io::Error) -> ObjectError {
    ObjectError::Failed { address: address.to_owned(), detail: error.to_string() }
}

/// A NetCDF file in memory, of any of its formats.
///
/// ```
/// use bytes::Bytes;
/// use ocean_data::dataset::NetcdfBytes;
///
/// assert!(NetcdfBytes::open(Bytes::from_static(b"<html>"), "answer").is_err());
/// ```
#[derive(Debug)]
pub struct NetcdfBytes {
    store: NetcdfStore,
}

impl NetcdfBytes {
    /// Opens a file; `address` is its name in errors.
    ///
    /// # Errors
    /// [`OpenError`] when the bytes are no NetCDF file, or not all of one.
    pub fn open(bytes: Bytes, address: &str) -> Result<Self, OpenError> {
        let own = (address.to_owned(), bytes.len());
        let fingerprint = Box::new(move || Ok(json!({ "address": own.0, "length": own.1.to_string() })));
        Ok(Self { store: NetcdfStore::open(Arc::new(InMemory(bytes)), address, fingerprint)? })
    }

    /// Its numbers.
    pub fn store(&self) -> &dyn Store {
        &self.store
    }

    /// The texts of an array of characters, whose last dimension is the length of a text; blanks at the ends are cut off.
    ///
    /// # Errors
    /// [`ReadError::Damaged`] when it is not there or is no text.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, ReadError> {
        self.store.texts(name)
    }
}

struct InMemory(Bytes);

impl Storage for InMemory {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_range(&self, offset: u64, length: usize) -> Result<StorageBuffer, Error> {
        let available = self.len().saturating_sub(offset);
        if length as u64 > available {
            return Err(Error::UnexpectedEof { offset, needed: length as u64, available });
        }
        let begin = usize::try_from(offset).unwrap_or(usize::MAX);
        StorageBuffer::from_shared_owner(Arc::new(self.0.slice(begin..begin + length)), 0, length)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::dataset::store::Window;
    use crate::write::{NetcdfFile, NetcdfVariable};

    fn classic() -> Vec<u8> {
        let mut file = NetcdfFile::default();
        file.dimensions.push(("x".to_owned(), 3));
        file.variables.push(NetcdfVariable {
            name: "x".to_owned(),
            dimensions: vec!["x".to_owned()],
            attributes: vec![("units".to_owned(), "m".into())],
            values: vec![1.0, 2.0, 4.0],
        });
        file.to_bytes().unwrap()
    }

    /// A file, and what was read of it.
    #[derive(Debug)]
    struct One(Vec<u8>, Mutex<u64>);

    impl Ranges for One {
        fn size(&self, _: &str) -> io::Result<Option<u64>> {
            Ok(Some(self.0.len() as u64))
        }

        fn read(&self, _: &str, begin: u64, length: u64) -> io::Result<Bytes> {
            *self.1.lock().unwrap() += length;
            let (begin, length) = (usize::try_from(begin).unwrap(), usize::try_from(length).unwrap());
            let part = self.0.get(begin..begin + length).ok_or_else(|| io::Error::other("past the end"))?;
            Ok(Bytes::copy_from_slice(part))
        }
    }

    #[test]
    fn references_made_by_ranges_open_by_ranges() {
        let mut bytes = classic();
        // What lies behind is never read.
        bytes.extend(vec![0; 100_000]);
        let ranges = Arc::new(One(bytes, Mutex::new(0)));
        let reader = RangedReader::new(Arc::<One>::clone(&ranges));
        let references = reader.references("https://h/a.nc").unwrap().to_string();
        assert!(references.contains("https://h/a.nc"), "{references}");
        let store = reader.open(references.as_bytes(), "https://h/a.json", |url| Ok(url.to_owned())).unwrap();
        let block = store.read(0, &Window::all(&store.variables()[0])).unwrap();
        assert_eq!(block.values.as_slice().unwrap(), [1.0, 2.0, 4.0]);
        let read = *ranges.1.lock().unwrap();
        assert!(read < 70_000, "{read} bytes of {}", ranges.0.len());
        let refused = reader.open(references.as_bytes(), "r", |url| Err(format!("`{url}` is elsewhere")));
        assert!(refused.unwrap_err().to_string().contains("elsewhere"));
    }

    #[test]
    fn a_file_in_memory_is_read_and_a_cut_one_refused() {
        let bytes = classic();
        let file = NetcdfBytes::open(Bytes::from(bytes.clone()), "a.nc").unwrap();
        assert_eq!(file.store().variables()[0].name, "x");
        assert!(file.texts("x").is_err() && file.texts("nothing").is_err());
        assert!(NetcdfBytes::open(Bytes::from(bytes[..bytes.len() - 8].to_vec()), "a.nc").is_err());
    }
}
