//! What of the servers is in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;

use crate::dataset::objects::Range;

/// What is wanted of an object: a range, or all of it.
pub(super) type Key = (Arc<str>, Option<Range>);
/// The bytes of an object; `None` when there is none.
pub(super) type Found = Option<Bytes>;

/// Bytes that somebody holds. What nobody holds any more is forgotten.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory(Arc<Mutex<HashMap<Key, Weak<Found>>>>);

/// Entries of forgotten bytes are removed when there are more than this many.
const MANY: usize = 4096;

impl Memory {
    /// What is there.
    pub(super) fn find(&self, key: &Key) -> Option<Arc<Found>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).and_then(Weak::upgrade)
    }

    /// Puts bytes there, for as long as the result lives.
    pub(super) fn put(&self, key: Key, found: Found) -> Arc<Found> {
        let found = Arc::new(found);
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if map.len() > MANY {
            map.retain(|_, weak| weak.strong_count() > 0);
        }
        map.insert(key, Arc::downgrade(&found));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_forgotten() {
        let memory = Memory::default();
        let key = (Arc::from("a"), Some((0, 1)));
        let held = memory.put(key.clone(), Some(Bytes::from_static(b"x")));
        assert_eq!(memory.find(&key).as_deref(), Some(&Some(Bytes::from_static(b"x"))));
        drop(held);
        assert!(memory.find(&key).is_none());
    }
}
