//! NetCDF-3 (classic, 64-bit offset, CDF-5) and NetCDF-4 files.
//!
//! Digests are over the stored bytes of each chunk; a variable without chunks is read in pieces of its rows. Of the few
//! variables that are read through the NetCDF library (small ones in the header of a NetCDF-4 file, and those whose
//! records were never written) the digest of a block is over the decoded numbers as little-endian doubles.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use hdf5_reader::storage::DynStorage;
use hdf5_reader::{FilterRegistry, Hdf5File};
use leg_core::digest::{Digest, Domain};
use netcdf_reader::{NcFile, NcFormat, NcOpenOptions, NcSliceInfo, NcSliceInfoElem};
use serde_json::Value;

use super::chunked::{Chunks, load_window, places};
use super::hdf5_chunks::{MAX_CHUNK_BYTES, read_pieces};
use super::hdf5_filters::filters;
use super::loaded::Loaded;
use super::local_storage::local_storage;
use super::netcdf_length::{check_classic_length, check_hdf5_length};
use super::netcdf_metadata::{attributes_of, collect};
use super::number_format::NumberFormat;
use super::objects::Range;
use super::open::OpenError;
use super::pieces::Pieces;
use super::prefetch::Prefetch;
use super::store::{ChunkBytes, ReadError, Store, StoredBlock, StoredVariable, Window};
use super::zarr::Fingerprint;
use crate::cf::{Attribute, Attributes};

/// Largest single read, against hostile files.
const MAX_READ_BYTES: usize = 4 << 30;

/// An open NetCDF file.
pub(crate) struct NetcdfStore {
    /// Its address, for errors.
    address: String,
    file: NcFile,
    storage: DynStorage,
    hdf5: Option<Hdf5Layer>,
    /// The pieces of each variable that was read from; `None` for one that is read through the NetCDF library.
    pieces: Vec<OnceLock<Option<Pieces>>>,
    format: &'static str,
    variables: Vec<StoredVariable>,
    attributes: Attributes,
    fingerprint: Fingerprint,
    /// Begins to fetch ranges of a file that is not on a local disk.
    begin: Option<Begin>,
}

/// Begins to fetch ranges: first byte and length.
pub(crate) type Begin = Box<dyn Fn(Vec<Range>) -> Prefetch + Send + Sync>;

/// What is below a NetCDF-4 file.
struct Hdf5Layer {
    file: Hdf5File,
    filters: FilterRegistry,
}

impl std::fmt::Debug for NetcdfStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NetcdfStore")
            .field("address", &self.address)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

impl NetcdfStore {
    /// Opens a file on disk; one that is not kept open is opened again for each read.
    pub(crate) fn open_file(path: &Path, keep_open: bool) -> Result<Self, OpenError> {
        let storage = local_storage(path, keep_open).map_err(|source| OpenError::io(path, source))?;
        let address = path.display().to_string();
        let path = path.to_owned();
        let fingerprint = Box::new(move || super::open::file_fingerprint(&path));
        Self::open(storage, &address, fingerprint)
    }

    /// Opens a file and reads its header; a file shorter than its header says is refused.
    pub(crate) fn open(
        storage: DynStorage,
        address: &str,
        fingerprint: Fingerprint,
    ) -> Result<Self, OpenError> {
        let wrong = |error: netcdf_reader::Error| open_error(address, &error);
        let file = NcFile::from_storage_with_options(Arc::clone(&storage), options()).map_err(wrong)?;
        let format = match file.format() {
            NcFormat::Classic => "NetCDF-3 classic",
            NcFormat::Offset64 => "NetCDF-3 64-bit offset",
            NcFormat::Cdf5 => "NetCDF-3 CDF-5",
            NcFormat::Nc4 => "NetCDF-4",
            NcFormat::Nc4Classic => "NetCDF-4 classic model",
        };
        let is_hdf5 = matches!(file.format(), NcFormat::Nc4 | NcFormat::Nc4Classic);
        if is_hdf5 {
            check_hdf5_length(address, storage.as_ref())?;
        }
        let root = file.root_group().map_err(wrong)?;
        if !is_hdf5 {
            check_classic_length(address, storage.len(), root)?;
        }
        let hdf5 = is_hdf5.then(|| Hdf5File::from_storage(Arc::clone(&storage)).ok()).flatten();
        let mut variables = Vec::new();
        collect(root, "", hdf5.as_ref(), &mut variables);
        let attributes = attributes_of(&root.attributes);
        let pieces = variables.iter().map(|_| OnceLock::new()).collect();
        let hdf5 = hdf5.map(|file| Hdf5Layer { file, filters: filters() });
        let address = address.to_owned();
        Ok(Self {
            address,
            file,
            storage,
            hdf5,
            pieces,
            format,
            variables,
            attributes,
            fingerprint,
            begin: None,
        })
    }

