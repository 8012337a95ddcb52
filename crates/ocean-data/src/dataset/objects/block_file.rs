//! A file that is not on a local disk as the bytes that the NetCDF reader asks for.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use hdf5_reader::error::{Error, Result};
use hdf5_reader::storage::{Storage, StorageBuffer};

use super::object::{Objects, Range};

/// A file whose headers are read in blocks.
pub(crate) struct BlockFile {
    objects: Arc<dyn Objects>,
    address: Arc<str>,
    length: u64,
    sizes: Blocks,
    /// The blocks that were read last, newest at the end.
    blocks: Mutex<VecDeque<(u64, Bytes)>>,
}

/// How the headers of a file are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blocks {
    /// Bytes of a block.
    pub(crate) block: u64,
    /// How many of them are kept.
    pub(crate) kept: usize,
    /// Reads of so many bytes are chunks: they go past the blocks.
    pub(crate) large: usize,
}

impl BlockFile {
    pub(crate) fn new(objects: Arc<dyn Objects>, address: Arc<str>, length: u64, sizes: Blocks) -> Self {
        Self { objects, address, length, sizes, blocks: Mutex::default() }
    }

    fn fetch(&self, range: Range) -> Result<Bytes> {
        let found = self.objects.read(&self.address, Some(range));
        let found = found.map_err(|error| Error::Io(io::Error::other(error.to_string())))?;
        let gone = || Error::Io(io::Error::other("the file is no longer there"));
        found.ok_or_else(gone)
    }

    fn block(&self, number: u64) -> Result<Bytes> {
        let first = number * self.sizes.block;
        {
            let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(at) = blocks.iter().position(|block| block.0 == number)
                && let Some(block) = blocks.remove(at)
            {
                let bytes = block.1.clone();
                blocks.push_back(block);
                return Ok(bytes);
            }
        }
        let bytes = self.fetch((first, self.sizes.block.min(self.length.saturating_sub(first))))?;
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if blocks.len() >= self.sizes.kept {
            blocks.pop_front();
        }
        blocks.push_back((number, bytes.clone()));
        Ok(bytes)
    }
}

impl Storage for BlockFile {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_range(&self, offset: u64, length: usize) -> Result<StorageBuffer> {
        let available = self.length.saturating_sub(offset);
        if length as u64 > available {
            return Err(Error::UnexpectedEof { offset, needed: length as u64, available });
        }
        if length == 0 {
            return Ok(StorageBuffer::from_vec(Vec::new()));
        }
        let range = (offset, length as u64);
        if length >= self.sizes.large || self.objects.is_held(&self.address, range) {
            let bytes = self.fetch(range)?;
            return StorageBuffer::from_shared_owner(Arc::new(bytes), 0, length);
        }
        let mut out = Vec::with_capacity(length);
        let (first, last) = (offset / self.sizes.block, (offset + length as u64 - 1) / self.sizes.block);
        for number in first..=last {
            let block = self.block(number)?;
            let start = number * self.sizes.block;
            let inside = |place: u64| {
                usize::try_from(place.saturating_sub(start)).unwrap_or(usize::MAX).min(block.len())
            };
            out.extend_from_slice(&block[inside(offset)..inside(offset + length as u64)]);
        }
        if out.len() != length {
            return Err(Error::UnexpectedEof { offset, needed: length as u64, available: out.len() as u64 });
        }
        Ok(StorageBuffer::from_vec(out))
    }
}
