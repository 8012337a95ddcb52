//! Text and links as HTML.

use std::fmt::Write as _;

/// A text that is nothing but text.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// A text as the name of a place in the page: letters, digits and `-`, each other byte as `_xx`.
pub(super) fn anchor(sort: &str, text: &str) -> String {
    let mut out = format!("{sort}-");
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "_{byte:02x}");
        }
    }
    out
}

/// A link to a place in the page.
pub(super) fn to(place: &str, text: &str) -> String {
    format!("<a href=\"#{place}\">{}</a>", escape(text))
}

/// An address: a link where a browser can follow it, else text.
pub(super) fn address(text: &str) -> String {
    let shown = escape(text);
    if text.starts_with("https://") || text.starts_with("http://") {
        format!("<a href=\"{shown}\" rel=\"noreferrer noopener\">{shown}</a>")
    } else {
        format!("<code>{shown}</code>")
    }
}

/// A row of a table; the cells are HTML.
pub(super) fn row(cells: &[String]) -> String {
    format!("<tr><td>{}</td></tr>\n", cells.join("</td><td>"))
}

/// A table with its heads.
pub(super) fn table(heads: &[&str], rows: &str) -> String {
    let heads: Vec<String> = heads.iter().map(|head| escape(head)).collect();
    let heads = heads.join("</th><th scope=\"col\">");
    format!(
        "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">{heads}</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{address, anchor, escape};

    #[test]
    fn text_opens_no_tag_no_attribute_and_no_scheme() {
        assert_eq!(escape("<script>\"'&"), "&lt;script&gt;&quot;&#39;&amp;");
        assert_eq!(anchor("call", "s[0] \"x"), "call-s_5b0_5d_20_22x");
        assert!(!address("javascript:alert(1)").contains("href"));
        assert_eq!(
            address("https://a.example/?q=\"&x"),
            "<a href=\"https://a.example/?q=&quot;&amp;x\" rel=\"noreferrer noopener\">https://a.example/?q=&quot;&amp;x</a>"
        );
    }
}
