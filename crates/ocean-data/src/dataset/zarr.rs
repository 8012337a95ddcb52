//! Zarr v2 and v3 stores in a local folder, sharded or not.
//!
//! Digests are over the encoded bytes of each stored chunk; for a sharded array over those of each inner chunk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use leg_core::digest::{Digest, Domain};
use ndarray::ArrayD;
use serde_json::{Value, json};
use zarrs::array::{
    Array, ArrayShardedExt as _, ArrayShardedReadableExt as _, ArrayShardedReadableExtCache, ArraySubset,
    CodecOptions, ElementOwned,
};
use zarrs::filesystem::FilesystemStore;
use zarrs::group::Group;

use super::open::OpenError;
use super::store::{ChunkBytes, ElementType, ReadError, Store, StoredBlock, StoredVariable, Window};
use crate::cf::{Attribute, Attributes};

/// Groups below groups deeper than this are left alone.
const MAX_DEPTH: usize = 8;

/// An open Zarr store.
pub(crate) struct ZarrStore {
    path: PathBuf,
    format: &'static str,
    arrays: Vec<OpenArray>,
    variables: Vec<StoredVariable>,
    attributes: Attributes,
}

struct OpenArray {
    array: Array<FilesystemStore>,
    /// For sharded arrays: the shard indexes read so far.
    shards: Option<ArrayShardedReadableExtCache>,
}

impl std::fmt::Debug for ZarrStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ZarrStore")
            .field("path", &self.path)
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
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let text = path.display().to_string();
        let damaged = |detail: String| OpenError::Damaged { path: text.clone(), detail };
        let store = Arc::new(FilesystemStore::new(path).map_err(|error| damaged(error.to_string()))?);
        let mut arrays = Vec::new();
        let mut attributes = Attributes::new();
        if path.join(".zarray").is_file() || is_v3_array(path) {
            arrays
                .push(Array::open(store, "/").map_err(|error| array_error(&text, "/", &error.to_string()))?);
        } else {
            let group = Group::open(store, "/").map_err(|error| damaged(error.to_string()))?;
            attributes = attributes_of(group.attributes());
            collect(&text, &group, 0, &mut arrays)?;
        }
        let format = if path.join("zarr.json").is_file() { "Zarr v3" } else { "Zarr v2" };
        let variables =
            arrays.iter().map(|array| describe(&text, path, array)).collect::<Result<Vec<_>, _>>()?;
        let arrays = arrays
            .into_iter()
            .map(|array| {
                let shards = array.is_sharded().then(|| ArrayShardedReadableExtCache::new(&array));
                OpenArray { array, shards }
            })
            .collect();
        Ok(Self { path: path.to_owned(), format, arrays, variables, attributes })
    }

    /// Digests of the stored chunks that a window touches, in row-major chunk order.
    fn chunk_digests(&self, index: usize, window: &Window) -> Result<Vec<ChunkBytes>, ReadError> {
        let (open, variable) = (&self.arrays[index], &self.variables[index]);
        let ranges: Vec<(u64, u64)> = (window.start.iter().zip(&window.shape))
            .zip(&variable.chunk_shape)
            .map(|((&start, &length), &chunk)| {
                ((start / chunk) as u64, (start + length).div_ceil(chunk) as u64)
            })
            .collect();
        let mut chunks = Vec::new();
        let mut position: Vec<u64> = ranges.iter().map(|range| range.0).collect();
        loop {
            let bytes = match &open.shards {
                Some(cache) => {
                    open.array.retrieve_encoded_subchunk(cache, &position).map_err(|e| e.to_string())
                }
                None => open.array.retrieve_encoded_chunk(&position).map_err(|e| e.to_string()),
            };
            let bytes = bytes.map_err(|detail| self.read_error(&variable.name, detail))?.unwrap_or_default();
            let digest = Digest::of(Domain::Chunk, &bytes);
            chunks.push(ChunkBytes { digest, bytes: bytes.len() as u64, raw: true });
            if !advance(&mut position, &ranges) {
                return Ok(chunks);
            }
        }
    }

    fn values(&self, index: usize, window: &Window) -> Result<ArrayD<f64>, String> {
        let open = &self.arrays[index];
        let ranges: Vec<std::ops::Range<u64>> = (window.start.iter().zip(&window.shape))
            .map(|(&start, &length)| start as u64..(start + length) as u64)
            .collect();
        let subset = ArraySubset::new_with_ranges(&ranges);
        match &self.variables[index].element {
            ElementType::Number("bool") => read_as(open, &subset, |value: bool| f64::from(u8::from(value))),
            ElementType::Number("int8") => read_as(open, &subset, |value: i8| f64::from(value)),
            ElementType::Number("int16") => read_as(open, &subset, |value: i16| f64::from(value)),
            ElementType::Number("int32") => read_as(open, &subset, |value: i32| f64::from(value)),
            ElementType::Number("int64") => read_as(open, &subset, |value: i64| value as f64),
            ElementType::Number("uint8") => read_as(open, &subset, |value: u8| f64::from(value)),
            ElementType::Number("uint16") => read_as(open, &subset, |value: u16| f64::from(value)),
            ElementType::Number("uint32") => read_as(open, &subset, |value: u32| f64::from(value)),
            ElementType::Number("uint64") => read_as(open, &subset, |value: u64| value as f64),
            ElementType::Number("float32") => read_as(open, &subset, |value: f32| f64::from(value)),
            _ => read_as(open, &subset, |value: f64| value),
        }
    }

    fn read_error(&self, variable: &str, detail: String) -> ReadError {
        let (path, variable) = (self.path.display().to_string(), variable.to_owned());
        if detail.contains("unsupported") || detail.contains("not supported") {
            ReadError::UnsupportedCodec { path, variable, detail }
        } else {
            ReadError::Damaged { path, variable, detail }
        }
    }
}

