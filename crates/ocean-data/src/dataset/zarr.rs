//! Zarr v2 and v3 stores, sharded or not, over anything that answers for keys.
//!
//! Digests are over the encoded bytes of each stored chunk; for a sharded array over those of each inner chunk.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;
use zarrs::array::{
    Array, ArrayBytes, ArrayShardedExt as _, ArrayShardedReadableExt as _, ArrayShardedReadableExtCache,
    ArrayToBytesCodecTraits as _, ChunkShape, CodecChain, CodecOptions,
};
use zarrs::filesystem::FilesystemStore;
use zarrs::group::Group;
use zarrs::metadata::v3::MetadataV3;
use zarrs::storage::byte_range::ByteRange;
use zarrs::storage::{ReadableListableStorageTraits, StoreKey};

use super::chunked::{Chunks, load_window, places};
use super::loaded::Loaded;
use super::number_format::NumberFormat;
use super::objects::{KeyStore, Range};
use super::open::OpenError;
use super::prefetch::Prefetch;
use super::store::{ElementType, ReadError, Store, StoredBlock, StoredVariable, Window};
use super::zarr_metadata::{attributes_of, describe, is_plain_zstd};
use crate::cf::Attributes;

/// What answers for keys.
pub(crate) type Backing = dyn ReadableListableStorageTraits;

/// Groups below groups deeper than this are left alone.
const MAX_DEPTH: usize = 8;

/// An open Zarr store.
pub(crate) struct ZarrStore {
    /// Its address, for errors.
    address: String,
    format: String,
    /// The keys of a store that is not a folder.
    keys: Option<Arc<KeyStore>>,
    arrays: Vec<OpenArray>,
    variables: Vec<StoredVariable>,
    attributes: Attributes,
    fingerprint: Fingerprint,
}

/// Gives what [`Store::fingerprint`] returns.
pub(crate) type Fingerprint = Box<dyn Fn() -> Result<Value, ReadError> + Send + Sync>;

struct OpenArray {
    array: Array<Backing>,
    /// Shape of what is stored and decoded together.
    shape: ChunkShape,
    codecs: Arc<CodecChain>,
    /// For sharded arrays: the shard indexes read so far.
    shards: Option<ArrayShardedReadableExtCache>,
    fill: f64,
    /// Whether chunks are numbers of this machine's byte order, compressed with zstd and nothing else.
    streams: bool,
}

impl std::fmt::Debug for ZarrStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ZarrStore")
            .field("address", &self.address)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

impl ZarrStore {
    /// Whether a folder looks like a Zarr group or array.
    pub(crate) fn is_store(path: &Path) -> bool {
        ["zarr.json", ".zgroup", ".zarray", ".zmetadata"].iter().any(|name| path.join(name).is_file())
    }