    /// The same file, whose ranges are fetched ahead.
    #[cfg(feature = "remote")]
    pub(crate) fn fetched_by(self, begin: Begin) -> Self {
        Self { begin: Some(begin), ..self }
    }

    /// The pieces of a variable; `None` for one that is read through the NetCDF library.
    fn pieces(&self, index: usize) -> Option<FilePieces<'_>> {
        let variable = &self.variables[index];
        let read = || {
            if let Some(layer) = &self.hdf5 {
                return read_pieces(&layer.file, &variable.name, &variable.shape()).ok().flatten();
            }
            let root = self.file.root_group().ok()?;
            Pieces::classic(root, root.variables.get(index)?)
        };
        let pieces = self.pieces[index].get_or_init(read).as_ref()?;
        Some(FilePieces { store: self, pieces, variable })
    }

    /// Where the pieces of a variable lie, and the first byte that their addresses count from.
    pub(crate) fn layout(&self, index: usize) -> Option<(&Pieces, u64)> {
        self.pieces(index).map(|pieces| (pieces.pieces, pieces.base()))
    }

    /// Reads through the NetCDF library.
    fn read_slice(&self, variable: &StoredVariable, window: &Window) -> Result<StoredBlock, ReadError> {
        let selections = (window.start.iter().zip(&window.shape))
            .map(|(&start, &length)| NcSliceInfoElem::Slice {
                start: start as u64,
                end: (start + length) as u64,
                step: 1,
            })
            .collect();
        let slice = NcSliceInfo { selections };
        let values = if variable.dimensions.is_empty() {
            self.file.read_variable_as_f64(&variable.name)
        } else {
            self.file.read_variable_slice_as_f64(&variable.name, &slice)
        };
        let values = values.map_err(|error| self.read_error(&variable.name, &error))?;
        let chunk = decoded_digest(values.iter());
        Ok(StoredBlock { values, chunks: vec![chunk] })
    }

    /// The texts of an array of characters.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, ReadError> {
        let texts = self.file.read_variable_as_strings(name);
        let trimmed = |text: String| text.trim_end_matches(['\0', ' ']).to_owned();
        texts
            .map(|texts| texts.into_iter().map(trimmed).collect())
            .map_err(|error| self.read_error(name, &error))
    }

    fn read_error(&self, variable: &str, error: &netcdf_reader::Error) -> ReadError {
        let (path, variable) = (self.address.clone(), variable.to_owned());
        let detail = error.to_string();
        match failure_of(error) {
            Failure::Truncated => ReadError::Truncated { path, variable, detail },
            Failure::Codec => ReadError::UnsupportedCodec { path, variable, detail },
            Failure::Fetch => ReadError::Fetch { path, variable, detail },
            Failure::Damaged => ReadError::Damaged { path, variable, detail },
        }
    }
}

impl Store for NetcdfStore {
    fn format(&self) -> &str {
        self.format
    }

    fn variables(&self) -> &[StoredVariable] {
        &self.variables
    }

    fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    fn read(&self, index: usize, window: &Window) -> Result<StoredBlock, ReadError> {
        self.load(index, window).map(Loaded::into_block)
    }

    fn load(&self, index: usize, window: &Window) -> Result<Loaded, ReadError> {
        let variable = &self.variables[index];
        if !variable.element.is_numeric() {
            let element = variable.element.to_string();
            return Err(ReadError::NotNumeric { variable: variable.name.clone(), element });
        }
        let needed = (window.len() as u64).saturating_mul(8);
        if needed > MAX_READ_BYTES as u64 {
            let limit = MAX_READ_BYTES as u64;
            return Err(ReadError::TooLarge { variable: variable.name.clone(), needed, limit });
        }
        match self.pieces(index) {
            Some(pieces) => load_window(&pieces, window),
            None => self.read_slice(variable, window).map(|block| Loaded::values(window, block)),
        }
    }

    fn prefetch(&self, index: usize, windows: &[Window]) -> Prefetch {
        let (Some(begin), Some(pieces)) = (&self.begin, self.pieces(index)) else {
            return Prefetch::default();
        };
        let all: BTreeSet<Vec<u64>> =
            windows.iter().flat_map(|window| places(window, &pieces.pieces.shape)).collect();
        let stored = all.iter().filter_map(|place| pieces.pieces.place(place));
        begin(stored.map(|stored| (pieces.base().saturating_add(stored.address), stored.size)).collect())
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        (self.fingerprint)()
    }
}

