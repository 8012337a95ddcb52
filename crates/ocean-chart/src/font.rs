//! The one font that charts use, carried in the crate so that a picture is the same on every machine.
//!
//! # Source
//! `DejaVu` Sans 2.37, cut down to Latin, Greek and the signs of units (`assets/dejavu-sans.LICENSE`).

/// The font's family name, as written in the SVG text.
pub const FAMILY: &str = "DejaVu Sans";

/// The font file.
pub const FILE: &[u8] = include_bytes!("../assets/dejavu-sans.ttf");

/// Pairs of code point and advance, two bytes each, in ascending order of code points.
const ADVANCES: &[u8] = include_bytes!("../assets/dejavu-sans.adv");

/// The unit of the advances: parts of the font size.
const UNITS_PER_EM: f64 = 2048.0;

/// The advance of a character that the font lacks: that of its replacement sign.
const MISSING: u16 = 2100;

/// Returns the width of `text` in pixels when set `size` pixels high, without kerning.
///
/// # Examples
///
/// ```
/// assert!(ocean_chart::font::width("mm", 14.0) > ocean_chart::font::width("ii", 14.0));
/// ```
pub fn width(text: &str, size: f64) -> f64 {
    let units: u32 = text.chars().map(|character| u32::from(advance(character))).sum();
    f64::from(units) * size / UNITS_PER_EM
}

/// Breaks `text` at spaces into at most `lines` lines that fit into `limit` pixels; what is left over is cut
/// with an ellipsis.
pub(crate) fn wrap(text: &str, size: f64, limit: f64, lines: usize) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match done.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => done.push(word.to_owned()),
        }
    }
    let left_over = done.len() > lines;
    done.truncate(lines);
    if left_over && let Some(last) = done.last_mut() {
        last.push('…');
    }
    done.into_iter().map(|line| shorten(&line, size, limit)).collect()
}

/// Cuts `text` so that it fits into `limit` pixels, with an ellipsis in place of what was cut.
pub(crate) fn shorten(text: &str, size: f64, limit: f64) -> String {
    if width(text, size) <= limit {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        kept.push(character);
        if width(&kept, size) + width("…", size) > limit {
            kept.pop();
            break;
        }
    }
    kept.truncate(kept.trim_end_matches([' ', '…']).len());
    kept.push('…');
    kept
}

fn advance(character: char) -> u16 {
    let (pairs, _) = ADVANCES.as_chunks::<4>();
    let Ok(code) = u16::try_from(u32::from(character)) else { return MISSING };
    pairs
        .binary_search_by_key(&code, |pair| u16::from_le_bytes([pair[0], pair[1]]))
        .map_or(MISSING, |place| u16::from_le_bytes([pairs[place][2], pairs[place][3]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_signs_that_charts_use() {
        for character in "AZaz09°−±µΔσ²³⁻·‰ñéø×".chars() {
            assert_ne!(advance(character), MISSING, "{character} is not in the font");
        }
    }

    #[test]
    fn advances_are_those_of_the_font() {
        // 1303 and 1995 are the advances of DejaVu Sans for `0` and `m`.
        assert_eq!((advance('0'), advance('m')), (1303, 1995));
    }

    #[test]
    fn wraps_and_cuts_what_does_not_fit() {
        let text = "a long title that goes on and on ".repeat(20);
        let lines = wrap(&text, 20.0, 400.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| width(line, 20.0) <= 400.0));
        assert!(lines[1].ends_with('…'));
        assert!(width(&wrap(&"x".repeat(500), 20.0, 300.0, 2)[0], 20.0) <= 300.0);
        assert!(wrap("", 20.0, 300.0, 2).is_empty());
    }
}
