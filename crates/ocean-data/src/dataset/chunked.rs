//! Reading a window from stored chunks: each chunk it touches is fetched once, hashed and decoded.

use std::borrow::Cow;
use std::io::{self, Read};

use bytes::Bytes;
use leg_core::digest::{Digest, Domain};

use super::loaded::{Loaded, Pieces};
use super::number_format::NumberFormat;
use super::piece::Part;
use super::store::{ChunkBytes, ReadError, Window};

/// The chunks of one array.
pub(crate) trait Chunks {
    /// Shape of every chunk; those at the ends are as large as the others.
    fn shape(&self) -> &[usize];

    /// How the decoded bytes hold numbers.
    fn format(&self) -> NumberFormat;

    /// The value of elements whose chunk was never written.
    fn fill(&self) -> f64;

    /// The stored bytes of the chunk at a place of the chunk grid; `None` when it was never written.
    fn encoded(&self, place: &[u64]) -> Result<Option<Bytes>, ReadError>;

    /// The elements of a chunk, row-major.
    fn decode<'a>(&self, place: &[u64], encoded: &'a [u8]) -> Result<Cow<'a, [u8]>, ReadError>;

    /// The elements of a chunk, row-major, one after another as they are decoded; none where the coding needs all of it
    /// at once. A window that needs a part of a chunk then takes no more memory than that part.
    fn stream<'a>(&self, _encoded: &'a [u8]) -> Option<io::Result<Box<dyn Read + 'a>>> {
        None
    }

    /// The error for a chunk that holds another number of bytes than its shape needs.
    fn damaged(&self, detail: String) -> ReadError;
}

/// Places of the chunk grid that a window touches, in row-major order; none for an empty window.
pub(crate) fn places(window: &Window, chunk: &[usize]) -> Vec<Vec<u64>> {
    if window.is_empty() {
        return Vec::new();
    }
    let ranges: Vec<(u64, u64)> = (window.start.iter().zip(&window.shape).zip(chunk))
        .map(|((&start, &length), &chunk)| ((start / chunk) as u64, (start + length).div_ceil(chunk) as u64))
        .collect();
    let mut place: Vec<u64> = ranges.iter().map(|range| range.0).collect();
    let mut out = vec![place.clone()];
    while advance(&mut place, &ranges) {
        out.push(place.clone());
    }
    out
}