/// The pieces of one variable of a file.
struct FilePieces<'a> {
    store: &'a NetcdfStore,
    pieces: &'a Pieces,
    variable: &'a StoredVariable,
}

impl FilePieces<'_> {
    fn error(&self, error: hdf5_reader::error::Error) -> ReadError {
        self.store.read_error(&self.variable.name, &netcdf_reader::Error::Hdf5(error))
    }

    /// The first byte that addresses count from.
    fn base(&self) -> u64 {
        self.store.hdf5.as_ref().map_or(0, |layer| layer.file.superblock().base_address)
    }
}

impl Chunks for FilePieces<'_> {
    fn shape(&self) -> &[usize] {
        &self.pieces.shape
    }

    fn format(&self) -> NumberFormat {
        self.pieces.format
    }

    fn fill(&self) -> f64 {
        let named = || self.variable.attributes.get("_FillValue").and_then(Attribute::as_number);
        self.pieces.fill.or_else(named).unwrap_or(0.0)
    }

    fn encoded(&self, place: &[u64]) -> Result<Option<Bytes>, ReadError> {
        let Some(stored) = self.pieces.place(place) else { return Ok(None) };
        let size = usize::try_from(stored.size).unwrap_or(usize::MAX);
        if size > MAX_CHUNK_BYTES {
            return Err(self.damaged(format!("a chunk says it has {size} bytes")));
        }
        let bytes = self.store.storage.read_range(self.base().saturating_add(stored.address), size);
        bytes.map(|bytes| Some(Bytes::from_owner(bytes))).map_err(|error| self.error(error))
    }

    fn decode<'b>(&self, place: &[u64], encoded: &'b [u8]) -> Result<Cow<'b, [u8]>, ReadError> {
        let mask = self.pieces.place(place).map_or(0, |stored| stored.filter_mask);
        let filters = self.store.hdf5.as_ref().map(|layer| &layer.filters);
        self.pieces.decode(mask, encoded, filters).map_err(|error| self.error(error))
    }

    fn damaged(&self, detail: String) -> ReadError {
        let (path, variable) = (self.store.address.clone(), self.variable.name.clone());
        ReadError::Damaged { path, variable, detail }
    }
}

/// The digest of decoded numbers, as little-endian doubles in row-major order.
pub(crate) fn decoded_digest<'a>(values: impl Iterator<Item = &'a f64>) -> ChunkBytes {
    let mut hasher = leg_core::digest::Hasher::new(Domain::Chunk);
    let mut buffer = Vec::with_capacity(8 * 4096);
    let mut bytes = 0;
    for value in values {
        buffer.extend_from_slice(&value.to_le_bytes());
        bytes += 8;
        if buffer.len() == buffer.capacity() {
            hasher.update(&buffer);
            buffer.clear();
        }
    }
    hasher.update(&buffer);
    let digest: Digest = hasher.finish();
    ChunkBytes { digest, bytes, raw: false }
}

fn options() -> NcOpenOptions {
    NcOpenOptions {
        filter_registry: Some(filters()),
        max_chunk_bytes: MAX_CHUNK_BYTES,
        max_read_bytes: MAX_READ_BYTES,
        ..NcOpenOptions::default()
    }
}

enum Failure {
    Fetch,
    Truncated,
    Codec,
    Damaged,
}

fn failure_of(error: &netcdf_reader::Error) -> Failure {
    use hdf5_reader::error::Error as Hdf5;
    use netcdf_reader::Error;
    match error {
        Error::UnexpectedEof { .. } | Error::Hdf5(Hdf5::UnexpectedEof { .. }) => Failure::Truncated,
        Error::InvalidData(detail) if detail.contains("but the file has only") => Failure::Truncated,
        Error::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Failure::Truncated,
        Error::Io(_) | Error::Hdf5(Hdf5::Io(_)) => Failure::Fetch,
        Error::Hdf5(Hdf5::UnsupportedFilter(_)) | Error::UnsupportedFeature(_) => Failure::Codec,
        _ => Failure::Damaged,
    }
}

fn open_error(address: &str, error: &netcdf_reader::Error) -> OpenError {
    let (path, detail) = (address.to_owned(), error.to_string());
    match (error, failure_of(error)) {
        (netcdf_reader::Error::InvalidMagic, _) => OpenError::NotADataset { path, detail },
        (_, Failure::Truncated) => OpenError::Truncated { path, detail },
        (_, Failure::Codec) => OpenError::Unsupported { path, detail },
        (_, Failure::Fetch) => OpenError::Unreachable { address: path, detail },
        (_, Failure::Damaged) => OpenError::Damaged { path, detail },
    }
}
