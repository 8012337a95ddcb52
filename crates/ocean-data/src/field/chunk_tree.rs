//! [`ChunkTree`]: the digest of what a walk read.

use leg_core::digest::{Digest, Domain, Hasher};
use serde::Serialize;

use crate::dataset::ChunkBytes;

/// The ordered digest over everything a walk read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ChunkTree {
    /// Pieces hashed, one after another in the order of the walk.
    pub chunks: u64,
    /// Bytes hashed.
    pub bytes: u64,
    /// Digest over the digests of the pieces.
    pub digest: Digest,
    /// Whether the bytes are those of the store; otherwise decoded numbers as little-endian doubles.
    pub raw: bool,
}

/// Builds a [`ChunkTree`].
#[derive(Debug)]
pub(crate) struct TreeBuilder {
    hasher: Hasher,
    chunks: u64,
    bytes: u64,
    raw: bool,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        Self { hasher: Hasher::new(Domain::ChunkTree), chunks: 0, bytes: 0, raw: true }
    }
}

impl TreeBuilder {
    /// Adds what was read for one block.
    pub(crate) fn add(&mut self, chunks: &[ChunkBytes]) {
        for chunk in chunks {
            self.hasher.update(chunk.digest.as_bytes());
            self.chunks += 1;
            self.bytes += chunk.bytes;
            self.raw &= chunk.raw;
        }
    }

    /// The digest of all.
    pub(crate) fn finish(self) -> ChunkTree {
        ChunkTree { chunks: self.chunks, bytes: self.bytes, digest: self.hasher.finish(), raw: self.raw }
    }
}
