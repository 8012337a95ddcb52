//! Names that exports give to things: stable, absolute, safe in a URI.

/// Names of tools, agents and the engine begin with this. `.invalid` (RFC 2606) says that they identify, and lead
/// nowhere.
pub(super) const NAMESPACE: &str = "https://leg.invalid/ns/";

/// A text as a segment of a URI: all but unreserved characters (RFC 3986) as `%XX`.
pub(super) fn segment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push_str(&format_hex(byte));
        }
    }
    out
}

fn format_hex(byte: u8) -> String {
    format!("{byte:02X}")
}

/// The name of a run of a node: the first run of the first plan needs no numbers.
pub(super) fn run_of_node(node: &str, revision: u64, attempt: u64) -> String {
    match (revision, attempt) {
        (0, 0) => segment(node),
        _ => format!("{}/{revision}.{attempt}", segment(node)),
    }
}

#[cfg(test)]
mod tests {
    use super::segment;

    #[test]
    fn a_segment_holds_no_character_with_a_meaning() {
        assert_eq!(segment("s[0]/a b#ü"), "s%5B0%5D%2Fa%20b%23%C3%BC");
    }
}
