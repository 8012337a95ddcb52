//! Metadata of Zarr arrays and groups, in the terms of the storage port.

use serde_json::{Value, json};
use zarrs::array::{Array, ArrayShardedExt as _};

use super::open::OpenError;
use super::store::{ElementType, StoredVariable};
use super::zarr::Backing;
use crate::cf::{Attribute, Attributes};

/// What an array says about itself; `single` is the name of one that is the whole store.
pub(crate) fn describe(
    address: &str,
    single: &str,
    array: &Array<Backing>,
) -> Result<StoredVariable, OpenError> {
    let damaged = |detail: String| OpenError::Damaged { path: address.to_owned(), detail };
    let metadata = serde_json::to_value(array.metadata()).map_err(|error| damaged(error.to_string()))?;
    let name = match array.path().as_str().trim_start_matches('/') {
        "" => single.to_owned(),
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
    let inner = if array.is_exclusively_sharded() { array.subchunk_shape() } else { None };
    let chunk = match inner {
        Some(shape) => shape,
        None => array.chunk_shape(&zeros).map_err(|error| damaged(format!("`{name}`: {error}")))?,
    };
    let chunk_shape = chunk.iter().map(|n| usize::try_from(n.get()).unwrap_or(usize::MAX)).collect();
    let is_v2 = metadata["zarr_format"] == 2;
    let fill_value = is_v2.then(|| number_of(&metadata["fill_value"])).flatten();
    let element = element_of(&metadata);
    Ok(StoredVariable {
        name,
        dimensions,
        element,
        attributes,
        chunk_shape,
        is_chunked: true,
        fill_value,
        is_packed_in_single: false,
    })
}

/// Whether the chunks of an array, or the inner ones of its shards, are numbers in the byte order of this machine in
/// row-major order, compressed with zstd and nothing else.
pub(crate) fn is_plain_zstd(array: &Array<Backing>) -> bool {
    let Ok(metadata) = serde_json::to_value(array.metadata()) else { return false };
    let is_big = cfg!(target_endian = "big");
    if metadata["zarr_format"] == 2 {
        let order = metadata["dtype"].as_str().and_then(|dtype| dtype.chars().next());
        let is_native = order == Some('|') || order == Some(if is_big { '>' } else { '<' });
        let has_filters = metadata["filters"].as_array().is_some_and(|filters| !filters.is_empty());
        return is_native
            && !has_filters
            && metadata["order"] == "C"
            && metadata["compressor"]["id"] == "zstd";
    }
    let codecs = metadata["codecs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let codecs = match codecs {
        [shards] if shards["name"] == "sharding_indexed" => {
            shards["configuration"]["codecs"].as_array().map(Vec::as_slice).unwrap_or_default()
        }
        own => own,
    };
    let [bytes, zstd] = codecs else { return false };
    let endian = bytes["configuration"]["endian"].as_str();
    let is_native = endian.is_none_or(|endian| endian == if is_big { "big" } else { "little" });
    bytes["name"] == "bytes" && is_native && zstd["name"] == "zstd"
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

/// Attributes as the CF layer takes them.
pub(crate) fn attributes_of(map: &serde_json::Map<String, Value>) -> Attributes {
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