impl Store for ZarrStore {
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
        let chunks = self.chunk_digests(index, window)?;
        let values = self.values(index, window).map_err(|detail| self.read_error(&variable.name, detail))?;
        Ok(StoredBlock { values, chunks })
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        super::open::folder_fingerprint(&self.path)
    }
}

fn read_as<T: ElementOwned>(
    open: &OpenArray,
    subset: &ArraySubset,
    convert: impl Fn(T) -> f64,
) -> Result<ArrayD<f64>, String> {
    // The blocks of a walk are already spread over rayon's threads.
    let options = CodecOptions::default().with_concurrent_target(1);
    let values: ArrayD<T> = match &open.shards {
        Some(cache) => open.array.retrieve_array_subset_sharded_opt(cache, subset, &options),
        None => open.array.retrieve_array_subset_opt(subset, &options),
    }
    .map_err(|error| error.to_string())?;
    let shape = values.raw_dim();
    let numbers: Vec<f64> = values.into_iter().map(convert).collect();
    ArrayD::from_shape_vec(shape, numbers).map_err(|error| error.to_string())
}

/// Moves to the next position of a box in row-major order; false after the last.
fn advance(position: &mut [u64], ranges: &[(u64, u64)]) -> bool {
    for (at, &(first, end)) in position.iter_mut().zip(ranges).rev() {
        *at += 1;
        if *at < end {
            return true;
        }
        *at = first;
    }
    false
}

fn is_v3_array(path: &Path) -> bool {
    let text = std::fs::read(path.join("zarr.json")).unwrap_or_default();
    let document: Value = serde_json::from_slice(&text).unwrap_or(Value::Null);
    document["node_type"] == "array"
}

