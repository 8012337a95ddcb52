//! HDF5 filters beside those that the reader has itself: Zstandard and Blosc.

use std::borrow::Cow;
use std::io::Read as _;

use hdf5_reader::FilterRegistry;
use hdf5_reader::error::Error;
use zarrs::array::codec::BloscCodec;
use zarrs::array::{BytesRepresentation, BytesToBytesCodecTraits as _, CodecOptions};

use super::hdf5_chunks::MAX_CHUNK_BYTES;

/// Registered numbers of the filters.
const BLOSC: u16 = 32_001;
const ZSTD: u16 = 32_015;

/// The filters that can be decoded.
pub(crate) fn filters() -> FilterRegistry {
    let mut registry = FilterRegistry::new();
    registry.register(ZSTD, Box::new(|_, data, _| decode_zstd(data)));
    registry.register(BLOSC, Box::new(|_, data, _| decode_blosc(data)));
    registry
}

fn decode_zstd(data: &[u8]) -> Result<Vec<u8>, Error> {
    let mut decoded = Vec::new();
    zstd::stream::read::Decoder::new(data)
        .and_then(|decoder| decoder.take(MAX_CHUNK_BYTES as u64).read_to_end(&mut decoded))
        .map_err(|error| Error::DecompressionError(error.to_string()))?;
    Ok(decoded)
}

/// The header of a Blosc buffer says all that is needed to decode it.
fn decode_blosc(data: &[u8]) -> Result<Vec<u8>, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::DecompressionError(format!("blosc: {error}"));
    let length = data.get(4..8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
    if length as usize > MAX_CHUNK_BYTES {
        return Err(failed(&format!("a chunk of {length} bytes is more than is decoded")));
    }
    let configuration = serde_json::from_value(serde_json::json!({
        "cname": "lz4", "clevel": 5, "shuffle": "noshuffle", "typesize": 1, "blocksize": 0
    }));
    let codec = BloscCodec::new_with_configuration(&configuration.map_err(|error| failed(&error))?);
    let codec = codec.map_err(|error| failed(&error))?;
    let size = BytesRepresentation::FixedSize(u64::from(length));
    let decoded = codec.decode(Cow::Borrowed(data), &size, &CodecOptions::default());
    decoded.map(Cow::into_owned).map_err(|error| failed(&error))
}
