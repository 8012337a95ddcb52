//! Where the chunks of an HDF5 dataset lie.
//!
//! # Source
//! HDF5 file format specification, version 3: layout messages of versions 1 to 5 and the six kinds of chunk index.

use hdf5_reader::btree_v1::{BTreeV1Key, collect_btree_v1_leaves_storage};
use hdf5_reader::chunk_index::{
    ChunkEntry, collect_implicit_chunk_entries, collect_v2_chunk_entries_storage, single_chunk_entry,
};
use hdf5_reader::error::{ByteOrder, Error};
use hdf5_reader::extensible_array::collect_extensible_array_chunk_entries_storage;
use hdf5_reader::fixed_array::collect_fixed_array_chunk_entries_storage;
use hdf5_reader::messages::layout::{ChunkIndexing, DataLayout};
use hdf5_reader::messages::{DataspaceMessage, HdfMessage};
use hdf5_reader::{Datatype, Hdf5File};

use super::number_format::NumberFormat;
use super::pieces::{Pieces, Stored};

/// Largest decoded chunk, against hostile files.
pub(crate) const MAX_CHUNK_BYTES: usize = 1 << 30;

/// Reads where the pieces of a dataset of numbers lie; `None` when it holds no plain numbers, has another extent than
/// `shape`, or lies in its header or in other files.
pub(crate) fn read_pieces(file: &Hdf5File, name: &str, shape: &[usize]) -> Result<Option<Pieces>, Error> {
    let header = file.get_or_parse_header(file.dataset(name)?.address())?;
    let (mut space, mut kind, mut layout, mut filters, mut fill) = (None, None, None, Vec::new(), None);
    for message in &header.messages {
        match message {
            HdfMessage::Dataspace(message) => space = Some(message),
            HdfMessage::Datatype(message) => kind = Some(&message.datatype),
            HdfMessage::DataLayout(message) => layout = Some(&message.layout),
            HdfMessage::FilterPipeline(message) => filters.clone_from(&message.filters),
            HdfMessage::FillValue(message) => fill = message.value.clone().or(fill),
            HdfMessage::ExternalFiles(_) => return Ok(None),
            _ => {}
        }
    }
    let (Some(space), Some(format), Some(layout)) = (space, kind.and_then(format_of), layout) else {
        return Ok(None);
    };
    let rank = space.dims.len();
    let own = space.dims.iter().map(|&length| usize::try_from(length).unwrap_or(usize::MAX));
    if !own.eq(shape.iter().copied()) {
        return Ok(None);
    }
    let fill = fill.and_then(|bytes| format.read_one(&bytes));
    let (address, dims, indexing) = match layout {
        DataLayout::Chunked { address, dims, chunk_indexing, .. } => {
            (*address, dims, chunk_indexing.as_ref())
        }
        DataLayout::Contiguous { address, .. } if is_defined(file, *address) => {
            return Ok(Some(Pieces::flat(shape, format, *address, None).with_fill(fill)));
        }
        DataLayout::Contiguous { .. } | DataLayout::Compact { .. } => return Ok(None),
    };
    let chunk = dims.get(..rank).unwrap_or_default();
    let bytes = chunk.iter().fold(format.size(), |n, &length| n.saturating_mul(length as usize));
    if rank == 0 || chunk.len() != rank || chunk.contains(&0) || bytes > MAX_CHUNK_BYTES {
        return Ok(None);
    }
    let places = (entries(file, address, space, chunk, format.size(), indexing)?.into_iter())
        .filter(|entry| entry.offsets.len() == rank)
        .map(|entry| {
            let place = entry.offsets.iter().zip(chunk).map(|(at, &n)| at / u64::from(n)).collect();
            let size = if entry.size == 0 { bytes as u64 } else { entry.size };
            (place, Stored { address: entry.address, size, filter_mask: entry.filter_mask })
        })
        .collect();
    let chunk = chunk.iter().map(|&length| length as usize).collect();
    Ok(Some(Pieces::listed(chunk, format, fill, filters, places)))
}

/// Whether something lies at an address; the largest one stands for nothing.
fn is_defined(file: &Hdf5File, address: u64) -> bool {
    address != u64::MAX >> (64 - 8 * u32::from(file.superblock().offset_size.clamp(1, 8)))
}

/// Integers and floating-point numbers of the usual sizes.
fn format_of(kind: &Datatype) -> Option<NumberFormat> {
    let (name, order) = match kind {
        Datatype::FixedPoint { size, signed, byte_order } => {
            let name = match (size, signed) {
                (1, true) => "int8",
                (2, true) => "int16",
                (4, true) => "int32",
                (8, true) => "int64",
                (1, false) => "uint8",
                (2, false) => "uint16",
                (4, false) => "uint32",
                (8, false) => "uint64",
                _ => return None,
            };
            (name, byte_order)
        }
        Datatype::FloatingPoint { size: 4, byte_order } => ("float32", byte_order),
        Datatype::FloatingPoint { size: 8, byte_order } => ("float64", byte_order),
        _ => return None,
    };
    NumberFormat::of(name, *order == ByteOrder::BigEndian)
}

/// All chunks of the index.
fn entries(
    file: &Hdf5File,
    address: u64,
    space: &DataspaceMessage,
    chunk: &[u32],
    size: usize,
    indexing: Option<&ChunkIndexing>,
) -> Result<Vec<ChunkEntry>, Error> {
    let storage = file.storage();
    let superblock = file.superblock();
    let (offsets, lengths) = (superblock.offset_size, superblock.length_size);
    if !is_defined(file, address) {
        return Ok(Vec::new());
    }
    let rank = u32::try_from(chunk.len()).unwrap_or(u32::MAX);
    let shape = &space.dims;
    match indexing {
        None => {
            let leaves =
                collect_btree_v1_leaves_storage(storage, address, offsets, lengths, Some(rank), chunk, None)?;
            Ok(leaves.into_iter().filter_map(|(key, address)| leaf(key, address, chunk.len())).collect())
        }
        Some(ChunkIndexing::SingleChunk { filtered_size, filters }) => {
            Ok(vec![single_chunk_entry(address, *filtered_size, *filters, chunk.len())])
        }
        Some(ChunkIndexing::Implicit) => {
            collect_implicit_chunk_entries(address, shape, chunk, size, None, storage.len())
        }
        Some(ChunkIndexing::FixedArray { .. }) => {
            collect_fixed_array_chunk_entries_storage(storage, address, offsets, lengths, shape, chunk, None)
        }
        Some(ChunkIndexing::ExtensibleArray { .. }) => collect_extensible_array_chunk_entries_storage(
            storage,
            address,
            offsets,
            lengths,
            shape,
            space.max_dims.as_deref(),
            chunk,
            None,
        ),
        Some(ChunkIndexing::BTreeV2) => {
            collect_v2_chunk_entries_storage(storage, address, offsets, lengths, rank, chunk, None)
        }
    }
}

/// A leaf of a version 1 index; its last offset is that of a byte in an element.
fn leaf(key: BTreeV1Key, address: u64, rank: usize) -> Option<ChunkEntry> {
    let BTreeV1Key::RawData { chunk_size, filter_mask, mut offsets } = key else { return None };
    offsets.truncate(rank);
    Some(ChunkEntry { address, size: u64::from(chunk_size), filter_mask, offsets })
}
