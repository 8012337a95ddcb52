//! A Zarr store whose keys stand for bytes, for parts of files, or for what a service serves.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use bytes::Bytes;
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};
use zarrs::storage::{
    ListableStorageTraits, MaybeBytes, MaybeBytesIterator, ReadableStorageTraits, StorageError, StoreKey,
    StoreKeys, StoreKeysPrefixes, StorePrefix,
};

use super::object::{ObjectError, Objects, Range};
use crate::dataset::prefetch::Prefetch;
use crate::dataset::reference::Reference;

/// Names of metadata documents. All that exist are among the keys, so that none is asked for elsewhere.
const METADATA: [&str; 5] = ["zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata"];

/// A store over a map of keys.
#[derive(Debug)]
pub(crate) struct KeyStore {
    keys: BTreeMap<String, Reference>,
    /// Where the keys lie that are not in the map: what comes before and after them. Without it there are no others.
    base: Option<(String, String)>,
    objects: Arc<dyn Objects>,
}

impl KeyStore {
    /// A store over keys, and over all that lies below `base`.
    pub(crate) fn new(
        keys: BTreeMap<String, Reference>,
        base: Option<(String, String)>,
        objects: Arc<dyn Objects>,
    ) -> Self {
        Self { keys, base, objects }
    }

    /// Begins to fetch keys, or ranges of them.
    pub(crate) fn begin(&self, wanted: &[(StoreKey, Option<Range>)]) -> Prefetch {
        let places = wanted.iter().filter_map(|(key, inside)| match self.find(key)? {
            Reference::Inline(_) => None,
            Reference::Part(address, whole) => Some((address, within(whole, *inside))),
        });
        self.objects.begin(places.collect())
    }

    fn find(&self, key: &StoreKey) -> Option<Reference> {
        if let Some(found) = self.keys.get(key.as_str()) {
            return Some(found.clone());
        }
        let name = key.as_str().rsplit('/').next().unwrap_or_default();
        let (base, query) = self.base.as_ref().filter(|_| !METADATA.contains(&name))?;
        Some(Reference::Part(Arc::from(format!("{base}/{key}{query}")), None))
    }

    /// The bytes of a part of a file; `None` for a file that does not exist.
    fn part(
        &self,
        address: &str,
        whole: Option<Range>,
        range: ByteRange,
    ) -> Result<MaybeBytes, StorageError> {
        let range = match (range, whole) {
            (ByteRange::FromStart(0, None), whole) => whole,
            (ByteRange::FromStart(offset, Some(length)), whole) => within(whole, Some((offset, length))),
            (range, Some((first, length))) => {
                Some((first.saturating_add(range.start(length)), range.length(length)))
            }
            (range, None) => {
                let Some(size) = self.objects.size(address).map_err(|error| failed(&error))? else {
                    return Ok(None);
                };
                Some((range.start(size), range.length(size)))
            }
        };
        self.objects.read(address, range).map_err(|error| failed(&error))
    }
}

/// A range inside another one.
fn within(whole: Option<Range>, inside: Option<Range>) -> Option<Range> {
    match (whole, inside) {
        (whole, None) => whole,
        (None, inside) => inside,
        (Some((first, length)), Some((offset, count))) => {
            Some((first.saturating_add(offset), count.min(length.saturating_sub(offset))))
        }
    }
}

fn failed(error: &ObjectError) -> StorageError {
    StorageError::Other(error.to_string())
}

impl ReadableStorageTraits for KeyStore {
    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let Some(found) = self.find(key) else { return Ok(None) };
        let mut out = Vec::new();
        for range in byte_ranges {
            let bytes = match &found {
                Reference::Inline(bytes) => inline(bytes, range)?,
                Reference::Part(address, whole) => match self.part(address, *whole, range)? {
                    Some(bytes) => bytes,
                    None => return Ok(None),
                },
            };
            out.push(Ok(bytes));
        }
        Ok(Some(Box::new(out.into_iter())))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        match self.find(key) {
            None => Ok(None),
            Some(Reference::Inline(bytes)) => Ok(Some(bytes.len() as u64)),
            Some(Reference::Part(_, Some((_, length)))) => Ok(Some(length)),
            Some(Reference::Part(address, None)) => {
                self.objects.size(&address).map_err(|error| failed(&error))
            }
        }
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

fn inline(bytes: &Bytes, range: ByteRange) -> Result<Bytes, StorageError> {
    let size = bytes.len() as u64;
    let place = range.to_range_usize(size);
    if place.start > place.end || place.end > bytes.len() {
        return Err(StorageError::Other(format!("a range to byte {} of {size} is asked for", place.end)));
    }
    Ok(bytes.slice(place))
}

impl ListableStorageTraits for KeyStore {
    fn list(&self) -> Result<StoreKeys, StorageError> {
        self.list_prefix(&StorePrefix::root())
    }

