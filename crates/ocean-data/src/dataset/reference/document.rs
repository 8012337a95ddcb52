//! A reference file as keys with what they stand for.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use bytes::Bytes;
use serde_json::{Map, Value as Json};

use super::expression::Value;
use super::template::{Templates, render};

/// More references than this are refused.
const MAX_REFERENCES: usize = 20_000_000;

/// What a key stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reference {
    /// The bytes themselves.
    Inline(Bytes),
    /// A file, or a part of it: first byte and length.
    Part(Arc<str>, Option<(u64, u64)>),
}

/// Reads a reference file of version 0 or 1.
///
/// # Errors
/// What is wrong, in words; `None` for a JSON document of another kind.
pub(crate) fn parse(text: &[u8]) -> Result<BTreeMap<String, Reference>, Option<String>> {
    let document: Json =
        serde_json::from_slice(text).map_err(|error| Some(format!("it is no JSON: {error}")))?;
    let Json::Object(document) = document else { return Err(None) };
    match document.get("version") {
        Some(version) if document.get("refs").is_some_and(Json::is_object) => {
            if version.as_u64() != Some(1) {
                return Err(Some(format!("it is of version {version}; versions 0 and 1 are read")));
            }
            version_one(&document).map_err(Some)
        }
        // Keys of a Zarr store tell references from other JSON.
        _ if document.keys().any(|key| is_metadata(key)) => {
            let mut found = Found::default();
            document
                .iter()
                .try_for_each(|(key, value)| found.add(key, value, &Templates::new()))
                .map_err(Some)?;
            Ok(found.references)
        }
        _ => Err(None),
    }
}