    /// Opens the group, or single array, at a folder.
    pub(crate) fn open_folder(path: &Path) -> Result<Self, OpenError> {
        let address = path.display().to_string();
        let store = FilesystemStore::new(path)
            .map_err(|error| OpenError::Damaged { path: address.clone(), detail: error.to_string() })?;
        let name =
            path.file_stem().map_or_else(|| "data".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let folder = path.to_owned();
        let fingerprint = Box::new(move || super::open::folder_fingerprint(&folder));
        let store: Arc<Backing> = Arc::new(store);
        Self::open(&store, &address, &name, fingerprint)
    }

    /// Opens the group, or single array, of a store; `name` is that of a single array.
    pub(crate) fn open(
        store: &Arc<Backing>,
        address: &str,
        name: &str,
        fingerprint: Fingerprint,
    ) -> Result<Self, OpenError> {
        let damaged = |detail: String| OpenError::Damaged { path: address.to_owned(), detail };
        let has = |key: &str| -> Result<Option<Bytes>, OpenError> {
            let key = StoreKey::new(key).map_err(|error| damaged(error.to_string()))?;
            store.get(&key).map_err(|error| damaged(error.to_string()))
        };
        let root = has("zarr.json")?;
        let is_v3_array = root.as_ref().is_some_and(|bytes| {
            serde_json::from_slice::<Value>(bytes).is_ok_and(|document| document["node_type"] == "array")
        });
        let format = if root.is_some() { "Zarr v3" } else { "Zarr v2" }.to_owned();
        let mut arrays = Vec::new();
        let mut attributes = Attributes::new();
        if is_v3_array || has(".zarray")?.is_some() {
            let array = Array::open(Arc::clone(store), "/");
            arrays.push(array.map_err(|error| array_error(address, "/", &error.to_string()))?);
        } else {
            let group = Group::open(Arc::clone(store), "/").map_err(|error| damaged(error.to_string()))?;
            attributes = attributes_of(group.attributes());
            collect(address, &group, 0, &mut arrays)?;
        }
        let variables =
            arrays.iter().map(|array| describe(address, name, array)).collect::<Result<Vec<_>, _>>()?;
        let arrays = arrays
            .into_iter()
            .zip(&variables)
            .map(|(array, variable)| OpenArray::new(array, variable).map_err(damaged))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            address: address.to_owned(),
            format,
            keys: None,
            arrays,
            variables,
            attributes,
            fingerprint,
        })
    }

    /// Opens a store over keys; `kind` tells where they come from.
    pub(crate) fn open_keys(
        keys: KeyStore,
        address: &str,
        name: &str,
        kind: &str,
        fingerprint: Fingerprint,
    ) -> Result<Self, OpenError> {
        let keys = Arc::new(keys);
        let backing: Arc<Backing> = Arc::<KeyStore>::clone(&keys);
        let mut store = Self::open(&backing, address, name, fingerprint)?;
        store.format = format!("{} ({kind})", store.format);
        store.keys = Some(keys);
        Ok(store)
    }

    /// The key of a stored piece and, inside a shard, where it lies; `None` for one that was never written.
    fn piece(&self, index: usize, place: &[u64]) -> Option<(StoreKey, Option<Range>)> {
        let open = &self.arrays[index];
        let Some(cache) = &open.shards else { return Some((open.array.chunk_key(place), None)) };
        let shard = open.array.chunk_shape(&vec![0; place.len()]).ok()?;
        let key: Vec<u64> = (place.iter().zip(&open.shape).zip(&shard))
            .map(|((at, inner), outer)| at * inner.get() / outer.get())
            .collect();
        match open.array.subchunk_byte_range(cache, place).ok()?? {
            ByteRange::FromStart(first, Some(length)) => {
                Some((open.array.chunk_key(&key), Some((first, length))))
            }
            // Written ones have a place from the start; others are read whole when they are decoded.
            ByteRange::FromStart(..) | ByteRange::Suffix(_) => None,
        }
    }
}

impl Store for ZarrStore {
    fn format(&self) -> &str {
        &self.format
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
        let ElementType::Number(kind) = variable.element else {
            let element = variable.element.to_string();
            return Err(ReadError::NotNumeric { variable: variable.name.clone(), element });
        };
        let Some(format) = NumberFormat::native(kind) else {
            let element = kind.to_owned();
            return Err(ReadError::NotNumeric { variable: variable.name.clone(), element });
        };
        let chunks = ZarrChunks { store: self, open: &self.arrays[index], variable, format };
        load_window(&chunks, window)
    }

    fn prefetch(&self, index: usize, windows: &[Window]) -> Prefetch {
        let Some(keys) = &self.keys else { return Prefetch::default() };
        let chunk = &self.variables[index].chunk_shape;
        let places: BTreeSet<Vec<u64>> = windows.iter().flat_map(|window| places(window, chunk)).collect();
        let wanted: Vec<_> = places.iter().filter_map(|place| self.piece(index, place)).collect();
        keys.begin(&wanted)
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        (self.fingerprint)()
    }
}

impl OpenArray {
    fn new(array: Array<Backing>, variable: &StoredVariable) -> Result<Self, String> {
        let (shape, codecs, shards) = if array.is_exclusively_sharded() {
            let inner = inner_codecs(&array).ok_or("its shards say no inner codecs")?;
            let codecs = CodecChain::from_metadata(&inner).map_err(|error| error.to_string())?;
            let shape = array.subchunk_shape().ok_or("its shards say no inner chunk shape")?;
            (shape, Arc::new(codecs), Some(ArrayShardedReadableExtCache::new(&array)))
        } else {
            let zeros = vec![0; array.dimensionality()];
            (array.chunk_shape(&zeros).map_err(|error| error.to_string())?, array.codecs(), None)
        };
        let format = match variable.element {
            ElementType::Number(kind) => NumberFormat::native(kind),
            ElementType::Other(_) => None,
        };
        let fill = format.and_then(|format| format.read_one(array.fill_value().as_ne_bytes()));
        let streams = is_plain_zstd(&array);
        Ok(Self { array, shape, codecs, shards, fill: fill.unwrap_or(f64::NAN), streams })
    }
}