    fn list_prefix(&self, prefix: &StorePrefix) -> Result<StoreKeys, StorageError> {
        let keys = self.keys.range(prefix.as_str().to_owned()..).map(|entry| entry.0);
        keys.take_while(|key| key.starts_with(prefix.as_str())).map(|key| Ok(StoreKey::new(key)?)).collect()
    }

    fn list_dir(&self, prefix: &StorePrefix) -> Result<StoreKeysPrefixes, StorageError> {
        let (mut keys, mut prefixes) = (Vec::new(), Vec::new());
        let mut next = Bound::Included(prefix.as_str().to_owned());
        while let Some((key, _)) = self.keys.range((next, Bound::Unbounded)).next() {
            let Some(rest) = key.strip_prefix(prefix.as_str()) else { break };
            let Some((child, _)) = rest.split_once('/') else {
                keys.push(StoreKey::new(key)?);
                next = Bound::Excluded(key.clone());
                continue;
            };
            let child = format!("{}{child}", prefix.as_str());
            // The letter after `/` is `0`: all that lies below the child is passed over.
            next = Bound::Included(format!("{child}0"));
            prefixes.push(StorePrefix::new(format!("{child}/"))?);
        }
        Ok(StoreKeysPrefixes::new(keys, prefixes))
    }

    fn size_prefix(&self, prefix: &StorePrefix) -> Result<u64, StorageError> {
        let sizes = self.list_prefix(prefix)?.into_iter().map(|key| self.size_key(&key));
        sizes.map(|size| size.map(Option::unwrap_or_default)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::objects::LocalObjects;

    fn store(pairs: &[(&str, Reference)], base: Option<&str>) -> KeyStore {
        let keys = pairs.iter().map(|(key, found)| ((*key).to_owned(), found.clone())).collect();
        KeyStore::new(keys, base.map(|base| (base.to_owned(), String::new())), Arc::new(LocalObjects))
    }

    fn key(text: &str) -> StoreKey {
        StoreKey::new(text).unwrap()
    }

    #[test]
    fn keys_are_listed_as_in_folders() {
        let text = || Reference::Inline(Bytes::from_static(b"x"));
        let names = [".zgroup", "a/.zarray", "a/0.0", "a/b/.zgroup", "a-b/.zarray", "a0", "c/.zarray"];
        let store = store(&names.map(|name| (name, text())), None);
        let listed = store.list_dir(&StorePrefix::root()).unwrap();
        let prefixes: Vec<&str> = listed.prefixes().iter().map(StorePrefix::as_str).collect();
        assert_eq!(prefixes, ["a-b/", "a/", "c/"]);
        assert_eq!(listed.keys(), &vec![key(".zgroup"), key("a0")]);
        let below = store.list_dir(&StorePrefix::new("a/").unwrap()).unwrap();
        assert_eq!(below.keys(), &vec![key("a/.zarray"), key("a/0.0")]);
        assert_eq!(below.prefixes().len(), 1);
        assert_eq!(store.size_prefix(&StorePrefix::root()).unwrap(), 7);
    }

    #[test]
    fn ranges_are_taken_inside_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, b"0123456789").unwrap();
        let path = path.display().to_string();
        let part = |range| Reference::Part(Arc::from(path.as_str()), range);
        let base = folder.path().display().to_string();
        let gone = Reference::Part(Arc::from(format!("{base}/gone")), None);
        let pairs =
            [("all", part(None)), ("some", part(Some((2, 5)))), ("long", part(Some((8, 5)))), ("gone", gone)];
        let store = store(&pairs, Some(&base));
        let get = |name: &str, range| store.get_partial(&key(name), range).unwrap();
        let text = |bytes: &'static [u8]| Some(Bytes::from_static(bytes));
        assert_eq!(store.get(&key("some")).unwrap(), text(b"23456"));
        assert_eq!(get("some", ByteRange::FromStart(1, Some(2))), text(b"34"));
        assert_eq!(get("some", ByteRange::Suffix(2)), text(b"56"));
        assert_eq!(get("all", ByteRange::FromStart(7, None)), text(b"789"));
        assert_eq!(get("f", ByteRange::Suffix(1)), text(b"9"));
        assert_eq!(store.get(&key("gone")).unwrap(), None);
        assert_eq!(store.get(&key("missing")).unwrap(), None);
        assert_eq!(store.get(&key("x/.zarray")).unwrap(), None);
        let error = store.get(&key("long")).unwrap_err().to_string();
        assert!(error.contains("10 bytes and 13"), "{error}");
        assert_eq!(store.size_key(&key("some")).unwrap(), Some(5));
    }
}
