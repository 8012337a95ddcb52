//! NetCDF-3 (classic, 64-bit offset, CDF-5) and NetCDF-4 files.
//!
//! NetCDF-4 chunk shapes come from the HDF5 layer; the raw bytes of its chunks are not given by the reader, so
//! the digest of a block is over the decoded numbers as little-endian doubles.

use std::fs;
use std::path::{Path, PathBuf};

use hdf5_reader::Hdf5File;
use leg_core::digest::{Digest, Domain};
use netcdf_reader::{
    NcAttrValue, NcAttribute, NcFile, NcFormat, NcGroup, NcOpenOptions, NcSliceInfo, NcSliceInfoElem, NcType,
    NcVariable,
};
use serde_json::{Value, json};

use super::open::OpenError;
use super::store::{ChunkBytes, ElementType, ReadError, Store, StoredBlock, StoredVariable, Window};
use crate::cf::{Attribute, Attributes};

/// Largest decoded chunk and largest single read, against hostile files.
const MAX_CHUNK_BYTES: usize = 1 << 30;
const MAX_READ_BYTES: usize = 4 << 30;
/// HDF5 filter number of Zstandard.
const FILTER_ZSTD: u16 = 32_015;

/// An open NetCDF file.
pub(crate) struct NetcdfStore {
    path: PathBuf,
    file: NcFile,
    format: &'static str,
    variables: Vec<StoredVariable>,
    attributes: Attributes,
}

impl std::fmt::Debug for NetcdfStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NetcdfStore")
            .field("path", &self.path)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

impl NetcdfStore {
    /// Opens a file and reads its header; a file shorter than its header says is refused.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let wrong = |error: netcdf_reader::Error| open_error(path, &error);
        let file = NcFile::open_with_options(path, options()).map_err(wrong)?;
        let format = match file.format() {
            NcFormat::Classic => "NetCDF-3 classic",
            NcFormat::Offset64 => "NetCDF-3 64-bit offset",
            NcFormat::Cdf5 => "NetCDF-3 CDF-5",
            NcFormat::Nc4 => "NetCDF-4",
            NcFormat::Nc4Classic => "NetCDF-4 classic model",
        };
        let is_hdf5 = matches!(file.format(), NcFormat::Nc4 | NcFormat::Nc4Classic);
        let length = fs::metadata(path).map_err(|source| OpenError::io(path, source))?.len();
        let root = file.root_group().map_err(wrong)?;
        if is_hdf5 {
            check_hdf5_length(path, length)?;
        } else {
            check_classic_length(path, length, root)?;
        }
        let hdf5 = is_hdf5.then(|| Hdf5File::open(path).ok()).flatten();
        let mut variables = Vec::new();
        collect(root, "", hdf5.as_ref(), &mut variables);
        let attributes = attributes_of(&root.attributes);
        Ok(Self { path: path.to_owned(), file, format, variables, attributes })
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

    fn fingerprint(&self) -> Result<Value, ReadError> {
        super::open::file_fingerprint(&self.path)
    }
}

impl NetcdfStore {
    fn read_error(&self, variable: &str, error: &netcdf_reader::Error) -> ReadError {
        let (path, variable) = (self.path.display().to_string(), variable.to_owned());
        let detail = error.to_string();
        match failure_of(error) {
            Failure::Truncated => ReadError::Truncated { path, variable, detail },
            Failure::Codec => ReadError::UnsupportedCodec { path, variable, detail },
            Failure::Damaged => ReadError::Damaged { path, variable, detail },
        }
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
    let mut filters = hdf5_reader::FilterRegistry::new();
    filters.register(
        FILTER_ZSTD,
        Box::new(|_, data, _| {
            let limit = MAX_CHUNK_BYTES as u64;
            let mut decoded = Vec::new();
            let decoder = zstd::stream::read::Decoder::new(data);
            let read = decoder.and_then(|decoder| {
                std::io::Read::read_to_end(&mut std::io::Read::take(decoder, limit), &mut decoded)
            });
            match read {
                Ok(_) => Ok(decoded),
                Err(error) => Err(hdf5_reader::error::Error::DecompressionError(error.to_string())),
            }
        }),
    );
    NcOpenOptions {
        filter_registry: Some(filters),
        max_chunk_bytes: MAX_CHUNK_BYTES,
        max_read_bytes: MAX_READ_BYTES,
        ..NcOpenOptions::default()
    }
}

enum Failure {
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
        Error::Hdf5(Hdf5::UnsupportedFilter(_)) | Error::UnsupportedFeature(_) => Failure::Codec,
        _ => Failure::Damaged,
    }
}

