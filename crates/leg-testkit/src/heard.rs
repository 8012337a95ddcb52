//! [`Heard`]: what a fake was asked, in order.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a fake was asked, in order. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Heard<T>(Arc<Mutex<Vec<T>>>);

impl<T: Clone> Heard<T> {
    /// Keeps what it is asked now; the number of all so far.
    pub(crate) fn push(&self, asked: T) -> usize {
        let mut all = self.lock();
        all.push(asked);
        all.len()
    }

    /// All so far.
    pub(crate) fn all(&self) -> Vec<T> {
        self.lock().clone()
    }

    /// The number of all so far.
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    /// A fake that panicked while it was asked is still to be looked at.
    fn lock(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Heard<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}
