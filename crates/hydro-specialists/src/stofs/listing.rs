//! [`Listing`]: a page of a bucket's listing, read leniently.

/// A page of a listing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// Keys with their sizes, in the order of the page.
    pub(crate) keys: Vec<(String, u64)>,
    /// What stands for folders.
    pub(crate) prefixes: Vec<String>,
    /// Where the next page begins, if there is one.
    pub(crate) next: Option<String>,
    /// Entries without a key or a size.
    pub(crate) skipped: usize,
}

/// Reads a page; `None` when the text is no listing. Unknown elements are passed over.
pub(crate) fn parse(text: &str) -> Option<Listing> {
    if !text.contains("<ListBucketResult") {
        return None;
    }
    let mut listing = Listing::default();
    for entry in elements(text, "Contents") {
        let size = element(entry, "Size").and_then(|size| size.trim().parse().ok());
        match (element(entry, "Key"), size) {
            (Some(key), Some(size)) if !key.is_empty() => listing.keys.push((unescape(key), size)),
            _ => listing.skipped += 1,
        }
    }
    for entry in elements(text, "CommonPrefixes") {
        listing.prefixes.extend(element(entry, "Prefix").map(unescape));
    }
    if element(text, "IsTruncated").is_some_and(|word| word.trim() == "true") {
        listing.next = element(text, "NextContinuationToken").map(unescape);
    }
    Some(listing)
}

/// The code of an error, such as `NoSuchKey`.
pub(crate) fn error_code(text: &str) -> Option<String> {
    elements(text, "Error").next().and_then(|body| element(body, "Code")).map(unescape)
}

/// What stands between the tags of the first element of a name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    elements(text, name).next()
}

/// What stands between the tags of the elements of a name; elements of S3 have no attributes but at the root.
fn elements<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once(open.as_str())?;
        let (inside, behind) = after.split_once(close.as_str())?;
        rest = behind;
        Some(inside)
    })
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_and_odd_entries_are_counted() {
        let text = "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"x\"><IsTruncated>true</IsTruncated>\
                    <Contents><Key>a&amp;b/c.nc</Key><Extra><Deep/></Extra><Size> 12 </Size></Contents>\
                    <Contents><Key>no size</Key></Contents><Contents><Size>1</Size></Contents>\
                    <Contents><Key>x</Key><Size>-1</Size></Contents>\
                    <CommonPrefixes><Prefix>d.20260221/</Prefix></CommonPrefixes>\
                    <NextContinuationToken>t==</NextContinuationToken></ListBucketResult>";
        let listing = parse(text).unwrap();
        assert_eq!(listing.keys, [("a&b/c.nc".to_owned(), 12)]);
        assert_eq!(listing.prefixes, ["d.20260221/"]);
        assert_eq!((listing.next.as_deref(), listing.skipped), (Some("t=="), 3));
    }

    #[test]
    fn other_texts_are_no_listing() {
        for text in ["", "<html>", "{\"a\": 1}", "Error {", "<Contents><Key>a</Key></Contents>"] {
            assert_eq!(parse(text), None, "{text}");
        }
        let cut = "<ListBucketResult><Contents><Key>a</Key><Size>1";
        assert_eq!(parse(cut), Some(Listing::default()));
        assert_eq!(error_code("<Error><Code>NoSuchKey</Code></Error>").as_deref(), Some("NoSuchKey"));
        assert_eq!(error_code("<html>"), None);
    }
}
