//! [`Piece`]: the part of a decoded chunk that a window needs.

use std::borrow::Cow;
use std::io::{self, Read};

use super::number_format::NumberFormat;
use super::store::Window;

/// A box of elements as bytes, row-major.
pub(crate) struct Piece {
    /// First index of each dimension, in the array.
    start: Vec<usize>,
    /// Length of each dimension.
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

/// What two boxes share: where it begins in each, and its lengths.
struct Common {
    inside: Vec<usize>,
    outside: Vec<usize>,
    length: Vec<usize>,
    /// Elements that lie one after another in both, and how many leading dimensions are left to step over.
    run: usize,
    outer: usize,
}

impl Common {
    fn of(start: &[usize], shape: &[usize], window: &Window) -> Option<Self> {
        let rank = shape.len();
        let (mut inside, mut outside, mut length) = (vec![0; rank], vec![0; rank], vec![0; rank]);
        for i in 0..rank {
            let from = start[i].max(window.start[i]);
            let to = start[i].saturating_add(shape[i]).min(window.start[i] + window.shape[i]);
            (inside[i], outside[i]) = (from - start[i], from - window.start[i]);
            length[i] = to.checked_sub(from).filter(|&length| length > 0)?;
        }
        // Trailing dimensions that are whole in both are one run.
        let mut run = length.last().copied().unwrap_or(1);
        let mut outer = rank.saturating_sub(1);
        while outer > 0 && length[outer] == shape[outer] && length[outer] == window.shape[outer] {
            outer -= 1;
            run *= length[outer];
        }
        Some(Self { inside, outside, length, run, outer })
    }

    /// Calls with the first element of each run, in both boxes.
    fn runs(&self, shape: &[usize], window: &[usize], mut each: impl FnMut(usize, usize)) {
        let mut step = vec![0; self.outer];
        loop {
            let at = |start: &[usize], shape: &[usize]| {
                (0..shape.len()).fold(0, |n, i| n * shape[i] + start[i] + step.get(i).copied().unwrap_or(0))
            };
            each(at(&self.inside, shape), at(&self.outside, window));
            if !next(&mut step, &self.length) {
                return;
            }
        }
    }
}

/// The part of a chunk that a window needs.
pub(crate) struct Part<'a> {
    start: Vec<usize>,
    /// Shape of the chunk.
    shape: &'a [usize],
    /// Shape of the window.
    window: &'a [usize],
    common: Common,
    /// Bytes of an element.
    size: usize,
}

impl<'a> Part<'a> {
    /// Of the chunk at a place of the chunk grid; none when nothing of it lies in the window.
    pub(crate) fn of(place: &[u64], shape: &'a [usize], window: &'a Window, size: usize) -> Option<Self> {
        let start: Vec<usize> = place
            .iter()
            .zip(shape)
            .map(|(&at, &length)| usize::try_from(at).unwrap_or(usize::MAX).saturating_mul(length))
            .collect();
        let common = Common::of(&start, shape, window)?;
        Some(Self { start, shape, window: &window.shape, common, size })
    }

    /// Whether all of the chunk is needed.
    pub(crate) fn is_whole(&self) -> bool {
        self.common.length == self.shape
    }

    /// The part of the decoded chunk.
    pub(crate) fn cut(self, chunk: Cow<'_, [u8]>) -> Piece {
        if self.is_whole() {
            return Piece { start: self.start, shape: self.shape.to_vec(), bytes: chunk.into_owned() };
        }
        let mut bytes = Vec::with_capacity(self.bytes());
        // Runs come in the order of the window, which is that of the part.
        let run = self.common.run * self.size;
        self.common.runs(self.shape, self.window, |from, _| {
            bytes.extend_from_slice(&chunk[from * self.size..from * self.size + run]);
        });
        self.piece(bytes)
    }

    /// The part of a chunk that is decoded as it is read, and no further than its last element.
    ///
    /// # Errors
    /// A chunk that cannot be decoded, or ends too early.
    pub(crate) fn read(self, mut chunk: impl Read) -> io::Result<Piece> {
        let mut bytes = vec![0; self.bytes()];
        let run = self.common.run * self.size;
        let (mut scratch, mut position, mut filled) = (vec![0; SCRATCH], 0, 0);
        let mut result = Ok(());
        self.common.runs(self.shape, self.window, |from, _| {
            if result.is_err() {
                return;
            }
            result = skip(&mut chunk, from * self.size - position, &mut scratch)
                .and_then(|()| chunk.read_exact(&mut bytes[filled..filled + run]));
            position = from * self.size + run;
            filled += run;
        });
        result.map(|()| self.piece(bytes))
    }

    fn bytes(&self) -> usize {
        self.common.length.iter().product::<usize>() * self.size
    }

    fn piece(self, bytes: Vec<u8>) -> Piece {
        let start =
            self.start.iter().zip(&self.common.inside).map(|(start, inside)| start + inside).collect();
        Piece { start, shape: self.common.length, bytes }
    }
}

/// What is skipped goes through a buffer of this many bytes.
const SCRATCH: usize = 128 * 1024;

fn skip(from: &mut impl Read, mut count: usize, scratch: &mut [u8]) -> io::Result<()> {
    while count > 0 {
        let some = count.min(scratch.len());
        from.read_exact(&mut scratch[..some])?;
        count -= some;
    }
    Ok(())
}

impl Piece {
    /// Copies what lies in the window, as doubles.
    pub(crate) fn copy(&self, format: NumberFormat, window: &Window, out: &mut [f64]) {
        let Some(common) = Common::of(&self.start, &self.shape, window) else { return };
        let size = format.size();
        common.runs(&self.shape, &window.shape, |from, to| {
            let bytes = &self.bytes[from * size..(from + common.run) * size];
            format.read(bytes, &mut out[to..to + common.run]);
        });
    }
}

/// Counts up over a box of the given lengths, last place fastest; false after the last.
pub(super) fn next(step: &mut [usize], lengths: &[usize]) -> bool {
    for (at, &length) in step.iter_mut().zip(lengths).rev() {
        *at += 1;
        if *at < length {
            return true;
        }
        *at = 0;
    }
    false
}
