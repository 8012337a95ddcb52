//! [`Objects`]: where bytes come from.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::dataset::prefetch::Prefetch;

/// First byte and length.
pub(crate) type Range = (u64, u64);

/// Bytes by address: of local files, or of what a service serves.
pub(crate) trait Objects: Send + Sync + fmt::Debug {
    /// The length of an object; `None` when there is none.
    fn size(&self, address: &str) -> Result<Option<u64>, ObjectError>;

    /// All bytes of an object, or those of a range; `None` when there is none.
    fn read(&self, address: &str, range: Option<Range>) -> Result<Option<Bytes>, ObjectError>;

    /// Begins to fetch what will be read. A local disk is not waited for.
    fn begin(&self, _wanted: Vec<(Arc<str>, Option<Range>)>) -> Prefetch {
        Prefetch::default()
    }

    /// Whether a range is in memory, so that reading it costs nothing.
    fn is_held(&self, _address: &Arc<str>, _range: Range) -> bool {
        false
    }
}

/// Bytes that cannot be read.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum ObjectError {
    /// The object is shorter than what is asked of it.
    #[error(
        "`{address}` has {length} bytes and {needed} are asked for; copy it again, or make the references anew"
    )]
    Short {
        /// The object.
        address: String,
        /// Its length.
        length: u64,
        /// The end of what is asked for.
        needed: u64,
    },
    /// The disk or the service failed.
    #[error("`{address}` cannot be read: {detail}")]
    Failed {
        /// The object.
        address: String,
        /// Why, and what to do.
        detail: String,
    },
}
