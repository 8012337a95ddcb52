//! Bytes on their way into memory.

use std::any::Any;
use std::fmt;

use super::store::ReadError;

/// What was begun by [`Store::prefetch`](super::Store::prefetch). Dropped without waiting, it is given up.
#[derive(Default)]
pub struct Prefetch(Option<Box<dyn FnOnce() -> Result<Held, ReadError> + Send>>);

/// Bytes in memory; reads find them there until this is dropped.
#[derive(Default)]
pub struct Held(Vec<Box<dyn Any + Send + Sync>>);

impl Prefetch {
    /// Something that is waited for by calling a function.
    pub fn new(wait: impl FnOnce() -> Result<Held, ReadError> + Send + 'static) -> Self {
        Self(Some(Box::new(wait)))
    }

    /// Several as one.
    pub fn all(parts: Vec<Self>) -> Self {
        let mut waits: Vec<_> = parts.into_iter().filter_map(|part| part.0).collect();
        match waits.len() {
            0 => Self(None),
            1 => Self(waits.pop()),
            _ => Self::new(move || {
                let mut all = Held::default();
                for wait in waits {
                    all.0.extend(wait()?.0);
                }
                Ok(all)
            }),
        }
    }

    /// Waits until all is in memory. Call it from a thread that may block, never from one that decodes.
    ///
    /// # Errors
    /// [`ReadError::Fetch`] when something cannot be fetched.
    pub fn wait(self) -> Result<Held, ReadError> {
        self.0.map_or_else(|| Ok(Held::default()), |wait| wait())
    }
}

impl Held {
    /// Holds something.
    pub fn of(bytes: impl Any + Send + Sync) -> Self {
        Self(vec![Box::new(bytes)])
    }
}

impl fmt::Debug for Prefetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prefetch").field("pending", &self.0.is_some()).finish()
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held").field("parts", &self.0.len()).finish()
    }
}
