//! Packed decks: unpacked under a limit, line by line.

use std::io::{BufRead, BufReader, Read as _};

use flate2::read::MultiGzDecoder;

/// The most bytes that a deck may have when it is unpacked. The largest a-decks have some forty million.
const MAX_BYTES: u64 = 128 * 1024 * 1024;

/// Why a deck cannot be unpacked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DeckError {
    /// It is cut or damaged.
    #[error("the packed file is damaged: {0}")]
    Damaged(String),
    /// It is larger than allowed.
    #[error("the file has more than {MAX_BYTES} bytes unpacked")]
    TooLarge,
    /// It is a page, no deck.
    #[error("it is a page of HTML where lines of a deck are due")]
    Page,
}

/// The lines of a deck, packed or not, that hold a word. Others are dropped while reading, as a-decks are large.
pub(crate) fn lines_with(bytes: &[u8], word: &str) -> Result<String, DeckError> {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        gathered(BufReader::new(MultiGzDecoder::new(bytes).take(MAX_BYTES + 1)), word)
    } else {
        gathered(BufReader::new(bytes.take(MAX_BYTES + 1)), word)
    }
}

fn gathered(mut reader: impl BufRead, word: &str) -> Result<String, DeckError> {
    let mut kept = String::new();
    let mut line = Vec::new();
    let mut total = 0_u64;
    let mut first = true;
    loop {
        line.clear();
        let read =
            reader.read_until(b'\n', &mut line).map_err(|error| DeckError::Damaged(error.to_string()))?;
        if read == 0 {
            return Ok(kept);
        }
        total = total.saturating_add(read as u64);
        if total > MAX_BYTES {
            return Err(DeckError::TooLarge);
        }
        let text = String::from_utf8_lossy(&line);
        if first && text.trim_start().starts_with('<') {
            return Err(DeckError::Page);
        }
        first = first && text.trim().is_empty();
        if text.contains(word) {
            kept.push_str(&text);
            if !text.ends_with('\n') {
                kept.push('\n');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn packed_and_plain_decks_are_one_and_a_cut_one_is_refused() {
        let plain = b"a, OFCL\nb, GFSO\nc, OFCL";
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(plain).unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(lines_with(plain, "OFCL").unwrap(), "a, OFCL\nc, OFCL\n");
        assert_eq!(lines_with(&packed, "OFCL").unwrap(), "a, OFCL\nc, OFCL\n");
        assert!(matches!(lines_with(&packed[..packed.len() - 9], "OFCL"), Err(DeckError::Damaged(_))));
        assert_eq!(lines_with(b"\n <html>", "OFCL"), Err(DeckError::Page));
    }
}