fn is_metadata(key: &str) -> bool {
    [".zgroup", ".zarray", ".zmetadata", "zarr.json"]
        .iter()
        .any(|end| key.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/')))
}

fn version_one(document: &Map<String, Json>) -> Result<BTreeMap<String, Reference>, String> {
    let empty = Map::new();
    let object = |key: &str| document.get(key).and_then(Json::as_object).unwrap_or(&empty);
    let templates = object("templates")
        .iter()
        .map(|(name, text)| {
            let text = text.as_str().ok_or_else(|| format!("template `{name}` is no text"))?;
            Ok((name.clone(), text.to_owned()))
        })
        .collect::<Result<Templates, String>>()?;
    let mut found = Found::default();
    for entry in document.get("gen").and_then(Json::as_array).unwrap_or(&Vec::new()) {
        found.generate(entry, &templates)?;
    }
    object("refs").iter().try_for_each(|(key, value)| found.add(key, value, &templates))?;
    Ok(found.references)
}

#[derive(Default)]
struct Found {
    references: BTreeMap<String, Reference>,
    /// One text for each file, however many parts of it there are.
    urls: BTreeMap<String, Arc<str>>,
}

impl Found {
    fn put(&mut self, key: String, reference: Reference) -> Result<(), String> {
        if self.references.len() >= MAX_REFERENCES {
            return Err(format!("it has more than {MAX_REFERENCES} references"));
        }
        self.references.insert(key, reference);
        Ok(())
    }

    fn url(&mut self, url: String) -> Arc<str> {
        Arc::clone(self.urls.entry(url).or_insert_with_key(|url| Arc::from(url.as_str())))
    }

    fn add(&mut self, key: &str, value: &Json, templates: &Templates) -> Result<(), String> {
        let wrong = |what: &str| format!("reference `{key}` {what}");
        let reference = match value {
            Json::String(text) => match text.strip_prefix("base64:") {
                Some(code) => {
                    let bytes = base64::engine::general_purpose::STANDARD.decode(code.trim());
                    Reference::Inline(bytes.map_err(|error| wrong(&format!("is no base64: {error}")))?.into())
                }
                None => Reference::Inline(Bytes::from(text.clone())),
            },
            // Metadata are also written as the document that they are.
            Json::Object(_) => Reference::Inline(Bytes::from(value.to_string())),
            Json::Array(items) => {
                let text = items.first().and_then(Json::as_str).ok_or_else(|| wrong("names no file"))?;
                let url = render(text, &BTreeMap::new(), templates).map_err(|error| wrong(&error))?;
                let number = |at: usize| items.get(at).and_then(Json::as_u64);
                let range = match items.len() {
                    1 => None,
                    3 => Some(number(1).zip(number(2)).ok_or_else(|| wrong("has no offset and length"))?),
                    _ => return Err(wrong("is neither [file] nor [file, offset, length]")),
                };
                Reference::Part(self.url(url), range)
            }
            _ => return Err(wrong("is neither text nor a list")),
        };
        self.put(key.to_owned(), reference)
    }

    /// The references of one generator: a key and a place for each combination of its dimensions.
    fn generate(&mut self, entry: &Json, templates: &Templates) -> Result<(), String> {
        let text = |key: &str| {
            entry[key].as_str().map(str::to_owned).or_else(|| entry[key].as_u64().map(|n| n.to_string()))
        };
        let needed = |key: &str| text(key).ok_or_else(|| format!("a generator has no `{key}`"));
        let (key, url) = (needed("key")?, needed("url")?);
        let range = match (text("offset"), text("length")) {
            (Some(offset), Some(length)) => Some((offset, length)),
            (None, None) => None,
            _ => return Err(format!("the generator of `{key}` has an offset or a length, but not both")),
        };
        let dimensions = entry["dimensions"].as_object().filter(|dimensions| !dimensions.is_empty());
        let dimensions = dimensions
            .ok_or_else(|| format!("the generator of `{key}` has no dimensions"))?
            .iter()
            .map(|(name, values)| Ok((name.clone(), numbers(name, values)?)))
            .collect::<Result<Vec<_>, String>>()?;
        let count = dimensions.iter().fold(1_usize, |n, dimension| n.saturating_mul(dimension.1.len()));
        if count > MAX_REFERENCES {
            return Err(format!("the generator of `{key}` makes {count} references"));
        }
        for number in 0..count {
            let mut rest = number;
            let mut variables = BTreeMap::new();
            for (name, values) in dimensions.iter().rev() {
                variables.insert(name.clone(), Value::Int(values[rest % values.len()]));
                rest /= values.len();
            }
            let fill = |text: &str| render(text, &variables, templates);
            let whole = |text: &str| -> Result<u64, String> {
                let text = fill(text)?;
                text.trim().parse().map_err(|_| format!("`{text}` is no offset or length"))
            };
            let range = match &range {
                Some((offset, length)) => Some((whole(offset)?, whole(length)?)),
                None => None,
            };
            let url = self.url(fill(&url)?);
            self.put(fill(&key)?, Reference::Part(url, range))?;
        }
        Ok(())
    }
}

/// The numbers of a dimension: a list, or `start`, `stop` and `step` as in Python's `range`.
fn numbers(name: &str, values: &Json) -> Result<Vec<i64>, String> {
    let wrong = || format!("dimension `{name}` is neither a list of whole numbers nor has it a `stop`");
    if let Json::Array(items) = values {
        return items.iter().map(|item| item.as_i64().ok_or_else(wrong)).collect();
    }
    let number = |key: &str| values.get(key).and_then(Json::as_i64);
    let (start, stop, step) =
        (number("start").unwrap_or(0), number("stop").ok_or_else(wrong)?, number("step").unwrap_or(1));
    if step <= 0 || i128::from(stop) - i128::from(start) > MAX_REFERENCES as i128 {
        return Err(format!("dimension `{name}` from {start} to {stop} by {step} is not counted"));
    }
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    Ok((start..stop).step_by(step).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn part(url: &str, range: Option<(u64, u64)>) -> Reference {
        Reference::Part(Arc::from(url), range)
    }

    #[test]
    fn both_versions_are_read() {
        let old = parse(
            br#"{".zgroup": "{}", "a/.zarray": {"x": 1}, "a/0": ["f.nc", 5, 7], "a/1": "base64:AAE="}"#,
        );
        let old = old.unwrap();
        assert_eq!(old["a/0"], part("f.nc", Some((5, 7))));
        assert_eq!(old["a/1"], Reference::Inline(Bytes::from_static(&[0, 1])));
        assert_eq!(old["a/.zarray"], Reference::Inline(Bytes::from_static(br#"{"x":1}"#)));
        let text = br#"{"version": 1, "templates": {"u": "server.domain/path", "f": "{{c}}"},
            "gen": [{"key": "gen_key{{i}}", "url": "http://{{u}}_{{i}}", "offset": "{{(i + 1) * 1000}}",
                     "length": "1000", "dimensions": {"i": {"stop": 5}}},
                    {"key": "b/{{i}}.{{j}}", "url": "x", "dimensions": {"i": [2, 4], "j": {"start": 1, "stop": 6, "step": 3}}}],
            "refs": {"key0": "data", "key1": ["http://target_url", 10000, 100],
                     "key3": ["http://{{f(c='text')}}", 10000, 100], "key4": ["http://target_url"]}}"#;
        let new = parse(text).unwrap();
        assert_eq!(new.len(), 4 + 5 + 4);
        assert_eq!(new["gen_key4"], part("http://server.domain/path_4", Some((5000, 1000))));
        assert_eq!(new["b/4.4"], part("x", None));
        assert_eq!(new["key3"], part("http://text", Some((10_000, 100))));
        assert_eq!(new["key4"], part("http://target_url", None));
        assert_eq!(new["key0"], Reference::Inline(Bytes::from_static(b"data")));
    }

    #[test]
    fn mistakes_are_named_and_other_json_is_left_alone() {
        assert_eq!(parse(br#"{"a": 1}"#), Err(None));
        assert_eq!(parse(b"[1]"), Err(None));
        for (text, word) in [
            (r#"{"version": 2, "refs": {}}"#, "version 2"),
            (r#"{".zgroup": "{}", "a/0": [1]}"#, "names no file"),
            (r#"{".zgroup": "{}", "a/0": ["f", 1]}"#, "neither"),
            (r#"{".zgroup": "{}", "a/0": ["f", -1, 2]}"#, "offset"),
            (r#"{".zgroup": "{}", "a/0": "base64:?"}"#, "base64"),
            (r#"{"version": 1, "gen": [{"key": "a", "url": "b"}], "refs": {}}"#, "dimensions"),
            (
                r#"{"version": 1, "gen": [{"key": "a", "url": "b", "offset": "1", "dimensions": {"i": [1]}}], "refs": {}}"#,
                "both",
            ),
            (
                r#"{"version": 1, "gen": [{"key": "a", "url": "b", "dimensions": {"i": {"stop": 999999999999}}}], "refs": {}}"#,
                "not counted",
            ),
            ("{", "no JSON"),
        ] {
            let error = parse(text.as_bytes()).unwrap_err().unwrap();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_document_ends_without_a_panic(text in "\\PC{0,60}", offset in any::<i64>()) {
            let _ = parse(text.as_bytes());
            let json = serde_json::json!({"version": 1, "templates": {"t": text}, "refs": {text.clone(): [text, offset, 1]},
                "gen": [{"key": text, "url": text, "dimensions": {"i": {"start": offset, "stop": 3, "step": 1}}}]});
            let _ = parse(json.to_string().as_bytes());
        }
    }
}