fn open_error(path: &Path, error: &netcdf_reader::Error) -> OpenError {
    let (path, detail) = (path.display().to_string(), error.to_string());
    match (error, failure_of(error)) {
        (netcdf_reader::Error::InvalidMagic, _) => OpenError::NotADataset { path, detail },
        (_, Failure::Truncated) => OpenError::Truncated { path, detail },
        (_, Failure::Codec) => OpenError::Unsupported { path, detail },
        (_, Failure::Damaged) => OpenError::Damaged { path, detail },
    }
}

/// The classic formats state where each variable lies.
fn check_classic_length(path: &Path, length: u64, root: &NcGroup) -> Result<(), OpenError> {
    for variable in &root.variables {
        let records = if variable.is_record_var {
            variable.dimensions.first().map_or(0, |dimension| dimension.size)
        } else {
            1
        };
        if records == 0 {
            continue;
        }
        let elements = variable.num_elements().unwrap_or(u64::MAX) / records;
        let size = elements.saturating_mul(variable.dtype.size().unwrap_or(1) as u64);
        // Without the stride between records only the first one is certain.
        let end = variable.data_offset.saturating_add(size);
        if end > length {
            let detail = format!("variable `{}` ends at byte {end} and the file has {length}", variable.name);
            return Err(OpenError::Truncated { path: path.display().to_string(), detail });
        }
    }
    let records: Vec<&NcVariable> = root.variables.iter().filter(|v| v.is_record_var).collect();
    let count = records.first().and_then(|v| v.dimensions.first()).map_or(0, |dimension| dimension.size);
    let start = records.iter().map(|v| v.data_offset).min().unwrap_or(0);
    // Several record variables are each padded to four bytes; one alone is not.
    let padded = |size: u64| if records.len() == 1 { size } else { size.next_multiple_of(4) };
    let stride = records.iter().fold(0_u64, |sum, v| sum.saturating_add(padded(v.record_size)));
    let last = records.iter().max_by_key(|v| v.data_offset);
    let padding = last.map_or(0, |v| padded(v.record_size) - v.record_size);
    let end = start.saturating_add(stride.saturating_mul(count)).saturating_sub(padding);
    if count > 0 && end > length {
        let detail = format!("its {count} records need {end} bytes and the file has {length}");
        return Err(OpenError::Truncated { path: path.display().to_string(), detail });
    }
    Ok(())
}

/// The HDF5 superblock states the end of the file.
fn check_hdf5_length(path: &Path, length: u64) -> Result<(), OpenError> {
    use std::io::Read as _;

    let mut head = [0_u8; 56];
    let read = fs::File::open(path).and_then(|mut file| file.read(&mut head));
    let filled = read.map_err(|source| OpenError::io(path, source))?;
    if filled < head.len() || &head[1..4] != b"HDF" {
        return Ok(());
    }
    let at = match head[8] {
        0 if head[13] == 8 => 40,
        1 if head[13] == 8 => 44,
        2 | 3 if head[9] == 8 => 28,
        _ => return Ok(()),
    };
    let mut bytes = [0_u8; 8];
    bytes.copy_from_slice(&head[at..at + 8]);
    let end = u64::from_le_bytes(bytes);
    if end != u64::MAX && end > length {
        let detail = format!("its header says {end} bytes and the file has {length}");
        return Err(OpenError::Truncated { path: path.display().to_string(), detail });
    }
    Ok(())
}

