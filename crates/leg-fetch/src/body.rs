//! [`Body`]: collects the bytes of an answer, unpacked when they are packed, up to a limit.

use std::io::{self, Write};

use flate2::write::MultiGzDecoder;

/// Why a body cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Problem {
    /// It has more bytes than the limit.
    TooLarge,
    /// It cannot be unpacked, or breaks off.
    Broken,
}

/// The bytes so far.
pub(crate) enum Body {
    /// As they came.
    Plain(Limited),
    /// Unpacked.
    Gzip(Box<MultiGzDecoder<Limited>>),
}

impl Body {
    pub(crate) fn new(gzip: bool, limit: u64) -> Self {
        let limited =
            Limited { bytes: Vec::new(), limit: usize::try_from(limit).unwrap_or(usize::MAX), full: false };
        if gzip { Self::Gzip(Box::new(MultiGzDecoder::new(limited))) } else { Self::Plain(limited) }
    }

    /// Takes the next bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let written = match self {
            Self::Plain(limited) => limited.write_all(bytes),
            Self::Gzip(decoder) => decoder.write_all(bytes),
        };
        written.map_err(|_| self.problem())
    }

    /// The whole body, when it is complete.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Problem> {
        match self {
            Self::Plain(limited) => Ok(limited.bytes),
            Self::Gzip(mut decoder) => {
                if decoder.try_finish().is_err() {
                    return Err(Self::Gzip(decoder).problem());
                }
                Ok(std::mem::take(&mut decoder.get_mut().bytes))
            }
        }
    }

    fn problem(&self) -> Problem {
        let full = match self {
            Self::Plain(limited) => limited.full,
            Self::Gzip(decoder) => decoder.get_ref().full,
        };
        if full { Problem::TooLarge } else { Problem::Broken }
    }
}

/// Bytes up to a limit.
pub(crate) struct Limited {
    bytes: Vec<u8>,
    limit: usize,
    full: bool,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.limit - self.bytes.len() {
            self.full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn read(packed: &[u8], limit: u64) -> Result<Vec<u8>, Problem> {
        let mut body = Body::new(true, limit);
        for chunk in packed.chunks(7) {
            body.push(chunk)?;
        }
        body.finish()
    }

    #[test]
    fn packed_bodies_are_unpacked_up_to_the_limit() {
        let text = b"water level ".repeat(100);
        assert_eq!(read(&pack(&text), 1_200), Ok(text.clone()));
        assert_eq!(read(&pack(&text), 1_199), Err(Problem::TooLarge));
        let two = [pack(b"one, "), pack(b"two")].concat();
        assert_eq!(read(&two, 100), Ok(b"one, two".to_vec()));
    }

    #[test]
    fn a_packed_body_that_breaks_off_anywhere_is_no_body() {
        let packed = pack(b"water level");
        for cut in 1..packed.len() {
            assert_eq!(read(&packed[..cut], 100), Err(Problem::Broken), "{cut}");
        }
        assert_eq!(read(b"not packed at all", 100), Err(Problem::Broken));
        let mut flipped = packed;
        let last = flipped.len() - 6;
        flipped[last] ^= 1;
        assert_eq!(read(&flipped, 100), Err(Problem::Broken));
    }

    #[test]
    fn a_plain_body_is_counted_too() {
        let mut body = Body::new(false, 5);
        body.push(b"12345").unwrap();
        assert_eq!(body.push(b"6"), Err(Problem::TooLarge));
    }
}
