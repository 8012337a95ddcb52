//! The storage port: what every file format provides.

use std::fmt;

use leg_core::digest::Digest;
use ndarray::ArrayD;
use serde_json::Value;

use super::loaded::Loaded;
use super::prefetch::Prefetch;
use crate::cf::Attributes;

/// A store of named arrays with dimensions and attributes.
///
/// One implementation a format; the CF layer above it knows no format.
pub trait Store: Send + Sync + fmt::Debug {
    /// A short name of the format, such as `NetCDF-4` or `Zarr v3`.
    fn format(&self) -> &str;

    /// The arrays, in the order of the store.
    fn variables(&self) -> &[StoredVariable];

    /// Attributes of the whole store.
    fn attributes(&self) -> &Attributes;

    /// Reads a window of the variable at `index` of [`Store::variables`] as stored numbers (no unpacking),
    /// with the digests of what was read.
    ///
    /// # Errors
    /// [`ReadError`] when the bytes are missing, damaged or in an unknown coding.
    fn read(&self, index: usize, window: &Window) -> Result<StoredBlock, ReadError>;

    /// Reads a window as [`Store::read`] does, and leaves it as it is stored until parts of it are taken, where the
    /// format can.
    ///
    /// # Errors
    /// As [`Store::read`].
    fn load(&self, index: usize, window: &Window) -> Result<Loaded, ReadError> {
        self.read(index, window).map(|block| Loaded::values(window, block))
    }

    /// Begins to fetch what reads of these windows will need, for stores that are not on a local disk.
    ///
    /// What comes is waited for and held by a thread that may block, so that no thread that decodes waits for the
    /// network.
    fn prefetch(&self, _index: usize, _windows: &[Window]) -> Prefetch {
        Prefetch::default()
    }

    /// Sizes and modification times of the files, for telling one source from another.
    ///
    /// # Errors
    /// [`ReadError::Io`] when they cannot be listed.
    fn fingerprint(&self) -> Result<Value, ReadError>;

    /// What the data are, for stores that know it better than their coordinates tell: a generator's name and version.
    fn identity(&self) -> Option<Value> {
        None
    }
}

/// One array of a store.
#[derive(Debug, Clone)]
pub struct StoredVariable {
    /// Name; variables of nested groups have a path (`physics/state/thetao`).
    pub name: String,
    /// Dimension names and lengths, slowest first.
    pub dimensions: Vec<(String, usize)>,
    /// Element type.
    pub element: ElementType,
    /// Attributes.
    pub attributes: Attributes,
    /// Shape of the pieces that are stored together; for a file without chunks one index of the first
    /// dimension.
    pub chunk_shape: Vec<usize>,
    /// Whether `chunk_shape` is real.
    pub is_chunked: bool,
    /// The value of elements that were never written, when the format has one that means missing.
    pub fill_value: Option<f64>,
    /// Whether the format tells the types of attributes, and `scale_factor` and `add_offset` are in single precision.
    pub is_packed_in_single: bool,
}

impl StoredVariable {
    /// Lengths of the dimensions.
    pub fn shape(&self) -> Vec<usize> {
        self.dimensions.iter().map(|dimension| dimension.1).collect()
    }

    /// Number of elements; saturates.
    pub fn len(&self) -> usize {
        self.dimensions.iter().fold(1, |n, dimension| n.saturating_mul(dimension.1))
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Element type of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ElementType {
    /// A number or boolean, by its usual name (`float32`, `int16`).
    Number(&'static str),
    /// Text or another type that is no number.
    Other(String),
}

impl ElementType {
    /// Whether values can be read as doubles.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Self::Number(_))
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(name) => f.write_str(name),
            Self::Other(name) => f.write_str(name),
        }
    }
}

/// A box of indices: start and length a dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// First index of each dimension.
    pub start: Vec<usize>,
    /// Length of each dimension.
    pub shape: Vec<usize>,
}

impl Window {
    /// The whole array.
    pub fn all(variable: &StoredVariable) -> Self {
        Self { start: vec![0; variable.dimensions.len()], shape: variable.shape() }
    }

    /// Number of elements; saturates.
    pub fn len(&self) -> usize {
        self.shape.iter().fold(1, |n, &length| n.saturating_mul(length))
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a read returns.
#[derive(Debug)]
pub struct StoredBlock {
    /// The numbers as stored.
    pub values: ArrayD<f64>,
    /// The digests of what was read, in chunk order.
    pub chunks: Vec<ChunkBytes>,
}

/// The digest of one piece that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkBytes {
    /// Digest of the bytes.
    pub digest: Digest,
    /// How many bytes were hashed.
    pub bytes: u64,
    /// Whether they are the bytes of the store; otherwise the decoded numbers as little-endian doubles.
    pub raw: bool,
}

/// A store that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file ends before the data.
    #[error("`{path}` ends before the data of `{variable}`: {detail}; copy or download the file again")]
    Truncated {
        /// The file.
        path: String,
        /// The variable.
        variable: String,
        /// What was missing.
        detail: String,
    },
    /// A compression or filter that is not built in.
    #[error(
        "`{variable}` in `{path}` is stored with a coding that is not supported: {detail}; rewrite it with zlib, gzip, zstd or blosc"
    )]
    UnsupportedCodec {
        /// The file or store.
        path: String,
        /// The variable.
        variable: String,
        /// What was found.
        detail: String,
    },
    /// The bytes cannot be decoded.
    #[error(
        "`{variable}` in `{path}` is damaged: {detail}; check the file with its own tools or copy it again"
    )]
    Damaged {
        /// The file or store.
        path: String,
        /// The variable.
        variable: String,
        /// What went wrong.
        detail: String,
    },
    /// The bytes did not come.
    #[error("`{variable}` of `{path}` cannot be fetched: {detail}")]
    Fetch {
        /// The file or store.
        path: String,
        /// The variable.
        variable: String,
        /// Why, and what to do.
        detail: String,
    },
    /// The type is not a number.
    #[error("`{variable}` holds {element}, not numbers; choose another variable")]
    NotNumeric {
        /// The variable.
        variable: String,
        /// Its type.
        element: String,
    },
    /// More than the limit would have to be in memory at once.
    #[error(
        "reading `{variable}` needs {needed} bytes at once and the limit is {limit}; narrow the selection or raise the limit"
    )]
    TooLarge {
        /// The variable.
        variable: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The operating system refused.
    #[error("`{path}` cannot be read: {source}; check that it exists and may be read")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}