fn collect(group: &NcGroup, prefix: &str, hdf5: Option<&Hdf5File>, out: &mut Vec<StoredVariable>) {
    for variable in &group.variables {
        let name = format!("{prefix}{}", variable.name);
        let dimensions: Vec<(String, usize)> = variable
            .dimensions
            .iter()
            .map(|dimension| (dimension.name.clone(), usize::try_from(dimension.size).unwrap_or(usize::MAX)))
            .collect();
        let chunks = hdf5
            .and_then(|file| file.dataset(&name).ok())
            .and_then(|dataset| dataset.chunks())
            .map(|chunks| chunks.iter().map(|&n| n as usize).collect::<Vec<_>>())
            .filter(|chunks| chunks.len() == dimensions.len() && chunks.iter().all(|&n| n > 0));
        let whole: Vec<usize> =
            dimensions.iter().enumerate().map(|(i, d)| if i == 0 { 1 } else { d.1.max(1) }).collect();
        let is_chunked = chunks.is_some();
        out.push(StoredVariable {
            name,
            element: element_of(&variable.dtype),
            attributes: attributes_of(&variable.attributes),
            chunk_shape: chunks.unwrap_or(whole),
            is_chunked,
            fill_value: default_fill(&variable.dtype),
            dimensions,
        });
    }
    for child in &group.groups {
        collect(child, &format!("{prefix}{}/", child.name), hdf5, out);
    }
}

fn element_of(kind: &NcType) -> ElementType {
    ElementType::Number(match kind {
        NcType::Byte => "int8",
        NcType::Short => "int16",
        NcType::Int => "int32",
        NcType::Float => "float32",
        NcType::Double => "float64",
        NcType::UByte => "uint8",
        NcType::UShort => "uint16",
        NcType::UInt => "uint32",
        NcType::Int64 => "int64",
        NcType::UInt64 => "uint64",
        NcType::Char => return ElementType::Other("characters".to_owned()),
        NcType::String => return ElementType::Other("text".to_owned()),
        NcType::Enum { .. } => return ElementType::Other("an enumeration".to_owned()),
        _ => return ElementType::Other("a compound type".to_owned()),
    })
}

/// Default fill values of the NetCDF library; bytes have none that is applied.
fn default_fill(kind: &NcType) -> Option<f64> {
    match kind {
        NcType::Short => Some(-32_767.0),
        NcType::UShort => Some(65_535.0),
        NcType::Int => Some(-2_147_483_647.0),
        NcType::UInt => Some(4_294_967_295.0),
        NcType::Int64 => Some(-9_223_372_036_854_775_806_i64 as f64),
        NcType::UInt64 => Some(18_446_744_073_709_551_614_u64 as f64),
        NcType::Float => Some(f64::from(9.969_21e36_f32)),
        NcType::Double => Some(9.969_209_968_386_869e36),
        _ => None,
    }
}

fn attributes_of(attributes: &[NcAttribute]) -> Attributes {
    attributes.iter().map(|attribute| (attribute.name.clone(), attribute_of(&attribute.value))).collect()
}

fn attribute_of(value: &NcAttrValue) -> Attribute {
    if let Some(numbers) = value.as_f64_vec() {
        return Attribute::Numbers(numbers);
    }
    match value {
        NcAttrValue::Chars(text) => Attribute::Text(text.clone()),
        NcAttrValue::Strings(texts) if texts.len() == 1 => Attribute::Text(texts[0].clone()),
        NcAttrValue::Strings(texts) => Attribute::Texts(texts.clone()),
        _ => Attribute::Other(json!("a user-defined type").to_string()),
    }
}