fn collect(
    path: &str,
    group: &Group<FilesystemStore>,
    depth: usize,
    out: &mut Vec<Array<FilesystemStore>>,
) -> Result<(), OpenError> {
    let damaged = |detail: String| OpenError::Damaged { path: path.to_owned(), detail };
    let mut paths = group.child_array_paths().map_err(|error| damaged(error.to_string()))?;
    paths.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    for child in paths {
        let array = Array::open(group.storage(), child.as_str())
            .map_err(|error| array_error(path, child.as_str(), &error.to_string()))?;
        out.push(array);
    }
    if depth < MAX_DEPTH {
        for child in group.child_groups().map_err(|error| damaged(error.to_string()))? {
            collect(path, &child, depth + 1, out)?;
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

fn describe(text: &str, path: &Path, array: &Array<FilesystemStore>) -> Result<StoredVariable, OpenError> {
    let damaged = |detail: String| OpenError::Damaged { path: text.to_owned(), detail };
    let metadata = serde_json::to_value(array.metadata()).map_err(|error| damaged(error.to_string()))?;
    let name = match array.path().as_str().trim_start_matches('/') {
        "" => path.file_stem().map_or_else(|| "data".to_owned(), |stem| stem.to_string_lossy().into_owned()),
        name => name.to_owned(),
    };
    let lengths: Vec<usize> =
        array.shape().iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect();
    let mut attributes = attributes_of(array.attributes());
    let v2_names = attributes.remove("_ARRAY_DIMENSIONS");
    let names: Vec<Option<String>> = match (&metadata["dimension_names"], v2_names) {
        (Value::Array(names), _) => names.iter().map(|name| name.as_str().map(str::to_owned)).collect(),
        (_, Some(Attribute::Texts(names))) => names.into_iter().map(Some).collect(),
        (_, Some(Attribute::Text(one))) => vec![Some(one)],
        _ => Vec::new(),
    };
    let dimensions = (lengths.iter().enumerate())
        .map(|(i, &length)| {
            let name = names.get(i).cloned().flatten().unwrap_or_else(|| format!("dim_{i}"));
            (name, length)
        })
        .collect();
    let zeros = vec![0; lengths.len()];
    let stored = array.subchunk_shape();
    let chunk = match stored {
        Some(shape) => shape,
        None => array.chunk_shape(&zeros).map_err(|error| damaged(format!("`{name}`: {error}")))?,
    };
    let chunk_shape = chunk.iter().map(|n| usize::try_from(n.get()).unwrap_or(usize::MAX)).collect();
    let is_v2 = metadata["zarr_format"] == 2;
    let fill_value = is_v2.then(|| number_of(&metadata["fill_value"])).flatten();
    let element = element_of(&metadata);
    Ok(StoredVariable { name, dimensions, element, attributes, chunk_shape, is_chunked: true, fill_value })
}

fn element_of(metadata: &Value) -> ElementType {
    const NAMES: [&str; 11] = [
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
        "float64",
    ];
    let text =
        metadata["data_type"].as_str().or_else(|| metadata["dtype"].as_str()).unwrap_or("a compound type");
    let v3 = match text.trim_start_matches(['<', '>', '|', '=']) {
        "b1" => "bool",
        "i1" => "int8",
        "i2" => "int16",
        "i4" => "int32",
        "i8" => "int64",
        "u1" => "uint8",
        "u2" => "uint16",
        "u4" => "uint32",
        "u8" => "uint64",
        "f4" => "float32",
        "f8" => "float64",
        other => other,
    };
    match NAMES.iter().find(|&&name| name == v3) {
        Some(name) => ElementType::Number(name),
        None => ElementType::Other(text.to_owned()),
    }
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

fn attributes_of(map: &serde_json::Map<String, Value>) -> Attributes {
    map.iter().map(|(name, value)| (name.clone(), attribute_of(value))).collect()
}

fn attribute_of(value: &Value) -> Attribute {
    match value {
        Value::String(text) => Attribute::Text(text.clone()),
        Value::Number(number) => Attribute::Numbers(number.as_f64().into_iter().collect()),
        Value::Bool(flag) => Attribute::Numbers(vec![f64::from(u8::from(*flag))]),
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_number) => {
            Attribute::Numbers(items.iter().filter_map(Value::as_f64).collect())
        }
        Value::Array(items) if items.iter().all(Value::is_string) => {
            Attribute::Texts(items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect())
        }
        other => Attribute::Other(json!(other).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_run_in_row_major_order() {
        let ranges = [(1, 3), (0, 2)];
        let mut position = vec![1, 0];
        let mut seen = vec![position.clone()];
        while advance(&mut position, &ranges) {
            seen.push(position.clone());
        }
        assert_eq!(seen, [[1, 0], [1, 1], [2, 0], [2, 1]]);
        assert!(!advance(&mut [], &[]));
    }
}
