//! Chunk shapes for new arrays.

/// Bytes of a chunk that suit both a map and a series read from disk.
const TARGET: usize = 1 << 20;
/// Chunks of a source between these sizes are kept.
const KEPT: std::ops::RangeInclusive<usize> = 1 << 14..=1 << 25;

/// Returns the shape of the chunks for an array.
///
/// Those of the source are kept if their size is sensible. Otherwise the last two dimensions stay whole, those between
/// them and the first have length 1, and the first is as long as the target size allows; only then are the last two cut.
pub(crate) fn chunk_shape(shape: &[usize], element_size: usize, source: Option<&[usize]>) -> Vec<usize> {
    let size = |chunk: &[usize]| chunk.iter().fold(element_size, |size, length| size.saturating_mul(*length));
    let whole: Vec<usize> = shape.iter().map(|length| (*length).max(1)).collect();
    if size(&whole) <= TARGET {
        return whole;
    }
    if let Some(source) = source
        && source.len() == shape.len()
        && source.iter().all(|length| *length > 0)
        && KEPT.contains(&size(source))
    {
        return source.iter().zip(&whole).map(|(length, whole)| *length.min(whole)).collect();
    }
    let mut chunk = whole;
    let inner = chunk.len().saturating_sub(2).max(1);
    for length in chunk.iter_mut().take(inner).skip(1) {
        *length = 1;
    }
    for place in 0..chunk.len() {
        let one = size(&chunk) / chunk[place];
        chunk[place] = chunk[place].min((TARGET / one.max(1)).max(1));
    }
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shape, chunks of the source, chunks expected.
    type Case = (&'static [usize], Option<&'static [usize]>, &'static [usize]);

    #[test]
    fn chunks_are_about_a_megabyte() {
        let cases: [Case; 8] = [
            (&[], None, &[]),
            (&[0, 5], None, &[1, 5]),
            (&[132], None, &[132]),
            (&[1_000_000], None, &[262_144]),
            (&[7300, 180, 360], None, &[4, 180, 360]),
            (&[7300, 50, 180, 360], None, &[4, 1, 180, 360]),
            (&[10, 4320, 8640], None, &[1, 30, 8640]),
            (&[7300, 180, 360], Some(&[20, 90, 90]), &[20, 90, 90]),
        ];
        for (shape, source, expected) in cases {
            assert_eq!(chunk_shape(shape, 4, source), expected, "{shape:?}");
        }
    }

    #[test]
    fn tiny_and_huge_chunks_of_a_source_are_not_kept() {
        assert_eq!(chunk_shape(&[7300, 180, 360], 4, Some(&[1, 1, 1])), [4, 180, 360]);
        assert_eq!(chunk_shape(&[7300, 180, 360], 4, Some(&[7300, 180, 360])), [4, 180, 360]);
        assert_eq!(chunk_shape(&[7300, 180, 360], 4, Some(&[0, 180, 360])), [4, 180, 360]);
    }
}