/// The codecs inside the shards of an array, as its metadata list them.
fn inner_codecs(array: &Array<Backing>) -> Option<Vec<MetadataV3>> {
    let metadata = serde_json::to_value(array.metadata()).ok()?;
    let sharding = metadata["codecs"].as_array()?.iter().find(|codec| codec["name"] == "sharding_indexed")?;
    serde_json::from_value(sharding["configuration"]["codecs"].clone()).ok()
}

/// The chunks of one array of a store.
struct ZarrChunks<'a> {
    store: &'a ZarrStore,
    open: &'a OpenArray,
    variable: &'a StoredVariable,
    format: NumberFormat,
}

impl Chunks for ZarrChunks<'_> {
    fn shape(&self) -> &[usize] {
        &self.variable.chunk_shape
    }

    fn format(&self) -> NumberFormat {
        self.format
    }

    fn fill(&self) -> f64 {
        self.open.fill
    }

    fn encoded(&self, place: &[u64]) -> Result<Option<Bytes>, ReadError> {
        let array = &self.open.array;
        let bytes = match &self.open.shards {
            Some(cache) => array.retrieve_encoded_subchunk(cache, place).map_err(|error| error.to_string()),
            None => array.retrieve_encoded_chunk(place).map_err(|error| error.to_string()),
        };
        bytes.map(|bytes| bytes.map(Bytes::from)).map_err(|detail| ReadError::Fetch {
            path: self.store.address.clone(),
            variable: self.variable.name.clone(),
            detail,
        })
    }

    fn decode<'b>(&self, _: &[u64], encoded: &'b [u8]) -> Result<Cow<'b, [u8]>, ReadError> {
        let array = &self.open.array;
        // The blocks of a walk are already spread over rayon's threads.
        let options = CodecOptions::default().with_concurrent_target(1);
        let (shape, bytes) = (&self.open.shape, Cow::Borrowed(encoded));
        self.open
            .codecs
            .decode(bytes, shape, array.data_type(), array.fill_value(), &options)
            .map_err(|error| error.to_string())
            .and_then(|bytes| ArrayBytes::into_fixed(bytes).map_err(|error| error.to_string()))
            .map_err(|detail| self.damaged(detail))
    }

    fn stream<'a>(&self, encoded: &'a [u8]) -> Option<io::Result<Box<dyn Read + 'a>>> {
        let decoder = || Ok(Box::new(zstd::stream::read::Decoder::with_buffer(encoded)?) as Box<dyn Read>);
        self.open.streams.then(decoder)
    }

    fn damaged(&self, detail: String) -> ReadError {
        let (path, variable) = (self.store.address.clone(), self.variable.name.clone());
        if detail.contains("unsupported") || detail.contains("not supported") {
            ReadError::UnsupportedCodec { path, variable, detail }
        } else {
            ReadError::Damaged { path, variable, detail }
        }
    }
}

fn collect(
    address: &str,
    group: &Group<Backing>,
    depth: usize,
    out: &mut Vec<Array<Backing>>,
) -> Result<(), OpenError> {
    let damaged = |detail: String| OpenError::Damaged { path: address.to_owned(), detail };
    let mut paths = group.child_array_paths().map_err(|error| damaged(error.to_string()))?;
    paths.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    for child in paths {
        let array = Array::open(group.storage(), child.as_str())
            .map_err(|error| array_error(address, child.as_str(), &error.to_string()))?;
        out.push(array);
    }
    if depth < MAX_DEPTH {
        for child in group.child_groups().map_err(|error| damaged(error.to_string()))? {
            collect(address, &child, depth + 1, out)?;
        }
    }
    Ok(())
}

fn array_error(path: &str, array: &str, detail: &str) -> OpenError {
    let detail = format!("array `{}`: {detail}", array.trim_start_matches('/'));
    if detail.contains("support") || detail.contains("codec") {
        OpenError::Unsupported { path: path.to_owned(), detail }
    } else {
        OpenError::Damaged { path: path.to_owned(), detail }
    }
}
