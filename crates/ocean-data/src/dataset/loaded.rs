//! [`Loaded`]: what was read for a window, before it is turned into doubles.

use std::fmt;

use ndarray::{ArrayD, IxDyn, Slice};

use super::number_format::NumberFormat;
use super::piece::Piece;
use super::store::{ChunkBytes, StoredBlock, Window};

/// What a store read for a window. Decoded chunks stay as they are stored until parts of them are taken, so that a
/// large chunk never exists as doubles at once.
pub struct Loaded {
    window: Window,
    content: Content,
    chunks: Vec<ChunkBytes>,
}

enum Content {
    /// The numbers of the window.
    Values(ArrayD<f64>),
    /// Decoded chunks.
    Pieces(Pieces),
}

/// The parts of decoded chunks that lie in a window.
pub(crate) struct Pieces {
    /// What there is; chunks that were never written are left out.
    pub(crate) decoded: Vec<Piece>,
    /// How the bytes hold numbers.
    pub(crate) format: NumberFormat,
    /// The value of elements that were never written.
    pub(crate) fill: f64,
}

impl Loaded {
    /// The values of a window.
    pub fn values(window: &Window, block: StoredBlock) -> Self {
        Self { window: window.clone(), content: Content::Values(block.values), chunks: block.chunks }
    }

    /// Decoded chunks that cover a window.
    pub(crate) fn pieces(window: &Window, pieces: Pieces, chunks: Vec<ChunkBytes>) -> Self {
        Self { window: window.clone(), content: Content::Pieces(pieces), chunks }
    }

    /// The digests of what was read, in chunk order.
    pub fn chunks(&self) -> &[ChunkBytes] {
        &self.chunks
    }

    /// The numbers of a window that lies in the one that was read, as stored.
    pub fn take(&self, window: &Window) -> ArrayD<f64> {
        match &self.content {
            Content::Values(values) => {
                let part = values.slice_each_axis(|axis| {
                    let at = axis.axis.index();
                    let start = window.start[at] - self.window.start[at];
                    Slice::from(start..start + window.shape[at])
                });
                part.to_owned()
            }
            Content::Pieces(pieces) => {
                let mut values = vec![pieces.fill; window.len()];
                for piece in &pieces.decoded {
                    piece.copy(pieces.format, window, &mut values);
                }
                // As many values as the window has elements.
                ArrayD::from_shape_vec(IxDyn(&window.shape), values)
                    .unwrap_or_else(|_| ArrayD::from_elem(IxDyn(&window.shape), f64::NAN))
            }
        }
    }

    /// All that was read.
    pub fn into_block(self) -> StoredBlock {
        let values = match self.content {
            Content::Values(values) => values,
            Content::Pieces(_) => self.take(&self.window),
        };
        StoredBlock { values, chunks: self.chunks }
    }
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded")
            .field("window", &self.window)
            .field("chunks", &self.chunks.len())
            .finish_non_exhaustive()
    }
}