/// Fetches, hashes and decodes the chunks of a window.
pub(crate) fn load_window(chunks: &impl Chunks, window: &Window) -> Result<Loaded, ReadError> {
    let shape = chunks.shape();
    let format = chunks.format();
    let expected = shape.iter().product::<usize>().saturating_mul(format.size());
    let (mut decoded, mut digests) = (Vec::new(), Vec::new());
    for place in places(window, shape) {
        let encoded = chunks.encoded(&place)?;
        let bytes = encoded.as_deref().unwrap_or_default();
        let digest = Digest::of(Domain::Chunk, bytes);
        digests.push(ChunkBytes { digest, bytes: bytes.len() as u64, raw: true });
        let Some(encoded) = encoded else { continue };
        let Some(part) = Part::of(&place, shape, window, format.size()) else { continue };
        if let (false, Some(stream)) = (part.is_whole(), chunks.stream(&encoded)) {
            let piece = stream.and_then(|stream| part.read(stream));
            decoded.push(piece.map_err(|error| chunks.damaged(error.to_string()))?);
            continue;
        }
        let elements = chunks.decode(&place, &encoded)?;
        if elements.len() != expected {
            let found = elements.len();
            return Err(chunks.damaged(format!("a chunk has {found} bytes instead of {expected}")));
        }
        decoded.push(part.cut(elements));
    }
    let pieces = Pieces { decoded, format, fill: chunks.fill() };
    Ok(Loaded::pieces(window, pieces, digests))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::piece::next;
    use super::*;

    /// An array whose element at a place is its row-major number; every third chunk was never written.
    struct Counted {
        array: Vec<usize>,
        chunk: Vec<usize>,
        streams: bool,
    }

    impl Counted {
        fn is_absent(place: &[u64]) -> bool {
            place.iter().sum::<u64>() % 3 == 2
        }

        fn value(&self, at: &[usize]) -> f64 {
            at.iter().zip(&self.array).fold(0, |n, (i, length)| n * length + i) as f64
        }
    }

    impl Chunks for Counted {
        fn shape(&self) -> &[usize] {
            &self.chunk
        }

        fn format(&self) -> NumberFormat {
            NumberFormat::of("float64", true).unwrap()
        }

        fn fill(&self) -> f64 {
            -1.0
        }

        fn encoded(&self, place: &[u64]) -> Result<Option<Bytes>, ReadError> {
            if Self::is_absent(place) {
                return Ok(None);
            }
            let mut bytes = Vec::new();
            let mut step = vec![0; self.chunk.len()];
            loop {
                let at: Vec<usize> = (0..step.len())
                    .map(|i| usize::try_from(place[i]).unwrap() * self.chunk[i] + step[i])
                    .collect();
                bytes.extend(self.value(&at).to_be_bytes());
                if !next(&mut step, &self.chunk) {
                    return Ok(Some(bytes.into()));
                }
            }
        }

        fn decode<'a>(&self, _: &[u64], encoded: &'a [u8]) -> Result<Cow<'a, [u8]>, ReadError> {
            Ok(Cow::Borrowed(encoded))
        }

        fn stream<'a>(&self, encoded: &'a [u8]) -> Option<io::Result<Box<dyn Read + 'a>>> {
            self.streams.then(|| Ok(Box::new(encoded) as Box<dyn Read>))
        }

        fn damaged(&self, detail: String) -> ReadError {
            ReadError::Damaged { path: String::new(), variable: String::new(), detail }
        }
    }

    #[test]
    fn places_run_in_row_major_order() {
        let window = Window { start: vec![5, 0], shape: vec![8, 4] };
        assert_eq!(places(&window, &[5, 2]), [[1, 0], [1, 1], [2, 0], [2, 1]]);
        assert_eq!(places(&Window { start: vec![], shape: vec![] }, &[]), [Vec::<u64>::new()]);
        assert!(places(&Window { start: vec![3], shape: vec![0] }, &[2]).is_empty());
    }

    proptest! {
        #[test]
        fn a_window_holds_what_the_array_holds(
            dimensions in proptest::collection::vec((1_usize..9, 1_usize..5, 0_usize..8, 0_usize..8), 0..4),
            streams: bool,
        ) {
            let array: Vec<usize> = dimensions.iter().map(|d| d.0).collect();
            let chunk: Vec<usize> = dimensions.iter().map(|d| d.1).collect();
            let start: Vec<usize> = dimensions.iter().map(|d| d.2.min(d.0 - 1)).collect();
            let shape: Vec<usize> = dimensions.iter().zip(&start).map(|(d, s)| (d.3 + 1).min(d.0 - s)).collect();
            let counted = Counted { array, chunk, streams };
            let window = Window { start: start.clone(), shape };
            let loaded = load_window(&counted, &window).unwrap();
            // A part of it is the same as the part of all of it.
            let half = Window { shape: window.shape.iter().map(|n| n.div_ceil(2)).collect(), ..window.clone() };
            let part = loaded.take(&half);
            let block = loaded.into_block();
            for (at, value) in part.indexed_iter() {
                prop_assert_eq!(value.to_bits(), block.values[at].to_bits());
            }
            prop_assert_eq!(block.chunks.len(), places(&window, &counted.chunk).len());
            for (at, &value) in block.values.indexed_iter() {
                let full: Vec<usize> = (0..start.len()).map(|i| start[i] + at[i]).collect();
                let place: Vec<u64> =
                    full.iter().zip(&counted.chunk).map(|(i, chunk)| (i / chunk) as u64).collect();
                let wanted = if Counted::is_absent(&place) { -1.0 } else { counted.value(&full) };
                prop_assert!((value - wanted).abs() < 0.5, "{:?}: {} and not {}", full, value, wanted);
            }
        }
    }
}
